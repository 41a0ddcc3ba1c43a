package reading

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// SignsFile is the file among the word files that says which things a sign can be, and their words.
const SignsFile = "signs.txt"

// What a parameter takes that holds the names of signs, their colour, or how one moves.
const (
	takesSign   = "sign"
	takesColour = "sign.color"
	takesMove   = "sign.move"
)

// mostSigns is how many things stand beside each other, mostInTurn how many are shown one after another.
const (
	mostSigns  = 3
	mostInTurn = 8
)

// takeTurns is the motion of things that are shown one after another.
const takeTurns = "turns"

// longestSign is how many words a thing has at most.
const longestSign = 8

// The rows of words around things; all others name motions.
const (
	rowLead    = "@lead"    // before a thing that is asked for
	rowBetween = "@between" // between that and the thing
	rowWithout = "@without" // before a thing that shall go
	rowTo      = "@to"      // from a thing that is alone to another
	rowOwn     = "@own"     // before a certain thing, of which there is no picture
	rowIcon    = "@icon"    // behind a thing: a picture of it
	rowBehind  = "@behind"  // behind a thing: its place
)

// signLanguages are the columns of the file.
func signLanguages() []string { return []string{"en", "de", "es", "fr", "pt", "it", "ja"} }

// SignNames are the names of the pictures that a file of signs lists, in its order.
func SignNames(file []byte) (names []string) {
	for line := range strings.Lines(string(file)) {
		if name, _, ok := strings.Cut(line, "|"); ok && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "@") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// signs are the words of things and of what stands around them, by language.
type signs struct {
	names map[string]bool
	words map[string]map[string]meant
	moves []string
}

// meant is what words mean: a thing, or a place among the words around things.
type meant struct {
	thing  string
	shy    bool     // only with a word such as icon
	around []string // rows
}

// loadSigns reads the file of signs; there may be none.
func loadSigns(words fs.FS) (*signs, error) {
	s := &signs{names: map[string]bool{}, words: map[string]map[string]meant{}}
	data, err := fs.ReadFile(words, SignsFile)
	if err != nil {
		return s, nil //nolint:nilerr // recipes without signs need none
	}
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if strings.HasPrefix(line, "#") || len(cells) < 2 {
			continue
		}
		name := strings.TrimSpace(cells[0])
		if len(cells) != 1+len(signLanguages()) {
			return nil, fmt.Errorf("%s: %s has words in %d languages", SignsFile, name, len(cells)-1)
		}
		if s.names[name] = name[0] != '@'; name[0] == '@' && !slices.Contains([]string{rowLead, rowBetween, rowWithout, rowTo, rowOwn, rowIcon, rowBehind}, name) {
			s.moves = append(s.moves, name)
		}
		for i, lang := range signLanguages() {
			if s.words[lang] == nil {
				s.words[lang] = map[string]meant{}
			}
			for said := range strings.SplitSeq(cells[1+i], ",") {
				said, shy := strings.CutSuffix(strings.TrimSpace(said), "*")
				k := signKey(said)
				m := s.words[lang][k]
				switch {
				case k == "":
					continue
				case name[0] == '@':
					m.around = append(m.around, name)
				case m.thing != "" && m.thing != name:
					return nil, fmt.Errorf("%s: %q is %s and %s", SignsFile, said, m.thing, name)
				default:
					m.thing, m.shy = name, shy
				}
				s.words[lang][k] = m
			}
		}
	}
	for _, lang := range signLanguages()[2:6] { // of those that people also type without accents
		for k, m := range maps.Clone(s.words[lang]) {
			if bare := unaccented(k); len(bare) >= leastMisspelt && m.thing != "" && s.words[lang][bare].thing == "" {
				m.around = s.words[lang][bare].around
				s.words[lang][bare] = m
			}
		}
	}
	return s, nil
}

// unaccented are words without accents: "corazon".
func unaccented(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

// signKey is words as the table has them.
func signKey(said string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(said), func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '’' || r == '\'' }), " ")
}

// Sign is the canonical form of things as people write them: their names, with commas between; see [recipe.Signs].
func (r *Reader) Sign(said string) (names string, ok bool) {
	var out []string
	for one := range strings.SplitSeq(said, ",") {
		k := signKey(one)
		name := strings.ReplaceAll(k, " ", "-")
		for _, lang := range signLanguages() {
			if m := r.signs.find(r.words, lang, k); !r.signs.names[name] && m.thing != "" {
				name = m.thing
			}
		}
		if !r.signs.names[name] && len(r.signs.names) > 0 {
			return one, false
		}
		out = append(out, name)
	}
	return strings.Join(out[:min(len(out), mostInTurn)], ", "), true
}

// SignNames are the names of all things.
func (r *Reader) SignNames() (names []string) {
	for name, is := range r.signs.names {
		if is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// find is what words mean in a language.
func (s *signs) find(v *wish.Vocabulary, lang, key string) meant {
	if m, ok := s.words[lang][key]; ok {
		return m
	}
	for _, base := range v.Bases(lang, key) {
		if m, ok := s.words[lang][base]; ok && m.thing != "" {
			return m
		}
	}
	return meant{}
}

// amid are the words around things that are of one of some rows.
func amid(rows ...string) func(meant) bool {
	return func(m meant) bool {
		return slices.ContainsFunc(m.around, func(row string) bool { return slices.Contains(rows, row) })
	}
}

func isThing(m meant) bool { return m.thing != "" }

// token is a word of a prompt, for the search of things.
type token struct {
	wish.Word
	key string
}

// hunt is the search for things in a text.
type hunt struct {
	*signs
	v      *wish.Vocabulary
	text   string
	langs  []string
	tokens []token
	alone  bool      // the thing is all there is
	change bool      // the text changes a video
	what   wish.Span // it is for: no part of a thing
	turns  bool      // and others take its place
	// reads reports whether words were read as a wish of a kind: as a choice, such as "sunrise" for colours, or as a colour.
	reads func(wish.Span, wish.Kind) bool
	// cue reports whether a word of a language other than English says that a text follows.
	cue func(wish.Span) bool
}

// hunting takes a text apart.
func (f *filler) hunting(p *recipe.Param) *hunt {
	h := &hunt{signs: f.r.signs, v: f.r.words, text: f.read.Text(), langs: []string{"en"}, alone: p.Min != nil && *p.Min >= 1, change: f.change}
	h.what, _ = f.read.Purpose()
	h.reads = func(s wish.Span, kind wish.Kind) bool {
		w := f.wishAt(s)
		return w != nil && w.Kind == kind
	}
	h.cue = func(wish.Span) bool { return false }
	if lang := f.read.Language(); lang != "" && lang != "en" {
		h.langs, h.cue = []string{lang, "en"}, f.read.Cue
	}
	for _, w := range f.read.Words() {
		if f.change && f.inText(w.Span) { // "typo, bread"
			continue
		}
		from := w.From
		for part := range strings.FieldsFuncSeq(h.text[w.From:w.To], func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '’' || r == '\'' }) {
			at := from + strings.Index(h.text[from:w.To], part)
			from = at + len(part)
			h.tokens = append(h.tokens, token{wish.Word{Span: wish.Span{From: at, To: from}, Loose: w.Loose, Shown: w.Shown}, strings.ToLower(part)})
		}
	}
	if i := slices.IndexFunc(signLanguages(), h.speaks); h.alone && i >= 0 { // few words tell no language
		h.langs = signLanguages()[i : i+1]
	}
	if !f.change && len(h.langs) == 1 { // of other languages too few words are known to tell a slip
		h.correct()
	}
	h.turns = h.alone && h.first("@"+takeTurns) >= 0
	return h
}

// A word for a thing may be misspelt if it has so many letters at least, in a text of so many words at most: each try looks at all things.
const (
	leastMisspelt = 5
	mostCorrected = 60
)

// correct takes an unknown word for the only word of things that is one slip away: "coffe".
func (h *hunt) correct() {
	if len(h.tokens) > mostCorrected {
		return
	}
	for i := range h.tokens {
		t := &h.tokens[i]
		if !t.Loose || t.Shown || len(t.key) < leastMisspelt || h.v.Real(t.key) {
			continue
		}
		if word := h.nearest(t.key); word != "" {
			t.key = word
		}
	}
}

// nearest is the only word of things that is one slip away from a word; "" if there is none, or the word is one of them.
func (h *hunt) nearest(said string) string {
	near := ""
	for _, lang := range h.langs {
		if m := h.find(h.v, lang, said); m.thing != "" || m.around != nil {
			return ""
		}
		for key := range h.words[lang] {
			for word := range strings.FieldsSeq(key) {
				d := len(word) - len(said)
				switch {
				case word == said:
					return ""
				case word == near || len(word) < leastMisspelt || d < -1 || d > 1 || word[0] != said[0] || koda.Slips(word, said) != 1:
				case near != "":
					return ""
				default:
					near = word
				}
			}
		}
	}
	return near
}

// undrawn takes away one of several things that are drawn: "remove the tree".
func (f *filler) undrawn(t wish.Part) bool {
	p := taker(f.m, takesSign)
	name, ok := f.r.Sign(t.Said)
	if p == nil || !ok {
		return false
	}
	drawn := strings.Split(f.value(p), ", ")
	i := slices.Index(drawn, name)
	if i < 0 || len(drawn) < 2 {
		return false
	}
	f.put(p.Name, strings.Join(slices.Delete(drawn, i, i+1), ", "), wish.Wish{Span: t.Span})
	f.shown = append(f.shown, t.Span)
	return true
}

// first is the first token whose words are of one of some rows; -1 if there is none.
func (h *hunt) first(rows ...string) int {
	for i := range h.tokens {
		if amid(rows...)(h.around(i)) {
			return i
		}
	}
	return -1
}

// own reports whether a certain thing is meant, of which there is no picture: "my dog". In "square video" the video is none, nor is
// a remark among the phrases: "for our charity".
func (h *hunt) own(phrases []wish.Phrase) bool {
	for i, t := range h.tokens {
		aside := func(p wish.Phrase) bool { return p.Role == wish.Aside && t.From >= p.From && t.From < p.To }
		if t.Loose && amid(rowOwn)(h.around(i)) && !slices.ContainsFunc(phrases, aside) {
			return true
		}
	}
	return false
}

// speaks reports whether all words that no wish has are words of signs in a language.
func (h *hunt) speaks(lang string) bool {
	one := *h
	one.langs = []string{lang}
	for i := 0; i < len(one.tokens); {
		_, end := one.at(i, func(m meant) bool { return m.thing != "" || m.around != nil })
		if end == i && one.tokens[i].Loose {
			return false
		}
		i = max(end, i+1)
	}
	return true
}

// joint reports whether nothing but blanks and hyphens stands between tokens i and i+1.
func (h *hunt) joint(i int) bool {
	return i >= 0 && i+1 < len(h.tokens) && strings.Trim(h.text[h.tokens[i].To:h.tokens[i+1].From], " -'’") == ""
}

// at is what the longest run of tokens from i means for which fits says so, and where it ends.
func (h *hunt) at(i int, fits func(meant) bool) (m meant, end int) {
	for n := longestSign; n > 0; n-- {
		if i+n > len(h.tokens) {
			continue
		}
		keys := make([]string, 0, n)
		for k := i; k < i+n && !h.tokens[k].Shown && (k == i || h.joint(k-1)); k++ {
			keys = append(keys, h.tokens[k].key)
		}
		if len(keys) < n {
			continue
		}
		for _, lang := range h.langs {
			for _, between := range []string{" ", ""} { // "コーヒーカップ"
				if m := h.find(h.v, lang, strings.Join(keys, between)); fits(m) {
					return m, i + n
				}
			}
		}
	}
	return meant{}, i
}
