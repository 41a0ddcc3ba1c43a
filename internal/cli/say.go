package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// sayResult is the result of `koda say`, and of `koda edit` while another process works
// on the project.
type sayResult struct {
	head
	Project koda.Project `json:"project"`
	Todo    koda.Todo    `json:"todo"` // the new todo
}

// SayOptions are the arguments and flags of `koda say`.
type SayOptions struct {
	Project string
	Text    string
}

func newSayCmd(a *app, runF func(context.Context, *SayOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *SayOptions) error { return runSay(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "say [PROJECT] TEXT",
		Short:   "Say something while another koda works on a project",
		GroupID: groupWork,
		Long: `Tell the koda that works on a project at the moment what should be different. It
becomes a todo that is done before the next preview; once this command ends with
status 0, no crash loses it. While nobody works, koda edit asks for a change.
Without PROJECT it is that of the working directory.`,
		Example: `  koda say bouncing-ball "make it blue"`,
		Args:    atLeast(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := &SayOptions{}
			o.Project, o.Text = projectAndText(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
}

func runSay(ctx context.Context, a *app, o *SayOptions) error {
	text, err := sayIt(ctx, a, o.Text, "What should change?", `say what: koda say "make it blue"`)
	if err != nil {
		return err
	}
	return a.withProject(ctx, o.Project, func(ctx context.Context, e Engine, p koda.Project) error {
		heard, err := say(ctx, e, p, text)
		if err == nil {
			a.tellHeard(heard)
		}
		return err
	})
}

func say(ctx context.Context, e Engine, p koda.Project, text string) (*sayResult, error) {
	heard, err := e.Say(ctx, p.ID, text)
	return &sayResult{Project: p, Todo: heard.Todo}, err
}

func (a *app) tellHeard(r *sayResult) {
	a.result = r
	if !a.json {
		fmt.Fprintf(a.io.Err, "heard; a new todo of %s: %s\n", r.Project.Name, widget.Line(r.Todo.Label))
	}
}
