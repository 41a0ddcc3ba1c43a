package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// EditOptions are the arguments and flags of `koda edit`.
type EditOptions struct {
	Project string
	Text    string
	Finals  FinalOptions // no presets
	Timeout timeLimit
}

func newEditCmd(a *app, runF func(context.Context, *EditOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *EditOptions) error { return runEdit(ctx, a, o) }
	}
	o := &EditOptions{}
	c := &cobra.Command{
		Use:     "edit [PROJECT] TEXT",
		Short:   "Change a plan or a video in words",
		GroupID: groupWork,
		Long: `Say what should be different. While a plan waits for approval the plan is
modified; later the animation is changed and a new preview made; "undo that"
goes back as koda undo does. While another koda works on the project, the
change is told to it, as by koda say. Without PROJECT it is that of the
working directory.`,
		Example: `  koda edit bouncing-ball "make the bounce higher"
  koda edit bouncing-ball "a blue ball, 3 bounces"
  koda edit bouncing-ball "navy background in the outro"`,
		Args: atLeast(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := emptyFlags(cmd); err != nil {
				return err
			}
			o.Project, o.Text = projectAndText(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	o.Finals.outputFlags(c)
	o.Timeout.flag(c)
	return c
}

func runEdit(ctx context.Context, a *app, o *EditOptions) error {
	text, err := sayIt(ctx, a, o.Text, "What should change?", `say what: koda edit "make the bounce higher"`)
	if err != nil {
		return err
	}
	var heard *sayResult
	undo := ""
	err = a.converse(ctx, talk{timeout: o.Timeout}, func(ctx context.Context, e Engine) (engine.Outcome, error) {
		p, err := a.findOrTakeUp(ctx, e, o.Project)
		if err != nil {
			return engine.Outcome{}, err
		}
		if v, err := e.Show(ctx, p.ID); err == nil && unseen(v) {
			if out, err := e.Resume(ctx, p.ID, false); err != nil {
				return out, err
			}
		}
		finals, err := o.Finals.of(p)
		if err != nil {
			return engine.Outcome{Project: p}, err
		}
		out, err := e.Edit(ctx, p.ID, koda.Seen{}, text, finals...)
		if koda.CodeOf(err) == koda.CodeInUse && len(finals) == 0 { // whoever works makes the videos it was asked for
			if heard, err = say(ctx, e, p, text); err == nil {
				err = errHeard
			}
		}
		if errors.Is(err, koda.ErrUndo) { // "undo that"
			undo, err = p.ID, errHeard
		}
		return out, err
	})
	if errors.Is(err, errHeard) && undo != "" {
		return runUndo(ctx, a, &UndoOptions{Project: undo})
	}
	if errors.Is(err, errHeard) {
		a.tellHeard(heard)
		return nil
	}
	return err
}

// unseen reports whether a project was taken up and its first preview is still to
// be drawn: a change comes after it.
func unseen(v engine.View) bool {
	return v.Waiting == engine.WaitingRetry && v.State.Error == nil && len(v.Turns) == 1 && v.Turns[0].Kind == engine.TurnTakeUp
}

// errHeard ends a conversation that another process goes on with.
var errHeard = errors.New("heard")
