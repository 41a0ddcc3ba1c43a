package pages

import (
	"encoding/json"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/koda-video/koda/internal/koda"
)

// mostLottie bounds the size of a Lottie file, in bytes.
const mostLottie = 32 << 20

// leastStage is the smallest side of a stage, in pixels. A drawing made of shapes that is
// smaller than smallShape is shown at the size grown.
const (
	leastStage = 100
	smallShape = 480
	grown      = 1080
)

// lottie is what a Lottie file says about itself.
type lottie struct {
	name     string
	W, H     float64
	FR       float64
	IP, OP   float64
	Layers   []json.RawMessage
	duration float64
}

// readLottie reads a Lottie file; nil if the file is something else.
func readLottie(name string, data []byte) *lottie {
	l := &lottie{name: name}
	if json.Unmarshal(data, l) != nil || l.W <= 0 || l.H <= 0 || l.FR <= 0 || l.OP <= l.IP || l.Layers == nil {
		return nil
	}
	l.duration = (l.OP - l.IP) / l.FR
	return l
}

var lottiePath = regexp.MustCompile(`(?:path\s*:|\bfrom|\bimport|\bfetch\()\s*["'` + "`" + `]([^"'` + "`" + `\n]+\.json)["'` + "`" + `]`)

// findLottie is the Lottie file that a page plays; nil if it plays none.
func (s *source) findLottie() *lottie {
	for _, sc := range s.scripts {
		for _, m := range lottiePath.FindAllStringSubmatch(sc.text, -1) {
			for _, base := range []string{path.Dir(sc.name), ".", "public"} {
				name := s.find(base, m[1])
				if name == "" {
					continue
				}
				info, err := fs.Stat(s.files, name)
				if err != nil || info.Size() > mostLottie {
					continue
				}
				if data, err := fs.ReadFile(s.files, name); err == nil {
					if l := readLottie(name, data); l != nil {
						return l
					}
				}
			}
		}
	}
	return nil
}

// measure finds size, rate and duration.
func (p *Page) measure() {
	p.Width, p.Height, p.FPS, p.Duration = koda.DefaultWidth, koda.DefaultHeight, koda.DefaultFPS, koda.DefaultDuration
	l := p.lottie
	if l == nil && slices.Contains(p.Kinds, Lottie) {
		l = p.source.findLottie()
	}
	if l != nil {
		if w, h, ok := fit(l.W, l.H, true); ok {
			p.Width, p.Height, p.SizeFrom = w, h, l.name
		}
		if fps, err := koda.ParseFPS(strconv.FormatFloat(l.FR, 'g', -1, 64)); err == nil {
			p.FPS, p.FPSFrom = fps, l.name
		}
		p.setDuration(l.duration, l.name)
	}
	if p.source == nil {
		return
	}
	if w, h, from := p.source.size(ending(p.File) == ".svg"); p.SizeFrom == "" && from != "" {
		p.Width, p.Height, p.SizeFrom = w, h, from
	}
	if p.FPSFrom == "" {
		if m := rates.FindStringSubmatch(p.source.all()); m != nil {
			if fps, err := koda.ParseFPS(m[1]); err == nil {
				p.FPS, p.FPSFrom = fps, "its code"
			}
		}
	}
	if p.DurationFrom == "" && !slices.ContainsFunc(p.Kinds, isLibrary) {
		p.setDuration(p.source.duration())
	}
}

var rates = regexp.MustCompile(`\b(?:frameRate|ticker\.fps)\(\s*(\d+)\s*\)`)

func (p *Page) setDuration(seconds float64, from string) {
	if seconds = math.Round(seconds*1000) / 1000; from != "" && seconds > 0 {
		p.Duration, p.DurationFrom = min(seconds, koda.MaxDuration), from
	}
}

func isLibrary(k Kind) bool {
	return slices.ContainsFunc(libraries, func(l library) bool { return l.kind == k })
}

// fit makes a size that videos can have: even sides within the limits. A drawing made of
// shapes may be larger than it says.
func fit(w, h float64, shapes bool) (int, int, bool) {
	if longest := max(w, h); shapes && longest > 0 && longest < smallShape {
		w, h = w*grown/longest, h*grown/longest
	}
	even := func(v float64) int { return 2 * int(math.Ceil(math.Min(v, 1e6)/2-1e-9)) }
	x, y := even(w), even(h)
	return x, y, x >= koda.MinSide && y >= koda.MinSide && x <= koda.MaxSide && y <= koda.MaxSide
}

var (
	sizeCalls = []struct {
		in   *regexp.Regexp
		from string
	}{
		{regexp.MustCompile(`\bcreateCanvas\(\s*(\d+)\s*,\s*(\d+)`), "createCanvas"},
		{regexp.MustCompile(`\bsetSize\(\s*(\d+)\s*,\s*(\d+)`), "setSize"},
		{regexp.MustCompile(`\bPIXI\.Application\(\s*\{[^}]*\bwidth\s*:\s*(\d+)\s*,\s*height\s*:\s*(\d+)`), "the PixiJS application"},
		{regexp.MustCompile(`\.init\(\s*\{[^}]*\bwidth\s*:\s*(\d+)\s*,\s*height\s*:\s*(\d+)`), "the PixiJS application"},
		{regexp.MustCompile(`\.width\s*=\s*(\d+)[\s;,]+(?:[\w.]+)\.height\s*=\s*(\d+)`), "the canvas"},
	}
	rule     = regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	stages   = regexp.MustCompile(`(?i)^(html|body|main|[#.](stage|scene|container|app|root|wrap|wrapper|canvas|frame|card|viewport|artboard|animation|demo))$`)
	cssWide  = regexp.MustCompile(`(?:^|[;\s])width\s*:\s*([\d.]+)px`)
	cssHigh  = regexp.MustCompile(`(?:^|[;\s])height\s*:\s*([\d.]+)px`)
	metaWide = regexp.MustCompile(`\bwidth\s*=\s*(\d+)`)
	metaHigh = regexp.MustCompile(`\bheight\s*=\s*(\d+)`)
)

// size is the size that a page says it has, and where it says so.
func (s *source) size(svgOnly bool) (width, height int, from string) {
	best := 0.0
	take := func(w, h float64, what string, shapes bool) {
		if min(w, h) < leastStage && !(shapes && min(w, h) > 0) || w*h <= best {
			return
		}
		if x, y, ok := fit(w, h, shapes); ok {
			best, width, height, from = w*h, x, y, what
		}
	}
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "px"), 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return 0
		}
		return v
	}
	for _, tag := range s.tags {
		if tag.Data == "canvas" {
			take(number(attribute(tag, "width")), number(attribute(tag, "height")), "its canvas", false)
		}
	}
	code := s.all()
	for _, c := range sizeCalls {
		for _, m := range c.in.FindAllStringSubmatch(code, -1) {
			take(number(m[1]), number(m[2]), c.from, false)
		}
	}
	for _, m := range rule.FindAllStringSubmatch(s.css(), -1) {
		w, h := cssWide.FindStringSubmatch(m[2]), cssHigh.FindStringSubmatch(m[2])
		for _, selector := range strings.Split(m[1], ",") {
			if selector = strings.TrimSpace(selector); w != nil && h != nil && stages.MatchString(selector) {
				take(number(w[1]), number(h[1]), "the style of "+selector, false)
			}
		}
	}
	if from != "" {
		return width, height, from
	}
	if i := slices.IndexFunc(s.tags, func(t html.Token) bool { return t.Data == "svg" }); i >= 0 && (svgOnly || s.count("svg") == 1 && s.texts == 0) {
		w, h := number(attribute(s.tags[i], "width")), number(attribute(s.tags[i], "height"))
		box := strings.FieldsFunc(attribute(s.tags[i], "viewbox"), func(r rune) bool { return r == ' ' || r == ',' })
		if (w == 0 || h == 0) && len(box) == 4 {
			w, h = number(box[2]), number(box[3])
		}
		take(w, h, "its SVG", len(box) == 4)
	}
	for _, tag := range s.tags {
		if tag.Data == "meta" && strings.EqualFold(attribute(tag, "name"), "viewport") && from == "" {
			content := attribute(tag, "content")
			if w := metaWide.FindStringSubmatch(content); w != nil {
				h := number(w[1]) * 9 / 16
				if m := metaHigh.FindStringSubmatch(content); m != nil {
					h = number(m[1])
				}
				take(number(w[1]), h, "its meta viewport", false)
			}
		}
	}
	return width, height, from
}
