package wish

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a token, or the tokens of a phrase, with its meanings.
type piece struct {
	token
	senses []sense
	typo   bool
	wish   int  // 1 + the index of the wish that the piece belongs to; 0 for none
	scene  bool // part of the mention of a scene
}

// reader is a text being read.
type reader struct {
	v       *Vocabulary
	s       string
	p       []piece
	wishes  []Wish
	clause  []Span // of pieces
	main    string // the language of the text
	turn    int    // the first piece after the last correction
	phrases []Phrase
	known   bool               // phrases says all that is shown
	forms   map[string][]sense // what words with endings mean, as far as they were looked up
}

// mostGuesses is how many unknown words of a text are compared with the vocabulary: the
// time of a text of nothing but misspelt words stays small.
const mostGuesses = 200

// newReader takes a text apart. every says that the words of all languages count.
func newReader(v *Vocabulary, s string, every bool, phrases ...Phrase) *reader {
	tokens := scan(s, v.base.files)
	for i := range tokens {
		for n, p := range phrases {
			if tokens[i].span.In(p.Span) {
				tokens[i].phrase = n + 1
			}
		}
	}
	r := &reader{v: v, s: s, phrases: phrases, p: make([]piece, 0, len(tokens)), forms: map[string][]sense{}}
	main := ""
	if !every {
		main = r.language(tokens)
	}
	r.main = main
	if v.base.points[main] {
		r.thousands(tokens)
	}
	guesses := 0
	for i := 0; i < len(tokens); {
		p, n := r.match(tokens, i, main, every)
		silent := p.phrase > 0 && phrases[p.phrase-1].Role != Figure
		if silent {
			if p.form == word && len(p.senses) == 0 && guesses < mostGuesses && phrases[p.phrase-1].Role.spoken() {
				guesses++
				p.senses = r.counting(v.correct(p.text, func(s sense) bool { return every || r.counts(s, main) }), main, every)
			}
			p.senses = r.heard(p, phrases[p.phrase-1].Role)
		}
		if p.form == word && len(p.senses) == 0 && guesses < mostGuesses && !silent {
			guesses++
			p.senses = r.counting(v.compound(p.text), main, every)
			if len(p.senses) == 0 && !r.name(p.token) && !every {
				p.senses = r.counting(v.correct(p.text, func(s sense) bool { return every || r.counts(s, main) }), main, every)
				p.typo = len(p.senses) > 0
			}
		}
		r.p = append(r.p, p)
		i += n
	}
	return r
}

// heard are the meanings that the words of a phrase keep.
func (r *reader) heard(p piece, role PhraseRole) []sense {
	if role == Whom { // "my sister Lena"
		return slices.DeleteFunc(slices.Clone(p.senses), func(s sense) bool {
			return s.class != mine && s.class != article && (s.term == nil || s.term.Role != Spoken && s.term.Role != Option)
		})
	}
	if role == Aside && slices.ContainsFunc(p.senses, unit) { // "for my nephew's 21st birthday"
		return p.senses
	}
	if role == Aside && slices.ContainsFunc(p.senses, ofPicture) { // "for the screen in our lobby, in 4k"
		return slices.DeleteFunc(slices.Clone(p.senses), func(s sense) bool { return !ofPicture(s) })
	}
	if role == Item { // "milk, eggs and bread"
		return slices.DeleteFunc(slices.Clone(p.senses), func(s sense) bool { return s.class != and })
	}
	if !role.spoken() || !slices.ContainsFunc(p.senses, func(s sense) bool { return s.term != nil && s.term.Role == Spoken || unit(s) }) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.senses), func(s sense) bool { return s.term == nil || s.term.Role != Spoken && s.term.Role != Option })
}

// unit reports whether a meaning is that of a word for what numbers count.
func unit(s sense) bool { return s.term != nil && s.term.Role == Unit }

// ofPicture reports whether a meaning is that of a word for the frame or the file.
func ofPicture(s sense) bool { return s.class == shape || s.class == scale || s.class == format }

// thousands reads "15.700" as it is written in the language of the text.
func (r *reader) thousands(tokens []token) {
	for i := range tokens {
		t := &tokens[i]
		groups := strings.Split(r.s[t.span.From:t.span.To], ".")
		if t.form != number || len(groups) < 2 || len(groups[0]) > 3 || groups[0] == "0" || slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 }) {
			continue
		}
		if n, err := strconv.ParseFloat(strings.Join(groups, ""), 64); err == nil {
			t.num, t.text = n, decimal(n)
		}
	}
}

// longWord is the length from which on words say alike much about the language.
const longWord = 6

// language guesses which language a text is in, other than English: the one whose
// words, unknown to English, outnumber the words that only English knows.
func (r *reader) language(tokens []token) string {
	counts := map[string]int{}
	v := r.v
	english := v.base.languages[0]
	for i := 0; i < len(tokens); i++ {
		if tokens[i].form != word || i > 0 && tokens[i].glued && tokens[i-1].text == "/" || i+1 < len(tokens) && tokens[i+1].glued && tokens[i+1].form == number { // "$9/mo", "E3"
			continue
		}
		var langs []string
		weight := min(utf8.RuneCountInString(tokens[i].text), longWord) // a long word says more than "a"
		lens := v.lens(tokens[i].text)
		for n := min(8, len(tokens)-i); n >= 1 && langs == nil; n-- {
			if lens>>n&1 == 0 {
				continue
			}
			for _, s := range v.of(key(tokens[i : i+n])) {
				if s.lang != "" && !slices.Contains(langs, s.lang) {
					langs = append(langs, s.lang)
				}
			}
			if langs != nil {
				if n > 1 && len(langs) == 1 && langs[0] == english { // "bar chart" says more than "bar"
					weight = longWord
				}
				i += n - 1
			}
		}
		if len(langs) == 0 {
			weight /= 2 // "tons" may be the German "Ton"
			for _, s := range r.bent(tokens[i].text) {
				if !slices.Contains(langs, s.lang) {
					langs = append(langs, s.lang)
				}
			}
		}
		money := func(base string) bool {
			return slices.ContainsFunc(v.of(base), func(s sense) bool { return s.lang == english && s.class == currency })
		}
		if !slices.Contains(langs, english) && !slices.ContainsFunc(v.Bases(english, tokens[i].text), money) { // "euros" is French as well
			for _, l := range langs {
				counts[l] += weight
			}
		} else if len(langs) == 1 {
			counts[english] += weight
		}
	}
	best := english
	for _, l := range v.base.languages {
		if counts[l] > counts[best] {
			best = l
		}
	}
	return best
}

// bent is Vocabulary.bent, looked up once for each word.
func (r *reader) bent(key string) []sense {
	list, ok := r.forms[key]
	if !ok {
		list = r.v.bent(key)
		r.forms[key] = list
	}
	return list
}

// counting drops the meanings of languages that the text is not in. The things of English
// count in every text.
func (r *reader) counting(list []sense, main string, every bool) []sense {
	if every || !slices.ContainsFunc(list, func(s sense) bool { return !r.counts(s, main) }) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(s sense) bool { return !r.counts(s, main) })
}

func (r *reader) counts(s sense, main string) bool {
	return s.lang == main || s.lang == "" || s.script || s.lang == r.v.base.languages[0] && (s.content() || s.class == scale || s.class == magnitude || s.class == fps || s.class == currency || s.class == percent || s.class == cross)
}

// longestPhrase is how many tokens a phrase of the vocabulary has at most: lengths are bits.
const longestPhrase = 31

// match is the longest phrase at token i that means something, else the token itself.
func (r *reader) match(tokens []token, i int, main string, every bool) (piece, int) {
	t := tokens[i]
	p := piece{token: t}
	if t.form == quoted || t.form == file || t.form == code || t.form == line {
		return p, 1
	}
	lens := r.v.lens(t.text)
	if t.form == number && i > 0 && t.glued && tokens[i-1].form == mark { // "$8k" is no size
		lens = 0
	}
	room := 1 // a phrase of the vocabulary lies inside of one of the text
	for room < longestPhrase && i+room < len(tokens) && tokens[i+room].phrase == t.phrase {
		room++
	}
	for n := room; n >= 1; n-- {
		inflected := lens>>n&1 == 0
		if inflected && (n > 1 || t.form != word) || t.form == number && n == 1 {
			continue
		}
		k := key(tokens[i : i+n])
		list := r.counting(r.v.of(k), main, every)
		if t.form == word && (n == 1 || len(list) == 0) {
			list = slices.Concat(list, r.counting(r.bent(k), main, every))
		}
		if len(list) > 0 && r.whole(tokens, i, i+n) {
			p.senses, p.text, p.span.To = list, k, tokens[i+n-1].span.To
			if n > 1 {
				p.form = word
			}
			return p, n
		}
	}
	if lens == 0 && t.form == word && !every { // "bar charts": the phrase bends at its end
		return p, 1
	}
	for n := min(4, room); n >= 2 && t.form == word; n-- {
		if list := r.counting(r.bent(key(tokens[i:i+n])), main, every); len(list) > 0 && tokens[i+n-1].form == word {
			p.senses, p.text, p.span.To = list, key(tokens[i:i+n]), tokens[i+n-1].span.To
			return p, n
		}
	}
	return p, 1
}

// whole reports whether tokens [i, j) are whole words, where a script has no blanks: a word
// in katakana does not end inside of a longer one.
func (r *reader) whole(tokens []token, i, j int) bool {
	kana := func(k int) bool {
		if k < 0 || k >= len(tokens) {
			return false
		}
		c, _ := utf8.DecodeRuneInString(r.s[tokens[k].span.From:])
		return unicode.Is(unicode.Katakana, c) || c == 'ー'
	}
	return !(kana(j-1) && kana(j) && tokens[j].glued && r.v.lens(tokens[j].text) == 0)
}

// name reports whether a word is written as a name: with a capital inside of a sentence.
func (r *reader) name(t token) bool {
	c, _ := utf8.DecodeRuneInString(r.s[t.span.From:])
	return unicode.IsUpper(c) && t.span.From > 0
}

// is reports whether piece i has one of the classes.
func (r *reader) is(i int, classes ...class) bool {
	if i < 0 || i >= len(r.p) {
		return false
	}
	for k := range r.p[i].senses {
		if slices.Contains(classes, r.p[i].senses[k].class) {
			return true
		}
	}
	return false
}

// get returns the meaning of piece i in a class.
func (r *reader) get(i int, c class) (sense, bool) {
	if i < 0 || i >= len(r.p) {
		return sense{}, false
	}
	for _, s := range r.p[i].senses {
		if s.class == c {
			return s, true
		}
	}
	return sense{}, false
}

// term returns the term of piece i that has the role, and one of the types if any are given.
func (r *reader) term(i int, role Role, types ...string) *Term {
	if i < 0 || i >= len(r.p) {
		return nil
	}
	for _, s := range r.p[i].senses {
		if s.term != nil && s.term.Role == role && (len(types) == 0 || slices.Contains(types, s.term.Type)) {
			return s.term
		}
	}
	return nil
}

func (r *reader) form(i int, f form) bool { return i >= 0 && i < len(r.p) && r.p[i].form == f }

// touch reports whether no space stands between piece i and the next.
func (r *reader) touch(i int) bool {
	return i+1 < len(r.p) && r.p[i].span.To == r.p[i+1].span.From
}

// punct reports whether piece i is one of the marks.
func (r *reader) punct(i int, marks string) bool {
	if !r.form(i, mark) {
		return false
	}
	c, _ := utf8.DecodeRuneInString(r.s[r.p[i].span.From:])
	for _, m := range marks {
		if m == c {
			return true
		}
	}
	return false
}

// mostSkipped is how many words that say little may stand between words that belong together.
const mostSkipped = 12

// skip returns the first index from i, in steps of step, that has none of the classes.
func (r *reader) skip(i, step int, classes ...class) int {
	for n := 0; n < mostSkipped && r.is(i, classes...); n++ {
		i += step
	}
	return i
}

// free reports whether pieces [i, j) exist and belong to no wish.
func (r *reader) free(i, j int) bool {
	if i < 0 || j > len(r.p) {
		return false
	}
	for ; i < j; i++ {
		if r.p[i].wish > 0 {
			return false
		}
	}
	return true
}

// wish records a wish made of pieces [i, j).
func (r *reader) wish(i, j int, w Wish) {
	i, j = max(i, 0), min(j, len(r.p))
	w.Span = Span{r.p[i].span.From, r.p[j-1].span.To}
	switch w.Kind {
	case Add, Remove, Replace, Swap, Move, Merge: // the quotations in it are no texts of their own
		r.drop(w.Span)
	}
	r.wishes = append(r.wishes, w)
	for k := i; k < j; k++ {
		r.p[k].wish = len(r.wishes)
		r.wishes[len(r.wishes)-1].Typo = w.Typo || r.p[k].typo
	}
}

// said is the text of pieces [i, j) as written.
func (r *reader) said(i, j int) string {
	if i >= j {
		return ""
	}
	return r.s[r.p[i].span.From:r.p[j-1].span.To]
}

// inOrder lists the indices of the wishes in the order of the text.
func (r *reader) inOrder() []int {
	order := make([]int, len(r.wishes))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return r.wishes[a].Span.From - r.wishes[b].Span.From })
	return order
}

// pieceAt is the piece that begins at a byte of the text.
func (r *reader) pieceAt(from int) int {
	i, _ := slices.BinarySearchFunc(r.p, from, func(p piece, from int) int { return p.span.From - from })
	return i
}
