package engine_test

import (
	"testing"

	"github.com/koda-video/koda/internal/engine"
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
