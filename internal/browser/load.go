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

// idleAfterMistake is how long a page that threw, or asked for a file it does
// not have, may do nothing at all before it is given up ahead of its time.
const idleAfterMistake = time.Second

// load opens the page and returns when it is ready.
func (t *Tab) load(ctx context.Context) error {
	bound, cancel := t.bound(ctx, t.opts.ReadyTimeout)
	defer cancel()
	nav, err := cdp.Call(bound, t.proc.session, page.Navigate, page.NavigateParams{URL: origin + "/index.html?export"})
	if err == nil && nav.ErrorText != "" {
		err = errors.New(nav.ErrorText)
	}
	if err != nil {
		return t.explain(ctx, "open the page", err)
	}
	st, err := t.pump(bound)
	if err != nil && t.late(ctx, bound) {
		if stuck := t.stuck(); stuck != nil {
			return t.explain(ctx, "load the page", stuck)
		}
	}
	switch {
	case err != nil && errors.Is(err, errGivenUp):
		return t.notReady(st, "the page stopped before it was ready")
	case err != nil && t.late(ctx, bound) && st != nil:
		return t.notReady(st, fmt.Sprintf("the page was not ready within %s", t.opts.ReadyTimeout))
	case err != nil:
		return t.explain(ctx, "load the page", err)
	case !st.Seekable:
		return &koda.Error{
			Code: koda.CodePageFailed, Op: "the page is ready but offers no window.__exportSeekTo",
			Hint: "set window.__exportSeekTo = (seconds) => {…} before window.__exportReady = true",
		}
	}
	if _, err := t.evaluate(bound, "__koda.start()"); err != nil {
		return t.explain(ctx, "start the page's time", err)
	}
	return nil
}

// late reports whether a bound ran out, rather than the caller's patience, the
// browser or the page.
func (t *Tab) late(ctx, bound context.Context) bool {
	return ctx.Err() == nil && errors.Is(bound.Err(), context.DeadlineExceeded) && t.shown.Err() == nil && !t.proc.lost()
}

var errGivenUp = errors.New("given up")

// pump passes virtual time until the page is ready. Time passes only while
// nothing is being loaded, so that the page's time does not depend on how fast
// files arrive. The status it returns is the last one known; nil when the page
// never answered.
func (t *Tab) pump(ctx context.Context) (*status, error) {
	var last *status
	var idle time.Duration
	for {
		if err := t.gone(); err != nil {
			return last, err
		}
		open, _ := t.diary.inFlight()
		raw, err := t.evaluate(ctx, fmt.Sprintf("window.__koda ? __koda.tick(%t) : ''", open == 0))
		if err != nil && (ctx.Err() != nil || t.proc.lost()) {
			return last, err // else the document is being replaced
		}
		if raw != "" {
			st := new(status)
			if err := json.Unmarshal([]byte(raw), st); err != nil {
				return last, fmt.Errorf("read page status: %w", err)
			}
			last = st
			if st.Ready && st.Loaded && open == 0 && len(st.Missing) == 0 {
				return st, nil
			}
		}
		if err := t.draw(ctx); err != nil {
			return last, err
		}
		wait := time.Millisecond
		if last != nil && last.Loaded && open == 0 && last.Timers+last.Frames+len(last.Missing) == 0 {
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

// gone says that the document koda loaded is no longer there.
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
	case errors.As(err, &waited), errors.Is(err, context.DeadlineExceeded):
		e.Code = koda.CodeTimeout
		if waited == nil {
			e.Err = errors.New("the browser did not answer in time")
		}
		e.Hint = "the page may be too heavy for this machine: try fewer effects"
	default:
		e.Code = koda.CodeCaptureFailed
	}
	return e
}

// died says how the browser ended. The end of its pipe comes a moment before
// the end of its process.
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
