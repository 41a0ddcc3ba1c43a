package store

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// minPrefix is how many characters of an id a person has to give.
const minPrefix = 4

// FindProject finds the one project a person means by ref. In this order ref is its
// id, its name, its directory (absolute or relative to the working directory), or
// at least four characters of the beginning of its id. Among projects of the same
// name, the project in the directory of that name here is meant.
//
// NOT_FOUND names the project with the nearest name. USAGE: several projects are
// meant; the hint lists them.
func (db *DB) FindProject(ctx context.Context, ref string) (koda.Project, error) {
	dir := resolve(ref)
	ways := []func(koda.Project) bool{
		func(p koda.Project) bool { return p.ID == ref },
		func(p koda.Project) bool { return p.Name == ref && p.Dir == dir },
		func(p koda.Project) bool { return p.Name == ref },
		func(p koda.Project) bool { return p.Dir == dir || resolve(p.Dir) == dir },
		func(p koda.Project) bool { return len(ref) >= minPrefix && strings.HasPrefix(p.ID, ref) },
	}
	if ref == "" {
		ways = nil
	}
	// Most often ref is a whole id or name: then no other project is looked at.
	plain, err := query(ctx, db.r, scanProject, `SELECT `+projectColumns+` FROM projects WHERE id = ?1 OR name = ?1 ORDER BY updated_at DESC, id`, ref)
	if err != nil {
		return koda.Project{}, db.fail(ctx, "find project", err)
	}
	if p, err := meant(ref, plain, ways[:min(3, len(ways))]); p.ID != "" || err != nil {
		return p, err
	}
	all, err := db.List(ctx)
	if err != nil {
		return koda.Project{}, err
	}
	if p, err := meant(ref, all, ways); p.ID != "" || err != nil {
		return p, err
	}
	hint := "koda list shows all projects"
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	if near := koda.Nearest(ref, names); near != "" {
		hint = fmt.Sprintf("did you mean %s? %s", near, hint)
	}
	return koda.Project{}, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is no project %q", ref), Hint: hint}
}

// meant is the one project that ref means. It takes the first of the ways in which
// ref means any project. If there is no such way, it returns no project.
func meant(ref string, all []koda.Project, ways []func(koda.Project) bool) (koda.Project, error) {
	for _, means := range ways {
		var found []koda.Project
		for _, p := range all {
			if means(p) {
				found = append(found, p)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return koda.Project{}, ambiguous(ref, found)
		}
	}
	return koda.Project{}, nil
}

// resolve is the directory that path means, without symbolic links if the directory
// exists.
func resolve(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	return abs
}

func ambiguous(ref string, found []koda.Project) error {
	lines := make([]string, 0, len(found))
	for _, p := range found {
		lines = append(lines, fmt.Sprintf("%s (%s, %s)", p.Name, p.ID, p.Dir))
	}
	return &koda.Error{
		Code: koda.CodeUsage, Op: fmt.Sprintf("%q can mean %d projects", ref, len(found)),
		Hint: "say which, by id or directory: " + strings.Join(lines, "; "),
	}
}
