package wish

import (
	"slices"
)

// unled takes from the beginning of a text the words that only lead to it: "promoting our sourdough workshop", "dicho por
// Amparo", "danach Zahl 9.800".
func (r *reader) unled(all []phrasePieces) []phrasePieces {
	all = slices.Clone(all)
	for k := range all {
		p := &all[k]
		switch {
		case p.to-p.from < 2 || r.form(p.from, quoted):
		case p.role == Speaker && r.meant(p.from, by), p.role == Headline && k > 0 && r.meant(p.from, next) && !r.capital(p.from):
			p.from++
		case p.role == Headline && r.p[p.from].span.To-r.p[p.from].span.From > 7 && r.meant(p.from, of) && !r.capital(p.from):
			for p.from++; p.to-p.from > 1 && r.meant(p.from, mine, article); {
				p.from++
			}
		}
	}
	return all
}

// answers makes an answer of a quotation behind a word that says so among commands: "`robo scan` prints "4 motors found"".
func (r *reader) answers(all []phrasePieces) []phrasePieces {
	all = slices.Clone(all)
	for k := 1; k < len(all); k++ {
		p := &all[k]
		if p.role == Source && all[k-1].role == Source && r.form(p.from, quoted) && p.from == all[k-1].to+1 && r.meant(p.from-1, says) {
			p.role = Output
		}
	}
	return all
}

// plusJoined makes one item of two with nothing but a plus between: "laptop + charger".
func (r *reader) plusJoined(all []phrasePieces) []phrasePieces {
	for k := len(all) - 1; k > 0; k-- {
		p, q := all[k-1], all[k]
		others := len(all) > 3 // a list with other marks
		if p.role == Item && q.role == Item && q.from == p.to+1 && r.punct(p.to, "+") && others && r.punctIn(all[0].from, all[len(all)-1].to, ",;") {
			all = slices.Concat(all[:k-1], []phrasePieces{{p.from, q.to, Item}}, all[k+1:])
		}
	}
	return all
}

// longestOf is how many words the name behind a heading has at most.
const longestOf = 4

// ofName gives a heading the name that stands between it and its colon: "what's new in version 2.6 of Tidewatch:".
func (r *reader) ofName(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		if p.role != Headline || r.form(p.from, quoted) || p.to >= len(r.p) || r.p[p.to].phrase > 0 || !r.meant(p.to, of, article, forWhom, in) {
			continue
		}
		to := p.to
		for to < len(r.p) && to-p.to <= longestOf && r.p[to].phrase == 0 && (r.form(to, word) || r.form(to, number) || r.punct(to, "-")) && !r.meant(to, medium, shape, colour) {
			to++
		}
		if to-p.to < 2 || !r.punct(to, ":：") || !r.capital(to-1) {
			continue
		}
		all = slices.Clone(all)
		all[k].to = to
	}
	return all
}

// wholeName gives a name the unknown word with a capital before it: "für die Seenotretter Kappeln".
func (r *reader) wholeName(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		i := p.from - 1
		if p.role != Headline || i < 1 || r.p[i].phrase > 0 || !r.form(i, word) || len(r.p[i].senses) > 0 || !r.capital(i) || !r.capital(p.from) || !r.meant(i-1, article, forWhom, of) {
			continue
		}
		all = slices.Clone(all)
		all[k].from = i
	}
	return all
}

// beforeAfter makes sides of two texts of which one was before and the other is after: "before 90 min by hand, after 4 min with the
// robot".
func (r *reader) beforeAfter(all []phrasePieces) []phrasePieces {
	for k := 0; k+1 < len(all); k++ {
		p, q := all[k], all[k+1]
		texts := (p.role == Headline || p.role == Second || p.role == Item) && (q.role == Headline || q.role == Second || q.role == Item)
		if !texts || p.from == 0 || r.p[p.from-1].phrase > 0 || r.p[q.from-1].phrase > 0 || !r.meant(p.from-1, before) || !r.meant(q.from-1, after) || q.from > p.to+2 {
			continue
		}
		role := func(p phrasePieces) PhraseRole {
			if r.form(p.from, number) {
				return Figure
			}
			return Item
		}
		return slices.Concat(all[:k], []phrasePieces{{p.from - 1, p.from, Name}, {p.from, p.to, role(p)}, {q.from - 1, q.from, Name}, {q.from, q.to, role(q)}}, all[k+2:])
	}
	return all
}
