package wish

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Reading is what a text asks for.
type Reading struct{ r *reader }

// Known reports whether phrases say what the text shows.
func (r *Reading) Known() bool { return r.r.known }

// Locale is how the language of the text writes numbers, such as "de-DE"; "" for English.
func (r *Reading) Locale() string { return r.r.v.base.locales[r.r.main] }

// Wishes lists the wishes in the order of the text.
func (r *Reading) Wishes() []Wish {
	out := slices.DeleteFunc(slices.Clone(r.r.wishes), func(w Wish) bool { return w.Kind == "" })
	slices.SortStableFunc(out, func(a, b Wish) int { return a.Span.From - b.Span.From })
	return out
}

// Said is what the text says at a place.
func (r *Reading) Said(s Span) string { return r.r.s[s.From:s.To] }

// Subject is the word before a place of which something is said there, if no wish but a choice has it: "names" of
// "make the names bigger". said tells that words stand between, such as "should be" and "in".
func (r *Reading) Subject(s Span) (place Span, said, ok bool) {
	rd := r.r
	k := rd.pieceAt(s.From) - 1
	for n := 0; n < mostSkipped && (rd.is(k, be, very, bit, even, article, makes, filler, to, in, more, less, too) || rd.punct(k, "!?")); n++ {
		said = said || rd.is(k, be, in)
		k--
	}
	if rd.form(k, quoted) && !rd.p[k].scene {
		return rd.p[k].span, said, true
	}
	if !rd.form(k, word) || rd.p[k].scene || rd.is(k, time) || rd.is(k, each, every, everywhere) || rd.p[k].wish == 0 && rd.order(k) && !rd.is(k, rest) && !rd.p[k].typo {
		return Span{}, false, false
	}
	if w := rd.p[k].wish; w > 0 && (rd.wishes[w-1].Kind != Choice || rd.noun(k) != "") {
		return Span{}, false, false
	}
	return rd.p[k].span, said || rd.is(k-1, article, even), true
}

// Beside are the items that are named right behind or before a place, and where: "tick off the milk", "the first two ticked off".
func (r *Reading) Beside(s Span) (items []string, place Span) {
	rd := r.r
	i, j := rd.pieceAt(s.From), rd.pieceAt(s.To)
	if items, n := rd.things(j, true, and); n > 0 {
		return items, Span{rd.p[j].span.From, rd.p[j+n-1].span.To}
	}
	for k := rd.clauseOf(i).From; k < i; k++ {
		if items, n := rd.things(k, true, and); n > 0 && rd.skip(k+n, 1, be, even, as, in, comes) == i {
			return items, Span{rd.p[k].span.From, rd.p[k+n-1].span.To}
		}
	}
	if item, at, ok := rd.onlyItem(rd.sentence(i, 0), i); ok && rd.ends(j) { // "paint is done, tick it off"
		return []string{item}, rd.p[at].span
	}
	return nil, s
}

// Names reports whether the word at a place, which names a thing, does no more than that: its clause says something else
// of the thing, in words that nobody understands: "the ball should go to the left".
func (r *Reading) Names(s Span) bool {
	rd := r.r
	i := rd.pieceAt(s.From)
	if rd.noun(i) == "" || !rd.is(i-1, article) {
		return false
	}
	c := rd.clauseOf(i)
	for k := i + 1; k < c.To; k++ {
		if rd.form(k, word) && (len(rd.p[k].senses) == 0 || rd.is(k, onLeft, onRight)) {
			return true
		}
	}
	return false
}

// Which reads an answer to a question that offers several: the place of the one it takes, -1 for the last, 0 if it names
// none; or that any will do.
func (v *Vocabulary) Which(answer string) (place int, whichever bool) {
	r := newReader(v, answer, true)
	for i := range r.p {
		if s, ok := r.get(i, ordinal); ok && place == 0 && !r.is(i+1, time, scene) {
			place = int(s.num)
		}
		if q := r.plain(i); q.n == 1 && r.is(i-1, nth) && place == 0 {
			place = int(q.value)
		}
		whichever = whichever || r.is(i, either)
	}
	return place, whichever
}

// Places are the places in an order of so many that a text names, from 1: "the first two", "the second and the last".
func (v *Vocabulary) Places(text string, of int) []int {
	var out []int
	r := newReader(v, text, true)
	for i := range r.p {
		s, ok := r.get(i, ordinal)
		if r.is(i, firstOnly) {
			s, ok = sense{num: 1}, true
		}
		if !ok || s.num == 0 {
			continue
		}
		n, step := int(s.num), 1
		if n < 0 {
			n, step = n+of+1, -1
		}
		for range max(1, int(r.plain(i+1).value)) {
			if n >= 1 && n <= of && !slices.Contains(out, n) {
				out = append(out, n)
			}
			n += step
		}
	}
	return out
}

// Topmost reports whether a text has a word for the largest of several: "the winner".
func (v *Vocabulary) Topmost(text string) bool {
	r := newReader(v, text, true)
	for i := range r.p {
		if r.is(i, topmost) {
			return true
		}
	}
	return false
}

// Parts are the parts of a text that is a sequence: "first …, then …, at the end …", "scene 1: …, scene 2: …". If it is
// sure to be one, so are "1. … 2. …" and "intro …, middle …, outro …".
func (r *Reading) Parts(sure bool) []Span {
	var out []Span
	rd := r.r
	from := 0
	heads := rd.headed()
	if heads == nil && sure {
		heads = rd.staged()
	}
	for k := 0; k <= len(rd.p); k++ {
		another := sure && rd.another(from, k)
		if n := heads[k]; k < len(rd.p) && n == 0 && !another && (!rd.is(k, next) || rd.p[k].wish > 0 && !(sure && rd.amidRows(k)) || rd.p[k].scene || rd.is(k, ordinal) && k > 0 && !rd.breaks(k-1)) {
			continue
		}
		to := k
		for from < to && (sure && from+1 < to && rd.introductory(from) || rd.is(from, and) || rd.form(from, line) || rd.punct(from, ",.;:、。")) {
			from++
		}
		for to > from && (rd.is(to-1, and) || rd.form(to-1, line) || rd.punct(to-1, ",;:、")) {
			to--
		}
		if to > from {
			out = append(out, Span{rd.p[from].span.From, rd.p[to-1].span.To})
		}
		if from = k; !another {
			from = k + max(1, heads[k])
		}
	}
	return out
}

// introductory reports whether piece k only says that the first scene comes: "first show a seed, then …".
func (r *reader) introductory(k int) bool {
	if r.p[k].phrase > 0 {
		return false
	}
	return r.is(k, ordinal) && r.p[k+1].phrase == 0 && r.meant(k+1, article, makes) || r.meant(k, makes) && r.p[k].wish == 0 && !r.capital(k)
}

// amidRows reports whether piece k stands between rows that were read as the same rows.
func (r *reader) amidRows(k int) bool {
	return r.p[k].phrase == 0 && r.wishes[r.p[k].wish-1].Kind == Rows
}

// another reports whether piece i begins a clause that names a subject and what it shows, behind others that show something:
// "title Spring sale, bars tulips 40 roses 55".
func (r *reader) another(from, i int) bool {
	shows := func(i int) bool { return i < len(r.p) && r.p[i].phrase > 0 && r.phraseRole(i) != Aside }
	if i <= from || !r.punct(i-1, ",;") && !r.form(i-1, line) {
		return false
	}
	k := r.skip(i, 1, article)
	if r.is(i, and) && r.subjectFigure(from, i) { // "a progress ring at 75%, and "Bye""
		k = r.skip(i+1, 1, article)
		return shows(k) && r.phraseRole(k) == Headline
	}
	if r.term(k, Topic) == nil || shows(k) {
		return false
	}
	if k++; r.form(k, word) && !shows(k) && !r.is(k, of, says, in, to) { // "a progress ring at 75%"
		k++
	}
	counts := false
	if r.punct(k, ":") || r.is(k, of, says, in, to) {
		k++
		counts = r.quantityAt(k).n > 0
	}
	return (shows(k) || counts) && slices.ContainsFunc(r.phrases, func(p Phrase) bool {
		return p.Role != Aside && p.From >= r.p[from].span.From && p.To <= r.p[i].span.From
	})
}

// subjectFigure reports whether pieces [i, j) name a subject and a number, and no phrase that is shown.
func (r *reader) subjectFigure(i, j int) bool {
	topic, counts := false, false
	for k := i; k < j; k++ {
		if r.p[k].phrase > 0 {
			return false
		}
		topic, counts = topic || r.term(k, Topic) != nil, counts || r.form(k, number)
	}
	return topic && counts
}

// headed finds where a text numbers its scenes from the first on, each at the beginning of a clause: how many pieces
// each number takes, by the piece where the number begins.
func (r *reader) headed() map[int]int {
	out := map[int]int{}
	for k := 0; k < len(r.p); k++ {
		if !r.p[k].scene || k > 0 && !r.breaks(k-1) && !r.is(k-1, and) {
			continue
		}
		from := r.skip(k, 1, in, article)
		in, n := r.scenesAt(from)
		if n > 0 && len(in) == 1 && in[0].Number == len(out)+1 {
			out[k] = from + n - k
			k = from + n - 1
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// staged is headed for a sequence whose parts begin with plain numbers, or with the names of scenes.
func (r *reader) staged() map[int]int {
	numbers, names := map[int]int{}, map[int]int{}
	for k := range r.p {
		begins := k == 0 || r.breaks(k-1) || r.is(k-1, and, next) || r.form(k-1, quoted) || len(numbers) > 0 && (r.punct(k+1, ")") || r.punct(k+1, ".") && r.term(k+2, Topic) != nil)
		if q := r.plain(k); begins && q.n == 1 && q.value == float64(len(numbers)+1) && r.punct(k+1, ".):") {
			numbers[k] = 2
		}
		if r.is(k, stage, section) && begins {
			names[k] = 1
			if r.punct(k+1, ":") {
				names[k] = 2
			}
		}
	}
	if len(numbers) > 1 {
		return numbers
	}
	return names
}

// Lines parts a place of the text at "then", at commas and at strokes: "npm install, then npm run".
func (r *Reading) Lines(s Span) []string {
	var out []string
	rd := r.r
	from := -1
	flush := func(to int) {
		if from >= 0 && to > from {
			out = append(out, rd.said(from, to))
		}
		from = -1
	}
	for k := range rd.p {
		switch {
		case !rd.p[k].span.In(s):
		case rd.is(k, next) || rd.is(k, and) && from < 0 || rd.punct(k, ",;/") && rd.breaks(k) || rd.form(k, line):
			flush(k)
		case from < 0:
			from = k
		}
		if rd.p[k].span.To == s.To {
			flush(k + 1)
		}
	}
	return out
}

// heads are the pieces of the lines that name the columns of the rows below: "month,sales", of a table
// that was pasted.
func (r *reader) heads() map[int]bool {
	out := map[int]bool{}
	for to := 0; to+1 < len(r.p); to++ {
		if !r.form(to, line) || r.p[to+1].wish == 0 || r.wishes[r.p[to+1].wish-1].Kind != Rows {
			continue
		}
		from, marks := to, 0
		for ; from > 0 && (r.form(from-1, word) || r.punct(from-1, ",;")); from-- {
			if r.punct(from-1, ",;") {
				marks++
			}
		}
		for k := from; k < to && marks > 0 && (from == 0 || r.form(from-1, line)); k++ {
			out[k] = true
		}
	}
	return out
}

// untold reports whether words to the maker hold a number that is for nobody: "she turns 7", and not "for 3 year olds".
func (r *reader) untold(s Span) bool {
	i := r.pieceAt(s.From)
	for k := i; k < len(r.p) && r.p[k].span.In(s); k++ {
		if r.form(k, number) {
			return !r.meant(i, forWhom, to, in, as)
		}
	}
	return false
}

// liked reports whether piece k of words to the maker is what somebody likes: "he loves dinosaurs".
func (r *reader) liked(s Span, k int) bool {
	for i := k - 1; i >= 0 && r.p[i].span.In(s); i-- {
		if r.meant(i, likes) {
			return true
		}
	}
	return false
}

// Idle reports whether a word says nothing of a video by itself: "the", "shop".
func (r *Reading) Idle(said string) bool {
	return slices.ContainsFunc(r.r.v.of(strings.ToLower(said)), func(s sense) bool { return s.class == untold || slices.Contains(orders, s.class) })
}

// Left lists, in order, the words that are neither covered nor say nothing.
func (r *Reading) Left(covered func(*Wish) bool, spans ...Span) []string {
	var out []string
	rd := r.r
	end, heads := -1, rd.heads()
	for k := range rd.p {
		p := &rd.p[k]
		in := slices.ContainsFunc(spans, func(s Span) bool { return p.span.In(s) })
		switch {
		case rd.known && rd.form(k, number) && k+2 < len(rd.p) && rd.punct(k+1, ".)") && rd.p[k+2].phrase > 0: // "1. flour"
			continue
		case rd.known && rd.form(k, number) && k+1 < len(rd.p) && rd.p[k+1].wish > 0 && rd.wishes[rd.p[k+1].wish-1].Kind == List: // "1 flour"
			continue
		case in || heads[k] || p.scene || p.form == line || p.form == mark && (!pictograph(p.text) || rd.punct(k, "→⇒➜")):
			continue
		case p.wish > 0 && rd.wishes[p.wish-1].Kind != "":
			if w := &rd.wishes[p.wish-1]; w.Kind == Remark && !rd.untold(w.Span) && !rd.liked(w.Span, k) || w.Kind != Remark && covered(w) {
				continue
			}
		case rd.known && rd.is(k, add, remove, replace, swap) && k+1 < len(rd.p) && rd.form(k+1, word) && len(rd.p[k+1].senses) == 0 && rd.p[k+1].phrase == 0: // "insert coin"
		case rd.term(k, Hint) != nil || rd.is(k, orders...) || rd.is(k, approx, please, explain, other, list, times, every, suggest, versus):
			continue
		}
		said := rd.s[p.span.From:p.span.To]
		if p.span.From == end && single(firstRune(said)) && len(out) > 0 {
			out[len(out)-1] += said
		} else if p.form != word || utf8.RuneCountInString(said) > 1 || single(firstRune(said)) {
			out = append(out, said)
		}
		end = p.span.To
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(s string) bool {
		s = strings.ToLower(s)
		defer func() { seen[s] = true }()
		return seen[s]
	})
}
