package projectfs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/koda-video/koda/internal/koda"
)

// FS is the directory of a project, read only. It is an fs.FS with ReadFile,
// ReadDir and Stat, for several goroutines. What it refuses is INVALID_PATH (a
// link, or no regular file) or USAGE (too much); a file that does not exist is
// fs.ErrNotExist as everywhere.
//
// ReadDir lists links as what they are, so that a walk can pass them over or
// refuse them; Stat refuses them.
type FS struct {
	root *os.Root

	mu    sync.Mutex
	dirs  map[string]bool  // known to be directories
	sizes map[string]int64 // of the files that were read
	total int64
}

// Open opens a project's directory. The caller closes it.
func Open(dir string) (*FS, error) {
	// What is no directory is not opened at all: a pipe would wait for a writer.
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &FS{root: root, dirs: map[string]bool{".": true}, sizes: map[string]int64{}}, nil
}

// ReadFile reads one file of the project in dir, named by its slash-separated
// path in it.
func ReadFile(dir, name string) ([]byte, error) {
	f, err := Open(dir)
	if err != nil {
		return nil, err
	}
	data, err := f.ReadFile(name)
	return data, errors.Join(err, f.Close())
}

// Close ends the use of the directory. Files that are open stay open.
func (f *FS) Close() error { return f.root.Close() }

// Open implements fs.FS. A file may be larger than memory wants to hold: it is
// counted when it is opened, and can be streamed.
func (f *FS) Open(name string) (fs.File, error) {
	file, _, err := f.open("open", name)
	if err != nil {
		return nil, err // not a nil *os.File
	}
	return file, nil
}

// ReadFile implements fs.ReadFileFS.
func (f *FS) ReadFile(name string) ([]byte, error) {
	file, info, err := f.open("read", name)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR}
	}
	limit := limitOf(name)
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	n, err := data.ReadFrom(io.LimitReader(file, limit+1))
	switch {
	case err != nil:
		return nil, err
	case n > limit: // it grew meanwhile
		return nil, tooLarge(name, n, limit)
	}
	return data.Bytes(), f.count(name, n)
}

// ReadDir implements fs.ReadDirFS.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	file, info, err := f.open("readdir", name)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: syscall.ENOTDIR}
	}
	entries, err := file.ReadDir(MaxNames + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(entries) > MaxNames {
		return nil, &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("directory %s has more than %d names in it", name, MaxNames),
			Hint: "move what the animation does not need out of the project",
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Stat implements fs.StatFS.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	if err := f.way(path.Dir(name)); err != nil {
		return nil, err
	}
	info, err := f.root.Lstat(name)
	if err == nil && info.Mode().Type() == fs.ModeSymlink {
		err = isLink(name)
	}
	return info, err
}

// open opens a regular file, which is counted, or a directory.
func (f *FS) open(op, name string) (*os.File, fs.FileInfo, error) {
	info, err := f.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if err := readable(name, info); err != nil {
		return nil, nil, err
	}
	// What was a file a moment ago may be a pipe now: never wait for one.
	file, err := f.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err = file.Stat()
	if err == nil {
		err = readable(name, info)
	}
	if err == nil && !info.IsDir() {
		err = f.count(name, info.Size())
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

// readable refuses what is not to be opened.
func readable(name string, info fs.FileInfo) error {
	limit := limitOf(name)
	switch {
	case info.IsDir():
		return nil
	case !info.Mode().IsRegular():
		return notRegular(name)
	case info.Size() > limit:
		return tooLarge(name, info.Size(), limit)
	}
	return nil
}

// way makes sure that dir and the directories above it are such, and no links.
func (f *FS) way(dir string) error {
	f.mu.Lock()
	known := f.dirs[dir]
	f.mu.Unlock()
	if known {
		return nil
	}
	if err := f.way(path.Dir(dir)); err != nil {
		return err
	}
	info, err := f.root.Lstat(dir)
	switch {
	case err != nil:
		return err
	case info.Mode().Type() == fs.ModeSymlink:
		return isLink(dir)
	case !info.IsDir():
		return &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	f.mu.Lock()
	f.dirs[dir] = true
	f.mu.Unlock()
	return nil
}
