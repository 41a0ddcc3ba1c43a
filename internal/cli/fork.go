package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
)

// ForkOptions are the arguments and flags of `koda fork`.
type ForkOptions struct {
	Project string
	Version int
	Name    string
	Dir     string // "": beside the original
}

func newForkCmd(a *app, runF func(context.Context, *ForkOptions) error) *cobra.Command {
	o := &ForkOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *ForkOptions) error { return runFork(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "fork [PROJECT] VERSION NAME",
		Short:   "Begin a new project with a version",
		GroupID: groupLook,
		Long: `Make a new project that begins with the files of a version, in a directory beside
the original, which is only read. It shows a preview and waits to be accepted or
changed. Without PROJECT it is that of the working directory.`,
		Example: `  koda fork v2 square-ball
  koda fork bouncing-ball v2 square-ball --dir ~/animations`,
		Args: between(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			last := len(args) - 1
			if o.Project, o.Version, err = projectAndVersion(args[:last]); err != nil {
				return err
			}
			o.Name = args[last]
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeVersions(2),
	}
	c.Flags().StringVar(&o.Dir, "dir", "", "`DIRECTORY` to make it in (default: where the original lies)")
	return c
}

func runFork(ctx context.Context, a *app, o *ForkOptions) error {
	if a.deps.CheckName != nil {
		if err := a.deps.CheckName(o.Name); err != nil {
			return err
		}
	}
	return a.converse(ctx, talk{}, func(ctx context.Context, e Engine) (engine.Outcome, error) {
		p, err := e.Find(ctx, o.Project)
		if err != nil {
			return engine.Outcome{}, err
		}
		out, err := e.Fork(ctx, p.ID, engine.ForkRequest{Version: o.Version, Name: o.Name, Dir: o.Dir})
		if err == nil && !a.json {
			a.say("", fmt.Sprintf("%s begins with v%d of %s, in %s", out.Project.Name, o.Version, p.Name, out.Project.Dir))
		}
		return out, err
	})
}
