package offline

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// understand reads the prompt of a draft with its data. Data that the prompt only names counts
// only where the prompt alone fits no recipe.
func (a *Author) understand(d *draft, recipe string) {
	b := reading.Brief{Prompt: d.brief.Prompt, Recipe: recipe, Assets: d.brief.Assets}
	if d.data == nil {
		d.req = a.reader.Read(b)
		return
	}
	if b.Prompt == d.data.Prompt(d.brief.Recipe) { // nobody said a word
		b.Prompt = "data.csv"
	}
	if d.data.Named {
		if d.req = a.reader.Read(b); d.req.Recipe != nil {
			return
		}
	}
	b.Data = d.data.Shapes()
	d.req = a.reader.Read(b)
	if d.req.Recipe == nil {
		return
	}
	known := []string{d.data.Name, "data.csv", d.req.Recipe.Name}
	for _, words := range d.req.Recipe.Subjects {
		known = append(known, words...)
	}
	d.req.Left = slices.DeleteFunc(d.req.Left, func(words string) bool {
		return slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, words) })
	})
}

// brought leaves out the pictures that the prompt names and that are not there: a page without them does not draw.
func (d *draft) brought() {
	m := d.req.Recipe
	if m == nil {
		return
	}
	gone := func(file string) bool {
		if file == "" || strings.HasPrefix(file, "public/") {
			return false
		}
		note := file + " is left out: there is no such picture. Bring it as @" + file + ", or by --asset " + file + "."
		if !slices.Contains(d.req.Notes, note) {
			d.req.Notes = append(d.req.Notes, note)
		}
		return true
	}
	d.req.Edits = slices.DeleteFunc(d.req.Edits, func(e reading.Edit) bool {
		p := m.Param(e.Param)
		return p != nil && p.Type == recipe.File && p.Kind == "image" && gone(e.Value)
	})
	for i := range d.req.Edits {
		e := &d.req.Edits[i]
		var rows []map[string]json.RawMessage
		p := m.Param(e.Param)
		if p == nil || p.Type != recipe.Rows || json.Unmarshal([]byte(e.Value), &rows) != nil {
			continue
		}
		there := slices.DeleteFunc(slices.Clone(rows), func(row map[string]json.RawMessage) bool {
			return slices.ContainsFunc(p.Columns, func(c recipe.Column) bool {
				var file string
				return c.Type == recipe.File && json.Unmarshal(row[c.Name], &file) == nil && gone(file)
			})
		})
		if len(there) < len(rows) {
			e.Value = recipe.Encode(there)
		}
	}
}

// fill gives the data of the brief to the parameters. Data that the prompt only names, and
// that the recipe does not show, is a note.
func (a *Author) fill(d *draft, f *filled) error {
	if d.data == nil {
		return nil
	}
	m := d.req.Recipe
	values, notes, err := d.data.Fill(m, d.brief.Prompt, a.reader)
	if err != nil && d.data.Named {
		f.notes = append(f.notes, d.data.Name+" lies here, but "+m.Name+" does not show it.")
		return nil
	}
	if err != nil {
		return err
	}
	f.notes = append(f.notes, notes...)
	for name, value := range values {
		p := m.Param(name)
		if f.values[name], err = p.Parse(value, a.reader); err != nil {
			return &koda.Error{Code: koda.CodeUsage, Op: d.data.Name, Err: err, Hint: p.Name + ": " + p.Help}
		}
	}
	if d.req.Missing != "" && values[d.req.Missing] != "" {
		d.req.Missing = ""
	}
	return nil
}

// place writes the files that values name as paths of the project. USAGE: nobody brought the file.
func (a *Author) place(d *draft, v recipe.Values) error {
	gone := a.filed(d.req.Recipe, nil, v, func(name string) string {
		i := slices.IndexFunc(d.brief.Assets, func(a koda.Asset) bool { return a.Name == path.Base(name) || a.Path == name })
		if i < 0 {
			return ""
		}
		return cmp.Or(d.brief.Assets[i].Path, name)
	})
	switch {
	case gone == "":
		return nil
	case d.data != nil:
		return &koda.Error{Code: koda.CodeUsage, Op: d.data.Name + " names " + gone + ", which is not beside it", Hint: "put it there, or bring it by --asset " + gone}
	}
	return &koda.Error{Code: koda.CodeUsage, Op: "there is no file " + gone, Hint: "bring it by --asset " + gone}
}

// filed writes the files that values name, and did not name before, as the paths that a function gives them. It returns the first
// to which the function gives none.
func (a *Author) filed(m *recipe.Manifest, before, v recipe.Values, at func(name string) string) (gone string) {
	named := func(name string) string {
		path := at(name)
		if path == "" && name != "" {
			gone = cmp.Or(gone, name)
		}
		return cmp.Or(path, name)
	}
	for i := range m.Params {
		p := &m.Params[i]
		switch {
		case v[p.Name] == before[p.Name]:
		case p.Type == recipe.File:
			v[p.Name] = named(v[p.Name])
		case p.Type == recipe.Rows:
			v[p.Name] = p.Files(v[p.Name], a.reader, named)
		}
	}
	return gone
}

// inProject is where a picture lies in a project: the path that is named, or among the pictures that were brought; "" if it is not there.
func inProject(name string, there func(path string) bool) string {
	for _, p := range []string{name, "public/images/" + path.Base(name)} {
		if strings.HasPrefix(p, "public/") && there(p) {
			return p
		}
	}
	return ""
}

// noPicture is the error of a picture that a project does not have.
func noPicture(name string) error {
	return &koda.Error{Code: koda.CodeInvalidInput, Op: "the project has no picture " + name, Hint: "put it into public/images of the project, and say it again"}
}
