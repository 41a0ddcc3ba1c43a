package recipe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/koda-video/koda/internal/koda"
)

// The files of a project that come from a recipe.
const (
	ManifestPath = "src/recipe/recipe.json" // in a project
	ScorePath    = "src/recipe/score.ts"
)

// Library is a set of recipes, read from a file system. It is safe for concurrent use.
type Library struct {
	files     fs.FS
	manifests []*Manifest
	bases     map[string]Base
}

// Load reads every recipe of a file system: each folder at its root with a recipe.json.
// The error names the file and the place of the first mistake.
func Load(files fs.FS) (*Library, error) {
	l := &Library{files: files, bases: map[string]Base{}}
	folders, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, fmt.Errorf("list recipes: %w", err)
	}
	for _, f := range folders {
		data, err := fs.ReadFile(files, path.Join(f.Name(), "recipe.json"))
		if errors.Is(err, fs.ErrNotExist) || !f.IsDir() {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read recipe: %w", err)
		}
		m, err := l.manifest(f.Name(), data)
		if err != nil {
			return nil, err
		}
		l.manifests = append(l.manifests, m)
	}
	slices.SortStableFunc(l.manifests, func(a, b *Manifest) int { return b.Rank - a.Rank })
	return l, nil
}

func (l *Library) manifest(folder string, data []byte) (*Manifest, error) {
	bad := func(err error) error {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "read " + folder + "/recipe.json", Err: err, Hint: "koda recipes lint " + folder}
	}
	m := &Manifest{}
	if err := strictly(data, m); err != nil {
		return nil, bad(err)
	}
	base, err := l.base(m.Base)
	if err != nil {
		return nil, bad(err)
	}
	m.own = len(m.Params)
	for _, p := range base.Params {
		if m.Param(p.Name) == nil {
			m.Params = append(m.Params, p)
		}
	}
	m.Styles, m.RowsMove, m.Means = base.Styles, base.RowsMove, append(m.Means, base.Means...)
	if m.source, err = carried(m); err != nil {
		return nil, bad(err)
	}
	if err := m.check(); err != nil {
		return nil, bad(err)
	}
	if m.Name != folder {
		return nil, bad(fmt.Errorf("its name is %q, not that of its folder", m.Name))
	}
	return m, nil
}

func (l *Library) base(name string) (Base, error) {
	if b, ok := l.bases[name]; ok {
		return b, nil
	}
	if !plainName.MatchString(name) {
		return Base{}, fmt.Errorf("base is %q: it is the name of a folder", name)
	}
	data, err := fs.ReadFile(l.files, path.Join(name, "base.json"))
	if err != nil {
		return Base{}, fmt.Errorf("base %q has no base.json", name)
	}
	var b Base
	if err := strictly(data, &b); err != nil {
		return Base{}, fmt.Errorf("%s/base.json: %w", name, err)
	}
	l.bases[name] = b
	return b, nil
}

// strictly decodes JSON and refuses members that it does not know.
func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n")), err)
		}
		return err
	}
	return nil
}

// project is a manifest as a project carries it.
type project struct {
	*Manifest
	Styles []Style `json:"styles"`
}

func carried(m *Manifest) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(project{m, m.Styles})
	return b.Bytes(), err
}

// Parse reads the manifest that a project carries. The error names the mistake.
func Parse(data []byte) (*Manifest, error) {
	p := project{Manifest: &Manifest{}}
	if err := strictly(data, &p); err != nil {
		return nil, err
	}
	p.Manifest.Styles, p.own, p.source = p.Styles, len(p.Params), data
	return p.Manifest, p.check()
}

// Manifests lists the recipes, those with the highest rank first.
func (l *Library) Manifests() []*Manifest { return l.manifests }

// Manifest finds a recipe by name; nil if there is none.
func (l *Library) Manifest(name string) *Manifest {
	if i := slices.IndexFunc(l.manifests, func(m *Manifest) bool { return m.Name == name }); i >= 0 {
		return l.manifests[i]
	}
	return nil
}

// Names lists the recipes from which new projects are made.
func (l *Library) Names() []string {
	var names []string
	for _, m := range l.manifests {
		if !m.Retired {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Files is the code of a recipe by path from a project's root, to be laid over the
// starter's files: the base's page code, the recipe's own, its manifest and its score.
func (l *Library) Files(m *Manifest) (map[string]string, error) {
	code := map[string]string{}
	for _, dir := range []string{m.Base, m.Name} {
		err := fs.WalkDir(l.files, path.Join(dir, "src"), func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(l.files, name)
			code[strings.TrimPrefix(name, dir+"/")] = string(data)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read the recipe %s: %w", m.Name, err)
		}
	}
	entries, err := fs.ReadDir(l.files, m.Name)
	if err != nil {
		return nil, fmt.Errorf("read the recipe %s: %w", m.Name, err)
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".ts" {
			continue
		}
		data, err := fs.ReadFile(l.files, path.Join(m.Name, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read the recipe %s: %w", m.Name, err)
		}
		code["src/recipe/"+e.Name()] = string(data)
	}
	code[ManifestPath] = string(m.source)
	return code, nil
}

// FS is files by path as a file system.
func FS(files map[string]string) fs.FS {
	m := make(fstest.MapFS, len(files)) // MapFS serves outside of tests, too
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return m
}

var plainName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,39}$`)
var paramName = regexp.MustCompile(`^[a-z][A-Za-z0-9]{0,39}$`)

// check finds the first mistake of a manifest.
func (m *Manifest) check() error {
	switch {
	case m.Schema != 1:
		return fmt.Errorf("schema is %d, and this koda reads 1", m.Schema)
	case !plainName.MatchString(m.Name):
		return fmt.Errorf("name is %q: it has lower-case letters, digits and hyphens", m.Name)
	case m.Title == "" || m.About == "":
		return errors.New("title and about must say something")
	case len(m.Examples) == 0 && !m.Retired:
		return errors.New("examples must hold a prompt")
	}
	for _, f := range m.Fits {
		if !slices.Contains(Shapes(), f) {
			return unknown("fits", f, Shapes())
		}
	}
	seen := map[string]bool{}
	for i := range m.Params {
		p := &m.Params[i]
		if seen[p.Name] {
			return fmt.Errorf("there are two parameters %q", p.Name)
		}
		seen[p.Name] = true
		if err := p.check(m.StyleIDs()); err != nil {
			return fmt.Errorf("parameter %q: %w", p.Name, err)
		}
	}
	for _, needed := range []string{"style", "duration"} {
		if !seen[needed] {
			return fmt.Errorf("there is no parameter %q", needed)
		}
	}
	return m.checkMeanings()
}

func (m *Manifest) checkMeanings() error {
	for _, meaning := range m.Means {
		for name, value := range meaning.Set {
			p := m.Param(name)
			if p == nil {
				return unknown("means", name, m.ParamNames())
			}
			if _, err := p.Parse(value, hexOnly{}); err != nil {
				return fmt.Errorf("means: %w", err)
			}
		}
	}
	for style, factors := range m.Further {
		if !slices.Contains(m.StyleIDs(), style) {
			return unknown("further", style, m.StyleIDs())
		}
		for name := range factors {
			if m.Param(name) == nil {
				return unknown("further", name, m.ParamNames())
			}
		}
	}
	return nil
}

func unknown(what, name string, all []string) error {
	if near := koda.Nearest(name, all); near != "" {
		return fmt.Errorf("%s has %q; did you mean %s?", what, name, near)
	}
	return fmt.Errorf("%s has %q; there are %s", what, name, strings.Join(all, ", "))
}

func (p *Param) check(styles []string) error {
	types := []Type{Number, Integer, Color, Choice, Text, Texts, Rows, File, Flag}
	switch {
	case !paramName.MatchString(p.Name):
		return errors.New("a name has letters and digits")
	case !slices.Contains(types, p.Type):
		return fmt.Errorf("type is %q; there are %v", p.Type, types)
	case p.Help == "":
		return errors.New("help must say something")
	case p.Min != nil && p.Max != nil && *p.Min > *p.Max:
		return errors.New("min lies above max")
	case p.Type == Choice && len(p.Choices) == 0:
		return errors.New("a choice needs choices")
	case p.Type == Rows && len(p.Columns) == 0:
		return errors.New("rows need columns")
	}
	for _, t := range p.Takes {
		if !slices.Contains(Takes(), t) {
			return unknown("takes", t, Takes())
		}
	}
	for style := range p.Default.byStyle {
		if !slices.Contains(styles, style) {
			return unknown("default", style, styles)
		}
	}
	for _, style := range styles {
		v := p.Default.For(style)
		if v == "" && (p.Type == Text || p.Type == File || p.Type == Texts || p.Type == Rows) {
			continue
		}
		if _, err := p.Parse(v, hexOnly{}); err != nil {
			return fmt.Errorf("its default: %w", err)
		}
	}
	return nil
}

// hexOnly reads the colours of manifests.
type hexOnly struct{}

var hexColour = regexp.MustCompile(`^#[0-9a-f]{6}$`)

func (hexOnly) Colour(s string) (string, bool) { return s, hexColour.MatchString(s) }
func (hexOnly) Names() []string                { return nil }
