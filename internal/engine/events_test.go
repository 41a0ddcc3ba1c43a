package engine_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// events returns all events that were published so far.
func (b *bench) events() []koda.Event {
	b.feed.Flush()
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.shown)
}

// forget empties the list of events.
func (b *bench) forget() {
	b.feed.Flush()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown = nil
}

// until waits for a moment in the middle of a call of the engine. If the call ends
// before that moment, the test fails.
func until[T any](t *testing.T, moment <-chan T, ended <-chan error) (v T) {
	t.Helper()
	select {
	case v = <-moment:
	case err := <-ended:
		t.Fatalf("the call ended with %v", err)
	}
	return v
}

// next returns a channel that is closed at the next event of a type. It is closed at a
// warning too, because nothing may follow a write that failed.
func (b *bench) next(t koda.EventType) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wanted, b.came = t, make(chan struct{})
	return b.came
}

// TestSubscribe_Slow: a subscriber that does not return holds up no work. When it
// returns, it gets every durable event in order, with project and time; the events
// it missed come from the journal.
func TestSubscribe_Slow(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.author.work = func(ctx context.Context, _ koda.Task, desk tool.Desk) error { // more events than wait for a subscriber
		for n := range 150 {
			if err := tool.WriteFile(ctx, desk.Toolbox, fmt.Sprintf("src/file%d.ts", n), "// one of many"); err != nil {
				return err
			}
		}
		return nil
	}
	free := make(chan struct{})
	var shown []koda.Event
	slow := b.engine.Subscribe(func(ev koda.Event) {
		<-free
		if ev.Seq > 0 {
			shown = append(shown, ev)
		}
	})
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	close(free)
	slow.Flush()
	slow.End()
	want, err := b.db.Events(t.Context(), out.Project.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(want) < 500 || len(shown) != len(want) {
		t.Fatalf("it was shown %d events of %d", len(shown), len(want))
	}
	for i, ev := range shown {
		if ev.Seq != int64(i+1) || ev.Type != want[i].Type || ev.Project != out.Project.ID || !ev.At.Equal(want[i].At) || ev.At.IsZero() {
			t.Fatalf("event %d is %+v, want %+v", i+1, ev, want[i])
		}
	}
	for _, ev := range b.events() {
		if ev.Schema != koda.SchemaVersion || ev.Project != out.Project.ID || ev.At.IsZero() {
			t.Fatalf("an event without schema, project or time: %+v", ev)
		}
	}
}

// TestWatch: who watches gets glimpses, as passing events beside the progress; nobody
// else does, and no journal has them. If nobody watches, none is asked for.
func TestWatch(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.glimpse = &koda.Glimpse{Frame: 7, Time: 0.25, JPEG: []byte("picture")}
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	for _, spec := range b.video.specs {
		if spec.Glimpses {
			t.Error("glimpses for nobody")
		}
	}
	var seen []koda.Glimpse
	watching := b.engine.Watch(func(ev koda.Event) {
		if g, ok := ev.Payload.(koda.Glimpse); ok && ev.Seq == 0 && ev.Project == out.Project.ID {
			seen = append(seen, g)
		}
	})
	b.must(b.engine.Edit(t.Context(), out.Project.ID, "bigger"))
	watching.Flush()
	watching.End()
	if len(seen) == 0 || seen[0].Frame != 7 || string(seen[0].JPEG) != "picture" {
		t.Errorf("seen %+v", seen)
	}
	for _, ev := range b.events() {
		if ev.Type == koda.EventGlimpse {
			t.Error("a glimpse for one who did not ask")
		}
	}
	stored, err := b.db.Events(t.Context(), out.Project.ID, 0)
	if err != nil || slices.ContainsFunc(stored, func(ev koda.Event) bool { return ev.Type == koda.EventGlimpse }) {
		t.Errorf("stored: %v", err)
	}
}
