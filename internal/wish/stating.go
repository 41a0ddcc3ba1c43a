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
