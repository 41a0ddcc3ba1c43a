package store_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/store/storetest"
)

// TestOpen_KilledMigrating: whenever a process is killed before or after a migration
// of an old database, the next process opens the database with all its content.
func TestOpen_KilledMigrating(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storetest.UnpackBefore(t, dir)
	old, err := os.ReadFile(filepath.Join(dir, "home", "koda.db"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(path string) map[string][]koda.Event {
		db := openAt(t, path)
		projects, err := db.List(t.Context())
		if err != nil || len(projects) != 2 {
			t.Fatal(projects, err)
		}
		all := map[string][]koda.Event{}
		for _, p := range projects {
			if all[p.Name], err = db.Events(t.Context(), p.ID, 0); err != nil || int64(len(all[p.Name])) != p.Seq {
				t.Fatal(len(all[p.Name]), err)
			}
		}
		if err := db.IntegrityCheck(t.Context()); err != nil {
			t.Error(err)
		}
		return all
	}
	at := func(name string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, old, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := read(at("koda.db"))
	for n := 1; n <= 2; n++ {
		for _, point := range []string{"store.commit.before", "store.commit.after"} {
			path := at("koda.db")
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), "STORE_CHILD=open", "STORE_PATH="+path, fmt.Sprintf("KODA_FAILPOINT=%s:%d", point, n))
			if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("it was not killed at %s:%d: %v, %s", point, n, err, out)
			}
			if diff := cmp.Diff(want, read(path)); diff != "" {
				t.Errorf("after %s:%d: %s", point, n, diff)
			}
		}
	}
}
