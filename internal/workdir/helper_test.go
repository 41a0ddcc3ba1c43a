package workdir_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/workdir"
)

var t0 = time.Date(2026, 3, 4, 5, 6, 7, 89, time.UTC)

type files map[string]string

func (f files) bytes() map[string][]byte {
	m := make(map[string][]byte, len(f))
	for p, s := range f {
		m[p] = []byte(s)
	}
	return m
}

func storage() *workdir.Storage {
	return &workdir.Storage{Now: func() time.Time { return t0 }, Release: "1.2.3"}
}

// project makes an empty project directory.
func project(t testing.TB) (*workdir.Storage, string) {
	t.Helper()
	return projectIn(t, t.TempDir())
}

func projectIn(t testing.TB, parent string) (*workdir.Storage, string) {
	t.Helper()
	s := storage()
	dir, err := s.Create(parent, "ball", false, unknown)
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func state(seq int64) koda.StateFile {
	return koda.StateFile{
		Schema: koda.SchemaVersion, Seq: seq, Project: koda.Project{ID: "p1", Name: "ball", CreatedAt: t0, UpdatedAt: t0},
		Machine: json.RawMessage(`{"n":[1,2]}`), Messages: []koda.Message{}, LastCheckpoint: koda.CheckpointMark{Timestamp: t0},
	}
}

// checkpoint saves tree at event seq. It is a draft if the version is 0.
func checkpoint(t testing.TB, s *workdir.Storage, dir string, seq int64, version int, tree files) []string {
	t.Helper()
	cp := koda.Checkpoint{Files: tree.bytes(), State: state(seq)}
	if version > 0 {
		cp.NewVersion = &koda.Version{Number: version, Phase: koda.PhasePreview, CreatedAt: t0}
	}
	kept, err := s.Checkpoint(dir, cp)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func write(t testing.TB, dir string, tree files) {
	t.Helper()
	for path, text := range tree {
		abs := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(t testing.TB, dir, path string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, path)); err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, target, dir, path string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, path)); err != nil {
		t.Fatal(err)
	}
}

// videosIgnored is the .gitignore of a new project.
const videosIgnored = "/renders/\n/previews/\n"

// onDisk reads all files below root except skip and the .gitignore of a new
// project.
func onDisk(t testing.TB, root string, skip ...string) files {
	t.Helper()
	got := files{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		for _, name := range skip {
			if d.Name() == name {
				return fs.SkipDir
			}
		}
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		if rel != ".gitignore" || string(data) != videosIgnored {
			got[rel] = string(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func texts(m map[string][]byte) files {
	f := files{}
	for p, b := range m {
		f[p] = string(b)
	}
	return f
}

func tree(t testing.TB, s *workdir.Storage, dir string) files {
	t.Helper()
	got, err := s.Tree(dir)
	if err != nil {
		t.Fatal(err)
	}
	return texts(got)
}

// version reads all files of a version through its file system.
func version(t testing.TB, s *workdir.Storage, dir string, n int) files {
	t.Helper()
	fsys, err := s.Version(dir, n)
	if err != nil {
		t.Fatal(err)
	}
	got := files{}
	err = fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, p)
		got[p] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// changes lists the result of Changes: "path" for a changed file, "-path" for a
// deleted file.
func changes(t testing.TB, s *workdir.Storage, dir string) string {
	t.Helper()
	all, err := s.Changes(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, c := range all {
		if c.Deleted {
			list = append(list, "-"+c.Path)
			continue
		}
		if want, err := os.ReadFile(filepath.Join(dir, c.Path)); err != nil || string(want) != string(c.Data) {
			t.Errorf("change of %s carries %q, want %q, %v", c.Path, c.Data, want, err)
		}
		list = append(list, c.Path)
	}
	return strings.Join(list, " ")
}

func equal(t testing.TB, what string, want, got files) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func wantCode(t testing.TB, err error, code koda.Code, says string) {
	t.Helper()
	if err == nil || koda.CodeOf(err) != code || !strings.Contains(err.Error()+" "+koda.HintOf(err), says) {
		t.Errorf("err = %v (%s, hint %q), want %s with %q", err, koda.CodeOf(err), koda.HintOf(err), code, says)
	}
}
