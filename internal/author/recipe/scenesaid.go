package recipe

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// scope is a mention of scenes: the words with it are meant for these scenes.
type scope struct {
	from, to int // tokens
	in       []sceneRef
	// after says that the scope's words may stand before it: "navy in scene 2".
	after bool
	// itself says that the sentence is about the scene: "make scene 2 navy".
	itself bool
}

// everywhere are the words that mean the whole, in the place of scenes.
var everywhere = []string{
	"everywhere else", "everywhere", "elsewhere", "otherwise", "in all scenes", "in all the scenes", "in all other scenes", "in every scene", "in each scene", "in every other scene",
	"in the whole video", "in the other scenes", "in the others", "in the rest", "for the rest", "in the remaining scenes", "all the other scenes", "all other scenes", "all scenes", "the other scenes", "every scene", "the whole video",
}

// scopes finds the mentions of scenes in tokens [from, to). text is where an
// unquoted text begins: from there on a scene's name counts only after "in".
func (w *words) scopes(from, to, text int, names []sceneTitle) []scope {
	var found []scope
	of := &words{source: w.source, list: w.list[:to]}
	for i := from; i < to; i++ {
		if s, ok := of.scopeAt(i, from, i < text, names); ok {
			found = append(found, s)
			i = s.to - 1
		}
	}
	if !slices.ContainsFunc(found, func(s scope) bool { return s.in != nil }) {
		return nil
	}
	return found
}

func (w *words) scopeAt(i, sentence int, loose bool, names []sceneTitle) (scope, bool) {
	for _, p := range everywhere {
		if n, ok := w.phrase(i, p); ok {
			return scope{from: i, to: i + n, after: true}, true
		}
	}
	led := w.is(i, "in", "during", "for", "of", "on", "within", "throughout", "at")
	start := i
	far, reaches := w.reachAt(i)
	switch {
	case reaches > 0:
		led = true
		start += reaches
	case led:
		start++
	}
	start = w.skip(start, 1, "just", "only")
	the := w.is(start, "the", "its", "our", "your")
	start = w.skip(start, 1, "the", "its", "our", "your", "entire", "whole")
	in, n, byName := w.sceneList(start, names)
	if n == 0 {
		return scope{}, false
	}
	s := scope{from: i, to: start + n, in: slices.Clip(in)}
	if len(in) == 1 && far != itself {
		s.in = []sceneRef{in[0]}
		s.in[0].reach = far
		if s.to = w.skip(s.to, 1, "on", "onward", "onwards"); far == onwards && w.is(i, "from") && s.to == start+n {
			s.in[0].reach = itself // "the background from scene 2 white"
		}
		s.in[0].said = w.said(i, s.to)
	}
	whose := w.is(s.to, "s") && w.list[s.to].glued || strings.HasSuffix(w.at(s.to-1), "'s")
	if w.is(s.to, "s") && whose {
		s.to++
	}
	switch {
	case led && (!byName || loose && (the || reaches > 0) || w.is(i, "in", "during")):
		s.after = !whose
	case led:
		return scope{}, false
	case whose:
	case w.punct(s.to, ":") && (!byName || i == sentence):
		s.to++
	case byName && !(loose && w.talksOf(i, start, s.to, sentence)):
		return scope{}, false
	default:
		s.itself = true
	}
	s.to = w.skip(s.to, 1, "only", "too")
	return s, true
}

// reachAt reads the words before a scene that include other scenes: "from scene 2
// on", "after the intro". n is 0 if there are no such words.
func (w *words) reachAt(i int) (r reach, n int) {
	for _, p := range []struct {
		said string
		reach
	}{
		{"starting with", onwards}, {"starting from", onwards}, {"starting in", onwards}, {"starting at", onwards}, {"from", onwards}, {"since", onwards},
		{"after", after}, {"up to", upTo}, {"until", upTo}, {"till", upTo}, {"before", before},
	} {
		if n, ok := w.phrase(i, p.said); ok {
			return p.reach, n
		}
	}
	return itself, 0
}

// talksOf tells a scene's name from the plain word: "make the outro navy", "the
// intro should be darker", "white intro background", "outro red".
func (w *words) talksOf(i, name, to, sentence int) bool {
	coloured := false
	for k := max(sentence, i-3); k < i; k++ {
		_, n := w.colourAt(k)
		coloured = coloured || n > 0 && k+n == i
	}
	if to < len(w.list) {
		_, n := w.colourAt(to)
		coloured = coloured || n > 0
	}
	tones := []string{"darker", "lighter", "brighter", "dimmer", "darken", "lighten", "brighten"}
	return coloured || w.is(to, "like") || w.is(to, tones...) || w.is(i-1, tones...) ||
		w.is(to, surfaces...) || w.is(to, actors...) || w.is(to, accents...) ||
		(name > i || i == sentence) && w.is(to, "is", "should", "be", "gets", "must", "needs", "has", "in") ||
		name > i && w.is(i-1, "make", "turn", "paint", "colour", "color", "give", "set", "let")
}

// mostListed is how many scenes are read from one list: a video has no more.
const mostListed = 15

// sceneList reads the scenes named at token i: "scene 2", "scenes 2 and 3", "the
// second and the last scene", "intro and outro". byName says that the word "scene"
// does not occur.
func (w *words) sceneList(i int, names []sceneTitle) (in []sceneRef, n int, byName bool) {
	byName = true
	end := i // after the last scene of the list
	for k, all := i, []sceneRef(nil); ; {
		refs, m, plain := w.sceneItem(k, names)
		if m == 0 || len(all) > mostListed {
			break
		}
		all = append(all, refs...)
		joined := end == i || w.is(w.skip(k-1, -1, "the"), "and") || w.punct(k-1, "&+/")
		if joined {
			in, end, byName = slices.Clone(all), k+m, byName && plain
		}
		if strings.HasSuffix(w.at(k+m-1), "'s") {
			break
		}
		next := w.joint(k + m)
		if next == k+m {
			break
		}
		k = w.skip(next, 1, "the")
	}
	return in, end - i, byName && end > i
}

// joint is the index after "and", a comma, or both at i; i if there is neither.
func (w *words) joint(i int) int {
	if w.punct(i, ",&+/") {
		i++
	}
	return w.skip(i, 1, "and", "or")
}

// sceneItem reads the name of one scene, or of several scenes with one word
// "scene".
func (w *words) sceneItem(i int, names []sceneTitle) (in []sceneRef, n int, byName bool) {
	if w.is(i, "scene", "scenes") {
		k := w.skip(i+1, 1, "number", "no", "nr")
		if w.punct(k, ".") { // "no. 2"
			k++
		}
		in, m := w.sceneNumbers(k)
		if m == 0 {
			return nil, 0, false
		}
		return in, k + m - i, false
	}
	if in, n = w.ordinalScenes(i); n > 0 {
		return in, n, false
	}
	in, n = w.sceneName(i, names)
	return in, n, n > 0
}

// sceneNumbers reads "2", "2 and 3", "1, 2 and 4", "2-4", "2 to 4".
func (w *words) sceneNumbers(i int) (in []sceneRef, n int) {
	add := func(said string) {
		v, _ := sceneNumber(said)
		in = append(in, sceneRef{number: v, said: "scene " + said})
	}
	end := i
	for k := i; ; {
		said := w.sceneNumberAt(k)
		if len(said) == 0 || end > i && w.counts(k+1) || len(in) > mostListed {
			break
		}
		for _, s := range said {
			add(s)
		}
		end = k + 1
		to := w.skip(end, 1, "to", "through", "thru", "until")
		next := w.sceneNumberAt(to)
		first, last := in[len(in)-1].number, 0
		if len(next) == 1 {
			last, _ = sceneNumber(next[0])
		}
		if (to > end || w.glued(to)) && first > 0 && last > first && last < 100 && !w.counts(to+1) {
			for v := first + 1; v <= last; v++ {
				add(strconv.Itoa(v))
			}
			end = to + 1
		}
		if k = w.joint(end); k == end {
			break
		}
	}
	return in, end - i
}

func (w *words) glued(i int) bool { return i < len(w.list) && w.list[i].glued }

// counts reports whether the number before token i counts something other than
// scenes: "scene 2, 3 bounces".
func (w *words) counts(i int) bool {
	return units[w.at(i)] > 0 || w.punct(i, "%") || w.is(i, "bounces", "bounce", "more", "fewer", "less", "times", "x", "fps", "hops", "jumps")
}

// sceneNumberAt is the number at token i as the person wrote it; "2,3" are two
// numbers.
func (w *words) sceneNumberAt(i int) []string {
	if i < 0 || i >= len(w.list) {
		return nil
	}
	switch t := w.list[i]; t.kind {
	case number:
		return strings.Split(t.raw, ",")
	case hexCode: // "scene #2"
		if _, ok := sceneNumber(t.text[1:]); ok {
			return []string{t.text[1:]}
		}
	case word:
		if v, ok := numerals[t.text]; ok && v == float64(int(v)) {
			return []string{strconv.Itoa(int(v))}
		}
	}
	return nil
}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "last": -1, "final": -1, "penultimate": -2,
}

// ordinalScenes reads "second scene", "2nd scene", "first and last scene", "last
// two scenes".
func (w *words) ordinalScenes(i int) (in []sceneRef, n int) {
	for k := i; ; {
		v, m := w.ordinal(k)
		if m == 0 || len(in) > mostListed {
			return nil, 0
		}
		in = append(in, sceneRef{number: v, said: w.said(k, k+m) + " scene"})
		k += m
		if w.is(k, "scene", "scenes", "scene's") {
			return in, k + 1 - i
		}
		if many := w.sceneNumberAt(k); len(many) == 1 && w.is(k+1, "scenes") && len(in) == 1 && (v == 1 || v == -1) {
			last, _ := sceneNumber(many[0])
			for d := 2; d <= min(last, 15); d++ {
				in = append(in, sceneRef{number: v * d, said: w.said(i, k+1) + " scenes"})
			}
			return in, k + 2 - i
		}
		next := w.joint(k)
		if next == k {
			return nil, 0
		}
		k = w.skip(next, 1, "the")
	}
}

func (w *words) ordinal(i int) (v, n int) {
	switch {
	case w.isPhrase(i, "second to last"), w.isPhrase(i, "next to last"), w.isPhrase(i, "last but one"):
		return -2, 3
	case ordinals[w.at(i)] != 0:
		return ordinals[w.at(i)], 1
	case w.is(i+1, "st", "nd", "rd", "th") && w.glued(i+1) && w.list[i].kind == number:
		v, _ = sceneNumber(w.list[i].text)
		return v, 2
	}
	return 0, 0
}

// sceneName reads one of the names; the number in a name may be left out.
func (w *words) sceneName(i int, names []sceneTitle) (in []sceneRef, n int) {
	for _, title := range names {
		m := len(title.spelt)
		if m <= n || i+m > len(w.list) {
			continue
		}
		same := true
		for k, t := range title.spelt {
			own := w.list[i+k]
			text := own.text
			if k == m-1 {
				text = strings.TrimSuffix(text, "'s")
			}
			same = same && own.kind == t.kind && text == t.text
		}
		if same {
			in, n = []sceneRef{{name: title.name, said: "scene " + strconv.Quote(title.name)}}, m
		}
	}
	if n > 0 && !strings.HasSuffix(w.at(i+n-1), "'s") {
		if said := w.sceneNumberAt(i + n); len(said) == 1 && !w.counts(i+n+1) && w.list[i+n-1].kind == word {
			name := in[0].name + " " + said[0]
			in, n = []sceneRef{{name: name, said: "scene " + strconv.Quote(name)}}, n+1
		}
		if w.is(i+n, "scene", "scenes") {
			n++
		}
	}
	return in, n
}

// sceneTitle is a name of a scene.
type sceneTitle struct {
	name  string // in lower case
	spelt []token
}

// sceneTitles are the names of scenes that everybody uses, and the titles.
func sceneTitles(recipe string, titles ...string) []sceneTitle {
	names := sceneNames[recipe]
	var list []sceneTitle
	for _, title := range append(titles, names.first, names.between, names.last, "intro", "outro", "opening", "ending") {
		spelt := newWords(title).list
		if len(spelt) > 1 && spelt[0].text == "the" { // "the" is read before
			spelt = spelt[1:]
		}
		list = append(list, sceneTitle{strings.ToLower(strings.TrimSpace(title)), spelt})
	}
	return list
}

// titlesOf are the titles of scenes. A video of one scene has no titles, because there
// the word means its subject.
func titlesOf(scenes []koda.SceneStart) []string {
	titles := map[string]bool{}
	for _, s := range scenes {
		if len(scenes) > 1 && s.Title != "" {
			titles[s.Title] = true
		}
	}
	return slices.Sorted(maps.Keys(titles))
}
