package workdir

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// Checkpoint makes cp the last checkpoint, wholly or not at all, even after a crash. It
// may return an error although cp holds: if the disk fills up before all files are in
// place, the next owner finishes the work. Checkpoint returns the paths of files that the
// person changed since the last checkpoint. These files stay as they are. If the author
// changed such a file too, the author's text is in .koda/conflicts.
//
// If Files is nil, only the state is written: the files of the last checkpoint stay, and
// so do its TheatreState and Covers if cp has none. If there is no last checkpoint any
// more, koda counts as having written cp.State.Files.
//
// INVALID_PATH: a path is not allowed, or a link is in the way. SAVE_FAILED: there are
// too many files, or too large files. EXISTS: NewVersion is older than the last version.
func (s *Storage) Checkpoint(dir string, cp koda.Checkpoint) (kept []string, err error) {
	const op = "save checkpoint"
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if err := meta(op, dir); err != nil {
		return nil, err
	}
	if err := checkFiles(cp.Files); err != nil {
		return nil, err
	}
	if err := s.finish(dir); err != nil {
		return nil, fail("finish the checkpoint before", dir, err)
	}
	old, err := readState(dir)
	if err != nil {
		return nil, err
	}
	kept, err = s.checkpoint(dir, old, cp)
	return kept, fail(op, dir, err)
}

// checkFiles refuses what a checkpoint must not hold.
func checkFiles(files map[string][]byte) error {
	if len(files) > MaxFiles {
		return &koda.Error{Code: koda.CodeSaveFailed, Op: fmt.Sprintf("the project has %d files, at most %d can be saved", len(files), MaxFiles)}
	}
	if err := checkPaths(files); err != nil {
		return err
	}
	total := 0
	for path, data := range files {
		if limit := projectfs.Limit(path); int64(len(data)) > limit {
			return tooLarge(koda.CodeSaveFailed, path, int64(len(data)), limit)
		}
		total += len(data)
	}
	if total > MaxTotal {
		return &koda.Error{Code: koda.CodeSaveFailed, Op: fmt.Sprintf("the project's files have %d MB, at most %d can be saved", total>>20, MaxTotal>>20)}
	}
	return nil
}

// checkPaths makes sure that a project can hold all these files together.
func checkPaths[V any](files map[string]V) error {
	for path := range files {
		if err := ValidPath(path); err != nil {
			return err
		}
		for at := parentOf(path); at != ""; at = parentOf(at) {
			if _, both := files[at]; both {
				return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("path %q lies below the file %q", path, at)}
			}
		}
	}
	return nil
}

func tooLarge(code koda.Code, path string, size, limit int64) error {
	return &koda.Error{
		Code: code, Op: fmt.Sprintf("%s is too large (%d MB, at most %d)", path, size>>20, limit>>20),
		Hint: "make it smaller, or move it out of the project",
	}
}

// checkpoint stores the contents, writes down what will be done, and does it.
func (s *Storage) checkpoint(dir string, old koda.StateFile, cp koda.Checkpoint) ([]string, error) {
	next := pending{State: cp.State}
	next.State.Schema = koda.SchemaVersion
	if cp.Files == nil {
		if old.Project.ID != "" {
			next.State.Files = old.Files
		}
		if next.State.TheatreState == nil {
			next.State.TheatreState = old.TheatreState
		}
		if next.State.LastCheckpoint.Covers == nil {
			next.State.LastCheckpoint.Covers = old.LastCheckpoint.Covers
		}
		if next.State.Files == nil {
			next.State.Files = map[string]string{}
		}
		return nil, writeState(dir, next.State)
	}
	next.State.Files = make(map[string]string, len(cp.Files))
	for path, data := range cp.Files {
		next.State.Files[path] = digestOf(data)
	}
	plan, err := decide(dir, old.Files, next.State.Files)
	if err != nil {
		return nil, err
	}
	if cp.NewVersion != nil {
		if next.Version, err = newVersion(dir, plan, next.State.Files, *cp.NewVersion); err != nil {
			return nil, err
		}
		next.State.Version = next.Version.Number
		cp.NewVersion.Files = next.Version.Files
	}
	if len(plan.write)+len(plan.remove)+len(plan.kept) == 0 && next.Version == nil {
		return nil, writeState(dir, next.State)
	}
	// The files of the project are replaced from these contents, now or after a crash.
	err = each(slices.Sorted(maps.Keys(cp.Files)), func(path string) error {
		digest := next.State.Files[path]
		if next.Version == nil && old.Files[path] == digest && !plan.write[path] {
			return nil
		}
		return putObject(dir, digest, cp.Files[path])
	})
	if err != nil {
		return nil, err
	}
	failpoint.Hit("workdir.checkpoint.stored")
	if err := writePending(dir, next); err != nil {
		return nil, err
	}
	failpoint.Hit("workdir.checkpoint.pending")
	return s.apply(dir, old.Files, next, plan)
}

// finish applies a checkpoint that a crash or a full disk interrupted. If the checkpoint
// cannot be applied, it is set aside, and the checkpoint before it holds.
func (s *Storage) finish(dir string) error {
	l, err := readLast(dir)
	if l.refused != nil && isDamaged(l.refused) {
		return errors.Join(err, s.setAside(dir, pendingName, l.refused))
	}
	if err != nil || l.next == nil {
		return err
	}
	plan, err := decide(dir, l.state.Files, l.next.State.Files)
	if err != nil {
		return err
	}
	_, err = s.apply(dir, l.state.Files, *l.next, plan)
	if _, gone := errors.AsType[lost](err); gone {
		return s.setAside(dir, pendingName, err)
	}
	return err
}

func (s *Storage) setAside(dir, name string, why error) error {
	aside, err := atomicfile.SetAside(filepath.Join(dir, name))
	if err != nil {
		return fail("set "+name+" aside", dir, err)
	}
	if s.Now != nil {
		s.Log(dir, s.Now(), fmt.Sprintf("went back to the checkpoint before; %s is kept as %s: %v", name, filepath.Base(aside), why))
	}
	return nil
}

// apply brings the directory to what next says. Every step may be repeated.
func (s *Storage) apply(dir string, old map[string]string, next pending, plan plan) ([]string, error) {
	for _, path := range sorted(plan.remove) {
		if err := removeFile(dir, path); err != nil {
			return nil, err
		}
		failpoint.Hit("workdir.checkpoint.remove")
	}
	err := each(sorted(plan.write), func(path string) error {
		data, err := getObject(dir, next.State.Files[path])
		if err != nil {
			return err
		}
		if plan.disk[path].dir {
			if err := removeEmptyDirs(filepath.Join(dir, path)); err != nil {
				return err
			}
		}
		if err := replaceFile(dir, path, data); err != nil {
			return err
		}
		failpoint.Hit("workdir.checkpoint.write")
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, path := range sorted(plan.kept) {
		digest := next.State.Files[path]
		if digest == "" || digest == old[path] {
			continue // the author did not change it
		}
		if err := saveRival(dir, path, digest); err != nil {
			return nil, err
		}
	}
	if next.Version != nil {
		if err := writeManifest(dir, *next.Version); err != nil {
			return nil, err
		}
		failpoint.Hit("workdir.checkpoint.version")
	}
	if err := writeState(dir, next.State); err != nil {
		return nil, err
	}
	failpoint.Hit("workdir.checkpoint.state")
	if err := removePending(dir); err != nil {
		return nil, err
	}
	failpoint.Hit("workdir.checkpoint.done")
	if next.Version != nil {
		if _, _, err := collect(dir, false); err != nil {
			return nil, err
		}
	}
	return sorted(plan.kept), nil
}

// each calls do for all paths, several at once, because most of the time is spent waiting
// for the disk. It returns when all calls are done, with their errors joined.
func each(paths []string, do func(path string) error) error {
	const atOnce = 8
	errs := make([]error, atOnce)
	var next atomic.Int64
	var wg sync.WaitGroup
	for worker := range min(atOnce, len(paths)) {
		wg.Go(func() {
			for errs[worker] == nil {
				i := next.Add(1) - 1
				if i >= int64(len(paths)) {
					return
				}
				errs[worker] = do(paths[i])
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// saveRival puts the author's text into conflicts, as path.1, path.2, …, unless the same
// text is there already.
func saveRival(dir, path, digest string) error {
	data, err := getObject(dir, digest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // this needs a person who edits during a crash
	}
	if err != nil {
		return err
	}
	return keepRival(dir, path, data)
}

// keepRival is saveRival for a text at hand.
func keepRival(dir, path string, data []byte) error {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s/%s.%d", conflictsDir, path, n)
		have, err := projectfs.ReadFile(dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			return writeFile(dir, name, data, 0o644)
		}
		if err := projectfs.NoLinks(dir, parentOf(name)); err != nil {
			return err
		}
		if err == nil && bytes.Equal(have, data) { // otherwise it is another text, or cannot be read
			return nil
		}
	}
}

// plan is what a checkpoint will do to the files of a directory.
type plan struct {
	write  map[string]bool
	remove map[string]bool
	kept   map[string]bool // files of the person
	disk   map[string]onDisk
}

// decide compares three things: what koda wrote last, what koda will write, and what is
// there. A file is koda's if its content, or its absence, equals one of the first two.
func decide(dir string, old, next map[string]string) (plan, error) {
	p := plan{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]onDisk{}}
	f, err := projectfs.Open(dir)
	if err != nil {
		return plan{}, err
	}
	defer f.Close() //nolint:errcheck // only read
	for _, path := range sorted(union(old, next)) {
		d, err := look(f, path)
		if err != nil {
			return plan{}, err
		}
		p.disk[path] = d
		ours := d.digest == next[path] || !d.dir && d.digest == old[path]
		switch {
		case !ours:
			p.kept[path] = true
		case d.digest == next[path]: // nothing to do
		case next[path] == "":
			p.remove[path] = true
		default:
			p.write[path] = true
		}
	}
	// If files are in each other's way, koda's own files make room.
	for path := range p.write {
		if file := p.disk[path].file; file != "" && !p.remove[file] {
			delete(p.write, path)
			p.kept[path] = true
		}
	}
	for path := range p.kept {
		if next[path] == "" || !p.disk[path].dir {
			continue
		}
		free, err := becomesEmpty(dir, path, p.remove)
		if err != nil {
			return plan{}, err
		}
		if free {
			delete(p.kept, path)
			p.write[path] = true
		}
	}
	return p, nil
}

// becomesEmpty reports whether a directory has no file left after files are removed from
// it.
func becomesEmpty(dir, path string, removed map[string]bool) (bool, error) {
	empty := true
	err := filepath.WalkDir(filepath.Join(dir, path), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return fmt.Errorf("name %s: %w", p, err)
		}
		if !removed[filepath.ToSlash(rel)] {
			empty = false
			return fs.SkipAll
		}
		return nil
	})
	return empty, err
}

// union is the set of all keys.
func union(files ...map[string]string) map[string]bool {
	all := map[string]bool{}
	for _, m := range files {
		for p := range m {
			all[p] = true
		}
	}
	return all
}

func sorted(set map[string]bool) []string {
	if len(set) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(set))
}
