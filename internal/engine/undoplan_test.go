package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// stood checks which question or plan a project waits with after an undo or a redo, as
// it was returned and as a process sees it that opens the project now. A plan of the
// scripted author has what was said as its style.
func (b *bench) stood(m engine.Moved, err error, style string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("%v (hint: %s)", err, koda.HintOf(err))
	}
	b.open()
	v, err := b.engine.Show(b.t.Context(), m.Project.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, at := range []engine.Moved{m, {State: v.State, Waiting: v.Waiting}} {
		switch got := at.State.Plan; {
		case style == "" && (at.Waiting != engine.WaitingAnswer || got != nil || at.State.Question.SelectedID != ""):
			b.t.Errorf("it waits for %q, not with the question", at.Waiting)
		case style != "" && (at.Waiting != engine.WaitingPlan || got == nil || got.Style != style):
			b.t.Errorf("it waits for %q with %+v, not with the plan %s", at.Waiting, got, style)
		}
	}
	if at := v.State.Phase; m.Project.Phase != at || m.From != 0 || m.To != 0 {
		b.t.Errorf("%+v in phase %s", m, at)
	}
}

// TestUndo_Plan: until a plan is accepted, undo goes back plan by plan to the question,
// in whichever process, and redo comes back. What goes on from there is what stands.
func TestUndo_Plan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	id := b.must(b.engine.New(ctx, b.request("bouncing ball", false))).Project.ID
	undo := func(style string) { m, err := b.engine.Undo(ctx, id); b.stood(m, err, style) }
	ahead := func(want bool) {
		t.Helper()
		if v, err := b.engine.Show(ctx, id); err != nil || v.Redo != want {
			t.Errorf("there is something to redo: %v (%v)", v.Redo, err)
		}
	}
	redo := func(style string) { ahead(true); m, err := b.engine.Redo(ctx, id); b.stood(m, err, style) }
	none := func(move func(context.Context, string) (engine.Moved, error), says string) {
		t.Helper()
		if _, err := move(ctx, id); koda.CodeOf(err) != koda.CodeWrongPhase || !strings.Contains(err.Error(), says) || koda.HintOf(err) == "" {
			t.Errorf("%v (hint: %s), want %s", err, koda.HintOf(err), says)
		}
	}
	none(b.engine.Undo, "there is nothing before the question")
	b.must(b.engine.Answer(ctx, id, koda.Seen{}, koda.Answer{OptionID: "smooth"}))
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "bolder"))
	if _, err := b.engine.Edit(ctx, id, koda.Seen{}, "with a spaceship"); koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Fatal(err)
	}
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "darker"))
	undo("bolder")
	undo("smooth")
	undo("")
	none(b.engine.Undo, "there is nothing before the question")
	redo("smooth")
	redo("bolder")
	redo("darker")
	ahead(false)
	none(b.engine.Redo, "there is nothing to redo")
	undo("bolder")
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "lighter"))
	none(b.engine.Redo, "there is nothing to redo")
	undo("bolder")
	undo("smooth")
	undo("")
	b.must(b.engine.Answer(ctx, id, koda.Seen{}, koda.Answer{OptionID: "playful"}))
	b.must(b.engine.Reject(ctx, id, koda.Seen{}, "no"))
	undo("playful")
	if out := b.must(b.engine.Accept(ctx, id, koda.Seen{})); out.State.Plan.Style != "playful" {
		t.Errorf("the plan accepted is %+v", out.State.Plan)
	}
	none(b.engine.Undo, "there is nothing before v1")
}

// TestUndo_PlanAtOnce: without a question there is nothing before the first plan.
func TestUndo_PlanAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	req := b.request("bouncing ball", false)
	req.Brief.Style = "playful"
	out := b.must(b.engine.New(t.Context(), req))
	if _, err := b.engine.Undo(t.Context(), out.Project.ID); koda.CodeOf(err) != koda.CodeWrongPhase || err.Error() != "there is nothing before the plan" {
		t.Errorf("%v", err)
	}
	if _, err := b.engine.Checkout(t.Context(), out.Project.ID, 1); koda.CodeOf(err) != koda.CodeWrongPhase || !strings.Contains(err.Error(), "no version yet") {
		t.Errorf("checkout of a plan gave %v", err)
	}
}

// TestUndo_PlanCutShort: an undo gives up a change of a plan that was interrupted or
// that failed, and a first answer as well.
func TestUndo_PlanCutShort(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]error{
		"interrupted": context.Canceled,
		"failed":      &koda.Error{Code: koda.CodeNetwork, Op: "there is no network"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			ctx := t.Context()
			id := b.must(b.engine.New(ctx, b.request("bouncing ball", false))).Project.ID
			broken := func(context.Context, koda.Brief, tool.Desk) (koda.Plan, error) { return koda.Plan{}, fail }
			gives := func(what, style string) {
				t.Helper()
				b.author.plan = nil
				m, err := b.engine.Undo(ctx, id)
				if b.stood(m, err, style); m.GaveUp != what {
					t.Errorf("it gave up %q, not %q", m.GaveUp, what)
				}
				if _, err := b.engine.Redo(ctx, id); koda.CodeOf(err) != koda.CodeWrongPhase {
					t.Errorf("a redo came back to what was given up: %v", err)
				}
			}
			b.author.plan = broken
			if _, err := b.engine.Answer(ctx, id, koda.Seen{}, koda.Answer{OptionID: "smooth"}); err == nil {
				t.Fatal("it did not break")
			}
			gives("smooth", "")
			b.must(b.engine.Answer(ctx, id, koda.Seen{}, koda.Answer{OptionID: "playful"}))
			b.author.plan = broken
			if _, err := b.engine.Edit(ctx, id, koda.Seen{}, "bolder"); err == nil {
				t.Fatal("it did not break")
			}
			gives("bolder", "playful")
			b.must(b.engine.Accept(ctx, id, koda.Seen{}))
		})
	}
}

// TestUndo_PlanElsewhere: a project that was moved to another machine knows the plans
// before.
func TestUndo_PlanElsewhere(t *testing.T) {
	t.Parallel()
	b, there := newBench(t), newBench(t)
	ctx := t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	b.must(b.engine.Answer(ctx, out.Project.ID, koda.Seen{}, koda.Answer{OptionID: "smooth"}))
	b.must(b.engine.Edit(ctx, out.Project.ID, koda.Seen{}, "bolder"))
	dir := filepath.Join(there.parent, "ball")
	if err := os.Rename(out.Project.Dir, dir); err != nil {
		t.Fatal(err)
	}
	p, err := there.engine.Find(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := there.engine.Undo(ctx, p.ID)
	there.stood(m, err, "smooth")
	m, err = there.engine.Undo(ctx, p.ID)
	there.stood(m, err, "")
}

// TestUndo_PlanUnsaved: an undo that cannot be journaled leaves the plan as it was.
func TestUndo_PlanUnsaved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	disk := &faulty{}
	disk.left.Store(1 << 40)
	b.tweak = func(cfg *engine.Config) {
		disk.Store, disk.Sessions = cfg.Store, cfg.Sessions
		cfg.Store, cfg.Sessions = disk, disk
	}
	b.open()
	id := b.must(b.engine.New(ctx, b.request("bouncing ball", false))).Project.ID
	b.must(b.engine.Answer(ctx, id, koda.Seen{}, koda.Answer{OptionID: "smooth"}))
	disk.left.Store(0)
	if _, err := b.engine.Undo(ctx, id); koda.CodeOf(err) != koda.CodeDiskFull {
		t.Fatalf("undo on a full disk gave %v", err)
	}
	v, err := b.engine.Show(ctx, id)
	if err != nil || v.Waiting != engine.WaitingPlan || v.State.Plan == nil {
		t.Errorf("it waits for %q, %v", v.Waiting, err)
	}
	m, err := b.engine.Undo(ctx, id)
	b.stood(m, err, "")
}
