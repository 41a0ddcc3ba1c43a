package hostos

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
)

// Files are the files of a sandbox in a directory of this machine. It implements
// [sandbox.Files]. When the directory is gone, every call fails with
// SANDBOX_NOT_FOUND. No descriptor is kept between calls, so nothing needs closing.
// Rights that a command took away from its own files are given back where they are needed.
type Files struct{ id, dir string }

// NewFiles returns the files of the sandbox with that id, in the directory dir.
func NewFiles(id, dir string) *Files { return &Files{id: id, dir: dir} }

// Alive returns nil when the directory exists.
func (f *Files) Alive(ctx context.Context) error {
	return f.within(ctx, "look for the sandbox", koda.CodeProviderError, func(*os.Root) error { return nil })
}

func (f *Files) gone(err error) error {
	return &koda.Error{Code: koda.CodeSandboxNotFound, Op: fmt.Sprintf("sandbox %q is gone", f.id), Err: err}
}

// failed is an error of a code, or DISK_FULL.
func failed(code koda.Code, op string, err error) error {
	if full := koda.DiskFull(op, err, "free some space, or set KODA_HOME to a directory on another disk"); full != nil {
		return full
	}
	return &koda.Error{Code: code, Op: op, Err: err}
}

func closeQuietly(root *os.Root) { _ = root.Close() } //nolint:errcheck // nothing was written through it

// within runs do inside the project directory and gives its error one of the
// interface's codes: otherwise is the code of an error without a better code.
func (f *Files) within(ctx context.Context, op string, otherwise koda.Code, do func(*os.Root) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	root, err := os.OpenRoot(f.dir)
	if errors.Is(err, fs.ErrPermission) && os.Chmod(f.dir, 0o700) == nil {
		root, err = os.OpenRoot(f.dir)
	}
	if err != nil {
		if missing(err) {
			return f.gone(nil)
		}
		return &koda.Error{Code: otherwise, Op: op, Err: err}
	}
	defer closeQuietly(root)
	err = do(root)
	if errors.Is(err, fs.ErrPermission) {
		unlock(ctx, root)
		err = do(root)
	}
	var known *koda.Error
	switch {
	case err == nil, errors.As(err, &known), ctx.Err() != nil && errors.Is(err, ctx.Err()):
	default:
		err = failed(otherwise, op, err)
	}
	if err != nil && !f.alive() { // destroyed in the meantime
		return f.gone(err)
	}
	return err
}

// unlock gives the owner of the files, who this process is, the rights that a command took
// away. What cannot be unlocked stays as it is: the next use of it fails.
func unlock(ctx context.Context, root *os.Root) {
	//nolint:errcheck // see above
	_ = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		need := fs.FileMode(0o600)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil, d.IsDir() && d.Name() == "node_modules":
			return fs.SkipDir
		case d.IsDir():
			need = 0o700
		case !d.Type().IsRegular():
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().Perm()&need != need {
			_ = root.Chmod(name, info.Mode().Perm()|need)
		}
		return nil
	})
}

func (f *Files) alive() bool {
	_, err := os.Lstat(f.dir)
	return err == nil || !missing(err)
}

func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// WriteFile implements [sandbox.Files].
func (f *Files) WriteFile(ctx context.Context, name string, data []byte) error {
	return f.within(ctx, "write "+name, koda.CodeWriteFailed, func(root *os.Root) error {
		if err := checkPath(name); err != nil {
			return err
		}
		switch info, err := lookup(root, name); {
		case err == nil && !info.Mode().IsRegular():
			return badPath(name, "is not a file")
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		dir := path.Dir(name)
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make directory: %w", err)
		}
		return writeWhole(root, dir, name, data)
	})
}

// writeWhole writes a file under a temporary name that listings leave out, and
// renames it. A crash leaves the old file or the new one.
func writeWhole(root *os.Root, dir, name string, data []byte) error {
	tmp := path.Join(dir, ".koda-"+rand.Text()+".tmp")
	f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("create file: %w", err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close(), failpoint.Fail("hostos.write")); err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		_ = root.Remove(tmp) //nolint:errcheck // listings leave it out, the end of the sandbox removes it
		return fmt.Errorf("write file: %w", err)
	}
	return nil
}

// ReadFile implements [sandbox.Files].
func (f *Files) ReadFile(ctx context.Context, name string) (data []byte, err error) {
	err = f.within(ctx, "read "+name, koda.CodeReadFailed, func(root *os.Root) error {
		if err := existingFile(root, name); err != nil {
			return err
		}
		// The file may have become something else since lookup: never wait for a pipe's
		// writer.
		file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if errors.Is(err, fs.ErrNotExist) {
			return noFile(name)
		}
		if err != nil {
			return cmp.Or(existingFile(root, name), fmt.Errorf("open file: %w", err)) // it may be a link by now
		}
		info, err := file.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return errors.Join(badPath(name, "is not a file"), err, file.Close())
		}
		whole := bytes.NewBuffer(make([]byte, 0, min(info.Size(), projectfs.MaxFile)+bytes.MinRead)) // growing would take twice the memory
		_, err = whole.ReadFrom(io.LimitReader(file, projectfs.MaxFile+1))
		data = whole.Bytes()
		if len(data) > projectfs.MaxFile {
			data, err = nil, fmt.Errorf("it has more than %d MB", projectfs.MaxFile>>20)
		}
		return errors.Join(err, file.Close())
	})
	return data, err
}

// DeleteFile implements [sandbox.Files].
func (f *Files) DeleteFile(ctx context.Context, name string) error {
	return f.within(ctx, "delete "+name, koda.CodeWriteFailed, func(root *os.Root) error {
		if err := existingFile(root, name); err != nil {
			return err
		}
		err := root.Remove(name)
		if errors.Is(err, fs.ErrNotExist) {
			return noFile(name)
		}
		return err
	})
}

// List implements [sandbox.Files].
func (f *Files) List(ctx context.Context, dir string, recursive bool) (entries []sandbox.Entry, err error) {
	err = f.within(ctx, "list "+dir, koda.CodeReadFailed, func(root *os.Root) error {
		if dir != "." {
			if err := checkPath(dir); err != nil {
				return err
			}
			info, err := lookup(root, dir)
			if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
				return noFile(dir)
			}
			if err != nil {
				return err
			}
		}
		entries, err = walk(ctx, root, dir, recursive)
		return err
	})
	return entries, err
}

func walk(ctx context.Context, root *os.Root, dir string, recursive bool) ([]sandbox.Entry, error) {
	entries := []sandbox.Entry{}
	err := fs.WalkDir(root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist) && name != dir: // deleted during the walk
			return nil
		case err != nil:
			return err
		case name == dir:
			return nil
		case d.IsDir() && (d.Name() == "node_modules" || !usable(name)):
			return fs.SkipDir
		case d.IsDir():
			entries = append(entries, sandbox.Entry{Path: name, Dir: true})
			if !recursive {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular() || !usable(name):
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		entries = append(entries, sandbox.Entry{Path: name, Size: info.Size()})
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b sandbox.Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, nil
}

// mostUnlisted bounds the names of Unlisted.
const mostUnlisted = 1000

// Unlisted is [sandbox.Bulk.Unlisted].
func (f *Files) Unlisted(ctx context.Context) (names []string, err error) {
	err = f.within(ctx, "look for what is no file", koda.CodeReadFailed, func(root *os.Root) error {
		return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case len(names) == mostUnlisted:
				return fs.SkipAll
			case err != nil, d.IsDir() && d.Name() == "node_modules":
				return fs.SkipDir
			case name != "." && !(usable(name) && (d.IsDir() || d.Type().IsRegular())) && !atomicfile.IsTemp(d.Name()):
				names = append(names, strings.ToValidUTF8(name, "\uFFFD"))
				if d.IsDir() {
					return fs.SkipDir
				}
			}
			return nil
		})
	})
	return names, err
}

// existingFile returns nil when name is a regular file.
func existingFile(root *os.Root, name string) error {
	if err := checkPath(name); err != nil {
		return err
	}
	info, err := lookup(root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noFile(name)
	case err == nil && !info.Mode().IsRegular():
		return badPath(name, "is not a file")
	}
	return err
}

// lookup is like Lstat, but refuses links and files on the way. If a directory on
// the way is missing, the error is fs.ErrNotExist.
func lookup(root *os.Root, name string) (fs.FileInfo, error) {
	for i := 0; ; {
		next := strings.IndexByte(name[i:], '/')
		prefix := name
		if next >= 0 {
			prefix = name[:i+next]
		}
		info, err := root.Lstat(prefix)
		switch {
		case err != nil:
			return nil, fmt.Errorf("look at %s: %w", prefix, err)
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, badPath(name, "leads through a symbolic link")
		case next < 0:
			return info, nil
		case !info.IsDir():
			return nil, badPath(name, fmt.Sprintf("leads through the file %s", prefix))
		}
		i += next + 1
	}
}

// checkPath refuses a name that cannot be a path inside a project. "." is the root,
// not a file.
func checkPath(name string) error {
	switch {
	case !fs.ValidPath(name) || name == ".":
		return badPath(name, "is not a clean path relative to the project root")
	case strings.ContainsAny(name, "\\\x00") || !utf8.ValidString(name):
		return badPath(name, "has a backslash, a NUL or bytes that are not UTF-8")
	case atomicfile.IsTemp(name):
		return badPath(name, "is a name of unfinished files")
	case len(name) > 1024 || slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool { return len(s) > 255 }):
		return badPath(name[:min(len(name), 64)]+"…", "is too long")
	}
	return nil
}

// usable reports whether a file of that name can be read. A command may have made any
// name.
func usable(name string) bool { return checkPath(name) == nil }

func badPath(name, what string) error {
	return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("path %q %s", name, what)}
}

func noFile(name string) error {
	return &koda.Error{Code: koda.CodeFileNotFound, Op: fmt.Sprintf("there is no %s", name)}
}
