package wish

import (
	"fmt"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/tagger"
)

// PhraseRole says what words of a text are for.
type PhraseRole string

// The roles of phrases.
const (
	Headline PhraseRole = "t" // the text to show, the heading of data
	Second   PhraseRole = "s" // the text below
	Speaker  PhraseRole = "a" // who said the text
	Button   PhraseRole = "b" // what to do now
	Item     PhraseRole = "i" // an item of a list
	Name     PhraseRole = "l" // what a figure is of
	Figure   PhraseRole = "v" // with its unit
	Measure  PhraseRole = "u" // the unit of all figures
	Source   PhraseRole = "c" // code, or a command
	Output   PhraseRole = "o" // what a command answers
	Whom     PhraseRole = "n" // whom a greeting is for
	Aside    PhraseRole = "x" // words to the maker: nothing to be seen
)

var phraseRoles = []PhraseRole{Headline, Second, Speaker, Button, Item, Name, Figure, Measure, Source, Output, Whom, Aside}

// Phrase is a stretch of a text with a role.
type Phrase struct {
	Span
	Role PhraseRole
}

// Learned is what examples taught: which words of a text have which role, and which subject a text has.
// It is read only, and safe for concurrent use.
type Learned = tagger.Model

// LoadLearned reads what the training wrote.
func LoadLearned(data []byte) (*Learned, error) { return tagger.Load(data) }

// Example is a text whose subject and phrases are known.
type Example struct {
	Subject string
	Text    string
	Phrases []Phrase
	Prompt  string   // of the video that a change is about; "" if it is not known
	Video   string   // the subject of that video
	Texts   []string // what the video shows, as far as it is known
}

// ParseExample reads a line of examples: the subject, a tab, and the text with each phrase between ⟦ and
// ⟧ behind the letter of its role. In the text \n is the end of a line. A change may have the prompt of its video behind
// another tab. The letter is a capital where the words stand in that video.
func ParseExample(row string) (Example, error) {
	subject, text, ok := strings.Cut(row, "\t")
	if !ok {
		return Example{}, fmt.Errorf("the example %q has no tab", row)
	}
	e := Example{Subject: subject}
	text, e.Prompt, _ = strings.Cut(text, "\t")
	var b strings.Builder
	for rest := strings.ReplaceAll(text, `\n`, "\n"); ; {
		before, after, open := strings.Cut(rest, "⟦")
		b.WriteString(before)
		if !open {
			e.Text = b.String()
			return e, nil
		}
		inside, behind, closed := strings.Cut(after, "⟧")
		role, words, _ := strings.Cut(inside, " ")
		small := strings.ToLower(role)
		if !closed || strings.Contains(inside, "⟦") || !slices.Contains(phraseRoles, PhraseRole(small)) && !slices.Contains(partRoles, PartRole(small)) {
			return Example{}, fmt.Errorf("the example %q has no good phrase at %q", row, inside)
		}
		if small != role {
			e.Texts = append(e.Texts, words)
		}
		e.Phrases = append(e.Phrases, Phrase{Span{b.Len(), b.Len() + len(words)}, PhraseRole(small)})
		b.WriteString(words)
		rest = behind
	}
}

// String is the example as ParseExample reads it.
func (e Example) String() string {
	var b strings.Builder
	b.WriteString(e.Subject + "\t")
	at := 0
	for _, p := range e.Phrases {
		b.WriteString(e.Text[at:p.From] + "⟦" + string(p.Role) + " " + e.Text[p.From:p.To] + "⟧")
		at = p.To
	}
	return strings.ReplaceAll(b.String()+e.Text[at:], "\n", `\n`)
}

// Lesson is an example as the training reads it: what is known of each token, and the right labels.
type Lesson struct {
	Number int            `json:"number"` // of the example
	Tokens []tagger.Token `json:"tokens"`
	Labels []string       `json:"labels"` // one for each token
	Class  string         `json:"class"`
	Copy   bool           `json:"copy"` // whether the example stands among the lessons already, with its capitals
}

// Lessons are examples as the training reads them. Many people type no capitals, so every fourth example is there a
// second time without, and without the kind of its video. Those whose phrases are no whole tokens are left out, and returned.
func (v *Vocabulary) Lessons(examples []Example) (out []Lesson, bad []Example) {
	n := 0
	for i, e := range examples {
		l, ok := v.lesson(e, e.Text)
		if !ok {
			bad = append(bad, e)
			continue
		}
		l.Number = i
		out = append(out, l)
		n++
		if small := strings.ToLower(e.Text); n%4 == 0 && (small != e.Text || e.Video != "") && len(small) == len(e.Text) {
			e.Video = "" // a recipe that is nobody's example
			if l, ok := v.lesson(e, small); ok {
				l.Number, l.Copy = i, true
				out = append(out, l)
			}
		}
	}
	return out, bad
}

// lesson is an example whose text is written like text.
func (v *Vocabulary) lesson(e Example, text string) (Lesson, bool) {
	x := v.view(text)
	spans, ok := x.spans(e.Phrases)
	if !ok || len(x.tokens) == 0 {
		return Lesson{}, false
	}
	if e.Subject == "change" {
		x.stand(e.Video, e.Texts, v.base.files)
	}
	return Lesson{Tokens: x.features(), Labels: tagger.Labels(len(x.tokens), spans), Class: e.Subject}, true
}

// spans are phrases as spans of tokens; ok is false if a phrase is no run of whole tokens. Second texts with nothing
// but a mark between them are one.
func (x *sentence) spans(phrases []Phrase) (out []tagger.Span, ok bool) {
	for _, p := range phrases {
		s := tagger.Span{From: -1, Role: string(p.Role)}
		for i := range x.tokens {
			t := &x.tokens[i]
			whole := t.span.In(p.Span) || t.form == quoted && p.In(t.span) || t.form == word && t.span.Overlaps(p.Span) && strings.ContainsAny(t.text, "'’") // "Ann" of "Ann's"
			switch {
			case whole && s.From < 0:
				s.From, s.To = i, i+1
			case whole:
				s.To = i + 1
			case t.span.Overlaps(p.Span):
				return nil, false
			}
		}
		if s.From < 0 {
			return nil, false
		}
		if n := len(out) - 1; n >= 0 && p.Role == Second && out[n].Role == s.Role && s.From <= out[n].To+1 && (s.From == out[n].To || x.tokens[out[n].To].form == mark) {
			out[n].To = s.To
			continue
		}
		out = append(out, s)
	}
	return out, true
}

// longestText is how many tokens a text has at most in which phrases are looked for: what is read of phrases takes time
// that grows with the square of their number.
const longestText = 1500

// Phrases finds the phrases of a text, and ranks the subjects that it may have, the best first. A text of more than 1,500
// tokens has none.
func (v *Vocabulary) Phrases(l *Learned, text string) ([]Phrase, []tagger.Class) {
	x := v.view(text)
	if len(x.tokens) == 0 || len(x.tokens) > longestText {
		_, classes := l.Read(x.features()[:min(len(x.tokens), longestText/5)]) // the beginning says what it is about
		return nil, classes
	}
	spans, classes := l.Read(x.features())
	return x.phrases(spans), classes
}

// phrases are spans of tokens as phrases. Pictures behind a text belong to it.
func (x *sentence) phrases(spans []tagger.Span) []Phrase {
	var out []Phrase
	for n, s := range spans {
		limit := len(x.tokens)
		if n+1 < len(spans) {
			limit = spans[n+1].From
		}
		before := 0
		if n > 0 {
			before = spans[n-1].To
		}
		if PhraseRole(s.Role) == Headline {
			s.From = x.greets(s.From, before)
		}
		for s.From > before && x.inside(s.From) { // half of a word
			s.From--
		}
		for s.To < limit && x.inside(s.To) {
			s.To++
		}
		for PhraseRole(s.Role) != Aside && s.To < limit && x.tokens[s.To].form == mark && pictograph(x.tokens[s.To].text) { // "New episode 🎙"
			s.To++
		}
		from := x.tokens[s.From].span.From
		if x.tokens[s.From].form == number && strings.HasSuffix(" "+x.s[:from], " '") { // "'24"
			from--
		}
		out = append(out, Phrase{Span{from, x.tokens[s.To-1].span.To}, PhraseRole(s.Role)})
	}
	return out
}

// inside reports whether token i stands inside of a word of katakana, whose letters are a token each.
func (x *sentence) inside(i int) bool {
	return i > 0 && x.tokens[i].glued && x.looks[i] == "katakana" && x.looks[i-1] == "katakana"
}

// Finds reports whether the phrases and the subject of an example are found as they are. Words to the maker do not
// count.
func (v *Vocabulary) Finds(l *Learned, e Example) bool {
	x := v.view(e.Text)
	spans, _ := x.spans(e.Phrases)
	got, subjects := v.Phrases(l, e.Text)
	aside := func(p Phrase) bool { return p.Role == Aside }
	return subjects[0].Name == e.Subject && slices.Equal(slices.DeleteFunc(got, aside), slices.DeleteFunc(x.phrases(spans), aside))
}

// greets is where the text at token i begins, if words before it that no other phrase has belong to it: those that name
// its occasion, and strange words behind them: "congradulations Marcus".
func (x *sentence) greets(i, limit int) int {
	from := i
	for k := i - 1; k >= limit && x.tokens[k].form == word; k-- {
		spoken, strangers := false, x.kinds[k][0] == strange
		for _, kind := range x.kinds[k] {
			spoken = spoken || strings.HasSuffix(kind, string(Spoken))
		}
		if spoken {
			from = k
		} else if !strangers {
			break
		}
	}
	return from
}
