package recipe

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// change is the change of one parameter from one value to another. For a scene, to
// is "" when the scene no longer has a value of its own.
type change struct {
	scene           int // 0 for the whole
	param, from, to string
}

// apply applies the edits of the whole to values and returns the new values, in the
// order of the edits. If a factor takes a value beyond its range, the value stops
// at the end of the range, with a note. If a value is set outside its range, the
// error is USAGE.
func apply(recipe string, v values, edits []edit) (next values, notes []string, err error) {
	next = maps.Clone(v)
	for _, e := range edits {
		if e.in != nil {
			continue
		}
		p, ok := findParam(recipe, e.param)
		if !ok {
			notes = append(notes, noSuch(recipe, e))
			continue
		}
		if e.param == "duration" {
			note, err := applyDuration(next, e)
			if err != nil {
				return nil, nil, err
			}
			notes = append(notes, note...)
			continue
		}
		note, err := next.do(recipe, p, e, defaults(recipe, next["style"])[p.Name])
		if err != nil {
			return nil, nil, err
		}
		if note != "" {
			notes = append(notes, note)
		}
		next.follow(recipe, p, e)
	}
	return next, notes, nil
}

func noSuch(recipe string, e edit) string {
	return fmt.Sprintf("The %s recipe has no %s; %s is not used.", recipe, e.param, quote(e.said))
}

// do gives a parameter the value an edit asks for; reset is the value that a reset
// goes back to. Errors are those of apply.
func (v values) do(recipe string, p Param, e edit, reset string) (note string, err error) {
	switch e.op {
	case opReset:
		v[p.Name] = reset
	case opSet:
		value, err := p.parse(e.set)
		if err != nil {
			return "", &koda.Error{Code: koda.CodeUsage, Op: "read " + quote(strings.Trim(e.said, `"`)), Err: err, Hint: p.about()}
		}
		v[p.Name] = value
	default:
		note = relative(recipe, v, p, e)
	}
	return note, nil
}

func applyDuration(v values, e edit) (notes []string, err error) {
	seconds := v.num("duration")
	switch e.op {
	case opTimes:
		seconds = math.Round(seconds*e.by*2) / 2
		if limited := min(max(seconds, koda.MinBrief), koda.MaxBrief); limited != seconds {
			notes = append(notes, fmt.Sprintf("Recipes make videos of %s to %d seconds: it is %s.", trim(koda.MinBrief), koda.MaxBrief, trim(limited)))
			seconds = limited
		}
	case opPlus:
		seconds += e.by
	case opReset:
		seconds = koda.DefaultDuration
	default:
		if _, err := fmt.Sscan(e.set, &seconds); err != nil {
			return nil, fmt.Errorf("read duration %s: %w", quote(e.set), err)
		}
	}
	if err := checkDuration(seconds); err != nil {
		return nil, err
	}
	v["duration"] = trim(seconds)
	return notes, nil
}

// relative changes a value by a factor or a summand, within its range.
func relative(recipe string, v values, p Param, e edit) (note string) {
	if p.kind == colour || p.kind == colourAuto {
		if v[p.Name] == auto {
			return fmt.Sprintf("The colour of the words follows from the background; say which %s they shall have.", p.Name)
		}
		c := fromHex(v[p.Name])
		c.l = min(max(c.l+e.by, 0.05), 0.98)
		v[p.Name] = c.hex()
		return ""
	}
	var now float64
	switch {
	case p.kind == wholeAuto && v[p.Name] == auto:
		c, _ := courseOf(v)
		now = float64(len(c.bounces))
	default:
		now = v.num(p.Name)
	}
	to := now * e.by
	if e.op == opPlus {
		to = now + e.by
	}
	if p.kind == whole || p.kind == wholeAuto {
		if to = math.Round(to); to == now && e.by != 1 && e.op == opTimes {
			if to++; e.by < 1 {
				to -= 2
			}
		}
	}
	limited := min(max(math.Round(to*100)/100, p.min), p.max)
	if limited != math.Round(to*100)/100 {
		note = fmt.Sprintf("%s goes from %s to %s: it is %s.", capital(p.Name), trim(p.min), trim(p.max), trim(limited))
	}
	v[p.Name] = trim(limited)
	return note
}

// differences lists what changed, in the order of the recipe's parameters, then
// scene by scene.
func differences(recipe string, from, to values) []change {
	var out []change
	for _, p := range paramsOf(recipe) {
		if from[p.Name] != to[p.Name] {
			out = append(out, change{0, p.Name, from[p.Name], to[p.Name]})
		}
	}
	both := maps.Clone(to)
	for _, o := range from.owns(recipe) {
		both[ownName(o.scene, o.param.Name)] = ""
	}
	for _, o := range both.owns(recipe) {
		name := ownName(o.scene, o.param.Name)
		if from[name] != to[name] {
			out = append(out, change{o.scene, o.param.Name, from.in(o.scene)[o.param.Name], to[name]})
		}
	}
	return out
}

// settle checks values that must fit together: bounces into a duration, words onto
// a background. Notes are for the plan.
func settle(recipe string, v values) (notes []string, err error) {
	if recipe == ballRecipe {
		return settleBall(v)
	}
	if v["text"] == "" {
		return nil, &koda.Error{Code: koda.CodeUsage, Op: "the title has no text", Hint: `put the words in quotation marks: koda new 'title "Hello, world"'`}
	}
	notes = colourNotes(recipe, v)
	if s := foreign(v["text"] + v["subtitle"]); s != "" {
		notes = append(notes, fmt.Sprintf("The built-in fonts have no %s: it is drawn with the fonts of this machine, if it has any.", s))
	}
	return notes, nil
}

// colourNotes are notes on colours that do not go together: of the whole, or else
// of scenes.
func colourNotes(recipe string, v values) (notes []string) {
	if s := clash(recipe, v); s != "" {
		return []string{s}
	}
	for _, o := range v.owns(recipe) {
		if s := clash(recipe, v.in(o.scene)); s != "" {
			notes = append(notes, fmt.Sprintf("Scene %d: %s", o.scene, s))
		}
	}
	return slices.Compact(notes)
}

func clash(recipe string, v values) string {
	if v["color"] == auto || v["background"] == auto {
		return ""
	}
	if recipe == titleRecipe {
		if c := contrast(v["color"], v["background"]); c < 2.6 {
			return fmt.Sprintf("%s on %s is hard to read (contrast %.1f); the letters get an edge.", v["color"], v["background"], c)
		}
	} else if v["shade"] == "0" && near(v["color"], v["background"]) {
		return "The ball and the background have nearly the same colour."
	}
	return ""
}

func settleBall(v values) (notes []string, err error) {
	if v["bounces"] == auto {
		return colourNotes(ballRecipe, v), nil
	}
	c, most := courseOf(v)
	n := int(v.num("bounces"))
	if n > most {
		hint := fmt.Sprintf("at most %d fit: ask for fewer, or for a longer video", most)
		return nil, &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("%d bounces do not fit into %s s", n, v["duration"]), Hint: hint}
	}
	if rest := c.rested(); rest > 0.4*c.end && rest > 3 {
		notes = append(notes, fmt.Sprintf("After %s the %s lies still for %s s: more bounces or a shorter video would fill it.", plural(n, "bounce"), v["shape"], trim(math.Round(rest*10)/10)))
	}
	return append(notes, colourNotes(ballRecipe, v)...), nil
}

// near reports whether two colours are hard to tell apart.
func near(a, b string) bool {
	x, y := fromHex(a), fromHex(b)
	rad := math.Pi / 180
	return math.Sqrt(math.Pow(x.l-y.l, 2)+math.Pow(x.c*math.Cos(x.h*rad)-y.c*math.Cos(y.h*rad), 2)+math.Pow(x.c*math.Sin(x.h*rad)-y.c*math.Sin(y.h*rad), 2)) < 0.08
}

// courseOf lays out the bounces of values. most is the greatest number of bounces
// that fits.
func courseOf(v values) (c course, most int) {
	n := 0
	if v["bounces"] != auto {
		n = int(v.num("bounces"))
	}
	return planCourse(tempos[v.motion()], v.num("duration"), v.num("speed"), n)
}

// motionOf is the keyframes of values.
func motionOf(recipe string, v values, fps koda.FPS) motion {
	if recipe == ballRecipe {
		c, _ := courseOf(v)
		return ballMotion(v["style"], v.motion(), c, fps)
	}
	return titleMotion(v["style"], v.motion(), scriptOf(v), fps)
}

func scriptOf(v values) script {
	return planScript(v.motion(), v["text"], v["subtitle"], v.num("duration"), v.num("speed"))
}

// foreign names the script of the first character that the built-in fonts (Latin,
// Greek, Cyrillic) lack; "" when they have all characters.
func foreign(s string) string {
	for _, r := range s {
		switch {
		case r < 0x530 || r >= 0x1e00 && r < 0x2100 || r >= 0x2100 && r < 0x2300 || r == 0xfe0f || r == 0x200d:
			continue
		case r >= 0x2300 && r < 0x2c00 || r >= 0x1f000:
			return "emoji and symbols (" + string(r) + ")"
		case r >= 0x3040 && r < 0xa000 || r >= 0xac00 && r < 0xd7b0 || r >= 0xff00 && r < 0xfff0 || r >= 0x3000 && r < 0x3040:
			return "Chinese, Japanese or Korean characters"
		default:
			return "letters like " + string(r)
		}
	}
	return ""
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprint(n) + " " + noun + "s"
}

func sentence(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return capital(strings.Join(kept, ", "))
}
