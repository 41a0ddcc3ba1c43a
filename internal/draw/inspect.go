package draw

import (
	"bytes"
	"context"
	"image/png"

	"github.com/koda-video/koda/internal/koda"
)

// Inspect opens a page and asks it for keys, or checks its frames for transparent
// parts. A frame is not drawn if the page says that the frame has a background. Any
// other frame is drawn small, unless its key is the key of the frame before. Errors
// are those of Draw.
func (d *Drawer) Inspect(ctx context.Context, job koda.InspectJob) (seen koda.Inspected, err error) {
	if job.Shines.Len() > 0 {
		job.View.Scale, job.View.Raw, job.View.Transparent = koda.MinScale, false, true
	}
	tab, err := d.cfg.Open(ctx, job.Facts.Capture, job.Page, job.View)
	if err != nil {
		return seen, err
	}
	defer func() {
		if closeErr := tab.Close(); err == nil {
			err = closeErr
		}
	}()
	keys := &keyReader{tab: tab}
	for _, span := range job.Keys {
		if err := keys.begin(ctx); err != nil {
			return seen, err
		}
		for n := span.Start; n < span.End && !keys.none; n++ {
			if _, err := keys.repeats(ctx, n); err != nil {
				return seen, err
			}
		}
		seen.Keys = append(seen.Keys, keys.digest())
	}
	if job.Shines.Len() > 0 {
		seen.Shines, err = anyShines(ctx, tab, keys, job.Shines)
	}
	return seen, err
}

// anyShines reports whether one of the frames has transparent parts.
func anyShines(ctx context.Context, tab Tab, keys *keyReader, span koda.Span) (bool, error) {
	if err := keys.begin(ctx); err != nil {
		return false, err
	}
	for n := span.Start; n < span.End; n++ {
		if same, err := keys.repeats(ctx, n); err != nil {
			return false, err
		} else if same {
			continue
		}
		if covered, err := tab.Covered(ctx, n); err != nil {
			return false, err
		} else if covered {
			continue
		}
		if clear, err := shines(ctx, tab, n); err != nil || clear {
			return clear, err
		}
	}
	return false, nil
}

// shines draws a frame and reports whether the frame has transparent parts.
func shines(ctx context.Context, tab Tab, n int) (bool, error) {
	picture, err := tab.Capture(ctx, n)
	if err != nil {
		return false, err
	}
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return false, failedAt(n, err)
	}
	o, ok := img.(interface{ Opaque() bool })
	return ok && !o.Opaque(), nil
}
