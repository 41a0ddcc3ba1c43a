package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/koda-video/koda/internal/koda"
)

// status is what the clock says the page is doing.
type status struct {
	Ready    bool     `json:"ready"`
	Seekable bool     `json:"seekable"`
	Loaded   bool     `json:"loaded"`
	Pending  bool     `json:"pending"` // the promise of a seek
	Timers   int      `json:"timers"`
	Frames   int      `json:"frames"` // animation frame callbacks
	Missing  []string `json:"missing"`
	Fatal    string   `json:"fatal"`
}

// idleAfterMistake is how long a page may do nothing after a mistake, before koda gives
// the page up early. A mistake is an exception or a request for a file that does not
// exist. A page that only throws in each animation frame does nothing, too.
const idleAfterMistake = time.Second

// leastTurns is how many turns a page gets at least to become ready. A machine that is
// too slow for them gets twice the time.
const leastTurns = 100

// restTurns is how many turns without any loading make a page ready that plays and does
// not signal: each file it loads may ask for more files.
const restTurns = 4

// load opens the page and returns when it is ready.
func (t *Tab) load(ctx context.Context) error {
	bound, cancel := t.bound(ctx, 2*t.opts.ReadyTimeout)
	defer cancel()
	st, err := t.enter(bound)
	switch {
	case errors.Is(err, errGivenUp):
		return t.notReady(st, "the page stopped before it was ready")
	case errors.Is(err, errUnready):
		return t.notReady(st, fmt.Sprintf("the page was not ready within %s", t.opts.ReadyTimeout))
	case err != nil:
		return t.notLoaded(ctx, bound, st, err)
	case !st.Seekable && !t.opts.Page.Plays:
		return &koda.Error{
			Code: koda.CodePageFailed, Op: "the page is ready but offers no window.__exportSeekTo",
			Hint: "set window.__exportSeekTo = (seconds) => {…} before window.__exportReady = true, or let the page play: \"play\": true in koda.json",
		}
	}
	_, err = t.evaluate(bound, "__koda.start()")
	if err == nil && t.opts.Page.Plays {
		err = t.startPlaying(bound)
	}
	if err != nil {
		return t.notLoaded(ctx, bound, st, err)
	}
	return t.first(ctx)
}

// first draws what the page shows before the first seek. Chromium draws only parts of a
// tile anew, so earlier drawings show in later pictures. Without first, it would depend
// on the machine's speed whether there was an earlier drawing.
func (t *Tab) first(ctx context.Context) error {
	if !controlled(t.opts.Info) {
		return nil
	}
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	var err error
	if t.buffer == nil {
		_, err = t.picture(bound, 0)
	} else {
		_, err = t.checked(bound, 0)
		t.buffer.current = nil // no frame yet
	}
	if err != nil {
		return t.failed(ctx, bound, "draw what the page shows first", err)
	}
	return nil
}

// enter opens the page and passes its time until it is ready.
func (t *Tab) enter(ctx context.Context) (*status, error) {
	nav, err := cdp.Call(ctx, t.proc.session, page.Navigate, page.NavigateParams{URL: origin + "/index.html?export"})
	if err == nil && nav.ErrorText != "" {
		err = errors.New(nav.ErrorText)
	}
	if err != nil {
		return &status{}, err
	}
	return t.pump(ctx)
}

// notLoaded says why the page did not load. St is the last status the page gave.
func (t *Tab) notLoaded(ctx, bound context.Context, st *status, err error) error {
	const op = "load the page"
	if !t.late(ctx, bound) {
		return t.explain(ctx, op, err)
	}
	limit := 2 * t.opts.ReadyTimeout
	stuck := t.stuck(bound, limit)
	if stuck == nil && errors.Is(err, errDrawing) {
		stuck = newStalled(bound, "its graphics process", limit)
	}
	if stuck != nil {
		return t.explain(ctx, op, stuck)
	}
	return t.notReady(st, fmt.Sprintf("the page was not ready within %s", limit))
}

// late reports whether a call ran out of its own bound. Otherwise the caller, the browser
// or the page ended the call.
func (t *Tab) late(ctx, bound context.Context) bool {
	return ctx.Err() == nil && (errors.Is(bound.Err(), context.DeadlineExceeded) || errors.Is(context.Cause(bound), errHung)) && t.shown.Err() == nil && !t.proc.lost()
}

// Why the wait for a page ends before the page is ready.
var (
	errGivenUp = errors.New("given up")
	errUnready = errors.New("not ready in time")
	errDrawing = errors.New("a frame is still being drawn")
)

// pump passes virtual time until the page is ready, and returns the last status of the
// page. Time passes only while nothing is loading, so that the page's time does not
// depend on how fast files arrive.
func (t *Tab) pump(ctx context.Context) (*status, error) {
	last := &status{}
	var idle time.Duration
	waits := !t.opts.Page.Plays || t.opts.Page.Signals // time passes before the page is ready
	rested := 0                                        // turns without any loading
	due := time.NewTimer(t.opts.ReadyTimeout)
	defer due.Stop()
	for turn, late, threw := 0, false, 0; ; turn++ {
		select {
		case <-due.C:
			late = true
		default:
		}
		if late && turn >= leastTurns {
			return last, errUnready
		}
		if err := t.gone(); err != nil {
			return last, err
		}
		open, _ := t.diary.inFlight()
		raw, err := t.evaluate(ctx, fmt.Sprintf("window.__koda ? __koda.tick(%t) : ''", open == 0 && waits))
		if err != nil && (ctx.Err() != nil || t.proc.lost()) {
			return last, err // otherwise the document is being replaced
		}
		if raw != "" {
			st := new(status)
			if err := json.Unmarshal([]byte(raw), st); err != nil {
				return last, fmt.Errorf("read page status: %w", err)
			}
			last = st
			if rested++; !st.Loaded || open > 0 || len(st.Missing) > 0 {
				rested = 0
			}
			if st.Ready && rested > 0 || !waits && rested >= restTurns {
				return st, nil
			}
		}
		if err := t.draw(ctx); err != nil {
			return last, errors.Join(errDrawing, err)
		}
		wait := time.Millisecond
		before := threw
		threw = t.diary.exceptionsSoFar()
		if last.Loaded && open == 0 && last.Timers+len(last.Missing) == 0 && (last.Frames == 0 || threw > before) {
			wait = 5 * time.Millisecond // nothing is going on
			if idle += wait; idle > idleAfterMistake && t.diary.mistaken() && !last.Ready {
				return last, errGivenUp
			}
		} else {
			idle = 0
		}
		if err := pause(ctx, wait); err != nil {
			return last, err
		}
	}
}

// notReady says why a page did not become ready.
func (t *Tab) notReady(st *status, op string) error {
	causes := t.diary.causes()
	if st.Fatal != "" {
		causes = append([]string{st.Fatal}, causes...)
	}
	for _, m := range st.Missing {
		causes = append(causes, "waiting for the "+shortMissing(m))
	}
	e := &koda.Error{Code: koda.CodePageFailed, Op: op}
	switch {
	case len(causes) > 0:
		e.Err = errors.New(causes[0])
		e.Details = strings.Join(causes[1:], "\n")
		e.Hint = "open the page with ?export in a browser and look at its console; files it needs belong into the project"
	case st.Ready:
		e.Err = errors.New("it did not finish loading")
	default:
		e.Err = errors.New("it never set window.__exportReady = true")
		e.Hint = "set window.__exportReady = true once fonts, textures and code are in"
		if st.Timers+st.Frames > 0 {
			e.Details = fmt.Sprintf("it kept %d timers and %d animation frame callbacks going", st.Timers, st.Frames)
		}
	}
	return e
}

func shortMissing(m string) string {
	kind, what, _ := strings.Cut(m, " ")
	if kind == "font" {
		return m
	}
	return kind + " " + shortURL(what)
}

// gone is the error of a tab whose document is gone; nil while the document is there.
func (t *Tab) gone() error {
	crashed, left := t.diary.fate()
	switch {
	case crashed:
		return t.proc.crash()
	case left != "":
		return &koda.Error{
			Code: koda.CodePageFailed, Op: "the page navigated away to " + clip(left),
			Hint: "an animation stays on its page: remove what sets location or reloads",
		}
	}
	return nil
}

// explain turns the failure of a call into an error of the page or the browser.
func (t *Tab) explain(ctx context.Context, op string, err error) error {
	var known *koda.Error
	var page *thrown
	var busy *unanswered
	var waited *stalled
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled):
		return fmt.Errorf("%s: %w", op, ctx.Err())
	case t.proc.overdrawn() != nil:
		return t.proc.overdrawn()
	case errors.As(err, &known):
		return err
	case t.life.Err() != nil:
		return &koda.Error{Code: koda.CodeCaptureFailed, Op: op, Err: errors.New("the tab is closed")}
	case t.proc.lost():
		return t.died(op)
	}
	if gone := t.gone(); gone != nil {
		return gone
	}
	e := &koda.Error{Code: koda.CodePageFailed, Op: op, Err: err, Details: strings.Join(t.diary.causes(), "\n")}
	switch {
	case errors.As(err, &page), errors.As(err, &busy):
		e.Hint = "open the page with ?export in a browser, call window.__exportSeekTo(seconds) and look at its console"
	case errors.As(err, &waited) && !waited.hung:
		e.Hint = "the page may be too heavy for this machine: try fewer effects"
	case errors.As(err, &waited):
		e.Code, e.Hint = koda.CodeCaptureFailed, "run it again; if it happens again, koda doctor checks the browser"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		e.Code, e.Err = koda.CodeCaptureFailed, errors.New("the browser did not answer in time")
		e.Hint = "the page may be too heavy for this machine: try fewer effects"
	default:
		e.Code, e.Hint = koda.CodeCaptureFailed, "run it again; if it happens again, open the page with ?export in a browser and look at its console"
	}
	return e
}

// died says how the browser ended. The pipe ends a moment before the process does.
func (t *Tab) died(op string) error {
	ended := make(chan error, 1)
	go func() { ended <- t.proc.child.Wait() }()
	timer := time.NewTimer(2 * time.Second)
	defer timer.Stop()
	e := &koda.Error{Code: koda.CodeCaptureFailed, Op: op, Hint: "run it again; if it happens again, koda doctor checks the browser"}
	select {
	case err := <-ended:
		e.Err = errors.New("the browser ended")
		if err != nil {
			e.Err = fmt.Errorf("the browser crashed: %w", err)
		}
	case <-timer.C:
		e.Err = errors.New("the browser hung up")
	}
	e.Details = t.proc.complaints()
	return e
}
