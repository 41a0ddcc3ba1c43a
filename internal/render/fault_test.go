package render_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

var errCrash = &koda.Error{Code: koda.CodeCaptureFailed, Op: "capture frame", Err: errors.New("the browser crashed"), Hint: "try again"}

// When a browser fails, its segment is drawn again in a fresh browser from its
// first frame, twice at most. The bytes stay the same.
func TestRetry(t *testing.T) {
	t.Parallel()
	undisturbed := newWorld(t)
	s := spec(t)
	if _, err := undisturbed.renderer().Render(t.Context(), project(5), s, nil); err != nil {
		t.Fatal(err)
	}
	want := read(t, s.Output)
	stuck := &koda.Error{
		Code: koda.CodeTimeout, Op: "capture frame", Err: errors.New("the browser did not answer in time"),
		Details: "it still waits for the image /logo.png",
	}
	for name, c := range map[string]struct {
		fault func(w *world)
		fails int
		said  string
	}{
		"crash": {func(w *world) {
			w.captureFault = func(open, frame int) error { return once(open == 1 && frame%75 == 40, errCrash) }
		}, 1, "in a fresh browser: capture frame: the browser crashed"},
		"timeout": {func(w *world) {
			w.captureFault = func(open, frame int) error { return once(open == 2 && frame%75 == 0, stuck) }
		}, 1, "did not answer in time; it still waits for the image /logo.png"},
		"moved": {func(w *world) {
			moved := &koda.Error{Code: koda.CodeCaptureFailed, Op: "confirm the browser's frame buffer", Err: errors.New("a screenshot shows something else")}
			w.confirmFault = func(open int) error { return once(open == 1, moved) }
		}, 1, "a screenshot shows something else"},
		"start": {func(w *world) { w.openFault = func(open int) error { return once(open == 1, errCrash) } }, 1, "were drawn again"},
		"twice": {func(w *world) {
			left := 2
			w.captureFault = func(_, frame int) error {
				if frame == 90 {
					left--
				}
				return once(frame == 90 && left >= 0, errCrash)
			}
		}, 2, "frames 75-149 were drawn again"},
	} {
		w := newWorld(t)
		c.fault(w)
		s := spec(t)
		res, err := w.renderer().Render(t.Context(), project(5), s, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if w.opened != 2+c.fails || w.live != 0 || res.Captured != 150 || len(res.Retries) != c.fails {
			t.Errorf("%s: %d tabs opened, %d left, %d frames, retries %q", name, w.opened, w.live, res.Captured, res.Retries)
		}
		if !strings.Contains(strings.Join(res.Retries, "\n"), c.said) {
			t.Errorf("%s: retries %q do not say %q", name, res.Retries, c.said)
		}
		if !bytes.Equal(want, read(t, s.Output)) {
			t.Errorf("%s: other bytes", name)
		}
	}
}

func once(now bool, err error) error {
	if now {
		return err
	}
	return nil
}

func TestFaults(t *testing.T) {
	t.Parallel()
	page := &koda.Error{Code: koda.CodePageFailed, Op: "the page threw", Hint: "mend it"}
	memory := &koda.Error{Code: koda.CodeOutOfMemory, Op: "capture frame"}
	greedy := &koda.Error{Code: koda.CodeOutOfMemory, Op: "the page took more than 4 GB", Lasting: true}
	silent := &koda.Error{Code: koda.CodeSeekFailed, Op: "the animation does not respond", Hint: "mend it"}
	for name, c := range map[string]struct {
		break_ func(w *world)
		code   koda.Code
		want   string
		opened int // by one worker
	}{
		"browser crashes":     {func(w *world) { w.captureFault = func(_, frame int) error { return once(frame == 80, errCrash) } }, koda.CodeRenderFailed, "draw frames 75-149 in 3 browsers: capture frame: the browser crashed", 4},
		"out of memory":       {func(w *world) { w.captureFault = func(_, frame int) error { return once(frame == 80, memory) } }, koda.CodeOutOfMemory, "draw frames 75-149", 4},
		"page over its bound": {func(w *world) { w.captureFault = func(_, frame int) error { return once(frame == 80, greedy) } }, koda.CodeOutOfMemory, "more than 4 GB", 2},
		"unnamed": {func(w *world) {
			w.captureFault = func(_, frame int) error { return once(frame == 80, errors.New("odd")) }
		}, koda.CodeRenderFailed, "odd", 4},
		"page throws":           {func(w *world) { w.captureFault = func(_, frame int) error { return once(frame == 80, page) } }, koda.CodePageFailed, "the page threw", 2},
		"page does not respond": {func(w *world) { w.captureFault = func(_, frame int) error { return once(frame == 80, silent) } }, koda.CodeSeekFailed, "does not respond", 2},
		"page does not load":    {func(w *world) { w.openFault = func(int) error { return page } }, koda.CodePageFailed, "the page threw", 1},
		"no picture":            {func(w *world) { w.garbage = true }, koda.CodeRenderFailed, "capture frame 0: the browser gave no picture", 3},
		"no pixels":             {func(w *world) { w.info.Method, w.garbage = koda.MethodFramebuffer, true }, koda.CodeRenderFailed, "the picture has 10 bytes, not 12288", 3},
		"wrong size":            {func(w *world) { w.size = image.Pt(800, 600) }, koda.CodeRenderFailed, "800x600 pixels, not 64x48", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.break_(w)
			s := spec(t)
			s.Workers, s.Thumbnail = 1, filepath.Join(filepath.Dir(s.Output), "video.jpg")
			_, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if koda.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v (%s), want %q (%s)", err, koda.CodeOf(err), c.want, c.code)
			}
			if w.opened != c.opened || w.live != 0 {
				t.Errorf("%d tabs opened, %d left", w.opened, w.live)
			}
			if left := list(t, filepath.Dir(s.Output)); len(left) != 0 {
				t.Errorf("left beside the output: %v", left)
			}
			// Finished segments are kept, and the next render uses them.
			w.captureFault, w.openFault, w.garbage, w.size = nil, nil, false, image.Point{}
			finished := len(w.segments(t))
			w.drawn()
			res, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if err != nil || res.Reused != 75*finished || w.drawn() != 150-75*finished {
				t.Errorf("next render with %d finished segments: %+v, %v", finished, res, err)
			}
		})
	}
}

func list(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Cancelling ends everything before Render returns; finished segments stay.
func TestCancel(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.captureFault = func(_, frame int) error {
		if frame == 100 {
			cancel()
		}
		return nil
	}
	s := spec(t)
	s.Workers = 1
	_, err := w.renderer().Render(ctx, project(5), s, nil)
	if !errors.Is(err, context.Canceled) || koda.CodeOf(err) != koda.CodeInterrupted {
		t.Errorf("got %v", err)
	}
	if w.live != 0 || len(w.segments(t)) != 1 || len(list(t, filepath.Dir(s.Output))) != 0 {
		t.Errorf("%d tabs left, segments %v, output %v", w.live, w.segments(t), list(t, filepath.Dir(s.Output)))
	}
	w.drawn()
	res, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil || res.Reused != 75 || w.drawn() != 75 {
		t.Errorf("after the cancellation: %+v, %v", res, err)
	}
}

// brokenHost is a Host that replaces ffmpeg by a shell script if the arguments hold
// a word.
type brokenHost struct {
	sandbox.Host
	word, script string
	openErr      error
	left         *atomic.Int32 // how many calls are still replaced; nil: all
}

func (h brokenHost) Start(ctx context.Context, p sandbox.Program) (sandbox.Process, error) {
	for _, a := range p.Args {
		if h.script != "" && a == h.word && (h.left == nil || h.left.Add(-1) >= 0) {
			p.Path, p.Args = "/bin/sh", []string{"-c", h.script}
			break
		}
	}
	return h.Host.Start(ctx, p)
}

func (h brokenHost) Open(path string) (fs.File, error) {
	f, err := h.Host.Open(path)
	if err == nil && h.openErr != nil && strings.HasSuffix(path, ".mp4") {
		return brokenFile{f, h.openErr}, nil
	}
	return f, err
}

type brokenFile struct {
	fs.File
	err error
}

func (f brokenFile) Read([]byte) (int, error) { return 0, f.err }

// A failing ffmpeg or disk leaves the old video as it was.
func TestEncoderAndDiskFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		host   brokenHost
		code   koda.Code
		detail string
	}{
		"ffmpeg dies half way": {brokenHost{word: "image2pipe", script: "head -c 20000 >/dev/null; echo out of ideas >&2; exit 1"}, koda.CodeEncodeFailed, "out of ideas"},
		"ffmpeg is killed":     {brokenHost{word: "image2pipe", script: "head -c 20000 >/dev/null; kill -9 $$"}, koda.CodeEncodeFailed, ""},
		"ffmpeg writes half":   {brokenHost{word: "image2pipe", script: "cat >/dev/null"}, koda.CodeEncodeFailed, ""},
		"disk full in ffmpeg":  {brokenHost{word: "image2pipe", script: "cat >/dev/null; echo 'x.mp4: No space left on device' >&2; exit 1"}, koda.CodeDiskFull, "No space left"},
		"disk full in koda":    {brokenHost{openErr: syscall.ENOSPC}, koda.CodeDiskFull, ""},
		"join fails":           {brokenHost{word: "concat", script: "echo cannot join >&2; exit 1"}, koda.CodeEncodeFailed, "cannot join"},
		"thumbnail fails":      {brokenHost{word: "mjpeg", script: "echo no picture >&2; exit 1"}, koda.CodeEncodeFailed, "no picture"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.host.Host = hostos.New(t.TempDir())
			w.host = c.host
			s := spec(t)
			s.Thumbnail = filepath.Join(filepath.Dir(s.Output), "video.jpg")
			if err := os.WriteFile(s.Output, []byte("the old video"), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if koda.CodeOf(err) != c.code || !strings.Contains(koda.DetailsOf(err), c.detail) || (c.code == koda.CodeDiskFull && koda.HintOf(err) == "") {
				t.Errorf("got %v (%s), details %q", err, koda.CodeOf(err), koda.DetailsOf(err))
			}
			if w.live != 0 || string(read(t, s.Output)) != "the old video" || len(list(t, filepath.Dir(s.Output))) != 1 {
				t.Errorf("%d tabs left; beside the output: %v", w.live, list(t, filepath.Dir(s.Output)))
			}
			w.host = nil
			if _, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil {
				t.Errorf("with a whole ffmpeg: %v", err)
			}
		})
	}
}

// Killing an ffmpeg at any step costs no video: the step is done again.
func TestFFmpegEnded(t *testing.T) {
	t.Parallel()
	whole := newWorld(t)
	s := spec(t)
	s.Thumbnail = filepath.Join(filepath.Dir(s.Output), "video.jpg")
	if _, err := whole.renderer().Render(t.Context(), project(5), s, nil); err != nil {
		t.Fatal(err)
	}
	want, picture := read(t, s.Output), read(t, s.Thumbnail)
	for name, c := range map[string]struct {
		word, script string
		retries      int
	}{
		"killed in a segment":     {"image2pipe", "head -c 20000 >/dev/null; kill -9 $$", 2},
		"terminated in a segment": {"image2pipe", "kill -TERM $$", 2},
		"killed while joining":    {"concat", "kill -9 $$", 0},
		"killed at the thumbnail": {"mjpeg", "kill -9 $$", 0},
		"crashed while joining":   {"concat", "kill -SEGV $$", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			left := &atomic.Int32{}
			left.Store(2)
			w.host = brokenHost{Host: hostos.New(t.TempDir()), word: c.word, script: c.script, left: left}
			s := spec(t)
			s.Workers, s.Thumbnail = 1, filepath.Join(filepath.Dir(s.Output), "video.jpg")
			res, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
			}
			if left.Load() > 0 || len(res.Retries) != c.retries || w.live != 0 {
				t.Errorf("%d were not ended, retries %q, %d tabs left", left.Load(), res.Retries, w.live)
			}
			if !bytes.Equal(want, read(t, s.Output)) || !bytes.Equal(picture, read(t, s.Thumbnail)) {
				t.Error("other bytes")
			}
		})
	}
}

// An output that cannot be written is refused before any work.
func TestOutputRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(at("dir.mp4"), 0o755))
	must(os.WriteFile(at("old.mp4"), []byte("old"), 0o644))
	must(os.Symlink("/dev/null", at("device.mp4")))
	must(os.Symlink(at("nothing"), at("dangling.mp4")))
	must(syscall.Mkfifo(at("pipe.mp4"), 0o600))
	for name, c := range map[string]struct {
		output, thumbnail string
		noClobber         bool
		code              koda.Code
		want              string
	}{
		"directory":          {output: at("dir.mp4"), code: koda.CodeUsage, want: "is a directory"},
		"device":             {output: at("device.mp4"), code: koda.CodeUsage, want: "not a regular file"},
		"fifo":               {output: at("pipe.mp4"), code: koda.CodeUsage, want: "not a regular file"},
		"dangling link":      {output: at("dangling.mp4"), code: koda.CodeUsage, want: "leads nowhere"},
		"no parent":          {output: at("no/such/a.mp4"), code: koda.CodeUsage, want: "does not exist"},
		"parent is a file":   {output: at("old.mp4/a.mp4"), code: koda.CodeUsage, want: "not a directory"},
		"taken":              {output: at("old.mp4"), noClobber: true, code: koda.CodeExists, want: "is there already"},
		"relative":           {output: "a.mp4", code: koda.CodeUsage, want: "not an absolute path"},
		"other format":       {output: at("a.gif"), code: koda.CodeUsage, want: "not named .mp4"},
		"none":               {code: koda.CodeUsage, want: "not named .mp4"},
		"thumbnail is a dir": {output: at("a.mp4"), thumbnail: at("dir.mp4"), code: koda.CodeUsage, want: "is a directory"},
		"not writable":       {output: "/proc/a.mp4", code: koda.CodeUsage, want: "write"},
	} {
		w := newSketch(t)
		s := spec(t)
		s.Output, s.Thumbnail, s.NoClobber = c.output, c.thumbnail, c.noClobber
		_, err := w.renderer().Render(t.Context(), project(5), s, nil)
		if name == "not writable" { // errno and so code depend on the system
			c.code = koda.CodeStorageFailed
		}
		if koda.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v (%s)", name, err, koda.CodeOf(err))
		}
		if koda.HintOf(err) == "" {
			t.Errorf("%s: no hint", name)
		}
		if w.built != 0 || w.opened != 0 {
			t.Errorf("%s: work was done first", name)
		}
	}
	if string(read(t, at("old.mp4"))) != "old" {
		t.Error("the old file was touched")
	}
}

// If a drawn video cannot be put in place, the error is STORAGE_FAILED. Once it can
// be put in place, it is not drawn again.
func TestOutputLost(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(output string) error{
		"a directory stands there": func(output string) error { return os.MkdirAll(filepath.Join(output, "mine"), 0o755) },
		"its directory is gone":    func(output string) error { return os.RemoveAll(filepath.Dir(output)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newSketch(t)
			s := spec(t)
			s.Output = filepath.Join(t.TempDir(), "out", "video.mp4")
			if err := os.Mkdir(filepath.Dir(s.Output), 0o755); err != nil {
				t.Fatal(err)
			}
			w.captureFault = func(_, frame int) error {
				if frame == 100 {
					return spoil(s.Output)
				}
				return nil
			}
			_, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if koda.CodeOf(err) != koda.CodeStorageFailed || koda.HintOf(err) == "" {
				t.Errorf("got %v (%s), hint %q", err, koda.CodeOf(err), koda.HintOf(err))
			}
			if err := errors.Join(os.RemoveAll(s.Output), os.MkdirAll(filepath.Dir(s.Output), 0o755)); err != nil {
				t.Fatal(err)
			}
			w.captureFault = nil
			w.drawn()
			if res, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil || res.Reused != 150 || w.drawn() != 0 {
				t.Errorf("once the video can be put in place: %+v, %v", res, err)
			}
		})
	}
}

// A link to a regular file stays a link, and the file it leads to is replaced.
func TestOutputThroughLink(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	s := spec(t)
	real := filepath.Join(t.TempDir(), "real.mp4")
	if err := errors.Join(os.WriteFile(real, nil, 0o644), os.Symlink(real, s.Output)); err != nil {
		t.Fatal(err)
	}
	res, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(s.Output); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if got := int64(len(read(t, real))); got != res.Size || res.Video != s.Output {
		t.Errorf("real file has %d bytes: %+v", got, res)
	}
}

func TestSpecRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*koda.RenderSpec){
		"no frames":      func(s *koda.RenderSpec) { s.Frames = 0 },
		"other frames":   func(s *koda.RenderSpec) { s.Frames = 151 },
		"no rate":        func(s *koda.RenderSpec) { s.FPS = koda.FPS{} },
		"odd":            func(s *koda.RenderSpec) { s.Width = 65 },
		"format":         func(s *koda.RenderSpec) { s.Format = "gif" },
		"no preset":      func(s *koda.RenderSpec) { s.EncoderPreset = "" },
		"no page":        func(s *koda.RenderSpec) { s.PageWidth = 0 },
		"enlarged a lot": func(s *koda.RenderSpec) { s.Width, s.Height = 7680, 4320 },
	} {
		w := newSketch(t)
		s := spec(t)
		change(&s)
		_, err := w.renderer().Render(t.Context(), project(5), s, nil)
		if c := koda.CodeOf(err); (c != koda.CodeInvalidInput && c != koda.CodeUsage) || w.built != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		seconds       float64
		width, height int
		frame         int
		want          image.Point
	}{
		{0, 0, 0, 0, image.Pt(64, 48)}, {2.5, 64, 48, 75, image.Pt(64, 48)}, {5, 32, 24, 149, image.Pt(32, 24)},
		{1, 16, 12, 30, image.Pt(16, 12)}, {1.02, 128, 96, 31, image.Pt(128, 96)},
	} {
		shot, err := w.renderer().Still(t.Context(), project(5), c.seconds, c.width, c.height)
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		img, _, err := image.Decode(bytes.NewReader(shot.PNG))
		if err != nil || img.Bounds().Size() != c.want {
			t.Errorf("%v: %v, %v", c, img.Bounds(), err)
			continue
		}
		if r, _, _, _ := img.At(5, 5).RGBA(); int(r>>8) != c.frame*3%256 {
			t.Errorf("%v: red is %d", c, r>>8)
		}
	}
	for _, bad := range []struct {
		seconds       float64
		width, height int
	}{{-1, 0, 0}, {5.1, 0, 0}, {0, 8000, 10}, {0, 10, -1}, {0, 10, 0}} {
		if _, err := w.renderer().Still(t.Context(), project(5), bad.seconds, bad.width, bad.height); koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if w.live != 0 {
		t.Errorf("%d tabs left", w.live)
	}
}

func TestMissingFFmpeg(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.host = emptyHost{hostos.New(t.TempDir())}
	_, err := w.renderer().Render(t.Context(), project(5), spec(t), nil)
	if koda.CodeOf(err) != koda.CodeMissingTool || koda.HintOf(err) == "" || w.opened != 0 {
		t.Errorf("got %v, hint %q", err, koda.HintOf(err))
	}
}

type emptyHost struct{ sandbox.Host }

func (emptyHost) LookPath(name string) (string, error) {
	return "", &koda.Error{Code: koda.CodeMissingTool, Op: name + " is not installed"}
}
