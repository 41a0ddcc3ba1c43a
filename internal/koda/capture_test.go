package koda_test

import (
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestCaptureInfoRaw(t *testing.T) {
	t.Parallel()
	plain, gl := koda.Page{}, koda.Page{WebGL: true}
	view := func(w, h int, scale float64) koda.Viewport { return koda.Viewport{Width: w, Height: h, Scale: scale} }
	for _, c := range []struct {
		method, gl string
		page       koda.Page
		view       koda.Viewport
		want       bool
	}{
		{koda.MethodFramebuffer, "gpu", plain, view(1920, 1080, 1), true},
		{koda.MethodFramebuffer, "llvmpipe", gl, view(1920, 1080, 0.5), true},
		{koda.MethodFramebuffer, "gpu", gl, view(1920, 1080, 1), false},
		{koda.MethodFramebuffer, "none", plain, view(1921, 1080, 0.5), false},
		{koda.MethodFramebuffer, "none", plain, view(1920, 1081, 0.5), false},
		{koda.MethodFramebuffer, "none", plain, view(1920, 1080, 2), false},
		{"beginframe", "none", plain, view(1920, 1080, 1), false},
	} {
		if got := (koda.CaptureInfo{Method: c.method, GL: c.gl}).Raw(c.page, c.view); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
