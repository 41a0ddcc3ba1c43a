package wish

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/tagger"
)

// PartRole says what words of a change are for.
type PartRole string

// The roles of the parts of a change.
const (
	Old     PartRole = "o" // what is to become something else
	New     PartRole = "n" // what it becomes, or the number of what is added
	Further PartRole = "a" // what comes new beside the others
	Gone    PartRole = "d" // what is to go
	Moved   PartRole = "m" // what is to stand elsewhere in the order
	Where   PartRole = "p" // where that is
	Holder  PartRole = "h" // the one thing that looks are for
	Look    PartRole = "l" // colours, sizes, speeds, effects
	Kept    PartRole = "k" // named only to say that it stays
	Idle    PartRole = "x" // orders nothing: a greeting, a reason, a story
)

var partRoles = []PartRole{Old, New, Further, Gone, Moved, Where, Holder, Look, Kept, Idle}

// Part is a stretch of a change with what it is for.
type Part struct {
	Span
	Role PartRole
	Said string // without quotation marks
	Done bool   // whether the caller has done what it is for
	Tied bool   // whether another part says what it is for
}

// Parts finds what the words of a change are for, as examples taught it. Video is the subject of the video, and texts are
// what it shows.
func (v *Vocabulary) Parts(l *Learned, text, video string, texts []string) []Part {
	x := v.view(text)
	if len(x.tokens) == 0 || len(x.tokens) > longestText {
		return nil
	}
	x.stand(video, texts, v.base.files)
	spans, _ := l.Read(x.features())
	return x.parts(spans)
}

func (x *sentence) parts(spans []tagger.Span) []Part {
	var out []Part
	for _, s := range spans {
		from, to := x.tokens[s.From].span.From, x.tokens[s.To-1].span.To
		p := Part{Span: Span{from, to}, Role: PartRole(s.Role), Said: x.bare(from, to)}
		if c, _ := utf8.DecodeRuneInString(x.s[from:]); x.language != "en" && (p.Role == New || p.Role == Further) && unicode.IsUpper(c) { // "C'est parti !" begins so
			p.Said = x.s[from:to]
		}
		if first := &x.tokens[s.From]; first.form == quoted {
			p.Said, p.To = first.text, first.span.To
		} else if next := s.To; (p.Role == New || p.Role == Further) && next < len(x.tokens) && x.tokens[next].glued && (x.tokens[next].text == "!" && !strings.ContainsAny(p.Said, "0123456789") || x.tokens[next].text == "?" && s.From > 0 && x.tokens[s.From-1].text == ":") { // "Title: Will it rain?"
			p.To = x.tokens[next].span.To
			p.Said = x.s[p.From:p.To]
		}
		out = append(out, p)
	}
	return out
}

// WithoutIdle is a text with blanks in the place of the parts that order nothing. What stands before and behind such a part stays apart.
// All places stay the same.
func (v *Vocabulary) WithoutIdle(text string, parts []Part) string {
	out := []byte(text)
	for _, p := range parts {
		if p.Role != Idle {
			continue
		}
		words := newReader(v, p.Said, false).p
		has := func(c class) bool {
			return slices.ContainsFunc(words, func(t piece) bool { return slices.ContainsFunc(t.senses, func(s sense) bool { return s.class == c }) })
		}
		if has(respell) { // "a typo"
			continue
		}
		copy(out[p.From:p.To], strings.Repeat(" ", p.To-p.From))
		joint := has(and) || has(but) || slices.ContainsFunc(words, func(t piece) bool { return t.form == mark || t.form == line })
		if said := strings.TrimSpace(text[:p.From]); joint && said != "" && strings.TrimSpace(text[p.To:]) != "" && !strings.ContainsAny(said[len(said)-1:], ",.;:!?") {
			out[p.From] = ','
			if strings.ContainsAny(p.Said, ".!?\n") {
				out[p.From] = '.'
			}
		}
	}
	return string(out)
}

// bare is what stands at a place, without the ending of an owner, and without an article that is one with the word: "l'auteur".
func (x *sentence) bare(from, to int) string {
	said := owned(x.s[from:to])
	if at := strings.IndexAny(said, "'’"); at > 0 && at <= longestArticle && x.language != "en" {
		if rest := strings.TrimLeft(said[at:], "'’"); !strings.ContainsAny(said[:at], " ") && len(rest) > 1 {
			return rest
		}
	}
	return said
}

// longestArticle is how many letters an article has at most that is one with the word behind it: "dell'".
const longestArticle = 4

// FindsParts reports whether the parts of an example are found as they are.
func (v *Vocabulary) FindsParts(l *Learned, e Example) bool {
	x := v.view(e.Text)
	spans, ok := x.spans(e.Phrases)
	return ok && slices.Equal(v.Parts(l, e.Text, e.Video, e.Texts), x.parts(spans))
}

// stand notes of a change which tokens stand in the texts of a video, and which stand there beside the token before or behind.
func (x *sentence) stand(video string, texts []string, files map[string]string) {
	words, pairs := map[string]bool{}, map[[2]string]bool{}
	for _, s := range texts {
		before := ""
		for _, t := range scan(s, files) {
			if t.form == quoted {
				continue
			}
			words[t.text], pairs[[2]string{before, t.text}], before = true, true, t.text
		}
	}
	x.general = append(x.general, "video"+video)
	x.stands = make([]string, len(x.tokens))
	for i, t := range x.tokens {
		beside := i > 0 && pairs[[2]string{x.tokens[i-1].text, t.text}] || i+1 < len(x.tokens) && pairs[[2]string{t.text, x.tokens[i+1].text}]
		switch {
		case t.form == quoted:
			if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(t.text)) }) {
				x.stands[i] = "beside"
			}
		case t.form == mark:
		case beside:
			x.stands[i] = "beside"
		case words[t.text] && (t.form != word || len(t.text) >= leastStanding):
			x.stands[i] = "alone"
		}
	}
}

// leastStanding is how long a word is at least that is known to stand in a text where the words beside it do not.
const leastStanding = 3
