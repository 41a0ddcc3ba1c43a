package offline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/eye"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/templates"
)

// The eye looks at videos as a designer would: at what the page says of its texts, and at
// the frames. Few cases hold every recipe, and each style with each shape and each sort
// of text. KODA_EYE=all takes every recipe in every style and shape; KODA_EYE=WORD takes
// the cases of all that have the word in their name.

const (
	eyeFPS = 15
	step   = 3 // frames from one look at the texts to the next
)

var (
	eyeShapes = []struct {
		name string
		w, h int
	}{{"16x9", 512, 288}, {"9x16", 288, 512}, {"1x1", 360, 360}}
	eyeTexts = []string{"short", "long", "cjk", "rtl", "emoji"}
	eyeWords = map[string][]string{
		"short": {"Ship it", "Fast", "Small", "Free"},
		"long":  {"Everything that your team needs to know about the new season, in one short film that anybody can follow", "Projects open twice as fast as they did last year", "No more crashes when the disk is full", "Search finds things in pictures"},
		"cjk":   {"新しい季節のご案内をお届けします", "東京の売上", "新機能の紹介", "고객 만족도"},
		"rtl":   {"مرحبا بكم في الموسم الجديد", "القاهرة", "سرعة أكبر", "חדשות טובות"},
		"emoji": {"Party time 🎉 for 👩‍👩‍👧", "🍎 Apples", "🚀 Launch", "Japan 🇯🇵"},
	}
)

// eyeCase is one video to look at.
type eyeCase struct {
	m           *recipe.Manifest
	style, text string
	shape       int
	many        bool
}

func (c eyeCase) String() string {
	return fmt.Sprintf("%s/%s/%s/%s/%s", c.m.Name, c.style, eyeShapes[c.shape].name, c.text, map[bool]string{false: "few", true: "many"}[c.many])
}

// eyeCases are all videos, or a few of which every recipe is one and every pair of style,
// shape and text.
func eyeCases(library *recipe.Library, all bool) []eyeCase {
	var out []eyeCase
	n := 0
	for i, name := range library.Names() {
		m := library.Manifest(name)
		if m.Retired {
			continue
		}
		if !all {
			out = append(out, eyeCase{m, m.StyleIDs()[i%3], eyeTexts[i%5], (i + i/3) % 3, i%2 == 1})
			continue
		}
		for _, style := range m.StyleIDs() {
			for shape := range eyeShapes {
				for range 2 {
					out = append(out, eyeCase{m, style, eyeTexts[n%5], shape, n%2 == 1})
					n++
				}
			}
		}
	}
	return out
}

// params fills the parameters of a recipe with texts of a sort.
func (c eyeCase) params() map[string]string {
	n := 0
	word := func(most int) string {
		words := eyeWords[c.text]
		w := []rune(words[n%len(words)])
		n++
		return string(w[:min(len(w), most)])
	}
	out := map[string]string{"style": c.style}
	for _, p := range c.m.Params {
		most := 1000
		if p.Max != nil {
			most = int(*p.Max)
		}
		count := map[bool]int{false: 2, true: min(30, most)}[c.many]
		switch {
		case slices.Contains([]string{"from", "currency", "unit", "locale", "prompt", "mark", "version"}, p.Name) || p.Name == "to":
		case p.Name == "code":
			out[p.Name] = "func main() {\n\t// " + word(60) + "\n\tfmt.Println(\"hello\")\n}" + strings.Repeat("\n// one more line", count/2)
		case p.Name == "beats":
			out[p.Name] = fmt.Sprintf(`[{"scene":"title","text":%q},{"scene":"bars","text":%q,"items":"A 30; B 45; C 12"},{"scene":"list","text":%q,"items":"One; Two; Three"},{"scene":"quote","text":%q}]`, word(90), word(90), word(90), word(90))
		case p.Name == "slides":
			slides := make([]map[string]string, count)
			for i := range slides {
				slides[i] = map[string]string{"picture": "public/images/eye.png", "caption": word(60)}
			}
			out[p.Name] = encoded(slides)
		case p.Name == "sides":
			sides := make([]map[string]string, map[bool]int{false: 2, true: most}[c.many])
			for i := range sides {
				sides[i] = map[string]string{"name": word(40), "figure": []string{"3", "1,280"}[i%2]}
				if c.m.Name == "compare" && c.many {
					sides[i]["lines"] = word(80) + "\n" + word(80) + "\n" + word(80)
				}
			}
			out[p.Name] = encoded(sides)
		case p.Name == "planets" || p.Type == "rows" && p.Min != nil && c.m.Name != "changelog":
		case p.Type == "sign":
			out[p.Name] = "rocket"
		case p.Type == "text":
			out[p.Name] = word(min(most, 200))
		case p.Type == "texts":
			items := make([]string, count)
			for i := range items {
				items[i] = word(min(most, 200))
			}
			if p.Name == "items" || p.Name == "points" {
				out[p.Name] = encoded(items)
			}
		case p.Type == "rows" && c.m.Name != "changelog":
			rows := make([]map[string]any, map[bool]int{false: 2, true: 40}[c.many])
			if !c.many && c.m.Name == "bars" {
				rows = rows[:1]
			}
			for i := range rows {
				rows[i] = map[string]any{"label": word(30), "value": 10 + 37*i%91}
			}
			out[p.Name] = encoded(rows)
		}
	}
	return out
}

func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestEye holds the recipes to what a designer would not let pass.
func TestEye(t *testing.T) {
	needs.Chromium(t)
	library, err := recipe.Load(templates.Recipes())
	if err != nil {
		t.Fatal(err)
	}
	chosen := os.Getenv("KODA_EYE")
	cases := eyeCases(library, chosen != "")
	if chosen == "" {
		cases = needs.Some(cases)
	}
	for _, c := range cases {
		if chosen != "" && chosen != "all" && !strings.Contains(c.String(), chosen) {
			continue
		}
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			shape := eyeShapes[c.shape]
			b := brief("", sized(shape.w, shape.h))
			b.Recipe, b.Params, b.Style = c.m.Name, c.params(), c.style
			if c.m.Param("slides") != nil {
				b.Assets = []koda.Asset{{Name: "eye.png", Path: "public/images/eye.png", Kind: "image"}}
			}
			p, _ := made(t, author(), b)
			p.files["public/images/eye.png"] = string(stripes())
			for _, finding := range eye.Judge(p.watch(t, shape.w, shape.h), step) {
				t.Error(finding)
			}
		})
	}
}

// stripes is a picture of light and dark.
func stripes() []byte {
	img := image.NewNRGBA(image.Rect(0, 0, 320, 240))
	for y := range 240 {
		for x := range 320 {
			img.SetNRGBA(x, y, color.NRGBA{uint8(x / 2), uint8(60 + y/2), uint8(200 - x/3 - 40*(y/40%2)), 255})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// watch draws a project as the eye sees it. Of long videos it sees the beginning, the
// middle and the end.
func (p *project) watch(t *testing.T, width, height int) [][]eye.Sight {
	t.Helper()
	page, err := koda.ParseManifest([]byte(p.files["koda.json"]))
	if err != nil {
		t.Fatal(err)
	}
	tab := p.open(t, width, height, 1, eyeFPS)
	last := int(page.Duration*eyeFPS) - 1
	spans := [][2]int{{0, last}}
	if last > 12*eyeFPS {
		spans = [][2]int{{0, 5 * eyeFPS}, {last/2 - eyeFPS, last/2 + eyeFPS}, {last - 3*eyeFPS, last}}
	}
	var out [][]eye.Sight
	for _, span := range spans {
		var sights []eye.Sight
		for n := span[0]; n <= span[1]; n++ {
			sights = append(sights, watched(t, tab, n, (n-span[0])%step == 0 || n == span[1], (n-span[0])%(4*step) == 0 || n == span[1]))
		}
		out = append(out, sights)
	}
	return out
}

// watched is a frame; the eye may look at what is behind its texts, too.
func watched(t *testing.T, tab *browser.Tab, n int, ground, bare bool) (s eye.Sight) {
	t.Helper()
	ask := func(script string) string {
		answer, err := tab.Ask(t.Context(), n, script)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	s.Seconds = float64(n) / eyeFPS
	s.Picture = pixels(t, shoot(t, tab, n))
	var err error
	if s.View, err = eye.ReadView(ask(eye.Texts)); err != nil {
		t.Fatal(err)
	}
	if bare {
		ask(eye.HideTexts)
		s.Bare = pixels(t, shoot(t, tab, n))
	}
	if ground {
		ask(eye.HideStage)
		s.Ground = pixels(t, shoot(t, tab, n))
	}
	ask(eye.HideNothing)
	return s
}

func pixels(t *testing.T, data []byte) *image.NRGBA {
	t.Helper()
	img := decode(t, data)
	if p, ok := img.(*image.NRGBA); ok {
		return p
	}
	p := image.NewNRGBA(img.Bounds())
	draw.Draw(p, p.Bounds(), img, img.Bounds().Min, draw.Src)
	return p
}

// TestEyeSees shows the eye pages that are wrong in one way each: it tells that and
// nothing else.
func TestEyeSees(t *testing.T) {
	needs.Chromium(t)
	const (
		good    = `<div class="clipped"><div class="ground"></div><p id="a">Twelve words</p><p id="b">Another line</p></div>`
		styling = `*{margin:0} body{background:#fff} .ground{position:absolute;left:0;bottom:0;width:9px;height:9px;background:#ccc} p{position:absolute;left:60px;white-space:nowrap;font:20px sans-serif;color:#000} #a{top:60px} #b{top:100px}`
	)
	faults := map[string]string{
		"":                      ``,
		"outside the safe area": `#a{left:8px}`,
		"cut off":               `#a{overflow:hidden;width:50px}`,
		"too small":             `#a{font-size:3px;transform:none}`,
		"overlap":               `#b{top:64px}`,
		"contrast":              `#a{color:#aaa}`,
		"empty stage":           `p{visibility:var(--late)}`,
		"still":                 `.ground{transform:none !important}`,
		"leap":                  `body{background:var(--leap)}`,
		"flashing":              `body{background:var(--flash)}`,
	}
	for _, want := range needs.SomeOf(faults) {
		fault := faults[want]
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			p := &project{files: map[string]string{
				"koda.json": `{"schema": 1, "name": "seen", "width": 512, "height": 288, "fps": 15, "duration": 2}`,
				"index.html": `<!doctype html><html><head><style>` + styling + fault + `</style></head><body>` + good + `<script>
const root = document.documentElement.style
window.__exportSeekTo = (t) => {
  document.querySelector('.ground').style.transform = 'translateX(' + Math.round(t * 150) + 'px)'
  root.setProperty('--late', t > 0.9 && t < 1.3 ? 'hidden' : 'visible')
  root.setProperty('--leap', t > 1 ? '#fff' : '#bbb')
  root.setProperty('--flash', Math.round(t * 15) % 2 ? '#fff' : '#e0e0e0')
}
window.__exportSeekTo(0)
window.__exportReady = true</script></body></html>`,
			}}
			got := eye.Judge(p.watch(t, 512, 288), step)
			if want == "" && len(got) > 0 || want != "" && (len(got) == 0 || slices.ContainsFunc(got, func(f koda.Finding) bool { return string(f.Kind) != want })) {
				t.Errorf("the eye tells %q", got)
			}
		})
	}
}
