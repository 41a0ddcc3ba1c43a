package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// with is what a step writes beside its event.
type with struct {
	turn    *koda.Turn // a turn this step begins
	call    *koda.CallRecord
	render  *koda.RenderRecord
	version *koda.Version
	create  bool // the project's first step
}

// step steps the machine and journals the step; only then is it true. Durable
// events are emitted after the commit. Saving is never cancelled: ctx only
// carries values.
func (r *run) step(ctx context.Context, ev phase.Event, w with) error {
	ctx = context.WithoutCancel(ctx)
	next, effects, err := phase.Step(r.state, ev)
	if err != nil {
		return err
	}
	machine, err := json.Marshal(next)
	if err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	cause, err := phase.Encode(ev)
	if err != nil {
		return err
	}
	at := next.Node.UpdatedAt
	if w.turn != nil {
		r.turn, r.blocks = *w.turn, 0
	}
	c := koda.Commit{
		Project: r.row(next), Prev: r.project.Seq, At: at, State: machine, Cause: cause,
		Events: events(r.state, next, ev, w), Begun: effects,
		Messages: next.Messages[len(r.state.Messages):],
		Blocks:   r.newBlocks(r.state, next, ev, w),
		Call:     w.call, Render: w.render, Version: w.version,
	}
	if w.create {
		c.Assets = next.Brief.Assets
	}
	if p := r.state.Pending; p != nil && (next.Pending == nil || next.Pending.ID != p.ID) {
		c.Done = []string{p.ID}
	}
	if turn, changed := r.turnAfter(next, ev, w.turn != nil); changed {
		c.Turn = &turn
	}
	failpoint.Hit("engine.step")
	if err := r.commit(ctx, c, w.create); err != nil {
		return err
	}
	prev := r.state
	r.state = next
	r.logStep(prev, ev, w)
	if c.Turn != nil {
		r.turn = *c.Turn
	}
	r.blocks += len(c.Blocks)
	return r.saveState(ev)
}

func (r *run) commit(ctx context.Context, c koda.Commit, create bool) error {
	evs := c.Events
	if create {
		for i := range evs {
			evs[i].Seq = int64(i) + 1
		}
		if err := r.e.cfg.Store.Create(ctx, c); err != nil {
			return fmt.Errorf("journal project: %w", err)
		}
	} else {
		var err error
		if evs, err = r.e.cfg.Store.Commit(ctx, c); err != nil {
			return fmt.Errorf("journal step: %w", err)
		}
	}
	r.project = c.Project
	r.project.Seq = c.Prev + int64(len(evs))
	for _, ev := range evs {
		r.emit(ev)
	}
	return nil
}

// saveState writes the new state into the project directory, so that the
// directory alone is enough to go on. What happens in the middle of an effect
// is left to the effect's outcome.
func (r *run) saveState(ev phase.Event) error {
	switch ev.(type) {
	case phase.TodoMarked, phase.Said, phase.Wrote, phase.Called, phase.Checkpointed, phase.Rendered, phase.Unsaved:
		return nil
	}
	return r.saveMachine()
}

// saveMachine writes the state as of now into the project directory.
func (r *run) saveMachine() error {
	if err := r.put(nil, nil, nil); err != nil {
		return fmt.Errorf("save state: %w", err)
	}
	return nil
}

// row is the project's row after a step.
func (r *run) row(s phase.State) koda.Project {
	p := r.project
	p.Phase, p.UpdatedAt = s.Node.Phase, s.Node.UpdatedAt
	return p
}

// turnAfter is the turn as it stands after a step: it ends when koda waits
// again, and keeps why it failed or was refused.
func (r *run) turnAfter(next phase.State, ev phase.Event, began bool) (koda.Turn, bool) {
	turn := r.turn
	if c, ok := ev.(phase.Called); ok && c.Cost != (koda.Cost{}) && turn.ID != "" {
		turn.Cost, began = turn.Cost.Plus(c.Cost), true
	}
	_, goesOn := ev.(phase.Unsaved)
	if f := failureIn(next, ev); f != nil && !goesOn {
		turn.Error, began = f, true
	}
	if next.Pending != nil || turn.ID == "" {
		return turn, began
	}
	if _, more := r.auto(next); more && !moves(turn) {
		return turn, began
	}
	status := "completed"
	if next.Node.Phase == koda.PhaseError {
		status = "failed"
	}
	if turn.Status == status && !began {
		return turn, false
	}
	turn.Status, turn.EndedAt = status, next.Node.UpdatedAt
	return turn, true
}

// failureIn is the failure a step is about; nil for most.
func failureIn(next phase.State, ev phase.Event) *koda.Failure {
	switch ev := ev.(type) {
	case phase.Failed:
		return next.Node.Error // nil where it is none of the project's
	case phase.Declined:
		return &ev.Failure
	case phase.Refused:
		return &ev.Failure
	case phase.Unsaved:
		return &ev.Failure
	}
	return nil
}

// events are the durable events of a step: at least one, except for a call that
// changed nothing.
func events(prev, next phase.State, ev phase.Event, w with) []koda.Event {
	one := func(t koda.EventType, payload any) koda.Event {
		return koda.Event{Schema: koda.SchemaVersion, Type: t, Payload: payload}
	}
	var evs []koda.Event
	for _, m := range next.Messages[len(prev.Messages):] {
		evs = append(evs, one(koda.EventMessage, koda.MessageAdded{Role: m.Role, Content: m.Content}))
	}
	switch ev := ev.(type) {
	case phase.TodoMarked:
		return append(evs, one(koda.EventTodoUpdate, todoUpdate(next, ev.TodoID)))
	case phase.Wrote:
		return append(evs, one(koda.EventFileWritten, koda.FileWritten{Path: ev.Path, Size: ev.Size, Deleted: ev.Deleted}))
	case phase.Said, phase.HandEdited:
		return evs
	case phase.Called:
		return evs
	case phase.Checkpointed:
		return append(evs, one(koda.EventCheckpoint, koda.Checkpointed{TodoIndex: next.TodosDone(), Files: files(next)}))
	case phase.Versioned:
		evs = append(evs, one(koda.EventVersion, koda.Versioned{Version: ev.Version, Files: len(w.version.Files)}))
	case phase.Imported:
		evs = append(evs, one(koda.EventVersion, koda.Versioned{Version: ev.Version, Files: len(w.version.Files)}))
	case phase.Placed:
		evs = append(evs, one(koda.EventCheckout, koda.CheckedOut{Version: ev.Version}))
	case phase.Saved:
		return append(evs, one(koda.EventVersion, koda.Versioned{Version: ev.Version, Files: len(w.version.Files)}))
	case phase.Messaged:
		for _, t := range addedTodos(prev, next) {
			evs = append(evs, one(koda.EventTodoUpdate, todoUpdate(next, t.ID)))
		}
	case phase.Previewed:
		evs = append(evs, one(koda.EventPreviewReady, koda.PreviewReady{URL: ev.Preview.VideoURL}))
	case phase.Finished:
		for _, o := range append([]koda.Output{ev.Output}, ev.Output.Others...) {
			evs = append(evs, one(koda.EventOutput, koda.OutputReady{URL: o.VideoURL, Copy: o.Copy, ThumbnailURL: o.ThumbnailURL, SHA256: o.SHA256}))
		}
	}
	if f := failureIn(next, ev); f != nil {
		evs = append(evs, one(koda.EventError, koda.ErrorRaised{Code: f.Code, Message: f.Message, Hint: f.Hint}))
	}
	evs = append(evs, todoChanges(prev, next)...)
	switch ev.(type) {
	case phase.Worked, phase.Versioned:
		evs = append(evs, one(koda.EventCheckpoint, koda.Checkpointed{TodoIndex: next.TodosDone(), Files: files(next)}))
	}
	if prev.Node.Phase != next.Node.Phase || len(evs) == 0 || changedPart(ev) {
		evs = append(evs, one(koda.EventStateChange, koda.StateChange{Phase: next.Node.Phase, State: next.Node}))
	}
	return evs
}

// changedPart reports whether ev changes a part of the state within a phase.
func changedPart(ev phase.Event) bool {
	switch ev.(type) {
	case phase.Asked, phase.Planned, phase.Refused, phase.Suspended, phase.Messaged:
		return true
	}
	return false
}

// todoChanges are the updates of todos whose status a step changed.
func todoChanges(prev, next phase.State) []koda.Event {
	before := map[string]koda.TodoStatus{}
	if x := prev.Node.Execution; x != nil {
		for _, t := range x.Todos {
			before[t.ID] = t.Status
		}
	}
	var evs []koda.Event
	if x := next.Node.Execution; x != nil {
		for _, t := range x.Todos {
			if was, known := before[t.ID]; known && was != t.Status {
				evs = append(evs, koda.Event{Schema: koda.SchemaVersion, Type: koda.EventTodoUpdate, Payload: todoUpdate(next, t.ID)})
			}
		}
	}
	return evs
}

// addedTodos are the todos that a step added.
func addedTodos(prev, next phase.State) []koda.Todo {
	return slices.DeleteFunc(slices.Clone(next.Node.Execution.Todos), func(t koda.Todo) bool {
		return slices.ContainsFunc(prev.Node.Execution.Todos, func(known koda.Todo) bool { return known.ID == t.ID })
	})
}

func todoUpdate(s phase.State, id string) koda.TodoUpdate {
	for _, t := range s.Node.Execution.Todos {
		if t.ID == id {
			return koda.TodoUpdate{TodoID: id, Status: t.Status, Label: t.Label}
		}
	}
	return koda.TodoUpdate{TodoID: id}
}

func files(s phase.State) int {
	if s.Node.Execution == nil {
		return 0
	}
	return len(s.Node.Execution.Files)
}

// maxBlockOutput is how much of a tool's answer a block repeats, in bytes: no
// picture.
const maxBlockOutput = 64 << 10

// newBlocks are the blocks a step adds to the turn. A project that was taken in
// from its directory has no turn until the person says something.
func (r *run) newBlocks(prev, next phase.State, ev phase.Event, w with) []koda.Block {
	if r.turn.ID == "" {
		return nil
	}
	var blocks []koda.Block
	add := func(t koda.BlockType, content any) {
		n := r.blocks + len(blocks) + 1
		blocks = append(blocks, koda.Block{
			ID: fmt.Sprintf("%s-b%d", r.turn.ID, n), TurnID: r.turn.ID, Number: n, Type: t, Content: content, CreatedAt: next.Node.UpdatedAt,
		})
	}
	for _, m := range next.Messages[len(prev.Messages):] {
		add(koda.BlockMessage, m)
	}
	if c, ok := ev.(phase.Called); ok && w.call != nil && w.call.Name == koda.CallModel {
		add(koda.BlockModel, map[string]any{"step": w.call.Key.Step, "call": w.call.Key.Ordinal, "model": c.Model, "cost": c.Cost, "error": w.call.ErrText})
	} else if w.call != nil {
		content := map[string]any{"name": w.call.Name, "input": w.call.Input, "output": w.call.Output, "error": w.call.ErrText}
		if size := len(w.call.Output); size > maxBlockOutput {
			content["output"], content["outputBytes"] = nil, size // the call has it
		}
		add(koda.BlockTool, content)
	}
	switch ev := ev.(type) {
	case phase.Asked:
		add(koda.BlockQuestion, ev.Question)
	case phase.Planned:
		add(koda.BlockPlan, ev.Plan)
	case phase.Wrote:
		add(koda.BlockFile, koda.FileWritten{Path: ev.Path, Size: ev.Size, Deleted: ev.Deleted})
	case phase.Failed:
		add(koda.BlockError, ev.Failure)
	case phase.Refused:
		add(koda.BlockError, ev.Failure)
	}
	if w.render != nil {
		add(koda.BlockRender, w.render)
	}
	return blocks
}
