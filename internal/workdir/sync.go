package workdir

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// Mirror is a directory whose files are kept the same as those of somewhere else. The
// directory need not be a project. Its methods must not be called at the same time.
type Mirror struct {
	Dir string // absolute
	Now func() time.Time

	seen map[string]seen
}

// seen is a file when it was read last.
type seen struct {
	size, changed int64
	inode         uint64
	digest        string
}

// settledFor is how old a change must be before a file that looks the same is not read
// again: a later change may have the same time.
const settledFor = 3 * time.Second

// Files lists the files that Tree reads. Odd are sentences about what lies among them and
// cannot be such a file; it is left out. A directory that is not there has no files.
func (m *Mirror) Files(ctx context.Context) (files map[string]koda.FileStat, odd []string, err error) {
	files = map[string]koda.FileStat{}
	before := m.seen
	m.seen = map[string]seen{}
	err = walk(m.Dir, func(f *projectfs.FS, path string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		info, err := f.Lstat(path)
		if err != nil {
			return ignoreMissing(err)
		}
		s := seen{size: info.Size(), changed: info.ModTime().UnixNano()}
		if sys, ok := info.Sys().(*syscall.Stat_t); ok {
			s.inode = sys.Ino
		}
		if old := before[path]; old.size == s.size && old.changed == s.changed && old.inode == s.inode && m.Now().Sub(info.ModTime()) > settledFor {
			s.digest = old.digest
		} else if s.digest, err = hashFile(f, path); err != nil {
			return ignoreMissing(err)
		}
		if s.digest == unknown {
			odd = append(odd, tooLarge(koda.CodeUsage, path, s.size, projectfs.Limit(path)).Error())
			return nil
		}
		m.seen[path] = s
		files[path] = koda.FileStat{Digest: s.digest, Size: s.size}
		return nil
	}, func(err error) error {
		odd = append(odd, err.Error())
		return nil
	})
	if koda.CodeOf(err) == koda.CodeNotFound {
		err = nil
	}
	return files, odd, fail("look at the files", m.Dir, err)
}

// Read calls each with the content of files, in their order. A file that is not there any
// more is left out.
func (m *Mirror) Read(ctx context.Context, paths []string, each func(path string, data []byte) error) error {
	f, err := projectfs.Open(m.Dir)
	if err != nil {
		return fail("read files", m.Dir, err)
	}
	defer f.Close() //nolint:errcheck // only read
	for _, path := range paths {
		if err := cmp.Or(ctx.Err(), ValidPath(path)); err != nil {
			return err
		}
		data, err := f.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = each(path, data)
		}
		if err != nil {
			return fail("read "+path, m.Dir, err)
		}
	}
	return nil
}

// Change changes files. Base are the digests that the changes began from, "" for no file. A
// file that has another digest was changed here as well: it stays, the text of the change
// goes to .koda/conflicts, and its path is returned. An error is about some of the files;
// all others are changed.
func (m *Mirror) Change(ctx context.Context, changes []koda.FileChange, base map[string]string) (kept []string, err error) {
	for _, own := range []string{metaDir, conflictsDir} {
		if err := projectfs.NoLinks(m.Dir, own); err != nil {
			return nil, fail("change files", m.Dir, err)
		}
	}
	f, err := projectfs.Open(m.Dir)
	if err != nil {
		return nil, fail("change files", m.Dir, err)
	}
	defer f.Close() //nolint:errcheck // only read
	var errs []error
	for _, c := range changes {
		if ctx.Err() != nil {
			return kept, ctx.Err()
		}
		stays, err := m.change(f, c, base[c.Path])
		if stays {
			kept = append(kept, c.Path)
		}
		if err != nil { // one file that cannot be saved costs no other
			errs = append(errs, fmt.Errorf("%s: %w", c.Path, err))
		}
		if errors.Is(err, syscall.ENOSPC) {
			break
		}
	}
	if more := len(errs) - 3; more > 0 {
		errs = append(errs[:3], fmt.Errorf("and %d more", more))
	}
	return kept, fail("change files", m.Dir, errors.Join(errs...))
}

func (m *Mirror) change(f *projectfs.FS, c koda.FileChange, base string) (stays bool, err error) {
	if err := ValidPath(c.Path); err != nil {
		return false, err
	}
	there, err := look(f, c.Path)
	if err != nil {
		return false, err
	}
	want := ""
	if !c.Deleted {
		want = digestOf(c.Data)
	}
	switch {
	case there.digest == want && !there.dir:
		return false, nil
	case there.digest != base || there.dir || there.file != "":
		if c.Deleted {
			return true, nil
		}
		return true, keepRival(m.Dir, c.Path, c.Data)
	case c.Deleted:
		return false, removeFile(m.Dir, c.Path)
	}
	return false, replaceFile(m.Dir, c.Path, c.Data)
}

// Lock keeps other processes that keep the directory the same away until release is called.
// IN_USE: there is one.
func (m *Mirror) Lock() (release func() error, err error) {
	s := Storage{Now: m.Now}
	release, err = s.Lock(m.Dir)
	if koda.CodeOf(err) == koda.CodeInUse {
		err = &koda.Error{Code: koda.CodeInUse, Op: "another koda keeps " + m.Dir + " the same as a project", Hint: "wait until it is done, or choose another directory"}
	}
	return release, err
}

// strange reports whether the directory has files, and neither a page nor the state of a sync.
// Names that begin with a dot, such as .git, do not count.
func (m *Mirror) strange() bool {
	for _, name := range []string{metaDir, "koda.json"} {
		if _, err := os.Lstat(filepath.Join(m.Dir, name)); err == nil {
			return false
		}
	}
	entries, _ := os.ReadDir(m.Dir) //nolint:errcheck // what cannot be read cannot be written either, which is told next
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !strings.HasPrefix(e.Name(), ".") })
}

// Prepare makes the directory, and in it a place for koda's own files. EXISTS: a project
// lives there, or files of another kind do, which would be mixed with those of a project.
func (m *Mirror) Prepare() error {
	const op = "make ready for files"
	if _, err := os.Lstat(filepath.Join(m.Dir, stateName)); err == nil {
		return &koda.Error{Code: koda.CodeExists, Op: m.Dir + " is a project of its own", Hint: "choose another directory"}
	}
	if m.strange() {
		return &koda.Error{Code: koda.CodeExists, Op: m.Dir + " has files of another kind", Hint: "choose a new directory, or an empty one"}
	}
	if err := os.MkdirAll(filepath.Join(m.Dir, metaDir), 0o755); err != nil {
		return fail(op, m.Dir, err)
	}
	if err := projectfs.NoLinks(m.Dir, conflictsDir); err != nil {
		return fail(op, m.Dir, err)
	}
	ignoring := filepath.Join(m.Dir, ignoreName)
	if _, err := os.Lstat(ignoring); err == nil {
		return nil
	}
	return fail(op, m.Dir, writeFile(m.Dir, ignoreName, []byte(ignored[ignoreName]), 0o644))
}
