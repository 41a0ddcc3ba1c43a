package cli

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

// StillOptions are the arguments and flags of `koda still`.
type StillOptions struct {
	Target     string // project or directory
	At         seconds
	timed      bool // --at was given; otherwise the middle
	Resolution string
	Output     string
	NoClobber  bool
}

func newStillCmd(a *app, runF func(context.Context, *StillOptions) error) *cobra.Command {
	o := &StillOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *StillOptions) error { return runStill(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "still [PROJECT|DIRECTORY]",
		Short:   "Draw one frame as a picture",
		GroupID: groupWork,
		Long: `Draw the frame at a time as PNG, of what lies in the directory now. A project's
goes to its renders/, that of any other page to the working directory. Behind a
page without a background is white; koda render --format png keeps it clear.`,
		Example: `  koda still bouncing-ball --at 2.5
  koda still ./my-page --at 1:30 --resolution 4k --output cover.png`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Target, o.timed = first(args), cmd.Flags().Changed("at")
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	f := c.Flags()
	f.Var(&o.At, "at", "time in the animation, such as 2.5 or 1:30 (default: the middle)")
	f.StringVar(&o.Resolution, "resolution", "", "`SIZE`, such as 720p, 4k or 1280x720 (default: that of koda.json)")
	f.StringVarP(&o.Output, "output", "o", "", "`FILE` or directory to write")
	f.BoolVar(&o.NoClobber, "no-clobber", false, "fail when the file exists")
	return c
}

func runStill(ctx context.Context, a *app, o *StillOptions) error {
	t, err := a.targetOf(ctx, o.Target)
	if err == nil {
		err = a.checkParams(t)
	}
	if err != nil {
		return err
	}
	return a.still(ctx, t, o)
}

func (a *app) still(ctx context.Context, t target, o *StillOptions) error {
	at := float64(o.At)
	if !o.timed {
		at = t.manifest.Duration / 2
	}
	if at < 0 || at > t.manifest.Duration {
		return usage(fmt.Sprintf("give 0 to %s", number(t.manifest.Duration)), "--at %g is outside the animation", at)
	}
	r, err := parseResolution(o.Resolution)
	if err != nil {
		return err
	}
	shape, err := r.In(preset.Size{Width: t.manifest.Width, Height: t.manifest.Height})
	if err != nil {
		return err
	}
	out, err := t.outputFile(o.Output, fmt.Sprintf("%s-%ss", t.name(), number(at)), "png", o.NoClobber)
	if err != nil {
		return err
	}
	a.result = &renderResult{Project: t.project}
	return a.drawing(ctx, t, func(r engine.Renderer, files fs.FS) error {
		shot, err := r.Still(ctx, files, at, shape.Width, shape.Height)
		if err != nil {
			return err
		}
		return a.picture(out, shot, &renderResult{Project: t.project, Still: out})
	})
}

func parseResolution(s string) (preset.Resolution, error) {
	if s == "" {
		return preset.Resolution{}, nil
	}
	return preset.ParseResolution(s)
}

// picture writes a picture, and tells where it is and what the page did wrong.
func (a *app) picture(out string, shot koda.Picture, r *renderResult) error {
	if err := writeStill(out, shot.PNG); err != nil {
		return err
	}
	a.result = r
	a.warned = append(a.warned, shot.Warnings...)
	for _, w := range shot.Warnings {
		a.warn(w)
	}
	if a.json {
		return nil
	}
	_, err := fmt.Fprintln(a.io.Out, out)
	return err
}

func writeStill(path string, png []byte) error {
	if err := makeDir(path); err != nil {
		return err
	}
	if err := atomicfile.Write(path, png, 0o644); err != nil {
		return writeFailed("write "+path, err, "give an --output that can be written to")
	}
	return nil
}
