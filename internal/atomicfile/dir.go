package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/koda-video/koda/internal/failpoint"
)

// Dir is a directory that is being filled. Exactly one of Commit and Abort ends it. Abort
// after Commit does nothing, so it can be deferred.
type Dir struct {
	path, target string
	done         bool
}

// CreateDir begins a directory that will be named path. Its parent must exist.
func CreateDir(path string) (*Dir, error) {
	tmp, err := os.MkdirTemp(filepath.Dir(path), temp(filepath.Base(path)))
	if err != nil {
		return nil, fmt.Errorf("create temporary directory: %w", err)
	}
	return &Dir{path: tmp, target: path}, nil
}

// Create makes a file in the directory, and the directories that its name has. The caller
// closes the file; Commit makes it durable. The name must be local: see filepath.IsLocal.
func (d *Dir) Create(name string) (*os.File, error) {
	path := filepath.Join(d.path, name)
	if !filepath.IsLocal(name) {
		return nil, &os.PathError{Op: "create", Path: name, Err: os.ErrInvalid}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// Commit makes all files durable under the final name, and replaces a directory that has
// the name. If Commit fails, the old directory is untouched. If a crash comes between the
// two renames, the old directory remains under a temporary name.
func (d *Dir) Commit() error {
	if d.done {
		return os.ErrClosed
	}
	d.done = true
	if err := d.commit(); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", d.target, err), os.RemoveAll(d.path))
	}
	return SyncDir(filepath.Dir(d.target))
}

func (d *Dir) commit() error {
	err := filepath.WalkDir(d.path, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == d.path {
			return err
		}
		f, err := os.Open(path)
		if err == nil {
			err = errors.Join(syncFile(f), f.Close())
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := errors.Join(os.Chmod(d.path, 0o755), SyncDir(d.path), failpoint.Fail("atomicfile.written")); err != nil {
		return err
	}
	if _, err := os.Lstat(d.target); errors.Is(err, os.ErrNotExist) {
		if err := os.Rename(d.path, d.target); err != nil {
			return err
		}
		failpoint.Hit("atomicfile.renamed")
		return nil
	}
	old, err := os.MkdirTemp(filepath.Dir(d.target), temp(filepath.Base(d.target)))
	if err != nil {
		return err
	}
	if err := errors.Join(os.Remove(old), os.Rename(d.target, old)); err != nil {
		return err
	}
	failpoint.Hit("atomicfile.replaced")
	if err := os.Rename(d.path, d.target); err != nil {
		return errors.Join(err, os.Rename(old, d.target))
	}
	failpoint.Hit("atomicfile.renamed")
	return os.RemoveAll(old)
}

// Abort discards what was written.
func (d *Dir) Abort() {
	if !d.done {
		d.done = true
		_ = os.RemoveAll(d.path) //nolint:errcheck // its name marks it as a leftover
	}
}
