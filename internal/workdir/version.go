package workdir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

func manifestName(n int) string { return fmt.Sprintf("%s/v%d.json", versionsDir, n) }

// newVersion describes what the directory will hold after plan, and stores the person's
// contents. A file that cannot belong to a project (a link, a file too large) is left
// out: it must not keep the rest from being saved.
func newVersion(dir string, p plan, next map[string]string, v koda.Version) (*koda.Version, error) {
	known, err := versionNumbers(dir)
	if err != nil {
		return nil, err
	}
	// The last version may be made again, because a crash can come between the directory
	// and the database.
	if n := len(known); v.Number < 1 || n > 0 && v.Number < known[n-1] {
		return nil, &koda.Error{Code: koda.CodeExists, Op: fmt.Sprintf("save version %d: version %d is there already", v.Number, known[n-1])}
	}
	v.Files = make(map[string]string, len(next))
	for path, digest := range next {
		if !p.kept[path] {
			v.Files[path] = digest
		}
	}
	err = walk(dir, func(f *projectfs.FS, path string) error {
		if _, ours := v.Files[path]; ours || p.remove[path] {
			return nil
		}
		data, err := f.ReadFile(path)
		var refused *koda.Error
		if err != nil && errors.As(err, &refused) {
			return nil
		}
		if err != nil {
			return ignoreMissing(err)
		}
		v.Files[path] = digestOf(data)
		return putObject(dir, v.Files[path], data)
	}, func(error) error { return nil })
	if err != nil {
		return nil, err
	}
	if data, err := encodeManifest(v); err != nil {
		return nil, err
	} else if len(data) > projectfs.MaxList {
		return nil, &koda.Error{
			Code: koda.CodeSaveFailed, Op: fmt.Sprintf("the project has too many files: %d", len(v.Files)),
			Hint: "move what the animation does not need out of the project",
		}
	}
	return &v, nil
}

func encodeManifest(v koda.Version) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode version: %w", err)
	}
	return append(data, '\n'), nil
}

func writeManifest(dir string, v koda.Version) error {
	data, err := encodeManifest(v)
	if err != nil {
		return err
	}
	return writeFile(dir, manifestName(v.Number), data, 0o644)
}

// Versions lists the versions of the directory, v1 first. A directory without versions,
// or without koda, has an empty list.
func (s *Storage) Versions(dir string) ([]koda.Version, error) {
	const op = "list versions"
	versions, err := readVersions(dir)
	if err != nil {
		return nil, fail(op, dir, err)
	}
	p, err := applying(dir)
	if err != nil {
		return nil, fail(op, dir, err)
	}
	if p != nil && p.Version != nil {
		versions = slices.DeleteFunc(versions, func(v koda.Version) bool { return v.Number == p.Version.Number })
		versions = append(versions, *p.Version)
	}
	return versions, nil
}

// maxLists bounds the lists of all versions, in bytes, because they are in memory
// together. A thousand versions of a thousand files need a fifth of it.
const maxLists = 512 << 20

func readVersions(dir string) ([]koda.Version, error) {
	numbers, err := versionNumbers(dir)
	if err != nil {
		return nil, err
	}
	var all []koda.Version
	lists := projectfs.Budget{Bytes: maxLists, Files: len(numbers)}
	for _, n := range numbers {
		v, size, err := readManifest(dir, n)
		if err == nil {
			err = lists.Count(manifestName(n), size)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// versionNumbers lists the versions by the names of their manifests, in order.
func versionNumbers(dir string) ([]int, error) {
	f, err := projectfs.Open(dir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	defer f.Close() //nolint:errcheck // only read
	entries, err := f.ReadDir(versionsDir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var numbers []int
	for _, e := range entries {
		digits, isVersion := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".json"), "v")
		n, err := strconv.Atoi(digits)
		if isVersion && err == nil && n > 0 && e.Name() == path.Base(manifestName(n)) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

func readManifest(dir string, n int) (v koda.Version, size int64, err error) {
	data, err := readOwn(dir, manifestName(n))
	if err != nil && !isDamaged(err) {
		return v, 0, err
	}
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err == nil && v.Number != n {
		err = fmt.Errorf("it says version %d", v.Number)
	}
	if err == nil {
		err = checkVersion(v)
	}
	if err != nil {
		return v, 0, &koda.Error{
			Code: koda.CodeStorageFailed, Op: "read version", Err: fmt.Errorf("%s is damaged: %w", manifestName(n), err),
			Hint: "restore it from a backup",
		}
	}
	return v, int64(len(data)), nil
}

// checkVersion makes sure that koda can have written a version.
func checkVersion(v koda.Version) error {
	if v.Number < 1 {
		return damaged{fmt.Errorf("%d is not a version", v.Number)}
	}
	if err := checkList(v.Files); err != nil {
		return damaged{err}
	}
	return nil
}

// Version opens the files of version n, read only: an fs.FS with ReadFile, ReadDir and
// Stat. When a content is read, it is checked against its digest. If a content is lost or
// damaged, Version reads the project's file at that path, as long as the file still has
// the content; otherwise the error is STORAGE_FAILED. Other versions may be damaged. If
// version n does not exist, the error is NOT_FOUND.
func (s *Storage) Version(dir string, n int) (fs.FS, error) {
	op := fmt.Sprintf("open version %d", n)
	p, err := applying(dir)
	if err != nil {
		return nil, fail(op, dir, err)
	}
	if p != nil && p.Version != nil && p.Version.Number == n {
		return newFS(dir, *p.Version)
	}
	v, _, err := readManifest(dir, n)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("%s: %s has no version %d", op, filepath.Base(dir), n)}
	}
	if err != nil {
		return nil, fail(op, dir, err)
	}
	return newFS(dir, v)
}

// versionFS is a version as a file system. It has the directories that its paths imply.
type versionFS struct {
	dir   *projectfs.FS // closed when nobody uses it any more
	read  projectfs.Budget
	at    time.Time
	files map[string]string // path → digest
	dirs  map[string][]fs.DirEntry
}

func newFS(dir string, v koda.Version) (*versionFS, error) {
	project, err := projectfs.Open(dir)
	if err != nil {
		return nil, fail("open version", dir, err)
	}
	f := &versionFS{dir: project, at: v.CreatedAt, files: v.Files, dirs: map[string][]fs.DirEntry{".": {}}}
	for _, p := range paths(v.Files) {
		f.dirs[path.Dir(p)] = append(f.dirs[path.Dir(p)], entry{f, p, false})
		for d := path.Dir(p); d != "."; d = path.Dir(d) {
			parent := path.Dir(d)
			e := entry{f, d, true}
			if slices.Contains(f.dirs[parent], fs.DirEntry(e)) {
				break
			}
			f.dirs[parent] = append(f.dirs[parent], e)
		}
	}
	for _, entries := range f.dirs {
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return f, nil
}

func (f *versionFS) Open(name string) (fs.File, error) {
	info, err := f.stat("open", name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return &openDir{info: info, entries: f.dirs[name]}, nil
	}
	data, err := f.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &openFile{Reader: bytes.NewReader(data), info: info}, nil
}

func (f *versionFS) ReadFile(name string) ([]byte, error) {
	digest, ok := f.files[name]
	if !ok {
		if _, err := f.stat("read", name); err != nil {
			return nil, err
		}
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("is a directory")}
	}
	data, err := getObjectIn(f.dir, digest)
	if err != nil {
		if data, ok := f.inPlace(name, digest); ok {
			return data, nil
		}
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	// Counted by name: many names may share one content.
	if err := f.read.Count(name, int64(len(data))); err != nil {
		return nil, err
	}
	return data, nil
}

// inPlace reads a content from the project's file at that path, if the file has it.
func (f *versionFS) inPlace(name, digest string) ([]byte, bool) {
	if d, err := look(f.dir, name); err != nil || d.digest != digest {
		return nil, false
	}
	data, err := f.dir.ReadFile(name)
	return data, err == nil && digestOf(data) == digest
}

func (f *versionFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if _, err := f.stat("readdir", name); err != nil {
		return nil, err
	}
	entries, ok := f.dirs[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a directory")}
	}
	return slices.Clone(entries), nil
}

func (f *versionFS) Stat(name string) (fs.FileInfo, error) { return f.stat("stat", name) }

func (f *versionFS) stat(op, name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if _, ok := f.dirs[name]; ok {
		return info{name: path.Base(name), mode: fs.ModeDir | 0o555, at: f.at}, nil
	}
	digest, ok := f.files[name]
	if !ok {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	object, err := f.dir.Stat(objectName(digest))
	if err == nil {
		return info{name: path.Base(name), size: object.Size(), mode: 0o444, at: f.at}, nil
	}
	if data, ok := f.inPlace(name, digest); ok {
		return info{name: path.Base(name), size: int64(len(data)), mode: 0o444, at: f.at}, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: err}
}

// entry is a file or directory of a version.
type entry struct {
	fs   *versionFS
	path string
	dir  bool
}

func (e entry) Name() string               { return path.Base(e.path) }
func (e entry) IsDir() bool                { return e.dir }
func (e entry) Info() (fs.FileInfo, error) { return e.fs.Stat(e.path) }

func (e entry) Type() fs.FileMode {
	if e.dir {
		return fs.ModeDir
	}
	return 0
}

type info struct {
	name string
	size int64
	mode fs.FileMode
	at   time.Time
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return i.at }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

type openFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }

type openDir struct {
	info    fs.FileInfo
	entries []fs.DirEntry // entries not read yet
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.Name(), Err: errors.New("is a directory")}
}

func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.entries)
	} else if len(d.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.entries))
	list := slices.Clone(d.entries[:n])
	d.entries = d.entries[n:]
	return list, nil
}
