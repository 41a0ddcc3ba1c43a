package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
)

// CheckoutOptions are the arguments and flags of `koda checkout`.
type CheckoutOptions struct {
	Project string
	Version int
}

func newCheckoutCmd(a *app, runF func(context.Context, *CheckoutOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *CheckoutOptions) error { return runCheckout(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "checkout [PROJECT] VERSION",
		Short:   "Go to any version",
		GroupID: groupLook,
		Long: `Put the files of a version in place. Nothing is lost: files you edited are kept as a
version of their own first, all versions stay, and the next change begins a branch
there. Without PROJECT it is that of the working directory.`,
		Example: `  koda checkout v2
  koda checkout bouncing-ball v2`,
		Args: between(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := &CheckoutOptions{}
			var err error
			if o.Project, o.Version, err = projectAndVersion(args); err != nil {
				return err
			}
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeVersions(2),
	}
}

func runCheckout(ctx context.Context, a *app, o *CheckoutOptions) error {
	return a.move(ctx, o.Project, func(e Engine, id string) (engine.Moved, error) { return e.Checkout(ctx, id, o.Version) })
}
