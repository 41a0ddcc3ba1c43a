package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/store"
	"github.com/koda-video/koda/internal/store/storetest"
)

// worked is a project in which n large files were written, in a database at path.
func worked(t *testing.T, path string, n int) (*store.DB, koda.Project) {
	t.Helper()
	db := openAt(t, path)
	p := create(t, db, project("p1", "ball"))
	r := rand.New(rand.NewPCG(3, 4))
	var all []koda.Message
	for i := range n {
		all = append(all, koda.Message{ID: fmt.Sprint("m", i+1), Role: koda.RoleUser, Content: noise(r, 20_000), Timestamp: t0})
		c := said(p, all)
		c.Messages, c.Turn.Input, c.Version.Prompt, c.Cause = nil, "", "", nil
		c.Events = c.Events[1:]
		c.Events[0].Payload = koda.StateChange{Phase: koda.PhaseComplete}
		c.State, c.Blocks = json.RawMessage(`{}`), c.Blocks[1:]
		if _, err := db.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		p.Seq++
	}
	return db, p
}

// TestDB_Prune: when a project waits for nothing, its answers are dropped, and the
// blocks that showed them say how large they were. Everything else stays.
func TestDB_Prune(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "koda.db")
	db, p := worked(t, path, 20)
	ctx := t.Context()
	events, err := db.Events(ctx, "p1", 0)
	if err != nil {
		t.Fatal(err)
	}
	before := storetest.Dump(t, path)
	would, err := db.Prune(ctx, "p1", true)
	if diff := cmp.Diff(before, storetest.Dump(t, path)); diff != "" || err != nil || would < 20*9_000 {
		t.Errorf("a look would drop %d bytes, %v, and changed %.1000s", would, err, diff)
	}
	busy := koda.Commit{Project: p, Prev: p.Seq, At: t0, State: json.RawMessage(`{}`), Begun: []koda.Effect{{ID: "e1", Kind: "work"}}}
	if _, err := db.Commit(ctx, busy); err != nil {
		t.Fatal(err)
	}
	if size, err := db.Prune(ctx, "p1", false); err != nil || size != 0 {
		t.Errorf("while an effect is begun it dropped %d bytes, %v", size, err)
	}
	busy.Begun, busy.Done = nil, []string{"e1"}
	if _, err := db.Commit(ctx, busy); err != nil {
		t.Fatal(err)
	}
	if size, err := db.Prune(ctx, "p1", false); err != nil || size != would {
		t.Errorf("dropped %d bytes, %v, want %d", size, err, would)
	}
	blocks, err := db.Blocks(ctx, "p1-t7")
	if err != nil || len(blocks) != 1 || string(blocks[0].Content.(json.RawMessage)) != `{"input":null,"inputBytes":20035,"name":"sandbox_write_file"}` {
		t.Errorf("%v, %v", blocks, err)
	}
	if n, err := db.Int(ctx, `SELECT count(*) FROM calls`); err != nil || n != 0 {
		t.Errorf("%d calls are left, %v", n, err)
	}
	got, err := db.Events(ctx, "p1", 0)
	equal(t, "events", events, got, err)
	if size, err := db.Prune(ctx, "p1", false); err != nil || size != 0 {
		t.Errorf("again it dropped %d bytes, %v", size, err)
	}
	if size, err := db.Prune(ctx, "nobody", false); err != nil || size != 0 {
		t.Errorf("for an unknown project it dropped %d bytes, %v", size, err)
	}

	// The space goes back to the disk, and all rows stay.
	if err := db.Exec(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	dump, large := storetest.Dump(t, path), fileSize(t, path)
	freed, err := db.Compact(ctx)
	if err != nil || freed < 20*9_000 || fileSize(t, path) > large-freed {
		t.Errorf("freed %d bytes of %d, %v", freed, large, err)
	}
	if diff := cmp.Diff(dump, storetest.Dump(t, path)); diff != "" {
		t.Error(diff)
	}
	if freed, err := db.Compact(ctx); err != nil || freed != 0 {
		t.Errorf("again it freed %d bytes, %v", freed, err)
	}
	if err := db.IntegrityCheck(ctx); err != nil {
		t.Error(err)
	}
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestDB_Compact_Busy: a database that cannot be compacted now stays as it was.
func TestDB_Compact_Busy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "koda.db")
	db, p := worked(t, path, 20)
	if err := db.Delete(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	hasty, err := store.OpenWithin(t.Context(), path, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := hasty.Close(); err != nil {
			t.Error(err)
		}
	}()
	unlock := storetest.Lock(t, path)
	_, err = hasty.Compact(t.Context())
	wantCode(t, err, koda.CodeStorageFailed, "another program holds")
	unlock()
	if err := db.Exec(t.Context(), `PRAGMA max_page_count = 1`); err != nil {
		t.Fatal(err)
	}
	if freed, err := hasty.Compact(t.Context()); err != nil || freed == 0 {
		t.Errorf("freed %d bytes, %v", freed, err)
	}
}

// TestOpen_Sound: opening finds damage, also in a file that was sound before. A
// file that nobody changed since it was closed is not read again.
func TestOpen_Sound(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "koda.db")
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 50 {
		create(t, db, project(fmt.Sprint("p", n), "ball"))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	noted, err := os.ReadFile(path + ".sound")
	if err != nil || !strings.Contains(string(noted), " bytes at ") {
		t.Fatalf("%q, %v", noted, err)
	}
	openAt(t, path)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[3*4096:], strings.Repeat("damage", 100))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), path); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a damaged database was opened: %v", err)
	}
	if err := os.WriteFile(path+".sound", []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), path); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a damaged database was opened: %v", err)
	}
}

// BenchmarkOpen_Projects opens and lists among that many finished projects.
func BenchmarkOpen_Projects(b *testing.B) {
	for _, projects := range []int{10, 1000} {
		b.Run(fmt.Sprint(projects), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "koda.db")
			db, err := store.Open(b.Context(), path)
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(5, 6))
			for n := range projects {
				p := project(fmt.Sprint("p", n), fmt.Sprint("ball-", n))
				p.Phase = koda.PhaseComplete
				c := first(p)
				for i := range 40 {
					c.Blocks = append(c.Blocks, koda.Block{ID: fmt.Sprint(p.ID, "-b", i), TurnID: p.ID, Number: i, Type: koda.BlockTool, Content: noise(r, 2000)})
				}
				if err := db.Create(b.Context(), c); err != nil {
					b.Fatal(err)
				}
			}
			if err := db.Close(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				db, err := store.Open(b.Context(), path)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := db.FindProject(b.Context(), "ball-7"); err != nil {
					b.Fatal(err)
				}
				if err := db.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
