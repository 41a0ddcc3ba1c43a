package wish

import (
	"slices"
	"strings"
)

// The units of texts that are more than a headline.
const (
	actionUnit = "action"
	outputUnit = "output"
	whomUnit   = "whom"
)

// Takes lists what a parameter may take to show a text, the best first.
func (w *Wish) Takes() []string {
	switch w.Unit {
	case BeneathUnit:
		return []string{"subtitle", "text"}
	case actionUnit:
		return []string{"action", "subtitle", "text"}
	case outputUnit:
		return []string{"output", "subtitle"}
	case whomUnit:
		return []string{"whom"}
	case codeUnit:
		return []string{"code", "text", "subtitle"}
	}
	return []string{"text", "code", "subtitle"}
}

// ReadPhrases reads a text whose phrases are known.
func (v *Vocabulary) ReadPhrases(text string, phrases []Phrase) *Reading {
	r := newReader(v, text, false, phrases...)
	r.known = true
	r.clauses()
	r.readRoles()
	places := r.mentions()
	r.readPicture()
	r.readFalling()
	r.readRanges()
	r.readLengths()
	r.readThings()
	r.readColours()
	r.readNumbers()
	r.readScenes(places)
	r.readNegations()
	r.readCorrections()
	return &Reading{r: r}
}

// Settles reports whether words say nothing but the values of things that the vocabulary knows: "600 seconds, speed
// 0.4".
func (v *Vocabulary) Settles(words string) bool {
	read := v.Read(words)
	named := false
	for _, w := range read.Wishes() {
		switch w.Kind {
		case Number:
			if w.About == "" {
				return false
			}
			named = true
		case Length, Size, Scale, Rate:
		default:
			return false
		}
	}
	return named && len(read.Left(func(*Wish) bool { return true })) == 0
}

// spoken reports whether words with a role may also mean something: "happy birthday Anna" is shown, and names the occasion.
func (role PhraseRole) spoken() bool {
	return role == Headline || role == Second || role == Whom || role == Aside
}

// phrasePieces is a phrase in pieces [from, to).
type phrasePieces struct {
	from, to int
	role     PhraseRole
}

// pieces are the phrases in pieces. Quotations that no phrase has are phrases as well.
func (r *reader) pieces() (all []phrasePieces) {
	for i := 0; i < len(r.p); {
		j := i + 1
		if n := r.p[i].phrase; n > 0 {
			for j < len(r.p) && r.p[j].phrase == n && !r.parted(i, j) {
				j++
			}
			all = append(all, phrasePieces{i, j, r.phrases[n-1].Role})
		} else if r.form(i, quoted) && !r.is(j, correct) { // "A", no wait, "B"
			all = append(all, phrasePieces{i, j, Headline})
		}
		i = j
	}
	return all
}

// readRoles makes wishes of the phrases.
func (r *reader) readRoles() {
	all := r.spanned(r.several(r.pieces()))
	r.readFigures(all)
	r.readItems(all)
	for _, p := range all {
		if p.role.spoken() {
			r.readSpoken(p.from, p.to)
		}
		switch p.role {
		case Name, Figure, Measure, Item:
		case Aside:
			for i := p.from; i < p.to; i++ { // "square, they said"
				if w, n := r.pictureAt(i); n > 0 && (w.Kind == Format || w.Kind == Scale || w.Kind == Shape && w.Unit == "") {
					w.Span, w.Sure = r.p[i].span, true
					r.wishes = append(r.wishes, w)
				}
			}
			r.wish(p.from, p.to, Wish{Kind: Remark, Sure: true})
			for i := p.from; i+1 < p.to; i++ { // "her 21st birthday"
				if t, o := r.term(i+1, Unit), r.term(i+1, Option); t != nil && o != nil && r.form(i, number) {
					r.wish(i+1, i+2, Wish{Kind: Choice, About: o.About, Value: o.Value, Sure: true})
					r.wish(i, i+2, Wish{Kind: Number, About: t.About, Value: decimal(r.p[i].num), Sure: true})
				}
			}
		case Speaker:
			name := r.label(p)
			r.wish(p.from, p.to, Wish{Kind: Author, Value: name[elided(name):], Sure: true})
		case Headline, Second, Button, Source, Output, Whom:
			r.readShown(p)
		}
	}
}

// parted reports whether the phrase that begins at piece i ends before piece j: of a phrase of nothing but quotations
// each is a text of its own.
func (r *reader) parted(i, j int) bool {
	role := r.phrases[r.p[i].phrase-1].Role
	if role != Headline && role != Second && role != Item || !r.form(i, quoted) {
		return false
	}
	for k := i; k < j; k++ {
		if !r.form(k, quoted) && !r.form(k, mark) {
			return false
		}
	}
	return true
}

// readSpoken notes what the words of a text mean that is shown.
func (r *reader) readSpoken(i, j int) {
	for ; i < j; i++ {
		if r.term(i, Spoken) == nil && r.term(i, Option) == nil {
			continue
		}
		for _, role := range []Role{Option, Spoken} {
			if t := r.term(i, role); t != nil {
				w := Wish{Kind: Choice, About: t.About, Value: t.Value, Span: r.p[i].span}
				if role == Spoken {
					w = Wish{Kind: Subject, About: t.About, Value: "1", Span: r.p[i].span}
				}
				r.wishes = append(r.wishes, w)
			}
		}
	}
}

// readShown makes a text of a phrase. A word before the phrase may say which text it is: "title: …".
func (r *reader) readShown(p phrasePieces) {
	p = r.unasked(r.stripped(p))
	k := p.from + 1
	for k < p.to && r.meant(k, greeting) {
		k++
	}
	if k == p.to && k > p.from+1 && r.meant(p.from, article) { // "with a thank you at the end"
		p.from++
	}
	from := p.from
	if p.role == Whom {
		p = r.nameIn(p)
	}
	s := Span{r.p[p.from].span.From, r.minutes(r.p[p.to-1].span.To, r.p[p.from].span.From)}
	w := Wish{Kind: Text, Value: r.s[s.From:s.To], Sure: true, Cued: true}
	if r.form(p.from, quoted) && p.to-p.from > 1 && r.form(p.from+1, word) && p.role != Source { // "Save the Date" Emma & Lucas
		w.Value = r.p[p.from].text + r.s[r.p[p.from].span.To:s.To]
	}
	if p.to-p.from == 1 && r.form(p.from, quoted) {
		w.Value, w.Quoted = r.p[p.from].text, true
	}
	switch p.role {
	case Second:
		w.Unit = BeneathUnit
	case Button:
		w.Unit = actionUnit
	case Output:
		w.Unit = outputUnit
	case Whom:
		w.Unit = whomUnit
	case Source:
		w.Unit = codeUnit
	case Headline, Speaker, Item, Name, Figure, Measure, Aside:
		if w.Quoted && r.s[r.p[p.from].span.From] == '`' {
			w.Unit = codeUnit
		}
	}
	if w.Value == "" {
		return
	}
	if about, at, below := r.named(from); at >= 0 && r.free(at, p.from) {
		w.About = about
		if below && w.Unit == "" {
			w.Unit = BeneathUnit
		}
		from = at
	}
	to := p.to
	if p.role == Button && r.textNoun(to) != nil && r.free(to, to+1) { // "an apply now button"
		to++
	}
	for _, k := range []int{p.from - 1, p.to} {
		if t := r.term(k, Place); t != nil && r.free(k, k+1) {
			w.About, w.Unit = t.About, ""
			from, to = min(from, k), max(to, k+1)
			break
		}
	}
	r.wish(from, to, w)
	r.wishes[len(r.wishes)-1].Span = s
	if from < p.from {
		r.wishes[len(r.wishes)-1].Span.From = r.p[from].span.From
	}
	r.wishes[len(r.wishes)-1].Shown = s
}

// minutes is the end of a text with the sign of minutes behind its last number: "Mendez 77'".
func (r *reader) minutes(to, from int) int {
	if to == 0 || to >= len(r.s) || r.s[to] != '\'' || r.s[to-1] < '0' || r.s[to-1] > '9' || from > 0 && r.s[from-1] == '\'' {
		return to
	}
	return to + 1
}

// unasked is a text without the question mark of the request around it: "could you make a video saying that we are hiring?".
func (r *reader) unasked(p phrasePieces) phrasePieces {
	if r.form(p.from, quoted) && p.to-p.from == 2 && r.punct(p.to-1, "?？!.") { // "can it say "Hello"?"
		p.to--
		return p
	}
	asks := func(i int) bool {
		return r.meant(i, ask, aux)
	}
	if p.from == 0 || p.to-p.from < 2 || p.role == Source || !r.punct(p.to-1, "?？") || !r.is(0, please, aux, ask) || asks(p.from) {
		return p
	}
	for k := range p.from {
		if r.punct(k, "?？") || r.form(k, mark) && strings.ContainsAny(r.p[k].text, ".!") { // the request is over
			return p
		}
	}
	p.to--
	return p
}

// named finds the word before piece i that names the text there: "title: …", "underneath it says …".
func (r *reader) named(i int) (about string, from int, below bool) {
	k := i - 1
	coloured := false
	for k >= 0 && r.p[k].phrase == 0 && (r.v.there && (r.is(k, by) || r.is(k, and) && r.is(k+1, says, makes, set, replace) || r.is(k, it) && r.is(k-1, makes, set, replace) || r.is(k, makes, set, replace) && r.is(k+1, it)) || r.is(k, be, to, says, in, article, of, as, even, forWhom, colour, toned) || r.term(k, Higher) != nil || r.term(k, Lower) != nil) && r.textNoun(k) == nil || r.punct(k, ":=：") {
		coloured = coloured || r.is(k, colour, toned)
		k--
	}
	if k < 0 || r.p[k].phrase > 0 {
		return "", -1, false
	}
	t := r.textNoun(k)
	switch {
	case t != nil:
		about = t.About
	case !r.is(k, beneath, caption):
		return "", -1, false
	}
	if coloured || r.term(k, Topic) != nil { // the noun names the subject as well
		return about, i, r.is(k, beneath)
	}
	return about, k, r.is(k, beneath)
}

// stated reports whether the words before the items say how many there are, and there are as many: "in 4 steps: …, flip and serve".
func (r *reader) stated(all []phrasePieces) bool {
	n, first := 0.0, -1
	for _, p := range all {
		if p.role == Item {
			n++
			if first < 0 {
				first = p.from
			}
		}
	}
	for k := range first {
		if q := r.plain(k); q.n == 1 && q.value == n {
			return true
		}
	}
	return false
}

// readItems makes lists of the items. A word before the first may say which list it is: "fixed: …".
func (r *reader) readItems(all []phrasePieces) {
	all = r.unnumbered(all)
	var w *Wish
	last := 0
	inside := func(p phrasePieces) bool { return p.to > p.from+1 && r.leads(p.from) != "" }
	sectioned := slices.ContainsFunc(all, func(p phrasePieces) bool {
		k := p.from - 1
		if k > 0 && r.punct(k, ":：") {
			k--
		}
		return p.role == Item && k >= 0 && r.p[k].phrase == 0 && r.leads(k) != ""
	})
	led := !slices.ContainsFunc(all, func(p phrasePieces) bool {
		return p.role == Item && !inside(p) && (p.from == 0 || r.leads(p.from-1) == "")
	})
	for _, p := range all {
		if p.role != Item {
			continue
		}
		if inside(p) && (led || sectioned && len(r.p[p.from].text) > 4) { // "added dark mode, fixed two bugs"
			r.p[p.from].phrase = 0
			p.from++
		}
		items := []string{r.label(p)}
		if k := r.joint(p); w != nil && k > 0 && !r.stated(all) {
			items = []string{r.label(phrasePieces{p.from, k, Item}), r.label(phrasePieces{k + 1, p.to, Item})}
		}
		about, at := "", -1
		for k := p.from - 1; k >= last && r.p[k].phrase == 0 && at < 0; k-- {
			if list := r.leads(k); list != "" {
				about, at = list, k
			} else if !r.punct(k, ":：-–•") && !r.is(k, and, article, in) {
				break
			}
		}
		if w == nil || at >= 0 && w.About != about {
			from := p.from
			if at >= 0 {
				from = at
			}
			r.wish(from, p.to, Wish{Kind: List, About: about, Sure: true})
			w = &r.wishes[len(r.wishes)-1]
		}
		for _, item := range items {
			if item != "" {
				w.Items = append(w.Items, item)
			}
		}
		for k := p.from; k < p.to; k++ {
			r.p[k].wish = len(r.wishes) // of the list: nothing else is read meanwhile
		}
		w.Span.To = r.p[p.to-1].span.To
		last = p.to
	}
}

// unnumbered are phrases whose items do without the numbers of their places, where numbers stand before other items: "1 sand, 2 prime".
func (r *reader) unnumbered(all []phrasePieces) []phrasePieces {
	n, apart := 0, false
	var with []int // items that begin with the number of their place
	for k, p := range all {
		if p.role != Item {
			continue
		}
		n++
		nth := func(i int) bool { return i >= 0 && r.form(i, number) && r.p[i].num == float64(n) }
		if before := p.from - 1; nth(before) || r.punct(before, ".)") && nth(before-1) {
			apart = true
		} else if nth(p.from) && p.to-p.from > 1 {
			with = append(with, k)
		}
	}
	if apart {
		all = slices.Clone(all)
		for _, k := range with {
			all[k].from++
		}
	}
	return all
}

// label is the text of a short phrase, without quotation marks.
func (r *reader) label(p phrasePieces) string {
	if p = r.stripped(p); p.to-p.from == 1 && r.form(p.from, quoted) {
		return r.p[p.from].text
	}
	return r.said(p.from, p.to)
}

// stripped is a phrase without marks that only separate it from the rest. Code keeps all.
func (r *reader) stripped(p phrasePieces) phrasePieces {
	for p.role != Source && p.to-p.from > 1 && (r.punct(p.from, ",:;、，：=•*") || r.form(p.from, line) || r.punct(p.from, "-–—") && !r.p[p.from+1].glued && !r.weighs()) {
		p.from++
	}
	for p.to-p.from > 1 && (p.role == Source && r.punct(p.to-1, "→") || p.role != Source && (r.punct(p.to-1, ",:;、，：–—=") || r.form(p.to-1, line) || r.meant(p.to-1, from) && r.quantityAt(p.to).n > 0)) { // "revenue grew from" 2.1M
		p.to--
	}
	return p
}

// nameIn is the name in words for a person: "my sister Lena".
func (r *reader) nameIn(p phrasePieces) phrasePieces {
	for k := p.from; k < p.to && !r.v.base.capitals[r.main]; k++ {
		if r.form(k, word) && r.capital(k) && !r.p[k].glued { // "ward 5B" names nobody
			if k > p.from && r.meant(k-1, of, in) { // "the volunteers of Saltmarsh Beach Clean"
				break
			}
			p.from = k
			return p
		}
	}
	for p.to-p.from > 1 && r.is(p.from, mine, article) {
		p.from++
	}
	return p
}

// weighs reports whether items are for something, with a plus, so that a minus before others is no dash.
func (r *reader) weighs() bool {
	return slices.ContainsFunc(r.phrases, func(p Phrase) bool { return strings.HasPrefix(r.s[p.From:], "+") })
}
