package reading

import (
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// lastLonger makes the whole longer where the end is to stay longer, and no scene has a length of its own.
func lastLonger(m *recipe.Manifest, edits []Edit) {
	timed := slices.ContainsFunc(m.Params, func(p recipe.Param) bool {
		return slices.ContainsFunc(p.Columns, func(c recipe.Column) bool { return c.Name == secondsColumn })
	})
	for i := range edits {
		e := &edits[i]
		longer := e.op == times && e.by > 1 || e.op == plus && e.by > 0
		if e.Param == durationParam && longer && !timed && len(e.in) == 1 && e.in[0].Number == -1 {
			e.in = nil
		}
	}
}

// forATime drops all that a clause asks for where it is for a part of the time alone, and tells so: "red for the last 10 seconds".
func (f *filler) forATime(parts []wish.Part) {
	for _, w := range f.wishes {
		if !w.Partial() {
			continue
		}
		all := f.read.Clauses()
		clause := all[slices.IndexFunc(all, w.Span.Overlaps)]
		f.wishes = slices.DeleteFunc(f.wishes, func(o wish.Wish) bool { return o.Span.Overlaps(clause) })
		for k := range parts {
			if parts[k].Overlaps(clause) {
				parts[k].Role = wish.Idle
			}
		}
		f.shown = append(f.shown, clause)
		f.note("Nothing can differ for a part of the time: %s is not done.", koda.Quote(strings.TrimSpace(f.read.Said(clause))))
		return
	}
}

// itemLasts tells that one item alone has no length, where a change gives it one: "the before part for 3 seconds".
func (f *filler) itemLasts(h wish.Part, item string, w wish.Wish) bool {
	if w.Kind != wish.Length || w.Each() || h.Role != wish.Holder || !f.has(item) || len(f.m.Beats) > 0 {
		return false
	}
	f.note("%s is possible for everything together, not for %s alone.", capital(koda.Quote(f.read.Said(w.Span))), koda.Quote(h.Said))
	f.shown = append(f.shown, w.Span)
	return true
}
