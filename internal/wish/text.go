package wish

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// beneathUnit is the unit of a text that stands below the first: a subtitle.
const beneathUnit = "beneath"

// Beneath reports whether a text is meant to stand below another.
func (w *Wish) Beneath() bool { return w.Kind == Text && w.Unit == beneathUnit }

// codeUnit is the unit of a text between backticks.
const codeUnit = "code"

// textNoun is the term of the text that piece i names, nil if there is none.
func (r *reader) textNoun(i int) *Term { return r.term(i, Noun, OfText) }

// clauses cuts the pieces at marks and ends of lines. A mark belongs to the clause before it.
func (r *reader) clauses() {
	from := 0
	for i := range r.p {
		if r.breaks(i) {
			r.clause = append(r.clause, Span{from, i + 1})
			from = i + 1
		}
	}
	if from < len(r.p) {
		r.clause = append(r.clause, Span{from, len(r.p)})
	}
}

// breaks reports whether a clause ends with piece i.
func (r *reader) breaks(i int) bool {
	if r.form(i, line) || r.punct(i, "、。，；！？") {
		return true
	}
	return r.punct(i, ",;.!?:—–-") && (i+1 >= len(r.p) || !r.p[i+1].glued || single(firstRune(r.said(i+1, i+2))))
}

// readQuoted takes quotations as texts, whatever they say.
func (r *reader) readQuoted() {
	for i := range r.p {
		if !r.form(i, quoted) || !r.free(i, i+1) {
			continue
		}
		w := Wish{Kind: Text, Value: r.p[i].text, Quoted: true, Sure: true}
		if r.s[r.p[i].span.From] == '`' {
			w.Unit = codeUnit
		}
		k := i - 1
		for r.is(k, be, to, says, in, article, of, as, even, forWhom) && r.textNoun(k) == nil || r.punct(k, ":=：") {
			k--
		}
		from := i
		switch t := r.textNoun(k); {
		case r.is(k, beneath):
			w.Unit, from = beneathUnit, k
			if t != nil {
				w.About = t.About
			}
		case t != nil:
			w.About, from = t.About, k
		case r.is(k, caption):
			from = k
		}
		if r.term(from, Topic) != nil { // the noun names the subject as well
			from = i
		}
		if !r.free(from, i) {
			from = i
		}
		r.wish(from, i+1, w)
	}
}

// mostCues is how many words are tried as the lead to a text: each try looks at the rest of the clause.
const mostCues = 100

// readCue takes what words such as "that says" lead to as a text, when it has no quotation marks.
func (r *reader) readCue() {
	tries := 0
	for k := range 2 * len(r.p) {
		i := k % len(r.p)
		if !r.is(i, says, caption, beneath) && r.textNoun(i) == nil {
			continue
		}
		if tries++; tries > mostCues {
			return
		}
		from, w, ok := r.cueAt(i, k >= len(r.p))
		if !ok {
			continue
		}
		end := r.stretchEnd(from, len(r.p))
		if end <= from {
			continue
		}
		w.Span, w.Value = r.trimmed(from, end)
		if w.Value == "" {
			continue
		}
		r.drop(w.Span)
		r.wishes = append(r.wishes, w)
		for k := i; k < end; k++ {
			r.p[k].wish = len(r.wishes)
		}
		return
	}
}

// cueAt reports whether the words at piece i lead to a text, and where the text begins. loose
// says that a noun such as "title" is enough.
func (r *reader) cueAt(i int, loose bool) (from int, w Wish, ok bool) {
	w = Wish{Kind: Text, Cued: true, Sure: true}
	t := r.textNoun(i)
	if t != nil {
		w.About = t.About
	}
	if r.is(i, beneath) {
		w.Unit = beneathUnit
	}
	named := t != nil || r.is(i, caption, beneath)
	k := i + 1
	switch {
	case r.is(i, says) && (r.p[i].wish == 0 || r.wishes[r.p[i].wish-1].Kind == Subject):
		for k = r.skip(k, 1, caption, of); r.punct(k, ":="); k++ {
		}
	case named && (r.is(k, to, be, says) || r.punct(k, ":=")):
		for r.is(k, to, be, says, it) || r.punct(k, ":=") {
			k++
		}
		if r.colourClause(k) {
			return 0, w, false // "change the text to red"
		}
	case loose && t != nil && r.is(r.skip(i-1, -1, article), in) && r.opens(k): // "with the button Buy now"
	case loose && r.is(i, caption, beneath) && !r.p[i].typo && r.opens(k) && r.few(i):
	default:
		return 0, w, false
	}
	if k >= len(r.p) || r.p[k].wish > 0 && r.wishes[r.p[k].wish-1].Kind == Text || r.breaks(k) {
		return 0, w, false
	}
	if end := r.tail(k); r.idle(k, end) {
		return 0, w, false
	}
	return k, w, true
}

// idle reports whether pieces [i, j) say nothing at all: neither a wish nor a word of a text.
func (r *reader) idle(i, j int) bool {
	return i < j && r.instructs(i, j) && !r.wished(i, j) && !r.capital(i)
}

// colourClause reports whether the clause that begins at piece i says nothing but how a thing
// is to be.
func (r *reader) colourClause(i int) bool {
	end := r.tail(i)
	return end > i && r.instructs(i, end) && r.wished(i, end)
}

// opens reports whether a text may begin at piece i: with a word that means nothing else, or
// with a capital.
func (r *reader) opens(i int) bool {
	if !r.form(i, word) || r.p[i].wish > 0 && !r.capital(i) {
		return false
	}
	return len(r.p[i].senses) == 0 || r.capital(i)
}

func (r *reader) capital(i int) bool {
	c, _ := utf8.DecodeRuneInString(r.s[r.p[i].span.From:])
	return unicode.IsUpper(c)
}

// few reports whether at most two pieces before i, in its clause, mean nothing.
func (r *reader) few(i int) bool {
	n := 0
	for k := i - 1; k >= 0 && !r.breaks(k); k-- {
		if !r.instructs(k, k+1) {
			n++
		}
	}
	return n <= 2
}

// drop forgets the wishes that lie in a text to show.
func (r *reader) drop(s Span) {
	for k := range r.wishes {
		if w := &r.wishes[k]; w.Span.In(s) && w.Kind != Author || w.Kind == List && w.Span.From < s.To && w.Span.To > s.From {
			w.Kind = ""
		}
	}
}

// orders are the classes of words that only instruct: they say nothing by themselves.
var orders = []class{
	article, and, or, in, onto, forWhom, of, to, from, by, as, be, it, please, filler, makes, set, medium, even, very, bit, now, correct, not, without, instead, caption, says, add, more, less, too, but, theme, scene, long, mine, beneath, next,
}

// instructs reports whether pieces [i, j) only instruct: none of them is a word of a text.
func (r *reader) instructs(i, j int) bool {
	for k := i; k < j; k++ {
		if !r.order(k) {
			return false
		}
	}
	return true
}

func (r *reader) order(k int) bool {
	p := &r.p[k]
	if p.scene {
		return true
	}
	if r.term(k, Spoken) != nil {
		return false
	}
	if p.wish > 0 {
		switch w := &r.wishes[p.wish-1]; w.Kind {
		case Percent, Rows, Range, Text, Clock, Author, "":
			return false
		case Number:
			return w.About != ""
		case Subject:
			return w.Sure
		default:
			return true
		}
	}
	return p.form == mark && !pictograph(p.text) || p.form == line || r.is(k, orders...)
}

// wishes reports whether pieces [i, j) hold a wish.
func (r *reader) wished(i, j int) bool {
	for k := i; k < j; k++ {
		if r.p[k].wish > 0 || r.p[k].scene {
			return true
		}
	}
	return false
}

// stretchEnd is where the text that begins at piece i ends, at most at limit: before the
// clauses and the words at the end that only instruct, such as "in red", "for 5 seconds".
func (r *reader) stretchEnd(i, limit int) int {
	end := limit
	n := len(r.clause)
	for n > 0 && r.clause[n-1].From >= end {
		n--
	}
	loose := end // before clauses that say little, which may stand among those that instruct
	for ; n > 0 && r.clause[n-1].From > i; n-- {
		c := r.clause[n-1]
		switch to := min(c.To, loose); {
		case r.instructs(c.From, to) && r.wished(c.From, to):
			loose, end = c.From, c.From
		case n > 1 && r.aside(c.From, to):
			loose = c.From
		default:
			n = 0
			continue
		}
	}
	cut := end
	for k := end - 1; k > i && r.order(k); k-- {
		leads := r.is(k, in, onto, as, forWhom, without) && (r.p[k].wish == 0 || r.p[k-1].wish != r.p[k].wish)
		if w := r.p[k].wish; w > 0 && r.p[k-1].wish != w {
			switch r.wishes[w-1].Kind {
			case Length, Size, Shape, Scale, Rate, Format, Loop, Transparent:
				leads = true
			}
		}
		if leads && r.wished(k, end) {
			cut = k
		}
	}
	return cut
}

// mostAside is how many words a remark has that may stand between clauses that instruct.
const mostAside = 3

// aside reports whether the clause in pieces [i, j) is a short remark: "shaking", "if possible".
func (r *reader) aside(i, j int) bool {
	words := 0
	for k := i; k < j; k++ {
		switch {
		case r.form(k, word) && !r.capital(k) && !r.is(k, announce, mine):
			words++
		case r.form(k, mark) && r.punct(k, ",;"):
		default:
			return false
		}
	}
	return words > 0 && words <= mostAside
}

// trimmed is the text of pieces [i, j) without marks that only separate it from the rest.
func (r *reader) trimmed(i, j int) (Span, string) {
	for i < j && (r.form(i, line) || r.punct(i, ",:;=、，：—–-") && !r.p[i].glued) {
		i++
	}
	for j > i && (r.form(j-1, line) || r.punct(j-1, ",:;、，：—–-") || j < len(r.p) && r.punct(j-1, ".。") || r.punct(j-1, ")）") && !r.punctIn(i, j-1, "(（")) {
		j--
	}
	if i >= j {
		return Span{}, ""
	}
	for i > 0 && r.punct(i-1, "¡¿#@") && r.p[i].glued && r.p[i-1].wish == 0 {
		i--
	}
	s := Span{r.p[i].span.From, r.p[j-1].span.To}
	for s.To < len(r.s) { // what is no piece, as a joiner of pictures
		c, n := utf8.DecodeRuneInString(r.s[s.To:])
		if !unicode.In(c, unicode.Mn, unicode.Cf) {
			break
		}
		s.To += n
	}
	return s, r.s[s.From:s.To]
}

// punctIn reports whether one of the marks is in pieces [i, j).
func (r *reader) punctIn(i, j int, marks string) bool {
	for ; i < j; i++ {
		if r.punct(i, marks) {
			return true
		}
	}
	return false
}

// readAuthor finds "by Steve Jobs" and "- Steve Jobs" behind a text.
func (r *reader) readAuthor() {
	for i := 1; i < len(r.p); i++ {
		dash := r.punct(i, "-–—―") && !r.p[i].glued || r.punct(i, "—―")
		if r.form(i-1, quoted) && r.capital(i) { // “…” Socrates
			if end := r.nameEnd(i); end > i && (i == 1 || end-i > 1) && r.free(i, end) {
				r.wish(i, end, Wish{Kind: Author, Value: r.said(i, end), Sure: true})
				continue
			}
		}
		if !dash && !r.is(i, by) || !r.free(i, i+1) {
			continue
		}
		end := i + 1
		for end < len(r.p) && end-i <= 6 && (r.form(end, word) && (r.capital(end) || !cased(r.p[end].text) || end > i+1) || r.punct(end, ".") && end+1 < len(r.p) && r.p[end].glued) && !r.is(end, in, onto) {
			end++
		}
		behind := end >= len(r.p) || r.breaks(end) || r.is(end, in, onto)
		quote := r.form(i-1, quoted) || r.breaks(i-1) && r.form(i-2, quoted)
		if end == i+1 || !behind || !quote && dash && i < 3 || !r.capital(i+1) && cased(r.p[i+1].text) && !quote {
			continue
		}
		if w := r.p[i+1].wish; w > 0 && r.instructs(i+1, end) && !quote {
			continue
		}
		r.drop(Span{r.p[i].span.From, r.p[end-1].span.To})
		r.wish(i, end, Wish{Kind: Author, Value: r.said(i+1, end), Sure: quote || dash})
	}
}

// longestPerson is how many pieces the name of a person may have.
const longestPerson = 6

// nameEnd is the end of the name that begins at piece i and fills its clause, but for a
// subject: "Mies van der Rohe", "Martin Luther King Jr. quote"; i if there is none.
func (r *reader) nameEnd(i int) int {
	end, capitals := i, 0
	for end < len(r.p) && end-i < longestPerson && r.form(end, word) && (r.capital(end) || !r.capital(end) && end > i && r.small(end)) {
		if r.capital(end) {
			capitals++
		}
		end++
		if r.punct(end, ".") && r.p[end].glued && end+1 < len(r.p) && !r.form(end+1, line) { // "Jr."
			end++
		}
	}
	k := end
	for k < len(r.p) && (r.term(k, Topic) != nil || r.is(k, medium, article)) {
		k++
	}
	if capitals == 0 || end > i && !r.capital(end-1) && !r.punct(end-1, ".") || k < len(r.p) && !r.breaks(k) {
		return i
	}
	return end
}

// small reports whether a word stands within names: "van der", "de la".
func (r *reader) small(i int) bool {
	return r.is(i, of, by, article, from) || len(r.p[i].senses) == 0 && len(r.p[i].text) <= 3
}

func cased(s string) bool {
	c := firstRune(s)
	return unicode.ToUpper(c) != c
}

// Reading is what a text asks for.
type Reading struct{ r *reader }

// Wishes lists the wishes in the order of the text.
func (r *Reading) Wishes() []Wish {
	out := slices.DeleteFunc(slices.Clone(r.r.wishes), func(w Wish) bool { return w.Kind == "" })
	slices.SortStableFunc(out, func(a, b Wish) int { return a.Span.From - b.Span.From })
	return out
}

// Said is what the text says at a place.
func (r *Reading) Said(s Span) string { return r.r.s[s.From:s.To] }

// Rest is the longest stretch of the text that is left to be shown when the wishes that taken
// accepts are fulfilled, and the places of without are shown elsewhere. It keeps every character; only what
// instructs is cut off at its ends.
func (r *Reading) Rest(taken func(*Wish) bool, without ...Span) (string, Span) {
	rd := r.r
	var best Span
	text := ""
	for i := rd.turn; i < len(rd.p); i++ {
		j := i
		for j < len(rd.p) && !rd.hard(j, taken) && !slices.ContainsFunc(without, rd.p[j].span.In) {
			j++
		}
		s, t := rd.rest(i, j)
		if t != "" && rd.data(j) { // what stands before data names the data
			return t, s
		}
		if utf8.RuneCountInString(t) > utf8.RuneCountInString(text) {
			best, text = s, t
		}
		i = j
	}
	return text, best
}

// data reports whether data begin at piece k.
func (r *reader) data(k int) bool {
	return k < len(r.p) && slices.ContainsFunc(r.wishes, func(w Wish) bool {
		return (w.Kind == Rows || w.Kind == List) && w.Span.From == r.p[k].span.From
	})
}

// hard reports whether piece k belongs to a wish that is no part of any text.
func (r *reader) hard(k int, taken func(*Wish) bool) bool {
	if r.p[k].wish == 0 {
		return false
	}
	switch w := &r.wishes[r.p[k].wish-1]; w.Kind {
	case Text, Rows, Range, File, Author, Number, Percent, Clock:
		return taken(w)
	}
	return false
}

// rest is the text in pieces [i, j).
func (r *reader) rest(i, j int) (Span, string) {
	first, last := -1, -1
	n, _ := slices.BinarySearchFunc(r.clause, i, func(c Span, i int) int { return c.To - i - 1 })
	for ; n < len(r.clause) && r.clause[n].From < j; n++ {
		from, to := max(i, r.clause[n].From), min(j, r.clause[n].To)
		if from < to && (!r.instructs(from, to) || first < 0 && r.shows(from, to)) {
			if first < 0 {
				first = from
			}
			last = to
		}
	}
	if first < 0 {
		if j-i < 3 || r.wished(i, j) {
			return Span{}, ""
		}
		first, last = i, j // "the only way out is through"
	}
	first = r.headEnd(r.frameEnd(first, last), last)
	last = r.bracketStart(first, last)
	for k := first + 1; k+1 < last; k++ { // "Hello World title in papyrus"
		if r.names(k) && r.is(k+1, in, onto, forWhom, as) {
			last = k
		}
	}
	cut := j < len(r.p) && r.p[j].wish > 0 && r.wishes[r.p[j].wish-1].Kind != Author
	for {
		last = r.stretchEnd(first, last)
		end := last
		for k := end - 1; k > first && (r.names(k) || r.is(k, medium, article, forWhom, of, from, in, onto, please) || r.punct(k, ",;:")); k-- { // "New Year countdown"
			if r.names(k) || r.is(k, medium) {
				end = k
			}
		}
		for cut && end == j && end > first+1 && r.is(end-1, from, in, onto, of, to, forWhom, article, and) { // "… from data.csv"
			end, j = end-1, end-1
		}
		if end == last {
			return r.trimmed(first, last)
		}
		last = end
	}
}

// names reports whether piece k names the subject.
func (r *reader) names(k int) bool {
	return r.p[k].wish > 0 && r.term(k, Topic) != nil && r.term(k, Spoken) == nil
}

// shows reports whether pieces [i, j), which say little, ask koda for nothing: "you, me and the dog".
func (r *reader) shows(i, j int) bool {
	for k := i; k < j; k++ {
		if r.p[k].wish > 0 || r.p[k].scene || r.is(k, please, makes, medium, caption, says, beneath, set, add, correct, not, without, now, but) {
			return false
		}
	}
	return i+1 < j && r.form(i, word)
}

// frameEnd is where the text begins after words such as "make a video about".
func (r *reader) frameEnd(i, j int) int {
	verb, noun := false, false
	k := i
	for ; k < j && r.order(k); k++ {
		w := r.p[k].wish
		if w > 0 && !r.wishes[w-1].Sure {
			break
		}
		verb = verb || r.is(k, makes, set, add)
		noun = noun || r.is(k, medium, caption) || w > 0 && r.wishes[w-1].Kind != Choice && r.wishes[w-1].Kind != Colour && r.wishes[w-1].Kind != More
	}
	if k == j || !noun && !(verb && (k > i+1 || r.capital(k) && !r.capital(i))) {
		return i
	}
	for k > i && r.is(k-1, filler) && r.p[k-1].wish == 0 && !r.is(k-1, of, to, in, onto, article) { // "countdown to new year"
		k--
	}
	return k
}

// mostHead is how many words that mean nothing the head of a text may have.
const mostHead = 3

// headEnd is where the text begins behind a head that names the subject and a colon: "python code being
// typed: …".
func (r *reader) headEnd(i, j int) int {
	subject, odd := false, 0
	for k := i; k < j; k++ {
		switch {
		case r.punct(k, ":：") && r.breaks(k):
			if subject && !r.names(k-1) && !r.instructs(k+1, j) {
				return k + 1
			}
			return i
		case r.breaks(k):
			return i
		case r.names(k):
			subject = true
		case !r.order(k):
			if odd++; odd > mostHead || r.capital(k) && k > i {
				return i
			}
		}
	}
	return i
}

// bracketStart is where a bracket at the end of pieces [i, j) begins that speaks to koda: "(not
// centered)"; j if there is none.
func (r *reader) bracketStart(i, j int) int {
	if j-1 <= i || !r.punct(j-1, ")）") {
		return j
	}
	for k := j - 2; k > i; k-- {
		if r.punct(k, "(（") {
			if r.is(k+1, not, without, makes, set, please, in, as) {
				return k
			}
			return j
		}
	}
	return j
}

// Left lists, in order, the words that are neither covered nor say nothing.
func (r *Reading) Left(covered func(*Wish) bool, spans ...Span) []string {
	var out []string
	rd := r.r
	end := -1
	for k := range rd.p {
		p := &rd.p[k]
		in := slices.ContainsFunc(spans, func(s Span) bool { return p.span.In(s) })
		switch {
		case in || p.scene || p.form == line || p.form == mark && !pictograph(p.text):
			continue
		case p.wish > 0 && rd.wishes[p.wish-1].Kind != "":
			if covered(&rd.wishes[p.wish-1]) {
				continue
			}
		case rd.term(k, Hint) != nil || rd.is(k, orders...) || rd.is(k, approx, please, explain, other, list, times, every, suggest):
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
