package reading

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// Change is what a text wants to be different about parameters that exist.
type Change struct {
	Values recipe.Values // after the change
	Edits  []Edit
	Styles []string
	Notes  []string // sentences: what cannot be, and what was understood otherwise than said
	Left   []string // words that nobody understood, in order
	Undo   bool     // the text asks for what was before
	// Understood says that some wish was understood, even if it changes nothing.
	Understood bool
	// Refused is a sentence if all that was understood is impossible: a single scene cannot have it.
	Refused string
}

// Change reads what a person wants to be different, and applies it. Errors are those of Apply.
func (r *Reader) Change(m *recipe.Manifest, v recipe.Values, known Known, said string) (Change, error) {
	there, _ := known.scenes(v) //nolint:errcheck // values that make no video, such as a text still to come, have no scenes
	read := r.of(m, present(m, v, there.list)...).Read(said)
	f := &filler{r: r, m: m, read: read, set: map[string]bool{}, change: true, values: v}
	f.fill()
	f.lists(v)
	c := Change{Edits: f.edits, Styles: f.styles, Notes: f.notes}
	for _, w := range f.wishes {
		c.Undo = c.Undo || w.Kind == wish.Undo
	}
	start := v
	if n := len(f.styles); n > 0 && f.styles[n-1] != v[styleParam] {
		start = m.Restyle(v, f.styles[n-1])
	}
	for i := range c.Edits { // "snappier" for what is snappy already
		e := &c.Edits[i]
		if e.Param == styleParam && e.op == further && e.Value != v[styleParam] {
			e.Value = ""
		}
		if p := m.Param(e.Param); p != nil && p.Type == recipe.Choice && p.Auto && e.op == assign && e.in == nil && e.Value == start[styleParam] && m.Further[e.Value] != nil {
			e.op = further
		}
	}
	next, notes, err := r.Apply(m, start, c.Edits, known)
	if err != nil {
		return Change{}, err
	}
	c.Values, c.Notes = next, append(c.Notes, notes...)
	c.Left = f.left()
	c.Understood = len(c.Edits)+len(c.Styles) > 0 || c.Undo
	for _, e := range c.Edits {
		if p := m.Param(e.Param); e.in != nil && p != nil && !p.Scene && len(c.Edits) == len(notes) {
			c.Refused = wholeOnly(e.Param)
		}
	}
	return c, nil
}

// present are the words of what exists: the items of lists, and the titles of scenes.
func present(m *recipe.Manifest, v recipe.Values, scenes []koda.SceneStart) []wish.Term {
	var out []wish.Term
	for i := range m.Params {
		p := &m.Params[i]
		if p.Type == recipe.Text { // "Anna should be Ben"
			for _, s := range strings.FieldsFunc(v[p.Name], func(r rune) bool { return !unicode.IsLetter(r) }) {
				if c, _ := utf8.DecodeRuneInString(s); unicode.IsUpper(c) && len(s) > 2 {
					out = append(out, wish.Term{Role: wish.Label, About: p.Name, Type: wish.OfText, Value: s, Words: map[string][]string{"": {s}}})
				}
			}
		}
		if p.Type != recipe.Texts && p.Type != recipe.Rows {
			continue
		}
		var list []json.RawMessage
		if json.Unmarshal([]byte(v[p.Name]), &list) != nil {
			continue
		}
		for _, item := range list {
			s := text(p, item)
			out = append(out, wish.Term{Role: wish.Label, About: p.Name, Type: wish.OfList, Value: s, Words: map[string][]string{"": {s}}})
		}
	}
	if len(scenes) < 2 { // there the word means what is shown
		return out
	}
	seen := map[string]bool{}
	for _, s := range scenes {
		low := strings.ToLower(strings.TrimSpace(s.Title))
		words := []string{low, strings.TrimPrefix(low, "the ")}
		if head, nth, ok := strings.Cut(low, " "); ok && whole(nth) > 0 { // "loop" means Loop 1, Loop 2, …
			words = append(words, head)
		}
		for _, w := range words {
			if name := strings.TrimSpace(w); name != "" && !seen[name] {
				seen[name] = true
				value := low
				if name != strings.TrimPrefix(low, "the ") {
					value = name
				}
				out = append(out, wish.Term{Role: wish.Stage, Value: value, Words: map[string][]string{"": {name}}})
			}
		}
	}
	return out
}

// lists turns wishes about items and texts that exist into edits.
func (f *filler) lists(v recipe.Values) {
	for i := range f.wishes {
		w := &f.wishes[i]
		switch w.Kind {
		case wish.Other:
			p := f.m.Param(w.About)
			for k := range f.m.Params {
				if q := &f.m.Params[k]; p == nil && q.Type == recipe.Color && q.Name != backgroundParam && len(q.Takes) > 0 {
					p = q
				}
			}
			if p != nil {
				f.taken[w.Span] = true
				f.edits = append(f.edits, Edit{Param: p.Name, Value: v[p.Name], op: denied, said: f.read.Said(w.Span), in: w.Scenes})
			}
		case wish.Rows, wish.Add, wish.Remove, wish.Swap, wish.Move, wish.Replace:
			if f.taken[w.Span] || f.inText(w.Span) {
				continue
			}
			if p := f.listOf(w, v); p != nil {
				f.taken[w.Span] = true
				f.shown = append(f.shown, w.Span)
				f.edits = append(f.edits, Edit{Param: p.Name, op: listed, said: f.read.Said(w.Span), list: w})
			} else if w.Kind == wish.Replace || w.Kind == wish.Remove && len(w.Items) > 0 {
				f.within(w, v)
			}
		}
	}
}

// listOf is the list that a wish is about: the one that has the item, or the first.
func (f *filler) listOf(w *wish.Wish, v recipe.Values) *recipe.Param {
	var any *recipe.Param
	named := append(append([]string{}, w.Items...), w.From)
	for _, row := range w.Rows {
		named = append(named, row.Label)
	}
	for i := range f.m.Params {
		p := &f.m.Params[i]
		var list []json.RawMessage
		if p.Type != recipe.Texts && p.Type != recipe.Rows || json.Unmarshal([]byte(v[p.Name]), &list) != nil {
			continue
		}
		if any == nil && w.Kind == wish.Add {
			any = p
		}
		for _, s := range named {
			if s != "" && index(p, list, s) >= 0 {
				return p
			}
		}
	}
	return any
}

// within replaces or removes words inside of a text that is shown.
func (f *filler) within(w *wish.Wish, v recipe.Values) {
	from := w.From
	if w.Kind == wish.Remove {
		from = w.Items[0]
	}
	for i := range f.m.Params {
		p := &f.m.Params[i]
		if p.Type != recipe.Text || from == "" {
			continue
		}
		low, part := strings.ToLower(v[p.Name]), strings.ToLower(from)
		at := strings.Index(low, part)
		if at < 0 || len(low) != len(v[p.Name]) {
			continue
		}
		f.put(p.Name, strings.TrimSpace(v[p.Name][:at]+w.To+v[p.Name][at+len(part):]), *w)
		f.shown = append(f.shown, w.Span)
		return
	}
}
