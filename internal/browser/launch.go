package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// launchTimeout bounds the start of a browser. On a busy machine, the first start takes
// seconds.
const launchTimeout = 30 * time.Second

// process is a running browser with one tab and the pipe to it.
type process struct {
	host    sandbox.Host
	dir     string // profile, removed by close
	child   sandbox.Process
	wire    *wire
	session *chromedp.Browser // speaks to the tab once it is attached
	cancel  context.CancelFunc
	build   string
	tab     target.ID    // also the id of the tab's main frame
	spent   atomic.Int64 // the limit of memory for which the browser was ended
	waits   atomic.Pointer[call]
	watched sync.WaitGroup // waits for watch
}

// launch starts a browser and attaches its tab. The browser lives until close, even if
// ctx ends.
func launch(ctx context.Context, o *Options, event func(method string, params []byte)) (*process, error) {
	ctx, stop := context.WithTimeout(ctx, launchTimeout)
	defer stop()
	dir, err := o.Host.MkdirTemp("browser")
	if err != nil {
		return nil, fmt.Errorf("launch browser: %w", err)
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p := &process{host: o.Host, dir: dir, cancel: cancel}
	p.child, err = o.Host.Start(life, sandbox.Program{
		Path: o.Info.Browser, Args: flags(o, dir), Env: environ(o), Dir: dir, Pipe: true,
	})
	if err != nil {
		cancel()
		if ctx.Err() == nil {
			err = &koda.Error{
				Code: koda.CodeMissingTool, Op: "start the browser", Err: err,
				Hint: "install another chromium-headless-shell and set KODA_CHROME to it, or leave that unset to search for one",
			}
		}
		return nil, errors.Join(err, o.Host.RemoveAll(dir))
	}
	p.watched.Go(func() { p.watch(life, o) })
	p.wire = newWire(p.child.Stdout(), p.child.Stdin(), event)
	quiet := func(string, ...any) {} // important messages come back as errors of calls
	p.session, err = chromedp.NewBrowserTransport(life, p.wire,
		chromedp.WithBrowserLogf(quiet), chromedp.WithBrowserErrorf(quiet))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("launch browser: %w", err), p.close())
	}
	if err := p.attach(ctx); err != nil {
		return nil, errors.Join(p.startError(ctx, err), p.close())
	}
	return p, nil
}

// attach makes the tab that the browser opened the session's tab.
func (p *process) attach(ctx context.Context) error {
	version, err := cdp.Call(ctx, p.session, browser.GetVersion, cdp.Empty{})
	if err != nil {
		return err
	}
	p.build = version.Product
	if p.tab, err = p.firstTab(ctx); err != nil {
		return err
	}
	flat := true
	attached, err := cdp.Call(ctx, p.session, target.AttachToTarget, target.AttachToTargetParams{TargetID: p.tab, Flatten: &flat})
	if err != nil {
		return err
	}
	p.wire.session.Store(&attached.SessionID)
	return nil
}

func (p *process) firstTab(ctx context.Context) (target.ID, error) {
	for {
		list, err := cdp.Call(ctx, p.session, target.GetTargets, target.GetTargetsParams{})
		if err != nil {
			return "", err
		}
		for _, t := range list.TargetInfos {
			if t.Type == "page" {
				return t.TargetID, nil
			}
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return "", err
		}
	}
}

// startError explains why a browser did not start.
func (p *process) startError(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	e := &koda.Error{Code: koda.CodeCaptureFailed, Op: "start the browser", Err: err}
	if ctx.Err() != nil {
		e.Err = fmt.Errorf("it did not answer within %v", launchTimeout)
	}
	if p.lost() {
		e.Err = p.child.Wait()
		if e.Err == nil {
			e.Err = errors.New("it ended at once")
		}
	}
	e.Details = p.complaints()
	switch {
	case strings.Contains(e.Details, "No usable sandbox"):
		return &koda.Error{Code: koda.CodeMissingTool, Op: noWall, Err: ErrSandbox, Hint: unlock(p.host), Details: e.Details}
	case strings.Contains(e.Details, "error while loading shared libraries"):
		e.Code, e.Hint = koda.CodeMissingTool, "install the libraries the browser needs: apt install chromium-headless-shell brings them"
	default:
		e.Hint = "run koda doctor, or set KODA_CHROME to another chromium-headless-shell"
	}
	return e
}

// lost reports whether the browser hung up.
func (p *process) lost() bool {
	select {
	case <-p.session.LostConnection:
		return true
	default:
		return false
	}
}

// close ends the browser and returns when all its processes are gone. The processes share
// one standard error, and Kill returns when that stream has ended.
func (p *process) close() error {
	p.cancel()
	p.child.Kill()
	p.watched.Wait()
	_ = p.wire.Close() //nolint:errcheck // both ends are dead
	if err := p.host.RemoveAll(p.dir); err != nil {
		return fmt.Errorf("remove browser profile: %w", err)
	}
	return nil
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
