package render_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/render"
	"github.com/koda-video/koda/internal/strip"
)

// stripped is a spec of a video of 5 s at 30 frames a second, with a strip.
func stripped(t *testing.T) koda.RenderSpec {
	t.Helper()
	s := spec(t)
	s.Strip = filepath.Join(filepath.Dir(s.Output), "video.strip")
	return s
}

// A video has the strip that its spec asks for: about twelve stills a second, each at
// the time of its frame.
func TestRender_Strip(t *testing.T) {
	t.Parallel()
	w, s := newWorld(t), stripped(t)
	res, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil || res.Strip != s.Strip || len(res.Warnings) > 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	data := read(t, s.Strip)
	pictures, err := strip.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if i := pictures.Info(); i.Width != s.Width || i.Height != s.Height || i.Duration != 5 || i.FPS != 10 || pictures.Len() != 50 || pictures.Time(49) != 4.9 {
		t.Errorf("%+v", i)
	}
	// A second one has the same bytes, and so has its video.
	video := read(t, s.Output)
	if _, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, s.Strip), data) || !bytes.Equal(read(t, s.Output), video) {
		t.Error("the same video has another strip")
	}
	// A still shows its frame: those from frame 75 on were drawn by a tab that began
	// with it.
	for i, want := range map[int]int{0: 0, 24: 0, 25: 75, 49: 75} {
		still, err := pictures.Still(i)
		if err != nil {
			t.Fatal(err)
		}
		if _, green, _, _ := still.At(12, 8).RGBA(); max(int(green>>8)-want, want-int(green>>8)) > 12 {
			t.Errorf("still %d has green %d, want %d", i, green>>8, want)
		}
	}
}

// brokenStrips is a drawer that cannot make strips.
type brokenStrips struct{ render.Drawer }

func (d brokenStrips) Finish(ctx context.Context, job koda.FinishJob) (koda.Finished, error) {
	if job.Strip != nil {
		return koda.Finished{}, errors.New("no strips here")
	}
	return d.Drawer.Finish(ctx, job)
}

// A strip that cannot be made costs no video: it is a warning, and no older strip stays.
func TestRender_StripFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(w *world, s koda.RenderSpec) error
		left  []string
	}{
		"no pictures": {func(w *world, s koda.RenderSpec) error {
			w.drawer = brokenStrips{w.drawer}
			return os.WriteFile(s.Strip, []byte("an older one"), 0o644)
		}, []string{"video.mp4"}},
		"a directory": {func(_ *world, s koda.RenderSpec) error { return os.Mkdir(s.Strip, 0o755) }, []string{"video.mp4", "video.strip"}},
		"a link":      {func(_ *world, s koda.RenderSpec) error { return os.Symlink("/etc/passwd", s.Strip) }, []string{"video.mp4", "video.strip"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, s := newSketch(t), stripped(t)
			if err := c.spoil(w, s); err != nil {
				t.Fatal(err)
			}
			res, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if err != nil || res.Strip != "" || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "strip was not made") {
				t.Errorf("%+v, %v", res, err)
			}
			if diff := cmp.Diff(c.left, list(t, filepath.Dir(s.Output))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
