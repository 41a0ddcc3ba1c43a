package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// attempts is how often a reader begins again because a checkpoint was made while it
// read. Checkpoints are seconds apart, but a machine may be busy.
const attempts = 50

// errMoved tells a reader that the parts it read do not belong together.
var errMoved = errors.New("the project is being written")

// view is what the checkpoints say about a directory's files: old is the last checkpoint
// that was applied, next is the checkpoint that is being applied, if there is one.
type view struct {
	old, next map[string]string
	stamp     string // changes with every checkpoint
}

// last is the last checkpoint.
func (v view) last() map[string]string {
	if v.next != nil {
		return v.next
	}
	return v.old
}

// ours reports whether koda left this digest at path ("" means no file).
func (v view) ours(path, digest string) bool {
	return digest == v.old[path] || v.next != nil && digest == v.next[path]
}

func readView(dir string) (view, error) {
	v := view{stamp: stampOf(dir)}
	l, err := readLast(dir)
	if err != nil {
		return v, err
	}
	v.old = l.state.Files
	if l.next != nil {
		v.next = l.next.State.Files
	}
	return v, nil
}

// stampOf looks for pending.json first, because pending.json is removed last. If a
// checkpoint is applied between the two looks, it has changed state.json, and so the
// stamp. In the other order the stamp would not change.
func stampOf(dir string) string {
	stamp := ""
	for _, name := range []string{pendingName, stateName} {
		info, err := os.Lstat(filepath.Join(dir, name))
		if err != nil {
			stamp += "- "
			continue
		}
		stamp += fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size(), " ")
		if sys, ok := info.Sys().(*syscall.Stat_t); ok {
			stamp += fmt.Sprint(sys.Ino, " ")
		}
	}
	return stamp
}

// settled calls read with a view until no checkpoint came in between.
func settled[T any](dir string, read func(view) (T, error)) (result T, err error) {
	for range attempts {
		var v view
		if v, err = readView(dir); err != nil {
			return result, err
		}
		result, err = read(v)
		if moved := stampOf(dir) != v.stamp; !moved && !errors.Is(err, errMoved) {
			return result, err
		}
	}
	return result, err
}

// Tree reads the generated files of the directory: files at its root that a project can
// have, and all files in src/, public/ and scripts/, except hidden names and
// node_modules. The directory need not be a koda project. The files have the person's
// changes. A checkpoint that is being applied counts as applied.
//
// NOT_FOUND: the directory does not exist. INVALID_PATH: a link, or a name that no
// project can have. USAGE: a file larger than MaxFile.
func (s *Storage) Tree(dir string) (map[string][]byte, error) {
	tree, err := settled(dir, func(v view) (map[string][]byte, error) { return readTree(dir, v) })
	return tree, fail("read project files", dir, err)
}

func readTree(dir string, v view) (map[string][]byte, error) {
	tree := map[string][]byte{}
	err := walk(dir, func(f *projectfs.FS, path string) error {
		data, err := f.ReadFile(path)
		tree[path] = data
		return moved(err)
	}, refuse)
	if err != nil || v.next == nil {
		return tree, err
	}
	for path := range union(v.old, v.next) {
		digest := ""
		if data, ok := tree[path]; ok {
			digest = digestOf(data)
		}
		switch {
		case digest == v.next[path] || !v.ours(path, digest):
		case v.next[path] == "":
			delete(tree, path)
		default:
			if tree[path], err = getObject(dir, v.next[path]); err != nil {
				return nil, moved(err)
			}
		}
	}
	return tree, nil
}

// moved replaces the error about a file that was there a moment ago.
func moved(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", errMoved, err)
	}
	return err
}

// Changes lists the files that differ from the last checkpoint, by path: the person
// changed, added or deleted them. It fails as Tree does, and with NOT_FOUND if dir is not
// a project.
func (s *Storage) Changes(dir string) ([]koda.FileChange, error) {
	const op = "look for changed files"
	if err := meta(op, dir); err != nil {
		return nil, err
	}
	changes, err := settled(dir, func(v view) ([]koda.FileChange, error) { return readChanges(dir, v) })
	return changes, fail(op, dir, err)
}

func readChanges(dir string, v view) ([]koda.FileChange, error) {
	found := map[string]bool{}
	var changes []koda.FileChange
	err := walk(dir, func(f *projectfs.FS, path string) error {
		found[path] = true
		digest, err := hashFile(f, path)
		if err != nil || v.ours(path, digest) {
			return moved(err)
		}
		data, err := f.ReadFile(path)
		changes = append(changes, koda.FileChange{Path: path, Data: data})
		return moved(err)
	}, refuse)
	if err != nil {
		return nil, err
	}
	for path := range v.last() {
		if !found[path] && !v.ours(path, "") {
			changes = append(changes, koda.FileChange{Path: path, Deleted: true})
		}
	}
	slices.SortFunc(changes, func(a, b koda.FileChange) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

// refuse ends a walk at the first thing that cannot belong to a project.
func refuse(err error) error { return err }

// walk calls visit with every generated file of dir, by slash-separated path. It calls
// odd with an error about each thing among them that cannot be such a file.
func walk(dir string, visit func(f *projectfs.FS, path string) error, odd func(error) error) error {
	f, err := projectfs.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is no directory %s", dir)}
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	entries, err := f.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		folder := slices.Contains(folders, name)
		switch {
		case folder && e.IsDir():
			err = walkFolder(f, name, visit, odd)
		case folder && e.Type() == fs.ModeSymlink:
			_, err = f.Stat(name)
			err = odd(err)
		case !folder && !e.IsDir() && ValidPath(name) == nil:
			err = visitFile(f, e, name, visit, odd)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func walkFolder(f *projectfs.FS, folder string, visit func(f *projectfs.FS, path string) error, odd func(error) error) error {
	return fs.WalkDir(f, folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return moved(err)
		}
		hidden := strings.HasPrefix(e.Name(), ".") || strings.EqualFold(e.Name(), "node_modules")
		switch {
		case hidden && e.IsDir():
			return fs.SkipDir
		case hidden, e.IsDir():
			return nil
		}
		if err := ValidPath(path); err != nil {
			return odd(renamed(err))
		}
		return visitFile(f, e, path, visit, odd)
	})
}

// renamed is the error about a file whose name is not allowed.
func renamed(err error) error {
	return &koda.Error{Code: koda.CodeOf(err), Err: err, Hint: "rename it, or move it out of the project"}
}

// visitFile checks what is at path before it is read.
func visitFile(f *projectfs.FS, e fs.DirEntry, path string, visit func(f *projectfs.FS, path string) error, odd func(error) error) error {
	info, err := e.Info()
	if err != nil {
		return moved(err)
	}
	if err := projectfs.Readable(path, info); err != nil {
		return odd(err)
	}
	return visit(f, path)
}

// paths lists the keys of files in order.
func paths[V any](files map[string]V) []string { return slices.Sorted(maps.Keys(files)) }
