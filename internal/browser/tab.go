package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/koda-video/koda/internal/koda"
)

// Tab is one page in one browser process of its own. One goroutine at a time calls its
// methods; only Close may be called from another.
type Tab struct {
	opts    Options
	proc    *process
	diary   *diary
	films   *films
	life    context.Context // ends with Close
	end     context.CancelFunc
	shown   context.Context // ends when the loaded document is gone
	answers sync.WaitGroup  // requests and dialogs being answered

	ticks   float64  // the compositor's clock at the last drawing, in ms
	images  pictures // animated images
	follows bool     // the page may change after it was drawn
	stale   bool     // the screen changed since the last drawing of a frame
	mute    error    // why a call about a frame was given up
	// nameless: the promise of a key did not settle, and koda asks for no other key.
	nameless bool
	begun    bool         // a frame was captured
	zero     float64      // the compositor's clock at time 0, in ms
	stepped  int          // a page that plays has passed the time until this frame; -1 before the first
	framed   int          // the last frame that a page that plays had from the compositor
	sought   int          // the frame the page shows; -1 before the first frame and after a failure
	told     int          // the frame that the page was last told to show
	pictures int          // how many pictures differed from the picture before
	last     []byte       // the picture captured last
	still    bool         // the last picture was equal to the picture before
	kept     bool         // the last picture shows the frame sought
	pace     pace         // of a page that asks for animation frames
	buffer   *framebuffer // where raw pixels are read; nil if pictures are screenshots

	closing sync.Once
	closed  error
}

// Open starts a browser, loads the page and waits until the page is ready. The
// caller must Close the tab. The error PAGE_FAILED says what the page did wrong.
func Open(ctx context.Context, opts Options) (*Tab, error) {
	t, err := newTab(ctx, opts)
	if err != nil {
		return nil, err
	}
	if err := t.load(ctx); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// newTab launches the browser and prepares the tab for a page.
func newTab(ctx context.Context, opts Options) (*Tab, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	t := &Tab{
		opts: opts, zero: ticksAtZero, stepped: -1, framed: -1, sought: -1, pace: newPace(&opts),
		images: opts.pictures(),
	}
	t.life, t.end = context.WithCancel(context.WithoutCancel(ctx))
	shown, gone := context.WithCancel(t.life)
	t.shown, t.diary = shown, newDiary(opts.Page, opts.Log, gone)
	t.films = &films{open: opts.Film, life: t.life, all: map[string]*film{}}
	var err error
	if t.proc, err = launch(ctx, &t.opts, t.event); err != nil {
		t.end()
		return nil, err
	}
	bound, cancel := t.bound(ctx, launchTimeout)
	defer cancel()
	if err := t.prepare(bound); err != nil {
		return nil, errors.Join(t.explain(ctx, "prepare the browser", err), t.Close())
	}
	if opts.Viewport.Raw {
		if t.buffer, err = t.findFramebuffer(bound); err != nil {
			return nil, errors.Join(t.unread(err), t.Close())
		}
	}
	return t, nil
}

// event takes an event of the browser. An event that needs an answer gets the answer from
// another goroutine, because this goroutine reads the replies.
func (t *Tab) event(method string, params []byte) {
	answer := func(f func(context.Context, []byte)) {
		params := append([]byte(nil), params...)
		t.answers.Go(func() { f(t.life, params) })
	}
	switch method {
	case "Fetch.requestPaused":
		answer(t.serve)
	case "Page.javascriptDialogOpening":
		answer(func(ctx context.Context, params []byte) {
			t.diary.log("dialog dismissed: " + clip(string(params)))
			_, _ = cdp.Call(ctx, t.proc.session, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{}) //nolint:errcheck // it may be gone
		})
	case "Debugger.paused":
		if !t.diary.stopped(params) { // a debugger statement
			answer(func(ctx context.Context, _ []byte) {
				_, _ = cdp.Call(ctx, t.proc.session, debugger.Resume, debugger.ResumeParams{}) //nolint:errcheck // it may be gone
			})
		}
	default:
		t.diary.event(method, params)
	}
}

// bound limits a call to the page: by time, by the life of the document, and by whether
// the browser does any work.
func (t *Tab) bound(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	ctx, giveUp := context.WithCancelCause(ctx)
	stop := context.AfterFunc(t.shown, cancel)
	t.proc.waits.Store(&call{giveUp})
	return ctx, func() {
		t.proc.waits.Store(nil)
		stop()
		giveUp(nil)
		cancel()
	}
}

// frameBound is bound for a call about a frame. After such a call was given up, later
// calls get little time.
func (t *Tab) frameBound(ctx context.Context) (context.Context, context.CancelFunc) {
	if t.mute != nil {
		return t.bound(ctx, asked)
	}
	return t.bound(ctx, t.opts.FrameTimeout)
}

// command is a protocol command with its parameters, for commands whose result does not
// matter.
func command[P, R any](c cdp.Command[P, R], params P) func(context.Context, cdp.Session) error {
	return func(ctx context.Context, s cdp.Session) error {
		if _, err := cdp.Call(ctx, s, c, params); err != nil {
			return fmt.Errorf("%s: %w", c.Method, err)
		}
		return nil
	}
}

// setBackground is Emulation.setDefaultBackgroundColorOverride with a fully transparent
// colour. cdp.RGBA cannot say this: it leaves out an alpha of 0, and a missing alpha
// means 1.
var setBackground = cdp.Command[clear, cdp.Empty]{Method: emulation.CommandSetDefaultBackgroundColorOverride}

type clear struct{}

// MarshalJSON implements json.Marshaler.
func (clear) MarshalJSON() ([]byte, error) {
	return []byte(`{"color":{"r":0,"g":0,"b":0,"a":0}}`), nil
}

// prepare sets up the tab: what the page may do, and what runs before the page.
func (t *Tab) prepare(ctx context.Context) error {
	source, err := clockFor(&t.opts)
	if err != nil {
		return err
	}
	zero := int64(0)
	steps := []func(context.Context, cdp.Session) error{
		command(browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDeny}),
		command(page.Enable, page.EnableParams{}),
		command(runtime.Enable, cdp.Empty{}),
		command(log.Enable, cdp.Empty{}),
		command(inspector.Enable, cdp.Empty{}),
		command(debugger.Enable, debugger.EnableParams{}),
		command(network.Enable, network.EnableParams{MaxTotalBufferSize: &zero, MaxResourceBufferSize: &zero}),
		command(fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*"}}}),
		command(runtime.AddBinding, runtime.AddBindingParams{Name: tellName}),
		command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source}),
	}
	if !controlled(t.opts.Info) {
		steps = append(steps, command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: int64(t.opts.Viewport.Width), Height: int64(t.opts.Viewport.Height),
		}))
	}
	if t.opts.Transparent {
		steps = append(steps, command(setBackground, clear{}))
	}
	for _, step := range steps {
		if err := step(ctx, t.proc.session); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the browser, waits until its processes are gone and removes its
// files. A second Close returns what the first returned.
func (t *Tab) Close() error {
	t.closing.Do(func() {
		t.end()
		t.closed = t.proc.close()
		t.answers.Wait()
		t.closed = errors.Join(t.closed, t.films.close())
	})
	return t.closed
}

// evaluate runs an expression in the page and returns the string it gives. If the
// expression gives a promise, evaluate waits for it. If the expression throws, the error
// is a *thrown.
func (t *Tab) evaluate(ctx context.Context, expression string) (string, error) {
	yes := true
	res, err := cdp.Call(ctx, t.proc.session, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, AwaitPromise: &yes, ReturnByValue: &yes, GeneratePreview: &yes,
	})
	if err != nil {
		return "", err
	}
	if res.ExceptionDetails != nil {
		return "", newThrown(res.ExceptionDetails, t.opts.Page)
	}
	if res.Result == nil || res.Result.Type != runtime.RemoteObjectTypeString {
		return "", nil
	}
	var s string
	if err := json.Unmarshal(res.Result.Value, &s); err != nil {
		return "", fmt.Errorf("read result: %w", err)
	}
	return s, nil
}

// check refuses options that cannot work and fills in the defaults.
func (o *Options) check() error {
	v := o.Viewport
	bad := func(what string) error {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "open page", Err: errors.New(what)}
	}
	switch {
	case v.Width < 1 || v.Height < 1 || v.Width > 16384 || v.Height > 16384:
		return bad(fmt.Sprintf("a viewport of %d×%d pixels is not possible", v.Width, v.Height))
	case v.Scale < 0.5 || v.Scale > koda.MaxScale:
		return bad(fmt.Sprintf("a scale of %g is not possible", v.Scale))
	case v.FPS.Num < 1 || v.FPS.Den < 1:
		return bad("there is no frame rate")
	case o.Host == nil || o.Info.Browser == "":
		return bad("there is no browser")
	case v.Raw && (o.Transparent || !o.Info.Raw(o.Page, v)):
		return bad("frames of this kind cannot be had as raw pixels")
	case len(o.Page.Files["/index.html"].Body) == 0:
		return &koda.Error{Code: koda.CodePageFailed, Op: "the page has no index.html, or an empty one", Hint: "write a page into index.html"}
	}
	orElse := func(d *time.Duration, def time.Duration) {
		if *d <= 0 {
			*d = def
		}
	}
	orElse(&o.ReadyTimeout, 15*time.Second)
	orElse(&o.SettleTimeout, 5*time.Second)
	orElse(&o.FrameTimeout, 60*time.Second)
	return nil
}
