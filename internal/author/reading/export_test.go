package reading

import (
	"strings"

	"github.com/koda-video/koda/internal/wish"
)

// SidesOf are the sides of an example: name=figure/line/line.
func SidesOf(e wish.Example) string {
	sides, _ := sidesOf(Brief{Prompt: e.Text, phrases: e.Phrases}, true)
	var out []string
	for _, s := range sides {
		out = append(out, strings.Join(append([]string{s.name + "=" + s.figure}, s.lines...), "/"))
	}
	return strings.Join(out, " ")
}

// ReadExample reads an example as if its recipe and its phrases had been found.
func (r *Reader) ReadExample(e wish.Example) Request {
	b := Brief{Prompt: e.Text, phrases: e.Phrases, ranks: []string{e.Subject}}
	for _, m := range r.manifests {
		if m.Learned != e.Subject && m.Learned != "" {
			b.ranks = append(b.ranks, m.Learned)
		}
	}
	return r.readBrief(b)
}
