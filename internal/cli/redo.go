package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
)

// RedoOptions are the arguments and flags of `koda redo`.
type RedoOptions struct {
	Project string
}

func newRedoCmd(a *app, runF func(context.Context, *RedoOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *RedoOptions) error { return runRedo(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "redo [PROJECT]",
		Short:   "Come back from an undo",
		GroupID: groupLook,
		Long: `Come back to the version the last undo left, or until a plan is accepted to the
plan. After a change or a checkout there is nothing to come back to; koda checkout
goes anywhere. Without PROJECT it is that of the working directory.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runF(cmd.Context(), &RedoOptions{Project: first(args)})
		},
		ValidArgsFunction: a.completeProjects,
	}
}

func runRedo(ctx context.Context, a *app, o *RedoOptions) error {
	return a.move(ctx, o.Project, func(e Engine, id string) (engine.Moved, error) { return e.Redo(ctx, id) })
}
