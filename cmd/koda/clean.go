package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/control"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/render"
	"github.com/koda-video/koda/internal/sandbox/hostos"
	"github.com/koda-video/koda/internal/sandbox/local"
	"github.com/koda-video/koda/internal/store"
)

// collect removes files that koda keeps and nobody needs, or only lists them. If
// one part fails, the other parts are done all the same.
func collect(ctx context.Context, dryRun bool) (cli.Collected, error) {
	cfg, err := load()
	if err != nil {
		return cli.Collected{}, err
	}
	if err := linked(cfg); err != nil {
		return cli.Collected{}, err
	}
	c := cli.Collected{Cache: cfg.Cache, Limit: cfg.CacheBytes()}
	leftovers := hostos.Sweep
	if dryRun {
		leftovers = hostos.Left
	}
	left := leftovers(tmpDir(cfg))
	c.Leftovers, c.Browsers = left.Dirs, left.Browsers
	sandboxes := local.New(local.Config{Root: cfg.Home, Now: time.Now})
	c.Leftovers = append(c.Leftovers, sandboxes.Sweep(dryRun)...)
	c.Temps, c.Sockets = staleTemps(cfg, time.Now()), control.Stale(ctx, sockets(cfg), time.Now())
	if !dryRun {
		for _, path := range slices.Concat(c.Temps, c.Sockets) {
			err = errors.Join(err, ignoreMissing(os.Remove(path)))
		}
	}
	err = errors.Join(err, sweepProjects(ctx, cfg, dryRun, &c))
	t, trimErr := render.Trim(ctx, cfg.Cache, c.Limit, dryRun)
	c.Removed, c.RemovedBytes, c.Kept, c.KeptBytes = t.Files, t.Bytes, t.Kept, t.KeptBytes
	c.Partial, c.Busy = t.Partial, t.Busy
	if err = errors.Join(err, trimErr); err != nil && koda.HintOf(err) == "" {
		err = &koda.Error{
			Code: koda.CodeStorageFailed, Op: "clean up", Err: err,
			Hint: "check that you may read and write " + cfg.Home + ", or set KODA_HOME to another directory",
		}
	}
	return c, err
}

// sweepPatience is how long a sweep waits for the locks of other processes.
const sweepPatience = time.Second

// sweepProjects sweeps the projects of the index, if there is an index and nobody
// else keeps it locked.
func sweepProjects(ctx context.Context, cfg config.Config, dryRun bool, c *cli.Collected) error {
	if _, err := os.Stat(cfg.DatabasePath); err != nil {
		return ignoreMissing(err)
	}
	db, err := store.OpenWithin(ctx, cfg.DatabasePath, sweepPatience)
	if err != nil {
		return err
	}
	if !dryRun {
		if err := db.Ready(ctx); err != nil {
			return errors.Join(err, db.Close())
		}
	}
	m := machineOf(cfg, hostos.At(tmpDir(cfg)))
	e, err := m.engineOf(db, asItIs, openAuthor)
	if err == nil {
		var failed error
		c.Swept, err = e.Sweep(ctx, dryRun)
		c.Commits, failed = sweepCommits(ctx, e, cfg, dryRun, time.Now())
		err = errors.Join(err, failed)
	}
	if !dryRun {
		// On a full disk, or while others write the database, it stays as it was.
		freed, failed := db.Compact(ctx)
		if c.Freed = freed; failed != nil {
			c.NotDone = append(c.NotDone, fmt.Sprintf("the database could not be made smaller: %v", failed))
		}
	}
	return errors.Join(err, db.Close())
}

// linked is the error of a home in which a directory that koda cleans is a link.
// Files behind a link may be anybody's, so nothing is removed there. The home
// itself may be a link, as the person named it.
func linked(cfg config.Config) error {
	for _, dir := range []string{filepath.Join(cfg.Cache, "segments"), filepath.Join(cfg.Cache, "runtime"), tmpDir(cfg), filepath.Join(cfg.Home, "sandboxes"), commits(cfg), sockets(cfg)} {
		if err := projectfs.NoLinksTo(cfg.Home, dir); err != nil {
			return &koda.Error{
				Code: koda.CodeStorageFailed, Op: "clean up " + cfg.Home, Err: err,
				Hint: "nothing is removed through a link: to keep koda's files elsewhere, set KODA_HOME",
			}
		}
	}
	return nil
}

// The names of the files that koda writes at the top of its home and cache.
var (
	homeNames = regexp.MustCompile(`^(\.tidied|config\.json|trusted\.json|koda\.db\.(places|sound))$`)
	cacheName = regexp.MustCompile(`^browser-[0-9a-f]{16}\.json$`)
)

// staleAge is the age at which nobody writes a half-written file any more.
const staleAge = time.Hour

// staleTemps lists this user's half-written files at the top of koda's home and
// cache.
func staleTemps(cfg config.Config, now time.Time) []string {
	var stale []string
	for dir, names := range map[string]*regexp.Regexp{cfg.Home: homeNames, cfg.Cache: cacheName} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // the directory does not exist yet
		}
		for _, e := range entries {
			target, half := atomicfile.Target(e.Name())
			info, err := e.Info()
			if err == nil && half && names.MatchString(target) && info.Mode().IsRegular() && proc.Own(info) && now.Sub(info.ModTime()) > staleAge {
				stale = append(stale, filepath.Join(dir, e.Name()))
			}
		}
	}
	slices.Sort(stale)
	return stale
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// How often, and for how long, koda tidies up by itself.
const (
	tidyEvery = time.Hour
	tidyTime  = 5 * time.Second
)

// tidyName is a file in koda's home. Its time is the time of the last tidying.
const tidyName = ".tidied"

// tidy runs collect beside a command that works: now and then, for a moment, and
// without output, as it concerns other projects.
func tidy(ctx context.Context) {
	cfg, err := load()
	if err != nil {
		return
	}
	stamp := filepath.Join(cfg.Home, tidyName)
	if info, err := os.Stat(stamp); err == nil {
		// A stamp in the future means that the clock jumped back.
		if age := time.Since(info.ModTime()); age >= 0 && age < tidyEvery {
			return
		}
	}
	ctx, cancel := context.WithTimeout(ctx, tidyTime)
	defer cancel()
	if _, err := collect(ctx, false); err == nil {
		_ = atomicfile.Write(stamp, nil, 0o600) //nolint:errcheck // without it the next command tidies too
	}
}
