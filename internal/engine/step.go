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
	// agent: turn and blocks are those of an outside agent, and the turn in work goes on.
	agent  bool
	blocks []koda.Block
}

// step steps the machine and journals the step; only the journal makes the step
// true. Durable events are emitted after the commit. Saving is never cancelled: ctx
// only carries values.
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
	if w.turn != nil && !w.agent {
		r.turn, r.blocks = *w.turn, 0
	}
	c := koda.Commit{
		Project: r.row(next), Prev: r.project.Seq, At: at, State: machine, Cause: cause,
		Events: events(r.state, next, ev, w), Begun: effects,
		Messages: next.Messages[len(r.state.Messages):],
		Blocks:   append(w.blocks, r.newBlocks(r.state, next, ev, w)...),
		Call:     w.call, Render: w.render, Version: w.version,
	}
	if p := r.state.Pending; p != nil && (next.Pending == nil || next.Pending.ID != p.ID) && (next.Held == nil || next.Held.ID != p.ID) {
		c.Done = []string{p.ID}
	}
	if w.agent {
		c.Turn = w.turn
	} else if turn, changed := r.turnAfter(next, ev, w.turn != nil); changed {
		c.Turn = &turn
	}
	failpoint.Hit("engine.step")
	if err := r.commit(ctx, c, w.create); err != nil {
		return err
	}
	prev := r.state
	r.state = next
	r.logStep(prev, ev, w)
	if now := next.Node; now.SandboxStatus != prev.Node.SandboxStatus || now.SandboxID != prev.Node.SandboxID {
		r.pass(koda.EventSandbox, koda.SandboxChanged{ID: now.SandboxID, Status: now.SandboxStatus, Note: r.again})
		r.again = ""
	}
	if c.Turn != nil && !w.agent {
		r.turn = *c.Turn
	}
	r.blocks += len(c.Blocks) - len(w.blocks)
	if ev.Told().Midway {
		return nil
	}
	return r.checkpointState()
}

func (r *run) commit(ctx context.Context, c koda.Commit, create bool) error {
	evs := c.Events
	if create {
		for i := range evs {
			evs[i].Project, evs[i].At, evs[i].Seq = c.Project.ID, c.At, int64(i)+1
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
	// The fields that say which project this is never change: passing events read
	// them without the state.
	r.project.Phase, r.project.UpdatedAt, r.project.Seq = c.Project.Phase, c.Project.UpdatedAt, c.Prev+int64(len(evs))
	for _, ev := range evs {
		r.e.events.Publish(ev)
	}
	r.tellBegun(ctx)
	return nil
}

// checkpointState writes the current state into the project directory, so that the
// directory alone is enough to go on.
func (r *run) checkpointState() error {
	if err := r.writeCheckpoint(nil, nil, nil); err != nil {
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

// turnAfter is the turn after a step: it ends when koda waits again, and keeps why
// it failed or was refused.
func (r *run) turnAfter(next phase.State, ev phase.Event, began bool) (koda.Turn, bool) {
	turn := r.turn
	told := ev.Told()
	if told.Cost != (koda.Cost{}) && turn.ID != "" {
		turn.Cost, began = turn.Cost.Plus(told.Cost), true
	}
	if f := failureIn(next, ev); f != nil && !told.Kept {
		turn.Error, began = f, true
	}
	if turn.Kind == TurnAsk && !next.Inquiring() {
		turn.EndedAt, turn.Status = next.Node.UpdatedAt, "completed"
		if turn.Error != nil {
			turn.Status = "failed"
		}
		return turn, began || turn.Status != r.turn.Status
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

// failureIn is the failure a step is about; nil for most steps. A failed release of
// the sandbox is no failure of the project.
func failureIn(next phase.State, ev phase.Event) *koda.Failure {
	if _, failed := ev.(phase.Failed); failed {
		return next.Node.Error
	}
	return ev.Told().Failure
}

// events are the durable events of a step: at least one, except for a call that
// changed nothing.
func events(prev, next phase.State, ev phase.Event, w with) []koda.Event {
	var evs []koda.Event
	add := func(t koda.EventType, payload any) {
		evs = append(evs, koda.Event{Schema: koda.SchemaVersion, Type: t, Payload: payload})
	}
	for _, m := range next.Messages[len(prev.Messages):] {
		add(koda.EventMessage, koda.MessageAdded{Role: m.Role, Content: m.Content})
	}
	told := ev.Told()
	if told.Todo != "" {
		add(koda.EventTodoUpdate, todoUpdate(next, told.Todo))
	}
	if told.Made > 0 {
		add(koda.EventVersion, koda.Versioned{Version: told.Made, Files: len(w.version.Files), Model: w.version.Model, Cost: w.version.Cost})
	}
	if told.Adds {
		for _, t := range addedTodos(prev, next) {
			add(koda.EventTodoUpdate, todoUpdate(next, t.ID))
		}
	}
	for _, made := range told.Events {
		add(made.Type, made.Payload)
	}
	if logged, ok := ev.(phase.Logged); ok && logged.Number > 0 {
		add(koda.EventTurn, turnUpdate(prev, next, logged))
	}
	if !told.Alone {
		if f := failureIn(next, ev); f != nil {
			add(koda.EventError, koda.ErrorRaised{Code: f.Code, Message: f.Message, Hint: f.Hint})
		}
		for _, id := range changedTodos(prev, next) {
			add(koda.EventTodoUpdate, todoUpdate(next, id))
		}
	}
	if told.Saves {
		add(koda.EventCheckpoint, koda.Checkpointed{TodoIndex: next.TodosDone(), Files: files(next)})
	}
	if !told.Alone && (prev.Node.Phase != next.Node.Phase || len(evs) == 0 || told.Part) {
		add(koda.EventStateChange, koda.StateChange{Phase: next.Node.Phase, State: next.Node})
	}
	return evs
}

// changedTodos are the ids of the todos whose status a step changed.
func changedTodos(prev, next phase.State) (ids []string) {
	before := map[string]koda.TodoStatus{}
	if x := prev.Node.Execution; x != nil {
		for _, t := range x.Todos {
			before[t.ID] = t.Status
		}
	}
	if x := next.Node.Execution; x != nil {
		for _, t := range x.Todos {
			if was, known := before[t.ID]; known && was != t.Status {
				ids = append(ids, t.ID)
			}
		}
	}
	return ids
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
			return koda.TodoUpdate{TodoID: id, Status: t.Status, Label: t.Label, LeftOut: t.LeftOut}
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

// maxBlockOutput is how much of a tool's answer a block repeats, in bytes. A
// picture is longer.
const maxBlockOutput = 64 << 10

// newBlocks are the blocks a step adds to the turn. A project adopted from its
// directory has no turn until the person says something.
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
		add(koda.BlockModel, modelBlock{w.call.Key.Step, w.call.Key.Ordinal, c.Model, c.Cost, c.Texts, c.Own, w.call.ErrText})
	} else if w.call != nil {
		content := map[string]any{"name": w.call.Name, "input": w.call.Input, "output": w.call.Output, "error": w.call.ErrText}
		if size := len(w.call.Output); size > maxBlockOutput {
			content["output"], content["outputBytes"] = nil, size // the call's record has the output
		}
		add(koda.BlockTool, content)
	}
	if b := ev.Told().Block; b != nil {
		add(b.Type, b.Content)
	}
	if w.render != nil {
		add(koda.BlockRender, w.render)
	}
	return blocks
}
