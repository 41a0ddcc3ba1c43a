package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/projectfs"
)

// Collect removes stored contents that nothing needs any more: no version, not the last
// checkpoint, and no checkpoint that is being applied. A text that lost against the
// person's text is in conflicts, in full. If one of these cannot be read, nothing is
// removed. Collect follows no link, and removes only regular files under names that koda
// gives. It may be killed at any time.
//
// Collect returns the number of these contents and their size in bytes. With dryRun it
// removes nothing; without dryRun only the holder of the lock may call it.
func (s *Storage) Collect(dir string, dryRun bool) (files int, size int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	files, size, err = collect(dir, dryRun)
	return files, size, fail("remove stored contents", dir, err)
}

func collect(dir string, dryRun bool) (files int, size int64, err error) {
	needed, err := neededObjects(dir)
	if err != nil {
		return 0, 0, nil //nolint:nilerr // nobody knows what it needs: all contents stay
	}
	if projectfs.NoLinks(dir, objectsDir) != nil {
		return 0, 0, nil //nolint:nilerr // a link: the contents lie elsewhere and are not koda's to remove
	}
	root, err := os.OpenRoot(filepath.Join(dir, objectsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !isDigest(d.Name()) || path != d.Name()[:2]+"/"+d.Name() || needed[d.Name()] {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files, size = files+1, size+info.Size()
		if dryRun {
			return nil
		}
		if err := root.Remove(path); err != nil {
			return err
		}
		failpoint.Hit("workdir.collect")
		return nil
	})
	return files, size, errors.Join(err, root.Close())
}

// neededObjects are the digests of all contents that something needs.
func neededObjects(dir string) (map[string]bool, error) {
	versions, err := readVersions(dir)
	if err != nil {
		return nil, err
	}
	state, err := readState(dir)
	if err != nil {
		return nil, err
	}
	p, err := readPending(dir)
	if err != nil {
		return nil, err
	}
	all := []map[string]string{state.Files}
	if p != nil {
		all = append(all, p.State.Files)
		if p.Version != nil {
			versions = append(versions, *p.Version)
		}
	}
	for _, v := range versions {
		all = append(all, v.Files)
	}
	needed := map[string]bool{}
	for _, files := range all {
		for _, digest := range files {
			needed[digest] = true
		}
	}
	return needed, nil
}
