package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// moveResult is the result of `koda undo`, `koda redo` and `koda checkout`.
type moveResult struct {
	head
	Project koda.Project   `json:"project"`
	From    int            `json:"from,omitempty"`
	Version int            `json:"version"`        // the present version
	Kept    int            `json:"kept,omitempty"` // the version that now has files no version had
	GaveUp  string         `json:"gaveUp,omitempty"`
	Preview *koda.Preview  `json:"preview,omitempty"`
	Output  *koda.Output   `json:"output,omitempty"`
	Waiting engine.Waiting `json:"waiting"`
}

// UndoOptions are the arguments and flags of `koda undo`.
type UndoOptions struct {
	Project string
}

func newUndoCmd(a *app, runF func(context.Context, *UndoOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *UndoOptions) error { return runUndo(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "undo [PROJECT]",
		Short:   "Go back to the version before",
		GroupID: groupLook,
		Long: `Go back to the version the current one was made from. Nothing is lost: koda redo
comes back, and the next change begins a branch. Files you edited since the
current version are kept as a version of their own first; undo then takes back
those edits. A change that was cut short is given up. Until a plan is accepted, undo
goes back to the plan before, or to the question. Without PROJECT it is that of the
working directory.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runF(cmd.Context(), &UndoOptions{Project: first(args)})
		},
		ValidArgsFunction: a.completeProjects,
	}
}

func runUndo(ctx context.Context, a *app, o *UndoOptions) error {
	return a.move(ctx, o.Project, func(e Engine, id string) (engine.Moved, error) { return e.Undo(ctx, id) })
}

// move goes to another version and says so. Before the first version it goes to another
// plan or to the question, which then waits for the person.
func (a *app) move(ctx context.Context, ref string, to func(e Engine, id string) (engine.Moved, error)) error {
	return a.withProject(ctx, ref, func(ctx context.Context, e Engine, p koda.Project) error {
		progress := a.follow(e)
		m, err := to(e, p.ID)
		progress.rest()
		if err != nil {
			return err
		}
		if m.To == 0 {
			if !a.json {
				a.tellMove(m, m.Project.Name)
			}
			c := &conversation{app: a, e: e, progress: progress}
			return c.goOn(ctx, movedTo(m), nil)
		}
		r := &moveResult{Project: m.Project, From: m.From, Version: m.To, Kept: m.Kept, GaveUp: m.GaveUp, Waiting: m.Waiting}
		if pre := m.State.Preview; pre != nil && pre.Version == m.To {
			r.Preview = pre
		}
		if o := m.State.Output; o != nil && o.Version == m.To {
			r.Output = o
		}
		a.result = r
		if a.json {
			return nil
		}
		a.tellMove(m, shortestRef(ctx, e, m.Project))
		_, err = fmt.Fprintf(a.io.Out, "v%d\n", m.To)
		return err
	})
}

// movedTo is where a project stands after a move.
func movedTo(m engine.Moved) engine.Outcome {
	return engine.Outcome{Project: m.Project, State: m.State, Version: m.To, Seen: m.Seen, Waiting: m.Waiting}
}

// tellMove says what was kept and where the files are now.
func (a *app) tellMove(m engine.Moved, name string) {
	if m.GaveUp != "" {
		a.say("given up: ", widget.Line(m.GaveUp))
	}
	if m.Kept > 0 {
		a.say(fmt.Sprintf("kept as v%d: ", m.Kept), widget.Line(m.KeptAs))
	}
	switch {
	case m.To == 0: // what waits is shown
		return
	case m.From == m.To && m.Kept == 0 && m.GaveUp == "":
		a.say("", fmt.Sprintf("%s is at v%d already", m.Project.Name, m.To))
		return
	case m.Resumed:
		a.say("", fmt.Sprintf("%s is at v%d; an interrupted call was finished", m.Project.Name, m.To))
	case m.From == m.To:
		a.say("", fmt.Sprintf("%s is at v%d again, without that", m.Project.Name, m.To))
	default:
		a.say("", fmt.Sprintf("%s is at v%d, was at v%d", m.Project.Name, m.To, max(m.Kept, m.From)))
	}
	if o := m.State.Output; o != nil && o.Version != m.To && m.State.Phase == koda.PhaseComplete {
		a.say("", fmt.Sprintf("there is no final video of it yet: koda render %s", name))
	}
}
