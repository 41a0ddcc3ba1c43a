package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// TestSeen_Elsewhere: a decision on what another process changed meanwhile is refused,
// changes nothing, and says how the project stands now.
func TestSeen_Elsewhere(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	saw := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	id := saw.Project.ID
	refused := func() (now engine.Outcome) {
		t.Helper()
		for what, call := range map[string]func() (engine.Outcome, error){
			"accept": func() (engine.Outcome, error) { return b.engine.Accept(ctx, id, saw.Seen) },
			"reject": func() (engine.Outcome, error) { return b.engine.Reject(ctx, id, saw.Seen, "no") },
			"edit":   func() (engine.Outcome, error) { return b.engine.Edit(ctx, id, saw.Seen, "red") },
			"answer": func() (engine.Outcome, error) {
				return b.engine.Answer(ctx, id, saw.Seen, koda.Answer{OptionID: "playful"})
			},
		} {
			var err error
			if now, err = call(); !errors.Is(err, engine.ErrElsewhere) || koda.CodeOf(err) != koda.CodeWrongPhase || koda.HintOf(err) == "" {
				t.Errorf("%s: %v (hint: %s)", what, err, koda.HintOf(err))
			}
			if v, err := b.other.Show(ctx, id); err != nil || v.Seen != now.Seen || v.Waiting != now.Waiting || now.Seen == saw.Seen {
				t.Errorf("%s: it returned %+v, and stands at %+v, %v", what, now.Seen, v.Seen, err)
			}
		}
		return now
	}
	b.must(b.other.Answer(ctx, id, saw.Seen, koda.Answer{OptionID: "smooth"}))
	saw = refused()
	b.must(b.other.Edit(ctx, id, saw.Seen, "bolder"))
	if now := refused(); now.State.Plan.Style != "bolder" {
		t.Errorf("the plan is %+v", now.State.Plan)
	}
	if m, err := b.other.Undo(ctx, id); err != nil || m.Seen == saw.Seen {
		t.Errorf("an undo makes the same plan, but another turn: %+v, %v", m.Seen, err)
	}
	saw = refused()
	saw = b.must(b.engine.Accept(ctx, id, saw.Seen))

	// A render keeps what was edited by hand as a version, which is not the version seen.
	if err := os.WriteFile(filepath.Join(saw.Project.Dir, "src", "mine.ts"), []byte("// mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	spec := b.video.specs[0]
	spec.Output = filepath.Join(t.TempDir(), "out.mp4")
	if _, err := b.other.Render(ctx, id, spec); err != nil {
		t.Fatal(err)
	}
	saw = refused()
	if out := b.must(b.engine.Accept(ctx, id, saw.Seen)); out.State.Output.Version != 2 {
		t.Errorf("the video is of v%d", out.State.Output.Version)
	}
}

// TestChanged: who waits hears of what another process changed, and of nothing else: not
// of a project put to rest.
func TestChanged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.limits.Idle = time.Minute
	b.open()
	ctx := t.Context()
	out := b.untilPreview()
	id := out.Project.ID
	changed := make(chan error)
	go func() { changed <- b.engine.Changed(ctx, id, out.State, false) }()
	idle := make(chan error)
	go func() { idle <- b.other.Idle(ctx, id) }()
	b.clock.ring(time.Minute)
	if err := <-idle; err != nil {
		t.Fatal(err)
	}
	b.clock.ring(time.Second)
	b.clock.waiting(time.Second)
	select {
	case err := <-changed:
		t.Fatalf("it changed when it was put to rest: %v", err)
	default:
	}
	out = b.must(b.other.Edit(ctx, id, out.Seen, "make it blue"))
	b.clock.ring(time.Second)
	if err := <-changed; err != nil {
		t.Error(err)
	}
	go func() { changed <- b.engine.Changed(ctx, id, out.State, false) }()
	b.clock.ring(time.Second)
	b.clock.waiting(time.Second)
	spec := b.video.specs[0]
	spec.Output = filepath.Join(t.TempDir(), "out.mp4")
	if _, err := b.other.Render(ctx, id, spec); err != nil {
		t.Fatal(err)
	}
	b.clock.ring(time.Second)
	if err := <-changed; err != nil {
		t.Errorf("a video that was made: %v", err)
	}
	v, err := b.other.Show(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	go func() { changed <- b.engine.Changed(ctx, id, v.State, false) }()
	if _, err := b.other.Delete(ctx, id); err != nil {
		t.Fatal(err)
	}
	b.clock.ring(time.Second)
	if err := <-changed; koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("a project that is gone: %v", err)
	}
}

// TestChanged_Busy: who waits hears when another process begins or ends to work.
func TestChanged_Busy(t *testing.T) {
	t.Parallel()
	o := whileCommandRuns(t, false)
	ctx, id := t.Context(), o.project.ID
	v, err := o.other.Show(ctx, id)
	if err != nil || !v.Busy {
		t.Fatalf("busy %v, %v", v.Busy, err)
	}
	changed := make(chan error)
	for _, busy := range []bool{false, true} {
		go func() { changed <- o.other.Changed(ctx, id, v.State, busy) }()
		o.clock.ring(time.Second)
		if busy {
			o.clock.waiting(time.Second)
			o.end()
			o.clock.ring(time.Second)
		}
		if err := <-changed; err != nil {
			t.Error(err)
		}
	}
}

// TestChanged_Render: a render of a project that waits for its person makes the project busy for
// others, who see what is drawn and hear of the end.
func TestChanged_Render(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.untilPreview()
	id := out.Project.ID
	during, free := make(chan struct{}), make(chan struct{})
	b.video.during = func(koda.RenderSpec) {
		during <- struct{}{}
		<-free
	}
	spec := b.video.specs[0]
	spec.Output = filepath.Join(t.TempDir(), "out.mp4")
	rendered, changed, followed := make(chan error, 1), make(chan error, 1), make(chan error, 1)
	go func() { rendered <- second(b.engine.Render(ctx, id, spec)) }()
	<-during
	go func() { changed <- b.other.Changed(ctx, id, out.State, false) }()
	b.clock.ring(time.Second)
	if err := <-changed; err != nil {
		t.Fatal(err)
	}
	v, err := b.other.Show(ctx, id)
	if err != nil || !v.Busy || v.Waiting != engine.WaitingPreview {
		t.Fatalf("busy %v, waiting for %q, %v", v.Busy, v.Waiting, err)
	}
	seen, once := make(chan struct{}), sync.Once{}
	go func() {
		followed <- b.other.LookOn(ctx, id, func(ev koda.Event) {
			if ev.Type == koda.EventRenderProgress {
				once.Do(func() { close(seen) })
			}
		})
	}()
	b.video.more = []chan struct{}{seen}
	close(free)
	for name, done := range map[string]chan error{"render": rendered, "look on": followed} {
		if err := <-done; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if v, err = b.other.Show(ctx, id); err != nil || v.Busy {
		t.Errorf("busy %v after the end, %v", v.Busy, err)
	}
}
