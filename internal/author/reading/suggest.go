package reading

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/koda-video/koda/internal/recipe"
)

// mostSuggested is how many changes are suggested.
const mostSuggested = 4

// Suggest lists changes that fit a video, in words that Change understands: at most four, those of its data and
// texts first.
func (r *Reader) Suggest(m *recipe.Manifest, v recipe.Values) []string {
	var out []string
	n := len(m.Edits)
	for k := range min(n, mostSuggested) { // some of each kind
		out = append(out, m.Edits[k*n/min(n, mostSuggested)])
	}
	if n > 0 {
		return out
	}
	for p, list := range lists(m, v) {
		if len(list) < 2 || len(out) > 0 {
			continue
		}
		last := list[len(list)-1]
		if n := number(p, last); n != 0 {
			out = append(out, fmt.Sprintf("%s %s", text(p, last), recipe.Trim(n*2)))
		}
		out = append(out, "remove "+text(p, list[0]))
	}
	for i := range m.Params {
		if p := &m.Params[i]; p.Type == recipe.Text && shows(p) && v[p.Name] != "" && len(out) < mostSuggested-1 {
			out = append(out, fmt.Sprintf("the %s should be %s", Spoken(p), strconv.Quote("New words")))
			break
		}
	}
	if p := m.Param(backgroundParam); p != nil {
		out = append(out, "navy "+Spoken(p))
	}
	for _, s := range m.Styles {
		if s.ID != v[styleParam] && len(s.Words[english]) > 0 {
			out = append(out, s.Words[english][0])
			break
		}
	}
	return append(out, "8 seconds")[:min(len(out)+1, mostSuggested)]
}

// shows reports whether a parameter holds words that are shown, rather than a time or a language.
func shows(p *recipe.Param) bool {
	return slices.ContainsFunc(p.Takes, func(t string) bool {
		return slices.Contains([]string{"text", "subtitle", "author", "action", "whom"}, t)
	})
}

// english is the language of what koda says.
const english = "en"

// Spoken is the name by which people mean a parameter.
func Spoken(p *recipe.Param) string {
	if words := p.Words[english]; len(words) > 0 {
		return words[0]
	}
	return p.Name
}
