package wish

import (
	"slices"
)

// leastYears is how many years with a number behind each are rows, whatever else the phrases say.
const leastYears = 3

// yearly makes names of years that rise and figures of the numbers behind them: "2021 12k 2022 15k 2023 19k".
func (r *reader) yearly(all []phrasePieces) []phrasePieces {
	for i := range r.p {
		if !r.year(i) {
			continue
		}
		was := slices.Clone(r.p)
		var pairs []phrasePieces
		at, last := i, 0.0
		for r.year(at) && r.p[at].num > last {
			k := at + 1
			for r.punct(k, ":=：") || r.punct(k, "-–—") && !r.touch(k) {
				k++
			}
			q := r.revived(k)
			if q.n == 0 || r.year(k) && q.n == 1 && !r.year(k+1) {
				break
			}
			pairs = append(pairs, phrasePieces{at, at + 1, Name}, phrasePieces{k, k + q.n, Figure})
			last = r.p[at].num
			for at = k + q.n; r.punct(at, ",;/、，") || r.form(at, line) || r.meant(at, and); {
				at++
			}
		}
		if len(pairs) < 2*leastYears {
			copy(r.p, was)
			continue
		}
		if !slices.ContainsFunc(pairs, func(p phrasePieces) bool {
			k := r.phraseAt(all, p.from)
			return k < 0 || all[k].from != p.from || all[k].role != p.role
		}) {
			copy(r.p, was)
			return all
		}
		all = freeOf(all, i, pairs[len(pairs)-1].to)
		for _, p := range pairs {
			all = r.with(all, p)
		}
		return all
	}
	return all
}

// yearsBehind makes figures and names of figures with their years behind: "1.2M 2021, 1.8M 2022", "2 billion in 1930 to 8
// billion in 2022", or with a month or a day: "1200 in January to 4800 in June". Words before the first that have no other figure are the heading.
func (r *reader) yearsBehind(all []phrasePieces) []phrasePieces {
	var pairs []phrasePieces
	first, end := 0, 0
	was := slices.Clone(r.p)
	for i := 0; i < len(r.p); i++ {
		q := r.revived(i)
		k := r.skip(i+q.n, 1, in)
		if q.n == 0 || r.year(i) || r.phraseAt(all, i) >= 0 && all[r.phraseAt(all, i)].role == Source || !r.year(k) && (k == i+q.n || k >= len(r.p) || !r.period(k)) {
			continue
		}
		parted := end
		if r.punct(end, ",;/→") {
			parted++
		}
		if parted = r.skip(parted, 1, to, and); len(pairs) > 0 && (i != parted || i == end) || len(pairs) == 0 && r.year(i-1) { // "2021 47k 2022 16k"
			break
		}
		if len(pairs) == 0 {
			first = i
		}
		pairs = append(pairs, phrasePieces{i, i + q.n, Figure}, phrasePieces{k, k + 1, Name})
		end = k + 1
		i = k
	}
	if len(pairs) < 4 {
		r.p = was
		return all
	}
	before, behind := around(all, first, end)
	for k := range before {
		p := &before[k]
		if p.role == Name || p.role == Figure {
			p.role = Headline
		}
		for p.to-p.from > 1 && r.meant(p.to-1, from) { // "visitors from 1200 in May"
			p.to--
		}
	}
	if first > 0 && r.meant(first-1, from) && r.phraseAt(before, first-1) < 0 {
		before = append(before, phrasePieces{first - 1, first, Aside})
	}
	return slices.Concat(before, pairs, behind)
}
