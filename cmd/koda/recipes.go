package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/koda-video/koda/internal/author/offline"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/score"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/templates"
)

// author makes the author without a model, with koda's recipes and those of the person.
func (m *machine) author() (*offline.Author, error) {
	var people []fs.FS
	if m.cfg.RecipePath != "" {
		if _, err := os.ReadDir(m.cfg.RecipePath); err != nil {
			return nil, &koda.Error{Code: koda.CodeUsage, Op: "read the recipes of recipe-path", Err: err, Hint: "--recipe-path, KODA_RECIPE_PATH or koda config set recipe-path names a directory"}
		}
		people = append(people, os.DirFS(m.cfg.RecipePath))
	}
	library, err := recipe.Load(templates.Recipes(), people...)
	if err != nil {
		return nil, err
	}
	a, err := offline.New(library, templates.Words(), score.NewRunner(m.bundler.Score, proc.Self(score.ChildArg)))
	if err == nil {
		a.Letters = m.bundler.Letters
	}
	return a, err
}

// lateAuthor is the author without a model, made when the engine first asks it. So a
// command that only looks reads no recipe, and a mistake in a recipe does not stop it.
type lateAuthor func() (*offline.Author, error)

func (open lateAuthor) Clarify(ctx context.Context, b koda.Brief, rev *koda.Revision, desk tool.Desk) (*koda.Question, error) {
	a, err := open()
	if err != nil {
		return nil, err
	}
	return a.Clarify(ctx, b, rev, desk)
}

func (open lateAuthor) Plan(ctx context.Context, b koda.Brief, ans koda.Answer, rev *koda.Revision, desk tool.Desk) (koda.Plan, error) {
	a, err := open()
	if err != nil {
		return koda.Plan{}, err
	}
	return a.Plan(ctx, b, ans, rev, desk)
}

func (open lateAuthor) Work(ctx context.Context, t koda.Task, desk tool.Desk) error {
	a, err := open()
	if err != nil {
		return err
	}
	return a.Work(ctx, t, desk)
}

func (open lateAuthor) reread(files map[string][]byte) (koda.Plan, error) {
	a, err := open()
	if err != nil {
		return koda.Plan{}, err
	}
	return a.Reread(files)
}

// openAuthor makes the author, for the engine and without it, once for this process.
var openAuthor = sync.OnceValues(func() (*offline.Author, error) {
	m, err := newMachine()
	if err != nil {
		return nil, err
	}
	return m.author()
})

func recipes() ([]*recipe.Manifest, error) {
	a, err := openAuthor()
	if err != nil {
		return nil, err
	}
	return a.Recipes(), nil
}

// lint tries the recipe in a directory of the person.
func lint(ctx context.Context, dir string) (*recipe.Manifest, error) {
	a, err := openAuthor()
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find directory: %w", err)
	}
	if _, err := os.ReadDir(dir); err != nil {
		return nil, &koda.Error{Code: koda.CodeNotFound, Op: "read the recipe", Err: err, Hint: "koda recipes lint DIR takes the folder of a recipe"}
	}
	return a.Lint(ctx, templates.Recipes(), templates.Words(), folder{os.DirFS(filepath.Dir(dir)), filepath.Base(dir)})
}

// folder is a file system whose root shows one folder.
type folder struct {
	fs.FS
	name string
}

func (f folder) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.FS, name)
	if name != "." {
		return entries, err
	}
	for _, e := range entries {
		if e.Name() == f.name {
			return []fs.DirEntry{e}, err
		}
	}
	return nil, err
}

func checkBrief(ctx context.Context, b koda.Brief) (recipe.Wanted, error) {
	if b.Author == engine.AuthorModel {
		if len(b.Params) > 0 {
			return recipe.Wanted{}, &koda.Error{Code: koda.CodeUsage, Op: "--set is for recipes, and a model follows none", Hint: "say it in the prompt, or give --recipe"}
		}
		_, err := budgetOf(b.Models)
		return recipe.Wanted{}, err
	}
	a, err := openAuthor()
	if err != nil {
		return recipe.Wanted{}, err
	}
	return a.Check(ctx, b)
}

// params are the recipe of a project and the values of its parameters.
func params(files fs.FS) (*recipe.Manifest, recipe.Values, error) {
	a, err := openAuthor()
	if err != nil {
		return nil, nil, err
	}
	return a.Params(files)
}

func checkParams(files fs.FS) ([]string, error) {
	a, err := openAuthor()
	if err != nil {
		return nil, err
	}
	return a.CheckParams(files)
}

func checkUpdate(files fs.FS) (recipe.Update, error) {
	a, err := openAuthor()
	if err != nil {
		return recipe.Update{}, err
	}
	return a.CheckUpdate(files)
}

func checkRow(ctx context.Context, files fs.FS, row json.RawMessage, others []string) (json.RawMessage, error) {
	a, err := openAuthor()
	if err != nil {
		return nil, err
	}
	return a.Row(ctx, files, row, others)
}
