package reading

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// The files among the word files that hold what examples taught: of prompts, and of changes.
const (
	LearnedFile = "learned.zst"
	ChangesFile = "changes.zst"
)

// load reads what was learned; nil if there is nothing.
func load(words fs.FS, name string) (*wish.Learned, error) {
	packed, err := fs.ReadFile(words, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open what was learned: %w", err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		return nil, fmt.Errorf("read what was learned: %w", err)
	}
	defer d.Close()
	data, err := d.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("read what was learned: %w", err)
	}
	return wish.LoadLearned(data)
}

// learnedOf is a brief with what examples say of its prompt.
func (r *Reader) learnedOf(b Brief) Brief {
	l, err := r.learned()
	if err != nil || l == nil || b.Prompt == "" {
		return b
	}
	phrases, classes := r.choosing.Phrases(l, b.Prompt)
	b.phrases, b.ranks = uncut(owned(yeared(append([]wish.Phrase{}, phrases...), b.Prompt), b.Prompt), b.Prompt), nil
	for _, c := range classes {
		b.ranks = append(b.ranks, c.Name)
	}
	if len(b.phrases) == 1 && len(b.ranks) > 1 && b.ranks[0] == unfitClass && b.phrases[0].Role == wish.Headline && b.phrases[0].Span == (wish.Span{To: len(b.Prompt)}) { // "good morning chat" says itself
		b.ranks = b.ranks[1:]
	}
	read := r.choosing.Read(b.Prompt)
	b.phrases = r.furtherTexts(introduced(wholes(b.phrases, b.Prompt), b.Prompt), b.Prompt)
	if len(b.phrases) > 0 && b.phrases[0].Role == wish.Headline {
		if from, ok := read.Announced(b.phrases[0].Span); ok { // "grand opening of Bella's"
			b.phrases[0].From = from
		}
	}
	b.phrases = behindShares(r.choosing, reasoned(r.choosing, wholeSentence(r.choosing, begun(b.phrases, b.Prompt), b.Prompt), b.Prompt), b.Prompt)
	for i, p := range b.phrases { // "a video announcing that …"
		if p.Role == wish.Headline && p.From > 0 {
			b.phrases[i].From += len(announcing.FindString(b.Prompt[p.From:p.To]))
		}
	}
	if r.sequence(b) {
		b.phrases = sentenceEach(b.phrases, b.Prompt)
		b.phrases = stated(r.choosing, commaApart(b.phrases, b.Prompt), wish.Headline, b.Prompt)
	}
	b = r.figured(r.graded(r.buttoned(r.oneFigure(r.results(r.itemsBelow(b, read)))), read), read)
	return r.awaited(r.repeated(b))
}

// announcing is what leads to an announcement, and is no part of it.
var announcing = regexp.MustCompile(`^(?:announcing|to announce)(?: that)? `)

// owned joins what belongs to somebody with the phrase before, in which the owner stands: "20% off all bikes at Mel's", "bike shop".
func owned(phrases []wish.Phrase, prompt string) []wish.Phrase {
	for i := len(phrases) - 1; i > 0; i-- {
		p, before := phrases[i], phrases[i-1]
		if p.Role == wish.Button && before.Role != wish.Aside && prompt[before.To:p.From] == " " && owner.MatchString(prompt[before.From:before.To]) {
			phrases[i-1].To = p.To
			phrases = slices.Delete(phrases, i, i+1)
		}
	}
	return phrases
}

// owner is a text at whose end somebody owns what follows.
var owner = regexp.MustCompile(`['’]s( \pL+)?$`)

// bare is a brief whose prompt was quoted as a whole, without the quotation marks: "\"title A, red\"". A prompt of which
// all words are shown keeps them.
func (r *Reader) bare(b Brief) Brief {
	said := strings.TrimSpace(b.Prompt)
	first, n := utf8.DecodeRuneInString(said)
	closing, ok := map[rune]string{'"': "\"", '“': "”", '„': "“", '«': "»", '「': "」"}[first]
	inside := strings.TrimSuffix(said[min(n, len(said)):], closing)
	if !ok || n+len(inside)+len(closing) != len(said) || strings.ContainsAny(inside, said[:n]+closing) {
		return b
	}
	b.Prompt = inside
	left := len(strings.Fields(inside))
	for _, p := range r.learnedOf(b).phrases {
		left -= len(strings.Fields(inside[p.From:p.To]))
	}
	if left < 2 {
		b.Prompt = said
	}
	return b
}

// partOf is a part of the prompt of a brief, with the phrases found there.
func (r *Reader) partOf(b Brief, s wish.Span) Brief {
	part := r.learnedOf(Brief{Prompt: b.Prompt[s.From:s.To], Assets: b.Assets})
	if b.phrases == nil {
		return part
	}
	part.phrases = []wish.Phrase{}
	for _, p := range b.phrases {
		if p.In(s) {
			p.From, p.To = p.From-s.From, p.To-s.From
			part.phrases = append(part.phrases, p)
		}
	}
	if !slices.ContainsFunc(part.phrases, func(p wish.Phrase) bool { return p.Role == wish.Source }) { // "3 services (design, code)" is none
		part.ranks = slices.DeleteFunc(part.ranks, func(class string) bool {
			return slices.ContainsFunc(r.manifests, func(m *recipe.Manifest) bool {
				return m.Learned == class && len(part.phrases) > 0 && (taker(m, "code") != nil || taker(m, "commands") != nil)
			})
		})
	}
	first := slices.IndexFunc(part.phrases, func(p wish.Phrase) bool { return p.Role != wish.Aside })
	switch {
	case first >= 0 && part.phrases[first].Role == wish.Second: // the line below of the whole stands alone in its part
		part.phrases[first].Role = wish.Headline
	case len(part.phrases) == 0 && r.follows(b, s) && r.sequence(b) && len(r.choosing.Read(part.Prompt).Wishes()) == 0: // nothing else can be meant: "then kettleandco.shop"
		part.phrases = append(part.phrases, wish.Phrase{Span: wish.Span{To: len(part.Prompt)}, Role: wish.Headline})
	}
	return part
}

// follows reports whether something is shown before a part of a prompt, or the part is said to be the first: no greeting before the scenes.
func (r *Reader) follows(b Brief, s wish.Span) bool {
	place, _ := r.choosing.Which(b.Prompt[:s.From])
	return place == 1 || slices.ContainsFunc(b.phrases, func(p wish.Phrase) bool { return p.To <= s.From })
}

// sequence reports whether examples speak for the recipe that strings others together, so that all of its parts show
// something: a ball that bounces "then stops" is none.
func (r *Reader) sequence(b Brief) bool {
	return len(b.ranks) > 0 && slices.ContainsFunc(r.manifests, func(m *recipe.Manifest) bool { return len(m.Beats) > 0 && m.Learned == b.ranks[0] })
}

// read reads the prompt of a brief with a vocabulary.
func (r *Reader) read(v *wish.Vocabulary, b Brief) *wish.Reading {
	if b.phrases == nil {
		return v.Read(b.Prompt)
	}
	return v.ReadPhrases(b.Prompt, b.phrases)
}

// suited are phrases as a recipe has room for them. What the recipe has none for is read like all other words,
// or takes the place that is there.
func (r *Reader) suited(m *recipe.Manifest, v *wish.Vocabulary, phrases []wish.Phrase, prompt string) []wish.Phrase {
	has := func(takes ...string) bool {
		return slices.ContainsFunc(takes, func(t string) bool { return taker(m, t) != nil })
	}
	texts, lists := has("text", "code", "subtitle"), has("list", "sides") || m.Fits != nil && has("rows", "file")
	out := []wish.Phrase{}
	phrases = recast(m, v, phrases, prompt, texts && !has("rows", "list", "sides", "number", "range.from", "whom"))
	figures := count(phrases, wish.Figure)
	if bare, ok := r.unrated(m, phrases, prompt); ok {
		phrases = bare
	} else if slices.Contains(m.Fits, "number") {
		phrases = r.freed(v, phrases, prompt)
	}
	for i, p := range phrases {
		said := prompt[p.From:p.To]
		pair := said // a name with its figure: "speed 0.5" is no row
		switch {
		case p.Role == wish.Name && i+1 < len(phrases) && phrases[i+1].Role == wish.Figure:
			pair = prompt[p.From:phrases[i+1].To]
		case p.Role == wish.Figure && i > 0 && phrases[i-1].Role == wish.Name:
			pair = prompt[phrases[i-1].From:p.To]
		case p.Role == wish.Figure && i > 0 && phrases[i-1].To <= p.From: // "with a target line at $14k"
			pair = prompt[phrases[i-1].To:p.To]
			pair = pair[settling(v, pair, false):]
		}
		if v.Settles(pair) && !rowAmid(phrases, i) || has("code") && !has("commands") && chooses(v, said) {
			continue
		}
		if i > 0 && figures > 1 && p.Role != wish.Name && phrases[i-1].Role == wish.Figure && phrases[i-1].To <= p.From && strings.Contains(prompt[phrases[i-1].From:p.From], "%") && v.Rest(said) { // "rent 62%, food 30%, the rest misc"
			continue
		}
		switch p.Role {
		case wish.Headline, wish.Second, wish.Button, wish.Source, wish.Whom, wish.Speaker, wish.Output:
			if !texts || has("number", "range.from") && !strings.ContainsFunc(said, unicode.IsLetter) {
				continue
			}
			if p.Role == wish.Headline && (has("list") || slices.Contains(m.Fits, "number")) {
				p.To = p.From + r.plainTitle(v, said)
			}
			if p.Role == wish.Speaker && !has("author") || p.Role == wish.Whom && !has("whom") || p.Role == wish.Output && !has("output") {
				p.Role = wish.Second
			}
		case wish.Item:
			if !lists && !texts {
				continue
			}
			if !lists {
				p.Role = wish.Second
			} else if i > 0 && phrases[i-1].Role == wish.Item && phrases[i-1].To < p.From {
				p.From = itemFrom(m, v, prompt, phrases[i-1].To, p.From)
			}
		case wish.Name, wish.Figure, wish.Measure:
			if !has("rows", "list") || p.Role == wish.Figure && figures == 1 && slices.Contains(m.Fits, "number") { // "budget left: 42%" is the number
				continue
			}
			if !has("rows") { // a menu: each name with its price is an item
				if n := len(out); p.Role != wish.Name && n > 0 && out[n-1].Role == wish.Item && strings.TrimSpace(prompt[out[n-1].To:p.From]) == "" {
					out[n-1].To = p.To
					continue
				}
				p.Role = wish.Item
			}
		case wish.Aside:
			if has("length") && slices.ContainsFunc(v.Read(said).Wishes(), func(w wish.Wish) bool { return w.Kind == wish.Length }) { // "a timer for a 3 minute pitch"
				continue
			}
			if at := settling(v, said, false); at > 0 {
				p.To = p.From + at - 1
			} else if i > 0 && phrases[i-1].Role == wish.Whom && has("whom") {
				p.From += settling(v, said, true)
			}
		}
		out = append(out, p)
	}
	texts = slices.ContainsFunc(out, func(p wish.Phrase) bool { return p.Role != wish.Second && p.Role != wish.Aside })
	if i := slices.IndexFunc(out, func(p wish.Phrase) bool { return p.Role == wish.Second }); i >= 0 && !texts && len(m.Fits) == 1 && m.Fits[0] == "text" && !has("whom") { // it is the only one
		out[i].Role = wish.Headline
	}
	return out
}

// rowAmid reports whether a phrase is a row between two others, each a name with its figure: in "Google 42, Meta 31, TikTok 18" the second
// is no goal.
func rowAmid(phrases []wish.Phrase, i int) bool {
	if phrases[i].Role == wish.Figure {
		i--
	}
	row := func(i int) bool {
		return i >= 0 && i+1 < len(phrases) && phrases[i].Role == wish.Name && phrases[i+1].Role == wish.Figure
	}
	return row(i-2) && row(i) && row(i+2)
}

// led is one word between two items.
var led = regexp.MustCompile(`^[,;] (\pL{4,}):? $`)

// itemFrom is where an item begins, with the word before it that neither names a list of its own nor is a word to the maker: "added Portuguese, smaller
// download".
func itemFrom(m *recipe.Manifest, v *wish.Vocabulary, prompt string, end, from int) int {
	word := led.FindStringSubmatchIndex(prompt[end:from])
	if word == nil || slices.ContainsFunc(m.Params, func(p recipe.Param) bool { return calls(&p, strings.ToLower(prompt[end+word[2]:end+word[3]])) }) {
		return from
	}
	read := v.Read(prompt[end+word[2] : end+word[3]])
	size := slices.ContainsFunc(read.Wishes(), func(w wish.Wish) bool { return w.Kind == wish.More })
	if size || len(read.Left(func(*wish.Wish) bool { return true })) > 0 {
		return end + word[2]
	}
	return from
}

// count is how many phrases have a role.
func count(phrases []wish.Phrase, role wish.PhraseRole) (n int) {
	for _, p := range phrases {
		if p.Role == role {
			n++
		}
	}
	return n
}

// namesAlone are phrases with one headline in place of names, where there is nothing but names: "result Lions".
func namesAlone(phrases []wish.Phrase, prompt string) []wish.Phrase {
	first := slices.IndexFunc(phrases, func(p wish.Phrase) bool { return p.Role == wish.Name })
	if first < 0 || slices.ContainsFunc(phrases, func(p wish.Phrase) bool { return p.Role != wish.Name && p.Role != wish.Aside }) {
		return phrases
	}
	return []wish.Phrase{{Span: wish.Span{From: phrases[first].From, To: len(strings.TrimRight(prompt, " .,"))}, Role: wish.Headline}}
}

// pointedAt are phrases without a figure that is nothing but the name of another one, and without what would be its name: "5A 34, 5B 41 and
// make 5B stand out".
func pointedAt(phrases []wish.Phrase, prompt string) []wish.Phrase {
	names := map[string]bool{}
	for _, p := range phrases {
		names[prompt[p.From:p.To]] = names[prompt[p.From:p.To]] || p.Role == wish.Name
	}
	out := slices.Clone(phrases)
	for i := len(out) - 1; i > 0; i-- {
		if out[i].Role == wish.Figure && names[prompt[out[i].From:out[i].To]] {
			from := i
			if out[i-1].Role == wish.Name {
				from--
			}
			out = slices.Delete(out, from, i+1)
			i = from
		}
	}
	return out
}

// longestSetting is how many words at the end of a remark are tried as values: each try reads them.
const longestSetting = 6

// settling is where the last words of a remark begin that give values to things, "he turns 6", or where the first words end; 0 if they give
// none.
func settling(v *wish.Vocabulary, said string, first bool) int {
	var spaces []int
	for at := range said {
		if said[at] == ' ' {
			spaces = append(spaces, at)
		}
	}
	if first {
		for _, at := range slices.Backward(spaces[:min(len(spaces), longestSetting)]) {
			if v.Settles(said[:at]) {
				return at
			}
		}
		return 0
	}
	for _, at := range spaces[max(0, len(spaces)-longestSetting):] {
		if v.Settles(said[at+1:]) {
			return at + 1
		}
	}
	return 0
}

// forWhat are phrases with what the video is for as the headline, in place of words to the maker, where nothing else says what
// a promo or a countdown is about: "a promo for the summer sale, 50% off".
func forWhat(m *recipe.Manifest, v *wish.Vocabulary, phrases []wish.Phrase, prompt string) []wish.Phrase {
	texts := func(p wish.Phrase) bool {
		return p.Role == wish.Headline || p.Role == wish.Source || p.Role == wish.Item
	}
	counts := taker(m, "range.from")
	if counts != nil && counts.Type != recipe.Integer {
		counts = nil
	}
	if taker(m, "action") == nil && counts == nil || taker(m, "text") == nil || slices.Contains(m.Fits, "list") || slices.ContainsFunc(phrases, texts) {
		return phrases
	}
	span, ok := v.ForWhat(prompt, 2)
	i := slices.IndexFunc(phrases, func(p wish.Phrase) bool { return p.Role == wish.Aside && span.In(p.Span) })
	if !ok || i < 0 {
		return phrases
	}
	out := slices.Clone(phrases)
	out[i] = wish.Phrase{Span: span, Role: wish.Headline}
	if counts != nil { // what comes is told above the numbers
		out[i].Role = wish.Second
	}
	return out
}

// plainTitle is where the title of a list ends that says in its last words how the list is drawn: "shopping list with checkboxes".
func (r *Reader) plainTitle(v *wish.Vocabulary, said string) int {
	common := func(w wish.Wish) bool { return r.common(w.About) || w.Typo }
	for at := range said {
		if at > 0 && said[at-1] == ' ' && strings.Contains(said[at:], " ") && chooses(v, said[at:]) && !slices.ContainsFunc(v.Read(said[at:]).Wishes(), common) {
			return at - 1
		}
	}
	return len(said)
}

// chooses reports whether words say nothing but what a recipe offers: code "that selects all users" is no code.
func chooses(v *wish.Vocabulary, said string) bool {
	read, offers := v.Read(said), false
	for _, w := range read.Wishes() {
		switch w.Kind {
		case wish.Choice:
			offers = true
		case wish.Subject:
		default:
			return false
		}
	}
	return offers && len(read.Left(func(*wish.Wish) bool { return true })) == 0
}

// countsTo reports whether words give the number of a counter: "up to 500". "From 0" and "for 5 seconds" give none.
func countsTo(wishes []wish.Wish) bool {
	return slices.ContainsFunc(wishes, func(w wish.Wish) bool {
		return (w.Kind == wish.Number || w.Kind == wish.Percent) && w.About == "" && w.Value != "0" || w.Kind == wish.Share || w.Kind == wish.Range && w.To != ""
	})
}

// freed are phrases that leave the number of a counter out, where the prompt has no other: "raised $12M in seed funding" is
// "raised" and, below, "in seed funding".
func (r *Reader) freed(v *wish.Vocabulary, phrases []wish.Phrase, prompt string) []wish.Phrase {
	rest, with := []byte(prompt), -1
	for i, p := range phrases {
		for k := p.From; k < p.To; k++ {
			rest[k] = ' '
		}
		if with < 0 && (p.Role == wish.Headline || p.Role == wish.Second || p.Role == wish.Aside) && strings.ContainsAny(prompt[p.From:p.To], "0123456789") {
			with = i
		}
	}
	around := v.Read(string(rest)).Wishes()
	phrases = behindShare(around, phrases, prompt, string(rest))
	if with < 0 || countsTo(around) || slices.ContainsFunc(phrases, func(p wish.Phrase) bool { return p.Role == wish.Figure }) {
		return phrases
	}
	out := slices.Clone(phrases)
	p := out[with]
	if p.Role == wish.Aside { // "we sold 1,204 cupcakes! can the number count up?"
		p.Role = wish.Headline
	}
	said := prompt[p.From:p.To]
	from := strings.IndexAny(said, "0123456789")
	from = strings.LastIndexByte(said[:from], ' ') + 1 // with "$"
	to := from + strings.IndexByte(said[from:]+" ", ' ')
	shaped := slices.ContainsFunc(around, func(w wish.Wish) bool { return w.Kind == wish.Choice && !r.common(w.About) }) // a bar shows a share
	for _, w := range v.Read(said).Wishes() {                                                                            // "2.5 million"
		if (w.Kind == wish.Number && w.About == "" || w.Kind == wish.Percent || w.Kind == wish.Share && shaped) && w.Span.From <= from && w.Span.To > to {
			to = w.Span.To
		}
	}
	before, after := p, p
	before.To, after.From = p.From+from, p.From+min(to, len(said))
	second := func(p wish.Phrase) bool { return p.Role == wish.Second || p.Role == wish.Headline }
	switch {
	case before.From == before.To && after.From == after.To:
		return slices.Delete(out, with, with+1)
	case before.From == before.To, chooses(v, prompt[before.From:before.To]): // "thermometer 60% raised"
		out[with] = after
	case after.From == after.To:
		out[with] = before
	case with+1 < len(out) && out[with+1].Role == wish.Second && strings.TrimSpace(prompt[p.To:out[with+1].From]) == "" && out[with+1].From > after.From: // "we hit 10,000 subscribers! thank you"
		out[with], out[with+1].From = before, after.From
	case slices.ContainsFunc(slices.Delete(slices.Clone(phrases), with, with+1), second) || strings.ContainsAny(prompt[before.From:before.To], ".:!?"): // there is no room for both
		out[with] = after
		if len(prompt[before.From:before.To]) > len(prompt[after.From:after.To]) {
			out[with] = before
		}
	default:
		after.Role = wish.Second
		out[with] = before
		out = slices.Insert(out, with+1, after)
	}
	return out
}

// behindShare are phrases in which the one word behind a share is told below, with it: "3,450 of 5000 dollars".
func behindShare(around []wish.Wish, phrases []wish.Phrase, prompt, rest string) []wish.Phrase {
	said := func(p wish.Phrase) string { return prompt[p.From:p.To] }
	out := slices.Clone(phrases)
	for _, w := range around {
		for i, p := range out {
			if w.Kind == wish.Share && p.Role == wish.Headline && p.From == w.Span.To+1 && rest[w.Span.To] == ' ' && !strings.Contains(said(p), " ") {
				out[i].Role = wish.Second
			}
		}
	}
	return out
}
