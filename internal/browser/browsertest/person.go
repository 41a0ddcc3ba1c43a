// Package browsertest plays a person with a browser: a real Chromium with none of the
// walls that koda draws behind. Tests open koda's own pages in it, press keys and look.
package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// binary is the browser; Debian's launch script would outlive its kill.
const binary = "/usr/lib/chromium/chromium-headless-shell"

// patience bounds what a test waits for: a final video, drawn on a machine that runs all tests,
// takes more than half a minute.
const patience = 3 * time.Minute

// Person is somebody with a browser with one tab.
type Person struct {
	tb  testing.TB
	ctx context.Context //nolint:containedctx // the tab
}

// Open starts a browser whose window has that size. It ends with the test. The test says
// by internal/needs that it needs Chromium.
func Open(tb testing.TB, width, height int) *Person {
	tb.Helper()
	program := binary
	if _, err := os.Stat(program); err != nil {
		program = "chromium-headless-shell"
	}
	flags := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.DisableGPU,
		chromedp.WindowSize(width, height), chromedp.UserDataDir(tb.TempDir()),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("mute-audio", true), chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("font-render-hinting", "none"), chromedp.Flag("disable-lcd-text", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.Flag("disable-popup-blocking", true),
	}
	if os.Geteuid() == 0 {
		flags = append(flags, chromedp.NoSandbox)
	}
	quiet := func(string, ...any) {}
	allocated, end := chromedp.NewExecAllocator(context.Background(), flags...)
	ctx, cancel := chromedp.NewContext(allocated, chromedp.WithLogf(quiet), chromedp.WithErrorf(quiet))
	p := &Person{tb: tb, ctx: ctx}
	tb.Cleanup(func() {
		cancel()
		end()
	})
	p.do(chromedp.EmulateViewport(int64(width), int64(height)))
	return p
}

func run[T any](p *Person, what string, a chromedp.Action[T]) T {
	p.tb.Helper()
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := chromedp.Run(p.ctx, a)
		done <- answer{value, err}
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case got := <-done:
		if got.err != nil {
			p.tb.Fatalf("%s: %v", what, got.err)
		}
		return got.value
	case <-late.C:
		p.tb.Fatalf("%s: the browser does not answer", what)
	}
	panic("not reached")
}

func (p *Person) do(a chromedp.Action[chromedp.Void]) {
	p.tb.Helper()
	run(p, "drive the browser", a)
}

// Visit opens an address. It does not wait until everything there is loaded.
func (p *Person) Visit(url string) {
	p.tb.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.Navigate, page.NavigateParams{URL: url})
		return err
	}))
}

// Resize gives the window another size.
func (p *Person) Resize(width, height int) {
	p.tb.Helper()
	p.do(chromedp.EmulateViewport(int64(width), int64(height)))
}

// Dark says whether the person likes dark pages.
func (p *Person) Dark(dark bool) {
	p.tb.Helper()
	value := "light"
	if dark {
		value = "dark"
	}
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}},
		})
		return err
	}))
}

// Ask returns what an expression of JavaScript gives in the page, as JSON reads it into T.
func Ask[T any](p *Person, script string) T {
	p.tb.Helper()
	text := run(p, script, chromedp.Evaluate[string]("(async () => JSON.stringify(await ("+script+")) ?? 'null')()", chromedp.EvalAwaitPromise))
	var value T
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		p.tb.Fatalf("%s: %s: %v", script, text, err)
	}
	return value
}

// Rest lets the page run on for a while.
func (p *Person) Rest(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	<-timer.C
}

// Maybe is Ask for a page that may go away meanwhile; then it is the zero value.
func Maybe[T any](p *Person, script string) (value T) {
	text, err := chromedp.Run(p.ctx, chromedp.Evaluate[string]("JSON.stringify("+script+") ?? 'null'"))
	if err == nil {
		_ = json.Unmarshal([]byte(text), &value) //nolint:errcheck // as above
	}
	return value
}

// Until waits until an expression holds in the page, also if the page goes away meanwhile
// and another one comes.
func (p *Person) Until(what, condition string) {
	p.tb.Helper()
	script := `(async () => {
		const end = Date.now() + ` + strconv.FormatInt((patience-20*time.Second).Milliseconds(), 10) + `
		while (Date.now() < end) {
			try { if (` + condition + `) return true } catch {} // what is asked for is not there yet
			await new Promise((resolve) => setTimeout(resolve, 15))
		}
		return false
	})()`
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for {
		there, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise))
		if err == nil && there {
			return
		}
		if err == nil || ctx.Err() != nil {
			p.tb.Fatalf("never: %s: %v\nthe page says:\n%s", what, err, Maybe[string](p, "document.body?.innerText"))
		}
		p.Rest(10 * time.Millisecond) // another page comes
	}
}

// Press presses keys.
func (p *Person) Press(keys string) {
	p.tb.Helper()
	p.do(chromedp.KeyEvent(keys))
}

// PNG is a picture of the window.
func (p *Person) PNG() []byte {
	p.tb.Helper()
	return run(p, "take a picture", chromedp.CaptureScreenshot())
}

// Look is a picture of a part of the window.
func (p *Person) Look(x, y, width, height int) image.Image {
	p.tb.Helper()
	whole, err := png.Decode(bytes.NewReader(p.PNG()))
	if err != nil {
		p.tb.Fatal(err)
	}
	part, ok := whole.(interface {
		SubImage(image.Rectangle) image.Image
	})
	if !ok {
		p.tb.Fatalf("a picture of type %T", whole)
	}
	return part.SubImage(image.Rect(x, y, x+width, y+height))
}

// others are the tabs and windows besides the person's own.
func (p *Person) others() []target.ID {
	p.tb.Helper()
	var ids []target.ID
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		list, err := cdp.Call(ctx, t, target.GetTargets, target.GetTargetsParams{})
		if err != nil {
			return err
		}
		for _, one := range list.TargetInfos {
			if one.Type == "page" && !one.Attached {
				ids = append(ids, one.TargetID)
			}
		}
		return nil
	}))
	return ids
}

// Tabs is how many tabs and windows there are.
func (p *Person) Tabs() int {
	p.tb.Helper()
	return 1 + len(p.others())
}

// CloseOthers closes all tabs but the person's own.
func (p *Person) CloseOthers() {
	p.tb.Helper()
	for _, id := range p.others() {
		tab, closeIt := chromedp.NewContext(p.ctx, chromedp.WithTargetID(id))
		_, _ = chromedp.Run(tab, chromedp.Evaluate[bool]("true")) //nolint:errcheck // it may be gone
		closeIt()
	}
}
