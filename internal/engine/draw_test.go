package engine_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/render"
	"github.com/koda-video/koda/internal/sandbox/hostos"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/templates"
)

// chromium finds out once how frames are captured here.
var chromium = sync.OnceValues(func() (koda.CaptureInfo, error) {
	return browser.Probe(context.Background(), hostos.New(""), browser.Wanted{})
})

// drawing is the real renderer; it counts the calls.
type drawing struct {
	engine.Renderer
	mu            sync.Mutex
	stills, drawn int
}

func (d *drawing) Still(ctx context.Context, files fs.FS, at float64, w, h int) (koda.Picture, error) {
	d.mu.Lock()
	d.stills++
	d.mu.Unlock()
	return d.Renderer.Still(ctx, files, at, w, h)
}

func (d *drawing) Render(ctx context.Context, files fs.FS, spec koda.RenderSpec, report func(koda.Progress)) (koda.RenderResult, error) {
	d.mu.Lock()
	d.drawn++
	d.mu.Unlock()
	return d.Renderer.Render(ctx, files, spec, report)
}

// newDrawingBench is a bench with the real starter, browser and encoder.
func newDrawingBench(t *testing.T) (*bench, *drawing) {
	t.Helper()
	needs.Chromium(t)
	needs.FFmpeg(t)
	b, _ := newSandboxBench(t)
	host := hostos.New(filepath.Join(b.home, "tmp"))
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	encoder := ffmpeg.New(host, "")
	d := &drawing{Renderer: render.New(render.Config{
		Build: bundle.New(bundle.Config{CacheDir: filepath.Join(dir, "koda-test")}).BuildWith,
		Drawer: draw.New(draw.Config{
			Probe: func(context.Context) (koda.CaptureInfo, error) { return chromium() },
			Open:  draw.Chromium{Host: host, FFmpeg: encoder}.Open, Fonts: draw.LocalFonts, FFmpeg: encoder, Now: time.Now,
		}),
		Host: host, CacheDir: filepath.Join(b.home, "cache"), Now: time.Now,
	})}
	tweak := b.tweak
	b.tweak = func(cfg *engine.Config) {
		tweak(cfg)
		cfg.Renderer, cfg.Starter, cfg.Reserved = d, templates.Starter(), templates.Protected()
	}
	b.open()
	return b, d
}

// TestTools_draw: an author sees pictures of its page and its videos, drawn by the
// real renderer from checkpointed files. An answered call is not drawn again, and a
// page that cannot be drawn fails with a code of its own.
func TestTools_draw(t *testing.T) {
	t.Parallel()
	b, d := newDrawingBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	dir := filepath.Join(b.parent, "bouncing-ball")
	var answers []string
	b.author.work = func(callCtx context.Context, task koda.Task, box tool.Desk) error {
		if task.Kind != koda.TaskSetup {
			return nil
		}
		answers = nil
		if err := tool.WriteFile(callCtx, box, "src/App.tsx", "export default () => <div style={{position: 'fixed', inset: 0, background: '#ff0000'}} />\n"); err != nil {
			return err
		}
		url, err := tool.Screenshot(callCtx, box, 1, 320, 320)
		if err != nil {
			return err
		}
		if got, err := os.ReadFile(filepath.Join(dir, "src", "App.tsx")); err != nil || !strings.Contains(string(got), "#ff0000") {
			t.Errorf("drawn before the files were checkpointed: %s, %v", got, err)
		}
		video, err := tool.Invoke[tool.RenderPreviewOutput](callCtx, box, tool.NameRenderPreview, tool.RenderPreviewInput{Duration: 1})
		if err != nil {
			return err
		}
		answers = append(answers, url, fmt.Sprint(video))
		if ctx.Err() == nil { // killed, and done again
			cancel()
			return ctx.Err()
		}
		if d.stills != 1 || d.drawn != 1 {
			t.Errorf("drawn again: %d pictures and %d videos", d.stills, d.drawn)
		}
		checkPicture(t, url)
		if video.Duration != 1 || b.read(video.VideoURL) == "" || b.read(video.ThumbnailURL) == "" {
			t.Errorf("the preview is %+v", video)
		}
		final, err := tool.Invoke[tool.RenderFinalOutput](callCtx, box, tool.NameRenderFinal, tool.RenderFinalInput{Duration: 0.5, Resolution: "720p", FPS: 30, Format: "webm"})
		if info, serr := os.Stat(final.VideoURL); err != nil || serr != nil || info.Size() != final.FileSizeBytes || filepath.Ext(final.VideoURL) != ".webm" {
			t.Errorf("the final video is %+v, %v, %v", final, err, serr)
		}
		drawFaults(callCtx, t, box, dir)
		return tool.WriteFile(callCtx, box, "src/App.tsx", "export default () => <div style={{position: 'fixed', inset: 0, background: '#00ff00'}} />\n")
	}
	out, err := b.engine.New(ctx, b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeInterrupted {
		t.Fatal(err)
	}
	first := answers
	if d.stills != 1 || d.drawn != 1 {
		t.Fatalf("%d pictures and %d videos were drawn", d.stills, d.drawn)
	}
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if strings.Join(first, " ") != strings.Join(answers, " ") || out.Saved.Calls < 3 {
		t.Errorf("answered again with %.80q, before %.80q; %d calls were spared", answers, first, out.Saved.Calls)
	}
	if out.State.Phase != koda.PhaseComplete {
		t.Errorf("phase %s", out.State.Phase)
	}
	view, err := b.engine.Show(t.Context(), out.Project.ID)
	if err != nil {
		t.Fatal(err)
	}
	drafts := 0
	for _, rec := range view.Renders {
		if rec.Version == 0 && strings.Contains(rec.Spec.Output, "-draft-") && rec.Status == "done" {
			drafts++
		}
	}
	if drafts != 2 {
		t.Errorf("%d drafts are listed", drafts)
	}
}

// checkPicture checks that a picture shows a red page of 16:9, as large as pictures
// may be.
func checkPicture(t *testing.T, url string) {
	t.Helper()
	data, ok := strings.CutPrefix(url, "data:image/png;base64,")
	raw, err := base64.StdEncoding.DecodeString(data)
	if !ok || err != nil {
		t.Errorf("the picture is %.40q, %v", url, err)
		return
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil || img.Bounds().Dx() != 320 || img.Bounds().Dy() != 180 {
		t.Errorf("the picture is %v, %v", img.Bounds(), err)
		return
	}
	if r, g, bl, _ := img.At(160, 90).RGBA(); r>>8 != 255 || g != 0 || bl != 0 {
		t.Errorf("its middle is %v", img.At(160, 90))
	}
}

// drawFaults asks for pictures and videos that cannot be drawn.
func drawFaults(ctx context.Context, t *testing.T, box tool.Toolbox, dir string) {
	t.Helper()
	shot := func(input string, want koda.Code) {
		t.Helper()
		if _, err := box.Call(ctx, tool.NameSandboxScreenshot, []byte(input)); koda.CodeOf(err) != want {
			t.Errorf("screenshot %s: %v, want %s", input, err, want)
		}
	}
	shot(`{"seek_to":4.5}`, koda.CodeInvalidInput) // the animation has 4 s
	shot(`{"seek_to":-1}`, koda.CodeInvalidInput)
	shot(`{"width":1}`, koda.CodeInvalidInput)
	if _, err := box.Call(ctx, tool.NameRenderPreview, []byte(`{"duration":5}`)); koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), "koda.json says 4") {
		t.Errorf("a preview beyond the end of the animation: %v", err)
	}
	write := func(text string) {
		t.Helper()
		if err := tool.WriteFile(ctx, box, "src/App.tsx", text); err != nil {
			t.Fatal(err)
		}
	}
	write("export default () => <div")
	shot(`{}`, koda.CodeBuildFailed)
	if _, err := box.Call(ctx, tool.NameRenderPreview, []byte(`{"duration":1}`)); koda.CodeOf(err) != koda.CodeBuildFailed {
		t.Errorf("a preview of code that does not build: %v", err)
	}
	write("export default () => { throw new Error('no sheet') }\n")
	shot(`{}`, koda.CodePageFailed)
	write("Object.defineProperty(window, '__exportSeekTo', {get: () => () => new Promise(() => {}), set() {}})\nexport default () => <div />\n")
	shot(`{}`, koda.CodeSeekFailed)
	// A directory that cannot be made.
	previews := filepath.Join(dir, "previews")
	if err := os.Rename(previews, previews+"-kept"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(previews, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := box.Call(ctx, tool.NameRenderPreview, []byte(`{"duration":1}`)); koda.CodeOf(err) != koda.CodeStorageFailed {
		t.Errorf("without a place for the preview: %v", err)
	}
	if err := os.Remove(previews); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(previews+"-kept", previews); err != nil {
		t.Fatal(err)
	}
}
