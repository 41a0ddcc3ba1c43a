package engine_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/store/storetest"
)

// reads fails the test unless all of a project can be read: its events, each with
// the payload of its type, its turns and blocks, its messages, and the inputs of the
// phase machine.
func (b *bench) reads(p koda.Project) {
	b.t.Helper()
	ctx := b.t.Context()
	events, err := b.db.Events(ctx, p.ID, 0)
	if err != nil || int64(len(events)) != p.Seq {
		b.t.Fatalf("%s: %d events, %v, want %d", p.Name, len(events), err, p.Seq)
	}
	for i, ev := range events {
		if _, raw := ev.Payload.(json.RawMessage); raw || ev.Seq != int64(i+1) || ev.Project != p.ID || ev.At.IsZero() {
			b.t.Errorf("%s: event %d is %+v", p.Name, i+1, ev)
		}
	}
	turns, err := b.db.Turns(ctx, p.ID)
	if err != nil || len(turns) == 0 {
		b.t.Fatal(turns, err)
	}
	for _, turn := range turns {
		blocks, err := b.db.Blocks(ctx, turn.ID)
		if err != nil || len(blocks) == 0 {
			b.t.Errorf("%s: turn %d has %d blocks, %v", p.Name, turn.Number, len(blocks), err)
		}
		for _, block := range blocks {
			if data, ok := block.Content.(json.RawMessage); !ok || !json.Valid(data) {
				b.t.Errorf("%s: block %s holds %v", p.Name, block.ID, block.Content)
			}
		}
	}
	if c, err := b.engine.Conversation(ctx, p.ID); err != nil || c.Warning != "" || len(c.Messages) == 0 {
		b.t.Errorf("%s: %v, %v", p.Name, c, err)
	}
	findings, err := b.engine.Examine(ctx, p.ID)
	if err != nil {
		b.t.Error(err)
	}
	for _, f := range findings {
		if f.Bad {
			b.t.Errorf("%s: %s: %s", p.Name, f.Name, f.Detail)
		}
	}
}

// TestOldDatabase: a database from the time before each fact was stored once is
// read whole, and its projects can be resumed and changed.
func TestOldDatabase(t *testing.T) {
	t.Parallel()
	root := atomicfiletest.Dir(t)
	storetest.UnpackBefore(t, root)
	home := filepath.Join(root, "home")
	storetest.Relocate(t, filepath.Join(home, "koda.db"), storetest.MadeIn, root)
	b := &bench{t: t, home: home, parent: filepath.Join(root, "work"), author: &author{}, video: &renderer{}}
	b.open()
	ctx := t.Context()
	projects, err := b.engine.List(ctx)
	if err != nil || len(projects) != 2 {
		t.Fatalf("%v, %v", projects, err)
	}
	for _, p := range projects {
		b.reads(p)
		wantPhase := map[string]koda.Phase{"bouncing-ball": koda.PhaseComplete, "title-koda": koda.PhaseExecuting}[p.Name]
		if p.Gone || p.Phase != wantPhase {
			t.Errorf("%s stands in phase %s", p.Name, p.Phase)
		}
		var out engine.Outcome
		if p.Phase == koda.PhaseComplete {
			out = b.must(b.engine.Edit(ctx, p.ID, koda.Seen{}, "make it red"))
		} else {
			out = b.must(b.engine.Resume(ctx, p.ID, true))
		}
		if out.State.Phase != koda.PhaseComplete {
			t.Errorf("%s got to %s", p.Name, out.State.Phase)
		}
		b.reads(out.Project)
	}
}

// TestOldProject: a directory of that time is adopted without its database, and the
// project goes on.
func TestOldProject(t *testing.T) {
	t.Parallel()
	root := atomicfiletest.Dir(t)
	storetest.UnpackBefore(t, root)
	b := newBench(t)
	ctx := t.Context()
	p, err := b.engine.Find(ctx, filepath.Join(root, "work", "bouncing-ball"))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := b.engine.Conversation(ctx, p.ID); err != nil || len(c.Messages) < 3 {
		t.Errorf("%d messages, %v", len(c.Messages), err)
	}
	b.must(b.engine.Edit(ctx, p.ID, koda.Seen{}, "make it red"))
	title, err := b.engine.Find(ctx, filepath.Join(root, "work", "title-koda"))
	if err != nil {
		t.Fatal(err)
	}
	b.must(b.engine.Resume(ctx, title.ID, true))
	// The state file that koda writes now says each thing once. It can be adopted as
	// well.
	state := filepath.Join(p.Dir, ".koda", "state.json")
	text := b.read(state)
	if n := strings.Count(text, `"make it red"`); n > 3 { // in a message, a todo's label and the todo's task
		t.Errorf("%s holds the message %d times", state, n)
	}
	before, err := b.engine.Show(ctx, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	other := newBench(t)
	if p, err = other.engine.Find(ctx, p.Dir); err != nil {
		t.Fatal(err)
	}
	after, err := other.engine.Show(ctx, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := asJSON(t, after.State), asJSON(t, before.State); got != want {
		t.Errorf("state %s\nwas adopted as %s", want, got)
	}
	other.must(other.engine.Edit(ctx, p.ID, koda.Seen{}, "make it blue"))
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
