package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

// TestClockBack puts the clock back an hour in the middle of a todo, and again
// between two turns and two processes. All records are in the order in which things
// happened, as if the clock had gone on.
func TestClockBack(t *testing.T) {
	t.Parallel()
	tell := func(back time.Duration) map[string][]string {
		b := newBench(t)
		ctx := t.Context()
		b.author.before = func(n int, _ koda.Task) error {
			if n != 2 {
				return nil
			}
			b.clock.jump(-back)
			projects, err := b.engine.List(ctx)
			if err == nil {
				_, err = b.engine.Say(ctx, projects[0].ID, "make it round")
			}
			return err
		}
		out := b.must(b.engine.New(ctx, b.request("bouncing ball", true)))
		b.author.before = nil
		b.clock.jump(-back)
		b.must(b.engine.Edit(ctx, out.Project.ID, koda.Seen{}, "make it blue"))
		b.clock.jump(-back)
		b.open()
		ctx, cancel := context.WithCancel(ctx)
		b.author.before = func(int, koda.Task) error {
			b.clock.jump(-back)
			cancel()
			return ctx.Err()
		}
		if _, err := b.engine.Edit(ctx, out.Project.ID, koda.Seen{}, "make it red"); koda.CodeOf(err) != koda.CodeInterrupted {
			t.Fatal(err)
		}
		b.author.before = nil
		b.open()
		b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
		return b.told(out.Project.ID)
	}
	if diff := cmp.Diff(tell(0), tell(time.Hour)); diff != "" {
		t.Errorf("order with a clock that goes on (-) and a clock that goes back (+):\n%s", diff)
	}
}

var changing = regexp.MustCompile(`"[^"]*(At|Checkpoint|timestamp|sandboxId|since)":("[^"]*"|[0-9]+),?`)

// told lists the records of a project in their order, without times and names.
func (b *bench) told(id string) map[string][]string {
	b.t.Helper()
	ctx := b.t.Context()
	told := map[string][]string{}
	add := func(kind string, v any) {
		data, err := json.Marshal(v)
		if err != nil {
			b.t.Fatal(err)
		}
		text := regexp.MustCompile(id).ReplaceAllString(string(data), "ID")
		text = regexp.MustCompile(regexp.QuoteMeta(b.parent)).ReplaceAllString(text, "DIR")
		told[kind] = append(told[kind], changing.ReplaceAllString(text, ""))
	}
	events, err := b.db.Events(ctx, id, 0)
	for _, ev := range events {
		ev.At = time.Time{}
		add("events", ev)
	}
	turns, err2 := b.db.Turns(ctx, id)
	for _, turn := range turns {
		add("turns", turn)
		blocks, err := b.db.Blocks(ctx, turn.ID)
		if err != nil {
			b.t.Fatal(err)
		}
		for _, block := range blocks {
			add(fmt.Sprint("blocks of turn ", turn.Number), block)
		}
	}
	messages, err3 := b.db.Messages(ctx, id)
	for _, m := range messages {
		add("messages", m)
	}
	versions, err4 := b.db.Versions(ctx, id)
	for _, v := range versions {
		add("versions", []any{v.Number, v.Prompt})
	}
	for _, err := range []error{err, err2, err3, err4} {
		if err != nil {
			b.t.Fatal(err)
		}
	}
	return told
}
