package wish

func (r *reader) swapAt(i int) int {
	k := r.skip(i+1, 1, article)
	if at, ok := r.get(k, ordinal); ok && (at.num == 1 || at.num == -1) && r.plain(k+1).value == 2 && r.ends(k+3) { // "swap the first two scenes"
		other := decimal(2 * at.num)
		r.wish(i, k+3, Wish{Kind: Swap, From: "#" + decimal(at.num), To: "#" + other, Sure: true})
		return k + 3 - i
	}
	found, n := r.things(i+1, true, and, in, to)
	if k = r.skip(k, 1, every); r.plain(k).value == 2 { // "the two sides"
		k++
	}
	if n == 0 && (r.term(k, Noun, OfList) != nil || r.is(k, list) || r.is(k, it) && r.v.listed()) && (r.ends(k+1) || r.form(k+1, word) && !r.is(k+1, of) && r.noun(k+1) == "") {
		r.wish(i, k+1, Wish{Kind: Swap, About: Both, From: "#1", To: "#2", Sure: true})
		return k + 1 - i
	}
	if len(found) != 2 {
		return 0
	}
	r.wish(i, i+1+n, Wish{Kind: Swap, From: found[0], To: found[1], Sure: true})
	return 1 + n
}

func (r *reader) mergeAt(i int) int {
	if found, n := r.things(i+1, true, and); len(found) > 1 {
		if name, end := r.newName(i + 1 + n); end > 0 { // "combine Tea and Juice into "Drinks""
			r.wish(i, end, Wish{Kind: Merge, Items: found, Value: name, Sure: true})
			return end - i
		}
	}
	found, n := r.things(i+1, true, and, in, to)
	if len(found) < 2 {
		return 0
	}
	k := r.skip(i+1, 1, article)
	r.wish(i, r.skip(i+1+n, 1, united, list), Wish{Kind: Merge, Items: found, Value: r.said(k, i+1+n), Sure: true})
	return 1 + n
}

// newName reads what several items are together: "into "Drinks"", "as other". end is 0 if nothing says so.
func (r *reader) newName(i int) (name string, end int) {
	k := r.skip(i, 1, in, to, as, united, says, article)
	if end = r.until(k); r.form(k, quoted) {
		end = k + 1
	}
	if k == i || end <= k || !r.ends(end) {
		return "", 0
	}
	return r.bare(k, end), end
}

// sortAt reads "alphabetically", "the other way round": how a list is to be sorted, or that of a video to come.
func (r *reader) sortAt(i int) int {
	s, ok := r.get(i, sorted)
	if !ok || r.term(i, Option) != nil || r.v.there && !r.v.listed() {
		return 0
	}
	end := r.skip(i+1, 1, article, list, it, sorting)
	r.wish(i, end, Wish{Kind: Sort, Value: s.value, Sure: true})
	return end - i
}
