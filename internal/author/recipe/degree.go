package recipe

import (
	"math"
	"slices"
	"strings"
)

// degree is an adjective that makes a parameter more or less: by is the factor of
// the plain word.
type degree struct {
	param string
	by    float64
}

// degrees are the adjectives, with their comparatives.
var degrees = func() map[string]degree {
	out := map[string]degree{}
	for _, d := range []struct {
		param string
		by    float64
		list  string
	}{
		{"height", 1.5, "high higher tall taller"},
		{"height", 1 / 1.5, "low lower"},
		{"size", 1.35, "big bigger large larger"},
		{"size", 1.7, "huge giant enormous massive gigantic"},
		{"size", 1 / 1.35, "small smaller little"},
		{"size", 0.55, "tiny"},
		{"speed", 1.4, "fast faster quick quicker quickly rapid rapidly swift"},
		{"speed", 1 / 1.4, "slow slower slowly slowmo"},
		{"squash", 1.5, "squashy squashier squishy squishier rubbery rubberier stretchy stretchier elasticky"},
		{"squash", 0.5, "stiff stiffer hard harder rigid solid"},
	} {
		for _, s := range strings.Fields(d.list) {
			out[s] = degree{d.param, d.by}
		}
	}
	return out
}()

// nouns are the names people use for numeric parameters.
var nouns = map[string]string{
	"height": "height", "size": "size", "speed": "speed", "pace": "speed", "tempo": "speed", "squash": "squash", "stretch": "squash", "squashing": "squash",
	"squish": "squash", "deformation": "squash", "scale": "size", "shade": "shade",
}

// doubles are verbs that change what follows them.
var doubles = map[string]float64{
	"double": 2, "triple": 3, "halve": 0.5, "increase": 1.5, "raise": 1.5, "reduce": 1 / 1.5, "decrease": 1 / 1.5, "lower": 1 / 1.5, "more": 1.5, "less": 1 / 1.5,
	"twice": 2, "half": 0.5, "maximum": 100, "minimum": 0.01, "max": 100, "min": 0.01, "maximize": 100, "minimize": 0.01,
}

// readDegrees reads words about height, size, speed and squash: "higher", "a bit
// faster", "twice as big", "20% slower", "not so fast", "less squash", "height
// 0.8", "normal speed".
func (w *words) readDegrees(recipe string, r *reading) {
	takes := func(param string) bool { return slices.Contains(paramNames(recipe), param) }
	for i := range w.list {
		if w.used(i) {
			continue
		}
		if param, ok := nouns[w.at(i)]; ok && takes(param) && w.readNoun(i, param, r) {
			if w.is(i+1, "and") && nouns[w.at(i+2)] == param { // "squash and stretch"
				w.claim(i+1, i+3)
			}
			continue
		}
		if w.isPhrase(i, "speed up") || w.isPhrase(i, "speed it up") || w.isPhrase(i, "slow down") || w.isPhrase(i, "slow it down") || w.isPhrase(i, "slow motion") {
			by := 1.4
			if w.is(i, "slow") {
				by = 1 / 1.4
			}
			n := w.skip(i+1, 1, "it", "up", "down", "motion")
			from, by := w.measured(i, by)
			end := n
			by, end = w.trailing(end, by)
			w.claim(from, end)
			r.add("speed", opTimes, "", by, w.said(from, end))
			continue
		}
		d, ok := degrees[w.at(i)]
		if !ok || !takes(d.param) {
			continue
		}
		if w.is(i, "solid", "hard", "little") && !w.is(i+1, "ball", "box", "star", "heart") && !w.is(i-1, "more", "less") {
			continue // "solid colour", "a little"
		}
		from, by := w.measured(i, d.by)
		w.claim(from, i+1)
		r.add(d.param, opTimes, "", by, w.said(from, i+1))
	}
}

func (w *words) said(from, to int) string { return w.source[w.list[from].start:w.list[to-1].end] }

// measured reads the words before an adjective at i and bends the adjective's
// factor: "much", "a bit", "too", "not", "twice as", "20%", "3 times".
func (w *words) measured(i int, by float64) (from int, factor float64) {
	from = i
	grow := by >= 1
	for k := i - 1; k >= 0; k-- {
		switch {
		case w.is(k, "as", "so", "that", "the", "be", "is", "it", "even", "more"):
			continue
		case w.is(k, "much", "way", "lot", "far", "super", "extra", "very", "really", "extremely", "significantly", "considerably", "ultra"):
			by = math.Pow(by, 1.6)
		case w.is(k, "bit", "little", "slightly", "somewhat", "touch", "tad", "marginally"):
			by = math.Pow(by, 0.45)
		case w.is(k, "a") && from < i:
			from = k
			continue
		case w.is(k, "too", "less", "not", "isn't", "don't"):
			if !w.is(i+1, "enough") || w.is(k, "too", "less") {
				by = 1 / by
			}
		case w.is(k, "twice", "double"):
			by = 2
			if !grow {
				by = 0.5
			}
		case w.is(k, "half"):
			by = 0.5
			if !grow {
				by = 2
			}
		case w.is(k, "times", "x") && k > 0 && w.list[k-1].kind == number && w.list[k-1].num > 0:
			by = w.list[k-1].num
			if !grow {
				by = 1 / by
			}
			from = k - 1
			return from, by
		case w.punct(k, "%") && k > 0 && w.list[k-1].kind == number:
			by = 1 + w.list[k-1].num/100
			if !grow {
				by = max(1-w.list[k-1].num/100, 0.05)
			}
			from = k - 1
			return from, by
		default:
			return from, by
		}
		from = k
	}
	return from, by
}

// trailing reads an intensifier that follows: "slow down a lot".
func (w *words) trailing(i int, by float64) (factor float64, end int) {
	switch {
	case w.isPhrase(i, "a lot"), w.isPhrase(i, "a bit"), w.isPhrase(i, "a little"):
		if w.is(i+1, "lot") {
			return math.Pow(by, 1.6), i + 2
		}
		return math.Pow(by, 0.45), i + 2
	case w.is(i, "slightly"):
		return math.Pow(by, 0.45), i + 1
	}
	return by, i
}

// readNoun reads words about a parameter that is named at i.
func (w *words) readNoun(i int, param string, r *reading) bool {
	// "height 0.8", "set the size to 120%", "speed: 2"
	k := w.skip(i+1, 1, "to", "of", "is", "at", "by", "be", "should")
	for w.punct(k, ":=") {
		k++
	}
	if k < len(w.list) && w.list[k].kind == number && !w.used(k) && units[w.at(k+1)] == 0 && !w.is(k+1, "times", "bounces") {
		value, end := w.list[k].text, k+1
		if w.punct(k+1, "%") {
			value, end = value+"%", k+2
		}
		if w.is(k-1, "by") {
			return false
		}
		from := w.skip(i-1, -1, "the", "set", "a") + 1
		w.claim(from, end)
		r.add(param, opSet, value, 0, w.said(from, end))
		return true
	}
	// "more height", "less squash", "double the speed", "no squash", "normal size"
	before := w.skip(i-1, -1, "the", "of", "its", "in", "bounce", "ball's", "your", "a", "bit", "lot", "little", "much", "and", "squash", "ball")
	switch by, ok := doubles[w.at(before)]; {
	case ok:
		for m := before + 1; m < i; m++ {
			if w.is(m, "bit", "little") {
				by = math.Pow(by, 0.45)
			}
		}
		if w.is(before-1, "much", "lot") {
			by = math.Pow(by, 1.6)
		} else if w.is(before-1, "bit", "slightly", "little") {
			by = math.Pow(by, 0.45)
		}
		w.claim(before, i+1)
		r.add(param, opTimes, "", by, w.said(before, i+1))
		return true
	case w.is(before, "no", "without", "zero", "remove", "any") && param == "squash":
		w.claim(before, i+1)
		r.add(param, opSet, "0", 0, w.said(before, i+1))
		return true
	case w.is(before, "normal", "default", "original", "usual"):
		w.claim(before, i+1)
		r.add(param, opReset, "", 0, w.said(before, i+1))
		return true
	case param == "squash" && before == i-1 && w.at(before) == "" || param == "squash" && w.is(i-1, "with", "squash", "and", "on"):
		w.claim(i, i+1) // "with squash and stretch": the ball has both
		return true
	}
	return false
}

// readLength reads words about the length that do not give the length in seconds:
// "longer", "shorter", "twice as long", "2 seconds longer".
func (w *words) readLength(r *reading) {
	for i := range w.list {
		if w.used(i) || !w.is(i, "longer", "shorter", "long", "short") {
			continue
		}
		by := 1.4
		if w.is(i, "shorter", "short") {
			by = 1 / 1.4
		}
		from, factor := w.measured(i, by)
		if w.is(i, "long", "short") {
			if factor != by && w.is(i-1, "as") { // "twice as long"
				w.claim(from, i+1)
				r.add("duration", opTimes, "", factor, w.said(from, i+1))
			} else if w.is(i-1, "too") {
				w.claim(i-1, i+1)
				r.add("duration", opTimes, "", factor, w.said(i-1, i+1))
			}
			continue
		}
		for j := max(0, i-4); j < i; j++ { // "2 seconds longer"
			if s, n := w.stretch(j); n > 0 && j+n == i {
				if by < 1 {
					s = -s
				}
				r.edits = slices.DeleteFunc(r.edits, func(e edit) bool { return e.param == "duration" })
				w.claim(j, i+1)
				r.add("duration", opPlus, "", s, w.said(j, i+1))
				from = -1
				break
			}
		}
		if from < 0 {
			continue
		}
		w.claim(from, i+1)
		r.add("duration", opTimes, "", factor, w.said(from, i+1))
	}
	for i := range w.list { // "add 2 seconds", "cut 1 second"
		if !w.is(i, "add", "cut", "trim", "extend") {
			continue
		}
		j := w.skip(i+1, 1, "it", "by", "off", "another", "the", "about", "video")
		s, n := w.stretch(j)
		if n == 0 || w.is(i, "extend") && w.is(j-1, "to") {
			continue
		}
		if w.is(i, "cut", "trim") {
			if w.is(j-1, "to") {
				continue
			}
			s = -s
		}
		r.edits = slices.DeleteFunc(r.edits, func(e edit) bool { return e.param == "duration" })
		w.claim(i, j+n)
		r.add("duration", opPlus, "", s, w.said(i, j+n))
	}
}

// readShade reads "darker background", "make it lighter", "dark mode".
func (w *words) readShade(r *reading) {
	for i := range w.list {
		by := map[string]float64{"darker": -0.14, "lighter": 0.14, "brighter": 0.14, "dimmer": -0.14, "darken": -0.14, "lighten": 0.14, "brighten": 0.14}[w.at(i)]
		plain := map[string]string{"dark": "#161a24", "light": "#f4f3ef"}[w.at(i)]
		noun := w.skip(i+1, 1, "the", "a", "color", "colour", "its")
		switch {
		case by != 0:
			from, factor := w.measured(i, math.E)
			by *= min(max(math.Log(factor), -3), 3)
			target := w.skip(i-1, -1, "be", "is", "a", "bit", "much", "make", "it", "should", "little", "slightly")
			if w.is(noun, actors...) || w.is(target, actors...) && !w.is(noun, surfaces...) {
				w.claim(from, i+1)
				r.add("color", opPlus, "", by, w.said(from, i+1))
				continue
			}
			if w.is(noun, surfaces...) {
				w.claim(i, noun+1)
			}
			w.claim(from, i+1)
			r.add("shade", opPlus, "", by, w.said(from, i+1))
		case plain != "" && w.is(noun, "background", "backdrop", "bg", "theme", "mode", "wall", "scene"):
			w.claim(i, noun+1)
			r.add("background", opSet, plain, 0, w.said(i, noun+1))
		}
	}
}

// readManners reads comparatives that change how things move and keep the look.
func (w *words) readManners(r *reading) {
	for i := range w.list {
		if id := manners[w.at(i)]; id != "" && !w.used(i) {
			w.claim(i, i+1)
			w.claim(w.skip(i+1, 1, "motion", "easing", "movement", "animation", "curves"), i)
			r.add("motion", opSet, id, 0, w.at(i))
		}
	}
}
