package engine_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// fullStorage is a storage whose disk takes no files while it is full.
type fullStorage struct {
	engine.Storage
	full atomic.Bool
}

func (s *fullStorage) Checkpoint(dir string, cp koda.Checkpoint) ([]string, error) {
	if s.full.Load() && cp.Files != nil {
		return nil, &koda.Error{Code: koda.CodeDiskFull, Op: "save checkpoint", Err: syscall.ENOSPC, Hint: "free some space"}
	}
	return s.Storage.Checkpoint(dir, cp)
}

func (b *bench) onFullDisk() *fullStorage {
	b.t.Helper()
	disk := &fullStorage{}
	b.tweak = func(cfg *engine.Config) { disk.Storage, cfg.Storage = cfg.Storage, disk }
	b.open()
	return disk
}

// TestCheckpoint_Told: when the work cannot be saved, the journal tells the person
// at once and the author with the next todo. This happens once, and again only
// after a save that succeeded.
func TestCheckpoint_Told(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.limits.Checkpoint = 30 * time.Second
	disk := b.onFullDisk()
	b.author.before = func(n int, _ koda.Task) error {
		switch n {
		case 2:
			disk.full.Store(true)
			told := b.next(koda.EventError)
			b.clock.ring(30 * time.Second)
			<-told
			b.clock.ring(30 * time.Second)    // told already
			b.clock.waiting(30 * time.Second) // the heartbeat has ended
			disk.full.Store(false)
			saved := b.next(koda.EventCheckpoint)
			b.clock.ring(30 * time.Second)
			<-saved
		case 3:
			disk.full.Store(true)
			told := b.next(koda.EventError)
			b.clock.ring(30 * time.Second)
			<-told
			disk.full.Store(false)
		}
		return nil
	}
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	if out.State.Phase != koda.PhaseComplete {
		t.Fatalf("phase %s", out.State.Phase)
	}
	all := notes(out)
	if len(all) != 2 || !strings.HasPrefix(all[0], "the work so far could not be saved: checkpoint: save checkpoint: no space left") {
		t.Errorf("the conversation has %q", all)
	}
	for i, task := range b.author.works {
		heard := slices.ContainsFunc(task.Messages, func(m koda.Message) bool { return strings.Contains(m.Content, "could not be saved") })
		if heard != (i >= 2) {
			t.Errorf("todo %d: told of it %v", i+1, heard)
		}
	}
	events, err := b.db.Events(t.Context(), out.Project.ID, 0)
	if err != nil || !slices.ContainsFunc(events, func(ev koda.Event) bool { return ev.Type == koda.EventError }) {
		t.Errorf("the journal does not have it: %v", err)
	}
	view, err := b.engine.Show(t.Context(), out.Project.ID)
	if err != nil || view.Turns[0].Status != "completed" || view.Turns[0].Error != nil {
		t.Errorf("%+v, %v", view.Turns, err)
	}
}

// TestCheckpoint_LastTold: if a project fails and its work cannot be saved either,
// the person learns of both errors, and the sandbox with the work lives on.
func TestCheckpoint_LastTold(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	disk := b.onFullDisk()
	b.author.before = func(int, koda.Task) error {
		disk.full.Store(true)
		return &koda.Error{Code: koda.CodeProviderError, Op: "the model is ill"}
	}
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeProviderError || len(b.sandboxes()) != 1 {
		t.Fatalf("%v, sandboxes %v", err, b.sandboxes())
	}
	if all := notes(out); len(all) != 1 || !strings.Contains(all[0], "no space left") {
		t.Errorf("told %q", all)
	}
	disk.full.Store(false)
	b.author.before = nil
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	b.read(out.Project.Dir, "src", "todo1-0.ts")
}

// TestTurn_KeepsError: an error or a refusal stays with its turn after the project
// has gone on, also in another process. The author of the next turn is told of a
// failure.
func TestTurn_KeepsError(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	id := b.untilPreview().Project.ID
	var told [][]koda.Message
	b.author.work = func(_ context.Context, task koda.Task, _ tool.Desk) error {
		told = append(told, task.Messages)
		return &koda.Error{Code: koda.CodeProviderError, Op: "the model is ill", Hint: "wait", Details: "fever 39"}
	}
	if _, err := b.engine.Edit(ctx, id, koda.Seen{}, "make it blue"); koda.CodeOf(err) != koda.CodeProviderError {
		t.Fatal(err)
	}
	if _, err := b.engine.Resume(ctx, id, false); koda.CodeOf(err) != koda.CodeProviderError {
		t.Fatal(err)
	}
	b.open()
	b.author.work = nil
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it red"))
	told = append(told, b.author.works[len(b.author.works)-1].Messages)
	if _, err := b.engine.Edit(ctx, id, koda.Seen{}, "add a spaceship"); koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Fatal(err)
	}
	view, err := b.engine.Show(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, turn := range view.Turns[len(view.Turns)-4:] {
		line := turn.Kind + " " + turn.Status
		if f := turn.Error; f != nil {
			line += " " + string(f.Code) + " " + f.Message
		}
		got = append(got, line)
	}
	want := []string{
		"edit failed PROVIDER_ERROR the model is ill", "retry failed PROVIDER_ERROR the model is ill", "edit completed",
		"edit completed INVALID_INPUT no spaceships here",
	}
	if !slices.Equal(got, want) {
		t.Errorf("turns\n%s", strings.Join(got, "\n"))
	}
	for i, messages := range told { // the todo that is retried is told the same
		last := messages[len(messages)-1].Content
		if heard := strings.Contains(last, "the model is ill\nfever 39"); heard != (i == 2) {
			t.Errorf("%d: told %q", i, last)
		}
	}
}
