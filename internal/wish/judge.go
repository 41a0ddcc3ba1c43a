package wish

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Question is how a text speaks to koda.
type Question struct {
	Words     int  // plain words
	Letters   bool // there is anything but marks
	Sum       bool // marks of arithmetic
	Moving    bool // a word for moving pictures
	Makes     bool // a verb that asks for something to be made
	Asks      bool // begins like a question
	Auxiliary bool // and goes on like one: "what is …"
	Mark      bool // ends with a question mark
	Suggests  bool // "how about …"
	Explains  bool // asks for an explanation
	Errand    bool // begins with a verb of other work
	Product   bool // asks for another thing to be made
	Greets    bool // a few words of greeting
	Self      bool // begins with what somebody is or feels
}

// Question looks at how the whole text speaks.
func (r *Reading) Question() Question {
	var q Question
	rd := r.r
	first := -1
	goods, greets, verb := false, true, false
	for k := range rd.p {
		p := &rd.p[k]
		q.Letters = q.Letters || p.form != mark && p.form != line || pictograph(p.text) && p.form == mark && unicode.Is(unicode.Han, firstRune(p.text))
		q.Sum = q.Sum || rd.punct(k, "+*/=^%<>")
		if p.form != word {
			continue
		}
		q.Words++
		if first < 0 && !rd.is(k, please) {
			first = k
		}
		q.Moving = q.Moving || rd.is(k, medium, loop, format, fps) || p.wish > 0 && rd.wishes[p.wish-1].Kind == Shape
		verb = verb || rd.is(k, makes)
		goods = goods || rd.is(k, product)
		greets = greets && rd.is(k, greeting)
		q.Explains = q.Explains || rd.is(k, explain)
	}
	q.Makes = verb
	text := strings.TrimRight(rd.s, " \t\r\n!")
	last, _ := utf8.DecodeLastRuneInString(text)
	q.Mark = last == '?' || last == '？' || last == '؟'
	if first < 0 {
		first = len(rd.p)
	}
	q.Suggests = rd.is(first, suggest)
	opens := rd.is(first, ask) || rd.is(first, explain) && !rd.is(first, makes) && q.Mark || rd.is(len(rd.p)-1, ask) && q.Mark
	q.Asks = opens || rd.is(first, aux) && q.Mark
	q.Auxiliary = opens && (rd.is(first+1, aux) || rd.is(first, explain))
	q.Errand = rd.is(first, errand)
	q.Product = goods && (verb || rd.is(first, errand))
	q.Greets = q.Words > 0 && q.Words <= 3 && greets
	q.Self = rd.is(first, self)
	return q
}

// Topics are the subjects that the words of a file's name mean.
func (v *Vocabulary) Topics(name string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(fold(name), func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, s := range v.of(w) {
			if topic(s) {
				out = append(out, s.term.About)
			}
		}
	}
	return out
}

// Calendar reports whether words are a point in time: a day of the week, a month, or anything with digits.
func (r *Reading) Calendar(words string) bool {
	for _, s := range r.r.v.of(fold(words)) {
		if s.class == calendar {
			return true
		}
	}
	return strings.ContainsFunc(words, unicode.IsDigit)
}

// FileKind is the kind of a file by its name: "image", "audio", "data", or "".
func (r *Reading) FileKind(name string) string {
	return r.r.v.base.files[strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])]
}

// Answers reports whether a text is what a command answers.
func (w *Wish) Answers() bool { return w.Kind == Text && w.Unit == outputUnit }

// IsCode reports whether a text stood between backticks.
func (w *Wish) IsCode() bool { return w.Kind == Text && w.Unit == codeUnit }

// ForWhat is what a text says a video is for, such as "the new bike repair corner", without the word before it; ok is false if there
// is no such thing, or if it is a single thing of everybody, such as "my channel". least is how many words must say something.
func (v *Vocabulary) ForWhat(text string, least int) (s Span, ok bool) {
	r := newReader(v, text, false)
	for i := range r.p {
		if !r.is(i, forWhom) && (i == 0 || !r.is(i, of, to) || r.term(i-1, Topic) == nil) { // "promoción de la peluquería Lola", "countdown to the start"
			continue
		}
		from := r.skip(i+1, 1, article, mine)
		to, told := from, 0
		for to < len(r.p) && (r.form(to, word) || r.form(to, number)) && !r.is(to, in, onto, says, forWhom, without, please, shape) && (to == from || r.term(to, Topic) == nil) {
			if !r.is(to, untold, medium, of, and, article, time, filler) && r.p[to].span.To-r.p[to].span.From > 2 {
				told += len(strings.Fields(r.said(to, to+1)))
			}
			to++
		}
		if told >= least && !r.is(to-1, medium, shape) && !r.times(from) && !r.form(from, number) {
			for from+1 < to && r.is(from, untold) && r.capital(from+1) { // "app FocusFlow"
				from++
			}
			return Span{r.p[from].span.From, r.p[to-1].span.To}, true
		}
	}
	return Span{}, false
}

// Framing is where the words end that name the shape of a video before what it shows, without a sign between: "square video yard
// sale"; 0 if a text begins otherwise.
func (v *Vocabulary) Framing(text string) int {
	r := newReader(v, text, false)
	from := r.skip(0, 1, article)
	k := r.skip(from, 1, shape)
	to := r.skip(k, 1, medium, format)
	if k == from || to == k || to == len(r.p) || !r.form(to, word) || r.is(to, forWhom, of, in, onto, by, as, without, says, be, and, beneath, it, medium, loop, transparent, please, filler) {
		return 0
	}
	return r.p[to-1].span.To
}

// Purpose is where a text says, in words that ask for nothing, whom or what the video is for: "for the open day". ok is false if it does
// not.
func (r *Reading) Purpose() (place Span, ok bool) {
	rd := r.r
	for i := 1; i < len(rd.p); i++ {
		if !rd.meant(i, forWhom) || rd.punct(i-1, ",;.") {
			continue
		}
		to := i + 1
		for end := rd.tail(i); to < end && !rd.form(to, quoted) && !rd.form(to, number) && !rd.is(to, says) && !rd.phrased(Span{to, to + 1}); to++ {
			if w := rd.p[to].wish; w > 0 && rd.wishes[w-1].Kind != Remark && !(rd.wishes[w-1].Kind == Subject && !rd.wishes[w-1].Sure) {
				break
			}
		}
		if to > i+1 {
			return rd.place(Span{i, to}), true
		}
	}
	return Span{}, false
}

// times reports whether piece i is a unit of time, whatever it means in its phrase.
func (r *reader) times(i int) bool {
	return i < len(r.p) && slices.ContainsFunc(slices.Concat(r.v.of(r.p[i].text), r.v.bent(r.p[i].text)), func(s sense) bool { return s.class == time })
}
