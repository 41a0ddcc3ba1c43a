package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/headlessexperimental"
	"github.com/chromedp/cdproto/page"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

const (
	// ticksAtZero is the compositor's clock at time 0 of the page, in ms. It is the same
	// in every run, and larger than the uptime of any machine: animated images only move
	// while the compositor's clock is ahead of the real clock.
	ticksAtZero = 1e11
	// ticksAtLoad is the compositor's clock when a page is opened. It is close to
	// ticksAtZero, so that animations by this clock have hardly moved when the first
	// frame is shown.
	ticksAtLoad = ticksAtZero - 1
	// tickStep is how far the clock moves for a frame that shows nothing. Chromium counts
	// whole microseconds, and a frame whose time did not rise never ends.
	tickStep = 0.001
	// patience is how long a seek may take before koda draws frames for it.
	patience = 15 * time.Millisecond
	// redraws is how often koda draws a frame again because the page asked for files.
	redraws = 5
)

// Capture shows frame n, at n/FPS seconds, and returns its picture: raw pixels, as
// koda.CaptureInfo.Raw describes them, if the viewport asks for raw pixels, otherwise
// a PNG. Equal pictures may share their bytes: do not write to them. Raw pixels stay
// as they are until the fifth picture after them is captured.
//
// The bytes of a frame depend on the frames captured before it in this tab, so equal
// bytes need equal sequences from a fresh Open. A page that plays is first brought
// forward to the frame; its time does not go back.
func (t *Tab) Capture(ctx context.Context, frame int) ([]byte, error) {
	if err := t.catchUp(ctx, frame); err != nil {
		return nil, err
	}
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	f, err := t.frame(bound, frame)
	if more := (*koda.RoundsError)(nil); err == nil || errors.As(err, &more) {
		return f.picture, err
	}
	err = t.failed(ctx, bound, fmt.Sprintf("capture frame %d (%.3f s)", frame, t.seconds(frame)), err)
	if busy := (*unanswered)(nil); errors.As(err, &busy) {
		err = &koda.Error{Code: koda.CodeSeekFailed, Op: notResponding, Err: err}
	}
	return nil, err
}

// notResponding begins the error about a page that was ready but does not show the time
// it is asked for.
const notResponding = "the animation does not respond"

func (t *Tab) seconds(frame int) float64 { return timeline.Seconds(frame, t.opts.Viewport.FPS) }

// drawing is the picture of a frame. Changed is false when the picture has the bytes
// of the picture captured before.
type drawing struct {
	picture []byte
	changed bool
}

func (t *Tab) frame(ctx context.Context, frame int) (drawing, error) {
	if err := t.gone(); err != nil {
		return drawing{}, err
	}
	if err := t.seek(ctx, frame); err != nil {
		return drawing{}, err
	}
	before := t.last
	f, err := t.shoot(ctx, frame)
	if err != nil || !t.compares(f) {
		return f, err
	}
	return t.steady(ctx, frame, before, f)
}

// seek makes the page show a frame.
func (t *Tab) seek(ctx context.Context, frame int) error {
	if t.opts.Page.Plays {
		return t.play(ctx, frame)
	}
	t.sought, t.told, t.kept = -1, frame, false
	err := t.settle(ctx, fmt.Sprintf("__koda.seek(%s,%d,%d)", strconv.FormatFloat(t.seconds(frame), 'g', -1, 64), frame, t.pace.rounds))
	if err == nil {
		err = t.after(ctx, frame)
	}
	if err == nil {
		t.sought = frame
	}
	return err
}

// settle evaluates a step of a seek and waits until everything the step began is done.
func (t *Tab) settle(ctx context.Context, expression string) error {
	raw, err := t.evaluateDrawing(ctx, expression)
	if err != nil {
		return err
	}
	if strings.HasPrefix(raw, "{") {
		return t.hangs(raw)
	}
	t.pace.asks, t.follows = strings.Contains(raw, "again"), strings.Contains(raw, "follows")
	return t.quiet(ctx)
}

// evaluateDrawing evaluates a seek. While the seek waits, evaluateDrawing draws frames
// that show nothing, because the page may be waiting for layout. A seek that is at work
// is left alone, however slow the machine is: a layout in the middle of its work would
// change the pictures.
func (t *Tab) evaluateDrawing(ctx context.Context, expression string) (string, error) {
	if !controlled(t.opts.Info) {
		return t.evaluate(ctx, expression)
	}
	type reply struct {
		value string
		err   error
	}
	done := make(chan reply, 1)
	go func() {
		value, err := t.evaluate(ctx, expression)
		done <- reply{value, err}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case r := <-done:
			return r.value, r.err
		case <-timer.C:
		}
		if waits, err := t.evaluate(ctx, "__koda.waits()"); err != nil || waits == "" {
			timer.Reset(patience)
			continue
		}
		if err := t.draw(ctx); err != nil {
			r := <-done
			return r.value, errors.Join(r.err, err)
		}
		timer.Reset(patience)
	}
}

// hangs is the error of a seek that does not end; it says what the seek waits for.
func (t *Tab) hangs(raw string) error {
	var st status
	if err := json.Unmarshal([]byte(raw), &st); err != nil {
		return fmt.Errorf("read page status: %w", err)
	}
	if st.Fatal != "" {
		return t.proc.graphicsLost(st.Fatal)
	}
	var waits []string
	if st.Pending {
		waits = append(waits, "the promise of window.__exportSeekTo did not settle")
	}
	for _, m := range st.Missing {
		waits = append(waits, "it still waits for the "+shortMissing(m))
	}
	waits = append(waits, t.diary.causes()...)
	if len(waits) == 0 { // the last missing piece came in the meantime
		return &koda.Error{
			Code: koda.CodeCaptureFailed, Op: fmt.Sprintf("the page did not show frame %d (%.3f s) within %s", t.told, t.seconds(t.told), t.opts.SettleTimeout),
			Hint: "the machine is busy: close other programs, or give --workers 1",
		}
	}
	return &koda.Error{
		Code: koda.CodeSeekFailed, Op: fmt.Sprintf("%s: the page did not show frame %d (%.3f s) within %s", notResponding, t.told, t.seconds(t.told), t.opts.SettleTimeout),
		Err: errors.New(waits[0]), Details: strings.Join(waits[1:], "\n"),
		Hint: "make window.__exportSeekTo resolve once the time is shown; what it loads belongs before window.__exportReady",
	}
}

// quiet waits until the files that the seek asked for have arrived and are laid out.
func (t *Tab) quiet(ctx context.Context) error {
	if open, _ := t.diary.inFlight(); open == 0 {
		return nil
	}
	bound, cancel := context.WithTimeout(ctx, t.opts.SettleTimeout)
	defer cancel()
	for {
		if err := t.draw(ctx); err != nil {
			return err
		}
		if open, _ := t.diary.inFlight(); open == 0 {
			_, err := t.evaluate(ctx, "__koda.settled()")
			return err
		}
		if err := pause(bound, time.Millisecond); err != nil {
			if ctx.Err() != nil { // the page is gone, or the caller gave up
				return ctx.Err()
			}
			return t.hangs(`{"missing":[]}`)
		}
	}
}

// draw runs one frame that shows nothing new, so that layout happens, observers
// fire and images decode. The compositor's clock hardly moves.
func (t *Tab) draw(ctx context.Context) error {
	if !controlled(t.opts.Info) {
		return nil
	}
	return t.hidden(ctx, ticksAtLoad)
}

// interval is the length of a frame, in ms, as koda tells it to the browser.
func (t *Tab) interval() float64 {
	return 1000 * float64(t.opts.Viewport.FPS.Den) / float64(t.opts.Viewport.FPS.Num)
}

// shoot takes the picture of what the page shows now.
func (t *Tab) shoot(ctx context.Context, frame int) (drawing, error) {
	if !controlled(t.opts.Info) {
		png, err := t.screenshot(ctx)
		if err != nil {
			return drawing{}, err
		}
		return t.keep(png), nil
	}
	if !t.begun && frame > 0 && !t.opts.Page.Plays {
		// What the first seek began reaches the screen only in later frames: changes by
		// observers, and canvases that workers draw. A capture from frame 0 draws those
		// frames anyway.
		for _, at := range []int{0, frame, frame} {
			if _, err := t.drawAt(ctx, at, nil); err != nil {
				return drawing{}, err
			}
		}
	}
	t.begun = true
	// A picture costs the same whether or not anything changed. After two equal pictures,
	// the next frame is first drawn without a picture, to find out whether anything
	// changed. This decision depends on pictures only, so every run decides the same.
	if t.still && t.buffer == nil && !t.opts.Page.Plays {
		res, err := t.drawAt(ctx, frame, nil)
		if err != nil {
			return drawing{}, err
		}
		if open, _ := t.diary.inFlight(); !res.HasDamage && open == 0 {
			return drawing{picture: t.last}, nil
		}
	}
	for range redraws {
		_, before := t.diary.inFlight()
		shoot := t.picture
		if t.buffer != nil {
			shoot = t.readout
		}
		picture, err := shoot(ctx, frame)
		if err != nil {
			return drawing{}, err
		}
		if _, after := t.diary.inFlight(); after == before {
			return t.keep(picture), nil
		}
		// The page asked for files while it was drawn.
		if err := t.quiet(ctx); err != nil {
			return drawing{}, err
		}
	}
	return drawing{}, &koda.Error{
		Code: koda.CodePageFailed, Op: "the page asks for further files each time it is drawn",
		Hint: "load files before window.__exportReady",
	}
}

// keep remembers a picture and compares it with the last one.
func (t *Tab) keep(picture []byte) drawing {
	t.still = bytes.Equal(t.last, picture)
	if !t.still {
		t.last = picture
		t.pictures++
		if t.buffer != nil {
			t.buffer.keep(t.kept)
			t.kept = true
		}
	}
	return drawing{t.last, !t.still}
}

// picture draws a frame and returns its picture. A compositor that is still starting
// gives no picture at first.
func (t *Tab) picture(ctx context.Context, frame int) ([]byte, error) {
	shot := &headlessexperimental.ScreenshotParams{
		Format: headlessexperimental.ScreenshotParamsFormatPng, OptimizeForSpeed: true,
	}
	wait := time.Millisecond
	for {
		res, err := t.drawAt(ctx, frame, shot)
		if err != nil || len(res.ScreenshotData) > 0 {
			return res.ScreenshotData, err
		}
		if err := pause(ctx, wait); err != nil {
			return nil, errors.New("the browser draws nothing")
		}
		wait = min(2*wait, 100*time.Millisecond)
	}
}

// drawAt draws a frame at its time.
func (t *Tab) drawAt(ctx context.Context, frame int, shot *headlessexperimental.ScreenshotParams) (headlessexperimental.BeginFrameResult, error) {
	t.ticks = max(t.ticks+tickStep, t.ticksAt(frame))
	t.framed = t.stepped
	res, err := t.beginFrame(ctx, headlessexperimental.BeginFrameParams{FrameTimeTicks: t.ticks, Interval: t.interval(), Screenshot: shot})
	res.HasDamage = res.HasDamage || t.stale
	t.stale = false
	return res, err
}

// screenshot asks for a picture from a browser that draws whenever it likes.
func (t *Tab) screenshot(ctx context.Context) ([]byte, error) {
	fast := true
	shot, err := cdp.Call(ctx, t.proc.session, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatPng, OptimizeForSpeed: &fast,
	})
	return shot.Data, err
}

// beginFrame draws a frame. If the browser is still drawing another frame, beginFrame
// waits for it.
func (t *Tab) beginFrame(ctx context.Context, params headlessexperimental.BeginFrameParams) (headlessexperimental.BeginFrameResult, error) {
	wait := 5 * time.Millisecond
	for {
		res, err := cdp.Call(ctx, t.proc.session, headlessexperimental.BeginFrame, params)
		var refused *cdproto.Error
		if err == nil || !errors.As(err, &refused) || !strings.Contains(refused.Message, "Another frame is pending") {
			return res, err
		}
		if err := pause(ctx, wait); err != nil {
			return res, err
		}
		wait = min(2*wait, 200*time.Millisecond)
	}
}

// key asks the page for a key; op says in errors which key was asked for.
func (t *Tab) key(ctx context.Context, expression, op string) (string, bool, error) {
	if t.nameless {
		return "", false, nil
	}
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	raw, err := t.evaluate(bound, expression)
	if err != nil {
		return "", false, t.failed(ctx, bound, op, err)
	}
	if t.nameless = raw == ""; t.nameless {
		return "", false, nil
	}
	var key *string
	if err := json.Unmarshal([]byte(raw), &key); err != nil {
		return "", false, fmt.Errorf("read frame key: %w", err)
	}
	if key == nil {
		return "", false, nil
	}
	return *key, true, nil
}
