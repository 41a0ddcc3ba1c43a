package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

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

// TestWatch: who watches gets glimpses, as passing events beside the progress, also from
// another process that came when the render had begun. Nobody else gets them, and no
// journal has them.
func TestWatch(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	b.video.glimpse = &koda.Glimpse{Frame: 7, Time: 0.25, JPEG: []byte("picture")}
	id := b.must(b.engine.New(ctx, b.request("bouncing ball", true))).Project.ID
	var seen [3][]koda.Event // here, over there, and by one who only follows
	came := []chan struct{}{make(chan struct{}), make(chan struct{}), make(chan struct{})}
	sees := func(i int, what koda.EventType) func(koda.Event) {
		first := sync.OnceFunc(func() { close(came[i]) })
		return func(ev koda.Event) {
			if seen[i] = append(seen[i], ev); ev.Type == what {
				first()
			}
		}
	}
	watching := b.engine.Watch(sees(0, koda.EventGlimpse))
	ended := make(chan error, 2)
	b.video.during = func(koda.RenderSpec) {
		b.video.during = nil
		go func() { ended <- b.other.LookOn(ctx, id, sees(1, koda.EventGlimpse)) }()
		go func() { ended <- b.other.Follow(ctx, id, 0, sees(2, koda.EventRenderProgress)) }()
		b.video.more = came
	}
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "bigger"))
	watching.Flush()
	watching.End()
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	for i, all := range seen {
		glimpses := slices.DeleteFunc(all, func(ev koda.Event) bool { return ev.Type != koda.EventGlimpse })
		if i == 2 && len(glimpses) > 0 || slices.Contains(b.types(), koda.EventGlimpse) {
			t.Error("a glimpse for one who did not ask")
		}
		if i < 2 && (len(glimpses) == 0 || !cmp.Equal(glimpses[0].Payload, any(*b.video.glimpse)) || glimpses[0].Seq != 0 || glimpses[0].Project != id) {
			t.Errorf("%d saw %+v", i, glimpses)
		}
	}
	stored, err := b.db.Events(ctx, id, 0)
	if err != nil || slices.ContainsFunc(stored, func(ev koda.Event) bool { return ev.Type == koda.EventGlimpse }) {
		t.Errorf("stored: %v", err)
	}
}

// TestToolUsed: who looks on sees which tools the author used, with what was written.
func TestToolUsed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	long := strings.Repeat("ä", 10<<10)
	b.author.work = func(ctx context.Context, task koda.Task, desk tool.Desk) error {
		if task.Kind != koda.TaskSetup {
			return nil
		}
		for path, text := range map[string]string{"src/a.ts": "const a = 1", "src/long.ts": long} {
			if err := tool.WriteFile(ctx, desk.Toolbox, path, text); err != nil {
				return err
			}
		}
		_, err := desk.Call(ctx, tool.NameEditFile, []byte(`{"path":"src/a.ts","old_string":"= 1","new_string":"= 2\n// two"}`))
		_, _ = desk.Call(ctx, tool.NameSandboxReadFile, []byte(`{"path":"src/none.ts"}`)) //nolint:errcheck // it fails
		return err
	}
	b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	got := map[string]koda.ToolUsed{}
	for _, ev := range b.events() {
		if used, ok := ev.Payload.(koda.ToolUsed); ok {
			if ev.Seq != 0 {
				t.Errorf("it has number %d", ev.Seq)
			}
			got[used.Tool+" "+used.About] = used
		}
	}
	if d := got["sandbox_write_file src/a.ts"].Detail; d != "const a = 1" {
		t.Errorf("written: %q", d)
	}
	if d := got["edit_file src/a.ts"].Detail; d != "- = 1\n+ = 2\n+ // two\n" {
		t.Errorf("edited: %q", d)
	}
	if d := got["sandbox_write_file src/long.ts"].Detail; len(d) > 9<<10 || !utf8.ValidString(d) || !strings.HasSuffix(d, "…") {
		t.Errorf("%d bytes of a long text", len(d))
	}
	if e := got["sandbox_read_file src/none.ts"].Error; e == "" {
		t.Errorf("a failure is not told: %v", got)
	}
}
