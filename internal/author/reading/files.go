package reading

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// file gives a file to the parameter that takes files of its kind.
func (f *filler) file(w wish.Wish) {
	kind := f.read.FileKind(w.Value)
	p := f.m.Param(w.About)
	for i := range f.m.Params {
		if q := &f.m.Params[i]; p == nil && q.Type == recipe.File && slices.Contains(q.Takes, "file") && !f.set[q.Name] && (q.Kind == "" || q.Kind == kind) {
			p = q
		}
	}
	if p != nil {
		f.put(p.Name, f.path(w.Value), w)
	} else if f.dataFile(&w) {
		f.taken[w.Span] = true
		f.files = append(f.files, w.Value)
	}
}

// dataFile reports whether a file holds data, and the recipe takes data.
func (f *filler) dataFile(w *wish.Wish) bool {
	return f.read.FileKind(w.Value) == "data" && (taker(f.m, "rows") != nil || taker(f.m, "list") != nil)
}

// path is where a file that the prompt names lies in the project.
func (f *filler) path(name string) string {
	for _, a := range f.assets {
		if base := path.Base(name); strings.EqualFold(a.Name, base) || strings.EqualFold(path.Base(a.Path), base) {
			return a.Path
		}
	}
	return name
}

// spelled is a brief whose prompt has its line breaks, and names files as they are called in the project: without blanks
// and quotation marks.
func spelled(b Brief) Brief {
	b.Prompt = spaced(broken(b.Prompt))
	b.Prompt, b.arrows = unpointed(b.Prompt)
	for _, a := range b.Assets {
		b.Prompt = strings.ReplaceAll(b.Prompt, `"`+a.Name+`"`, a.Name)
		if strings.ContainsRune(a.Name, ' ') {
			b.Prompt = strings.ReplaceAll(b.Prompt, a.Name, path.Base(a.Path))
		}
	}
	return b
}

var breaks = regexp.MustCompile(`[(\[{=+]\s*("[^"]*"|'[^']*')|\\n`)

// broken is a prompt with the line breaks that a shell leaves as \n: `title "one\ntwo"`. Texts in code keep theirs:
// print("one\n").
func broken(prompt string) string {
	if strings.Contains(prompt, "\n") {
		return prompt
	}
	return breaks.ReplaceAllStringFunc(prompt, func(s string) string {
		if s == `\n` {
			return "\n"
		}
		return s
	})
}

// brought gives pictures that a new video has and no word names to the parameters for pictures that are left: first to the one of
// which a name tells, as that of logo.svg does.
func (f *filler) brought() {
	if f.change {
		return
	}
	if p, text := taker(f.m, "file"), taker(f.m, "text"); p != nil && text != nil && len(f.assets) > 0 { // "then the screenshot" says what is shown, and is no text
		f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool {
			words := strings.Fields(e.Value)
			return e.Param == text.Name && (len(words) == 1 || len(words) == 2) && anyWord(p.Words, func(w string) bool { return strings.EqualFold(w, words[len(words)-1]) })
		})
	}
	for _, named := range []bool{true, false} {
		for _, a := range f.assets {
			used := slices.ContainsFunc(f.edits, func(e Edit) bool { return strings.Contains(e.Value, a.Path) })
			i := slices.IndexFunc(f.m.Params, func(p recipe.Param) bool {
				called := anyWord(p.Words, func(word string) bool { return strings.Contains(strings.ToLower(a.Name), strings.ToLower(word)) })
				called = called || slices.Contains(p.Takes, "file") && f.r.fileOf(f.m, a.Name)
				return p.Type == recipe.File && p.Kind == "image" && !f.set[p.Name] && (called || !named && slices.Contains(p.Takes, "file"))
			})
			if i >= 0 && a.Kind == "image" && !used {
				f.edits, f.set[f.m.Params[i].Name] = append(f.edits, Edit{Param: f.m.Params[i].Name, Value: a.Path}), true
			}
		}
	}
}

// pictures gives all pictures that the prompt names to a parameter that takes files as rows.
func (f *filler) pictures() {
	p := f.free("file")
	if p == nil || p.Type != recipe.Rows {
		return
	}
	label, _ := columns(p)
	if f.change && !f.newPicture(p) {
		return
	}
	var list []map[string]string
	for _, w := range f.wishes {
		if w.Kind == wish.File && f.read.FileKind(w.Value) == "image" {
			row := map[string]string{label: f.path(w.Value)}
			f.caption(p, w, row)
			list = append(list, row)
			f.taken[w.Span] = true
		}
	}
	if len(list) == 0 && !f.change { // none by name: "the 4 pictures in my folder"
		images := slices.DeleteFunc(slices.Clone(f.assets), func(a koda.Asset) bool { return a.Kind != "image" })
		plain := slices.DeleteFunc(slices.Clone(images), func(a koda.Asset) bool { return len(f.r.choosing.Topics(a.Name)) > 0 })
		if len(plain) > 0 { // logo.png is for the logo, where there are others
			images = plain
		}
		for _, a := range images {
			list = append(list, map[string]string{label: a.Path})
		}
	}
	for n, w := range f.wishes { // captions said apart
		if w.Kind != wish.List || len(list) == 0 {
			continue
		}
		for k, item := range w.Items {
			f.captioned(p, list, k, item)
		}
		f.taken[f.wishes[n].Span] = true
		f.shown = append(f.shown, w.Span)
	}
	if len(list) > 0 {
		f.edits = append(f.edits, Edit{Param: p.Name, Value: recipe.Encode(list)})
		f.set[p.Name] = true
	}
}

// newPicture reports whether the text names a picture that the list does not have.
func (f *filler) newPicture(p *recipe.Param) bool {
	var list []json.RawMessage
	return json.Unmarshal([]byte(f.values[p.Name]), &list) == nil && slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.File && index(p, list, w.Value) < 0
	})
}

// captioned gives a caption to the nth picture, if it has none.
func (f *filler) captioned(p *recipe.Param, list []map[string]string, nth int, caption string) {
	label, _ := columns(p)
	i := slices.IndexFunc(p.Columns, func(c recipe.Column) bool { return c.Type == recipe.Text && c.Name != label })
	if i >= 0 && nth < len(list) && list[nth][p.Columns[i].Name] == "" {
		list[nth][p.Columns[i].Name] = caption
	} else {
		f.note("%s is left out: there are no more pictures.", koda.Quote(caption))
	}
}

// caption gives the quotation behind a picture to the second column of texts: a.png "Day one".
func (f *filler) caption(p *recipe.Param, picture wish.Wish, row map[string]string) {
	i := slices.IndexFunc(p.Columns, func(c recipe.Column) bool { return c.Type == recipe.Text && row[c.Name] == "" })
	for _, w := range f.wishes {
		if gap := w.Span.From - picture.Span.To; i >= 0 && w.Kind == wish.Text && w.Quoted && gap >= 0 && gap <= 2 {
			row[p.Columns[i].Name] = w.Value
			f.taken[w.Span] = true
			f.shown = append(f.shown, w.Span)
		}
	}
}
