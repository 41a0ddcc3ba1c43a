package atomicfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "state.json")
	for _, want := range []string{"one", "two"} {
		if err := atomicfile.Write(path, []byte(want), 0o640); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("read %q, %v, want %q", got, err, want)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v, want 0640", info.Mode(), err)
	}
	only(t, dir, "state.json")
}

func TestWriteFunc_FillFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "video.mp4")
	if err := atomicfile.Write(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := atomicfile.WriteFunc(path, 0o644, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("err = %v, want the cause", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("target holds %q, want the old content", got)
	}
	only(t, dir, "video.mp4")
}

func TestCommit_TargetIsDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "out", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(filepath.Join(dir, "out"), nil, 0o644); err == nil {
		t.Error("a directory was replaced by a file")
	}
	only(t, dir, "out")
}

func TestPublish_ReplacesLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	victim, link, tmp := filepath.Join(dir, "victim"), filepath.Join(dir, "link"), filepath.Join(dir, ".new.1.tmp")
	for path, s := range map[string]string{victim: "precious", tmp: "new"} {
		if err := os.WriteFile(path, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Publish(tmp, link); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(victim); string(got) != "precious" {
		t.Errorf("the link was followed: %q", got)
	}
	if got, _ := os.ReadFile(link); string(got) != "new" {
		t.Errorf("link holds %q", got)
	}
}

func TestTarget(t *testing.T) {
	t.Parallel()
	f, err := atomicfile.Create(filepath.Join(t.TempDir(), "ball.v1.mp4"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	if got, ok := atomicfile.Target(f.Name()); got != "ball.v1.mp4" || !ok {
		t.Errorf("%s is on its way to %q, %v", f.Name(), got, ok)
	}
	for _, name := range []string{"", ".tmp", "..tmp", ".1.tmp", ".a.tmp", ".a..tmp", ".a.x.tmp", "a.1.tmp", ".a.1.tmpx"} {
		if got, ok := atomicfile.Target(name); ok {
			t.Errorf("%q is on its way to %q", name, got)
		}
	}
}

func TestIsTemp(t *testing.T) {
	t.Parallel()
	f, err := atomicfile.Create(filepath.Join(t.TempDir(), "a.mp4"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	if !atomicfile.IsTemp(f.Name()) {
		t.Errorf("%s is not recognised", f.Name())
	}
	for _, name := range []string{"a.tmp", ".hidden", "video.mp4"} {
		if atomicfile.IsTemp(name) {
			t.Errorf("%s is taken for a temporary file", name)
		}
	}
}

func only(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("directory holds %v, want only %s", entries, name)
	}
}

// A file can be written under any name that the file system takes, however long.
func TestLongName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{strings.Repeat("x", 255), strings.Repeat("é", 127), "a"} {
		if err := atomicfile.Write(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Error(err)
		}
		d, err := atomicfile.CreateDir(filepath.Join(dir, name+".d")[:len(dir)+1+min(255, len(name)+2)])
		if err != nil {
			t.Error(err)
			continue
		}
		d.Abort()
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestSetAside: whatever has the name gets another name, is not followed if it is a
// link, and replaces no other file.
func TestSetAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "state.json")
	if err := os.WriteFile(filepath.Join(dir, "victim"), []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	for i, plant := range []func() error{
		func() error { return os.WriteFile(path, []byte("{"), 0o644) },
		func() error { return os.Symlink("victim", path) },
		func() error { return os.MkdirAll(filepath.Join(path, "x"), 0o755) },
	} {
		if err := plant(); err != nil {
			t.Fatal(err)
		}
		want := path + []string{".damaged", ".damaged-2", ".damaged-3"}[i]
		if aside, err := atomicfile.SetAside(path); aside != want || err != nil {
			t.Errorf("set aside as %q, %v, want %q", aside, err, want)
		}
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "victim")); string(got) != "precious" {
		t.Errorf("the link was followed: %q", got)
	}
	if _, err := atomicfile.SetAside(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing is there: %v", err)
	}
}
