package render_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// A preview that no browser can draw is drawn smaller, with a note. A final is
// never drawn smaller, and a page's own mistake makes no preview smaller.
func TestPreviewDropsQuality(t *testing.T) {
	t.Parallel()
	memory := &koda.Error{Code: koda.CodeOutOfMemory, Op: "capture frame 7: the browser ran out of memory"}
	page := &koda.Error{Code: koda.CodePageFailed, Op: "the page threw"}
	for name, c := range map[string]struct {
		kind   koda.RenderKind
		err    error
		heals  bool // the smaller size can be drawn
		code   koda.Code
		opened int
	}{
		"preview":           {koda.RenderPreview, memory, true, "", 4},
		"preview, again":    {koda.RenderPreview, memory, false, koda.CodeOutOfMemory, 4},
		"final":             {koda.RenderFinal, memory, true, koda.CodeOutOfMemory, 3},
		"preview of a page": {koda.RenderPreview, page, true, koda.CodePageFailed, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.captureFault = func(open, frame int) error {
				if frame == 7 && (open <= 3 || !c.heals) {
					return c.err
				}
				return nil
			}
			s := shortSpec(t)
			s.Kind = c.kind
			res, err := w.renderer().Render(t.Context(), project(1), s, nil)
			if koda.CodeOf(err) != c.code || w.opened != c.opened || w.live != 0 {
				t.Fatalf("%v; %d tabs opened, %d left", err, w.opened, w.live)
			}
			if err != nil {
				if left := list(t, s.Output[:strings.LastIndexByte(s.Output, '/')]); len(left) > 0 {
					t.Errorf("left %v", left)
				}
				return
			}
			if res.Width != 32 || res.Height != 24 || res.FPS.Num != 15 || res.Frames != 15 || res.Duration != 1 {
				t.Errorf("%+v", res)
			}
			const want = "the preview is 32x24 at 15 frames a second, because it could not be drawn at 64x48 and 30: "
			if !strings.HasPrefix(res.Note, want) || !strings.Contains(res.Note, "out of memory") {
				t.Errorf("it says %q", res.Note)
			}
		})
	}
}
