package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// AcceptOptions are the arguments and flags of `koda accept`.
type AcceptOptions struct {
	Project string
	Finals  FinalOptions
	Timeout timeLimit
}

func newAcceptCmd(a *app, runF func(context.Context, *AcceptOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *AcceptOptions) error { return runAccept(ctx, a, o) }
	}
	o := &AcceptOptions{}
	c := &cobra.Command{
		Use:     "accept [PROJECT]",
		Short:   "Accept a plan or a preview and go on",
		GroupID: groupWork,
		Long: `Accept what a project shows: its plan, which is then animated up to the preview,
or its preview, which becomes the final video. Without PROJECT it is that of the
working directory.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := emptyFlags(cmd); err != nil {
				return err
			}
			o.Project = first(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	o.Timeout.flag(c)
	o.Finals.flags(c)
	return c
}

func runAccept(ctx context.Context, a *app, o *AcceptOptions) error {
	return a.converse(ctx, talk{timeout: o.Timeout}, func(ctx context.Context, e Engine) (engine.Outcome, error) {
		p, err := e.Find(ctx, o.Project)
		if err != nil {
			return engine.Outcome{}, err
		}
		finals, err := o.Finals.of(p)
		if err != nil {
			return engine.Outcome{Project: p}, err
		}
		return e.Accept(ctx, p.ID, koda.Seen{}, finals...)
	})
}
