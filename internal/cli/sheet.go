package cli

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
)

// SheetOptions is what `koda sheet` was told.
type SheetOptions struct {
	Target              string // project or directory
	Columns, Rows, Wide int
	Output              string
	NoClobber           bool
}

func newSheetCmd(a *app, runF func(context.Context, *SheetOptions) error) *cobra.Command {
	o := &SheetOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *SheetOptions) error { return runSheet(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "sheet [PROJECT|DIRECTORY]",
		Short:   "Draw frames of the whole animation on one picture",
		GroupID: groupWork,
		Long: `Draw frames spread evenly over the animation on one PNG picture, of what lies in
the directory now. A project's goes to its renders/, that of any other page to the
working directory.`,
		Example: `  koda sheet bouncing-ball
  koda sheet ./my-page --columns 6 --rows 4 --width 240 --output sheet.png`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Target = first(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	f := c.Flags()
	f.IntVar(&o.Columns, "columns", 4, "`N` pictures side by side")
	f.IntVar(&o.Rows, "rows", 3, "`N` pictures below each other")
	f.IntVar(&o.Wide, "width", 320, "`PIXELS` of one picture")
	f.StringVarP(&o.Output, "output", "o", "", "`FILE` or directory to write")
	f.BoolVar(&o.NoClobber, "no-clobber", false, "fail when the file exists")
	return c
}

func runSheet(ctx context.Context, a *app, o *SheetOptions) error {
	t, err := a.targetOf(ctx, o.Target)
	if err != nil {
		return err
	}
	out, err := outputFile(o.Output, t.home(), t.name()+"-sheet", "png", o.NoClobber)
	if err != nil {
		return err
	}
	a.result = &renderResult{Project: t.project}
	return a.drawing(ctx, t, func(r engine.Renderer, files fs.FS) error {
		png, err := r.Sheet(ctx, files, o.Columns, o.Rows, o.Wide)
		if err != nil {
			return err
		}
		if err := writeStill(t, out, png); err != nil {
			return err
		}
		a.result = &renderResult{Project: t.project, Sheet: out}
		if a.json {
			return nil
		}
		_, err = fmt.Fprintln(a.io.Out, out)
		return err
	})
}
