package engine_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/strip"
)

// oneStill is a strip of one still.
func oneStill(t *testing.T) []byte {
	t.Helper()
	var still, b bytes.Buffer
	if err := jpeg.Encode(&still, image.NewGray(image.Rect(0, 0, 8, 8)), nil); err != nil {
		t.Fatal(err)
	}
	if err := strip.Write(&b, strip.Info{Width: 8, Height: 8, Duration: 1, FPS: 1, Times: []float64{0}}, [][]byte{still.Bytes()}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestStrip: the strip of a preview is found for each version, also after the project
// was moved. What is no strip is NOT_FOUND.
func TestStrip(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	id := b.untilPreview().Project.ID
	out := b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it blue"))
	at := func(name string) string { return filepath.Join(out.Project.Dir, "previews", name) }
	for version, name := range map[int]string{0: "bouncing-ball-v2", 1: "bouncing-ball-v1", 2: "bouncing-ball-v2"} {
		s, err := b.engine.Strip(ctx, id, version)
		if err != nil || s.Path != at(name+".strip") || s.Video != at(name+".mp4") || len(s.Scenes) == 0 || s.Project.ID != id {
			t.Errorf("v%d: %+v, %v", version, s, err)
		}
		if _, _, err := s.Open(); koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(koda.HintOf(err), "koda render bouncing-ball --preset preview") {
			t.Errorf("a damaged strip: %v, hint %q", err, koda.HintOf(err))
		}
	}
	if err := os.WriteFile(at("bouncing-ball-v2.strip"), oneStill(t), 0o644); err != nil {
		t.Fatal(err)
	}
	opened := func(s engine.Strip, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		pictures, closed, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := pictures.At(0.5); err != nil || pictures.Len() != 1 {
			t.Error(err)
		}
		if err := closed(); err != nil {
			t.Error(err)
		}
	}
	opened(b.engine.Strip(ctx, id, 2))

	// What was undone to is shown.
	if _, err := b.engine.Undo(ctx, id); err != nil {
		t.Fatal(err)
	}
	if s, err := b.engine.Strip(ctx, id, 0); err != nil || s.Version != 1 {
		t.Errorf("after an undo: %+v, %v", s, err)
	}
	// Without a strip of the current version another preview is shown.
	if err := os.Remove(at("bouncing-ball-v1.strip")); err != nil {
		t.Fatal(err)
	}
	opened(b.engine.Strip(ctx, id, 0))
	s, err := b.engine.Strip(ctx, id, 1)
	if koda.CodeOf(err) != koda.CodeNotFound || koda.HintOf(err) == "" || s.Video != at("bouncing-ball-v1.mp4") {
		t.Errorf("without a strip: %+v, %v", s, err)
	}

	// The project is moved. A link is refused.
	moved := filepath.Join(b.parent, "moved")
	if err := os.Rename(out.Project.Dir, moved); err != nil {
		t.Fatal(err)
	}
	p, err := b.engine.Find(ctx, moved)
	if err != nil {
		t.Fatal(err)
	}
	opened(b.engine.Strip(ctx, p.ID, 2))
	path := filepath.Join(moved, "previews", "bouncing-ball-v2.strip")
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path+".away", path); err != nil {
		t.Fatal(err)
	}
	s, err = b.engine.Strip(ctx, p.ID, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Open(); koda.CodeOf(err) != koda.CodeInvalidPath {
		t.Errorf("through a link: %v", err)
	}
}

// TestStrip_Old: a project of an older koda has previews without strips. Drawing the
// preview again brings the strip, and deleting that render takes it away.
func TestStrip_Old(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.hash, b.video.stripless = true, true
	ctx := t.Context()
	out := b.untilPreview()
	s, err := b.engine.Strip(ctx, out.Project.ID, 0)
	if koda.CodeOf(err) != koda.CodeNotFound || !strings.HasSuffix(s.Video, "bouncing-ball-v1.mp4") || !strings.Contains(koda.HintOf(err), "--preset preview") {
		t.Fatalf("%+v, %v, hint %q", s, err, koda.HintOf(err))
	}
	b.video.stripless = false
	spec := b.video.specs[len(b.video.specs)-1]
	base := filepath.Join(out.Project.Dir, "renders", "bouncing-ball-preview")
	spec.Output, spec.Thumbnail, spec.Strip = base+".mp4", "", base+".strip"
	if _, err := b.engine.Render(ctx, out.Project.ID, spec); err != nil {
		t.Fatal(err)
	}
	if s, err := b.engine.Strip(ctx, out.Project.ID, 0); err != nil || s.Path != spec.Strip || s.Video != spec.Output {
		t.Fatalf("%+v, %v", s, err)
	}
	view, err := b.engine.Show(ctx, out.Project.ID)
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.engine.DeleteRender(ctx, out.Project.ID, view.Renders[len(view.Renders)-1].ID)
	if err != nil || !slices.Equal(got.Removed, []string{spec.Output, spec.Strip}) || len(got.Left) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
