package render

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// errTimeUp is the cause of the end of a render that took too long.
var errTimeUp = errors.New("the time is up")

// limit gives a render the time it may take. When the render is over, the caller
// must call limited with its error; limited returns the error to report.
func (r *Renderer) limit(parent context.Context, spec koda.RenderSpec) (ctx context.Context, limited func(error) error) {
	most := r.cfg.Limit
	if spec.LimitMS != 0 {
		most = time.Duration(spec.LimitMS) * time.Millisecond
	}
	if most <= 0 {
		return parent, func(err error) error { return err }
	}
	ctx, cancel := context.WithCancelCause(parent)
	up, stop := r.cfg.After(most)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-up:
			cancel(errTimeUp)
		case <-ctx.Done():
		}
	}()
	return ctx, func(err error) error {
		late := errors.Is(context.Cause(ctx), errTimeUp)
		cancel(nil)
		stop()
		<-done
		if err == nil || !late || parent.Err() != nil {
			return err
		}
		return &koda.Error{
			Code: koda.CodeTimeout, Op: fmt.Sprintf("the video took longer than %v to render; what is drawn is kept", most),
			Hint: "the same command goes on from there; more time: --timeout, or koda config set render-timeout",
		}
	}
}
