package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"

	"github.com/koda-video/koda/internal/koda"
)

// stalled is a call that was given up because a part of the browser did not answer. A
// browser that hung may not hang again; a browser that was at work would be at the same
// work again.
type stalled struct {
	part  string
	hung  bool
	after time.Duration
}

// newStalled describes a call that a bound or a limit of time ended.
func newStalled(bound context.Context, part string, limit time.Duration) *stalled {
	if errors.Is(context.Cause(bound), errHung) {
		return &stalled{part, true, shifts * shift * glance}
	}
	return &stalled{part, false, limit}
}

func (s *stalled) Error() string {
	if s.hung {
		return fmt.Sprintf("the browser does not answer and did nothing for %v: it waited for %s", s.after, s.part)
	}
	return fmt.Sprintf("the browser did not answer within %v, though it was at work: it waited for %s", s.after, s.part)
}

// unanswered is a call from which the page's own code did not return.
type unanswered struct{ text string }

func (e *unanswered) Error() string { return e.text }

// asked is how long a part of the browser has to answer a question that needs no work.
const asked = time.Second

// stuck finds out what a call that ran out of time waited for: *unanswered is the page's
// own code, *stalled is a process of the browser. If page and browser both answer, the
// result is nil.
func (t *Tab) stuck(bound context.Context, limit time.Duration) error {
	ctx, done := context.WithTimeout(t.life, asked)
	_, err := t.evaluate(ctx, "''")
	done()
	if err == nil || t.life.Err() != nil {
		return nil
	}
	if where := t.blocked(); where != "" {
		return &unanswered{"its code does not return: " + where}
	}
	ctx, done = context.WithTimeout(t.life, asked)
	defer done()
	if _, err := cdp.Call(ctx, t.proc.session, browser.GetVersion, cdp.Empty{}); err != nil {
		return newStalled(bound, "its main process", limit)
	}
	if t.opts.Page.WebGL {
		return newStalled(bound, "the page's process, which may wait for the graphics process", limit)
	}
	return newStalled(bound, "the page's process", limit)
}

// failed is explain for a call about a frame, bounded by frameBound.
func (t *Tab) failed(ctx, bound context.Context, op string, err error) error {
	if !t.late(ctx, bound) {
		return t.explain(ctx, op, err)
	}
	if t.mute == nil {
		if t.mute = t.stuck(bound, t.opts.FrameTimeout); t.mute == nil {
			t.mute = newStalled(bound, "its graphics process", t.opts.FrameTimeout)
		}
	}
	return t.explain(ctx, op, t.mute)
}

// blocked finds where the code of a page that does not answer runs; "" if no code of the
// page runs.
func (t *Tab) blocked() string {
	ctx, cancel := context.WithTimeout(t.life, 2*time.Second)
	defer cancel()
	paused := t.diary.awaitPause()
	if _, err := cdp.Call(ctx, t.proc.session, debugger.Pause, cdp.Empty{}); err != nil {
		return ""
	}
	select {
	case raw := <-paused:
		var e struct {
			Frames []struct {
				Function string `json:"functionName"`
				Location struct {
					Script string `json:"scriptId"`
					Line   int    `json:"lineNumber"`
					Column int    `json:"columnNumber"`
				} `json:"location"`
			} `json:"callFrames"`
		}
		if json.Unmarshal(raw, &e) != nil || len(e.Frames) == 0 {
			return ""
		}
		for _, f := range e.Frames {
			url := t.diary.script(f.Location.Script)
			if url != "" && url != clockURL {
				return callFrame{f.Function, url, f.Location.Line, f.Location.Column}.in(t.opts.Page)
			}
		}
	case <-ctx.Done():
	}
	return ""
}

// crash says how the page's process ended.
func (p *process) crash() error {
	e := &koda.Error{
		Code: koda.CodeCaptureFailed, Op: "the browser's page process crashed", Details: p.complaints(),
		Hint: "it may have run out of memory: close other programs",
	}
	if strings.Contains(e.Details, "V8 javascript OOM") || strings.Contains(e.Details, "Out of memory") {
		e.Code, e.Err, e.Lasting = koda.CodeOutOfMemory, errors.New("the page took more memory than there is for one"), true
		e.Hint = "make the page keep less: what it makes for a frame it must not hold on to"
	}
	return e
}

// graphicsLost says why something that the graphics process held is gone.
func (p *process) graphicsLost(what string) error {
	e := &koda.Error{
		Code: koda.CodeCaptureFailed, Op: what, Err: errors.New("the graphics process may have crashed or run out of memory"),
		Details: p.complaints(), Hint: "run it again",
	}
	if strings.Contains(e.Details, "GPU process exited") {
		e.Err = errors.New("the browser's graphics process ended")
	}
	return e
}

// chatter marks lines of the browser's standard error that explain nothing: messages
// about missing parts of a desktop, and what the page logged.
var chatter = []string{
	":dbus/", "/dbus/", "media/gpu/vaapi", "viz/service/display/display.cc", "called with multiple threads", "GL Driver Message",
	"renderergl_utils.cpp", "INFO:CONSOLE", "crashpad/util/file", "Last few GCs", "Mark-Compact", "Scavenge", "JS stacktrace",
}

// logPrefix matches the part of a line that says when and where in Chromium it was
// written.
var logPrefix = regexp.MustCompile(`^\[[^\]]*\] *`)

// complaints is the end of the browser's standard error without its chatter.
func (p *process) complaints() string {
	var kept []string
lines:
	for line := range strings.Lines(p.child.StderrTail()) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		for _, c := range chatter {
			if strings.Contains(line, c) {
				continue lines
			}
		}
		kept = append(kept, logPrefix.ReplaceAllString(line, ""))
	}
	return strings.Join(kept, "\n")
}
