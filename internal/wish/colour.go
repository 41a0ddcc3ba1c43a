package wish

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lucasb-eyer/go-colorful"
)

// cssFunctions are the functions of CSS that give a colour.
var cssFunctions = map[string]bool{"rgb": true, "rgba": true, "hsl": true, "hsla": true, "hwb": true, "lab": true, "lch": true, "oklab": true, "oklch": true}

// parseCSS reads #rgb, #rrggbb and the colour functions of CSS, in lower case. Opacity is
// left out: nothing here has any.
func parseCSS(s string) (hex string, ok bool) {
	if digits, ok := strings.CutPrefix(s, "#"); ok {
		for i := range len(digits) {
			if !isHex(digits[i]) {
				return "", false
			}
		}
		switch len(digits) {
		case 3, 4:
			return "#" + strings.Repeat(digits[:1], 2) + strings.Repeat(digits[1:2], 2) + strings.Repeat(digits[2:3], 2), true
		case 6, 8:
			return "#" + digits[:6], true
		}
		return "", false
	}
	name, rest, _ := strings.Cut(s, "(")
	rest, closed := strings.CutSuffix(strings.TrimSpace(rest), ")")
	fields := strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if !cssFunctions[name] || !closed || len(fields) < 3 {
		return "", false
	}
	var v [3]float64
	for i := range v {
		f := strings.TrimSuffix(fields[i], "deg")
		n, err := strconv.ParseFloat(strings.TrimSuffix(f, "%"), 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return "", false
		}
		v[i] = n
		if strings.HasSuffix(f, "%") {
			v[i] /= 100
		}
	}
	percent := strings.HasSuffix(fields[0], "%")
	var c colorful.Color
	switch name[:3] {
	case "rgb":
		if !percent {
			v[0], v[1], v[2] = v[0]/255, v[1]/255, v[2]/255
		}
		if min(v[0], v[1], v[2]) < 0 || max(v[0], v[1], v[2]) > 1 {
			return "", false
		}
		c = colorful.Color{R: v[0], G: v[1], B: v[2]}
	case "hsl":
		c = colorful.Hsl(v[0], v[1], v[2])
	case "hwb":
		hue := colorful.Hsl(v[0], 1, 0.5)
		w, b := v[1], v[2]
		if w+b > 1 {
			w, b = w/(w+b), b/(w+b)
		}
		mix := func(u float64) float64 { return u*(1-w-b) + w }
		c = colorful.Color{R: mix(hue.R), G: mix(hue.G), B: mix(hue.B)}
	case "lab", "lch":
		if !percent {
			v[0] /= 100
		}
		c = colorful.Lab(v[0], v[1]/100, v[2]/100)
		if name == "lch" {
			c = colorful.Hcl(v[2], v[1]/100, v[0])
		}
	default:
		c = colorful.OkLab(v[0], v[1], v[2])
		if name == "oklch" {
			return within(v[0], v[1], v[2]), true
		}
	}
	return c.Clamped().Hex(), true
}

// within is the nearest colour in OKLCH that a screen can show: the chroma changes before the hue does.
func within(l, c, h float64) string {
	l = min(max(l, 0), 1)
	fits := func(c float64) bool {
		v := colorful.OkLch(l, c, h)
		return min(v.R, v.G, v.B) > -0.002 && max(v.R, v.G, v.B) < 1.002
	}
	if !fits(c) {
		low, high := 0.0, c
		for range 20 {
			if mid := (low + high) / 2; fits(mid) {
				low = mid
			} else {
				high = mid
			}
		}
		c = low
	}
	return colorful.OkLch(l, c, h).Clamped().Hex()
}

// tone is what a word such as "dark" does to a colour: factors for the distance of the
// lightness to black, and to white (given as 1 minus), and for the chroma.
type tone [3]float64

func (t tone) apply(hex string) string {
	l, c, h := lch(hex)
	return within(1-(1-l*t[0])*(1-t[1]), c*t[2], h)
}

func lch(hex string) (l, c, h float64) {
	v, err := colorful.Hex(hex)
	if err != nil {
		panic(fmt.Sprintf("wish: colour %q", hex)) // values come from parseCSS
	}
	return v.OkLch()
}

// Shade makes a colour, given as #rrggbb, lighter by a part of 1, or darker below 0. It never becomes white or black at once.
func Shade(hex string, by float64) string {
	const most = 0.7 // of the way to white or black
	l, c, h := lch(hex)
	return within(l+max(min(by, most*(1-l)), -most*l), c, h)
}

// Opposite is a colour of the same lightness, given as #rrggbb, with another hue.
func Opposite(hex string) string {
	l, c, h := lch(hex)
	return within(l, max(c, 0.1), h+150)
}

// akin reports whether a colour may be a kind of another: navy is a kind of blue, and maroon is no kind of white.
func akin(a, b string) bool {
	_, ca, ha := lch(a)
	_, cb, hb := lch(b)
	if ca < 0.04 || cb < 0.04 { // at least one is grey
		return ca < 0.08
	}
	d := math.Abs(ha - hb)
	return min(d, 360-d) < 100
}

// Near reports whether two colours, given as #rrggbb, have the same name for most people.
func Near(a, b string) bool {
	la, ca, ha := lch(a)
	lb, cb, hb := lch(b)
	if ca < 0.04 || cb < 0.04 { // at least one is grey
		return ca < 0.04 && cb < 0.04 && math.Abs(la-lb) < 0.25
	}
	d := math.Abs(ha - hb)
	return min(d, 360-d) < 28 && math.Abs(la-lb) < 0.35
}
