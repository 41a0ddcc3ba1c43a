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
