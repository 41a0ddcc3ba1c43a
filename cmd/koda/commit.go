package main

import (
	"context"
	"path/filepath"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/repo"
)

// takeCommit copies the files of a commit into this home.
func takeCommit(ctx context.Context, dir, ref string) (cli.Commit, error) {
	cfg, err := load()
	if err != nil {
		return cli.Commit{}, err
	}
	c, err := repo.Take(ctx, dir, ref, filepath.Join(cfg.Home, "commits"))
	return cli.Commit{Dir: c.Dir, Name: c.Commit, Commits: c.Commits, New: c.New, Links: c.Links, Pointers: c.Pointers}, err
}
