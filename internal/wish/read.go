package wish

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Read reads a text.
func (v *Vocabulary) Read(text string) *Reading {
	r := newReader(v, text, false)
	r.clauses()
	places := r.mentions()
	r.readQuoted()
	r.readEdits()
	r.readPicture()
	if !r.v.there {
		r.several(nil)
		r.readFalling()
	}
	r.readRanges()
	r.readLengths()
	r.readThings()
	r.readColours()
	r.readNumbers()
	r.readScenes(places)
	r.readNegations()
	r.readCorrections()
	return &Reading{r: r}
}

// clauseOf is the clause that piece i belongs to.
func (r *reader) clauseOf(i int) Span {
	n, _ := slices.BinarySearchFunc(r.clause, i, func(c Span, i int) int { return c.To - i - 1 })
	return r.clause[n]
}

// readThings finds what the caller's words say: choices, degrees, values of named things,
// counts, subjects.
func (r *reader) readThings() {
	for i := 0; i < len(r.p); i++ {
		if !r.free(i, i+1) || r.is(i, without) && r.main != "en" && r.term(i, Option) != nil && r.form(i+1, word) { // "sans titre" names no font
			continue
		}
		if n := cmp.Or(r.countAt(i), r.sortAt(i), r.partedAt(i)); n > 0 {
			i += n - 1
			continue
		}
		if t := r.term(i, Meaning); t != nil {
			r.wish(i, i+1, Wish{Kind: Means, About: t.About, Sure: true})
			continue
		}
		higher, lower := r.term(i, Higher), r.term(i, Lower)
		switch {
		case r.namedAt(i):
		case (higher != nil || lower != nil) && (r.is(i+1, beneath) || r.known && r.second(i+1) || r.is(i+1, untold) && r.is(i-1, article, mine) && !r.v.there && r.term(i+1, Noun) == nil): // "smaller underneath: …", "a small bakery"
			r.wish(i, i+1, Wish{Kind: Remark, Sure: true})
		case (higher != nil || lower != nil) && r.v.there && r.is(i, shorter) && r.textNoun(i+1) != nil: // "shorter claim: …"
		case (higher != nil || lower != nil) && r.is(i, shaded): // a colour says what is shaded
		case higher != nil || lower != nil:
			r.degreeAt(i, higher, lower)
		case r.known && r.form(i-1, number) && r.free(i-1, i) && r.term(i, Option, OfChoice) != nil && r.term(i, Topic) == nil && r.term(i, Noun) == nil: // "5 stars"
		case r.term(i, Option) != nil && r.v.there && r.is(i-1, too) && r.is(r.skip(i-2, -1, even), be): // "the background is too dark"
			r.wish(i-1, i+1, Wish{Kind: Remark, Sure: true})
		case r.term(i, Option) != nil:
			t := r.term(i, Option)
			if _, n := r.colourAt(i); n > 1 { // "dark blue"
				continue
			}
			if r.is(i, ground) && (r.is(i+1, theme) || r.noun(r.skip(i+1, 1, filler)) != "" || r.v.there && r.noun(r.skip(i-1, -1, filler, be, very)) != "") { // "dark background", "make the background dark"
				continue
			}
			end := i + 1
			if n := r.term(r.skip(end, 1, filler), Noun, OfChoice); n != nil && n.About == t.About {
				end = r.skip(end, 1, filler) + 1
			}
			from := r.skip(i-1, -1, more, less, very, even) + 1
			w := Wish{Kind: Choice, About: t.About, Value: t.Value, Sure: r.term(i, Spoken) == nil}
			if from < i && r.free(from, i) {
				switch {
				case r.is(i-1, less) && r.v.there:
					w.By = -1
				case r.is(i-1, more, less, very): // not "just clean"
					w.By = 1
				}
			} else {
				from = i
			}
			r.wish(from, end, w)
			if !w.Sure {
				r.subjectAt(i, Spoken)
			}
		case r.term(i, Topic) != nil || r.term(i, Spoken) != nil:
			r.subjectAt(i, Topic, Spoken)
		case r.term(i, Hint) != nil:
			r.subjectAt(i, Hint)
		}
	}
}

// second reports whether a line below begins behind piece i, or behind a mark there: "smaller: Emergencies call 555".
func (r *reader) second(i int) bool {
	if r.punct(i, ":,") {
		i++
	}
	return i < len(r.p) && r.phraseRole(i) == Second
}

// subjectAt records every subject that piece i may mean, by terms of some roles.
func (r *reader) subjectAt(i int, roles ...Role) {
	var seen []string
	if one := !strings.Contains(r.p[i].text, " "); one && (r.hyphenated(i) || r.hyphenated(i+1)) { // "photo-realistic"
		return
	}
	for _, s := range r.p[i].senses {
		if s.term == nil || !slices.Contains(roles, s.term.Role) || slices.Contains(seen, s.term.About) {
			continue
		}
		seen = append(seen, s.term.About)
		value := "1"
		if n := strings.Count(r.p[i].text, " ") + 1; n > 1 || r.is(r.skip(i-1, -1, article), as) { // "as bars"
			value = PhraseValue
		}
		w := Wish{Kind: Subject, About: s.term.About, Value: value, Sure: s.term.Role == Topic}
		if s.term.Role == Hint { // the word keeps its other meanings
			w.Value, w.Span = HintValue, r.p[i].span
			r.wishes = append(r.wishes, w)
			continue
		}
		r.wish(i, i+1, w)
	}
}

// hyphenated reports whether a hyphen joins pieces i-1 and i, one of which means nothing.
func (r *reader) hyphenated(i int) bool {
	return i > 0 && i < len(r.p) && r.p[i].glued && r.form(i, word) && r.form(i-1, word) && r.p[i].span.From == r.p[i-1].span.To+1 &&
		(len(r.p[i].senses) == 0 || len(r.p[i-1].senses) == 0)
}

// degreeAt reads "bigger", "much faster", "not so high".
func (r *reader) degreeAt(i int, higher, lower *Term) {
	t, up := higher, true
	if t == nil {
		t, up = lower, false
	}
	by := t.By
	if by <= 1 {
		by = 1.25
	}
	if r.is(i, extreme) {
		by = math.Pow(by, 1.8)
	}
	if !up {
		by = 1 / by
	}
	from, end, by := r.measured(i, i+1, by)
	if r.term(end, Noun) != nil && r.term(end, Topic) == nil && r.free(end, end+1) && (end+1 >= len(r.p) || r.breaks(end+1)) { // "big digits"
		end++
	}
	by = r.trailing(end, by)
	r.wish(from, end, Wish{Kind: More, About: t.About, By: by, Sure: true})
}

// namedAt reads what is said of the thing named at piece i.
func (r *reader) namedAt(i int) bool {
	if t := r.term(i, Noun, OfNumber); t != nil && r.numberOf(i, t) {
		return true
	}
	if t := r.term(i, Noun, OfFlag); t != nil {
		from := r.skip(i-1, -1, article, in, filler) + 1
		w := Wish{Kind: Flag, About: t.About, Value: "true", Sure: true}
		lead := r.skip(from-1, -1, makes, add, announce) // "don't show the names"
		if r.is(from-1, not, without, remove) || r.is(lead, not) {
			from, w.Value = min(from-1, max(lead, 0)), "false"
		}
		r.wish(max(0, from), i+1, w)
		return true
	}
	for _, s := range r.p[i].senses { // "normal size", "remove the subtitle", "no subtitle"
		if s.term == nil || s.term.Role != Noun || s.term.Type == OfColour && r.term(i, Option) != nil { // "no confetti" is not about its colour
			continue
		}
		before := r.skip(i-1, -1, article, of, in, filler)
		switch {
		case r.is(before, reset) && r.free(before, i):
			r.wish(before, i+1, Wish{Kind: Reset, About: s.term.About, Sure: true})
			return true
		case !r.v.there && r.is(before, remove) && r.term(i, Option) != nil: // "drop a heart"
		case (r.is(before, without, remove) || r.v.there && (r.is(before, makes) && r.is(before-1, not) || r.is(before, undo) && before < i-1)) && r.free(before, i) && !r.form(i+1, quoted): // "I don't want the claim"
			w := Wish{Kind: Remove, About: s.term.About, Sure: true}
			if r.is(i, caption) {
				w.Unit = captionUnit
			}
			r.wish(before, i+1, w)
			return true
		}
	}
	return false
}

// numberOf reads "height 0.8", "set the size to 120%", "double the speed", "less squash".
func (r *reader) numberOf(i int, t *Term) bool {
	k := r.skip(i+1, 1, to, of, be)
	for r.punct(k, ":=") {
		k++
	}
	if q := r.quantityAt(k); q.n > 0 && (r.form(k, number) || r.is(k, currency)) && r.free(k, k+q.n) && !r.is(k+q.n, time, times) && r.term(k+q.n, Unit) == nil {
		if _, share := r.shareAt(k, q); share > 0 { // "filling to $6,400 of $8,000"
			return false
		}
		value := decimal(q.value)
		if q.unit == "%" {
			value += "%"
		}
		if unit := r.unitOf(k + q.n); q.unit == "" && unit != "" {
			q.unit = unit
			q.n++
		}
		from := r.skip(i-1, -1, article, set) + 1
		r.wish(from, k+q.n, Wish{Kind: Number, About: t.About, Value: value, Unit: q.unit, Sure: true})
		return true
	}
	before := r.skip(i-1, -1, article, of, filler, bit, very, in)
	by := 0.0
	switch f, ok := r.get(before, factor); {
	case ok:
		by = f.num
	case r.is(before, less):
		by = 1 / 1.5
	case r.is(before, more):
		by = 1.5
	case r.is(before, without):
		r.wish(before, i+1, Wish{Kind: Number, About: t.About, Value: "0", Sure: true})
		return true
	}
	if by > 0 && r.free(before, i) {
		from, _, by := r.measured(before, before+1, by)
		for k := before + 1; k < i; k++ {
			if r.is(k, bit) {
				_, _, by = r.measured(k+1, k+1, by)
			}
		}
		r.wish(from, i+1, Wish{Kind: More, About: t.About, By: by, Sure: true})
		return true
	}
	if r.is(i-1, in) { // "with squash and stretch": it is there already
		r.wish(i-1, i+1, Wish{Kind: Subject, Value: HintValue, Sure: true})
		return true
	}
	return false
}

// countAt reads a count: "3 bounces", "bounces three times", "twice", "two more bounces".
func (r *reader) countAt(i int) int {
	about, all := r.v.counted(), func(k int) *Term { return r.term(k, Unit) }
	if c, ok := r.get(i, count); ok && about != "" && !r.is(i+1, as) {
		r.wish(i, i+1, Wish{Kind: Number, About: about, Value: decimal(c.num), Sure: true})
		return 1
	}
	q := r.plain(i)
	added := r.v.there && r.is(r.skip(i-1, -1, article, even, please), add)
	if t := all(i + 1); q.n == 0 && added && t != nil && r.is(i, other) && r.free(i, i+2) { // "add another planet"
		r.wish(i, i+2, Wish{Kind: More, About: t.About, By: 1, Plus: true, Sure: true})
		return 2
	}
	if nth, t := r.nthUnit(i); q.n == 0 && added && t != nil && r.free(i, i+1) { // "add a third ball", of which a colour may be said
		r.wish(i, i+1, Wish{Kind: Number, About: t.About, Value: decimal(nth), Sure: true})
		return 1
	}
	if nth, ok := r.get(i, ordinal); q.n == 0 && added && ok && nth.num > 1 && all(i+1) != nil && r.free(i, i+2) { // "add a fourth planet"
		r.wish(i, i+2, Wish{Kind: Number, About: all(i + 1).About, Value: decimal(nth.num), Sure: true})
		return 2
	}
	if q.n == 0 {
		k := r.skip(i, 1, very, bit)
		if t := all(k + 1); t != nil && r.is(k, more, less) && r.free(i, k+2) {
			by := 1.5
			if r.is(k, less) {
				by = 1 / by
			}
			from, _, by := r.measured(k, k+1, by)
			r.wish(from, k+2, Wish{Kind: More, About: t.About, By: by, Sure: true})
			return k + 2 - i
		}
		return 0
	}
	j := i + q.n
	told := false // "three red balls", "three stars": the words behind say something by themselves
	for r.is(j, filler, even, article, colour, toned) || (r.term(j, Higher) != nil || r.term(j, Lower) != nil || r.term(j, Option) != nil || r.term(j, Topic) != nil) && all(j) == nil {
		told = told || r.is(j, colour, toned) || r.term(j, Option) != nil || r.term(j, Topic) != nil
		j++
	}
	end := j
	for all(end) != nil || r.is(end, times) {
		end++
	}
	if r.is(end, every, article) && r.is(end+1, time) {
		return 0 // "3 times per second"
	}
	switch {
	case r.is(j, more, less, other) && all(j+1) != nil && r.free(i, j+2):
		by := q.value
		if r.is(j, less) && !r.is(j, more) {
			by = -by
		}
		r.wish(i, j+2, Wish{Kind: More, About: all(j + 1).About, By: by, Plus: true, Sure: true})
		return j + 2 - i
	case r.v.there && all(j) != nil && r.is(j+1, more, less) && r.free(i, j+2) && (r.ends(j+2) || r.is(j+2, please)): // "one ball more"
		by := q.value
		if !r.is(j+1, more) {
			by = -by
		}
		r.wish(i, j+2, Wish{Kind: More, About: all(j).About, By: by, Plus: true, Sure: true})
		return j + 2 - i
	case (told || r.term(j, Option) != nil) && all(j) != nil && !r.is(i+q.n, article) && r.free(i, i+q.n):
		r.wish(i, i+q.n, Wish{Kind: Number, About: all(j).About, Value: decimal(q.value), Sure: true})
		return q.n
	case all(j) != nil && !told && added && r.free(i, j+1): // "add two planets"
		r.wish(i, j+1, Wish{Kind: More, About: all(j).About, By: q.value, Plus: true, Sure: true})
		return j + 1 - i
	case all(j) != nil && !told && r.free(i, j+1):
		r.wish(i, j+1, Wish{Kind: Number, About: all(j).About, Value: decimal(q.value), Sure: true})
		return j + 1 - i
	case !told && j == i+q.n && r.is(j, times) && about != "" && r.term(j+1, Higher) == nil && r.term(j+1, Lower) == nil && !r.is(j+1, as) && !r.is(j+1, cross):
		r.wish(i, j+1, Wish{Kind: Number, About: about, Value: decimal(q.value), Sure: true})
		return j + 1 - i
	}
	return 0
}

// readNumbers finds the numbers that nothing else used.
func (r *reader) readNumbers() {
	for i := 0; i < len(r.p); i++ {
		if said, n := r.hourAt(i); n > 0 && r.free(i, i+n) {
			r.wish(i, i+n, Wish{Kind: Clock, Value: said})
			i += n - 1
			continue
		}
		q := r.quantityAt(i)
		if q.n == 0 || r.p[i].scene || !r.free(i, i+q.n) || !r.form(i, number) && !r.is(i, currency) && q.unit == "" {
			continue
		}
		if w, n := r.shareAt(i, q); n > 0 && r.free(i, i+n) {
			r.wish(i, i+n, w)
			i += n - 1
			continue
		}
		w := Wish{Kind: Number, Value: decimal(q.value), Unit: q.unit}
		if unit := r.unitOf(i + q.n); q.unit == "" && unit != "" {
			w.Unit = unit
			q.n++
		}
		if q.unit == "%" {
			w.Kind = Percent
		}
		r.wish(i, i+q.n, w)
		i += q.n - 1
	}
	for i := range r.p {
		if r.form(i, clock) && r.free(i, i+1) {
			end := i + 1
			if r.is(end, oclock) && r.v.there { // "5:30 pm"
				end++
			}
			r.wish(i, end, Wish{Kind: Clock, Value: r.said(i, end)})
		}
		if r.is(i, explain) && r.free(i, i+1) {
			r.wish(i, i+1, Wish{Kind: Explain})
		}
	}
}

// readNegations marks what is not wanted: "not blue", "don't bounce", "green instead of red".
func (r *reader) readNegations() {
	for k := range r.wishes {
		w := &r.wishes[k]
		i := r.pieceAt(w.Span.From)
		if w.Kind == More || w.Kind == Remove || w.Kind == Text || w.Kind == Flag || w.Kind == List {
			continue
		}
		before := r.skip(i-1, -1, article, in, onto, filler, be, very, of, makes, even)
		if w.Kind == Choice && !r.v.there && r.is(before, too) && r.is(before-1, not) { // "not too colourful"
			before--
		}
		if before >= 0 && r.p[before].wish > 0 && r.is(before, not, without) && r.wishes[r.p[before].wish-1].Not && r.wishes[r.p[before].wish-1].Span.To > w.Span.From { // of words with two meanings
			w.Not = true
			continue
		}
		if end := r.pieceAt(w.Span.To); r.is(r.skip(end, 1, be, filler), needless) { // "transparent not needed"
			w.Not = true
			r.p[r.skip(end, 1, be, filler)].wish = k + 1
			continue
		}
		if (r.is(before, not, without, instead) || w.Kind == Colour && r.is(r.skip(i-1, -1, article), undo) || r.term(i, Option, OfChoice) != nil && r.v.there && r.is(before, remove)) && r.free(before, i) {
			w.Not = true
			w.Span.From = r.p[before].span.From
			r.p[before].wish = k + 1
		}
	}
}

// readCorrections lets a later wish take the place of an earlier one after "no wait", or
// where the later is "instead of" the earlier.
func (r *reader) readCorrections() {
	var turns []int // bytes
	for i := range r.p {
		if r.is(i, correct) || r.is(i, without) && r.punct(i+1, ",，、") && r.p[i].wish == 0 {
			turns = append(turns, r.p[i].span.From)
			if i > 0 && r.breaks(i-1) && i+1 < len(r.p) {
				r.turn = i + 1
			}
		}
	}
	open, denied := map[Kind][]int{}, map[Kind]string{}
	turn := 0
	for _, k := range r.inOrder() {
		w := &r.wishes[k]
		if w.Not && w.About != "" && !r.is(r.skip(r.pieceAt(w.Span.From)+1, 1, article), onto) { // "orange, not on a blue background": the thing is orange
			denied[w.Kind] = w.About
		}
		for turn < len(turns) && turns[turn] < w.Span.From {
			turn++
		}
		if w.Not || w.Kind == Subject || w.Kind == Text {
			continue
		}
		var still []int
		for _, m := range open[w.Kind] {
			old := &r.wishes[m]
			if turn == 0 || old.Span.From > turns[turn-1] || old.About != w.About && w.About != "" && old.About != "" {
				still = append(still, m)
				continue
			}
			if w.About == "" {
				w.About = old.About
			}
			w.Sure, old.Not = w.Sure || old.Sure, true
		}
		if len(still) > 20 {
			still = still[1:]
		}
		open[w.Kind] = append(still, k)
	}
	for k := range r.wishes { // "green instead of a red ball": green is the ball's
		if w := &r.wishes[k]; w.Kind == Colour && !w.Not && w.About == "" {
			w.About = denied[Colour]
		}
	}
}
