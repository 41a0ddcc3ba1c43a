package wish

import (
	"slices"
	"strings"
)

// WithoutRemarks is a text with blanks in the place of the words that ask for nothing, as examples taught them: "Lovely! My boss hates
// red, so make it blue" asks for "make it blue". What stands before and behind such words stays apart. All places stay the same. Words
// that are kept, such as the name of what is there, are no remark by themselves.
func (v *Vocabulary) WithoutRemarks(l *Learned, text string, kept func(words string) bool) string {
	x := v.view(text)
	if len(x.tokens) == 0 || len(x.tokens) > longestText {
		return text
	}
	spans, _ := l.Read(x.features())
	out := []byte(text)
	for _, s := range spans {
		from, to := x.tokens[s.From].span.From, x.tokens[s.To-1].span.To
		if kept(strings.Trim(text[from:to], " ,.;:!?")) {
			continue
		}
		for i := from; i < to; i++ {
			out[i] = ' '
		}
		joint := slices.ContainsFunc(x.tokens[s.From:s.To], func(t token) bool { return t.form == mark || t.form == line }) || slices.ContainsFunc(v.of(x.tokens[s.From].text), func(s sense) bool { return s.class == and || s.class == but })
		if said := strings.TrimSpace(text[:from]); joint && said != "" && s.To < len(x.tokens) && !strings.ContainsAny(said[len(said)-1:], ",.;:!?") {
			out[from] = ','
			if strings.ContainsAny(text[from:to], ".!?\n") {
				out[from] = '.'
			}
		}
	}
	return string(out)
}

// FindsRemarks reports whether the remarks of an example are found as they are.
func (v *Vocabulary) FindsRemarks(l *Learned, e Example) bool {
	x := v.view(e.Text)
	want, ok := x.spans(e.Phrases)
	got, _ := l.Read(x.features())
	return ok && slices.Equal(got, want)
}
