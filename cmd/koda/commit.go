package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/repo"
)

// commits is where koda's copies of commits are.
func commits(cfg config.Config) string { return filepath.Join(cfg.Home, "commits") }

// takeCommit copies the files of a commit into this home.
func takeCommit(ctx context.Context, dir, ref string) (cli.Commit, error) {
	cfg, err := load()
	if err != nil {
		return cli.Commit{}, err
	}
	c, err := repo.Take(ctx, dir, ref, commits(cfg))
	if err == nil {
		err = os.Chtimes(c.Dir, time.Time{}, time.Now()) // it is used: see usedLast
	}
	return cli.Commit{Dir: c.Dir, Name: c.Commit, Commits: c.Commits, New: c.New, Links: c.Links, Pointers: c.Pointers}, err
}

// copyAge is the age at which a copy of a commit is not needed any more: nobody used it, and
// no file of it changed, for so long. It is made again on the next use.
const copyAge = 30 * 24 * time.Hour

// sweepCommits removes copies of commits that nobody needs, with what koda knows of them, and
// lists their directories. A copy on which a koda works stays.
func sweepCommits(ctx context.Context, e *engine.Engine, cfg config.Config, dryRun bool, now time.Time) (removed []string, err error) {
	entries, err := os.ReadDir(commits(cfg))
	if err != nil {
		return nil, ignoreMissing(err)
	}
	projects, err := e.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list projects: %w", err)
	}
	for _, entry := range entries {
		dir := filepath.Join(commits(cfg), entry.Name())
		used, failed := usedLast(dir)
		i := slices.IndexFunc(projects, func(p koda.Project) bool { return p.Dir == dir })
		if !entry.IsDir() || failed != nil || now.Sub(used) < copyAge {
			continue
		}
		if !dryRun {
			if i >= 0 {
				_, failed = e.Delete(ctx, projects[i].ID)
			}
			if failed == nil {
				failed = os.RemoveAll(dir)
			}
			if koda.CodeOf(failed) == koda.CodeInUse {
				continue
			}
		}
		if err = errors.Join(err, failed); failed == nil {
			removed = append(removed, dir)
		}
	}
	return removed, err
}

// usedLast is when something below a directory changed last.
func usedLast(dir string) (last time.Time, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return err
	})
	return last, err
}
