package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
)

// ResumeOptions is what `koda resume` was told.
type ResumeOptions struct {
	Project string
	Yes     bool
}

func newResumeCmd(a *app, runF func(context.Context, *ResumeOptions) error) *cobra.Command {
	o := &ResumeOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *ResumeOptions) error { return runResume(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "resume [PROJECT]",
		Short:   "Go on where a project stopped",
		GroupID: groupWork,
		Long: `Go on where a project stopped: after ctrl-C, a crash, a failure, or at a question.
Nothing that was finished is done again. A project made with --yes runs to its
video; any other goes on until it needs a person, unless --yes is given now.
Without PROJECT it is that of the working directory.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Project = first(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	c.Flags().BoolVarP(&o.Yes, "yes", "y", false, "give every approval now; remembered by the project")
	return c
}

func runResume(ctx context.Context, a *app, o *ResumeOptions) error {
	return a.converse(ctx, talk{}, func(ctx context.Context, e Engine) (engine.Outcome, error) {
		p, err := e.Find(ctx, o.Project)
		if err != nil {
			return engine.Outcome{}, err
		}
		return e.Resume(ctx, p.ID, o.Yes)
	})
}
