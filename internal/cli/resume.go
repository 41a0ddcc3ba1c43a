package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
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
Without PROJECT it is that of the working directory, else the unfinished one
that was worked on last.`,
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
		p, err := findUnfinished(ctx, e, o.Project)
		if err != nil {
			return engine.Outcome{}, err
		}
		return e.Resume(ctx, p.ID, o.Yes)
	})
}

// findUnfinished is the project meant by ref, or for "" outside of any project
// the unfinished one that was worked on last.
func findUnfinished(ctx context.Context, e Engine, ref string) (koda.Project, error) {
	p, missing := e.Find(ctx, ref)
	if ref != "" || koda.CodeOf(missing) != koda.CodeNotFound {
		return p, missing
	}
	projects, err := e.List(ctx)
	if err != nil {
		return koda.Project{}, err
	}
	for _, p := range projects {
		if p.Gone || p.Phase == koda.PhaseComplete {
			continue
		}
		v, err := e.Show(ctx, p.ID)
		if err != nil {
			return koda.Project{}, err
		}
		if v.Waiting != engine.WaitingNothing { // an idle project may have asked for no animation
			return p, nil
		}
	}
	return koda.Project{}, &koda.Error{
		Code: koda.CodeNotFound, Op: "there is no unfinished project",
		Hint: "`koda list` shows all; `koda new` starts one",
	}
}
