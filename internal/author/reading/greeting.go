package reading

import (
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// greeting shows a greeting as the prompt writes it, where the prompt begins with the greeting and says whom it goes to: "congratulations to
// Mia and Tom on their wedding" is not "Happy wedding day, Mia and Tom!".
func (f *filler) greeting() {
	whom, text := taker(f.m, "whom"), taker(f.m, "text")
	if whom == nil || text == nil || f.set[text.Name] || f.assigned(whom.Name) == nil {
		return
	}
	to := f.assigned(whom.Name).Value
	at := slices.IndexFunc(f.wishes, func(w wish.Wish) bool {
		p := f.m.Param(w.About)
		return w.Kind == wish.Choice && w.Span.From == 0 && p != nil && p.Type == recipe.Choice && len(p.Broad) > 0
	})
	if at < 0 {
		return
	}
	w := f.wishes[at]
	var others []wish.Span
	for _, o := range f.wishes {
		if o.Kind == wish.Number || f.subject(f.read.Said(w.Span)) { // "to Sam who turns 8", "thank you card to"
			return
		}
		if o.About != w.About && o.About != styleParam && o.Kind != wish.Subject && o.Kind != wish.Remark && !strings.Contains(f.read.Said(o.Span), to) {
			others = append(others, o.Span)
		}
	}
	said, ok := f.read.Addressed(w.Span, others)
	if !ok {
		return
	}
	f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool { return e.Param == whom.Name || e.Param == w.About })
	f.put(w.About, w.Value, w)
	for _, o := range f.wishes { // the "fun run" is no style
		if o.About == styleParam && o.Span.In(said) {
			f.styles = slices.DeleteFunc(f.styles, func(id string) bool { return id == o.Value })
		}
	}
	f.put(text.Name, f.read.Said(said), wish.Wish{Span: said})
	f.shown = append(f.shown, said)
}
