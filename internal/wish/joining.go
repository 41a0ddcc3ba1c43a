package wish

import (
	"slices"
	"strings"
)

// calls parts a line below at its quotations: "only this week, "Book now"". The one that ends the line calls for something.
func (r *reader) calls(all []phrasePieces) (out []phrasePieces) {
	for _, p := range all {
		if p.role != Second || r.form(p.from, quoted) && p.to-p.from == 1 {
			out = append(out, p)
			continue
		}
		from := p.from
		for k := p.from; k < p.to; k++ {
			parted := k > p.from && r.form(k, quoted) && r.punct(k-1, ",;") && (k+1 == p.to || r.punct(k+1, ",;"))
			if !parted {
				continue
			}
			out = append(out, phrasePieces{from, k - 1, Second})
			if from = k + 2; k+1 == p.to {
				out = append(out, phrasePieces{k, p.to, Button})
			} else {
				out = append(out, phrasePieces{k, k + 1, Second})
			}
		}
		if from < p.to {
			p.from = from
			out = append(out, p)
		}
	}
	return out
}

// longestOf is how many words the name behind a heading has at most.
const longestOf = 4

// ofName gives a heading the name that stands between it and its colon, "what's new in version 2.6 of Tidewatch:", or its place
// before the data: "rainfall at the top field apr 42".
func (r *reader) ofName(all []phrasePieces) []phrasePieces {
	for k, p := range all {
		if p.role != Headline || r.form(p.from, quoted) || p.to >= len(r.p) || r.p[p.to].phrase > 0 || !r.meant(p.to, of, article, forWhom, in, onto) {
			continue
		}
		to := p.to
		for to < len(r.p) && to-p.to <= longestOf && r.p[to].phrase == 0 && (r.form(to, word) || r.form(to, number) || r.punct(to, "-")) && !r.meant(to, medium, shape, colour) {
			to++
		}
		named := r.punct(to, ":：") && r.capital(to-1)
		data := k+1 < len(all) && all[k+1].from == to && (all[k+1].role == Name || all[k+1].role == Figure) && r.meant(p.to, in, of, onto)
		if to-p.to < 2 || !named && !data {
			continue
		}
		all = slices.Clone(all)
		all[k].to = to
	}
	return all
}

// longMeasure joins a heading and a unit that is none: "average wait in minutes by clinic desk".
func (r *reader) longMeasure(all []phrasePieces) []phrasePieces {
	for k := 1; k < len(all); k++ {
		p := all[k]
		if p.role == Measure && p.to-p.from > 2 && all[k-1].role == Headline && p.from-all[k-1].to <= 1 {
			return slices.Concat(all[:k-1], []phrasePieces{{all[k-1].from, p.to, Headline}}, all[k+1:])
		}
	}
	return all
}

// colouredItem takes the words that close a text behind the items of a list for an item, if they are a thing that nothing knows and its
// colour: "scissors, white paper".
func (r *reader) colouredItem(all []phrasePieces) []phrasePieces {
	k := len(all) - 1
	if k < 1 || all[k].role != Item || all[k-1].role != Item || all[k].to+3 != len(r.p) || !r.punct(all[k].to, ",") {
		return all
	}
	thing, hue := len(r.p)-1, len(r.p)-2
	if r.v.base.after[r.main] {
		thing, hue = hue, thing
	}
	if !r.form(thing, word) || len(r.p[thing].senses) > 0 || !r.is(hue, colour) {
		return all
	}
	return append(all, phrasePieces{all[k].to + 1, len(r.p), Item})
}

// lastPoint takes a headline for the last point of a side that it is joined to: "Xbox has 1 TB storage and Game Pass".
func (r *reader) lastPoint(all []phrasePieces) []phrasePieces {
	k := len(all) - 1
	if k < 2 || all[k].role != Headline || all[k-1].role != Item && all[k-1].role != Figure || all[k].from != all[k-1].to+1 || !r.meant(all[k-1].to, and) || r.form(all[k].from, quoted) {
		return all
	}
	if !slices.ContainsFunc(all, func(p phrasePieces) bool { return p.role == Name }) || !slices.ContainsFunc(all, func(p phrasePieces) bool { return p.role == Item }) {
		return all
	}
	all = slices.Clone(all)
	all[k].role = Item
	return all
}

// subjectFirst makes a headline of the name before figures that have names of their own behind them: "air is 78% nitrogen,
// 21% oxygen".
func (r *reader) subjectFirst(all []phrasePieces) []phrasePieces {
	var named []int
	figures := 0
	for k, p := range all {
		switch p.role {
		case Name:
			named = append(named, k)
		case Figure:
			figures++
		case Headline:
			return all
		case Second, Speaker, Button, Item, Measure, Source, Output, Whom, Aside:
		}
	}
	if figures < 2 || len(named) != figures+1 || named[len(named)-1] != len(all)-1 || !r.meant(all[named[0]].to, be) || all[named[0]+1].role != Figure {
		return all
	}
	all = slices.Clone(all)
	all[named[0]].role = Headline
	return all
}

// longestAside is how many words say how long a video is at most.
const longestAside = 4

// postedTo ends words to the maker before the name of a place that says which shape the picture has: "for our club's insta
// story".
func (r *reader) postedTo(all []phrasePieces) []phrasePieces {
	var out []phrasePieces
	for _, p := range all {
		for i := p.from; i < p.to && p.role == Aside; i++ {
			if r.meant(i, shape) {
				p.to = i
			}
		}
		if p.role == Aside && r.meant(p.from, forWhom) && p.to-p.from <= longestAside && r.meant(p.to-1, time) && (r.form(p.from+1, number) || len(r.v.of(r.p[p.from+1].text)) > 0) { // "for half a minute"
			continue
		}
		if p.role == Aside && r.meant(p.from, to) && slices.ContainsFunc(r.p[p.from:p.to], func(p piece) bool { return p.form == number }) { // "to the opening on 3 May"
			p.from, p.role = r.skip(p.from+1, 1, article), Headline
		}
		if p.to > p.from {
			out = append(out, p)
		}
	}
	return out
}

// leastShouted is how many letters words in capitals have at least.
const leastShouted = 4

// shouts ends a headline behind its capitals, where small words tell what stands beside them: "SOLD with a little house".
func (r *reader) shouts(all []phrasePieces) []phrasePieces {
	all = slices.Clone(all)
	for n := range all {
		p := &all[n]
		k, letters := p.from, 0
		for ; k < p.to && r.form(k, word) && strings.ToUpper(r.said(k, k+1)) == r.said(k, k+1); k++ {
			letters += len(r.p[k].text)
		}
		small := !slices.ContainsFunc(r.p[k:max(k, p.to)], func(q piece) bool {
			said := r.s[q.span.From:q.span.To]
			return strings.ToLower(said) != said
		})
		if p.role == Headline && !r.form(p.from, quoted) && letters >= leastShouted && k < p.to && small && r.meant(k, in) {
			p.to = k
		}
	}
	return all
}

// withWhom gives those whom a greeting is for the others that words to the maker name, and what it is for a line below: "to Priya and
// the whole team for ten years".
func (r *reader) withWhom(all []phrasePieces) []phrasePieces {
	for k := 1; k < len(all); k++ {
		whom, p := all[k-1], all[k]
		if p.role != Aside || whom.role != Whom || p.from != whom.to || !r.meant(p.from, and) {
			continue
		}
		reason := p.from + 1
		for reason < p.to && !r.meant(reason, forWhom) {
			reason++
		}
		all = slices.Clone(all)
		all[k-1].to = reason
		if reason == p.to {
			return slices.Delete(all, k, k+1)
		}
		all[k] = phrasePieces{reason, p.to, Second}
		return all
	}
	return all
}
