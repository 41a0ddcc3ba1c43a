package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
)

// CancelOptions are the arguments and flags of `koda cancel`.
type CancelOptions struct{ Project string }

func newCancelCmd(a *app, runF func(context.Context, *CancelOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *CancelOptions) error { return runCancel(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "cancel [PROJECT]",
		Short:   "End what another koda does on a project, saved",
		GroupID: groupWork,
		Long: `End the work that another koda does on a project, as ctrl-C there would: it saves
what it has and ends with status 130. This command waits for that; koda resume
goes on. Without PROJECT it is that of the working directory.`,
		Args:              between(0, 1),
		RunE:              func(cmd *cobra.Command, args []string) error { return runF(cmd.Context(), &CancelOptions{first(args)}) },
		ValidArgsFunction: a.completeProjects,
	}
}

func runCancel(ctx context.Context, a *app, o *CancelOptions) error {
	return a.withProject(ctx, o.Project, func(ctx context.Context, e Engine, p koda.Project) error {
		if err := e.Cancel(ctx, p.ID); err != nil {
			return err
		}
		v, err := e.Show(ctx, p.ID)
		if err != nil {
			return err
		}
		c := &conversation{app: a, e: e, progress: a.newProgress()}
		out := outcomeOf(v)
		c.remember(ctx, out)
		if a.json {
			return nil
		}
		fmt.Fprintf(a.io.Err, "cancelled; the work on %s so far is saved\n", p.Name)
		if next := nextCommands(c.name, out); len(next) > 0 {
			fmt.Fprintln(a.io.Err, "go on with: "+next[0])
		}
		return nil
	})
}
