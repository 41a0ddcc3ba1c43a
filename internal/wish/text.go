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

// Below is the unit of a text that stands below the first, if it does.
func Below(is bool) string {
	if is {
		return beneathUnit
	}
	return ""
}

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
	if r.punct(i, "/|") && !r.p[i].glued && i+1 < len(r.p) && !r.p[i+1].glued {
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
		from := i
		if about, at, below := r.named(i); at >= 0 {
			w.About = about
			if below {
				w.Unit = beneathUnit
			}
			if r.free(at, i) {
				from = at
			}
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
		for k := from + 1; k < min(from+mostHead, len(r.p)) && !r.capital(from); k++ { // "code being typed: x = 1"
			if r.punct(k, ":：") && r.breaks(k) && k+1 < len(r.p) {
				from = k + 1
				break
			}
		}
		end := r.stretchEnd(from, r.nextCue(from))
		all := end
		for k := from + 1; k < end && k >= end-mostPlace; k++ { // "put the title Sales 2024 on top"
			if _, n := r.placeAt(k); n > 0 && k+n == end && !r.capital(k) && (r.v.there && r.is(i, says) || r.textNoun(i) != nil && r.is(r.skip(i-1, -1, article), makes, set, add, move)) {
				end = k
			}
		}
		if r.v.there { // "say Buy today and make it orange"
			if at := r.until(from); !r.punct(at, ".!") && (!r.punct(at, ",;") || r.begins(r.skip(at+1, 1, and, but))) {
				end = min(end, at)
			}
		}
		for r.v.there && end-1 > from && r.is(end-1, anew, please) { // "end with Bye instead", but "Buy now"
			end--
		}
		if end <= from {
			continue
		}
		w.Span, w.Value = r.trimmed(from, r.shouted(from, r.bracketStart(from, end)))
		if w.Value == "" {
			continue
		}
		r.drop(w.Span)
		r.wishes = append(r.wishes, w)
		for k := i; k < all; k++ {
			r.p[k].wish = len(r.wishes)
		}
	}
}

// mostPlace is how many words say where a text is to stand: "at the very top".
const mostPlace = 4

// mostHead is how many words the head of a text may have, before a colon.
const mostHead = 3

// nextCue is where the next clause behind piece i begins that leads to a text of its own, "Author: …"; the end of the text
// if there is none.
func (r *reader) nextCue(i int) int {
	for _, c := range r.clause {
		if c.From > i && r.textNoun(c.From) != nil && r.punct(c.From+1, ":：") {
			return c.From
		}
	}
	return len(r.p)
}

// shouted is the end of the words in capitals that pieces [i, j) begin with, if small words about
// them follow: "GAME OVER in pixel font"; else j.
func (r *reader) shouted(i, j int) int {
	k, letters := i, 0
	for ; k < j && (r.form(k, word) || r.form(k, number)) && strings.ToUpper(r.said(k, k+1)) == r.said(k, k+1); k++ {
		letters += len(r.p[k].text)
	}
	if letters < 4 || k >= j || !r.is(k, in, onto, as, forWhom) {
		return j
	}
	for rest := k; rest < j; rest++ {
		if r.form(rest, word) && r.capital(rest) {
			return j
		}
	}
	return k
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
	if at := r.p[i].wish; at > 0 && slices.Contains([]Kind{Remove, Flag, Reset, Text, List}, r.wishes[at-1].Kind) {
		return 0, Wish{}, false
	}
	named := t != nil || r.is(i, caption, beneath)
	k := i + 1
	switch {
	case r.is(i, says) && !r.p[i].typo && !r.is(i-1, not) && (r.p[i].wish == 0 || r.wishes[r.p[i].wish-1].Kind == Subject):
		for k = r.skip(k, 1, caption, of, says); r.punct(k, ":="); k++ {
		}
	case named && (r.is(k, to, be, says) || r.punct(k, ":=")):
		for r.is(k, to, be, says, it) || r.punct(k, ":=") {
			k++
		}
		if end := r.tail(k); end > k && r.instructs(k, end) && r.wished(k, end) { // "the text to gold"
			return 0, w, false
		}
	case loose && t != nil && r.is(r.skip(i-1, -1, article), in, mine) && r.opens(k): // "with the button Buy now"
	case loose && r.is(i, caption, beneath) && !r.p[i].typo && r.opens(k) && r.few(i) && !r.is(r.skip(i-1, -1, article), move):
	default:
		return 0, w, false
	}
	if r.is(i, says) && r.is(i, makes) && !r.capital(k) { // "write it bigger"
		return 0, w, false
	}
	if r.v.there && r.is(i, says) && r.form(i-1, word) && len(r.p[i-1].senses) == 0 && !r.punct(k-1, ":=") { // "my partner says we cannot promise that"
		return 0, w, false
	}
	if k >= len(r.p) || r.p[k].wish > 0 && (r.wishes[r.p[k].wish-1].Kind == Text || r.is(i, next) && !r.capital(k)) || r.breaks(k) || r.describes(i, k) {
		return 0, w, false
	}
	end := r.tail(k)
	for n := k; n < end && (!r.is(i, says) || t != nil) && !r.punct(k-1, ":="); n++ {
		if r.form(n, quoted) { // the quotation is the text
			return 0, w, false
		}
	}
	if r.idle(k, end) {
		return 0, w, false
	}
	return k, w, true
}

// describes reports whether the words from piece k on say how the text is to be that piece i names, rather than what
// it says: "the title should be on the left". It is so only for what is there already.
func (r *reader) describes(i, k int) bool {
	if !r.v.there || r.shows(k) || r.punct(k-1, ":=") {
		return false
	}
	_, n := r.colourAt(k)
	switch {
	case r.is(i, says):
		first, _, _ := strings.Cut(r.p[i].text, " ")
		named := slices.ContainsFunc(r.v.of(first), func(s sense) bool { return s.class == article }) // "the message"
		return named || r.is(k, be) || r.textNoun(i-1) != nil                                         // "the title says nothing"
	case r.is(i+1, to):
		return n > 0 || r.is(k, article, in, onto, atStart, atEnd) || !r.is(r.skip(i-1, -1, article, mine, caption), set, replace, makes)
	}
	return r.is(k-1, to, be, it)
}

// idle reports whether pieces [i, j) say nothing at all: neither a wish nor a word of a text.
func (r *reader) idle(i, j int) bool {
	return i < j && r.instructs(i, j) && !r.wished(i, j) && !r.capital(i)
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
	if i >= len(r.p) {
		return false
	}
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
		if w := &r.wishes[k]; w.Span.In(s) {
			w.Kind = ""
		}
	}
}

// orders are the classes of words that only instruct: they say nothing by themselves.
var orders = []class{
	article, and, or, in, onto, forWhom, of, to, from, by, as, be, it, please, filler, makes, set, medium, even, very, bit, now, anew, respell, correct, not, without, instead, caption, says, add, more, less, too, but, theme, scene, long, mine, beneath, next, rest, direct,
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
		case Percent, Share, Rows, Range, Text, Clock, Author, "":
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
		case r.instructs(c.From, to) && r.wished(c.From, to), !r.is(c.From, not, but) && r.mostly(c.From, to):
			loose, end = c.From, c.From
		default:
			n = 0
			continue
		}
	}
	cut := end
	for k := end - 1; k > i && r.order(k); k-- {
		if r.is(k, instead) {
			cut = k
		}
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

// trimmed is the text of pieces [i, j) without marks that only separate it from the rest.
func (r *reader) trimmed(i, j int) (Span, string) {
	for i < j && (r.form(i, line) || r.punct(i, ",:;=、，：—–-/|") && !r.p[i].glued) {
		i++
	}
	for j > i && (r.form(j-1, line) || r.punct(j-1, ",:;、，：—–-/|") || j < len(r.p) && r.punct(j-1, ".。") || r.punct(j-1, ")）") && !r.punctIn(i, j-1, "(（")) {
		j--
	}
	if i >= j {
		return Span{}, ""
	}
	for i > 0 && r.punct(i-1, "¡¿#@<") && r.p[i].glued && r.p[i-1].wish == 0 {
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
