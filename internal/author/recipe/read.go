package recipe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// defaultText is the text of a title when nobody gave a text.
const defaultText = "Hello, world"

// edit is one thing a text asks of a parameter. It is exactly one operation: set a
// value, multiply or add to the current value, or reset it.
type edit struct {
	param string
	set   string  // the value, when op is opSet
	by    float64 // factor or summand
	op    operation
	said  string // the words that the edit comes from
	// in are the scenes that the edit is meant for; nil for the whole.
	in []sceneRef
}

type operation int

const (
	opSet operation = iota
	opTimes
	opPlus
	opReset // to the default
)

// reading is what a text asks for.
type reading struct {
	edits []edit
	// styles are the styles that the text names, in order.
	styles []string
	// more says that the text asks for more of a style: "more playful".
	more bool
	// notes are sentences about what is asked for and impossible.
	notes []string
	// unused are words that were not understood.
	unused []string
}

func (r *reading) add(param string, op operation, set string, by float64, said string) {
	r.edits = append(r.edits, edit{param: param, set: set, by: by, op: op, said: said})
}

func (r *reading) asks(param string) bool {
	return slices.ContainsFunc(r.edits, func(e edit) bool { return e.param == param })
}

func (r *reading) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// readText reads a text for a recipe: a prompt, an answer, words on a plan, or a
// change. The readers claim their words in an order that settles what a word
// belongs to: lengths before counts, colours before shades and sizes.
func readText(w *words, recipe string) reading {
	var r reading
	w.claimFormat(&r)
	w.claimNames(recipe, &r)
	for i, t := range w.list { // quotations are texts, whatever they say
		if t.kind == quoted && recipe == ballRecipe {
			w.claim(i, i+1)
			r.note("The bouncing ball shows no text, so %s is left out. For words: --recipe title.", quote(t.text))
		}
	}
	if recipe == titleRecipe {
		w.readQuoted(&r)
	}
	if seconds := w.readDuration(); seconds != 0 {
		r.add("duration", opSet, trim(seconds), 0, trim(seconds)+" s")
	}
	w.readLength(&r)
	if recipe == ballRecipe {
		w.readBounces(&r)
	}
	w.readShade(&r)
	uses, left := assign(w.readColours())
	for _, role := range []string{"color", "background", "accent"} {
		if u := uses[role]; u.value != "" {
			r.add(role, opSet, u.value, 0, u.said)
		}
	}
	for _, u := range left {
		r.note("The recipe has three colours; %s is not used.", u.said)
	}
	w.readDegrees(recipe, &r)
	if recipe == ballRecipe {
		w.readShape(&r)
	}
	w.readManners(&r)
	r.styles, r.more = w.readStyles()
	w.readLimits(recipe, &r)
	r.unused = w.unclaimed()
	return r
}

// claimFormat claims words about the size and the rate of the picture: the preset
// settles them, not the author.
func (w *words) claimFormat(r *reading) {
	said := ""
	for i, t := range w.list {
		n := 0
		switch {
		case t.kind == clock && ratios[t.text]:
			n = 1
		case t.kind == number && w.is(i+1, "fps", "hz", "p", "k") && (w.is(i+1, "fps", "hz") || w.list[i+1].glued):
			n = 2
		case t.kind == number && w.isPhrase(i+1, "frames per second"):
			n = 4
		case t.kind == number && (w.is(i+1, "x") || w.punct(i+1, "×")) && i+2 < len(w.list) && w.list[i+2].kind == number && min(t.num, w.list[i+2].num) >= koda.MinSide:
			n = 3
		case w.is(i, "portrait", "vertical", "landscape", "widescreen", "reels", "tiktok", "hd", "uhd") && !w.is(i+1, "ball", "text"):
			n = 1
		}
		if n > 0 && !w.used(i) {
			w.claim(i, i+n)
			said = strings.TrimSpace(w.source[t.start:w.list[i+n-1].end])
		}
	}
	if said != "" {
		r.note("Size and frame rate come from the preset, not from the words (%s): --preset reels, --preset square, …", quote(said))
	}
}

// claimNames claims the words that name the recipe's own subject.
func (w *words) claimNames(recipe string, r *reading) {
	for i := range w.list {
		if recipe == ballRecipe && subjects[ballRecipe][w.at(i)] > 0 && nouns[w.at(i)] == "" {
			if k := w.skip(i-1, -1, between...); w.is(i, "balls", "stars", "boxes", "squares", "cubes", "circles", "hearts", "triangles", "hexagons", "spheres") {
				if v, n, article := w.quantityBefore(k); n > 0 && !article && v > 1 {
					w.claim(k+1-n, k+1)
					r.note("The recipe draws one; %s were asked for.", trim(v))
				}
			}
			w.claim(i, i+1)
		}
	}
}

// quantityBefore reads a number that ends at token i.
func (w *words) quantityBefore(i int) (value float64, n int, article bool) {
	for k := max(0, i-2); k <= i; k++ {
		if v, m, a := w.quantity(k); m == i-k+1 {
			return v, m, a
		}
	}
	return 0, 0, false
}

// readQuoted takes the first quotation as the text and the second as the
// subtitle, unless a word before it says otherwise.
func (w *words) readQuoted(r *reading) {
	rest := []string{"text", "subtitle"}
	for i, t := range w.list {
		if t.kind != quoted {
			continue
		}
		param := ""
		k := i - 1
		for k >= 0 && (w.is(k, "to", "is", "as", "reads", "reading", "says", "saying", "say", "that", "with", "the", "of", "should", "be", "a", "an", "called") || w.punct(k, ":=")) {
			k--
		}
		switch {
		case w.is(k, "subtitle", "subheading", "tagline", "byline", "underneath", "below", "subtext", "subheadline"):
			param = "subtitle"
			w.claim(k, i)
		case w.is(k, "title", "text", "headline", "heading", "words", "word", "it") && slices.Contains(rest, "text"):
			param = "text"
		case len(rest) > 0:
			param = rest[0]
		}
		w.claim(i, i+1)
		if param == "" {
			r.note("A title has a text and a subtitle; %s is left out.", quote(t.text))
			continue
		}
		rest = slices.DeleteFunc(rest, func(s string) bool { return s == param })
		r.add(param, opSet, t.text, 0, quote(t.text))
	}
	if places := w.find("no subtitle", "without subtitle", "without a subtitle", "without the subtitle", "remove the subtitle", "remove subtitle", "delete the subtitle", "drop the subtitle"); len(places) > 0 {
		w.claim(places[0][0], places[0][0]+places[0][1])
		r.add("subtitle", opSet, "", 0, "no subtitle")
	}
}

// cues are the words that an unquoted text follows.
var cues = []string{
	"that says", "which says", "saying", "that reads", "reading", "with the text", "with the words", "with the word", "with the title", "with the name", "the text", "the words", "the word",
	"text to", "title to", "words to", "headline to", "it say", "it says", "should say", "should read", "say", "says", "spelling", "called", "titled", "named", "entitled",
}

// cueText finds a text typed after a cue without quotation marks, and claims the
// text, so that nothing in it is read as a colour or a style.
func (w *words) cueText() string {
	if slices.ContainsFunc(w.list, func(t token) bool { return t.kind == quoted }) {
		return ""
	}
	from := w.colon()
	for _, cue := range cues {
		if places := w.find(cue); from < 0 && len(places) > 0 {
			from = places[0][0] + places[0][1]
		}
	}
	if from < 0 {
		return ""
	}
	return w.take(from)
}

// colon is where the text begins in "text: Summer sale", -1 if there is no such
// place.
func (w *words) colon() int {
	for i := range w.list {
		if w.punct(i, ":") && w.is(i-1, "text", "title", "headline", "heading", "words", "logo", "caption", "says", "reads") {
			return i + 1
		}
	}
	return -1
}

// take claims the text that begins at token i. The text ends at a comma, at a full
// stop, or at words that are understood otherwise ("in red", "for 5 seconds").
func (w *words) take(i int) string {
	for w.punct(i, ":") || w.is(i, "of") {
		i++
	}
	known := &words{source: w.source, list: slices.Clone(w.list)}
	for k := range i {
		known.list[k].used = true
	}
	readText(known, titleRecipe)
	j := i
	for ; j < len(w.list) && (w.list[j].kind != punct || midSentence(w.list[j])); j++ {
		next := known.skip(j+1, 1, "a", "an", "the", "bright", "big")
		if w.is(j, "in", "on", "with", "for", "using", "over", "against", "and") && known.used(next) && j > i {
			break
		}
		if w.list[j].kind == number && known.used(j) && j > i {
			break
		}
	}
	if i >= j {
		return ""
	}
	w.claim(i, j)
	return strings.TrimSpace(w.source[w.list[i].start:w.list[j-1].end])
}

// title returns the text of the title a prompt asks for, and how the text was
// found: "quoted", "typed", "subject" (a thing the recipes cannot draw) or "" for
// no text.
func (w *words) title(r *reading, cued string, known bool) (text, how string) {
	for _, e := range r.edits {
		if e.param == "text" {
			return e.set, "quoted"
		}
	}
	text, how = cued, "typed"
	if text == "" {
		if places := w.find("hello world"); len(places) > 0 {
			text = w.said(places[0][0], places[0][0]+2)
			w.claim(places[0][0], places[0][0]+2)
		} else {
			text = w.remainder()
		}
	}
	switch {
	case text == "":
		return "", ""
	case !known:
		how = "subject"
	}
	if runes := []rune(text); len(runes) > maxText {
		cut := strings.TrimSpace(string(runes[:maxText]))
		if k := strings.LastIndexByte(cut, ' '); k > maxText/2 {
			cut = cut[:k]
		}
		r.note("The text has %d characters, a title takes %d: it is cut after %s.", len(runes), maxText, quote(cut[strings.LastIndexByte(cut, ' ')+1:]))
		text = cut
	}
	return capital(text), how
}

// briefRecipe is the recipe that the brief names, or "".
func briefRecipe(b koda.Brief) (string, error) {
	if b.Recipe == "" || slices.Contains(Names(), b.Recipe) {
		return b.Recipe, nil
	}
	hint := "recipes are " + strings.Join(Names(), ", ")
	if near := koda.Nearest(b.Recipe, Names()); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return "", &koda.Error{Code: koda.CodeUsage, Op: "unknown recipe " + quote(b.Recipe), Hint: hint}
}
