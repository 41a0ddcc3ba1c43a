package render_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// When the machine changes while a video is drawn, the frames drawn so far are
// drawn again and nothing is mixed: the whole video comes from the machine as it is
// now. No segment is kept under a name that stands for another browser, ffmpeg or
// fonts.
func TestMachineChanges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(w *world, ffmpeg string)
		said   string
	}{
		"a font is installed":     {func(w *world, _ string) { w.fonts = "more" }, "the fonts of this machine changed"},
		"the browser is replaced": {func(w *world, _ string) { w.info.Build = "Fake/2" }, "the browser was replaced"},
		"ffmpeg is replaced":      {func(_ *world, ffmpeg string) { install(t, ffmpeg, "2") }, "ffmpeg was replaced"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), "ffmpeg")
			install(t, program, "1")
			w := newWorld(t)
			w.encoder = ffmpeg.New(hostos.New(t.TempDir()), program)
			s := spec(t)
			s.Workers = 1
			w.captureFault = func(open, frame int) error {
				if open == 2 && frame == 100 {
					c.change(w, program)
				}
				return nil
			}
			res, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if err != nil {
				t.Fatal(err, koda.DetailsOf(err))
			}
			if res.Captured != 150 || w.opened != 4 || w.live != 0 || len(res.Warnings) != 1 || !strings.HasPrefix(res.Warnings[0], c.said+" while") {
				t.Errorf("%d frames drawn, %d tabs opened, %d left, warnings %q", res.Captured, w.opened, w.live, res.Warnings)
			}
			want := read(t, s.Output)
			w.found(t, s, want, 150, 0)

			// No segment of the changed machine has a name of the machine before the
			// change.
			fresh := newWorld(t)
			fresh.encoder, fresh.info, fresh.fonts = w.encoder, w.info, w.fonts
			fresh.found(t, s, want, 0, 2)
		})
	}
}

// install puts an ffmpeg of the given version at a path.
func install(t *testing.T, path, version string) {
	t.Helper()
	script := fmt.Sprintf("#!/bin/sh\necho 'ffmpeg version 9.%s' >&2\nexec ffmpeg \"$@\"\n# %s\n", version, strings.Repeat(version, len(version)+int(version[0])))
	if err := os.WriteFile(path+".new", []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// On a machine that changes all the time no video is made, and the error says why.
func TestMachineKeepsChanging(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	n := 0
	w.captureFault = func(_, frame int) error {
		if frame == 70 {
			n++
			w.fonts = fmt.Sprint(n)
		}
		return nil
	}
	s := spec(t)
	_, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if koda.CodeOf(err) != koda.CodeRenderFailed || !strings.Contains(err.Error(), "changed while the video was drawn") || koda.HintOf(err) == "" {
		t.Errorf("got %v, hint %q", err, koda.HintOf(err))
	}
	if n != 4 || w.live != 0 || len(list(t, filepath.Dir(s.Output))) != 0 {
		t.Errorf("it was begun %d times, %d tabs are left", n, w.live)
	}
}

// If ffmpeg disappears, the render ends with an error that names it.
func TestMachineLosesFFmpeg(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "ffmpeg")
	install(t, program, "1")
	w := newWorld(t)
	w.encoder = ffmpeg.New(hostos.New(t.TempDir()), program)
	w.captureFault = func(_, frame int) error {
		if frame == 100 {
			return os.Remove(program)
		}
		return nil
	}
	s := spec(t)
	s.Workers = 1
	_, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if koda.CodeOf(err) != koda.CodeMissingTool || koda.HintOf(err) == "" || w.live != 0 {
		t.Errorf("got %v, hint %q, %d tabs are left", err, koda.HintOf(err), w.live)
	}
}
