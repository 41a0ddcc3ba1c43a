package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// TestMove_Busy: nothing is undone while another process works on the project.
func TestMove_Busy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.three().Project.ID
	b.author.before = func(int, koda.Task) error {
		if _, err := b.engine.Undo(t.Context(), id); koda.CodeOf(err) != koda.CodeInUse {
			t.Errorf("undo of a project in use gave %v", err)
		}
		return nil
	}
	b.must(b.engine.Edit(t.Context(), id, koda.Seen{}, "make it yellow"))
}

// TestMove_GivesUp: going to another version gives up a change that was interrupted
// during its work or during one of its videos. The files of the change are kept.
func TestMove_GivesUp(t *testing.T) {
	t.Parallel()
	const text = "make it yellow"
	for name, tt := range map[string]struct {
		cut    func(b *bench, cancel context.CancelFunc)
		kept   int // the version in which the change is kept
		gaveUp string
		to     int // the version that undo goes to
		redone int // the version that redo returns to, 0 for none
	}{
		"at work": {func(b *bench, cancel context.CancelFunc) {
			b.author.before = func(int, koda.Task) error {
				cancel()
				return context.Canceled
			}
		}, 4, text, 3, 4},
		"before work": {func(b *bench, cancel context.CancelFunc) {
			b.author.work = func(context.Context, koda.Task, tool.Desk) error {
				cancel()
				return context.Canceled
			}
		}, 0, text, 3, 0},
		"before work, and the author takes that for a refusal": {func(b *bench, cancel context.CancelFunc) {
			b.author.work = func(context.Context, koda.Task, tool.Desk) error {
				cancel()
				return &koda.Error{Code: koda.CodeInvalidInput, Err: context.Canceled}
			}
		}, 0, text, 3, 0},
		"at the preview": {func(b *bench, _ context.CancelFunc) {
			b.video.fail, b.video.failed = context.Canceled, koda.RenderPreview
		}, 0, "the preview of v4", 3, 4},
		"at the final video": {func(b *bench, _ context.CancelFunc) {
			b.video.fail, b.video.failed = context.Canceled, koda.RenderFinal
		}, 0, "the final video of v4", 3, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			id := b.three().Project.ID
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			tt.cut(b, cancel)
			if _, err := b.engine.Edit(ctx, id, koda.Seen{}, text); koda.CodeOf(err) != koda.CodeInterrupted {
				t.Fatalf("err = %v", err)
			}
			b.author.before, b.author.work, b.video.fail = nil, nil, nil
			b.open()
			if _, err := b.engine.Edit(t.Context(), id, koda.Seen{}, "make it green"); koda.CodeOf(err) != koda.CodeWrongPhase || !strings.Contains(koda.HintOf(err), "koda undo") {
				t.Errorf("an edit beside a waiting change gave %v (hint: %s)", err, koda.HintOf(err))
			}
			m := b.moved(b.engine.Undo(t.Context(), id))
			b.at(m, tt.to)
			if m.Kept != tt.kept || m.GaveUp != tt.gaveUp || m.Waiting == engine.WaitingRetry {
				t.Errorf("%+v", m)
			}
			if tt.kept > 0 && m.KeptAs != "unfinished: "+text {
				t.Errorf("kept as %q", m.KeptAs)
			}
			if o := m.State.Output; o == nil || o.Version != 3 {
				t.Errorf("the video is %+v", o)
			}
			view, err := b.engine.Show(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			for _, turn := range view.Turns {
				if turn.Status == "running" {
					t.Errorf("%s %q is said to run", turn.Kind, turn.Input)
				}
			}
			if view.Redo != (tt.redone > 0) {
				t.Errorf("there is something to redo: %v", view.Redo)
			}
			if tt.redone > 0 {
				b.at(b.moved(b.engine.Redo(t.Context(), id)), tt.redone)
				b.at(b.moved(b.engine.Undo(t.Context(), id)), 3)
			} else if _, err := b.engine.Redo(t.Context(), id); koda.CodeOf(err) != koda.CodeWrongPhase {
				t.Errorf("redo gave %v", err)
			}
			out := b.must(b.engine.Edit(t.Context(), id, koda.Seen{}, "make it green"))
			if want := max(3, tt.kept, tt.redone) + 1; out.State.Phase != koda.PhaseComplete || out.State.Preview.Version != want {
				t.Errorf("the next change stands in %s with v%d, want v%d", out.State.Phase, out.State.Preview.Version, want)
			}
			if saved := version(t, out.Project.Dir, out.State.Preview.Version); len(diff(saved, version(t, out.Project.Dir, 3))) != 2 {
				t.Errorf("the next change has files of the change that was given up: %v", diff(saved, version(t, out.Project.Dir, 3)))
			}
		})
	}
}

// TestMove_FirstVideo: before the first video there is no version to go back to.
func TestMove_FirstVideo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.fail = context.Canceled
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeInterrupted {
		t.Fatal(err)
	}
	for _, move := range []func(context.Context, string) (engine.Moved, error){b.engine.Undo, b.engine.Redo} {
		if _, err := move(t.Context(), out.Project.ID); koda.CodeOf(err) != koda.CodeWrongPhase ||
			!strings.Contains(koda.HintOf(err), "koda resume") || !strings.Contains(koda.HintOf(err), "koda delete") {
			t.Errorf("%v (hint: %s)", err, koda.HintOf(err))
		}
	}
	b.video.fail = nil
	b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
}

// TestEdit_NoManifest: without koda.json there is no video, and undo brings it
// back.
func TestEdit_NoManifest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	p := b.three().Project
	if err := os.Remove(filepath.Join(p.Dir, "koda.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.engine.Edit(ctx, p.ID, koda.Seen{}, "make it green"); koda.CodeOf(err) != koda.CodeUsage || !strings.Contains(koda.HintOf(err), "koda undo bouncing-ball") {
		t.Errorf("%v (hint: %s)", err, koda.HintOf(err))
	}
	b.at(b.moved(b.engine.Undo(ctx, p.ID)), 3)
}

// TestFork_CutShort: the same call again goes on with a fork that was interrupted.
// A fork of something else finds the name taken.
func TestFork_CutShort(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	from := b.three().Project
	req := engine.ForkRequest{Version: 2, Name: "other"}
	b.video.fail = context.Canceled
	begun, err := b.engine.Fork(ctx, from.ID, req)
	if koda.CodeOf(err) != koda.CodeInterrupted {
		t.Fatal(err)
	}
	b.video.fail = nil
	if _, err := b.engine.Fork(ctx, from.ID, engine.ForkRequest{Version: 1, Name: "other"}); koda.CodeOf(err) != koda.CodeExists {
		t.Errorf("a fork of another version gave %v", err)
	}
	out := b.must(b.engine.Fork(ctx, from.ID, req))
	if out.Project.ID != begun.Project.ID || out.Waiting != engine.WaitingPreview {
		t.Errorf("%+v, want that of %+v", out, begun.Project)
	}
	if _, err := b.engine.Fork(ctx, from.ID, req); koda.CodeOf(err) != koda.CodeExists {
		t.Errorf("a fork that is done gave %v", err)
	}
}

// TestEdit_failedAgain: a change that failed is kept, is made once however often it was asked
// for, and is dropped by an undo.
func TestEdit_failedAgain(t *testing.T) {
	t.Parallel()
	for _, drop := range []bool{false, true} {
		b, p := newVisitBench(t)
		b.lose()
		id := p.ID
		down := &koda.Error{Code: koda.CodeProviderError, Op: "the engine does not answer", Hint: "start it"}
		was := b.tweak
		b.tweak = func(cfg *engine.Config) {
			was(cfg)
			cfg.Sandboxes = map[sandbox.Kind]sandbox.Provider{sandbox.Docker: &sandboxes{Provider: cfg.Sandboxes[sandbox.Docker], create: down, connect: down}}
		}
		b.open()
		for _, text := range []string{"make it blue", "make it red", "make it blue"} {
			_, err := b.engine.Edit(t.Context(), id, koda.Seen{}, text)
			if hint := koda.HintOf(err); koda.CodeOf(err) != koda.CodeProviderError || !strings.Contains(hint, "koda undo "+p.Name+" drops it") || !strings.Contains(hint, "start it") {
				t.Errorf("%v (hint: %s)", err, hint)
			}
		}
		b.tweak = was
		b.open()
		b.author.works = nil
		if drop {
			m := b.moved(b.engine.Undo(t.Context(), id))
			if m.GaveUp != "make it blue" || m.To != m.From || m.State.Phase != koda.PhaseComplete {
				t.Errorf("%+v", m)
			}
		}
		b.must(b.engine.Resume(t.Context(), id, false))
		var asked []string
		for _, task := range b.author.works {
			asked = append(asked, task.Message)
		}
		want := "make it red, make it blue"
		if drop {
			want = ""
		}
		if got := strings.Join(asked, ", "); got != want {
			t.Errorf("asked for %q", got)
		}
	}
}
