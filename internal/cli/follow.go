package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// FollowOptions are the arguments and flags of `koda follow`.
type FollowOptions struct {
	Project string
	After   int64 // number of an event; -1: from now on
}

func newFollowCmd(a *app, runF func(context.Context, *FollowOptions) error) *cobra.Command {
	o := &FollowOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *FollowOptions) error { return runFollow(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "follow [PROJECT]",
		Short:   "Watch another koda work on a project",
		GroupID: groupWork,
		Long: `Show what the koda that works on a project at the moment does, until it is done;
then end as that one does: with the path of the video, with what it waits for, or
with what failed. To end this command ends nothing else. Without PROJECT it is
that of the working directory.

With --json it is lines of events, as of the command that works. --after N begins
with the event after number N, and 0 with the first there is; none is left out.`,
		Example: `  koda follow bouncing-ball
  koda follow bouncing-ball --json --after 0`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Project = first(args)
			if !cmd.Flags().Changed("after") {
				o.After = -1
			} else if o.After < 0 {
				return usage("events are numbered from 1; 0 begins with the first", "--after %d is not the number of an event", o.After)
			}
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	c.Flags().Int64Var(&o.After, "after", 0, "begin with the event after number `N` (default: now)")
	return c
}

func runFollow(ctx context.Context, a *app, o *FollowOptions) error {
	return a.withProject(ctx, o.Project, func(ctx context.Context, e Engine, p koda.Project) error {
		v, err := e.Show(ctx, p.ID)
		if err != nil {
			return err
		}
		c := &conversation{app: a, e: e, progress: a.newProgress()}
		if o.After < 0 {
			c.progress.begin(v.State)
		}
		failed := e.Follow(ctx, p.ID, o.After, c.progress.event)
		c.progress.rest()
		if v, err = e.Show(context.WithoutCancel(ctx), p.ID); err != nil {
			return err
		}
		out := outcomeOf(v)
		c.remember(ctx, out)
		if failed != nil {
			return failed
		}
		return c.end(ctx, out)
	})
}

// outcomeOf turns a view of a project into the outcome of work on it.
func outcomeOf(v engine.View) engine.Outcome {
	return engine.Outcome{Project: v.Project, State: v.State, Version: v.Version, Seen: v.Seen, Waiting: v.Waiting}
}
