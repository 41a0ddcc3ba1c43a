package render

import (
	"context"
)

// keyReader asks a page for the keys of its frames, in rising order, until it
// has none: a page without keys is asked once.
type keyReader struct {
	tab  Tab
	last string
	any  bool // last is the key of a frame
	none bool // the page offers no keys, or no longer
}

// repeats reports whether a frame has the key of the one asked for before. A
// page that fails to name a frame is a page without keys: drawing the frame
// says what is wrong with it, if anything is.
func (k *keyReader) repeats(ctx context.Context, frame int) (bool, error) {
	if k.none {
		return false, nil
	}
	key, ok, err := k.tab.FrameKey(ctx, frame)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil || !ok {
		k.none = true
		return false, nil //nolint:nilerr // see above
	}
	same := k.any && key == k.last
	k.last, k.any = key, true
	return same, nil
}
