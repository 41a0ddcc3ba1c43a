package recipe

import (
	"slices"
	"strings"
)

// part is what is said about scenes, or about the whole if in is nil.
type part struct {
	in    []sceneRef
	words *words
}

// byScene splits a change by the scenes it talks about, by number or by one of names.
// Rest is what it says about no scene: sentences that name no scene, and text before a
// comma that can only mean the whole video.
func (w *words) byScene(recipe string, names []sceneTitle) (parts []part, rest *words) {
	rest = &words{source: w.source}
	text := w.newText(recipe)
	for from := 0; from < len(w.list); {
		to, end := w.sentence(from)
		if found := w.scopes(from, to, text, names); len(found) == 0 {
			rest.list = append(rest.list, w.list[from:end]...)
		} else {
			from = w.before(from, found[0], recipe, rest)
			parts = append(parts, w.shares(from, to, found, recipe)...)
		}
		from = end
	}
	return parts, rest
}

// promptByScene does the same with a prompt. Between commas, only text beside the name of
// a scene is meant for that scene, and only values that can differ by scene. In a prompt,
// a scene's name counts only after "in". No scene's name counts if the words of a title
// are not in quotation marks.
func (w *words) promptByScene(recipe string) (parts []part, rest *words) {
	rest = &words{source: w.source}
	var names []sceneTitle
	if recipe == ballRecipe || slices.ContainsFunc(w.list, func(t token) bool { return t.kind == quoted }) {
		names = sceneTitles(recipe)
	}
	for from := 0; from < len(w.list); {
		to, end := w.sentence(from)
		found := w.scopes(from, to, 0, names)
		for i := from; i < end; i++ {
			inside := slices.ContainsFunc(found, func(s scope) bool { return i >= s.from && i < s.to })
			if i < end-1 && (inside || !w.punct(i, ",")) {
				continue
			}
			var mine []scope
			for _, s := range found {
				if s.from >= from && s.to <= i+1 {
					mine = append(mine, s)
				}
			}
			shares := []part(nil)
			if len(mine) > 0 {
				shares = w.shares(from, i+1, mine, recipe)
			}
			if !slices.ContainsFunc(shares, func(p part) bool { return p.forScenes(recipe) }) {
				shares = nil
				rest.list = append(rest.list, w.list[from:i+1]...)
			}
			parts = append(parts, shares...)
			from = i + 1
		}
	}
	return parts, rest
}

// sentence returns where the sentence that begins at a token ends: to is before its
// full stop, next after it.
func (w *words) sentence(from int) (to, next int) {
	to = from
	for to < len(w.list) && !w.punct(to, ";.!?") {
		to++
	}
	return to, min(to+1, len(w.list))
}

// newText is where an unquoted new text for the title begins; the number of tokens
// if there is no such text.
func (w *words) newText(recipe string) int {
	if recipe == titleRecipe {
		var r reading
		twin := w.only(0, len(w.list))
		twin.readNewText(&r)
		if i := slices.IndexFunc(twin.list, func(t token) bool { return t.used }); i >= 0 {
			return i
		}
	}
	return len(w.list)
}

// only is a copy of tokens [from, to).
func (w *words) only(from, to int) *words {
	return &words{source: w.source, list: slices.Clone(w.list[from:max(from, to)])}
}

// before moves words to the rest that cannot be meant for a scene and that a comma
// parts from it: "faster, navy background in scene 2". It returns where the scene's
// part begins.
func (w *words) before(from int, first scope, recipe string, rest *words) int {
	if !first.after {
		return from
	}
	for i := from; i < first.from; i++ {
		if !w.punct(i, ",") {
			continue
		}
		r := readWords(w.only(from, i), recipe)
		if len(r.edits)+len(r.styles) == 0 || slices.ContainsFunc(r.edits, func(e edit) bool { return e.forScenes(recipe) }) {
			break
		}
		rest.list = append(rest.list, w.list[from:i+1]...)
		from = i + 1
	}
	return from
}

// read reads the words of a part and leaves them unclaimed.
func (p part) read(recipe string) reading {
	return readWords(p.words.only(0, len(p.words.list)), recipe)
}

func (p part) forScenes(recipe string) bool {
	return slices.ContainsFunc(p.read(recipe).edits, func(e edit) bool { return e.forScenes(recipe) })
}

// forScenes reports whether the parameter of an edit can differ by scene.
func (e edit) forScenes(recipe string) bool {
	p, ok := findParam(recipe, e.param)
	return ok && p.byScene
}

// shares gives each scope of a sentence [from, to) its words. Words between two
// scopes belong to the first scope, unless the first scope already has a wish and
// the second scope may follow its own words: "green in scene 2 and red in scene 3".
func (w *words) shares(from, to int, scopes []scope, recipe string) []part {
	var parts []part
	at := from
	for i, s := range scopes {
		gap := w.only(at, s.from)
		wants := readWords(w.only(at, s.from), recipe).any()
		switch last := len(parts) - 1; {
		case i == 0 || wants && s.after && parts[last].read(recipe).any():
			parts = append(parts, part{s.in, gap})
		default:
			parts[last].words.list = append(parts[last].words.list, gap.list...)
			parts = append(parts, part{s.in, &words{source: w.source}})
		}
		own := parts[len(parts)-1].words
		if next := s.to; s.itself && !w.is(next, surfaces...) && !w.is(next, actors...) && !w.is(next, accents...) {
			own.list = append(own.list, token{kind: word, text: "scene", raw: "scene", start: w.list[s.from].start, end: w.list[s.to-1].end})
		}
		at = s.to
	}
	own := parts[len(parts)-1].words
	own.list = append(own.list, w.list[at:to]...)
	return together(parts, recipe)
}

// together joins a scope without words of its own to the scope before: "navy in
// scene 2 and in the outro".
func together(parts []part, recipe string) []part {
	var out []part
	for _, p := range parts {
		if n := len(out); n > 0 && p.in != nil && out[n-1].in != nil && !p.read(recipe).any() && len(p.words.unclaimed()) == 0 {
			out[n-1].in = append(out[n-1].in, p.in...)
			continue
		}
		out = append(out, p)
	}
	return out
}

func (r reading) any() bool { return len(r.edits)+len(r.styles) > 0 }

// readScenes reads what is said about single scenes.
func (r *reading) readScenes(parts []part, recipe string) {
	inherited := ""
	for _, p := range parts {
		one := readWords(p.words, recipe)
		one.readLikeRest(p.words, recipe)
		for _, id := range one.styles {
			if p.in == nil {
				r.styles = append(r.styles, id)
				continue
			}
			one.add("style", opSet, id, 0, id)
		}
		// "The background navy in scene 2 and black in scene 3".
		if len(one.edits) == 1 && one.edits[0].param == "color" && one.edits[0].op == opSet && inherited != "" && !p.words.hasNoun() {
			one.edits[0].param = inherited
		}
		inherited = ""
		for _, e := range one.edits {
			e.in = p.in
			r.edits = append(r.edits, e)
			if inherited = ""; e.op == opSet && (e.param == "background" || e.param == "accent") {
				inherited = e.param
			}
		}
		r.notes = append(r.notes, one.notes...)
		r.unused = append(r.unused, one.unused...)
	}
	r.notes = slices.Compact(r.notes)
}

// settleScenes applies edits that are only possible for the whole to the whole: in
// a prompt a scene cannot differ from anything yet.
func (r *reading) settleScenes(recipe string) {
	var edits []edit
	for _, e := range r.edits {
		switch whole := e.in != nil && !e.forScenes(recipe); {
		case whole && e.param == "style":
			r.styles = append(r.styles, e.set)
			continue
		case whole:
			e.in = nil
		}
		edits = append(edits, e)
	}
	r.edits = edits
}

// hasNoun reports whether the words name something that has a colour.
func (w *words) hasNoun() bool {
	for i := range w.list {
		if w.is(i, surfaces...) || w.is(i, actors...) || w.is(i, accents...) || w.is(i, "it") {
			return true
		}
	}
	return false
}

// readLikeRest reads the wish that a scene is like the others again.
func (r *reading) readLikeRest(w *words, recipe string) {
	if !w.has("like the rest", "as the rest", "like the others", "as the others", "like the other scenes", "as the other scenes", "like everywhere", "as everywhere", "like all scenes") {
		return
	}
	r.unused = slices.DeleteFunc(r.unused, func(s string) bool {
		return slices.Contains([]string{"rest", "others", "other", "same", "again", "like", "everywhere"}, strings.ToLower(s))
	})
	surface, actor := false, false
	for i := range w.list {
		surface = surface || w.is(i, surfaces...) && !w.is(i, "scene")
		actor = actor || w.is(i, actors...)
	}
	for _, name := range sceneParams(recipe) {
		if surface && name != "background" && name != "shade" || actor && !surface && name != "color" {
			continue
		}
		r.add(name, opReset, "", 0, "like the rest")
	}
}
