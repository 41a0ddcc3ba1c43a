package engine_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// TestRenderers: what has a renderer of its own for its kind of sandbox is drawn by it.
func TestRenderers(t *testing.T) {
	t.Parallel()
	b, p := newImagedBench(t)
	there, before := &renderer{}, b.tweak
	b.tweak = func(cfg *engine.Config) {
		before(cfg)
		cfg.Sandboxes[sandbox.Docker] = p
		cfg.Renderers = map[sandbox.Kind]engine.Renderer{sandbox.Docker: there}
	}
	b.open()
	for _, kind := range []string{"local", "docker"} {
		req := b.request("bouncing ball", true)
		req.Sandbox = kind
		b.must(b.engine.New(t.Context(), req))
	}
	if here, there := len(b.video.specs), len(there.specs); here != 2 || there != 2 {
		t.Errorf("%d videos drawn here and %d there", here, there)
	}
}

// imageless draws only once its image is built.
type imageless struct {
	*renderer
	p *imaged
}

func (v imageless) Render(ctx context.Context, files fs.FS, spec koda.RenderSpec, report func(koda.Progress)) (koda.RenderResult, error) {
	if v.p.built == 0 {
		return koda.RenderResult{}, &koda.Error{Code: koda.CodeTemplateNotFound, Op: "the image is not there"}
	}
	return v.renderer.Render(ctx, files, spec, report)
}

// TestRender_image: the image that a render needs is built, and each step passes by. If it
// cannot be built, the error says why.
func TestRender_image(t *testing.T) {
	t.Parallel()
	b, p := newImagedBench(t)
	before := b.tweak
	b.tweak = func(cfg *engine.Config) {
		before(cfg)
		cfg.Renderers = map[sandbox.Kind]engine.Renderer{sandbox.Docker: imageless{&renderer{}, p}}
	}
	b.open()
	req := b.request("bouncing ball", true)
	req.Sandbox = "docker"
	id := b.must(b.engine.New(t.Context(), req)).Project.ID
	spec := koda.RenderSpec{Kind: koda.RenderFinal, Output: filepath.Join(t.TempDir(), "v.mp4")}

	p.built, p.unbuilt = 0, &koda.Error{Code: koda.CodeProviderError, Op: "install fonts"}
	if _, err := b.engine.Render(t.Context(), id, spec); koda.CodeOf(err) != koda.CodeProviderError {
		t.Errorf("%v", err)
	}
	p.unbuilt = nil
	b.forget()
	if _, err := b.engine.Render(t.Context(), id, spec); err != nil || p.built != 1 || !slices.Contains(b.types(), koda.EventBuild) {
		t.Errorf("%v, built %d times, events %v", err, p.built, b.types())
	}
}
