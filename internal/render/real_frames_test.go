package render_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// numbered is a page that writes the number of its frame as eight white or black
// squares. Below them an animation of the page's clock moves a bar by one pixel for
// each frame.
const numbered = `<!doctype html><style>body { margin: 0; background: #000 } i { position: absolute; width: 16px; height: 16px }
@keyframes slide { to { transform: translateX(128px) } }
b { position: absolute; top: 16px; width: 32px; height: 16px; background: #fff; animation: slide %[2]gs linear forwards }</style><b></b><script>
const boxes = Array.from({ length: 8 }, (_, i) => { const e = document.createElement('i'); e.style.left = 16 * i + 'px'; document.body.append(e); return e })
window.__exportSeekTo = (t) => boxes.forEach((e, i) => { e.style.background = Math.round(t * %[1]g) >> i & 1 ? '#fff' : '#000' })
window.__exportReady = true</script>`

// Every frame of a video shows its own number, also at high rates and at the start
// of every segment: the browser's ticks rise with each frame, and no frame shows
// the frame before.
func TestRealEveryFrame(t *testing.T) {
	needs.Chromium(t)
	for _, rate := range []koda.FPS{{Num: 60, Den: 1}, {Num: 240, Den: 1}, {Num: 30000, Den: 1001}} {
		const frames = 128 // two segments
		fps := float64(rate.Num) / float64(rate.Den)
		seconds := frames / fps
		page := fstest.MapFS{
			"koda.json":  {Data: fmt.Appendf(nil, `{"schema": 1, "name": "numbers", "width": 160, "height": 32, "fps": "%v", "duration": %g}`, rate, seconds)},
			"index.html": {Data: fmt.Appendf(nil, numbered, fps, seconds)},
		}
		spec := koda.RenderSpec{
			ID: "r1", Kind: koda.RenderFinal, Width: 160, Height: 32, PageWidth: 160, PageHeight: 32, FPS: rate, Frames: frames, Duration: seconds,
			Format: "mp4", CRF: 10, EncoderPreset: "veryfast", Output: filepath.Join(t.TempDir(), "a.mp4"),
		}
		if _, err := realConfig(t.TempDir(), t.TempDir()).renderer().Render(t.Context(), page, spec, nil); err != nil {
			t.Fatalf("%v: %v\n%s", rate, err, koda.DetailsOf(err))
		}
		raw, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-i", spec.Output, "-f", "rawvideo", "-pix_fmt", "gray", "-").Output()
		if err != nil || len(raw) != frames*160*32 {
			t.Fatalf("%v: %d bytes, %v", rate, len(raw), err)
		}
		for n := range frames {
			picture := raw[n*160*32:]
			var bySeek, byClock int
			for bit := range 8 {
				bySeek |= int(picture[8*160+16*bit+8]) >> 7 << bit
			}
			for picture[24*160+byClock] < 128 {
				byClock++
			}
			if bySeek != n || byClock != n {
				t.Errorf("at %v frames a second frame %d shows %d, its clock %d", rate, n, bySeek, byClock)
			}
		}
	}
}
