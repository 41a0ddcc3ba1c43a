package projectfs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// FS is the directory of a project, read only. It is an fs.FS with ReadFile, ReadDir and
// Stat, for several goroutines. INVALID_PATH: a link, or something that is not a regular
// file. USAGE: too much. A file that does not exist is fs.ErrNotExist, as everywhere.
//
// ReadDir lists links as links, so that a walk can skip or refuse them. Stat refuses
// links.
type FS struct {
	// Budget bounds everything that ReadFile reads. Set it before the first read.
	Budget *Budget

	mu sync.Mutex
	// way are the directories on the way to the last file, because the next file usually
	// lies beside it. The first is the project's own directory.
	way []directory
}

type directory struct {
	name string // of the directory in the one before
	*os.Root
}

// Open opens a project's directory. Close closes it; without Close it is closed when
// nobody uses it any more.
func Open(dir string) (*FS, error) {
	// Only a directory is opened: opening a pipe would wait for a writer.
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &FS{Budget: &Budget{}, way: []directory{{".", root}}}, nil
}

// ReadFile reads one file of the project in dir. Name is the slash-separated path of the
// file in the project.
func ReadFile(dir, name string) ([]byte, error) {
	f, err := Open(dir)
	if err != nil {
		return nil, err
	}
	data, err := f.ReadFile(name)
	return data, errors.Join(err, f.Close())
}

// Close ends the use of the directory. Files that are open stay open.
func (f *FS) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.leave(0)
}

// Open implements fs.FS. A file that is streamed needs no memory and is not counted.
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
	if err := f.Budget.Count(name, info.Size()); err != nil {
		return nil, err
	}
	limit := Limit(name)
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	n, err := data.ReadFrom(io.LimitReader(file, limit+1))
	switch {
	case err != nil:
		return nil, err
	case n > limit: // it grew meanwhile
		return nil, tooLarge(name, n, limit)
	}
	return data.Bytes(), f.Budget.Count(name, n)
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
		return nil, tooMany("directory %s has more than %d names in it", name, MaxNames)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Stat implements fs.StatFS.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, info, err := f.stat("stat", name)
	return info, err
}

// Lstat implements fs.ReadLinkFS. If name is a link, it describes the link.
func (f *FS) Lstat(name string) (fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dir, err := f.parent("lstat", name)
	if err != nil {
		return nil, err
	}
	info, err := dir.Lstat(path.Base(name))
	return info, plain("lstat", name, err)
}

// ReadLink implements fs.ReadLinkFS: it gives the text of a link and does not follow it.
// A caller that follows the link asks for the name in it, and the same rules hold for
// that name.
func (f *FS) ReadLink(name string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dir, err := f.parent("readlink", name)
	if err != nil {
		return "", err
	}
	to, err := dir.Readlink(path.Base(name))
	return to, plain("readlink", name, err)
}

// parent goes to the directory that a name is in.
func (f *FS) parent(op, name string) (directory, error) {
	if err := isText(name); err != nil {
		return directory{}, err
	}
	if !fs.ValidPath(name) {
		return directory{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return f.enter(op, path.Dir(name))
}

// stat looks at what is there, and gives the directory it is in.
func (f *FS) stat(op, name string) (directory, fs.FileInfo, error) {
	dir, err := f.parent(op, name)
	if err != nil {
		return dir, nil, err
	}
	info, err := dir.Lstat(path.Base(name))
	if err != nil {
		return dir, nil, plain(op, name, err)
	}
	if info.Mode().Type() == fs.ModeSymlink {
		return dir, nil, isLink(name)
	}
	return dir, info, nil
}

// open opens a regular file or a directory.
func (f *FS) open(op, name string) (*os.File, fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dir, info, err := f.stat(op, name)
	if err == nil {
		err = readable(name, info)
	}
	if err != nil {
		return nil, nil, err
	}
	// A file may have become a pipe a moment ago: never wait for a pipe.
	file, err := dir.OpenFile(path.Base(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, plain(op, name, err)
	}
	info, err = file.Stat()
	if err == nil {
		err = readable(name, info)
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

// enter goes to a directory and follows no link.
func (f *FS) enter(op, name string) (directory, error) {
	if len(f.way) == 0 {
		return directory{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrClosed}
	}
	var elements []string
	if name != "." {
		elements = strings.Split(name, "/")
	}
	known := 1
	for known < len(f.way) && known <= len(elements) && f.way[known].name == elements[known-1] {
		known++
	}
	if err := f.leave(known); err != nil {
		return directory{}, err
	}
	for i, element := range elements[known-1:] {
		at, to := f.way[len(f.way)-1], strings.Join(elements[:known+i], "/")
		info, err := at.Lstat(element)
		switch {
		case err != nil:
			return directory{}, plain(op, to, err)
		case info.Mode().Type() == fs.ModeSymlink:
			return directory{}, isLink(to)
		case !info.IsDir():
			return directory{}, &fs.PathError{Op: op, Path: to, Err: syscall.ENOTDIR}
		}
		sub, err := at.OpenRoot(element)
		if err != nil {
			return directory{}, plain(op, to, err)
		}
		f.way = append(f.way, directory{element, sub})
	}
	return f.way[len(f.way)-1], nil
}

// leave closes the directories below the first few.
func (f *FS) leave(keep int) error {
	var errs []error
	for _, d := range f.way[keep:] {
		errs = append(errs, d.Close())
	}
	f.way = f.way[:keep]
	return errors.Join(errs...)
}

// plain adds to an error which path it is about, and says in people's words what was
// done: not "openat".
func plain(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: op, Path: name, Err: p.Err}
	}
	return err
}

// Readable says what is wrong with a file that a walk found: it is a link, or not a
// regular file, or too large.
func Readable(name string, info fs.FileInfo) error {
	limit := Limit(name)
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		return isLink(name)
	case !info.Mode().IsRegular():
		return notRegular(name)
	case info.Size() > limit:
		return tooLarge(name, info.Size(), limit)
	}
	return nil
}

func readable(name string, info fs.FileInfo) error {
	if info.IsDir() {
		return nil
	}
	return Readable(name, info)
}
