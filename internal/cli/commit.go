package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// Commit is a directory of koda's own with the files of a commit.
type Commit struct {
	Dir      string   `json:"dir"`    // absolute
	Name     string   `json:"commit"` // full name
	Commits  []string `json:"-"`      // that led to it, the latest first
	New      bool     `json:"-"`      // the directory was made now
	Links    []string `json:"links,omitempty"`
	Pointers []string `json:"pointers,omitempty"`
}

// About says which project a command is about, and in which state of it.
type About struct {
	Project string
	Ref     string // a commit; "": the project as it is
}

func (o *About) flags(a *app, c *cobra.Command) {
	f := c.Flags()
	f.StringVarP(&o.Project, "project", "p", "", "`PROJECT`: name, id or directory (default: that of the working directory)")
	f.StringVar(&o.Ref, "ref", "", "work on a `COMMIT` of the project's git repository, which stays as it is")
	_ = c.RegisterFlagCompletionFunc("project", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) { //nolint:errcheck // the flag is there
		return a.completeProjects(c, nil, word)
	})
}

// at finds the project, or that of koda's own copy of the commit; copied is nil without a commit.
func (a *app) at(ctx context.Context, e Engine, o About) (p koda.Project, copied *Commit, err error) {
	if o.Ref == "" {
		p, err = a.findOrTakeUp(ctx, e, o.Project)
		if koda.CodeOf(err) == koda.CodeNotFound && o.Project == "" {
			err = &koda.Error{Code: koda.CodeNotFound, Err: err, Hint: "name one by -p; `koda list` shows them"}
		}
		return p, nil, err
	}
	dir, err := placeOf(ctx, e, o.Project)
	if err != nil {
		return p, nil, err
	}
	c, err := a.deps.Commit(ctx, dir, o.Ref)
	if err != nil {
		return p, nil, err
	}
	a.tellCopy(c)
	if p, err = e.Find(ctx, c.Dir); koda.CodeOf(err) != koda.CodeNotFound {
		if err == nil {
			_, err = e.Checkout(ctx, p.ID, 1) // what was changed in the copy before stays a version of it
		}
		if koda.CodeOf(err) == koda.CodeWrongPhase { // its first preview is not drawn yet
			err = nil
		}
		return p, &c, err
	}
	models, keyFrom, err := a.deps.Choose()
	if err != nil {
		return p, &c, err
	}
	if models.Model == "" || keyFrom != "" {
		p, err = e.TakeUp(ctx, c.Dir)
	} else {
		p, err = e.TakeUpBy(ctx, c.Dir, models)
	}
	if koda.CodeOf(err) == koda.CodeNotFound {
		err = &koda.Error{Code: koda.CodeNotFound, Err: err, Hint: "a model goes on with any page: add --model PROVIDER/NAME; `koda models` lists them"}
	}
	return p, &c, err
}

// tellCopy says what a commit has that koda's copy of it lacks.
func (a *app) tellCopy(c Commit) {
	for _, left := range []struct {
		paths []string
		what  string
	}{{c.Links, "left out, because it is a link"}, {c.Pointers, "only a pointer of Git LFS: its content is not in the commit"}} {
		for i, path := range left.paths {
			if i == 5 {
				a.warn(fmt.Sprintf("and %d more files are %s", len(left.paths)-i, strings.Replace(left.what, "it is a link", "they are links", 1)))
				break
			}
			a.warn(path + " is " + left.what)
		}
	}
}

// placeOf is the directory of the person that a project is in. In a repository it need not
// be known to koda.
func placeOf(ctx context.Context, e Engine, ref string) (string, error) {
	if ref != "" && !isDir(ref) {
		p, err := e.Find(ctx, ref)
		return p.Dir, err
	}
	dir, err := filepath.Abs(cmp.Or(ref, "."))
	if err != nil {
		return "", fmt.Errorf("find directory: %w", err)
	}
	for at := dir; ref == ""; at = filepath.Dir(at) {
		if exists(filepath.Join(at, "koda.json")) {
			return at, nil
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || at == filepath.Dir(at) {
			break
		}
	}
	return dir, nil
}

// needModel makes sure that a question has a model to answer it, before anything is done.
func (a *app) needModel(m koda.Models) error {
	if a.model+a.planner+a.baseURL != "" {
		m = koda.Models{} // that of the command line
	}
	_, err := a.deps.Budget(m)
	if err == nil || m.Model != "" || a.model != "" {
		return err
	}
	if named, keyFrom, chosen := a.deps.Choose(); chosen == nil && keyFrom != "" {
		return &koda.Error{Code: koda.CodeUsage, Op: "a question needs a model, and none is chosen", Hint: fmt.Sprintf("%s is set: add --model %s", keyFrom, named.Model)}
	}
	return &koda.Error{Code: koda.CodeUsage, Op: "a question needs a model, and none is chosen", Hint: koda.HintOf(err)}
}

// modelsOf are the models of a project.
func modelsOf(ctx context.Context, e Engine, p koda.Project) (koda.Models, engine.View, error) {
	v, err := e.Show(ctx, p.ID)
	return v.Models, v, err
}
