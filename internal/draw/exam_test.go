package draw_test

import (
	"bytes"
	"image/jpeg"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// TestExam examines pages that are wrong in one way each: an exam finds that, and nothing
// else.
func TestExam(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	needs.FFmpeg(t)
	host := hostos.New(t.TempDir())
	tool := ffmpeg.New(host, "")
	c := draw.Chromium{Host: host, Dir: probes(t), FFmpeg: tool}
	d := draw.New(draw.Config{Probe: c.Probe, Reprobe: c.Reprobe, Open: c.Open, Fonts: draw.LocalFonts, FFmpeg: tool, Now: time.Now})
	for name, tt := range map[string]struct {
		style, script string
		want          koda.FindingKind
		about         string
		serious       bool
	}{
		"good":       {want: ""},
		"exception":  {script: `addEventListener('x', () => { nothing.at.all() }); seeks.push(() => dispatchEvent(new Event('x')))`, want: koda.FindingMishap, about: "the page threw ReferenceError: nothing is not defined", serious: true},
		"file":       {script: `seeks.push(() => fetch('/nothing.json'))`, want: koda.FindingMishap, about: "the page has no file /nothing.json", serious: true},
		"console":    {script: `seeks.push(() => console.error('bad', 7))`, want: koda.FindingLogged, about: "the page logged bad 7"},
		"outside":    {style: `#a{left:-60px}`, want: koda.FindingOutside, about: `"Twelve words"`},
		"never seen": {style: `#a{left:2000px}`, want: koda.FindingOutside, about: "each time it was looked for"},
		"contrast":   {style: `#a{color:#ccc}`, want: koda.FindingContrast, about: `"Twelve words" has 1.6:1 and needs 3.0:1`},
		"letters":    {style: `#b{color:#ccc}`, want: koda.FindingContrast, about: `"Letters" has 1.6:1`},
		"small":      {style: `#a{font-size:4px}`, want: koda.FindingSmall, about: `"Twelve words"`},
		"blank":      {style: `body > *{display:none !important}`, want: koda.FindingBlank, about: "every picture", serious: true},
		"remembers":  {script: `let n = 0; seeks.push(() => { ball.style.top = 40 * (++n % 4) + 'px' })`, want: koda.FindingDiffers, about: "a frame must follow from its time alone", serious: true},
		"random":     {script: `let at; seeks.push((t) => { if (t < 0.8) at = undefined; else ball.style.top = (at ??= 200 * Math.random()) + 'px' })`, want: koda.FindingDiffers, serious: true},
		"steps":      {script: `let x = 0, was = 0; seeks.push((t) => { x += 90 * Math.abs(t - was); was = t; ball.style.top = x % 200 + 'px' })`, want: koda.FindingDiffers, serious: true},
		"seeded":     {script: `seeks.push((t) => { ball.style.top = 100 * Math.random() + 50 * new Date().getSeconds() + 'px' })`, want: ""},
		"tspan":      {script: `document.body.insertAdjacentHTML('beforeend', '<svg viewBox="0 0 512 288" style="position:absolute;inset:0"><text x="60" y="220" font-size="24">remainder = <tspan>2</tspan></text></svg>')`, want: ""},
		"nonsense":   {script: `JSON.stringify = () => '{"texts":[{"text":7}]}'; Object.freeze(JSON)`, want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			html := `<!doctype html><style>*{margin:0} body{background:#fff} p{position:absolute;left:60px;white-space:nowrap;font:24px sans-serif;color:#000} #a{top:60px} #b{top:110px} #b span{display:inline-block}
				i{position:absolute;left:0;top:0;width:40px;height:40px;background:#c24}` + tt.style + `</style><i id="ball"></i><p id="a">Twelve words</p><p id="b">` +
				strings.Join([]string{"<span>L</span>", "<span>e</span>", "<span>t</span>", "<span>t</span>", "<span>e</span>", "<span>r</span>", "<span>s</span>"}, "") + `</p><script>
				const seeks = [(t) => { ball.style.left = 100 + 100 * t + 'px' }]
				window.__exportSeekTo = (t) => { for (const seek of seeks) seek(t) }
				` + tt.script + `; window.__exportReady = true</script>`
			seen, err := d.Look(t.Context(), koda.LookJob{
				Page:   koda.Page{Files: map[string]koda.PageFile{"/index.html": {Type: "text/html", Body: []byte(html)}}, Digest: html},
				View:   koda.Viewport{Width: 512, Height: 288, Scale: 1, FPS: koda.FPS{Num: 20, Den: 1}},
				Frames: []int{8, 20, 32}, Width: 256, Height: 144, Columns: 2, Exam: true, Total: 40,
			})
			if err != nil {
				t.Fatal(err, koda.DetailsOf(err))
			}
			if tt.want == "" && len(seen.Findings) > 0 || tt.want != "" && (len(seen.Findings) == 0 || slices.ContainsFunc(seen.Findings, func(f koda.Finding) bool { return f.Kind != tt.want || f.Serious != tt.serious })) ||
				tt.about != "" && !slices.ContainsFunc(seen.Findings, func(f koda.Finding) bool { return strings.Contains(f.About, tt.about) }) {
				t.Errorf("found %q", seen.Findings)
			}
			if size, err := jpeg.DecodeConfig(bytes.NewReader(seen.PNG)); err != nil || size.Width != 2*256+3*6 || size.Height != 2*144+3*6 {
				t.Errorf("the sheet is %+v, %v", size, err)
			}
			if name == "good" {
				want := koda.Sight{Seconds: 1, Texts: []koda.SeenText{{Text: "Twelve words", Left: 12, Right: 40, Top: 23, Bottom: 28}, {Text: "Letters", Left: 12, Right: 26, Top: 40, Bottom: 45}}, Colours: seen.Sights[1].Colours, Changed: seen.Sights[1].Changed}
				if diff := cmp.Diff(want, seen.Sights[1]); diff != "" || seen.Sights[1].Changed < 0.005 || seen.Sights[1].Changed > 0.05 || seen.Sights[1].Colours[8] != "#ffffff" {
					t.Errorf("%+v\n%s", seen.Sights[1], diff)
				}
			}
		})
	}
}
