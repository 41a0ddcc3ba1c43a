package wish

import (
	"slices"
	"strings"
)

// longestBefore is how many words of a sentence stand before its number at most.
const longestBefore = 4

// stating makes one headline of a sentence whose number was left out: "we served 2,500,000 meals", "raised $12M in seed funding".
func (r *reader) stating(all []phrasePieces) []phrasePieces {
	at := -1
	for i := range r.p {
		if !r.form(i, number) || r.p[i].phrase > 0 {
			continue
		}
		if at >= 0 {
			return all
		}
		at = i
	}
	if at < 0 || r.times(at+1) {
		return all
	}
	end := at + 1
	for end < len(r.p) && r.p[end].phrase == 0 && r.meant(end, magnitude, currency, percent) {
		end++
	}
	behind := r.phraseAt(all, end)
	if behind < 0 || all[behind].from != end || all[behind].role != Headline && all[behind].role != Second || r.form(end, quoted) {
		return all
	}
	from := at
	for from > 0 && r.p[from-1].phrase == 0 && r.meant(from-1, currency, approx, onto) {
		from--
	}
	if k := behind - 1; k >= 0 && all[k].role == Headline && all[k].to == from && !r.form(all[k].from, quoted) {
		all = slices.Clone(all)
		all[k].to = all[behind].to
		return slices.Delete(all, behind, behind+1)
	}
	words, named := at-from, false
	for from > 0 && r.p[from-1].phrase == 0 && r.form(from-1, word) && !r.meant(from-1, next) {
		from--
		named = named || r.term(from, Hint) != nil
		if words++; words > longestBefore || r.meant(from, makes, medium, please, add, set, to, upTo, by, of, shape, scale, loop, forWhom, says, remove, numeral, time, colour) || r.term(from, Topic) != nil || r.term(from, Noun) != nil || r.term(from, Option) != nil {
			return all
		}
	}
	if words == 0 && (all[behind].role != Headline || r.form(at+1, mark)) || from > 0 && !r.form(from-1, mark) && !r.form(from-1, line) && !r.meant(from-1, next) {
		return all
	}
	if named && from > 0 && r.meant(from-1, next) { // "then the number 1,200"
		return all
	}
	all = slices.Clone(all)
	all[behind].from, all[behind].role = from, Headline
	return all
}

// runsDown takes the numbers that count down from the end of a headline: "kick off in 10, 9, 8".
func (r *reader) runsDown(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		last := p.to - 1
		next := p.to
		if r.punct(next, ",，、") {
			next++
		}
		if p.role != Headline || !r.form(last, number) || !r.form(next, number) || r.p[next].num != r.p[last].num-1 {
			continue
		}
		to := last
		for to > p.from && r.meant(to-1, in, from) {
			to--
		}
		if to > p.from {
			all = slices.Clone(all)
			all[k].to = to
		}
		return all
	}
	return all
}

// dated parts points in time from the first of their figures, where two things are set against each other: "Lisbon vs London: Jan
// 15 7, Apr 20 13".
func (r *reader) dated(all []phrasePieces) []phrasePieces {
	var out []phrasePieces
	n := 0
	for k, p := range all {
		if p.role == Name && p.to == p.from+2 && r.period(p.from) && r.form(p.from+1, number) && k+1 < len(all) && all[k+1].role == Figure {
			out = append(out, phrasePieces{p.from, p.from + 1, Name}, phrasePieces{p.from + 1, p.to, Figure})
			n++
			continue
		}
		out = append(out, p)
	}
	if !r.against(all) || n < 2 {
		return all
	}
	return out
}

// against reports whether a heading sets two things against each other: "Lisbon vs London".
func (r *reader) against(all []phrasePieces) bool {
	return slices.ContainsFunc(all, func(p phrasePieces) bool {
		for i := p.from; p.role == Headline && i < p.to; i++ {
			if r.meant(i, versus) {
				return true
			}
		}
		return false
	})
}

// introduced makes a line above of the words before numbers that count down: "race starts in 5.. 4.. 3.. 2.. 1..".
func (r *reader) introduced(all []phrasePieces) []phrasePieces {
	for i := range r.p {
		if r.falling(i) < 3 || r.p[i].phrase > 0 {
			continue
		}
		to := i
		for to > 0 && r.p[to-1].phrase == 0 && r.meant(to-1, in, from) {
			to--
		}
		from := to
		for from > 0 && r.p[from-1].phrase == 0 && r.form(from-1, word) {
			from--
		}
		for k := from; k < to; k++ {
			if r.meant(k, makes, medium, please, mine, shape, loop, says) || r.term(k, Topic) != nil {
				return all
			}
		}
		if to == i || to-from < 2 || from > 0 && !r.form(from-1, mark) && !r.form(from-1, line) {
			return all
		}
		return r.with(all, phrasePieces{from, to, Second})
	}
	return all
}

// withLabel gives a text behind others the words that stand before it with a colon: "Thanks for watching! Next video: Thursday".
func (r *reader) withLabel(all []phrasePieces) []phrasePieces {
	for k := 1; k < len(all); k++ {
		p := all[k]
		if (p.role != Headline && p.role != Second) || p.from < 2 || !r.punct(p.from-1, ":：") || r.form(p.from, quoted) || all[k-1].role == Source {
			continue
		}
		from := p.from - 1
		for from > all[k-1].to && r.form(from-1, word) {
			from--
		}
		if n := p.from - 1 - from; n < 2 || n > 3 || !r.punct(from-1, ".!?") || !r.capital(from) || r.term(from, Noun) != nil || r.is(from, beneath, caption, says, next) || r.meant(from, beneath, caption, onto) {
			continue
		}
		all = slices.Clone(all)
		all[k].from = from
	}
	return all
}

// dayItems makes rows of items that are points in time with a figure each: "mon 8k, tue 10k, wed 6k".
func (r *reader) dayItems(all []phrasePieces) []phrasePieces {
	var out []phrasePieces
	n := 0
	for _, p := range all {
		if p.role != Item {
			out = append(out, p)
			continue
		}
		q := r.quantityAt(p.from + 1)
		if p.to-p.from < 2 || !r.period(p.from) || r.year(p.from) || q.n == 0 || p.from+1+q.n < p.to || r.form(p.from+1, clock) {
			return all
		}
		n++
		out = append(out, phrasePieces{p.from, p.from + 1, Name}, phrasePieces{p.from + 1, p.to, Figure})
	}
	if n < 3 {
		return all
	}
	return out
}

// withFiles takes files out of texts, with the words that stand before them in their clause: "clean your inbox, screenshot app.png".
func (r *reader) withFiles(all []phrasePieces) []phrasePieces {
	var out []phrasePieces
	for _, p := range all {
		at := -1
		for i := p.from; i < p.to && at < 0; i++ {
			if r.form(i, file) && p.role != Source && p.role != Output && r.v.base.files[strings.ToLower(r.p[i].text[strings.LastIndexByte(r.p[i].text, '.')+1:])] == "image" {
				at = i
			}
		}
		if cast := p.role == Source && p.to-p.from <= 2 && r.form(p.to-1, file) && strings.HasSuffix(strings.ToLower(r.p[p.to-1].text), ".cast"); cast { // "play demo.cast"
			continue
		}
		if at < 0 {
			out = append(out, p)
			continue
		}
		to := at
		for to > p.from && !r.form(to-1, mark) {
			to--
		}
		if to == p.from && at > p.from+1 { // "hello world photo.jpg" says more than the file
			to = at
		}
		for to > p.from && r.form(to-1, mark) {
			to--
		}
		if to > p.from {
			out = append(out, phrasePieces{p.from, to, p.role})
		}
	}
	return out
}

// bracketed makes items of what stands in brackets behind a text: "3 services (design, code, care)".
func (r *reader) bracketed(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		if p.role != Headline && p.role != Second || k+1 >= len(all) || all[k+1].role != Item {
			continue
		}
		for i := p.from + 1; i < p.to-1; i++ {
			if r.punct(i, "(（") && !r.punctIn(i, p.to, ")）") {
				return slices.Concat(all[:k], []phrasePieces{{p.from, i, p.role}, {i + 1, p.to, Item}}, all[k+1:])
			}
		}
	}
	return all
}

// toColon ends a text at the colon behind it, where a name was torn: "Black Friday at Nordlicht Optik: second pair free".
func (r *reader) toColon(all []phrasePieces) []phrasePieces {
	for k := 0; k+1 < len(all); k++ {
		p, q := all[k], all[k+1]
		if p.role != Headline || q.role != Second && q.role != Headline || q.from != p.to || !r.form(p.to-1, word) || !r.capital(p.to-1) {
			continue
		}
		at := q.from
		for at < q.to && at < q.from+3 && r.form(at, word) && r.capital(at) {
			at++
		}
		if at > q.from && at+1 < q.to && r.punct(at, ":：") {
			all = slices.Clone(all)
			all[k].to, all[k+1].from = at, at+1
		}
	}
	return all
}
