package offline

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// Recipes lists the recipes from which new projects are made, by name.
func (a *Author) Recipes() []*recipe.Manifest {
	var list []*recipe.Manifest
	for _, name := range a.library.Names() {
		list = append(list, a.library.Manifest(name))
	}
	return list
}

// Lint tries a recipe that is a folder of a person, the only one in files, beside the
// recipes that there are. It loads the manifest, runs the score in every style at three
// shapes, and reads the examples and the edits. INVALID_INPUT or BUILD_FAILED: the first
// mistake.
func (a *Author) Lint(ctx context.Context, ours, words, files fs.FS) (*recipe.Manifest, error) {
	library, err := recipe.Load(ours, files)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(library.Manifests(), func(m *recipe.Manifest) bool { return !m.Ours() })
	if i < 0 {
		return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: "there is no recipe.json in this folder", Hint: "a recipe is a folder with recipe.json and score.ts"}
	}
	m := library.Manifests()[i]
	b, err := New(library, words, a.scorer)
	if err != nil {
		return nil, err
	}
	for _, style := range m.StyleIDs() {
		for _, env := range []recipe.Env{{FPS: 30, Width: 1920, Height: 1080}, {FPS: 30, Width: 1080, Height: 1920}, {FPS: 30, Width: 1080, Height: 1080}} {
			s, err := b.scored(ctx, m, m.Defaults(style), env)
			if err == nil {
				err = s.Err()
			}
			if err != nil {
				return m, err
			}
		}
	}
	bad := func(format string, args ...any) error {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: m.Name + "/recipe.json: " + fmt.Sprintf(format, args...), Hint: "examples and edits are words that koda understands"}
	}
	for _, prompt := range m.Examples {
		r := b.reader.Read(reading.Brief{Prompt: prompt})
		switch {
		case r.Recipe == nil:
			return m, bad("the example %q fits no recipe", prompt)
		case r.Recipe != m:
			return m, &koda.Error{
				Code: koda.CodeInvalidInput, Op: fmt.Sprintf("%s/recipe.json: the example %q is taken for the recipe %s", m.Name, prompt, r.Recipe.Name),
				Hint: "give the recipe subjects that " + r.Recipe.Name + " does not have, and say one of them in the example",
			}
		case len(r.Left) > 0:
			return m, bad("the example %q has words that are not understood: %s", prompt, strings.Join(r.Left, ", "))
		}
	}
	known := reading.Known{Scenes: func(v recipe.Values) ([]koda.SceneStart, error) {
		s, err := b.scored(ctx, m, v, recipe.Env{FPS: 30, Width: 1920, Height: 1080})
		return s.Starts(), err
	}}
	for _, said := range m.Edits {
		c, err := b.reader.Change(m, m.Defaults(m.Styles[0].ID), known, said)
		if err != nil || !c.Understood {
			return m, bad("the edit %q is not understood", said)
		}
	}
	return m, nil
}
