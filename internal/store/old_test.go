package store_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/koda"
)

// TestOpen_OldCalls: answers in a database of the koda before remain answers, in
// the order in which their checkpoints counted them.
func TestOpen_OldCalls(t *testing.T) {
	t.Parallel()
	path, ctx := filepath.Join(atomicfiletest.Dir(t), "koda.db"), t.Context()
	old, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	run := func(stmt string) {
		t.Helper()
		if _, err := old.ExecContext(ctx, stmt); err != nil {
			t.Fatal(err)
		}
	}
	run(`CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)`)
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	for i, file := range files[:6] {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		run(string(data))
		if _, err := old.ExecContext(ctx, `INSERT INTO migrations VALUES (?, ?)`, i+1, file); err != nil {
			t.Fatal(err)
		}
	}
	run(`INSERT INTO projects VALUES ('p1', 'local', 'ball', '/ball', 'executing', 'ball', 'recipe', 'local', 3, '2026-01-02T03:04:05.000000000Z', '2026-01-02T03:04:05.000000000Z', '{}')`)
	run(`INSERT INTO turns VALUES ('p1-t1', 'p1', 1, 'new', 'ball', 'running', NULL, NULL, NULL)`)
	run(`INSERT INTO calls VALUES ('p1', 'p1-t1', '2', 1, 'd1', 'sandbox_read_file', '{}', NULL, 'FILE_NOT_FOUND', 'there is no a', NULL),
		('p1', 'p1-t1', '2', 0, 'd0', 'sandbox_write_file', '{"path":"a"}', '{"success":true}', '', '', NULL)`)
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	db := openAt(t, path)
	step := koda.CallKey{ProjectID: "p1", TurnID: "p1-t1", Step: "2"}
	first := koda.CallRecord{Key: step, Answer: 1, Digest: "d0", Name: "sandbox_write_file", Input: json.RawMessage(`{"path":"a"}`)}
	second := koda.CallRecord{Key: step, Answer: 2, Digest: "d1", Name: "sandbox_read_file", Input: json.RawMessage(`{}`), ErrCode: koda.CodeFileNotFound, ErrText: "there is no a"}
	second.Key.Ordinal = 1
	got, err := db.Answered(ctx, step)
	equal(t, "answers", []koda.CallRecord{first, second}, got, err)
	first.Output = json.RawMessage(`{"success":true}`)
	call, ok, err := db.Call(ctx, step)
	equal(t, "answer", first, call, err)
	turns, err := db.Turns(ctx, "p1")
	if !ok || err != nil || len(turns) != 1 || turns[0].Cost != (koda.Cost{}) {
		t.Errorf("%v, turns %+v, %v", ok, turns, err)
	}
}
