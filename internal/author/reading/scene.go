package reading

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// sceneTold adds a scene to a sequence that a change tells as a prompt would, where nothing but the scene and its place is told: "add a
// quote "Best tool ever" by Tom before the logo", "at the end bars: May 10, June 20".
func (f *filler) sceneTold(parts []wish.Part) bool {
	p := taker(f.m, "rows")
	if len(f.m.Beats) == 0 || p == nil {
		return false
	}
	said, where, added := f.read.Text(), []wish.Part(nil), false
	text := []byte(said)
	for k, part := range parts {
		switch part.Role {
		case wish.Further, wish.New:
			added = added || part.Role == wish.Further
		case wish.Where:
			if f.read.Into(part.Span) { // "add ties 2 to the bars"
				return false
			}
			part.From = f.read.Leading(part.Span)
			where = append(where, parts[k])
			fallthrough
		case wish.Idle:
			copy(text[part.From:part.To], strings.Repeat(" ", part.To-part.From))
		case wish.Old, wish.Gone, wish.Moved, wish.Holder, wish.Look, wish.Kept:
			return false
		}
	}
	if !added {
		return false
	}
	part, _ := f.r.beat(f.m, f.r.learnedOf(Brief{Prompt: strings.Join(strings.Fields(string(text)), " ")}), false, true, false)
	if part == nil || f.m.Beats[part.m.Name] == nil || !part.named() || len(part.m.Beats) > 0 || slices.Equal(part.m.Fits, []string{"text"}) || missing(part.m, part.set) != "" {
		return false
	}
	list, _ := listIn(p, f.value(p))
	to := "-1"
	if len(where) > 0 {
		to = f.placed(where)
	}
	if name := strings.TrimLeft(to, "<>"); name != to && !f.has(name) {
		return false
	}
	for n, row := range rowsOf(p, f.m.Beats[part.m.Name], part) {
		one, err := json.Marshal(row)
		if err != nil {
			return false
		}
		list = placed(p, list, one, to, n)
	}
	all := wish.Span{To: len(said)}
	f.put(p.Name, recipe.Encode(list), wish.Wish{Span: all})
	f.shown = append(f.shown, all)
	return true
}
