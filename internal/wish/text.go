package wish

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// BeneathUnit is the unit of a text that stands below the first: a subtitle.
const BeneathUnit = "beneath"

// Beneath reports whether a text is meant to stand below another.
func (w *Wish) Beneath() bool { return w.Kind == Text && w.Unit == BeneathUnit }

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
				w.Unit = BeneathUnit
			}
			if r.free(at, i) {
				from = at
			}
		}
		r.wish(from, i+1, w)
	}
}

func (r *reader) capital(i int) bool {
	if i >= len(r.p) {
		return false
	}
	c, _ := utf8.DecodeRuneInString(r.s[r.p[i].span.From:])
	return unicode.IsUpper(c)
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

// elided is how many bytes of a word are another word before it without its vowel: "d'" of "d'Antoine".
func elided(s string) int {
	for _, mark := range []string{"'", "’"} {
		before, behind, ok := strings.Cut(s, mark)
		if first, _ := utf8.DecodeRuneInString(behind); ok && len(before) == 1 && strings.ToLower(before) == before && unicode.IsUpper(first) {
			return len(before + mark)
		}
	}
	return 0
}
