package workdir_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/workdir"
)

func TestStorage_ReadState_Damaged(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(string) string{
		"truncated":     func(s string) string { return s[:len(s)/2] },
		"empty":         func(string) string { return "" },
		"other JSON":    func(string) string { return `{"schema":1}` },
		"bad digest":    func(s string) string { return strings.Replace(s, `"src/a.ts": "`, `"src/a.ts": "zz`, 1) },
		"path outwards": func(s string) string { return strings.Replace(s, `"src/a.ts"`, `"../a.ts"`, 1) },
	} {
		s, dir := project(t)
		path := filepath.Join(dir, ".koda/state.json")
		checkpoint(t, s, dir, 1, 0, files{"src/a.ts": "1"})
		checkpoint(t, s, dir, 2, 0, files{"src/a.ts": "2"})
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, files{".koda/state.json": damage(string(data))})
		got, err := s.ReadState(dir)
		if err != nil || got.Seq != 1 || got.Damage == "" {
			t.Errorf("%s: state of event %d, damage %q, %v, want the state before it", name, got.Seq, got.Damage, err)
		}
		// The newer text on disk is not known to be koda's, so it is kept.
		if got := changes(t, s, dir); got != "src/a.ts" {
			t.Errorf("%s: changes %q", name, got)
		}
		checkpoint(t, s, dir, 3, 0, files{"src/a.ts": "2"})
		if got, err := s.ReadState(dir); err != nil || got.Seq != 3 || got.Damage != "" {
			t.Errorf("%s: after a new checkpoint: event %d, damage %q, %v", name, got.Seq, got.Damage, err)
		}
		prev, err := os.ReadFile(filepath.Join(dir, ".koda/state.prev.json"))
		if err != nil || !strings.Contains(string(prev), `"seq": 1,`) {
			t.Errorf("%s: the damaged state replaced the good one before: %s, %v", name, prev, err)
		}
	}
}

func TestStorage_ReadState_Refuses(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	_, err := s.ReadState(filepath.Join(dir, "nowhere"))
	wantCode(t, err, koda.CodeNotFound, "not a koda project")
	write(t, dir, files{".koda/state.json": "x"})
	_, err = s.ReadState(dir)
	wantCode(t, err, koda.CodeStorageFailed, "restore "+dir)
	write(t, dir, files{".koda/state.json": `{"schema": 99, "project": {"id": "p"}}`})
	_, err = s.ReadState(dir)
	wantCode(t, err, koda.CodeStorageFailed, "newer koda")
	_, err = s.Checkpoint(dir, koda.Checkpoint{State: state(1)})
	wantCode(t, err, koda.CodeStorageFailed, "newer koda")
	write(t, dir, files{".koda/pending.json": `{"state": {"schema": 99, "project": {"id": "p"}}}`})
	_, err = s.ReadState(dir)
	wantCode(t, err, koda.CodeStorageFailed, "update koda")
	write(t, dir, files{".koda/state.json": "", ".koda/pending.json": "{"})
	_, err = s.ReadState(dir)
	wantCode(t, err, koda.CodeStorageFailed, "restore "+dir)
	if release, err := s.Lock(dir); err != nil {
		t.Errorf("a damaged project cannot be locked, so not deleted: %v", err)
	} else if err := release(); err != nil {
		t.Error(err)
	}
}

func TestStorage_ReadState_Moved(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	checkpoint(t, s, dir, 1, 1, files{"src/a.ts": "1"})
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	got, err := s.ReadState(moved)
	if err != nil || got.Project.Dir != moved {
		t.Errorf("directory %s, %v, want %s", got.Project.Dir, err, moved)
	}
	if got := changes(t, s, moved); got != "" {
		t.Errorf("moving changed %q", got)
	}
	equal(t, "version 1", files{"src/a.ts": "1"}, version(t, s, moved, 1))
}

func TestStorage_Version(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	want := files{"koda.json": "{}", "src/App.tsx": "app", "src/a/b/c.ts": "c", "public/empty": "", "src/same.ts": "c"}
	checkpoint(t, s, dir, 1, 1, want)
	fsys, err := s.Version(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(fsys, paths(want)...); err != nil {
		t.Error(err)
	}
	if info, err := fs.Stat(fsys, "src/App.tsx"); err != nil || info.Size() != 3 || !info.ModTime().Equal(t0) {
		t.Errorf("stat: %v, %v", info, err)
	}
	_, err = s.Version(dir, 2)
	wantCode(t, err, koda.CodeNotFound, "has no version 2")

	objects := onDisk(t, filepath.Join(dir, ".koda/versions/objects"))
	if len(objects) != 4 {
		t.Errorf("%d contents stored, want 4: equal contents once", len(objects))
	}
	for name := range objects {
		path := filepath.Join(dir, ".koda/versions/objects", name)
		if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, []byte("rot"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	// Files that are still in place are read from the project directory.
	equal(t, "version 1", want, version(t, s, dir, 1))
	write(t, dir, files{"src/App.tsx": "by hand", "src/a/b/c.ts": "by hand"})
	_, err = fs.ReadFile(fsys, "src/App.tsx")
	wantCode(t, err, koda.CodeStorageFailed, "damaged")
	if err := os.RemoveAll(filepath.Join(dir, ".koda/versions/objects")); err != nil {
		t.Fatal(err)
	}
	_, err = fs.ReadFile(fsys, "src/a/b/c.ts")
	wantCode(t, err, koda.CodeStorageFailed, "is missing")

	// A damaged version is in the way of no other version.
	checkpoint(t, s, dir, 2, 2, want)
	write(t, dir, files{".koda/versions/v1.json": "{"})
	checkpoint(t, s, dir, 3, 3, want)
	for _, n := range []int{2, 3} {
		if _, err := s.Version(dir, n); err != nil {
			t.Errorf("version %d: %v", n, err)
		}
	}
	_, err = s.Version(dir, 1)
	wantCode(t, err, koda.CodeStorageFailed, "v1.json is damaged")
}

func paths(f files) []string {
	var list []string
	for p := range f {
		list = append(list, p)
	}
	return list
}

func TestStorage_Versions(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	if all, err := s.Versions(dir); err != nil || len(all) != 0 {
		t.Errorf("a new project has versions %v, %v", all, err)
	}
	for n := 1; n <= 11; n++ {
		checkpoint(t, s, dir, int64(n), n, files{"src/a.ts": fmt.Sprint(n)})
		checkpoint(t, s, dir, int64(n), 0, files{"src/a.ts": fmt.Sprint("draft ", n)})
	}
	all, err := s.Versions(dir)
	if err != nil || len(all) != 11 || all[1].Number != 2 || all[10].Number != 11 || len(all[10].Files) != 1 {
		t.Errorf("versions %v, %v", all, err)
	}
	equal(t, "version 3", files{"src/a.ts": "3"}, version(t, s, dir, 3))
	_, err = s.Checkpoint(dir, koda.Checkpoint{Files: files{}.bytes(), State: state(99), NewVersion: &koda.Version{Number: 10}})
	wantCode(t, err, koda.CodeExists, "version 11 is there already")
	checkpoint(t, s, dir, 12, 11, files{"src/a.ts": "11 again"})
	equal(t, "version 11", files{"src/a.ts": "11 again"}, version(t, s, dir, 11))
	if n := len(onDisk(t, filepath.Join(dir, ".koda/versions/objects"))); n != 11 {
		t.Errorf("%d contents stored, want the contents of 11 versions and no drafts", n)
	}
}

// TestStorage_Version_LeavesOut: files of the person that cannot be part of a
// project do not keep the other files from being saved.
func TestStorage_Version_LeavesOut(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	one := files{"src/a.ts": "1"}
	checkpoint(t, s, dir, 1, 1, one)
	link(t, "/etc/passwd", dir, "src/link.ts")
	write(t, dir, files{"src/a:b.ts": "odd name", "src/mine.ts": "mine"})
	checkpoint(t, s, dir, 2, 2, one)
	equal(t, "version 2", with(one, files{"src/mine.ts": "mine"}), version(t, s, dir, 2))
}

func TestStorage_Remove(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	source := filepath.Join(t.TempDir(), "data.json")
	write(t, filepath.Dir(source), files{"data.json": "[1]"})
	if _, err := s.AddAsset(dir, source); err != nil {
		t.Fatal(err)
	}
	checkpoint(t, s, dir, 1, 1, files{"koda.json": "{}", "src/a.ts": "a", "src/b/c.ts": "c"})
	write(t, dir, files{"renders/final.mp4": "video", "renders/x/f_001.png": "frame", "previews/.v1.mp4.123.tmp": "half"})
	release, err := s.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	left, err := s.Remove(dir)
	if err != nil || left != nil {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory is still there: %v: %v", err, onDisk(t, dir))
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	_, err = s.Remove(dir)
	wantCode(t, err, koda.CodeNotFound, "not a koda project")
}

func TestStorage_Remove_LeavesThePersons(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	checkpoint(t, s, dir, 1, 1, files{"koda.json": "{}", "src/a.ts": "a", "src/b.ts": "b", "public/c.txt": "c"})
	mine := files{"src/a.ts": "mine", "src/new.ts": "mine", "notes.md": "mine", "renders/notes.txt": "mine", ".git/HEAD": "ref", "node_modules/x/y.js": ""}
	write(t, dir, mine)
	link(t, t.TempDir(), dir, "out")
	left, err := s.Remove(dir)
	want := []string{".git/", "node_modules/", "notes.md", "out", "renders/notes.txt", "src/a.ts", "src/new.ts"}
	if err != nil || cmp.Diff(want, left) != "" {
		t.Errorf("left %v, %v, want %v", left, err, want)
	}
	remove(t, dir, "out")
	equal(t, "what is left", mine, onDisk(t, dir))

	plain := t.TempDir()
	write(t, plain, files{"src/a.ts": "a"})
	_, err = s.Remove(plain)
	wantCode(t, err, koda.CodeNotFound, "not a koda project")
	if len(onDisk(t, plain)) != 1 {
		t.Error("a directory koda did not make was touched")
	}
}

// TestStorage_Remove_Unfinished: a project that failed before its first checkpoint
// is removed without a trace.
func TestStorage_Remove_Unfinished(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	source := filepath.Join(t.TempDir(), "data.csv")
	write(t, filepath.Dir(source), files{"data.csv": "a,b\n1,2\n"})
	if _, err := s.AddAsset(dir, source); err != nil {
		t.Fatal(err)
	}
	if left, err := s.Remove(dir); err != nil || left != nil {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestFail(t *testing.T) {
	t.Parallel()
	for cause, want := range map[error]struct {
		code koda.Code
		hint string
	}{
		syscall.ENOSPC: {koda.CodeDiskFull, "free space"},
		syscall.EDQUOT: {koda.CodeDiskFull, "free space"},
		syscall.EROFS:  {koda.CodeStorageFailed, "writable"},
		syscall.EACCES: {koda.CodeStorageFailed, "writable"},
		syscall.EIO:    {koda.CodeStorageFailed, ""},
	} {
		err := workdir.Fail("save checkpoint", "/ball", fmt.Errorf("write x: %w", &fs.PathError{Op: "write", Path: "x", Err: cause}))
		wantCode(t, err, want.code, want.hint)
		if !errors.Is(err, cause) {
			t.Errorf("%v lost its cause", err)
		}
	}
}
