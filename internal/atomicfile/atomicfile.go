// Package atomicfile writes files so that a reader sees either the old file or the new
// file.
//
// Only this package writes files with final names. It writes a file beside its target
// under a temporary name, syncs it, renames it over the target, and syncs the directory.
// So after a crash or a power cut a reader sees the whole old content or the whole new
// content. A crash can leave behind a file named .NAME.*.tmp, which [IsTemp] recognises
// and clean-up removes.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/koda-video/koda/internal/failpoint"
)

const suffix = ".tmp"

// syncFile makes the content of a file, or the names in a directory, durable. It is a
// variable, so that a test can check the order of steps.
var syncFile = (*os.File).Sync

// File is a file that is being written. Exactly one of Commit and Abort ends it. Abort
// after Commit does nothing, so it can be deferred.
type File struct {
	*os.File
	target string
	perm   fs.FileMode
	done   bool
}

// Create begins a file that will be named path. Parent directories must exist.
func Create(path string, perm fs.FileMode) (*File, error) {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	f, err := os.CreateTemp(dir, temp(base))
	if err != nil {
		return nil, fmt.Errorf("create temporary file: %w", err)
	}
	return &File{File: f, target: path, perm: perm}, nil
}

// Commit makes the content durable under the final name and closes the file. If Commit
// fails, the target is untouched and the temporary file is gone.
func (f *File) Commit() error {
	if f.done {
		return os.ErrClosed
	}
	f.done = true
	err := errors.Join(f.Chmod(f.perm), syncFile(f.File), f.Close(), failpoint.Fail("atomicfile.written"))
	if err == nil {
		err = os.Rename(f.Name(), f.target)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", f.target, err), ignoreMissing(os.Remove(f.Name())))
	}
	failpoint.Hit("atomicfile.renamed")
	return SyncDir(filepath.Dir(f.target))
}

// Abort discards what was written.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	_ = f.Close()           //nolint:errcheck // the content is being thrown away
	_ = os.Remove(f.Name()) //nolint:errcheck // clean-up removes it by name
}

// Write writes data to path.
func Write(path string, data []byte, perm fs.FileMode) error {
	return WriteFunc(path, perm, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFunc lets fill write the content of path. If fill fails, the target is untouched.
func WriteFunc(path string, perm fs.FileMode, fill func(io.Writer) error) error {
	f, err := Create(path, perm)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := fill(f); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return f.Commit()
}

// Publish renames a finished file of the same file system over target, syncing
// both the content and the directory. A symbolic link at target is replaced,
// not followed.
func Publish(tmp, target string) error {
	f, err := os.Open(tmp)
	if err != nil {
		return fmt.Errorf("publish %s: %w", target, err)
	}
	if err := errors.Join(syncFile(f), f.Close(), failpoint.Fail("atomicfile.written")); err != nil {
		return fmt.Errorf("publish %s: %w", target, err)
	}
	if err := os.Rename(tmp, target); err != nil {
		return fmt.Errorf("publish %s: %w", target, err)
	}
	failpoint.Hit("atomicfile.renamed")
	return SyncDir(filepath.Dir(target))
}

// SetAside renames whatever is at path, without opening or following it, and returns the
// new name: path with ".damaged", or with ".damaged-2", "-3", … if that name is taken.
func SetAside(path string) (aside string, err error) {
	aside = path + ".damaged"
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return "", fmt.Errorf("set %s aside: %w", path, err)
		}
		aside = fmt.Sprintf("%s.damaged-%d", path, n)
	}
	if err := os.Rename(path, aside); err != nil {
		return "", fmt.Errorf("set %s aside: %w", path, err)
	}
	failpoint.Hit("atomicfile.renamed")
	return aside, SyncDir(filepath.Dir(path))
}

// SyncDir makes the names in dir durable. A file system that cannot sync a directory is
// not an error.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync directory: %w", err)
	}
	err = syncFile(d)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	if err := errors.Join(err, d.Close()); err != nil {
		return fmt.Errorf("sync directory %s: %w", dir, err)
	}
	return nil
}

// temp is the pattern for the temporary names of a file. A name has at most 255 bytes, so
// the end of a long name is left out.
func temp(base string) string {
	const most = 255 - len(".") - len(".4294967295") - len(suffix)
	if len(base) > most {
		base = strings.ToValidUTF8(base[:most], "")
	}
	return "." + base + ".*" + suffix
}

// IsTemp reports whether this package could have given the name to an unfinished file.
func IsTemp(name string) bool {
	base := filepath.Base(name)
	return strings.HasPrefix(base, ".") && strings.HasSuffix(base, suffix)
}

// Target is the final name of the unfinished file called name. The end of a long final
// name is missing. If this package does not give such names, the answer is false.
func Target(name string) (string, bool) {
	if !IsTemp(name) {
		return "", false
	}
	rest := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "."), suffix)
	at := strings.LastIndexByte(rest, '.')
	if at <= 0 || strings.Trim(rest[at+1:], "0123456789") != "" || at == len(rest)-1 {
		return "", false
	}
	return rest[:at], true
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
