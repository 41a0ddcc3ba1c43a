package browser

import "context"

// Seek is the first half of Capture: the page shows frame n, and no picture is
// taken.
func (t *Tab) Seek(ctx context.Context, frame int) error {
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	if err := t.seek(bound, frame); err != nil {
		return t.failed(ctx, bound, "seek", err)
	}
	return nil
}

// Shoot is the second half of Capture.
func (t *Tab) Shoot(ctx context.Context, frame int) ([]byte, error) {
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	f, err := t.shoot(bound, frame)
	if err != nil {
		return nil, t.failed(ctx, bound, "take a picture", err)
	}
	return f.picture, nil
}

// Raster draws the frame that was sought, without a picture. If the browser decides when
// it draws, the answer is false.
func (t *Tab) Raster(ctx context.Context, frame int) (bool, error) {
	if !controlled(t.opts.Info) {
		return false, nil
	}
	if t.buffer != nil {
		t.buffer.current = nil // nothing reads what is drawn now
	}
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	if _, err := t.drawAt(bound, frame, nil); err != nil {
		return true, t.failed(ctx, bound, "draw", err)
	}
	return true, nil
}
