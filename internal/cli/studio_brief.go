package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/dataset"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/tui"
)

// The names of the fields of the studio's form. Each is a flag of `koda new`.
const (
	fieldAuthor = "author"
	fieldRecipe = "recipe"
	fieldStyle  = "style"
	fieldPreset = "preset"
	fieldData   = "data"
	fieldAssets = "assets"
)

// New makes a project of what the form holds, by the same way as the flags of `koda new`.
func (s *studioSession) New(ctx context.Context, b tui.Brief) (tui.Standing, error) {
	return s.stood(ctx, "", func() (engine.Outcome, error) {
		if first := s.o.request; first != nil {
			s.o.request = nil
			return s.e.New(ctx, *first)
		}
		o := s.o.new
		o.Name, o.named = "", false
		if err := fill(&o, b); err != nil {
			return engine.Outcome{}, err
		}
		if !o.says() {
			return engine.Outcome{}, usage("say what the video should show, or bring a data file", "the prompt is empty")
		}
		if o.Prompt == "-" || o.Data == "-" { // the standard input is the studio's
			return engine.Outcome{}, usage("say what the video should show; give data as a file", "- is no prompt and no file here")
		}
		r, err := newRequest(ctx, s.a, &o)
		if err != nil {
			return engine.Outcome{}, err
		}
		return s.e.New(ctx, r)
	})
}

// fill fills in the options that the form holds. Files that the prompt names become data or
// assets, and the prompt keeps their names. A name that can only be that of a file is USAGE if there is
// no such file; another one is a word: @anna.
func fill(o *NewOptions, b tui.Brief) (err error) {
	if b.Values != nil {
		one := func(name string) string { return strings.TrimSpace(strings.Join(b.Values[name], ",")) }
		o.Author, o.Recipe, o.Style, o.Data = one(fieldAuthor), one(fieldRecipe), one(fieldStyle), one(fieldData)
		o.Finals.Presets, o.Assets = b.Values[fieldPreset], slices.Clone(b.Values[fieldAssets])
	}
	o.Prompt = mention.ReplaceAllStringFunc(b.Prompt, func(found string) string {
		before, path, _ := strings.Cut(found, "@")
		path = strings.Trim(path, `"`)
		file, rest := path, ""
		if info, err := os.Stat(file); err != nil || info.IsDir() { // a full stop may end the sentence
			file = strings.TrimRight(path, ".,;:!?)")
			rest = path[len(file):]
		}
		if info, statErr := os.Stat(file); statErr != nil || info.IsDir() {
			if err == nil && (strings.Contains(found, `"`) || fileName.MatchString(file)) {
				err = noFile(file)
			}
			return found
		}
		switch {
		case takenBy(file) == fieldData && o.Data == "":
			o.Data = file
		case file != o.Data && !slices.Contains(o.Assets, file):
			o.Assets = append(o.Assets, file)
		}
		return before + filepath.Base(file) + rest
	})
	return err
}

// noFile is the error about a file that a prompt names and that is not there.
func noFile(path string) error {
	what := "does not exist"
	if isDir(path) {
		what = "is a directory"
	}
	return usage("type @ and some letters of the name of a file, or leave out the @", "@%s: %s %s", path, path, what)
}

// mention is a file that a prompt names: @sales.csv, @"my sales.csv".
var mention = regexp.MustCompile(`(?:^|\s)@(?:"[^"\n]+"|[^\s"]\S*)`)

// fileName is what only a file can be called: it has a slash, or an ending of a file, which may go on.
var fileName = regexp.MustCompile(`(?i)/|\.(csv|tsv|ndjson|jsonl?|ya?ml|md|` + pictures + `|avif|` + sounds + `|txt)[^/.]{0,4}$`)

// pictureOrSound is the ending of a file that a project can keep beside its data.
var pictureOrSound = regexp.MustCompile(`(?i)\.(` + pictures + `|` + sounds + `|txt)$`)

// takenBy is the field that takes a file; "" if no field does.
func takenBy(name string) string {
	switch {
	case dataFile.MatchString("x" + filepath.Ext(name)):
		return fieldData
	case pictureOrSound.MatchString(name):
		return fieldAssets
	}
	return ""
}

// Fields are the choices of `koda new` that the form offers.
func (s *studioSession) Fields(context.Context) ([]tui.Field, error) {
	all, err := s.a.deps.Recipes()
	if err != nil {
		return nil, err
	}
	o := s.o.new
	given := func(values ...string) []string {
		return slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
	}
	author, err := s.author()
	if err != nil {
		return nil, err
	}
	fields := []tui.Field{
		author,
		{Name: fieldRecipe, None: "koda chooses", About: "by the words of the prompt", Value: given(o.Recipe)},
		{Name: fieldStyle, None: "koda asks", About: "unless the prompt says it", Own: true, Value: given(o.Style)},
		{Name: fieldPreset, None: "as the prompt says", About: "else 1920 × 1080 at 60 fps", Value: given(o.Finals.Presets...)},
		{Name: fieldData, None: "none", About: "CSV, JSON, YAML, Markdown or .cast to show", Files: 1, Value: given(o.Data)},
		{Name: fieldAssets, None: "none", About: "pictures and sound", Files: 99, Value: given(o.Assets...)},
	}
	fields[1].Options, fields[2].Options = recipeOptions(all)
	for _, p := range preset.All() {
		if p.Kind != koda.RenderFinal || p.Name == preset.Final { // the final is what no choice means
			continue
		}
		opt := tui.Option{Value: p.Name, Label: p.Name, About: p.About + ", " + p.Format}
		if p.Width > 0 {
			opt.Label += " " + strings.Replace(presetSize(p), "x", "×", 1)
			opt.About = presetRate(p) + ", " + opt.About
		}
		fields[3].Options = append(fields[3].Options, opt)
	}
	return fields, nil
}

// author is the field of who thinks the video up: the authors of this build.
func (s *studioSession) author() (tui.Field, error) {
	_, cfg, err := s.a.settings()
	if err != nil {
		return tui.Field{}, err
	}
	set, err := s.a.authorSet(cfg)
	f := tui.Field{Name: fieldAuthor, Value: []string{cmp.Or(s.o.new.Author, set, engine.AuthorRecipe)}}
	about := map[string]string{engine.AuthorRecipe: "koda's recipes: offline, without a key", engine.AuthorModel: "a language model"}
	if m, _, err := s.a.deps.Choose(); err == nil && m.Model != "" {
		about[engine.AuthorModel] = m.String()
	}
	for _, name := range s.a.deps.Offers[fieldAuthor] {
		f.Options = append(f.Options, tui.Option{Value: name, About: about[name]})
	}
	return f, err
}

// recipeOptions are the recipes, and the styles that they have.
func recipeOptions(all []*recipe.Manifest) (recipes, styles []tui.Option) {
	for _, m := range all {
		recipes = append(recipes, tui.Option{Value: m.Name, About: m.About, Example: first(m.Examples), Recipe: m.Name})
		for _, st := range m.Styles {
			if !slices.ContainsFunc(styles, func(o tui.Option) bool { return o.Value == st.ID }) {
				styles = append(styles, tui.Option{Value: st.ID, About: st.Description})
			}
		}
	}
	return recipes, styles
}

// mostFiles bounds the files that the form lists at once.
const mostFiles = 200

// Files lists the files of the directory that the typed path is in, whose names hold what is
// typed after it.
func (s *studioSession) Files(ctx context.Context, typed string) ([]tui.File, error) {
	dir, name := filepath.Split(typed)
	at := s.a.rooted(dir)
	if at != dir {
		dir = at + "/"
	}
	entries, err := os.ReadDir(cmp.Or(at, "."))
	if errors.Is(err, fs.ErrNotExist) || len(entries) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	want := strings.ToLower(name)
	var found [4][]tui.File // files that begin with it, directories, files that hold it, directories
	for _, e := range entries {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		has := strings.ToLower(e.Name())
		if !strings.Contains(has, want) || strings.HasPrefix(has, ".") && !strings.HasPrefix(want, ".") {
			continue
		}
		f := tui.File{Path: dir + e.Name(), Dir: e.IsDir(), Field: takenBy(e.Name())}
		kind := e.Type()
		if kind&fs.ModeSymlink != 0 {
			if info, err := os.Stat(f.Path); err == nil {
				kind = info.Mode()
			}
			f.Dir = kind.IsDir()
		}
		switch {
		case !f.Dir && !kind.IsRegular(): // a link to nothing, a pipe
			continue
		case f.Dir:
			f.Path, f.Field = f.Path+"/", ""
		case f.Field == "":
			continue
		}
		group := 0
		if f.Dir {
			group++
		}
		if !strings.HasPrefix(has, want) {
			group += 2
		}
		found[group] = append(found[group], f)
	}
	all := slices.Concat(found[:]...)
	return all[:min(len(all), mostFiles)], nil
}

// CheckFile reads a file as the project would when it is made.
func (s *studioSession) CheckFile(ctx context.Context, field, path string) error {
	if field != fieldData {
		_, err := s.a.deps.CheckAsset(path)
		return err
	}
	data, err := readData(ctx, path)
	if err == nil {
		_, err = dataset.Read(filepath.Base(path), data)
	}
	return err
}

// Machine says what koda lacks here.
func (s *studioSession) Machine(ctx context.Context) (tui.Machine, error) {
	s.calls.Add(1)
	defer s.calls.Done()
	_, _, err := s.a.settings()
	if err != nil || s.a.deps.Missing == nil {
		return tui.Machine{}, err
	}
	m := tui.Machine{Note: "No model key is needed: the recipes work without one."}
	for _, c := range s.a.deps.Missing(ctx) {
		fix := strings.FieldsFunc(c.Fix, func(r rune) bool { return r == '\n' })
		m.Needs = append(m.Needs, tui.Need{
			Name: c.Name, For: neededFor[c.Name], Why: c.Detail, Fix: fix,
			Runs: !slices.ContainsFunc(fix, func(line string) bool { return !installs.MatchString(line) }),
		})
	}
	return m, ctx.Err()
}

// installs matches the commands of package managers that koda names.
var installs = regexp.MustCompile(`^(sudo )?(apt-get|dnf|pacman|brew) (install|-S) [a-z -]+$`)

// neededFor says what koda needs a program for, by the name of its check.
var neededFor = map[string]string{
	"browser":      "Chromium draws the pictures of the video.",
	"ffmpeg":       "It makes a video of the pictures.",
	"page runtime": "The pages that Chromium draws are built with it.",
}
