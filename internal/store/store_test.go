package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/store"
)

var (
	_ interface {
		Create(context.Context, koda.Commit) error
		Commit(context.Context, koda.Commit) ([]koda.Event, error)
		Load(context.Context, string) (koda.Project, json.RawMessage, error)
		List(context.Context) ([]koda.Project, error)
		Delete(context.Context, string) error
	} = (*store.DB)(nil)

	t0 = time.Date(2026, 3, 4, 5, 6, 7, 89, time.UTC)
)

func TestMain(m *testing.M) {
	if mode := os.Getenv("STORE_CHILD"); mode != "" {
		if err := child(mode, os.Getenv("STORE_PATH"), os.Getenv("STORE_PROJECT")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func open(t *testing.T) *store.DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "home", "koda.db"))
}

func openAt(t *testing.T, path string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func project(id, name string) koda.Project {
	return koda.Project{
		ID: id, Name: name, Dir: "/home/ann/" + name, UserID: koda.LocalUser, Phase: koda.PhaseQuestion,
		Prompt: "bouncing ball", Author: "recipe", SandboxType: "local", CreatedAt: t0, UpdatedAt: t0,
	}
}

func first(p koda.Project) koda.Commit {
	return koda.Commit{
		Project: p, At: t0, State: json.RawMessage(`{"step":1}`),
		Events: []koda.Event{{Type: koda.EventMessage, Payload: koda.MessageAdded{Role: "user", Content: p.Prompt}}},
	}
}

func create(t *testing.T, db *store.DB, p koda.Project) koda.Project {
	t.Helper()
	if err := db.Create(t.Context(), first(p)); err != nil {
		t.Fatal(err)
	}
	p.Seq = 1
	return p
}

func wantCode(t *testing.T, err error, code koda.Code, hint string) {
	t.Helper()
	if koda.CodeOf(err) != code || !strings.Contains(koda.HintOf(err), hint) {
		t.Errorf("err = %v (%s, hint %q), want %s with a hint of %q", err, koda.CodeOf(err), koda.HintOf(err), code, hint)
	}
}

func TestDB_Create(t *testing.T) {
	t.Parallel()
	db := open(t)
	want := create(t, db, project("p1", "ball"))
	got, state, err := db.Load(t.Context(), "p1")
	if err != nil || string(state) != `{"step":1}` {
		t.Errorf("state = %s, %v", state, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	wantCode(t, db.Create(t.Context(), first(want)), koda.CodeExists, "")
	_, _, err = db.Load(t.Context(), "p2")
	wantCode(t, err, koda.CodeNotFound, "koda list")
}

// TestDB_Commit writes every kind of thing and reads it back.
func TestDB_Commit(t *testing.T) {
	t.Parallel()
	db, ctx := open(t), t.Context()
	p := create(t, db, project("p1", "ball"))
	p.Phase, p.UpdatedAt = koda.PhaseExecuting, t0.Add(time.Minute)
	turn := koda.Turn{ID: "t1", ProjectID: "p1", Number: 1, Kind: "new", Input: "bouncing ball", Status: "running", StartedAt: t0}
	spec := koda.RenderSpec{ID: "r1", Kind: koda.RenderPreview, Width: 640, Height: 360, FPS: koda.FPS{Num: 15, Den: 1}, Frames: 75}
	version := koda.Version{Number: 1, TurnID: "t1", Prompt: "bouncing ball", Author: "recipe", Phase: koda.PhaseExecuting, Files: map[string]string{"src/App.tsx": "ab"}, CreatedAt: t0,
		Model: "m", PromptDigest: "p", RuntimeDigest: "r", Cost: koda.Cost{USD: 0.25, InputTokens: 7}, Origin: &koda.Origin{ProjectID: "p0", Name: "square", Dir: "/square", Version: 3}}
	c := koda.Commit{
		Project: p, Prev: 1, At: t0, State: json.RawMessage(`{"step":2}`),
		Events: []koda.Event{
			{Type: koda.EventStateChange, Payload: koda.StateChange{Phase: koda.PhaseExecuting, State: koda.NodeState{NodeID: "p1", CreatedAt: t0, UpdatedAt: t0}}},
			{Type: koda.EventTodoUpdate, Payload: koda.TodoUpdate{TodoID: "1", Status: koda.TodoActive}},
			{Type: koda.EventFileWritten, Payload: koda.FileWritten{Path: "src/App.tsx", Size: 12}},
			{Type: koda.EventPreviewReady, Payload: koda.PreviewReady{URL: "/p.mp4"}},
			{Type: koda.EventCheckpoint, Payload: koda.Checkpointed{TodoIndex: 1, Files: 3}},
			{Type: koda.EventVersion, Payload: koda.Versioned{Version: 1, Files: 3}},
			{Type: koda.EventCheckout, Payload: koda.CheckedOut{Version: 1}},
			{Type: koda.EventOutput, Payload: koda.OutputReady{URL: "/f.mp4", SHA256: "cd"}},
			{Type: koda.EventError, Payload: koda.ErrorRaised{Code: koda.CodePageFailed, Message: "the page threw"}},
		},
		Begun: []koda.Effect{
			{ID: "e1", Kind: "work", Payload: json.RawMessage(`{"todo":"1"}`), Attempt: 1, TurnID: "t1"},
			{ID: "e2", Kind: "render", Attempt: 1, TurnID: "t1"},
		},
		Turn: &turn,
		Blocks: []koda.Block{
			{ID: "b1", TurnID: "t1", Number: 1, Type: koda.BlockMessage, Content: json.RawMessage(`{"text":"hi"}`), CreatedAt: t0},
			{ID: "b2", TurnID: "t1", Number: 2, Type: koda.BlockTool, Content: json.RawMessage(`[1,2]`), CreatedAt: t0},
		},
		Messages: []koda.Message{{ID: "m1", Role: "user", Content: "naïve \x00 text", Timestamp: t0}, {ID: "m2", Role: "assistant", Content: "", Timestamp: t0}},
		Render:   &koda.RenderRecord{ID: "r1", ProjectID: "p1", Version: 1, Kind: koda.RenderPreview, Status: "running", Spec: spec, CreatedAt: t0, UpdatedAt: t0},
		Version:  &version,
		Cause:    json.RawMessage(`{"type":"accepted"}`),
		Call: &koda.CallRecord{
			Key: koda.CallKey{ProjectID: "p1", TurnID: "t1", Step: "1", Ordinal: 2}, Digest: "d", Name: "add_message", Output: json.RawMessage(`{}`), At: t0,
		},
	}
	events, err := db.Commit(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 9 || events[0].Seq != 2 || events[8].Seq != 10 || events[0].Schema != koda.SchemaVersion {
		t.Errorf("events are numbered %+v", events)
	}
	got, err := db.Events(ctx, "p1", 1)
	equal(t, "events", events, got, err)
	begun, err := db.Begun(ctx, "p1")
	equal(t, "begun", c.Begun, begun, err)
	turns, err := db.Turns(ctx, "p1")
	equal(t, "turns", []koda.Turn{turn}, turns, err)
	blocks, err := db.Blocks(ctx, "t1")
	equal(t, "blocks", c.Blocks, blocks, err)
	messages, err := db.Messages(ctx, "p1")
	equal(t, "messages", c.Messages, messages, err)
	versions, err := db.Versions(ctx, "p1")
	equal(t, "versions", []koda.Version{version}, versions, err)
	renders, err := db.Renders(ctx, "p1")
	equal(t, "renders", []koda.RenderRecord{*c.Render}, renders, err)

	causes, err := db.Causes(ctx, "p1")
	equal(t, "causes", []json.RawMessage{c.Cause}, causes, err)
	call, _, err := db.Call(ctx, c.Call.Key)
	equal(t, "call", *c.Call, call, err)

	turn.Status, turn.EndedAt = "completed", t0.Add(time.Hour)
	c.Render.Status, c.Render.Result = "done", &koda.RenderResult{Video: "/p.mp4", Frames: 75, FPS: spec.FPS}
	turn.Status, turn.Error = "failed", &koda.Failure{Code: koda.CodePageFailed, Message: "the page threw", From: koda.PhaseExecuting}
	c2 := koda.Commit{Project: p, Prev: 10, At: t0, State: json.RawMessage(`{"step":3}`), Done: []string{"e1", "unknown"}, Turn: &turn, Render: c.Render}
	if events, err := db.Commit(ctx, c2); err != nil || len(events) != 0 {
		t.Errorf("commit without events = %v, %v", events, err)
	}
	begun, err = db.Begun(ctx, "p1")
	equal(t, "begun", c.Begun[1:], begun, err)
	turns, err = db.Turns(ctx, "p1")
	equal(t, "turns", []koda.Turn{turn}, turns, err)
	renders, err = db.Renders(ctx, "p1")
	equal(t, "renders", []koda.RenderRecord{*c.Render}, renders, err)
	again := koda.Effect{ID: "e1", Kind: "work", Payload: json.RawMessage(`2`), Attempt: 2, TurnID: "t1"}
	if _, err := db.Commit(ctx, koda.Commit{Project: p, Prev: 10, State: c2.State, Begun: []koda.Effect{again}}); err != nil {
		t.Fatal(err)
	}
	begun, err = db.Begun(ctx, "p1")
	equal(t, "begun again", []koda.Effect{c.Begun[1], again}, begun, err)
	loaded, state, err := db.Load(ctx, "p1")
	p.Seq = 10
	equal(t, "project", p, loaded, err)
	if string(state) != `{"step":3}` {
		t.Errorf("state = %s", state)
	}
	if err := db.IntegrityCheck(ctx); err != nil {
		t.Error(err)
	}
}

func equal[T any](t *testing.T, what string, want, got T, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestDB_Commit_SomebodyElseWrote(t *testing.T) {
	t.Parallel()
	db, ctx := open(t), t.Context()
	p := create(t, db, project("p1", "ball"))
	c := first(p)
	c.Prev = 1
	if _, err := db.Commit(ctx, c); err != nil {
		t.Fatal(err)
	}
	for _, prev := range []int64{0, 1, 3} {
		c.Prev = prev
		_, err := db.Commit(ctx, c)
		wantCode(t, err, koda.CodeInUse, "koda resume ball")
	}
	if events, err := db.Events(ctx, "p1", 0); err != nil || len(events) != 2 {
		t.Errorf("%d events, %v, want the 2 written", len(events), err)
	}
	c.Project.ID = "p2"
	_, err := db.Commit(ctx, c)
	wantCode(t, err, koda.CodeNotFound, "koda list")
}

// TestDB_Commit_AllOrNothing fails commits at their last part.
func TestDB_Commit_AllOrNothing(t *testing.T) {
	t.Parallel()
	db, ctx := open(t), t.Context()
	p := create(t, db, project("p1", "ball"))
	good := first(p)
	good.Prev, good.Begun = 1, []koda.Effect{{ID: "e1", Kind: "work"}}
	if _, err := db.Commit(ctx, good); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*koda.Commit){
		"effect begun twice":   func(c *koda.Commit) { c.Done, c.Begun = nil, []koda.Effect{{ID: "e2"}, {ID: "e1"}} },
		"passing event":        func(c *koda.Commit) { c.Events = append(c.Events, koda.Event{Type: koda.EventThinking}) },
		"payload without JSON": func(c *koda.Commit) { c.Events[0].Payload = func() {} },
		"message twice": func(c *koda.Commit) {
			c.Messages = []koda.Message{{ID: "m"}, {ID: "m"}}
		},
		"call of nobody": func(c *koda.Commit) { c.Call = &koda.CallRecord{Key: koda.CallKey{ProjectID: "nobody"}} },
	} {
		c := first(p)
		c.Prev, c.State, c.Done = 2, json.RawMessage(`{"bad":true}`), []string{"e1"}
		spoil(&c)
		_, err := db.Commit(ctx, c)
		if koda.CodeOf(err) != koda.CodeStorageFailed {
			t.Errorf("%s: err = %v, want STORAGE_FAILED", name, err)
		}
		got, state, err := db.Load(ctx, "p1")
		if err != nil || got.Seq != 2 || string(state) != `{"step":1}` {
			t.Errorf("%s: left event %d, state %s, %v", name, got.Seq, state, err)
		}
		if begun, err := db.Begun(ctx, "p1"); err != nil || len(begun) != 1 {
			t.Errorf("%s: left effects %v, %v", name, begun, err)
		}
	}
}

func TestDB_Commit_Cancelled(t *testing.T) {
	t.Parallel()
	db := open(t)
	p := create(t, db, project("p1", "ball"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := first(p)
	c.Prev = 1
	if _, err := db.Commit(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
	if _, err := db.Commit(t.Context(), c); err != nil {
		t.Errorf("the writer is not usable after a cancelled commit: %v", err)
	}
}

func TestDB_Commit_DiskFull(t *testing.T) {
	t.Parallel()
	db, ctx := open(t), t.Context()
	p := create(t, db, project("p1", "ball"))
	pages, err := db.Int(ctx, `PRAGMA page_count`)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(ctx, fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+4)); err != nil {
		t.Fatal(err)
	}
	c := first(p)
	c.Prev, c.State = 1, json.RawMessage(`"`+strings.Repeat("x", 1<<20)+`"`)
	_, err = db.Commit(ctx, c)
	wantCode(t, err, koda.CodeDiskFull, "free space")
	if got, state, err := db.Load(ctx, "p1"); err != nil || got.Seq != 1 || string(state) != `{"step":1}` {
		t.Errorf("left event %d, state %.20s, %v", got.Seq, state, err)
	}
}

func TestDB_List(t *testing.T) {
	t.Parallel()
	db := open(t)
	if all, err := db.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("a new database lists %v, %v", all, err)
	}
	for i, at := range []time.Duration{time.Second, time.Hour, time.Nanosecond} {
		p := project(fmt.Sprint("p", i), "ball")
		p.UpdatedAt = t0.Add(at)
		create(t, db, p)
	}
	all, err := db.List(t.Context())
	ids := ""
	for _, p := range all {
		ids += p.ID
	}
	if err != nil || ids != "p1p0p2" {
		t.Errorf("order is %s, %v, want the last changed first", ids, err)
	}
}

func tell(db *store.DB, id string) error {
	_, err := db.TellHooks(context.Background(), id, 1, nil, id, []byte("{}"), t0)
	return err
}

// TestDB_Delete looks into every table for rows that a deleted project left.
func TestDB_Delete(t *testing.T) {
	t.Parallel()
	db, ctx := open(t), t.Context()
	fill := func(id string) {
		c := first(project(id, "ball"))
		c.Begun = []koda.Effect{{ID: "e"}}
		c.Turn = &koda.Turn{ID: "t" + id, Number: 1}
		c.Blocks = []koda.Block{{ID: "b" + id, TurnID: "t" + id, Number: 1}}
		c.Messages = []koda.Message{{ID: "m"}}
		c.Render = &koda.RenderRecord{ID: "r" + id}
		c.Version, c.Cause = &koda.Version{Number: 1}, json.RawMessage(`"`+strings.Repeat("long", 50)+`"`)
		taken, err := db.TakeReply(ctx, koda.Reply{UserID: koda.LocalUser, Key: "k" + id, Request: []byte{1}, At: t0}, t0)
		if err := errors.Join(err, db.Create(ctx, c),
			db.Record(ctx, koda.CallRecord{Key: koda.CallKey{ProjectID: id}}),
			db.SaveSession(ctx, koda.Session{ID: "s" + id, ProjectID: id, Status: "active", SandboxType: "local"}),
			db.Serve(ctx, id, nil), db.SaveHook(ctx, id, koda.Hook{URL: "http://example.org"}), tell(db, id), db.SaveReply(ctx, koda.Reply{UserID: koda.LocalUser, Key: taken.Key, Request: []byte{1}, ProjectID: id}),
			db.SaveToken(ctx, koda.Token{ID: "k" + id, UserID: koda.LocalUser, ProjectID: id, CreatedAt: t0, ExpiresAt: t0}, id)); err != nil {
			t.Fatal(err)
		}
	}
	fill("p1")
	fill("p2")
	if err := db.Delete(ctx, "p1"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, db.Delete(ctx, "p1"), koda.CodeNotFound, "koda list")
	tables, err := db.Texts(ctx, `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'project_id' WHERE m.type = 'table' ORDER BY 1`)
	if err != nil || strings.Join(tables, " ") != "blocks calls contents deliveries effects events hooks messages renders replies served sessions steps tokens turns versions" {
		t.Fatalf("tables with projects' rows: %v, %v", tables, err)
	}
	for _, table := range tables {
		left, err1 := db.Int(ctx, `SELECT count(*) FROM `+table+` WHERE project_id = 'p1'`)
		kept, err2 := db.Int(ctx, `SELECT count(*) FROM `+table+` WHERE project_id = 'p2'`)
		if err := errors.Join(err1, err2); err != nil || left != 0 || kept < 1 {
			t.Errorf("%s holds %d rows of the deleted and %d of the other project, %v", table, left, kept, err)
		}
	}
}

func TestDB_Calls(t *testing.T) {
	t.Parallel()
	db, ctx := open(t), t.Context()
	create(t, db, project("p1", "ball"))
	rec := func(step string, ordinal, answer int, digest string) koda.CallRecord {
		return koda.CallRecord{
			Key:    koda.CallKey{ProjectID: "p1", TurnID: "t1", Step: step, Ordinal: ordinal},
			Answer: answer, Digest: digest, Name: "sandbox_write_file", Input: json.RawMessage(`{"a":1}`), Output: json.RawMessage(`{}`), At: t0,
		}
	}
	failed := rec("1", 3, 3, "d3") // answered before the call that was made before it
	failed.Output, failed.ErrCode, failed.ErrText, failed.ErrHint, failed.ErrDetails = nil, koda.CodeInvalidPath, "no", "go elsewhere", "1 | x"
	picture := rec("1", 4, 5, "d4")
	picture.Output = json.RawMessage(`"` + strings.Repeat("x", 100_000) + `"`)
	for _, r := range []koda.CallRecord{rec("1", 0, 1, "d0"), rec("1", 1, 2, "d1"), failed, rec("1", 2, 4, "d2"), picture, rec(koda.StepPlan, 2, 1, "other")} {
		if err := db.Record(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []koda.CallRecord{failed, picture} {
		got, ok, err := db.Call(ctx, want.Key)
		equal(t, "call "+want.Digest, want, got, err)
		if !ok {
			t.Errorf("call %s was not found", want.Digest)
		}
	}
	answered := func(step string) string {
		t.Helper()
		recs, err := db.Answered(ctx, koda.CallKey{ProjectID: "p1", TurnID: "t1", Step: step})
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, r := range recs {
			if r.Output != nil || string(r.Input) != `{"a":1}` {
				t.Errorf("call %s has input %s and output %s", r.Digest, r.Input, r.Output)
			}
			list = append(list, fmt.Sprintf("%d:%s", r.Key.Ordinal, r.Digest))
		}
		return strings.Join(list, " ")
	}
	if err := db.Record(ctx, rec("1", 1, 6, "new")); err != nil { // replaces the earlier row
		t.Fatal(err)
	}
	if got, want := answered("1"), "0:d0 3:d3 2:d2 4:d4 1:new"; got != want {
		t.Errorf("answered %s, want %s", got, want)
	}
	if err := db.Forget(ctx, koda.CallKey{ProjectID: "p1", TurnID: "t1", Step: "1", Ordinal: 2}); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := db.Call(ctx, failed.Key); ok || err != nil {
		t.Errorf("a forgotten call is there, %v", err)
	}
	if got := answered("1"); got != "0:d0 1:new" {
		t.Errorf("left: %s", got)
	}
	if got := answered(koda.StepPlan) + answered("3"); got != "2:other" {
		t.Errorf("of other steps: %s", got)
	}
}

func TestDB_Session(t *testing.T) {
	t.Parallel()
	db, ctx := open(t), t.Context()
	create(t, db, project("p1", "ball"))
	if _, ok, err := db.Session(ctx, "p1"); ok || err != nil {
		t.Errorf("a session out of nothing: %v, %v", ok, err)
	}
	s := koda.Session{ID: "s1", ProjectID: "p1", Status: "active", SandboxID: "box", SandboxType: "local", IdleMS: 1234, LastActivity: t0, CreatedAt: t0, UpdatedAt: t0}
	if err := db.SaveSession(ctx, s); err != nil {
		t.Fatal(err)
	}
	s.NodeID, s.UserID = "p1", koda.LocalUser
	got, ok, err := db.Session(ctx, "p1")
	equal(t, "session", s, got, err)
	if !ok {
		t.Error("the session was not found")
	}
	newer := s
	newer.ID, newer.Status, newer.CreatedAt, newer.SandboxID = "s2", "suspended", t0.Add(time.Second), ""
	s.Status = "closed"
	if err := errors.Join(db.SaveSession(ctx, newer), db.SaveSession(ctx, s)); err != nil {
		t.Fatal(err)
	}
	got, _, err = db.Session(ctx, "p1")
	equal(t, "newest session", newer, got, err)
	s.Status = koda.SessionActive
	wantCode(t, db.SaveSession(ctx, s), koda.CodeWrongPhase, "a new one")
	if all, err := db.AllSessions(ctx); err != nil || len(all) != 2 || all[0].ID != "s1" || all[1] != newer {
		t.Errorf("all sessions: %+v, %v", all, err)
	}
	if err := db.DeleteSessions(ctx, t0.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if n, err := db.Int(ctx, `SELECT count(*) FROM sessions`); err != nil || n != 1 {
		t.Errorf("%d sessions left, %v, want the session that is not closed", n, err)
	}
	s.ProjectID = "nobody"
	wantCode(t, db.SaveSession(ctx, koda.Session{ID: "s3", ProjectID: "nobody", Status: "active"}), koda.CodeStorageFailed, "")
}
