package store_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

func TestDB_FindProject(t *testing.T) {
	db := open(t)
	here := t.TempDir()
	t.Chdir(here)
	if err := os.Mkdir("moon", 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(here, "moon"), link); err != nil {
		t.Fatal(err)
	}
	for _, p := range []koda.Project{
		{ID: "aaaa1111", Name: "ball", Dir: "/x/ball"},
		{ID: "aaaa2222", Name: "moon", Dir: filepath.Join(here, "moon")},
		{ID: "bbbb3333", Name: "moon", Dir: "/y/moon"},
		{ID: "cccc4444", Name: "twin", Dir: "/x/twin"},
		{ID: "dddd5555", Name: "twin", Dir: "/y/twin"},
	} {
		p.CreatedAt, p.UpdatedAt = t0, t0
		create(t, db, p)
	}
	for ref, want := range map[string]string{
		"ball": "aaaa1111", "/x/ball": "aaaa1111", "/x/../x/ball/": "aaaa1111", "aaaa1111": "aaaa1111",
		"aaaa2": "aaaa2222", "moon": "aaaa2222", "./moon": "aaaa2222", link: "aaaa2222", "/y/moon": "bbbb3333", "bbbb": "bbbb3333",
	} {
		if p, err := db.FindProject(t.Context(), ref); err != nil || p.ID != want {
			t.Errorf("%q finds %q, %v, want %s", ref, p.ID, err, want)
		}
	}
	for ref, want := range map[string]struct {
		code koda.Code
		hint string
	}{
		"bal":  {koda.CodeNotFound, "did you mean ball?"},
		"zzz":  {koda.CodeNotFound, "koda list"},
		"":     {koda.CodeNotFound, "koda list"},
		"bbb":  {koda.CodeNotFound, "koda list"}, // too short for an id
		"aaaa": {koda.CodeUsage, "ball (aaaa1111, /x/ball); moon (aaaa2222,"},
		"twin": {koda.CodeUsage, "twin (cccc4444, /x/twin); twin (dddd5555, /y/twin)"},
	} {
		_, err := db.FindProject(t.Context(), ref)
		if koda.CodeOf(err) != want.code || !strings.Contains(koda.HintOf(err), want.hint) {
			t.Errorf("%q: %v, %s, hint %q, want %v", ref, err, koda.CodeOf(err), koda.HintOf(err), want)
		}
	}
}

func TestDB_Adopt(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	file := koda.StateFile{
		Schema: 1, Project: project("p1", "ball"), Seq: 7, Machine: json.RawMessage(`{"from":"file"}`),
		Messages: []koda.Message{{ID: "m1", Role: "user", Content: "hello", Timestamp: t0}},
	}
	file.Project.Dir, file.Project.UpdatedAt = "/new/ball", t0.Add(time.Hour)
	v1 := koda.Version{Number: 1, Phase: koda.PhasePreview, CreatedAt: t0}

	t.Run("unknown", func(t *testing.T) {
		t.Parallel()
		db := open(t)
		want := file.Project
		want.Seq = 7
		got, err := db.Adopt(ctx, file, v1)
		equal(t, "adopted", want, got, err)
		row, state, err := db.Load(ctx, "p1")
		equal(t, "row", want, row, err)
		messages, err := db.Messages(ctx, "p1")
		equal(t, "messages", file.Messages, messages, err)
		versions, err := db.Versions(ctx, "p1")
		equal(t, "versions", []koda.Version{v1}, versions, err)
		if string(state) != `{"from":"file"}` {
			t.Errorf("state = %s", state)
		}
		// The project goes on from the state in the file, in a turn that this
		// database does not know.
		c := first(want)
		c.Prev, c.Done = 7, []string{"lost"}
		c.Blocks = []koda.Block{{ID: "b9", TurnID: "lost", Number: 4}}
		if events, err := db.Commit(ctx, c); err != nil || events[0].Seq != 8 {
			t.Errorf("going on: %v, %v", events, err)
		}
	})
	t.Run("file is newer", func(t *testing.T) {
		t.Parallel()
		db := open(t)
		c := first(project("p1", "ball"))
		c.Begun = []koda.Effect{{ID: "old"}}
		c.Messages = file.Messages
		if err := db.Create(ctx, c); err != nil {
			t.Fatal(err)
		}
		for range 2 { // adopting twice is adopting once
			got, err := db.Adopt(ctx, file, v1)
			if err != nil || got.Seq != 7 || got.Dir != "/new/ball" {
				t.Errorf("adopted %+v, %v", got, err)
			}
		}
		if begun, err := db.Begun(ctx, "p1"); err != nil || len(begun) != 0 {
			t.Errorf("overtaken effects are still begun: %v, %v", begun, err)
		}
		if _, state, err := db.Load(ctx, "p1"); err != nil || string(state) != `{"from":"file"}` {
			t.Errorf("state = %s, %v", state, err)
		}
	})
	t.Run("database is newer", func(t *testing.T) {
		t.Parallel()
		db := open(t)
		p := create(t, db, project("p1", "ball"))
		c := first(p)
		c.Prev, c.Events = 1, make([]koda.Event, 8)
		for i := range c.Events {
			c.Events[i].Type = koda.EventMessage
		}
		if _, err := db.Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
		p.Seq, p.Dir = 9, "/new/ball"
		got, err := db.Adopt(ctx, file)
		equal(t, "adopted", p, got, err)
		row, state, err := db.Load(ctx, "p1")
		equal(t, "row", p, row, err)
		if string(state) != `{"step":1}` {
			t.Errorf("state = %s", state)
		}
	})
	t.Run("incomplete", func(t *testing.T) {
		t.Parallel()
		_, err := open(t).Adopt(ctx, koda.StateFile{Project: project("p1", "ball")})
		wantCode(t, err, koda.CodeStorageFailed, "koda new")
	})
}
