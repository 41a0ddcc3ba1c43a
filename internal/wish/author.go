package wish

import (
	"unicode"
)

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
		if n := r.ahead(i); n > 0 {
			r.wish(i, i+n+2, Wish{Kind: Author, Value: r.said(i+1, i+1+n), Sure: true})
			continue
		}
		if !dash && !r.is(i, by) || !r.free(i, i+1) || r.is(i, of, from) && r.term(i-1, Topic) != nil && r.term(i-1, Spoken) == nil { // "Logo von Nordwind"
			continue
		}
		end := i + 1
		for end < len(r.p) && end-i <= 6 && (r.form(end, word) && (r.capital(end) || !cased(r.p[end].text) || end > i+1) || r.punct(end, ".") && end+1 < len(r.p) && r.p[end].glued) && !r.is(end, in, onto) && r.term(end, Meaning) == nil {
			end++
		}
		behind := end >= len(r.p) || r.breaks(end) || r.is(end, in, onto) || r.term(end, Meaning) != nil
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

// ahead is how many pieces the name has that stands between a subject and a colon: "quote by Goethe:".
func (r *reader) ahead(i int) int {
	if !r.is(i, by) || r.term(i-1, Topic) == nil || !r.free(i, i+1) {
		return 0
	}
	for n := 1; n <= longestPerson && r.form(i+n, word) && (r.capital(i+n) || n > 1 && r.small(i+n)); n++ {
		if r.punct(i+n+1, ":：") {
			return n
		}
	}
	return 0
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
