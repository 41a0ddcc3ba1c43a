package store_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/store"
)

func TestOpen_CreatesPrivately(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a home?", "100%#", "koda.db")
	db := openAt(t, path)
	create(t, db, project("p1", "ball"))
	for p, want := range map[string]os.FileMode{path: 0o600, path + "-wal": 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", p, info.Mode(), err, want)
		}
	}
	for pragma, want := range map[string]int{"synchronous": 2, "foreign_keys": 1, "busy_timeout": 10000} {
		if n, err := db.Int(t.Context(), "PRAGMA "+pragma); err != nil || n != want {
			t.Errorf("%s = %d, %v, want %d", pragma, n, err, want)
		}
	}
	if mode, err := db.Texts(t.Context(), "PRAGMA journal_mode"); err != nil || mode[0] != "wal" {
		t.Errorf("journal mode %v, %v", mode, err)
	}
}

func TestOpen_Again(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "koda.db")
	for i := range 3 {
		db, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			create(t, db, project("p1", "ball"))
		}
		if _, _, err := db.Load(t.Context(), "p1"); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOpen_Refuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	with := func(name string, stmts ...string) string {
		path := filepath.Join(dir, name)
		db, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, stmt := range stmts {
			if err := db.Exec(t.Context(), stmt); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, tt := range map[string]struct{ path, says, hint string }{
		"newer":           {with("newer.db", `INSERT INTO migrations VALUES (99, 'x')`), "written by a newer koda", "update koda"},
		"other program":   {with("other.db", `PRAGMA application_id = 7`), "another program", "DATABASE_PATH"},
		"no database":     {file("text.db", bytes.Repeat([]byte("not a database. "), 100)), "is not a database, and is left alone", "move"},
		"directory":       {dir, "not a regular file", "DATABASE_PATH"},
		"below a file":    {filepath.Join(file("file", nil), "koda.db"), "not a directory", "DATABASE_PATH"},
		"read-only place": {"/sys/koda-store-test/koda.db", "mkdir /sys", "writable"},
	} {
		_, err := store.Open(t.Context(), tt.path)
		if err == nil || koda.CodeOf(err) != koda.CodeStorageFailed || !strings.Contains(err.Error(), tt.says) || !strings.Contains(koda.HintOf(err), tt.hint) {
			t.Errorf("%s: %v (%s, hint %q), want %q with a hint of %q", name, err, koda.CodeOf(err), koda.HintOf(err), tt.says, tt.hint)
		}
	}
}

func TestDB_Damaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "koda.db")
	db := openAt(t, path)
	for _, id := range []string{"p1", "p2", "p3"} {
		create(t, db, project(id, id))
	}
	if err := db.Exec(t.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(data); i++ {
		data[i] ^= 0x5a
	}
	broken := filepath.Join(t.TempDir(), "koda.db")
	if err := os.WriteFile(broken, data, 0o600); err != nil {
		t.Fatal(err)
	}
	bad, err := store.Open(t.Context(), broken)
	if err == nil {
		err = errors.Join(bad.IntegrityCheck(t.Context()), bad.Close())
	}
	wantCode(t, err, koda.CodeStorageFailed, "move "+broken+" away")
}

func TestDB_Locked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "koda.db")
	holder := openAt(t, path)
	p := create(t, holder, project("p1", "ball"))
	if err := holder.Exec(t.Context(), `BEGIN EXCLUSIVE`); err != nil {
		t.Fatal(err)
	}
	db, err := store.OpenWithin(t.Context(), path, 50*time.Millisecond)
	if err != nil {
		t.Fatalf("a writer keeps readers out: %v", err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if all, err := db.List(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("reading waits for a writer: %v, %v", all, err)
	}
	c := first(p)
	c.Prev = 1
	_, err = db.Commit(t.Context(), c)
	wantCode(t, err, koda.CodeStorageFailed, "holds "+path+" locked")
	if err := holder.Exec(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Commit(t.Context(), c); err != nil {
		t.Error(err)
	}
}

func BenchmarkOpenAndList(b *testing.B) {
	path := filepath.Join(b.TempDir(), "koda.db")
	for b.Loop() {
		db, err := store.Open(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := db.List(b.Context()); err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCommit(b *testing.B) {
	db, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "koda.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // a benchmark
	c := first(project("p1", "ball"))
	if err := db.Create(b.Context(), c); err != nil {
		b.Fatal(err)
	}
	for c.Prev = 1; b.Loop(); c.Prev++ {
		if _, err := db.Commit(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}

// TestBuild_WithoutCgo: without a C compiler the build says so in one line.
func TestBuild_WithoutCgo(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err == nil || len(lines) != 2 || !strings.Contains(lines[1], "koda_needs_cgo__install_gcc_and_set_CGO_ENABLED_1") {
		t.Errorf("go build says %q, %v, want one line that says what is missing", out, err)
	}
}
