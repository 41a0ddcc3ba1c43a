package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// BenchOptions are the arguments and flags of `koda bench`.
type BenchOptions struct {
	Target string // project or directory; "" is koda's own page
}

// benchResult is the result of `koda bench`.
type benchResult struct {
	head
	Project *koda.Project `json:"project,omitempty"`
	Bench   *koda.Bench   `json:"bench,omitempty"`
}

func newBenchCmd(a *app, runF func(context.Context, *BenchOptions) error) *cobra.Command {
	o := &BenchOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *BenchOptions) error { return runBench(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "bench [PROJECT|DIRECTORY]",
		Short:   "Measure where the time of a render goes",
		GroupID: groupMachine,
		Long: `Draw the first frames of a project, of any page, or of a small page of koda's own,
and tell how long each stage took, one at a time in one browser, beside what the
machine could do if it did nothing else. Nothing is kept. Other work on the
machine is measured too.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Target = first(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
}

func runBench(ctx context.Context, a *app, o *BenchOptions) error {
	if o.Target == "" {
		return a.bench(ctx, target{}, nil)
	}
	t, err := a.targetOf(ctx, o.Target)
	if err != nil {
		return err
	}
	files, err := projectfs.Open(t.dir)
	if err != nil {
		return fmt.Errorf("open directory: %w", err)
	}
	return errors.Join(a.bench(ctx, t, files), files.Close())
}

func (a *app) bench(ctx context.Context, t target, files fs.FS) error {
	b, err := a.deps.Bench(ctx, t.kind(), a.tellBuild(), files)
	if err != nil {
		return err
	}
	a.result = &benchResult{Project: t.project, Bench: &b}
	if a.json {
		return nil
	}
	_, err = fmt.Fprint(a.io.Out, benchText(b))
	return err
}

// benchText shows a bench to people.
func benchText(b koda.Bench) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s of %dx%d at %s fps, by %s, WebGL by %s\n\n", count(b.Frames, "frame"), b.Width, b.Height, b.FPS, b.Method, b.GL)
	line := func(v koda.BenchStage) {
		fmt.Fprintf(&s, "  %-12s%8.0f ms", v.Name, v.MS)
		if v.PerFrame > 0 {
			fmt.Fprintf(&s, "%8.1f ms a frame", v.PerFrame)
		}
		s.WriteByte('\n')
	}
	for _, v := range b.Stages {
		line(v)
	}
	s.WriteString("\nAll together, start to file:\n\n")
	line(b.Render)
	s.WriteString("\nThe limit of this machine:\n\n")
	for _, l := range b.Limits {
		fmt.Fprintf(&s, "  %-12s%8.0f frames a second\n", l.Name, l.Rate)
	}
	return s.String()
}
