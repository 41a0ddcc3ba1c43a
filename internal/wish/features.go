package wish

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/tagger"
)

// sentence is a text as the tagger sees it: its tokens, with what is known of each.
type sentence struct {
	s        string
	tokens   []token
	words    []string        // words as they are, other tokens by their form
	looks    []string        // capital, number, mark
	kinds    [][]string      // what the vocabulary knows: classes of words, roles of terms
	abouts   [][]string      // which subjects a token speaks for
	general  []string        // what is known of the whole text
	people   map[string]bool // first names
	language string
	stands   []string // of a change: whether tokens stand in the video
}

// unlearned are the classes that came after the examples were learned last: the tagger knows nothing of them.
var unlearned = []class{allBut, all, multiplied, divided, naming}

// strange is the kind of a word that means nothing.
const strange = "?"

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
		if slices.Contains(unlearned, m.class) {
			continue
		}
		kind := string(m.class)
		if m.term != nil {
			kind = string(m.term.Role) + m.term.Type
			switch m.term.Role {
			case Topic, Spoken, Hint:
				x.abouts[i] = append(x.abouts[i], string(m.term.Role)+m.term.Value)
			case Noun, Higher, Lower, Option, Unit, Label, Meaning, Stage, Place, Shown:
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

// sum notes what is known of the whole text.
func (x *sentence) sum(language string) {
	x.language = language
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

// features are what the tagger is to know of each token: its word, how it looks, what the vocabulary knows of it, how it
// begins and ends, and what is known of the whole text.
func (x *sentence) features() []tagger.Token {
	out := make([]tagger.Token, len(x.tokens))
	for i := range x.tokens {
		t := &x.tokens[i]
		marks := []string{"look " + x.looks[i]}
		for _, k := range x.kinds[i] {
			marks = append(marks, "kind "+k)
		}
		for _, a := range x.abouts[i] {
			marks = append(marks, "about "+a)
		}
		if t.form == word && x.people[t.text] {
			marks = append(marks, "person")
		}
		if x.stands != nil && x.stands[i] != "" {
			marks = append(marks, "stands "+x.stands[i])
		}
		if t.glued {
			marks = append(marks, "glued")
		}
		if r := []rune(t.text); t.form == word && len(r) > 3 {
			marks = append(marks, "begins "+string(r[:3]), "ends "+string(r[len(r)-3:]))
		}
		for _, g := range x.general {
			marks = append(marks, "all "+g)
		}
		out[i] = tagger.Token{Word: x.words[i], Marks: marks}
	}
	return out
}
