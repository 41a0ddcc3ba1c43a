package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

type gcResult struct {
	head
	Collected
	DryRun bool `json:"dryRun"`
}

// GCOptions is what `koda gc` was told.
type GCOptions struct {
	DryRun bool
}

func newGCCmd(a *app, runF func(context.Context, *GCOptions) error) *cobra.Command {
	o := &GCOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *GCOptions) error { return runGC(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "gc",
		Short:   "Trim the cache and remove what killed processes left",
		GroupID: groupMachine,
		Long: `Trim the cache to the setting cache-max, those parts of videos first that were not
used for the longest time, and remove half-written files and the temporary
directories of koda processes that were killed. Every render does the same when
it ends; projects and their videos are never touched.`,
		Example: `  koda gc --dry-run
  KODA_CACHE_MAX=0 koda gc`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runF(cmd.Context(), o) },
	}
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "say what would be removed, and remove nothing")
	return c
}

func directories(n int) string {
	if n == 1 {
		return "1 temporary directory"
	}
	return fmt.Sprintf("%d temporary directories", n)
}

func runGC(ctx context.Context, a *app, o *GCOptions) error {
	c, err := a.deps.Collect(ctx, o.DryRun)
	a.result = &gcResult{Collected: c, DryRun: o.DryRun}
	if err != nil || a.json {
		return err
	}
	removed := "removed"
	if o.DryRun {
		removed = "would remove"
	}
	if c.Busy {
		fmt.Fprintln(a.io.Err, "a render is at work: finished parts of videos are left alone")
	}
	bound := "without a bound"
	if c.Limit >= 0 {
		bound = "of at most " + size(c.Limit)
	}
	_, err = fmt.Fprintf(a.io.Out, "%s %s of videos (%s), %s and %s of killed processes\nkept %s (%s %s) in %s\n",
		removed, count(c.Removed, "part"), size(c.RemovedBytes), count(c.Partial, "half-written file"), directories(len(c.Leftovers)),
		count(c.Kept, "part"), size(c.KeptBytes), bound, c.Cache)
	return err
}
