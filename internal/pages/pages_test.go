package pages_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/pages"
)

func tree(files ...string) fstest.MapFS {
	all := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		all[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return all
}

func look(t *testing.T, files fstest.MapFS, file string, o pages.Options) (pages.Page, pages.Plan) {
	t.Helper()
	page, err := pages.Look(files, "site", file)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := page.Plan(files, o)
	if err != nil {
		t.Fatal(err)
	}
	return page, plan
}

const lottieFile = `{"v": "5.9.0", "fr": 29.97, "ip": 0, "op": 59.94, "w": 800, "h": 601, "layers": []}`

// How koda recognizes each kind of page, and how it makes the page show a time.
func TestKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []string
		kinds []pages.Kind
		way   pages.Way
	}{
		{"css", []string{"index.html", `<style>@keyframes a { to { left: 1px } } b { animation: a 2s }</style><b></b>`}, []pages.Kind{pages.CSS}, pages.WaySeek},
		{"a linked style", []string{"index.html", `<link rel="stylesheet" href="/css/a.css">`, "css/a.css", `@import "b.css";`, "css/b.css", `@keyframes a {} b { animation: a 2s }`}, []pages.Kind{pages.CSS}, pages.WaySeek},
		{"a class put on later", []string{"index.html", `<style>@keyframes a {} .b { animation: a 2s }</style><script>setTimeout(() => document.body.classList.add('b'), 1000)</script>`}, []pages.Kind{pages.CSS}, pages.WayPlay},
		{"waapi", []string{"index.html", `<b></b><script>document.querySelector('b').animate([{ left: 0 }, { left: '9px' }], 2000)</script>`}, []pages.Kind{pages.WAAPI}, pages.WaySeek},
		{"waapi with an end", []string{"index.html", `<script>const a = b.animate([], 2000); a.onfinish = () => {}</script>`}, []pages.Kind{pages.WAAPI}, pages.WayPlay},
		{"smil", []string{"index.html", `<svg><circle><animate attributeName="r" dur="2s"/></circle></svg>`}, []pages.Kind{pages.SMIL}, pages.WaySeek},
		{"video", []string{"index.html", `<video src="a.mp4" autoplay></video>`}, []pages.Kind{pages.Video}, pages.WaySeek},
		{"nothing moves", []string{"index.html", `<h1>hello</h1>`}, nil, pages.WaySeek},
		{"gsap by a tag", []string{"index.html", `<script src="https://cdn.example/gsap@3.12/dist/gsap.min.js"></script><script>gsap.to('b', { x: 9 })</script>`}, []pages.Kind{pages.GSAP}, pages.WaySeek},
		{"gsap by an import", []string{"index.html", `<script type="module" src="/src/main.js"></script>`, "src/main.js", `import { gsap } from 'gsap'; import './more'`, "src/more.ts", "export {}"}, []pages.Kind{pages.GSAP}, pages.WaySeek},
		{"gsap that calls back", []string{"index.html", `<script src="gsap.min.js"></script><script>gsap.to('b', { x: 9, onComplete: () => {} })</script>`}, []pages.Kind{pages.GSAP}, pages.WayPlay},
		{"gsap and a canvas", []string{"index.html", `<canvas></canvas><script src="gsap.min.js"></script><script>c.getContext('2d'); gsap.to(c, { x: 9 })</script>`}, []pages.Kind{pages.GSAP, pages.Canvas}, pages.WayPlay},
		{"anime", []string{"index.html", `<script src="lib/anime.min.js"></script><script>anime({ targets: 'b', left: 9 })</script>`}, []pages.Kind{pages.Anime}, pages.WayPlay},
		{"motion", []string{"index.html", `<script type="module">import { animate } from 'motion'; animate('b', { x: 9 })</script>`}, []pages.Kind{pages.Motion}, pages.WayPlay},
		{"lottie", []string{"index.html", `<script src="lottie.js"></script><script>lottie.loadAnimation({ path: 'a.json' })</script>`, "a.json", lottieFile}, []pages.Kind{pages.Lottie}, pages.WaySeek},
		{"theatre plays", []string{"index.html", `<script type="module">import { getProject } from '@theatre/core'; sheet.sequence.play()</script>`}, []pages.Kind{pages.Theatre}, pages.WayPlay},
		{"theatre stands", []string{"index.html", `<script type="module">import { getProject } from '@theatre/core'; getProject('p').sheet('s')</script>`}, []pages.Kind{pages.Theatre}, pages.WayByHand},
		{"r3f", []string{"index.html", `<script type="module" src="/src/main.tsx"></script>`, "src/main.tsx", "import { App } from '@/App'", "src/App.tsx", "import { Canvas } from '@react-three/fiber'\nimport * as THREE from 'three'\nimport React from 'react'"}, []pages.Kind{pages.R3F, pages.Three, pages.React}, pages.WayPlay},
		{"three", []string{"index.html", `<script type="importmap">{"imports": {"three": "./three.module.js"}}</script><script type="module">import * as THREE from 'three'; requestAnimationFrame(() => {})</script>`}, []pages.Kind{pages.Three}, pages.WayPlay},
		{"p5", []string{"index.html", `<script src="p5.min.js"></script><script>function setup() { createCanvas(640, 360) }</script>`}, []pages.Kind{pages.P5}, pages.WayPlay},
		{"pixi", []string{"index.html", `<script src="pixi.min.js"></script><script>new PIXI.Application()</script>`}, []pages.Kind{pages.Pixi}, pages.WayPlay},
		{"d3", []string{"index.html", `<script src="https://d3js.org/d3.v7.min.js"></script><script>d3.select('b').transition()</script>`}, []pages.Kind{pages.D3}, pages.WayPlay},
		{"zdog", []string{"index.html", `<script src="zdog.dist.min.js"></script><script>new Zdog.Illustration({})</script>`}, []pages.Kind{pages.Zdog}, pages.WayPlay},
		{"canvas", []string{"index.html", `<canvas></canvas><script>c.getContext('2d'); requestAnimationFrame(f)</script>`}, []pages.Kind{pages.Canvas}, pages.WayPlay},
		{"a bundle", []string{"index.html", `<script type="module" src="/assets/index-1.js"></script>`, "package.json", `{"dependencies": {"react": "19", "left-pad": "1"}}`}, []pages.Kind{pages.React}, pages.WayPlay},
		{"some code", []string{"index.html", `<script>setInterval(f)</script>`}, []pages.Kind{pages.Script}, pages.WayPlay},
		{"the contract", []string{"index.html", `<script>window.__exportSeekTo = (t) => {}; window.__exportReady = true</script>`}, []pages.Kind{pages.Script}, pages.WaySeeks},
		{"an svg file", []string{"a.svg", `<svg viewBox="0 0 24 24"><animate dur="1s"/></svg>`}, []pages.Kind{pages.SMIL}, pages.WaySeek},
		{"a lottie file", []string{"a.json", lottieFile, "package.json", "{}"}, []pages.Kind{pages.Lottie}, pages.WaySeek},
	} {
		page, plan := look(t, tree(c.files...), "", pages.Options{})
		if diff := cmp.Diff(c.kinds, page.Kinds); diff != "" || plan.Way != c.way || plan.Why == "" {
			t.Errorf("%s: by %s, want %s; kinds (-want +got):\n%s", c.name, plan.Way, c.way, diff)
		}
		if plan.Manifest.Play != (plan.Way == pages.WayPlay) || (plan.Lines != "") != (plan.Way == pages.WayPlay || plan.Way == pages.WayByHand) {
			t.Errorf("%s: by %s it plays %v, with lines %q", c.name, plan.Way, plan.Manifest.Play, plan.Lines)
		}
		if n := len(plan.Changes); n == 0 || plan.Changes[n-1].Name != "koda.json" {
			t.Errorf("%s: the last change is not koda.json", c.name)
		}
		played, err := page.Plan(tree(c.files...), pages.Options{Play: true})
		if want := c.name != "a lottie file"; err != nil || played.Manifest.Play != want {
			t.Errorf("%s: told to, it plays %v, %v", c.name, played.Manifest.Play, err)
		}
	}
}

// Size, rate and duration come from the files.
func TestMeasures(t *testing.T) {
	t.Parallel()
	type measures struct {
		Width, Height int
		FPS           string
		Duration      float64
	}
	otherwise := measures{1920, 1080, "60", 5}
	with := func(f func(*measures)) measures {
		m := otherwise
		f(&m)
		return m
	}
	size := func(w, h int) measures { return with(func(m *measures) { m.Width, m.Height = w, h }) }
	long := func(s float64) measures { return with(func(m *measures) { m.Duration = s }) }
	css := func(body string) string { return `<style>@keyframes a {} ` + body + `</style>` }
	for html, want := range map[string]measures{
		``: otherwise,
		`<canvas width="800" height="601"></canvas>`:                                                              size(800, 602),
		`<canvas width="16" height="16"></canvas>`:                                                                otherwise,
		`<canvas width="300" height="150"></canvas><canvas width=640 height=360>`:                                 size(640, 360),
		`<script>createCanvas(400, 300); frameRate(25)</script>`:                                                  {400, 300, "25", 5},
		`<script>renderer.setSize(1280, 720)</script>`:                                                            size(1280, 720),
		`<script>c.width = 500; c.height = 400</script>`:                                                          size(500, 400),
		`<style>#stage { width: 1080px; height: 1350px }</style>`:                                                 size(1080, 1350),
		`<style>.ball { width: 200px; height: 200px }</style>`:                                                    otherwise,
		`<body style="width: 600px; height: 400px">`:                                                              size(600, 400),
		`<svg viewBox="0 0 24 12"></svg>`:                                                                         size(1080, 540),
		`<svg viewBox="0 0 24 12"></svg><p>text</p>`:                                                              otherwise,
		`<svg width="640" height="480"></svg>`:                                                                    size(640, 480),
		`<meta name="viewport" content="width=1280, initial-scale=1">`:                                            size(1280, 720),
		`<meta name="viewport" content="width=1080,height=1080">`:                                                 size(1080, 1080),
		`<meta name="viewport" content="width=device-width">`:                                                     otherwise,
		`<canvas width="99999999" height="99999999"></canvas>`:                                                    otherwise,
		css(`b { animation: a 2s ease 500ms } i { animation: a 1s 3 }`):                                           long(3),
		css(`b { animation: a 1.2s infinite alternate }`):                                                         long(2.4),
		css(`b { animation: a 9s infinite } i { animation: a 2s }`):                                               long(2),
		css(`b { animation: a 1s cubic-bezier(.1, 7, 1, 1) .25s, c 4s 2 }`):                                       long(8),
		css(`b { animation-name: a; animation-duration: 3s; animation-delay: 1s; animation-iteration-count: 2 }`): long(7),
		css(`b { animation: var(--all) }`):                                                                        otherwise,
		`<svg width="300" height="200"><animate dur="2s" begin="1s" repeatCount="3"/><animate dur="100ms" repeatCount="indefinite"/></svg>`: {300, 200, "60", 7},
		`<script>b.animate([{ a: 1 }], { duration: 1500, iterations: 2, delay: 500 })</script>`:                                             long(3.5),
		`<script>b.animate({ left: [0, 9] }, 1500)</script>`:                                                                                long(1.5),
	} {
		page, _ := look(t, tree("index.html", html), "", pages.Options{})
		if got := (measures{page.Width, page.Height, page.FPS.String(), page.Duration}); got != want {
			t.Errorf("%s: %+v, want %+v", html, got, want)
		}
	}
	for name, files := range map[string]fstest.MapFS{
		"a Lottie file": tree("a.json", lottieFile),
		"a page of one": tree("index.html", `<script src="lottie.min.js"></script><script src="js/main.js"></script>`, "js/main.js", "lottie.loadAnimation({ path: 'a.json' })", "a.json", lottieFile),
	} {
		page, _ := look(t, files, "", pages.Options{})
		if got, want := (measures{page.Width, page.Height, page.FPS.String(), page.Duration}), (measures{800, 602, "30000/1001", 2}); got != want || page.DurationFrom != "a.json" {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// koda adds one line to a document and changes no other byte.
func TestLine(t *testing.T) {
	t.Parallel()
	const tag = `<script src="koda-seek.js"></script>`
	for doc, want := range map[string]string{
		"<body>\n  <b></b>\n</body>\n":                     "<body>\n  <b></b>\n  @\n</body>\n",
		"\ufeff<html>\r\n\t<body>\r\n\t</body>\r\n</html>": "\ufeff<html>\r\n\t<body>\r\n\t@\r\n\t</body>\r\n</html>",
		"<body><b></b></body></html>":                      "<body><b></b>@</body></html>",
		"<b></b>":                                          "<b></b>\n@",
		"<b></b>\r\n":                                      "<b></b>\r\n@\r\n",
		"":                                                 "@\n",
		"<b></b>\n</html>\n":                               "<b></b>\n@\n</html>\n",
		"<body><script type='x'>'</body>'</script>\n<!-- </body> -->\n</BODY>": "<body><script type='x'>'</body>'</script>\n<!-- </body> -->\n@\n</BODY>",
		"\xff\x00 not UTF-8 </body>": "\xff\x00 not UTF-8 @</body>",
	} {
		files := tree("index.html", doc)
		_, plan := look(t, files, "", pages.Options{})
		for _, c := range plan.Changes {
			files[c.Name] = &fstest.MapFile{Data: c.Data}
		}
		if got, want := string(files["index.html"].Data), strings.ReplaceAll(want, "@", tag); got != want {
			t.Errorf("%q became\n%q, want\n%q", doc, got, want)
		}
		if _, again := look(t, files, "", pages.Options{}); len(again.Changes) > 0 {
			t.Errorf("%q: a second time it writes %v", doc, again.Changes)
		}
		if _, again := look(t, files, "", pages.Options{Force: true, Duration: 7}); len(again.Changes) != 1 || again.Changes[0].Name != "koda.json" {
			t.Errorf("%q: by force it writes %v", doc, again.Changes)
		}
	}
}

// A directory without an index.html gets one. An existing index.html is never
// overwritten.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files fstest.MapFS
		file  string
		holds []string
	}{
		"another page":           {tree("page.html", "<b></b>\n", "node.js", ""), "", []string{"<b></b>\n<script src=\"koda-seek.js\">"}},
		"one of two":             {tree("a.html", "<b></b>\n", "b.html", ""), "a.html", []string{"<b></b>"}},
		"an svg file":            {tree("a.svg", "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 9 9\"></svg>"), "", []string{"<!doctype html>\n", "100vw", "<svg viewBox", "koda-seek.js"}},
		"lottie":                 {tree("a.json", lottieFile), "a.json", []string{"import lottie from 'lottie-web'", "'./a.json'", "__exportReady"}},
		"lottie, and the player": {tree("a.json", lottieFile, "lottie_svg.min.js", ""), "", []string{`<script src="lottie_svg.min.js">`}},
	} {
		page, plan := look(t, c.files, c.file, pages.Options{Directory: "site"})
		for _, change := range plan.Changes {
			c.files[change.Name] = &fstest.MapFile{Data: change.Data}
		}
		for _, want := range c.holds {
			if !bytes.Contains(c.files["index.html"].Data, []byte(want)) {
				t.Errorf("%s: index.html lacks %q:\n%s", name, want, c.files["index.html"].Data)
			}
		}
		if _, err := koda.ParseManifest(c.files["koda.json"].Data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, file := range []string{"", page.File} {
			if _, again := look(t, c.files, file, pages.Options{Directory: "site"}); len(again.Changes) > 0 {
				t.Errorf("%s: a second time it writes %v", name, again.Changes)
			}
		}
		c.files["index.html"] = &fstest.MapFile{Data: []byte("mine")}
		if _, err := page.Plan(c.files, pages.Options{Force: true}); koda.CodeOf(err) != koda.CodeExists || koda.HintOf(err) == "" {
			t.Errorf("%s: over another index.html: %v", name, err)
		}
	}
}

// If a directory holds no page, or a file is in the way, the error says what to do.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files      fstest.MapFS
		file       string
		code       koda.Code
		says, hint string
	}{
		"nothing":        {tree("readme.md", ""), "", koda.CodeNotFound, "no page in site", "koda new"},
		"two pages":      {tree("a.html", "", "b.htm", ""), "", koda.CodeUsage, "2 other pages: a.html, b.htm", "koda init site/a.html"},
		"two pictures":   {tree("a.svg", "", "b.svg", ""), "", koda.CodeUsage, "a.svg, b.svg", "koda init site/a.svg"},
		"a built page":   {tree("dist/index.html", "", "package.json", "{}"), "", koda.CodeNotFound, "site has no index.html", "koda init site/dist"},
		"a picture":      {tree("a.png", ""), "a.png", koda.CodeUsage, "a.png is not a page", "HTML"},
		"some JSON":      {tree("a.json", `{"w": 1}`), "a.json", koda.CodeUsage, "not a Lottie file", "layers"},
		"UTF-16":         {tree("index.html", "\xff\xfe<\x00"), "", koda.CodeUsage, "UTF-16", "UTF-8"},
		"a bad manifest": {tree("index.html", "", "koda.json", "{"), "", koda.CodeInvalidInput, "koda.json: ", "write it like"},
		"no file":        {tree("index.html/a", ""), "", koda.CodeUsage, "index.html cannot be read: ", "move it away"},
		"no manifest":    {tree("index.html", "", "koda.json/a", ""), "", koda.CodeUsage, "koda.json cannot be read: ", "move it away"},
		"in the way":     {tree("index.html", "", "koda-seek.js", "mine"), "", koda.CodeExists, "koda-seek.js is there", "--play"},
	} {
		page, err := pages.Look(c.files, "site", c.file)
		if err == nil {
			_, err = page.Plan(c.files, pages.Options{})
		}
		if koda.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.says) || !strings.Contains(koda.HintOf(err), c.hint) {
			t.Errorf("%s: %v (%s, %s)", name, err, koda.CodeOf(err), koda.HintOf(err))
		}
	}
}

// An existing koda.json stays, and the person's flags win over the page's files.
func TestOptions(t *testing.T) {
	t.Parallel()
	files := tree("index.html", `<canvas width="800" height="600"></canvas><script>requestAnimationFrame(f)</script>`)
	_, plan := look(t, files, "", pages.Options{Directory: "site\x1b", Width: 400, FPS: koda.FPS{Num: 25, Den: 1}, Duration: 2})
	want := koda.Manifest{Schema: 1, Name: "site", Width: 400, Height: 300, FPS: koda.FPS{Num: 25, Den: 1}, Duration: 2, Play: true}
	if diff := cmp.Diff(want, plan.Manifest); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	files["koda.json"] = &fstest.MapFile{Data: []byte(`{"schema": 1, "width": 640, "height": 360, "fps": 24, "duration": 1}`)}
	if _, plan := look(t, files, "", pages.Options{}); len(plan.Changes) > 0 || plan.Manifest.Width != 640 {
		t.Errorf("it writes %v", plan.Changes)
	}
	if _, plan := look(t, files, "", pages.Options{Force: true}); len(plan.Changes) != 1 || plan.Manifest.Width != 800 {
		t.Errorf("by force it writes %v", plan.Changes)
	}
}
