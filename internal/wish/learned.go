package wish

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

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
type Learned struct {
	first    *tagger.Model // finds phrases by the words around
	second   *tagger.Model // and again, knowing what the first found and the subject
	subjects *tagger.Model
	names    []string // of the subjects
}

func newLearned(names []string) *Learned {
	var roles []string
	for _, r := range phraseRoles {
		roles = append(roles, string(r))
	}
	return &Learned{tagger.NewSpans(roles...), tagger.NewSpans(roles...), tagger.NewClasses(names...), names}
}

// Bytes is what was learned as LoadLearned reads it.
func (l *Learned) Bytes() ([]byte, error) {
	names, err := json.Marshal(l.names)
	if err != nil {
		return nil, fmt.Errorf("write the names of subjects: %w", err)
	}
	return slices.Concat(names, []byte{'\n'}, l.first.Bytes(), l.second.Bytes(), l.subjects.Bytes()), nil
}

// LoadLearned reads what Bytes returned.
func LoadLearned(data []byte) (*Learned, error) {
	var names []string
	head, rest, _ := bytes.Cut(data, []byte{'\n'})
	if err := json.Unmarshal(head, &names); err != nil {
		return nil, fmt.Errorf("read the names of subjects: %w", err)
	}
	l := newLearned(names)
	for _, m := range []*tagger.Model{l.first, l.second, l.subjects} {
		n := min(m.Size(), len(rest))
		if err := m.Load(rest[:n]); err != nil {
			return nil, fmt.Errorf("read what was learned: %w", err)
		}
		rest = rest[n:]
	}
	return l, nil
}

// Example is a text whose subject and phrases are known.
type Example struct {
	Subject string
	Text    string
	Phrases []Phrase
}

// ParseExample reads a line of examples: the subject, a tab, and the text with each phrase between ⟦ and
// ⟧ behind the letter of its role. In the text \n is the end of a line.
func ParseExample(row string) (Example, error) {
	subject, text, ok := strings.Cut(row, "\t")
	if !ok {
		return Example{}, fmt.Errorf("the example %q has no tab", row)
	}
	e := Example{Subject: subject}
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
		if !closed || strings.Contains(inside, "⟦") || !slices.Contains(phraseRoles, PhraseRole(role)) {
			return Example{}, fmt.Errorf("the example %q has no good phrase at %q", row, inside)
		}
		e.Phrases = append(e.Phrases, Phrase{Span{b.Len(), b.Len() + len(words)}, PhraseRole(role)})
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

// Learning says how long to learn: how often each example is seen, and into how many parts the examples are divided
// so that subjects are learned from phrases as they are found in texts that were not learned from.
const (
	rounds = 12
	parts  = 4
)

// taught is an example taken apart.
type taught struct {
	view    *sentence
	spans   []tagger.Span
	subject string
	found   []tagger.Span // by a model that did not learn from the example
	guess   string        // the subject, likewise
}

// Learn learns from examples. Those whose phrases are no whole tokens are left out, and returned.
//
// The second model learns from what the first finds in texts that it did not learn from (stacked sequential
// learning: W. Cohen and V. Carvalho, 2005): what a list began with says what comes next.
func (v *Vocabulary) Learn(examples []Example) (l *Learned, bad []Example) {
	var names []string
	var all []taught
	for _, e := range examples {
		x := v.view(e.Text)
		s, ok := x.spans(e.Phrases)
		if !ok || len(x.tokens) == 0 {
			bad = append(bad, e)
			continue
		}
		if !slices.Contains(names, e.Subject) {
			names = append(names, e.Subject)
		}
		all = append(all, taught{view: x, spans: s, subject: e.Subject})
		if small := strings.ToLower(e.Text); len(all)%4 == 0 && small != e.Text && len(small) == len(e.Text) { // many type no capitals
			x := v.view(small)
			if s, ok := x.spans(e.Phrases); ok {
				all = append(all, taught{view: x, spans: s, subject: e.Subject})
			}
		}
	}
	slices.Sort(names)
	l = newLearned(names)
	var work sync.WaitGroup // each learns alone, so the order of ending changes nothing
	work.Go(func() { l.learnFirst(all, func(int) bool { return true }) })
	for part := range parts {
		work.Go(func() {
			m := newLearned(names)
			m.learnFirst(all, func(i int) bool { return i%parts != part })
			for i := part; i < len(all); i += parts {
				all[i].found = m.first.Spans(all[i].view.features())
			}
		})
	}
	work.Wait()
	l.learnSubjects(all, func(int) bool { return true })
	for part := range parts {
		m := newLearned(names)
		m.learnSubjects(all, func(i int) bool { return i%parts != part })
		for i := part; i < len(all); i += parts {
			all[i].guess = m.subjects.Rank(all[i].view.subject(all[i].found))[0].Name
		}
	}
	var seq []tagger.Example
	for _, t := range all {
		seq = append(seq, l.second.Example(t.view.stacked(t.view.features(), t.found, t.guess), t.spans))
	}
	l.second.Train(seq, rounds)
	return l, bad
}

func (l *Learned) learnFirst(all []taught, from func(int) bool) {
	var seq []tagger.Example
	for i := range all {
		if from(i) {
			seq = append(seq, l.first.Example(all[i].view.features(), all[i].spans))
		}
	}
	l.first.Train(seq, rounds)
}

func (l *Learned) learnSubjects(all []taught, from func(int) bool) {
	var list []tagger.Example
	for i, t := range all {
		if from(i) {
			list = append(list, l.subjects.Instance(t.view.subject(t.spans), t.subject), l.subjects.Instance(t.view.subject(t.found), t.subject))
		}
	}
	l.subjects.Train(list, rounds)
}

// spans are phrases as spans of tokens; ok is false if a phrase is no run of whole tokens. Second texts with nothing
// but a mark between them are one.
func (x *sentence) spans(phrases []Phrase) (out []tagger.Span, ok bool) {
	for _, p := range phrases {
		s := tagger.Span{From: -1, Role: string(p.Role)}
		for i := range x.tokens {
			t := &x.tokens[i]
			whole := t.span.In(p.Span) || t.form == quoted && p.In(t.span)
			switch {
			case whole && s.From < 0:
				s.From, s.To = i, i+1
			case whole:
				s.To = i + 1
			case t.span.From < p.To && t.span.To > p.From:
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
		return nil, l.subjects.Rank(x.subject(nil))
	}
	features := x.features()
	spans := l.first.Spans(features)
	spans = l.second.Spans(x.stacked(features, spans, l.subjects.Rank(x.subject(spans))[0].Name))
	return x.phrases(spans), l.subjects.Rank(x.subject(spans))
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

// Checked is what came out of examples that were not learned from.
type Checked struct{ Examples, Phrases, Subjects, Both int }

// Check learns from four of five examples, and counts for how many of the others all phrases, the subject, and both are
// found as they are. Words to the maker do not count.
func (v *Vocabulary) Check(examples []Example) (c Checked) {
	var some []Example
	for i, e := range examples {
		if i%5 != 0 {
			some = append(some, e)
		}
	}
	l, _ := v.Learn(some)
	for i := 0; i < len(examples); i += 5 {
		phrases, subject := v.finds(l, examples[i])
		c.Examples++
		for count, right := range map[*int]bool{&c.Phrases: phrases, &c.Subjects: subject, &c.Both: phrases && subject} {
			if right {
				*count++
			}
		}
	}
	return c
}

// Finds reports whether the phrases and the subject of an example are found as they are. Words to the maker do not
// count.
func (v *Vocabulary) Finds(l *Learned, e Example) bool {
	phrases, subject := v.finds(l, e)
	return phrases && subject
}

func (v *Vocabulary) finds(l *Learned, e Example) (phrases, subject bool) {
	x := v.view(e.Text)
	spans, _ := x.spans(e.Phrases)
	got, subjects := v.Phrases(l, e.Text)
	aside := func(p Phrase) bool { return p.Role == Aside }
	return slices.Equal(slices.DeleteFunc(got, aside), slices.DeleteFunc(x.phrases(spans), aside)), subjects[0].Name == e.Subject
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
