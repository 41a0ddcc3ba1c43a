package store_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/store"
)

// sound is the file of a closed koda database.
func sound(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "koda.db")
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	create(t, db, project("p1", "ball"))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A file that is not koda's database is refused with a hint, when it is opened and
// when it is to be set aside. Neither the file nor its directory is changed.
func TestOpen_ForeignFiles(t *testing.T) {
	t.Parallel()
	koda1 := sound(t)
	if len(koda1) < 3*4096 {
		t.Fatalf("a database of %d bytes", len(koda1))
	}
	damaged := append(bytes.Clone(koda1[:4096]), bytes.Repeat([]byte{0x5a}, len(koda1)-4096)...)
	others := bytes.Clone(damaged)
	copy(others[68:], "firefox!"[:4])
	text := func(s string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(s), 0o600) }
	}
	linkTo := func(data []byte) func(string) error {
		return func(path string) error {
			target := filepath.Join(filepath.Dir(path), "target")
			return errors.Join(os.WriteFile(target, data, 0o600), os.Symlink(target, path))
		}
	}
	for name, put := range map[string]func(path string) error{
		"a private key":                  text("-----BEGIN OPENSSH PRIVATE KEY-----\n"),
		"one byte":                       text("x"),
		"the head cut short":             text("SQLite for"),
		"the head of no database":        text(strings.Repeat("\x00", 100) + string(koda1[100:])),
		"a directory":                    func(path string) error { return os.Mkdir(path, 0o755) },
		"a FIFO":                         func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link to text":                 linkTo([]byte("notes")),
		"a link to a device":             func(path string) error { return os.Symlink("/dev/zero", path) },
		"a link to nothing":              func(path string) error { return os.Symlink("nowhere", path) },
		"a link to a damaged one":        linkTo(damaged),
		"another program's, damaged":     text(string(others)),
		"a database's head, and no more": text(string(koda1[:40])),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "koda.db")
			if err := put(path); err != nil {
				t.Fatal(err)
			}
			before := contents(t, dir)
			_, openErr := store.Open(t.Context(), path)
			aside, err := store.SetAside(t.Context(), path, time.Now())
			for _, err := range []error{openErr, err} {
				if koda.CodeOf(err) != koda.CodeStorageFailed || koda.HintOf(err) == "" || strings.Contains(koda.HintOf(err), "koda list") {
					t.Errorf("%v, hint %q", err, koda.HintOf(err))
				}
			}
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" || aside != "" {
				t.Errorf("set aside as %q; changed (-before +after):\n%s", aside, diff)
			}
		})
	}
}

// A link to a sound database, and an empty file, are taken.
func TestOpen_TakesLinksAndEmptyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, link, empty := filepath.Join(dir, "real.db"), filepath.Join(dir, "link.db"), filepath.Join(dir, "empty.db")
	err := errors.Join(os.WriteFile(real, sound(t), 0o600), os.Symlink(real, link), os.WriteFile(empty, nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{link: 1, empty: 0} {
		db := openAt(t, path)
		if all, err := db.List(t.Context()); err != nil || len(all) != want {
			t.Errorf("%s: %v, %v", path, all, err)
		}
	}
}

// contents are the files in a directory by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		found[path] = d.Type().String()
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			found[path] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
