package eye

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/koda"
)

// All bounds are shares of the frame or of its shorter side.
const (
	safe      = 0.06  // of each side may be covered or cut
	small     = 0.019 // letters below it cannot be read on a phone
	large     = 0.04  // letters above it need less contrast
	overlaps  = 0.12  // of the smaller text may lie under another one
	hidden    = 0.12  // of a text may be cut off
	stillness = 0.7   // seconds without a change
	flashes   = 3     // a second
)

// Judge tells what is wrong with a video of which the eye saw stretches of neighbouring
// frames. Texts that stand where they stood some frames before, step, are at rest.
func Judge(stretches [][]Sight, step int) []koda.Finding {
	var f findings
	for _, sights := range stretches {
		for i, s := range sights {
			if i >= step && s.Bare != nil && !s.View.Changing {
				f.resting(s, sights[i-step].View)
			}
		}
		empty(&f, sights)
		moves(&f, sights)
		flashing(&f, sights)
	}
	return f.list
}

// JudgeFrames tells what is wrong with single frames. Before are the views of the page a
// moment before each frame; nil where there is none.
func JudgeFrames(sights []Sight, before []*View) []koda.Finding {
	var f findings
	shown, out := map[string]bool{}, map[string]Sight{}
	blank := 0
	for i, s := range sights {
		if before[i] != nil && !s.View.Changing {
			f.resting(s, *before[i])
		}
		if Flat(s.Picture) {
			f.add(s, koda.FindingBlank, "the whole picture has one colour")
			blank++
		}
		for _, t := range s.View.Texts {
			if t.Ink.meet(s.View.frame()).area() > 0 {
				shown[t.Text] = true
			} else if _, ok := out[t.Text]; !ok {
				out[t.Text] = s
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(out)) {
		if !shown[text] && says(text) {
			f.add(out[text], koda.FindingOutside, fmt.Sprintf("%q is outside of the frame each time it was looked for", text))
		}
	}
	if blank > 1 && blank == len(sights) {
		f.list = slices.DeleteFunc(f.list, func(k koda.Finding) bool { return k.Kind == koda.FindingBlank })
		f.add(sights[0], koda.FindingBlank, "every picture has one colour only; nothing is drawn")
		f.list[len(f.list)-1].Serious = true
	}
	return f.list
}

// findings are what is wrong, each with the second at which it was seen first.
type findings struct {
	list []koda.Finding
	told map[string]bool
	// Texts that were hard to read once.
	faint map[string]bool
}

// again reports whether it was asked the same before.
func (f *findings) again(text string) bool {
	if f.faint[text] {
		return true
	}
	if f.faint == nil {
		f.faint = map[string]bool{}
	}
	f.faint[text] = true
	return false
}

func (f *findings) add(s Sight, kind koda.FindingKind, about string) {
	if f.told == nil {
		f.told = map[string]bool{}
	}
	if key := string(kind) + about; !f.told[key] {
		f.told[key] = true
		f.list = append(f.list, koda.Finding{Seconds: s.Seconds, Kind: kind, About: about})
	}
}

// resting looks at the texts that stand where they stood a moment before. A text that is
// wholly outside of the frame waits there.
func (f *findings) resting(s Sight, before View) {
	short := min(s.View.Width, s.View.Height)
	was := byText(before.Texts)
	var rest []Text
	for key, t := range byText(s.View.Texts) {
		if b, ok := was[key]; ok && t.Ink.far(b.Ink) < 0.006*short && math.Abs(t.Opacity-b.Opacity) < 0.02 && t.Opacity > 0.3 && t.Seen.meet(s.View.frame()).area() > 0 {
			rest = append(rest, t)
		}
	}
	slices.SortFunc(rest, func(a, b Text) int { return strings.Compare(a.Text, b.Text) })
	room := Rect{safe * s.View.Width, safe * s.View.Height, (1 - safe) * s.View.Width, (1 - safe) * s.View.Height}
	for i, t := range rest {
		if out := t.Seen.far(t.Seen.meet(room)); out > 0.004*short {
			f.add(s, koda.FindingOutside, fmt.Sprintf("%q reaches %.1f %% of the shorter side into the margin of %.0f %%", s.View.line(t), 100*out/short, 100*safe))
		}
		if t.Seen.area() < (1-hidden)*t.Ink.area() {
			f.add(s, koda.FindingCut, fmt.Sprintf("a part of %q is hidden", s.View.line(t)))
		}
		if t.Font < small*short {
			f.add(s, koda.FindingSmall, fmt.Sprintf("%q has letters of %.1f %% of the shorter side", s.View.line(t), 100*t.Font/short))
		}
		for _, o := range rest[i+1:] {
			if t.Line != o.Line && says(t.Text) && says(o.Text) && t.Seen.meet(o.Seen).area() > overlaps*min(t.Seen.area(), o.Seen.area()) {
				f.add(s, koda.FindingOverlap, fmt.Sprintf("%q and %q", s.View.line(t), s.View.line(o)))
			}
		}
		least := 4.5
		if t.Font > large*short || t.Font > 0.75*large*short && t.Weight >= 600 {
			least = 3
		}
		// What flies past behind a letter does so once.
		if got, ok := contrastOf(s, t); ok && got < least*0.97 && f.again(t.Text) {
			f.add(s, koda.FindingContrast, fmt.Sprintf("%q has %.1f:1 and needs %.1f:1", s.View.line(t), got, least))
		}
	}
}

// says reports whether a text is more than signs, which fill little of their boxes.
func says(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0
}

// byText names texts by what they say and which of that name they are.
func byText(texts []Text) map[string]Text {
	out, n := map[string]Text{}, map[string]int{}
	for _, t := range texts {
		n[t.Text]++
		out[fmt.Sprintf("%d %s", n[t.Text], t.Text)] = t
	}
	return out
}

// contrastOf is the contrast of a text with what lies behind its letters; where that
// differs, nearly the least.
func contrastOf(s Sight, t Text) (float64, bool) {
	if !says(t.Text) || s.Bare == nil {
		return 0, false
	}
	type point struct {
		d         int
		ink, back [3]int
	}
	k := float64(s.Picture.Bounds().Dx()) / s.View.Width
	var points []point
	for y := int(t.Seen.Top * k); y < int(math.Ceil(t.Seen.Bottom*k)); y++ {
		for x := int(t.Seen.Left * k); x < int(math.Ceil(t.Seen.Right*k)); x++ {
			if !(image.Point{x, y}).In(s.Picture.Bounds()) {
				continue
			}
			ink, back := rgb(s.Picture, x, y), rgb(s.Bare, x, y)
			if d := max(off(ink[0], back[0]), off(ink[1], back[1]), off(ink[2], back[2])); d > 24 {
				points = append(points, point{d, ink, back})
			}
		}
	}
	if len(points) < 6 {
		return 0, false
	}
	slices.SortFunc(points, func(a, b point) int { return b.d - a.d })
	points = points[:max(len(points)/3, 6)]
	var r, g, b, a float64
	fill := fillOf(t.Fill, &r, &g, &b, &a)
	a *= t.Opacity
	var ratios []float64
	for _, p := range points {
		ink := [3]float64{float64(p.ink[0]), float64(p.ink[1]), float64(p.ink[2])}
		if fill {
			for i, v := range [3]float64{r, g, b} {
				ink[i] = v*a + float64(p.back[i])*(1-a)
			}
		}
		one, two := luminance(ink[0], ink[1], ink[2]), luminance(float64(p.back[0]), float64(p.back[1]), float64(p.back[2]))
		ratios = append(ratios, (max(one, two)+0.05)/(min(one, two)+0.05))
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/7], true
}

func off(a, b int) int { return max(a-b, b-a) }

func fillOf(css string, r, g, b, a *float64) bool {
	if _, err := fmt.Sscanf(css, "rgba(%f, %f, %f, %f)", r, g, b, a); err == nil {
		return *a > 0
	}
	*a = 1
	_, err := fmt.Sscanf(css, "rgb(%f, %f, %f)", r, g, b)
	return err == nil
}

func luminance(r, g, b float64) float64 {
	linear := func(v float64) float64 {
		if v /= 255; v > 0.04045 {
			return math.Pow((v+0.055)/1.055, 2.4)
		}
		return v / 12.92
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// empty finds frames on which nothing but the backdrop is.
func empty(f *findings, sights []Sight) {
	for _, s := range sights {
		if s.Ground != nil && s.View.Ground && s.Seconds > 0.2 && differing(s.Picture, s.Ground, 12) < 0.0004 {
			f.add(s, koda.FindingEmpty, "there is nothing but the backdrop")
		}
	}
}

// moves finds stretches in which nothing moves, and leaps.
func moves(f *findings, sights []Sight) {
	since := 0
	for i := 1; i < len(sights); i++ {
		s, b := sights[i], sights[i-1]
		if differing(s.Picture, b.Picture, 3) > 0.0003 {
			since = i
		} else if s.Seconds-sights[since].Seconds > stillness {
			f.add(sights[since], koda.FindingStill, fmt.Sprintf("nothing moves for more than %.1f s", stillness))
		}
		if share := differing(s.Picture, b.Picture, 56); share > 0.3 && !s.View.Changing && !b.View.Changing && s.View.Scene == b.View.Scene {
			f.add(s, koda.FindingLeap, fmt.Sprintf("%.0f %% of the frame is another", 100*share))
		}
	}
}

// differing is the share of pixels in which two pictures differ by more than limit.
func differing(a, b *image.NRGBA, limit int) float64 {
	n := 0
	for i := 0; i+3 < len(a.Pix); i += 4 {
		if off(int(a.Pix[i]), int(b.Pix[i])) > limit || off(int(a.Pix[i+1]), int(b.Pix[i+1])) > limit || off(int(a.Pix[i+2]), int(b.Pix[i+2])) > limit {
			n++
		}
	}
	return float64(n) / float64(len(a.Pix)/4)
}

// flashing finds light that goes up and down by a tenth on a quarter of the frame, more
// than three times a second.
func flashing(f *findings, sights []Sight) {
	const blocks = 12
	type turn struct {
		extreme float64
		up      bool
		at      []float64
	}
	turns := make([]turn, blocks*blocks)
	for i, s := range sights {
		many := 0
		for n := range turns {
			t, v := &turns[n], light(s.Picture, n%blocks, n/blocks, blocks)
			switch {
			case i == 0:
				t.extreme = v
			case (v > t.extreme) == t.up && v != t.extreme:
				t.extreme = v
			case math.Abs(v-t.extreme) >= 0.1:
				t.extreme, t.up, t.at = v, !t.up, append(t.at, s.Seconds)
			}
			for len(t.at) > 0 && t.at[0] < s.Seconds-1 {
				t.at = t.at[1:]
			}
			if len(t.at) > 2*flashes {
				many++
			}
		}
		if many*4 > len(turns) {
			f.add(s, koda.FindingFlashing, fmt.Sprintf("more than %d times a second", flashes))
		}
	}
}

// light is the mean luminance of a block of a picture.
func light(p *image.NRGBA, column, row, blocks int) float64 {
	w, h := p.Bounds().Dx()/blocks, p.Bounds().Dy()/blocks
	sum, n := 0.0, 0
	for y := row * h; y < (row+1)*h; y += 3 {
		for x := column * w; x < (column+1)*w; x += 3 {
			i := p.PixOffset(x, y)
			sum += luminance(float64(p.Pix[i]), float64(p.Pix[i+1]), float64(p.Pix[i+2]))
			n++
		}
	}
	return sum / float64(n)
}
