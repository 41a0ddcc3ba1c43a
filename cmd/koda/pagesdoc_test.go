package main

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/needs"
)

// docBlock is a file of a page in docs/pages.md.
var docBlock = regexp.MustCompile("(?ms)^```[a-z]+ ([a-z0-9]+)/(\\S+)$\n(.*?)^```$")

// docPackage matches the text of a page that needs an installed package.
var docPackage = regexp.MustCompile(`node_modules/|from '(gsap|animejs|motion|lottie-web|p5|pixi\.js|d3|zdog)'`)

// initPages are pages without a seek. For some koda init writes a seek that cannot
// be wrong; the others play by themselves.
var initPages = map[string]string{
	"gsap-tweens": `<!doctype html><body style="margin: 0"><div id="box" style="width: 100px; height: 100px; background: #f00"></div>
<script src="node_modules/gsap/dist/gsap.min.js"></script>
<script>gsap.to('#box', { x: 200, duration: 1, ease: 'none' }); gsap.to('#box', { x: 400, duration: 1, delay: 1, ease: 'none' })</script>`,
	"gsap-module": `<!doctype html><body style="margin: 0"><div id="box" style="width: 100px; height: 100px; background: #f00"></div>
<script type="module">import { gsap } from 'gsap'
gsap.timeline({ delay: 0 }).to('#box', { x: 400, duration: 2, ease: 'none' })</script>`,
	"lottie-plays": `<!doctype html><body style="margin: 0"><div id="stage" style="width: 640px; height: 360px"></div>
<script src="node_modules/lottie-web/build/player/lottie.min.js"></script>
<script type="module">import animationData from './square.json'
lottie.loadAnimation({ container: stage, renderer: 'svg', loop: true, autoplay: true, animationData })</script>`,
	"css-loop": `<!doctype html><style>@keyframes go { to { transform: translateX(400px) } }
body { margin: 0 } div { width: 100px; height: 100px; background: #f00; animation: go 2s linear infinite }</style><div></div>`,
	"smil-loop": `<body style="margin: 0"><svg width="640" height="360"><rect width="100" height="100" fill="#f00">
<animate attributeName="x" from="0" to="400" dur="2s" repeatCount="indefinite"/></rect></svg>`,
}

// TestPagesDoc draws the pages of docs/pages.md, and pages that koda init prepared,
// at 0.5 s and 1.5 s: their square must be in the right place. `make test` draws a
// few pages, `make corpus` all.
func TestPagesDoc(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	c := newCorpus(t)
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "pages.md"))
	must(t, err)
	all := map[string]map[string]string{}
	for _, m := range docBlock.FindAllStringSubmatch(string(text), -1) {
		if all[m[1]] == nil {
			all[m[1]] = map[string]string{"koda.json": fmt.Sprintf(`{"schema": 1, "name": %q, "width": 640, "height": 360, "fps": 30, "duration": 2}`, m[1])}
		}
		all[m[1]][m[2]] = m[3]
	}
	if len(all) < 16 {
		t.Fatalf("docs/pages.md has %d pages", len(all))
	}
	for name, html := range initPages {
		all[name] = map[string]string{"index.html": html}
		if strings.HasPrefix(name, "lottie") {
			all[name]["square.json"] = all["lottie"]["square.json"]
		}
	}
	home := t.TempDir()
	for name, files := range all {
		npm := false
		for _, text := range files {
			npm = npm || docPackage.MatchString(text)
		}
		if !c.each && !slices.Contains([]string{"css-loop", "canvas", "plays", "theatre"}, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), name)
			must(t, os.MkdirAll(dir, 0o755))
			for file, text := range files {
				must(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			if npm {
				modules, err := c.modules()
				must(t, err)
				must(t, sameFiles(modules, filepath.Join(dir, "node_modules")))
			}
			c.squares(t, home, dir, name == "plays")
		})
	}
}

// squares draws a page at both times on one sheet, and finds the square in each
// picture.
func (c *corpus) squares(t *testing.T, home, dir string, plays bool) {
	t.Helper()
	picture := filepath.Join(t.TempDir(), "sheet.png")
	if _, err := os.Stat(filepath.Join(dir, "koda.json")); err != nil {
		if d := c.draw(t, home, "", "init", dir, "--width", "640", "--height", "360", "--fps", "30", "--duration", "2"); d.ExitCode != 0 {
			t.Fatal(d.said())
		}
	}
	if d := c.draw(t, home, "", "sheet", dir, "--columns", "1", "--rows", "2", "--width", "640", "-o", picture); d.ExitCode != 0 {
		t.Fatal(d.said())
	}
	f, err := os.Open(picture)
	must(t, err)
	defer f.Close() //nolint:errcheck // only read
	img, err := png.Decode(f)
	must(t, err)
	near := 1.0 // pixels
	if plays {  // like a page that a person watches, it is at most a frame late
		near = 200.0 / 30
	}
	for i, want := range []float64{100, 300} {
		const gap = 640 / 40
		var columns []int
		top := gap + i*(360+gap)
		for x := range 640 {
			for y := range 360 {
				if r, g, b, _ := img.At(gap+x, top+y).RGBA(); r>>8 > 200 && g>>8 < 60 && b>>8 < 60 {
					columns = append(columns, x)
					break
				}
			}
		}
		if len(columns) < 99 || len(columns) > 102 || float64(slices.Min(columns)) < want-near-1 || float64(slices.Min(columns)) > want+near {
			t.Errorf("picture %d: the square is in the columns %v, want 100 from %v", i, columns, want)
		}
	}
}
