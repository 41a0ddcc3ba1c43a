package recipe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

// Library is a set of recipes. It is safe for concurrent use.
type Library struct {
	manifests []*Manifest
}

// Load reads every recipe of some file systems: each folder at a root with a
// recipe.json. The first file system is koda's own; the others are of people, and their
// scores run with limits. A recipe stands on a base of its own file system or of koda's.
// INVALID_INPUT: a recipe has a mistake, or two have one name; the error names the file
// and the first mistake.
func Load(koda fs.FS, people ...fs.FS) (*Library, error) {
	l := &Library{}
	if err := l.read(koda, koda); err != nil {
		return nil, err
	}
	for _, m := range l.manifests {
		m.ours = true
	}
	for _, files := range people {
		if err := l.read(files, koda); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(l.manifests, func(a, b *Manifest) int { return b.Rank - a.Rank })
	return l, nil
}

// read adds the recipes of a file system.
func (l *Library) read(files, ours fs.FS) error {
	folders, err := fs.ReadDir(files, ".")
	if err != nil {
		return fmt.Errorf("list recipes: %w", err)
	}
	for _, f := range folders {
		data, err := fs.ReadFile(files, path.Join(f.Name(), "recipe.json"))
		if errors.Is(err, fs.ErrNotExist) || !f.IsDir() {
			continue
		}
		if err != nil {
			return fmt.Errorf("read recipe: %w", err)
		}
		m, err := readManifest(files, ours, f.Name(), data)
		if err != nil {
			return err
		}
		if l.Manifest(m.Name) != nil {
			return &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("there are two recipes %q", m.Name), Hint: "rename the folder and the name in its recipe.json"}
		}
		l.manifests = append(l.manifests, m)
	}
	return nil
}

func readManifest(files, ours fs.FS, folder string, data []byte) (*Manifest, error) {
	bad := func(err error) error {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "read " + folder + "/recipe.json", Err: err, Hint: "koda recipes lint " + folder}
	}
	m := &Manifest{files: files, under: files}
	if err := strictly(data, m); err != nil {
		return nil, bad(err)
	}
	if _, err := fs.Stat(files, path.Join(m.Base, "base.json")); err != nil {
		m.under = ours
	}
	base, err := readBase(m.under, m.Base)
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
	if m.Further == nil {
		m.Further = base.Further
	}
	if err := m.check(); err != nil {
		return nil, bad(err)
	}
	if m.Name != folder {
		return nil, bad(fmt.Errorf("its name is %q, not that of its folder", m.Name))
	}
	return m, nil
}

func readBase(files fs.FS, name string) (Base, error) {
	if !plainName.MatchString(name) {
		return Base{}, fmt.Errorf("base is %q: it is the name of a folder", name)
	}
	data, err := fs.ReadFile(files, path.Join(name, "base.json"))
	if err != nil {
		return Base{}, fmt.Errorf("base %q has no base.json", name)
	}
	var b Base
	if err := strictly(data, &b); err != nil {
		return Base{}, fmt.Errorf("%s/base.json: %w", name, err)
	}
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
	// Code is the digest of the score, see [Manifest.Digest]; without it a person has
	// changed the score.
	Code string `json:"code,omitempty"`
	// Files are the digests of the code as koda wrote it, by path.
	Files map[string]string `json:"files,omitempty"`
}

// Source is the manifest as a project carries it in src/recipe/recipe.json: with the
// parameters and the styles of its base, and with the digests of its score and of each
// file. Edited leaves the digest of the score out: a person changed the score.
func (m *Manifest) Source(edited bool) string {
	p := project{Manifest: m, Styles: m.Styles}
	if p.Files = m.written; m.files != nil {
		p.Code, p.Files = m.digests()
	}
	if edited {
		p.Code = ""
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(p); err != nil {
		panic("recipe: encode a manifest: " + err.Error()) // it was read from JSON
	}
	return b.String()
}

// digests are the digest of the files that a score may be made of, and that of each file
// of the code. A JSON file is a person's own, and has none.
func (m *Manifest) digests() (score string, each map[string]string) {
	files, err := m.layers()
	if err != nil {
		return "", nil
	}
	each = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if OfScore(name) {
			score += name + "\x00" + files[name] + "\x00"
		}
		if path.Ext(name) != ".json" {
			each[name] = Digest(files[name])
		}
	}
	return Digest(score), each
}

// Written are the digests of the code that koda wrote into the project that carries the
// manifest, by path; see [Digest]. It is nil in a project of a koda that noted none.
func (m *Manifest) Written() map[string]string { return m.written }

// OfScore reports whether a file of a project can be part of its score: code that
// imports no page.
func OfScore(name string) bool {
	for _, page := range []string{"src/theatre/", "src/components/", "src/scenes/", "src/koda/"} {
		if strings.HasPrefix(name, page) {
			return false
		}
	}
	return path.Ext(name) == ".ts"
}

// Parse reads the manifest that a project carries. The error names the mistake.
func Parse(data []byte) (*Manifest, error) {
	p := project{Manifest: &Manifest{}}
	if err := strictly(data, &p); err != nil {
		return nil, err
	}
	p.Manifest.Styles, p.own, p.written = p.Styles, len(p.Params), p.Files
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
func (m *Manifest) Files() (map[string]string, error) {
	code, err := m.layers()
	if err == nil {
		code[ManifestPath] = m.Source(false)
	}
	return code, err
}

// stillFile is the picture of a recipe, in its folder: a JPEG of a frame.
const stillFile = "still.jpg"

// Still is a JPEG of a frame that the recipe draws; nil if it has none.
func (m *Manifest) Still() []byte {
	data, err := fs.ReadFile(m.files, path.Join(m.Name, stillFile))
	if err != nil {
		return nil
	}
	return data
}

// layers is the code of the base and of the recipe.
func (m *Manifest) layers() (map[string]string, error) {
	code := map[string]string{}
	for _, layer := range []struct {
		files fs.FS
		dir   string
	}{{m.under, m.Base}, {m.files, m.Name}} {
		err := fs.WalkDir(layer.files, path.Join(layer.dir, "src"), func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(layer.files, name)
			code[strings.TrimPrefix(name, layer.dir+"/")] = string(data)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("read the recipe %s: %w", m.Name, err)
		}
	}
	entries, err := fs.ReadDir(m.files, m.Name)
	if err != nil {
		return nil, fmt.Errorf("read the recipe %s: %w", m.Name, err)
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".ts" {
			continue
		}
		data, err := fs.ReadFile(m.files, path.Join(m.Name, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read the recipe %s: %w", m.Name, err)
		}
		code["src/recipe/"+e.Name()] = string(data)
	}
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
		for name := range meaning.Pick {
			if p := m.Param(name); p == nil || p.Type != Rows {
				return fmt.Errorf("means: pick %s: it is no parameter of rows", name)
			}
		}
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
	for _, columns := range m.Beats {
		for name := range columns {
			if !slices.ContainsFunc(m.Params, func(p Param) bool {
				return slices.ContainsFunc(p.Columns, func(c Column) bool { return c.Name == strings.TrimPrefix(name, NextScene) })
			}) {
				return fmt.Errorf("beats: there is no column %q", name)
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
	types := []Type{Number, Integer, Color, Choice, Text, Texts, Rows, File, Flag, Sign}
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
	for _, b := range p.Broad {
		if ids := p.Choices.IDs(); !slices.Contains(ids, b) {
			return unknown("broad", b, ids)
		}
	}
	for style := range p.Default.byStyle {
		if !slices.Contains(styles, style) {
			return unknown("default", style, styles)
		}
	}
	for _, style := range styles {
		v := p.Default.For(style)
		if v == "" && (p.Type == Text || p.Type == Sign || p.Type == File || p.Type == Texts || p.Type == Rows) {
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
