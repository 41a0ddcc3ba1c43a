package recipe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// readChange reads what a person wants to be different. Titles are the titles of the
// scenes.
func readChange(text, recipe string, titles ...string) reading {
	parts, rest := newWords(text).byScene(recipe, sceneTitles(recipe, titles...))
	r := readWords(rest, recipe)
	if len(parts) > 0 {
		r.readScenes(parts, recipe)
	}
	r.unused = slices.DeleteFunc(r.unused, func(s string) bool { return slices.Contains(requests, strings.ToLower(s)) })
	return r
}

// requests are the words that ask for a change and do not say which.
var requests = strings.Fields("change set replace turn switch put add update adjust edit alter now instead")

// readWords reads words that are all about the same scenes, or about the whole.
func readWords(w *words, recipe string) reading {
	var texts reading
	if recipe == titleRecipe {
		w.readNewText(&texts)
	}
	r := readText(w, recipe)
	r.edits = append(texts.edits, r.edits...)
	return r
}

// readAnswer reads a free answer to a question. If the words of a title are
// missing, an answer with no other meaning is taken as those words.
func readAnswer(text, recipe string, missing bool) reading {
	r := readChange(text, recipe)
	if missing && !r.asks("text") && len(r.styles) == 0 && len(r.edits) == 0 && strings.TrimSpace(text) != "" {
		r.add("text", opSet, strings.TrimSpace(text), 0, text)
		r.unused = nil
	}
	return r
}

// newTexts are the requests for other words in the title that come without
// quotation marks.
var newTexts = []struct{ cue, param string }{
	{"subtitle to", "subtitle"}, {"subtitle should be", "subtitle"}, {"subtitle should say", "subtitle"}, {"add the subtitle", "subtitle"}, {"add a subtitle", "subtitle"},
	{"text to", "text"}, {"title to", "text"}, {"words to", "text"}, {"headline to", "text"}, {"it say", "text"}, {"should say", "text"}, {"should read", "text"}, {"it read", "text"},
}

// readNewText reads "change the text to Summer sale".
func (w *words) readNewText(r *reading) {
	if slices.ContainsFunc(w.list, func(t token) bool { return t.kind == quoted }) {
		return
	}
	for _, p := range newTexts {
		places := w.find(p.cue)
		if len(places) == 0 {
			continue
		}
		i := places[0][0] + places[0][1]
		if _, graded := degrees[w.at(i)]; graded || i >= len(w.list) {
			continue
		}
		if _, n := w.colourAt(i); n > 0 && i+n == len(w.list) {
			continue // "change the text to red"
		}
		if s := w.take(i); s != "" {
			w.claim(places[0][0], i)
			r.add(p.param, opSet, s, 0, s)
			return
		}
	}
	if i := w.colon(); i >= 0 {
		if s := w.take(i); s != "" {
			r.add("text", opSet, s, 0, s)
		}
	}
}

// changed applies a reading to existing values.
func (r reading) changed(recipe string, before values, scenes layout) (next values, notes []string, err error) {
	start := values{}
	for k, v := range before {
		start[k] = v
	}
	if len(r.styles) > 0 {
		if id := r.styles[len(r.styles)-1]; id != start["style"] {
			start.restyle(recipe, id)
		} else if r.more {
			r.edits = append(more(recipe, id), r.edits...)
		}
	}
	for i, e := range r.edits { // "snappier" for a snappy project
		if e.in == nil && e.param == "motion" && e.set == start.motion() {
			r.edits[i] = more(recipe, e.set)[0]
		}
	}
	notes = slices.Clone(r.notes)
	next, limits, err := apply(recipe, start, r.edits)
	if err != nil {
		return nil, nil, err
	}
	timed, err := next.makeTime(recipe, before, r)
	if err != nil {
		return nil, nil, err
	}
	list := scenes(next.num("duration"))
	own, err := applyScenes(recipe, next, r.edits, list)
	if err != nil {
		return nil, nil, err
	}
	gone := next.dropGone(recipe, list)
	settled, err := settle(recipe, next)
	if err != nil {
		return nil, nil, err
	}
	return next, slices.Concat(notes, limits, timed, own, gone, settled), nil
}

// more is what "more playful" asks of a playful project.
func more(recipe, style string) []edit {
	e := func(param string, by float64) edit {
		return edit{param: param, op: opTimes, by: by, said: "more " + style}
	}
	switch {
	case style == playful && recipe == ballRecipe:
		return []edit{e("squash", 1.35), e("speed", 1.15)}
	case style == playful:
		return []edit{e("speed", 1.25)}
	case style == cinematic && recipe == ballRecipe:
		return []edit{e("speed", 0.85), e("height", 1.2)}
	}
	return []edit{e("speed", 0.8)}
}

// notUnderstood is the error for words that change nothing.
func notUnderstood(recipe, said string, r reading, notes []string) error {
	op := fmt.Sprintf("%s changes nothing koda understands", quote(said))
	switch {
	case len(r.edits)+len(r.styles) > 0:
		op = fmt.Sprintf("%s changes nothing: it is like that already", quote(said))
	case strings.TrimSpace(said) == "":
		op = "nothing was said to change"
	}
	for _, e := range r.edits {
		if e.in != nil && !e.forScenes(recipe) {
			return &koda.Error{
				Code: koda.CodeInvalidInput, Op: wholeOnly(e.param),
				Hint: fmt.Sprintf("it can have its own %s; without the scene it is said of the whole video", join(sceneParams(recipe))),
			}
		}
	}
	hint := changeable(recipe)
	if w := newWords(said); w.has("undo", "revert", "go back", "take back") {
		hint = "koda undo goes back to the version before; or " + hint
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Op: op, Hint: hint, Details: strings.Join(notes, "\n")}
}

// changeable says what can be changed and how a person says it.
func changeable(recipe string) string {
	if recipe == ballRecipe {
		return `try "higher", "faster", "4 bounces", "blue", "navy background", "darker background in scene 2", "bigger", "less squash", "a star", "7 seconds", "cinematic"`
	}
	return `try "change the text to Hello", "add the subtitle 'by me'", "white text", "navy background", "darker background in scene 2", "bigger", "faster", "7 seconds", "cinematic"`
}

// change edits an existing project: its parameters, and the keyframes that follow
// from them. If the words are not understood, the error is INVALID_INPUT and says
// what can be changed, and nothing is written.
func (w *work) change(ctx context.Context, said string) error {
	if err := w.load(ctx); err != nil {
		return err
	}
	scenes, titles, err := w.layout(ctx)
	if err != nil {
		return err
	}
	r := readChange(said, w.recipe, titles...)
	next, notes, err := r.changed(w.recipe, w.params, scenes)
	if err == nil && looksAlike(w.recipe, w.params, next) {
		err = notUnderstood(w.recipe, said, r, notes)
	}
	if err != nil {
		return refused(err)
	}
	if err := w.readsScenes(ctx, next); err != nil {
		return err
	}
	last := len(scenes(next.num("duration")))
	diff := slices.DeleteFunc(differences(w.recipe, w.params, next), func(c change) bool { return c.scene > last }) // a note tells of scenes that are gone
	if err := w.think(ctx, "Changing "+names(diff)); err != nil {
		return err
	}
	kept, err := w.store(ctx, next)
	if err != nil {
		return err
	}
	return tool.Say(ctx, w.box, report(r, diff, notes, kept))
}

func names(diff []change) string {
	var list []string
	for _, c := range diff {
		list = append(list, c.name())
	}
	return join(list)
}

// name is the name of the parameter, with its scene.
func (c change) name() string {
	if c.scene == 0 {
		return c.param
	}
	return fmt.Sprintf("scene %d %s", c.scene, c.param)
}

// report tells what was changed, what was not, and how conflicting wishes were
// understood.
func report(r reading, diff []change, notes, kept []string) string {
	var out []string
	if s := conflict(r); s != "" {
		out = append(out, s)
	}
	var list []string
	for _, c := range diff {
		from, to := c.from, c.to
		if c.param == "text" || c.param == "subtitle" {
			from, to = quote(from), quote(to)
		}
		if c.scene > 0 && to == "" {
			to = "as the rest"
		}
		list = append(list, fmt.Sprintf("%s %s → %s", c.name(), from, to))
	}
	if len(list) > 0 {
		out = append(out, capital(strings.Join(list, ", "))+".")
	}
	out = append(out, notes...)
	if len(kept) > 0 {
		out = append(out, "Keyframes you edited by hand were kept: "+join(kept)+".")
	}
	if len(r.unused) > 0 {
		out = append(out, "Not used: "+clipped(r.unused)+".")
	}
	return strings.Join(out, " ")
}

// conflict explains how opposite wishes were reconciled.
func conflict(r reading) string {
	faster, slower, smoother, snappier := false, false, false, false
	for _, e := range r.edits {
		switch {
		case e.in != nil:
		case e.param == "speed" && e.op == opTimes:
			faster, slower = faster || e.by > 1, slower || e.by < 1
		case e.param == "motion":
			smoother, snappier = smoother || e.set == smooth, snappier || e.set == playful
		}
	}
	for _, s := range r.styles {
		smoother, snappier = smoother || s == smooth, snappier || s == playful
	}
	switch {
	case faster && slower:
		return "You asked for faster and for slower; I took both, one after the other."
	case faster && smoother:
		return "I make the whole faster and use smoother easing: it moves quickly, without abrupt changes. Say so if the balance should be another."
	case slower && snappier:
		return "I make the whole slower and keep the easing snappy: calm on the whole, lively at the ends. Say so if the balance should be another."
	}
	return ""
}
