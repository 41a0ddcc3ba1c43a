package recipe

import (
	"strings"
)

// shapeWords name the shapes that the ball recipe can draw.
var shapeWords = map[string]string{
	"ball": "ball", "sphere": "ball", "orb": "ball", "circle": "ball", "dot": "ball", "marble": "ball", "bead": "ball",
	"box": "box", "square": "box", "cube": "box", "block": "box", "brick": "box",
	"star": "star", "heart": "heart", "triangle": "triangle", "pyramid": "triangle", "hexagon": "hexagon",
	"balls": "ball", "boxes": "box", "squares": "box", "cubes": "box", "stars": "star", "hearts": "heart",
}

// sports are balls of a known colour.
var sports = map[string]string{
	"basketball": "#e8742c", "tennis": "#cfe544", "football": "#f2f2f0", "soccer": "#f2f2f0", "soccerball": "#f2f2f0", "golf": "#f7f7f4", "bowling": "#2a2f52",
	"volleyball": "#f4e9c8", "baseball": "#f3f0e8", "cricket": "#9b2226", "pingpong": "#f9f6ee", "beach": "#ff6f61", "handball": "#d94f30", "softball": "#e4e94a",
	"cannon": "#2b2d33", "snooker": "#d01f2e", "disco": "#c9cfe0",
}

// readShape reads which shape bounces.
func (w *words) readShape(r *reading) {
	named := ""
	for i := range w.list {
		if s := shapeWords[w.at(i)]; s != "" && !w.decorates(i) {
			w.claim(i, i+1)
			if named != "" && named != s && s != "ball" && w.another(i) {
				r.note("The recipe draws one shape, the %s; the %s is left out.", s, named)
			}
			if s != "ball" || named == "" {
				if s != "ball" { // "a ball shaped like a star"
					named = s
				} else {
					named = "ball"
				}
			}
		}
		colour, ok := sports[w.at(i)]
		if !ok || w.is(i, "beach", "tennis", "golf", "bowling", "soccer", "cricket", "cannon", "snooker", "disco") && !w.is(i+1, "ball", "balls") {
			continue
		}
		w.claim(i, i+1)
		named = "ball"
		if !r.asks("color") {
			r.add("color", opSet, colour, 0, w.at(i))
		}
		kind := strings.TrimSuffix(w.at(i), "ball") + " ball"
		if w.is(i, "basketball", "football", "volleyball", "baseball", "handball", "softball", "soccerball") {
			kind = w.at(i)
		}
		r.note("A %s is drawn as a plain ball in its colour.", kind)
	}
	for _, p := range w.find("bouncy", "round", "rubber") {
		w.claim(p[0], p[0]+1)
	}
	if named != "" && (named != "ball" || w.has("ball", "sphere", "circle")) {
		r.add("shape", opSet, named, 0, named)
	}
}

// decorates reports whether the noun at token i is part of the background: "a sky
// with stars".
func (w *words) decorates(i int) bool {
	k := w.skip(i-1, -1, "the", "a", "some", "many", "little", "of", "full")
	return w.is(k, "with") && w.is(k-1, surfaces...) || w.is(k, surfaces...) && k < i-1
}

// another reports whether the noun at token i names a second thing: "and a blue
// square", unlike "a ball like a square".
func (w *words) another(i int) bool {
	k := i - 1
	for k > 0 && (w.is(k, "a", "an", "one") || w.is(k, between...) || w.used(k) && !w.is(k, actors...)) {
		k--
	}
	return w.is(k, "and", "then", "plus")
}

// readBounces reads the number of bounces: "3 bounces", "bounces three times",
// "bounce twice", "3x", "two more bounces", "fewer bounces".
func (w *words) readBounces(r *reading) {
	isBounce := func(i int) bool {
		return w.is(i, "bounce", "bounces", "bouncing", "bounced", "hop", "hops", "jump", "jumps", "hits", "hit", "rebounds")
	}
	rate := func(i int) bool {
		return w.is(i, "per", "each", "every") || w.is(i, "a") && units[w.at(i+1)] > 0
	}
	set := func(v float64, from, to int) {
		if v != float64(int(v)) || v > 1e6 {
			return
		}
		if rate(to) {
			r.note("Bounces are counted over the whole video; %s is not used.", quote(w.said(from, min(to+2, len(w.list)))))
			w.claim(from, to+2)
			return
		}
		w.claim(from, to)
		r.add("bounces", opSet, trim(v), 0, w.said(from, to))
	}
	for i := range w.list {
		if w.used(i) && !isBounce(i) {
			continue
		}
		if v := map[string]float64{"once": 1, "twice": 2, "thrice": 3}[w.at(i)]; v > 0 && !w.is(i+1, "as", "the") {
			if k := w.skip(i-1, -1, "just", "only", "exactly", "about", "ball", "it", "the"); isBounce(k) || isBounce(i+1) {
				set(v, i, i+1)
			}
			continue
		}
		v, n, article := w.quantity(i)
		if n == 0 || article || w.used(i) {
			if by := map[string]float64{"more": 1.5, "fewer": 1 / 1.5, "less": 1 / 1.5, "additional": 1.5}[w.at(i)]; by > 0 && w.is(i+1, "bounces", "bounce", "bouncing", "hops", "jumps") {
				from, by := w.measured(i, by)
				w.claim(from, i+2)
				r.add("bounces", opTimes, "", by, w.said(from, i+2))
			}
			continue
		}
		j := w.skip(i+n, 1, "big", "small", "high", "low", "full", "nice", "little", "good", "quick", "slow", "fast", "soft", "tiny")
		k := w.skip(i-1, -1, "just", "only", "exactly", "about", "around", "for", "to", "of", "be", "ball", "it", "the", "at", "least")
		switch {
		case w.is(j, "more", "extra", "additional", "fewer", "less") && isBounce(j+1):
			if w.is(j, "fewer", "less") {
				v = -v
			}
			w.claim(i, j+2)
			r.add("bounces", opPlus, "", v, w.said(i, j+2))
		case w.is(j, "bounces", "bounce", "hops", "hop", "jumps", "jump", "rebounds", "hits"):
			set(v, i, j+1)
		case w.is(j, "times", "x") && !w.is(j+1, "as", "faster", "higher", "bigger", "slower", "smaller", "lower", "larger"):
			set(v, i, j+1)
		case isBounce(k) && k >= 0 && units[w.at(i+n)] == 0 && !w.punct(i+n, "%") && !w.is(i+n, "balls", "stars", "boxes"):
			if w.is(i-1, "height", "size", "speed") {
				continue
			}
			set(v, i, i+n)
		case w.punct(i-1, ":=") && w.is(i-2, "bounces"):
			set(v, i-2, i+n)
		}
	}
}

// readLimits notes what is plainly asked for and impossible for every recipe.
func (w *words) readLimits(recipe string, r *reading) {
	for i := range w.list {
		if v, n, article := w.quantity(i); n > 0 && !article && v > 1 && w.is(i+n, "scenes", "parts", "steps", "shots", "slides") && !w.used(i) {
			w.claim(w.skip(i-1, -1, "in", "with", "of")+1, i+n+1)
			r.note("How many scenes there are follows from the length, not from the words (%s).", quote(w.said(i, i+n+1)))
		}
	}
	for _, l := range []struct{ phrases, note string }{
		{"sound|sounds|music|audio|voice|voiceover|soundtrack|song|sfx", "Recipes make no sound; bring a file with --asset."},
		{"3d|three dimensional", "The picture is drawn in two dimensions, with light and shadow."},
		{"loop|looping|loops|seamless|seamlessly|loopable", "The video has a beginning and an end; it is not a seamless loop."},
		{"transparent|transparency|alpha", "The background cannot be transparent."},
		{"spin|spins|spinning|rotate|rotates|rotating|roll|rolls|rolling", "Nothing spins on request: only shapes with corners turn, in flight."},
		{"gradient|rainbow|striped|stripes|polka|pattern|textured", "Colours are plain; there are no patterns and no changing colours."},
		{"explode|explodes|exploding|explosion|fire|flames|confetti|fireworks", "There are no such effects in the recipes."},
	} {
		if recipe == titleRecipe && strings.HasPrefix(l.note, "Nothing spins") {
			continue
		}
		places := w.find(strings.Split(l.phrases, "|")...)
		if len(places) == 0 {
			continue
		}
		for _, p := range places {
			w.claim(p[0], p[0]+p[1])
		}
		r.note("%s", l.note)
	}
}
