package recipe

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// parseColour reads a colour as a parameter holds it: a name, #rgb, #rrggbb or
// rgb(r, g, b). It returns #rrggbb; false if s is no colour.
func parseColour(s string) (string, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if strings.HasPrefix(s, "#") {
		return parseHex(s)
	}
	if inside, ok := strings.CutPrefix(s, "rgb("); ok {
		return parseRGB(strings.TrimSuffix(inside, ")"))
	}
	var parts []string
	for _, t := range tokens(s) {
		if t.kind != word {
			return "", false
		}
		parts = append(parts, t.text)
	}
	value, n := colourOf(parts)
	return value, n > 0 && n == len(parts)
}

func parseHex(s string) (string, bool) {
	digits := s[1:]
	for i := range len(digits) {
		if !isHex(digits[i]) {
			return "", false
		}
	}
	switch len(digits) {
	case 3, 4: // the fourth digit is opacity, which nothing here has
		var b strings.Builder
		b.WriteByte('#')
		for i := range 3 {
			b.WriteByte(digits[i])
			b.WriteByte(digits[i])
		}
		return b.String(), true
	case 6, 8:
		return "#" + digits[:6], true
	}
	return "", false
}

func parseRGB(s string) (string, bool) {
	fields := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
	if len(fields) < 3 {
		return "", false
	}
	var v [3]int
	for i := range v {
		n, err := strconv.Atoi(fields[i])
		if err != nil || n < 0 || n > 255 {
			return "", false
		}
		v[i] = n
	}
	return fmt.Sprintf("#%02x%02x%02x", v[0], v[1], v[2]), true
}

// colourNames lists the names of colours, the plain ones first.
func colourNames() []string {
	return append(slices.Sorted(maps.Keys(saidColours)), slices.Sorted(maps.Keys(cssColours))...)
}

// shades are the words that change a colour's tone: factors for the distance of its
// lightness to black (below 1) or to white (given as 1 minus), and for its chroma.
var shades = map[string]struct{ dark, light, chroma float64 }{
	"dark": {0.6, 0, 1}, "deep": {0.68, 0, 1.1}, "light": {1, 0.45, 0.75}, "pale": {1, 0.6, 0.5}, "pastel": {1, 0.5, 0.55}, "soft": {1, 0.3, 0.7},
	"bright": {1, 0.1, 1.25}, "vivid": {1, 0.05, 1.3}, "neon": {1, 0.15, 1.5}, "muted": {1, 0.08, 0.5}, "dusty": {1, 0.15, 0.45}, "medium": {1, 0, 1},
}

// colourOf reads a colour at the beginning of words: "red", "navy blue", "dark
// green", "light red". n is the number of words, 0 when no colour begins there.
func colourOf(parts []string) (value string, n int) {
	if len(parts) == 0 {
		return "", 0
	}
	spelt := func(s string) string { return strings.ReplaceAll(s, "grey", "gray") }
	lookup := func(s string) string {
		if v := saidColours[spelt(s)]; v != "" {
			return v
		}
		return cssColours[spelt(s)]
	}
	for n := min(3, len(parts)); n >= 2; n-- { // "sky blue" is skyblue
		joined := strings.Join(parts[:n], "")
		if v := lookup(joined); v != "" {
			return v, n
		}
	}
	if s, ok := shades[parts[0]]; ok && len(parts) > 1 {
		if v, n := colourOf(parts[1:]); n > 0 {
			c := fromHex(v)
			c.l = 1 - (1-c.l*s.dark)*(1-s.light)
			c.c *= s.chroma
			return c.hex(), n + 1
		}
	}
	v := lookup(parts[0])
	if v == "" {
		return "", 0
	}
	// "navy blue", "crimson red": the second word says the family again.
	if len(parts) > 1 && families[spelt(parts[1])] && !families[spelt(parts[0])] {
		return v, 2
	}
	return v, 1
}

var families = map[string]bool{"red": true, "blue": true, "green": true, "yellow": true, "orange": true, "purple": true, "pink": true, "gray": true, "white": true, "brown": true}

// lch is a colour in OKLCH: lightness 0 to 1, chroma, hue in degrees.
type lch struct{ l, c, h float64 }

func fromHex(hex string) lch {
	var v [3]float64
	for i := range v {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic("recipe: colour " + hex) // values come from parseColour
		}
		u := float64(n) / 255
		if u <= 0.04045 {
			v[i] = u / 12.92
		} else {
			v[i] = math.Pow((u+0.055)/1.055, 2.4)
		}
	}
	l := math.Cbrt(0.4122214708*v[0] + 0.5363325363*v[1] + 0.0514459929*v[2])
	m := math.Cbrt(0.2119034982*v[0] + 0.6806995451*v[1] + 0.1073969566*v[2])
	s := math.Cbrt(0.0883024619*v[0] + 0.2817188376*v[1] + 0.6299787005*v[2])
	a := 1.9779984951*l - 2.428592205*m + 0.4505937099*s
	b := 0.0259040371*l + 0.7827717662*m - 0.808675766*s
	return lch{0.2104542553*l + 0.793617785*m - 0.0040720468*s, math.Hypot(a, b), math.Mod(math.Atan2(b, a)*180/math.Pi+360, 360)}
}

func (c lch) linear() [3]float64 {
	a, b := c.c*math.Cos(c.h*math.Pi/180), c.c*math.Sin(c.h*math.Pi/180)
	cube := func(v float64) float64 { return v * v * v }
	l, m, s := cube(c.l+0.3963377774*a+0.2158037573*b), cube(c.l-0.1055613458*a-0.0638541728*b), cube(c.l-0.0894841775*a-1.291485548*b)
	return [3]float64{
		4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.707614701*s,
	}
}

// hex is the nearest colour a screen can show; chroma changes before hue does.
func (c lch) hex() string {
	c.l = min(max(c.l, 0), 1)
	fits := func(c lch) bool {
		for _, v := range c.linear() {
			if v < -0.0005 || v > 1.0005 {
				return false
			}
		}
		return true
	}
	if !fits(c) {
		low, high := 0.0, c.c
		for range 20 {
			if mid := (low + high) / 2; fits(lch{c.l, mid, c.h}) {
				low = mid
			} else {
				high = mid
			}
		}
		c.c = low
	}
	var out [3]int
	for i, v := range c.linear() {
		v = min(max(v, 0), 1)
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		out[i] = int(math.Round(255 * v))
	}
	return fmt.Sprintf("#%02x%02x%02x", out[0], out[1], out[2])
}

// contrast is the WCAG 2 contrast ratio of two colours: 1 for equal colours, 21 for
// black on white.
func contrast(a, b string) float64 {
	luminance := func(hex string) float64 {
		v := fromHex(hex).linear()
		return 0.2126*v[0] + 0.7152*v[1] + 0.0722*v[2]
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
