package wish

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/tagger"
)

// sentence is a text as the tagger sees it: its tokens, with what is known of each.
type sentence struct {
	s       string
	tokens  []token
	words   []string   // words as they are, other tokens by their form
	looks   []string   // capital, number, mark
	kinds   [][]string // what the vocabulary knows: classes of words, roles of terms
	abouts  [][]string // which subjects a token speaks for
	topics  []string   // words that name subjects, the first three
	clauses []clause
	general []string        // what is known of the whole text
	people  map[string]bool // first names
}

// clause is what is known of a clause.
type clause struct {
	Span                     // of tokens
	kinds           []string // of all its tokens, each once
	known, capitals int      // tokens that mean something, and those with a capital
}

const (
	bounds  = "<>" // stands before and behind the tokens
	strange = "?"  // the kind of a word that means nothing
	// mostTopics is how many words that name subjects are looked at.
	mostTopics = 3
)

// view looks at a text with a vocabulary.
func (v *Vocabulary) view(text string) *sentence {
	r := newReader(v, text, false)
	tokens := scan(text, v.base.files)
	n := len(tokens)
	x := &sentence{people: v.base.people, s: text, tokens: tokens, words: make([]string, n), looks: make([]string, n), kinds: make([][]string, n), abouts: make([][]string, n)}
	k := 0
	for i := range tokens {
		for k+1 < len(r.p) && tokens[i].span.From >= r.p[k].span.To {
			k++
		}
		x.words[i], x.looks[i] = formOf(&tokens[i]), look(text, &tokens[i])
		if tokens[i].form == quoted {
			v.inside(x, i)
		}
		x.know(i, &r.p[k], tokens[i].span.From == r.p[k].span.From)
	}
	x.cut()
	x.sum(r.main)
	return x
}

// inside notes which subjects the words of a quotation speak for.
func (v *Vocabulary) inside(x *sentence, i int) {
	for _, p := range newReader(v, x.tokens[i].text, false).p {
		for _, m := range p.senses {
			if m.term != nil && m.term.Role == Spoken {
				x.abouts[i] = append(x.abouts[i], "quoted"+m.term.Value)
			}
		}
	}
}

// know notes what the vocabulary knows of token i, which belongs to a piece. first says that the token begins the piece.
func (x *sentence) know(i int, p *piece, first bool) {
	begins := "-"
	if first {
		begins = "+"
	}
	seen := map[string]bool{}
	for _, m := range p.senses {
		kind := string(m.class)
		if m.term != nil {
			kind = string(m.term.Role) + m.term.Type
			switch m.term.Role {
			case Topic, Spoken:
				if first && !seen[kind] && len(x.topics) < mostTopics {
					x.topics = append(x.topics, p.text)
				}
				fallthrough
			case Hint:
				x.abouts[i] = append(x.abouts[i], string(m.term.Role)+m.term.Value)
			case Noun, Higher, Lower, Option, Unit, Label, Meaning, Stage:
			}
		}
		if !seen[kind] {
			seen[kind] = true
			x.kinds[i] = append(x.kinds[i], begins+kind)
		}
	}
	if len(x.kinds[i]) == 0 {
		x.kinds[i] = []string{strange}
	}
}

// person is the look of a token that is a first name, else of any other.
func (x *sentence) person(i int) string {
	if i < 0 || i >= len(x.tokens) || x.tokens[i].form != word || !x.people[x.tokens[i].text] {
		return "-"
	}
	return x.looks[i]
}

// cut finds the clauses: they end behind marks.
func (x *sentence) cut() {
	from := 0
	for i := range x.tokens {
		t := &x.tokens[i]
		wide := t.span.To-t.span.From > 1 // "。": no blank follows
		if t.form == line || t.form == mark && strings.Contains(",;.!?:—–、。，；！？：()", t.text) && (i+1 == len(x.tokens) || !x.tokens[i+1].glued || wide) {
			x.clauses = append(x.clauses, x.clause(from, i+1))
			from = i + 1
		}
	}
	if from < len(x.tokens) {
		x.clauses = append(x.clauses, x.clause(from, len(x.tokens)))
	}
}

// clause looks at tokens [from, to).
func (x *sentence) clause(from, to int) clause {
	c := clause{Span: Span{from, to}}
	seen := map[string]bool{}
	for k := from; k < to; k++ {
		for _, kind := range x.kinds[k] {
			if kind = strings.TrimLeft(kind, "+-"); !seen[kind] {
				seen[kind] = true
				c.kinds = append(c.kinds, kind)
			}
		}
		if x.kinds[k][0] != strange {
			c.known++
		}
		if strings.HasPrefix(x.looks[k], "X") {
			c.capitals++
		}
	}
	return c
}

// sum notes what is known of the whole text.
func (x *sentence) sum(language string) {
	count := map[string]int{}
	for i := range x.tokens {
		switch t := &x.tokens[i]; {
		case t.form == clock || t.form == number:
			count["figures"]++
		case t.form == quoted:
			count["quotations"]++
		case t.form == file:
			count["files"]++
		case t.form == mark && strings.Contains(":：", t.text):
			count["colons"]++
		case i > 0 && x.looks[i] == "Xx":
			count["capitals"]++
		}
	}
	x.general = []string{"figures" + capped(count["figures"], 4), "quotations" + capped(count["quotations"], 3), "files" + capped(count["files"], 1), "colons" + capped(count["colons"], 3),
		"title" + strconv.FormatBool(2*count["capitals"] > len(x.tokens)), "short" + strconv.FormatBool(len(x.tokens) < 6), "language" + language}
}

func capped(n, most int) string { return strconv.Itoa(min(n, most)) }

// formOf is a token as a feature: words and marks as they are, all else by its form.
func formOf(t *token) string {
	switch t.form {
	case word, mark:
		return t.text
	case number:
		if strings.Contains(t.text, ".") {
			return "#."
		}
		return "#" + capped(len(t.text), 5)
	case clock:
		return "#clock"
	case code:
		return "#code"
	case quoted:
		return "#quoted"
	case file:
		return "#file"
	case line:
	}
	return "#line"
}

// look is how a token looks: "Xx" with a capital, "XX" in capitals, "x", a script, a mark, a form.
func look(s string, t *token) string {
	if t.form != word {
		return formOf(t)
	}
	said := s[t.span.From:t.span.To]
	c, n := utf8.DecodeRuneInString(said)
	switch {
	case unicode.Is(unicode.Han, c):
		return "han"
	case unicode.Is(unicode.Hiragana, c):
		return "hiragana"
	case single(c):
		return "katakana"
	case !unicode.IsUpper(c):
		return "x"
	case len(said) > n && strings.ToUpper(said) == said:
		return "XX"
	}
	return "Xx"
}

// at is an element of a list, or what stands for those before and behind it.
func at(list []string, i int) string {
	if i < 0 || i >= len(list) {
		return bounds
	}
	return list[i]
}

func (x *sentence) kindsAt(i int) []string {
	if i < 0 || i >= len(x.kinds) {
		return []string{bounds}
	}
	return x.kinds[i]
}

// features are what the tagger is to know of each token.
func (x *sentence) features() []tagger.Features {
	out := make([]tagger.Features, len(x.tokens))
	behind, since, colon, sinceColon, figures := bounds, 0, "none", 0, 0
	clause := 0
	for i := range x.tokens {
		for clause+1 < len(x.clauses) && i >= x.clauses[clause].To {
			clause++
		}
		f := &feature{Features: &out[i]}
		x.near(f, i)
		x.around(f, i, clause)
		x.whole(f, i)
		for _, a := range x.kinds[i] {
			f.add("km", a, behind)
		}
		f.add("mark", behind, capped(since, 4))
		f.add("marklook", behind, x.looks[i])
		f.add("colon", colon, capped(sinceColon, 2))
		f.add("colonlook", colon, x.looks[i])
		f.add("figures", capped(figures, 2), x.looks[i], x.general[0])
		for _, t := range x.topics {
			f.add("tm", t, behind)
			f.add("tc", t, colon)
		}
		switch t := &x.tokens[i]; t.form {
		case mark, line:
			behind, since = x.words[i], 0
			if strings.Contains(":：", t.text) && t.form == mark {
				colon, sinceColon = at(x.words, i-1), 0
			}
		case number:
			figures++
			fallthrough
		case word, clock, code, quoted, file:
			since++
			sinceColon++
		}
	}
	return out
}

// feature collects the features of a token.
type feature struct{ *tagger.Features }

func (f *feature) add(parts ...string) { f.Own = append(f.Own, tagger.Hash(parts...)) }

func (f *feature) pair(parts ...string) { f.Pair = append(f.Pair, tagger.Hash(parts...)) }

// near adds what token i and its neighbours are.
func (x *sentence) near(f *feature, i int) {
	w, l := x.words, x.looks
	for d := -3; d <= 3; d++ {
		place := strconv.Itoa(d)
		f.add("w"+place, at(w, i+d))
		for _, kind := range x.kindsAt(i + d) {
			f.add("k"+place, kind)
		}
		if d >= -2 && d <= 2 {
			f.add("l"+place, at(l, i+d))
		}
	}
	f.add("person", x.person(i-1), x.person(i), x.person(i+1))
	f.add("personw-1", x.person(i), at(w, i-1))
	f.add("personk", x.person(i), strings.Join(x.kindsAt(i-1), " "))
	f.add("w-1w", at(w, i-1), w[i])
	f.add("ww1", w[i], at(w, i+1))
	f.add("w-2w-1", at(w, i-2), at(w, i-1))
	f.add("w1w2", at(w, i+1), at(w, i+2))
	f.add("l-1ll1", at(l, i-1), l[i], at(l, i+1))
	for _, a := range x.kinds[i] {
		for _, b := range x.kindsAt(i - 1) {
			f.add("k-1k", b, a)
		}
		for _, b := range x.kindsAt(i + 1) {
			f.add("kk1", a, b)
		}
		f.add("kl", a, l[i])
		f.pair("k", a)
	}
	if n := len(x.tokens[i].text); x.tokens[i].form == word && n > 3 {
		f.add("suffix", x.tokens[i].text[n-3:])
		f.add("prefix", x.tokens[i].text[:3])
	}
	if i > 0 {
		f.add("glued", strconv.FormatBool(x.tokens[i].glued), l[i], l[i-1])
	}
	if i+1 < len(x.tokens) {
		f.add("glues", strconv.FormatBool(x.tokens[i+1].glued), l[i], l[i+1])
	}
	f.pair("w", w[i])
	f.pair("gap", strconv.FormatBool(x.tokens[i].glued), l[i])
	f.pair("w-1", at(w, i-1))
	f.pair("person", x.person(i))
	f.pair("ll-1", l[i], at(l, i-1))
	f.pair("lw1", l[i], at(w, i+1))
}

// around adds what the clause of token i is like.
func (x *sentence) around(f *feature, i, clause int) {
	c := x.clauses[clause]
	f.add("c1", at(x.words, c.From))
	f.add("c1l", at(x.words, c.From), x.looks[i])
	f.add("c12", at(x.words, c.From), at(x.words, c.From+1))
	f.add("c-2-1", at(x.words, c.To-2), at(x.words, c.To-1))
	f.add("cn", capped(c.To-c.From, 6), capped(i-c.From, 3), x.looks[i])
	f.add("ci", capped(clause, 3), capped(len(x.clauses)-1-clause, 2))
	if clause > 0 {
		f.add("cbefore", at(x.words, x.clauses[clause-1].From))
	}
	if clause+1 < len(x.clauses) {
		f.add("cbehind", at(x.words, x.clauses[clause+1].From))
	}
	for _, kind := range c.kinds {
		f.add("ck", kind)
		f.add("ckl", kind, x.looks[i])
	}
	f.add("cknown", capped(4*c.known/(c.To-c.From), 4), capped(4*c.capitals/(c.To-c.From), 4))
	next := bounds
	for k := i + 1; k < min(i+8, len(x.tokens)); k++ {
		if x.tokens[k].form == mark || x.tokens[k].form == line {
			next = x.words[k] + capped(k-i, 3)
			break
		}
	}
	f.add("next", next, x.looks[i])
}

// whole adds what the text is like.
func (x *sentence) whole(f *feature, i int) {
	f.add("position", capped(i, 4), capped(len(x.tokens)-1-i, 2))
	for _, g := range x.general {
		f.add("g", g)
		f.add("gl", g, x.looks[i])
		for _, a := range x.kinds[i] {
			f.add("gk", g, a)
		}
	}
	for _, t := range x.topics {
		f.add("t", t)
		f.add("tl", t, x.looks[i])
		for _, a := range x.kinds[i] {
			f.add("tk", t, a)
		}
	}
}

// stacked are the features of each token, with what a first look found: phrases and a subject.
// It adds them to out, which features returned.
func (x *sentence) stacked(out []tagger.Features, found []tagger.Span, subject string) []tagger.Features {
	labels, before, behind, since := make([]string, len(out)), make([]string, len(out)), make([]string, len(out)), make([]int, len(out))
	count := map[string]int{}
	last, from := bounds, 0
	for n, s := range found {
		count[s.Role]++
		for i := from; i < s.From; i++ {
			before[i], behind[i], since[i] = last, s.Role, i-from
		}
		next := bounds
		if n+1 < len(found) {
			next = found[n+1].Role
		}
		for i := s.From; i < s.To; i++ {
			labels[i] = "I" + s.Role
			before[i], behind[i], since[i] = last, next, i-s.From
		}
		labels[s.From] = "B" + s.Role
		last, from = s.Role, s.To
	}
	for i := from; i < len(out); i++ {
		before[i], behind[i], since[i] = last, bounds, i-from
	}
	for i := range out {
		f := &feature{Features: &out[i]}
		for d := -2; d <= 2; d++ {
			f.add("y"+strconv.Itoa(d), at(labels, i+d))
		}
		f.add("yw", labels[i], x.words[i])
		f.add("yl", labels[i], x.looks[i])
		f.add("y-1yy1", at(labels, i-1), labels[i], at(labels, i+1))
		f.add("yw-1", labels[i], at(x.words, i-1))
		f.add("yw1", labels[i], at(x.words, i+1))
		f.add("before", labels[i], before[i], capped(since[i], 3))
		f.add("behind", labels[i], behind[i])
		f.add("between", labels[i], before[i], behind[i])
		f.add("betweenl", x.looks[i], before[i], behind[i])
		f.add("about", subject)
		f.add("yabout", subject, labels[i])
		f.add("labout", subject, x.looks[i])
		f.add("aboutbetween", subject, before[i], behind[i])
		for _, k := range x.kinds[i] {
			f.add("kabout", subject, k)
			f.add("ky", labels[i], k)
		}
		for _, r := range phraseRoles {
			f.add("n", string(r), capped(count[string(r)], 2), labels[i])
		}
		f.pair("y", labels[i])
		f.pair("about", subject)
		f.pair("between", before[i], behind[i])
	}
	return out
}

// subject are the features of the whole text, once its spans are known, that tell what it is about.
func (x *sentence) subject(spans []tagger.Span) []uint32 {
	var f tagger.Features
	in := &feature{Features: &f}
	seen := map[string]bool{}
	add := func(parts ...string) {
		if key := strings.Join(parts, "\x00"); !seen[key] {
			seen[key] = true
			in.add(parts...)
		}
	}
	roles, count := make([]string, len(x.tokens)), map[string]int{}
	for _, s := range spans {
		count[s.Role]++
		for i := s.From; i < s.To; i++ {
			roles[i] = s.Role
		}
	}
	add("always")
	for _, r := range phraseRoles {
		add("n", string(r), capped(count[string(r)], 4))
	}
	for i, r := range roles {
		if r == string(Aside) {
			continue
		}
		add("w", r, x.words[i])
		if at(roles, i+1) == r {
			add("ww", r, x.words[i], x.words[i+1])
		}
		for _, k := range x.kinds[i] {
			add("k", r, k)
		}
		for _, a := range x.abouts[i] {
			add("a", r, a)
		}
		if t := x.tokens[i].text; len(t) > 4 && x.tokens[i].form == word {
			add("p", r, t[:4])
		}
	}
	return f.Own
}
