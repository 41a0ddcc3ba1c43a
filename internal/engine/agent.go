package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// TurnAgent is the kind of a turn of an outside agent.
const TurnAgent = "agent"

// agentBlocks are the types of blocks that an outside agent can have.
var agentBlocks = []koda.BlockType{koda.BlockMessage, koda.BlockTool, koda.BlockFile, koda.BlockError, koda.BlockLine}

// ofWork leaves out the turns that are beside the work of a project.
func ofWork(turns []koda.Turn) []koda.Turn {
	return slices.DeleteFunc(slices.Clone(turns), func(t koda.Turn) bool { return t.Kind == TurnAsk || t.Kind == TurnAgent })
}

// TakeDown takes down what an outside agent did, as turns and blocks of the project, and returns
// how many steps of the run are taken down in all. Steps that are known are left out, so the
// same part may come twice. Nothing else of the project changes, whatever it does or waits
// for; after a crash a part is known as far as it was journaled, turn by turn. IN_USE: another
// process works on the project, and nothing is taken down. INVALID_INPUT: steps are missing, or
// are none.
func (e *Engine) TakeDown(ctx context.Context, id string, log koda.AgentLog) (taken int, err error) {
	if err := checkLog(log); err != nil {
		return 0, err
	}
	r, err := e.openBy(ctx, id, e.cfg.Storage.Hold)
	if err != nil {
		return 0, err
	}
	defer func() { err = closed(r, err) }()
	known := r.state.Agent(log.Run)
	if known.Over {
		return known.Taken, nil
	}
	if log.From > known.Taken {
		return known.Taken, &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("step %d comes after step %d", log.From, known.Taken), Hint: "send the steps between them first"}
	}
	steps := log.Steps[min(len(log.Steps), known.Taken-log.From):]
	for len(steps) > 0 || log.Over && !r.state.Agent(log.Run).Over {
		n := ofOneTurn(steps)
		if err := r.takeDown(ctx, log.Run, steps[:n], log.Over && n == len(steps)); err != nil {
			return r.state.Agent(log.Run).Taken, err
		}
		steps = steps[n:]
	}
	return r.state.Agent(log.Run).Taken, nil
}

// checkLog refuses what no watch sends.
func checkLog(log koda.AgentLog) error {
	wrong := func(op string) error { return &koda.Error{Code: koda.CodeInvalidInput, Op: op} }
	if len(log.Run) < 8 || len(log.Run) > 64 || strings.Trim(log.Run, "0123456789abcdef") != "" {
		return wrong("the name of a run has 8 to 64 hexadecimal digits")
	}
	if log.From < 0 || len(log.Steps) > koda.MaxAgentSteps {
		return wrong(fmt.Sprintf("at most %d steps come at once", koda.MaxAgentSteps))
	}
	for i, s := range log.Steps {
		set := 0
		for _, there := range []bool{s.Begin != nil, s.Block != nil, s.End != nil} {
			if there {
				set++
			}
		}
		if set != 1 {
			return wrong(fmt.Sprintf("step %d is to have one of begin, block and end", log.From+i))
		}
		if b := s.Block; b != nil {
			data, err := json.Marshal(b.Content)
			if err != nil || len(data) > koda.MaxAgentBlock || !slices.Contains(agentBlocks, b.Type) {
				return wrong(fmt.Sprintf("the block of step %d is of type %q and has %d bytes", log.From+i, b.Type, len(data)))
			}
		}
	}
	return nil
}

// ofOneTurn counts the steps that are journaled at once: up to the end of a turn, or to where
// the next one begins.
func ofOneTurn(steps []koda.AgentStep) int {
	for i, s := range steps {
		switch {
		case s.End != nil:
			return i + 1
		case s.Begin != nil && i > 0:
			return i
		}
	}
	return len(steps)
}

// takeDown journals steps of one turn. A block without a turn begins one, and so does an end.
func (r *run) takeDown(ctx context.Context, run string, steps []koda.AgentStep, over bool) error {
	a := r.state.Agent(run)
	ev := phase.Logged{Stamp: r.stamp(), Run: run, Number: a.Number, Steps: len(steps), Over: over}
	w := with{agent: true}
	first := koda.AgentTurn{}
	if len(steps) > 0 && steps[0].Begin != nil {
		if a.Number != 0 { // the agent begins anew without a word
			return r.cutOff(ctx, run, steps, over)
		}
		first = *steps[0].Begin
	}
	if a.Number == 0 && len(steps) > 0 {
		ev.Number, ev.Begins = r.state.Turn+1, true
		w.turn = r.newTurn(TurnAgent, first.Input, ev.Number)
	}
	id := r.project.ID + "-t" + strconv.Itoa(ev.Number)
	for _, s := range steps {
		if s.Block != nil {
			ev.Blocks++
			n := a.Blocks + ev.Blocks
			w.blocks = append(w.blocks, koda.Block{ID: fmt.Sprintf("%s-b%d", id, n), TurnID: id, Number: n, Type: s.Block.Type, Content: s.Block.Content, CreatedAt: ev.At})
		}
	}
	end := koda.AgentEnd{}
	ends := len(steps) > 0 && steps[len(steps)-1].End != nil
	if ends {
		end = *steps[len(steps)-1].End
	}
	if over && !ends && ev.Number != 0 {
		ends = true
		end.Failure = &koda.Failure{Code: koda.CodeInterrupted, Message: "the agent ended without a word"}
	}
	if ends {
		if err := r.ended(ctx, &ev, &w, id, end); err != nil {
			return err
		}
	}
	return r.step(ctx, ev, w)
}

// ended ends the turn of an agent.
func (r *run) ended(ctx context.Context, ev *phase.Logged, w *with, id string, end koda.AgentEnd) error {
	if w.turn == nil {
		turns, err := r.e.cfg.Journal.Turns(ctx, r.project.ID)
		if err != nil {
			return err
		}
		w.turn = r.newTurn(TurnAgent, "", ev.Number) // of a database that was lost
		if i := slices.IndexFunc(turns, func(t koda.Turn) bool { return t.ID == id }); i >= 0 {
			w.turn = &turns[i]
		}
	}
	ev.Status = "completed"
	if end.Failure != nil {
		ev.Status = "failed"
	}
	w.turn.Status, w.turn.EndedAt, w.turn.Error, w.turn.Cost = ev.Status, ev.At, end.Failure, end.Cost
	return nil
}

// cutOff ends the turn that goes on before another one of the same agent begins.
func (r *run) cutOff(ctx context.Context, run string, steps []koda.AgentStep, over bool) error {
	a := r.state.Agent(run)
	ev, w := phase.Logged{Stamp: r.stamp(), Run: run, Number: a.Number}, with{agent: true}
	id := r.project.ID + "-t" + strconv.Itoa(a.Number)
	if err := r.ended(ctx, &ev, &w, id, koda.AgentEnd{}); err != nil {
		return err
	}
	if err := r.step(ctx, ev, w); err != nil {
		return err
	}
	return r.takeDown(ctx, run, steps, over)
}

// turnUpdate is what followers are told of an agent's turn.
func turnUpdate(prev, next phase.State, ev phase.Logged) koda.TurnUpdated {
	u := koda.TurnUpdated{Number: ev.Number, TurnID: fmt.Sprintf("%s-t%d", next.Node.ProjectID, ev.Number), Kind: TurnAgent, Status: ev.Status, Blocks: ev.Blocks}
	if !ev.Begins {
		u.Blocks += prev.Agent(ev.Run).Blocks
	}
	if u.Status == "" {
		u.Status = "running"
	}
	return u
}
