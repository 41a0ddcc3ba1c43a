package browser

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/headlessexperimental"
	"github.com/chromedp/cdproto/performance"

	"github.com/koda-video/koda/internal/koda"
)

// A page that plays is not told the time. It is brought forward frame by frame, by
// templates/clock/play.js and by the compositor's clock, whether or not the frames are drawn. A
// step passes the time until a frame. The compositor's frame after the step runs
// animation frame callbacks, animations and observers. Only both together make a frame.

const (
	// timelineAtZero is the compositor's clock at time 0 of a page that plays, in ms
	// since the page's navigation. Animations count from the navigation in floating
	// point, so the value must be the same in every run.
	timelineAtZero = 1e11
	// timelineGrain is the unit to which Chromium rounds animations, in ms since the
	// navigation. Chance decides whether Chromium rounds up or down, except for whole
	// multiples of the unit.
	timelineGrain = 0.1
)

// ticksAt is the compositor's clock at the time of a frame. Chromium counts whole
// microseconds; half a microsecond more makes sure that it always cuts off the same part.
func (t *Tab) ticksAt(frame int) float64 {
	at := 1000 * t.seconds(frame)
	if t.opts.Page.Plays {
		at = math.Round(at/timelineGrain) * timelineGrain
	} else {
		at = math.Floor(1000*at+0.1) / 1000 // a frame shows what is due at its time
	}
	return math.Round(1000*(t.zero+at))/1000 + 0.0005
}

// startPlaying lets the time of the page run from here on.
func (t *Tab) startPlaying(ctx context.Context) error {
	if controlled(t.opts.Info) {
		navigated, err := t.navigation(ctx)
		if err != nil {
			return err
		}
		t.zero = navigated + timelineAtZero
		t.ticks = t.zero - 1 // the first drawing comes just before time 0
	}
	_, err := t.evaluate(ctx, "__koda.player.start()")
	return err
}

// navigation is the compositor's clock when the page was navigated to, in ms.
func (t *Tab) navigation(ctx context.Context) (float64, error) {
	if _, err := cdp.Call(ctx, t.proc.session, performance.Enable, performance.EnableParams{}); err != nil {
		return 0, err
	}
	res, err := cdp.Call(ctx, t.proc.session, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		return 0, err
	}
	for _, m := range res.Metrics {
		if m.Name == "NavigationStart" {
			return 1000 * m.Value, nil
		}
	}
	return 0, errors.New("the browser does not say when the page was navigated to")
}

// play passes the time of a page until a frame. The next drawing is the compositor's
// frame for it.
func (t *Tab) play(ctx context.Context, frame int) error {
	switch {
	case frame == t.stepped:
		return nil
	case frame < t.stepped:
		return &koda.Error{
			Code: koda.CodeCaptureFailed, Op: fmt.Sprintf("show frame %d after frame %d", frame, t.stepped),
			Err: errors.New("the time of a page that plays does not go back"),
		}
	}
	for n := t.stepped + 1; n <= frame; n++ {
		if err := t.frameOf(ctx, n-1); err != nil {
			return err
		}
		if err := t.animatePlaying(ctx, n); err != nil {
			return err
		}
		if err := t.step(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// step passes the time until the next frame.
func (t *Tab) step(ctx context.Context, frame int) error {
	t.sought, t.told, t.kept = -1, frame, false
	if err := t.quiet(ctx); err != nil { // files that the frame before asked for
		return err
	}
	err := t.settle(ctx, "__koda.player.step("+strconv.FormatFloat(t.seconds(frame), 'g', -1, 64)+")")
	if err == nil {
		t.stepped, t.sought = frame, frame
	}
	return err
}

// frameOf gives the page the compositor's frame for a time that a step reached, and shows
// nothing. If the page already had that frame, frameOf does nothing.
func (t *Tab) frameOf(ctx context.Context, frame int) error {
	if frame <= t.framed || !controlled(t.opts.Info) {
		return nil
	}
	t.framed = frame
	return t.hidden(ctx, t.ticksAt(frame))
}

// hidden runs a frame of the compositor that shows nothing.
func (t *Tab) hidden(ctx context.Context, ticks float64) error {
	yes := true
	t.ticks = max(t.ticks+tickStep, ticks)
	_, err := t.beginFrame(ctx, headlessexperimental.BeginFrameParams{
		FrameTimeTicks: t.ticks, Interval: t.interval(), NoDisplayUpdates: &yes,
	})
	return err
}

// catchUp brings a page that plays to the frame before the given one. Each step has the
// bound of a frame.
func (t *Tab) catchUp(ctx context.Context, frame int) error {
	if !t.opts.Page.Plays {
		return nil
	}
	for n := t.stepped + 1; n < frame; n++ {
		if err := t.Pass(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// Pass shows frame n as Capture does, but draws nothing. It serves pages whose pictures
// depend on what they showed before. For a page that plays, Pass also passes the frames
// between.
func (t *Tab) Pass(ctx context.Context, frame int) error {
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	err := t.gone()
	if err == nil {
		err = t.seek(bound, frame)
	}
	if err == nil && !t.opts.Page.Plays && controlled(t.opts.Info) {
		err = t.hidden(bound, t.ticksAt(frame))
	}
	if err != nil {
		return t.failed(ctx, bound, fmt.Sprintf("pass frame %d (%.3f s)", frame, t.seconds(frame)), err)
	}
	return nil
}
