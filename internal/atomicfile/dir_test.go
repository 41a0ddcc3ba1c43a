package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/atomicfile"
)

func TestDir(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	target := filepath.Join(parent, "frames")
	for _, text := range []string{"first", "second"} {
		d, err := atomicfile.CreateDir(target)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Abort()
		f, err := d.Create("of-" + text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if err := d.Commit(); err != nil {
			t.Fatal(err)
		}
		only(t, parent, "frames")
		only(t, target, "of-"+text)
		if got, err := os.ReadFile(filepath.Join(target, "of-"+text)); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	d, err := atomicfile.CreateDir(target)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../out", "/out", "a/../../out", ""} {
		if f, err := d.Create(name); err == nil {
			t.Errorf("made %s", f.Name())
		}
	}
	d.Abort()
	only(t, parent, "frames")
	only(t, target, "of-second")
	if d, err = atomicfile.CreateDir(filepath.Join(parent, "deep")); err != nil {
		t.Fatal(err)
	}
	defer d.Abort()
	f, err := d.Create("a/b/c")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), d.Commit()); err != nil {
		t.Fatal(err)
	}
	only(t, filepath.Join(parent, "deep/a/b"), "c")
}
