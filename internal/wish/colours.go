package wish

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// colourAt reads a colour that begins at piece i: a name, "navy blue", "dark green", "sky blue", a
// code. n is the number of pieces.
func (r *reader) colourAt(i int) (hex string, n int) {
	if i >= len(r.p) {
		return "", 0
	}
	if r.form(i, code) {
		hex, ok := parseCSS(r.p[i].text)
		if !ok {
			return "", 0
		}
		return hex, 1
	}
	for n := 3; n >= 2; n-- { // "sky blue" is skyblue
		joined := ""
		for k := i; k < i+n && r.form(k, word); k++ {
			joined += r.p[k].text
		}
		whole := i+n <= len(r.p) && r.form(i+1, word) && r.form(i+n-1, word)
		if whole && len(joined) < longestName && r.is(i+n-1, colour) {
			if hex, ok := colourOf(r.v.of(joined)); ok {
				return hex, n
			}
		}
	}
	if t, ok := r.get(i, toned); ok {
		if hex, n := r.colourAt(i + 1); n > 0 && !r.form(i+1, code) {
			return t.tone.apply(hex), n + 1
		}
	}
	if t, ok := r.get(i, shaded); ok && r.is(i+1, colour) && !r.is(i+1, shaded) { // "a darker blue"
		if hex, n := r.colourAt(i + 1); n > 0 {
			return Shade(hex, t.num), n + 1
		}
	}
	s, ok := r.get(i, colour)
	if !ok {
		s, ok = r.compound(i)
	}
	if !ok {
		return "", 0
	}
	if f, ok := r.get(i+1, colour); ok && r.v.base.families[r.p[i+1].text] && !r.v.base.families[r.p[i].text] && akin(s.value, f.value) { // "navy blue", not "teal orange"
		return s.value, 2
	}
	if t, ok := r.get(i+1, toned); ok && (r.v.base.after[s.lang] || r.v.base.after[t.lang] && t.lang == r.main) && !r.is(i+2, colour) { // "azul oscuro"
		return t.tone.apply(s.value), 2
	}
	return s.value, 1
}

// compound reads a German colour that a thing names before it: "Honiggelb", "tannengrünen". Bread is no red.
func (r *reader) compound(i int) (s sense, ok bool) {
	if r.main != "de" || !r.form(i, word) || len(r.p[i].senses) > 0 {
		return s, false
	}
	said := fold(r.p[i].text)
	for _, ending := range []string{"", "e", "en", "em", "er", "es"} {
		stem, is := strings.CutSuffix(said, ending)
		for family := range r.v.base.families {
			thing, of := strings.CutSuffix(stem, family)
			if !is || !of || len(thing) < 3 || strings.HasSuffix(stem, "brot") {
				continue
			}
			for _, s := range r.v.of(family) {
				if s.class == colour && s.lang == r.main {
					return s, true
				}
			}
		}
	}
	return s, false
}

func colourOf(list []sense) (hex string, ok bool) {
	for _, s := range list {
		if s.class == colour {
			return s.value, true
		}
	}
	return "", false
}

// compound reads a colour with its tone in one word: "dunkelblau".
func (v *Vocabulary) compound(w string) []sense {
	for cut := 4; cut < len(w)-2 && cut < 12; cut++ {
		for _, t := range v.of(w[:cut]) {
			rest := v.of(w[cut:])
			if len(rest) == 0 {
				rest = v.bent(w[cut:])
			}
			for _, s := range rest {
				if t.class == toned && s.class == colour && t.lang == s.lang {
					s.value = t.tone.apply(s.value)
					return []sense{s}
				}
			}
		}
	}
	return nil
}

// readColours finds the colours of a text, and what they are for.
func (r *reader) readColours() {
	type found struct { // a row of colours
		end, wish int  // wish is that of the first
		whole     bool // its last colour stands behind "and"
	}
	var last found
	for i := 0; i < len(r.p); i++ {
		if !r.free(i, i+1) || r.shadeAt(i) {
			continue
		}
		hex, n := r.colourAt(i)
		if n == 0 || !r.free(i, i+n) || (r.noun(i+n) != "" || r.term(i+n, Noun, OfList) != nil) && (r.isLabel(i, i+n) || r.term(i, Label) != nil) { // "make the brownie bar orange"
			continue
		}
		w := Wish{Kind: Colour, Value: hex}
		about, from, end := r.owner(i, i+n)
		w.About = about
		if item, at, to := r.coloured(i, i+n, from, end); item != "" {
			w.About, w.Label, from, end = "", item, at, to
		}
		if at, to := r.topmost(i, i+n, end); to > at {
			w.About, w.Label, from, end = "", TopLabel, at, to
		}
		before := r.skip(i-1, -1, article, very, filler)
		switch {
		case w.About != "" || w.Label != "":
			w.Sure = true
		case r.is(before, onto) && !r.is(before-1, undo):
			w.Unit, w.Sure = behind, true
		case r.form(i, code), r.is(i-1, hued), r.is(i+n, hued): // "honey coloured"
			w.Sure = true
		case r.is(before, in, onto, to, be) || r.punct(before, ":=") || r.is(before, it) && r.is(before-1, makes, set) || r.v.there && r.is(before, makes):
			w.Sure = true
		}
		joint := r.skip(last.end, 1, and)
		joined := joint > last.end
		if r.punct(joint, ",&/、+") && !(last.whole && r.punct(joint, ",")) { // "red and black, white background"
			comma := joint + 1
			joint = r.skip(comma, 1, and)
			joined = joined || joint > comma
		}
		if r.is(i+n, and) && r.colourNear(i+n+1) { // "naranja y blanco"
			w.Sure = true
		}
		if n == 1 && r.v.base.shy[r.p[i].text] && !w.Sure && !(joint == i && last.wish > 0) {
			continue
		}
		if prev := last.wish - 1; prev >= 0 && joint == i && joined && r.wishes[prev].About == "" && w.About != "" && end > i+n && r.wishes[prev].Unit == "" { // "red and blue ball": red leads
			r.wishes[prev].About, r.wishes[prev].Sure, w.About = w.About, true, ""
		}
		if label, left, _ := r.labelOf(from, i+n); w.About != "" && from < i && label != "" && left < from { // "the dogs slice orange"
			w.About, w.Label, from = "", label, left
		} else if w.About == "" && w.Label == "" {
			w.Label, from, end = r.labelOf(i, i+n)
			w.Sure = w.Sure || w.Label != ""
		}
		r.wish(from, end, w)
		if joint != i || last.wish == 0 {
			last.wish = len(r.wishes)
		}
		last.whole = joined && joint == i
		last.end = i + n
		i = end - 1
	}
}

// TopLabel is the label of a colour that is for the row with the largest number: "the winner in gold".
const TopLabel = "#top"

// topmost finds words for the largest beside the colour of pieces [i, j), whose thing ends at piece end, where the text gives rows: "the
// winner in gold", "gold bar for the best one". to is at where there are none.
func (r *reader) topmost(i, j, end int) (at, to int) {
	if !slices.ContainsFunc(r.wishes, func(w Wish) bool { return w.Kind == Rows }) {
		return 0, 0
	}
	k := i
	for ; k > 0 && (r.is(k-1, in, be, article, filler, makes) || r.punct(k-1, ":=")); k-- {
	}
	if r.is(k-1, topmost) && r.free(k-1, i) {
		return k - 1, j
	}
	k = max(j, end)
	if r.is(k, forWhom, of, onto) {
		if k = r.skip(k+1, 1, article); r.is(k, topmost) && r.free(max(j, end), k+1) {
			return i, k + 1
		}
	}
	return 0, 0
}

// alike reports whether two labels are the same, or the same day or month in its long and its short form.
func (r *reader) alike(a, b string) bool {
	a, b = fold(a), fold(b)
	for _, x := range r.v.base.cycles {
		for _, y := range r.v.base.cycles {
			if i := slices.Index(x, a); i >= 0 && len(x) == len(y) && slices.Index(y, b) == i {
				return true
			}
		}
	}
	return a == b
}

// owned is a name without the ending that makes it an owner: "Maya's bar".
func owned(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
}

// isLabel reports whether pieces [i, j) are the label of a row.
func (r *reader) isLabel(i, j int) bool {
	return slices.ContainsFunc(r.wishes, func(w Wish) bool {
		return w.Kind == Rows && slices.ContainsFunc(w.Rows, func(row Row) bool { return row.Label != "" && r.alike(r.said(i, j), row.Label) })
	})
}

// labelOf is the label of the row whose colour pieces [i, j) are, and the pieces with the label: "savings
// in pink", "green for yes".
func (r *reader) labelOf(i, j int) (label string, from, end int) {
	k := i
	for ; k > 0 && (r.is(k-1, in, to, be, article, filler, makes) || r.punct(k-1, ":=")); k-- {
	}
	last := k - 1 // where the last word before begins: "4c" is two pieces
	for last > 0 && r.p[last].glued {
		last--
	}
	for _, w := range r.wishes {
		if w.Kind != Rows {
			continue
		}
		for _, row := range w.Rows {
			n := len(scan(row.Label, r.v.base.files))
			if n == 0 {
				continue
			}
			if k-n >= 0 && r.free(k-n, k) && r.alike(owned(r.said(k-n, k)), row.Label) {
				return row.Label, k - n, j
			}
			if last >= 0 && r.free(last, k) && strings.HasSuffix(fold(row.Label), " "+fold(owned(r.said(last, k)))) { // "class 4c 240, …, 4c in gold"
				return row.Label, last, j
			}
			if r.is(j, forWhom) && j+1+n <= len(r.p) && r.free(j+1, j+1+n) && r.alike(r.said(j+1, j+1+n), row.Label) {
				return row.Label, i, j + 1 + n
			}
		}
	}
	return "", i, j
}

// captionUnit is the unit of a Remove that is about text in general: "no text".
const captionUnit = "caption"

// OfText reports whether a Remove is about text in general.
func (w *Wish) OfText() bool { return w.Kind == Remove && w.Unit == captionUnit }

// behind is the unit of a colour that other things stand on.
const behind = "behind"

// Behind reports whether a colour is that of what the other things stand on: "on navy".
func (w *Wish) Behind() bool { return w.Kind == Colour && w.Unit == behind }

// owner is the thing whose colour pieces [i, j) are, and the pieces with the words between.
func (r *reader) owner(i, j int) (about string, from, end int) {
	ahead := func() (string, int) {
		k := j
		for k < j+mostSkipped && r.is(k, filler) && !r.form(k, mark) || r.is(k, of) && single(firstRune(r.p[k].text)) || r.term(k, Higher) != nil || r.term(k, Lower) != nil || r.term(k, Topic) != nil && r.noun(k) == "" && k < j+3 {
			k++
		}
		if r.noun(k) != "" && r.loose(k) {
			return r.noun(k), k + 1
		}
		if r.is(k, in, onto, forWhom) && r.is(k+1, article) && r.noun(k+2) != "" && (r.is(k, forWhom) || r.term(k+2, Shown) == nil) { // "navy in the background", not "on white with the claim …"
			return r.noun(k + 2), k + 3
		}
		if k := r.skip(k+1, 1, article); r.is(k-1, as, article) && r.is(j, as) && r.noun(k) != "" { // "Grün als Hintergrund"
			return r.noun(k), k + 1
		}
		return "", j
	}
	back := func() (string, int) {
		k := i - 1
		for k > i-mostSkipped && k >= 0 && r.p[k].scene || k > i-mostSkipped && r.is(k, be, to, filler, article, very, of, set, even, please) || r.is(k, in) && r.noun(r.skip(k-1, -1, even)) != "" || r.punct(k, ":=") {
			k--
		}
		if r.noun(k) != "" && r.loose(k) {
			return r.noun(k), k
		}
		if at := r.skip(i-1, -1, in, even); r.is(at, and) && (r.term(at-1, Higher) != nil || r.term(at-1, Lower) != nil) { // "the author smaller and in yellow"
			if k := r.skip(at-2, -1, be, very, bit, even); r.noun(k) != "" {
				return r.noun(k), i
			}
		}
		return "", i
	}
	s, _ := r.get(j-1, colour)
	if r.v.base.after[s.lang] {
		if about, k := back(); about != "" {
			return about, k, j
		}
	}
	if about, k := ahead(); about != "" {
		return about, i, k
	}
	if about, k := back(); about != "" && r.free(k+1, i) {
		return about, k, j
	}
	return "", i, j
}

// coloured is the item of a list whose colour pieces [i, j) are, and the pieces with the words between:
// "Tea pink", "the savings slice in pink", "the last bar green". Its owner, as owner says, is at [from, end).
func (r *reader) coloured(i, j, from, end int) (item string, left, right int) {
	if !r.v.listed() && !slices.ContainsFunc(r.wishes, func(w Wish) bool { return w.Kind == Rows }) {
		return "", from, end
	}
	thing := func(k int) bool { return r.term(k, Noun, OfList) != nil || r.noun(k) != "" || r.is(k, list) }
	for k := i - 1; k >= max(0, i-mostSkipped) && (r.p[k].wish == 0 || k >= from || r.v.there && r.wishes[r.p[k].wish-1].Kind == Means); k-- {
		if words, n := r.thing(k, false); n > 0 && k+n <= i && !r.form(k, quoted) && !r.p[k+n-1].scene {
			return words, k, max(j, end)
		}
		if !thing(k) && !r.is(k, be, to, filler, article, set, even, in, makes, nth, ordinal) && !r.form(k, number) {
			break
		}
	}
	k := r.skip(j, 1, filler, article)
	if words, n := r.thing(k, false); n > 0 && !r.form(k, quoted) && r.free(k, k+n) && !r.p[k+n-1].scene { // "pink for Tea", "a pink Tea"
		return words, i, k + n
	}
	if r.is(j, forWhom, of, in) {
		if words, n := r.thing(j+1, false); n > 0 && !r.form(j+1, quoted) && !r.p[j+n].scene {
			return words, i, j + 1 + n
		}
	}
	return "", from, end
}

// colourNear reports whether a colour begins at piece i, past an article.
func (r *reader) colourNear(i int) bool {
	_, n := r.colourAt(r.skip(i, 1, article))
	return n > 0
}

// loose reports whether piece k, which names a thing, belongs to no wish but that for the thing.
func (r *reader) loose(k int) bool {
	if k < 0 || k >= len(r.p) || r.p[k].wish == 0 {
		return k >= 0 && k < len(r.p)
	}
	kind := r.wishes[r.p[k].wish-1].Kind
	return kind == Subject || kind == Choice
}

// noun is the thing with a colour that piece i names, "" if there is none.
func (r *reader) noun(i int) string {
	if t := cmp.Or(r.term(i, Noun, OfColour), r.term(i, Shown)); t != nil {
		return t.About
	}
	return ""
}

// shadeAt reads "darker background", "make it lighter", "dark background", "dark mode".
func (r *reader) shadeAt(i int) bool {
	if s, ok := r.get(i, shaded); ok && (r.v.there || !r.is(i, ground) || r.noun(i+1) == "") { // "dunkler Hintergrund" of a new video is a dark one
		if _, n := r.colourAt(i); n > 0 {
			return false
		}
		from, end, by := r.measured(i, i+1, 2.718281828)
		about, left, right := r.owner(i, i+1)
		r.wish(min(from, left), max(end, right), Wish{Kind: More, About: about, By: s.num * min(max(math.Log(by), -3), 3), Plus: true, Unit: ShadeUnit, Value: r.sliding(i), Sure: true})
		return true
	}
	if s, ok := r.get(i, ground); ok {
		if _, n := r.colourAt(i); n > 0 {
			return false
		}
		if r.is(i+1, theme) {
			r.wish(i, i+2, Wish{Kind: Colour, Value: s.value, Unit: behind, Sure: true})
			return true
		}
		if k := r.skip(i+1, 1, filler); r.v.there && r.noun(k) != "" && r.is(k+1, be) && r.free(i, k+1) { // "a dark background is hard to read"
			r.wish(i, k+1, Wish{Kind: Remark, Sure: true})
			return true
		}
		if k := r.skip(i+1, 1, filler); r.noun(k) != "" && r.free(i, k+1) {
			r.wish(i, k+1, Wish{Kind: Colour, About: r.noun(k), Value: s.value, Sure: true, Unit: "ground"})
			return true
		}
		if k := r.skip(i-1, -1, filler, be, very, please); r.v.there && k >= 0 && r.noun(k) != "" && (r.is(r.skip(k-1, -1, article), makes, set) || k < i-1) && r.free(k, i+1) { // "make the background dark"
			r.wish(k, i+1, Wish{Kind: Colour, About: r.noun(k), Value: s.value, Sure: true, Unit: "ground"})
			return true
		}
		if k := r.skip(i-1, -1, filler); r.v.base.after[r.main] && k >= 0 && r.noun(k) != "" && r.free(k, i+1) { // "fondo oscuro"
			r.wish(k, i+1, Wish{Kind: Colour, About: r.noun(k), Value: s.value, Sure: true, Unit: "ground"})
			return true
		}
	}
	return false
}

// sliding is the thing that the word at piece i makes more or less.
func (r *reader) sliding(i int) string {
	if t := r.term(i, Higher); t != nil {
		return t.About
	}
	if t := r.term(i, Lower); t != nil {
		return t.About
	}
	return ""
}
