package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"math"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
)

// maxSheet bounds --count, --columns and --rows.
const maxSheet = 10_000

// SheetOptions are the arguments and flags of `koda sheet`.
type SheetOptions struct {
	Target               string // project or directory
	Count, Columns, Rows int    // 0: koda chooses
	Wide                 int
	Output               string
	NoClobber            bool
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
the directory now: 4 columns of 3, or --count of them in a square, or as many as
--columns and --rows have places. A project's goes to its renders/, that of any
other page to the working directory.`,
		Example: `  koda sheet bouncing-ball
  koda sheet bouncing-ball --count 9
  koda sheet ./my-page --columns 6 --rows 4 --width 240 --output sheet.png`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Target = first(args)
			for _, name := range []string{"count", "columns", "rows"} {
				if n, err := cmd.Flags().GetInt(name); err == nil && (n < 1 || n > maxSheet) && cmd.Flags().Changed(name) {
					return usage(fmt.Sprintf("give 1 to %d", maxSheet), "--%s %d is out of range", name, n)
				}
			}
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	f := c.Flags()
	f.IntVar(&o.Count, "count", 0, "`N` pictures (default: 12)")
	f.IntVar(&o.Columns, "columns", 0, "`N` pictures side by side (default: 4)")
	f.IntVar(&o.Rows, "rows", 0, "`N` pictures below each other (default: 3)")
	f.IntVar(&o.Wide, "width", 320, "`PIXELS` of one picture")
	f.StringVarP(&o.Output, "output", "o", "", "`FILE` or directory to write")
	f.BoolVar(&o.NoClobber, "no-clobber", false, "fail when the file exists")
	return c
}

// grid is the number of pictures, and how many of them stand side by side.
func (o *SheetOptions) grid() (count, columns int, err error) {
	switch {
	case o.Count > 0 && o.Columns > 0 && o.Rows > 0:
		return 0, 0, usage("two of them give the third", "--count does not go with both --columns and --rows")
	case o.Count > 0 && o.Columns > 0:
		return o.Count, o.Columns, nil
	case o.Count > 0 && o.Rows > 0:
		return o.Count, (o.Count-1)/o.Rows + 1, nil
	case o.Count > 0:
		return o.Count, int(math.Ceil(math.Sqrt(float64(o.Count)))), nil
	}
	columns = cmp.Or(o.Columns, 4)
	return columns * cmp.Or(o.Rows, 3), columns, nil
}

func runSheet(ctx context.Context, a *app, o *SheetOptions) error {
	n, columns, err := o.grid()
	if err != nil {
		return err
	}
	t, err := a.targetOf(ctx, o.Target)
	if err == nil {
		err = a.checkParams(t)
	}
	if err != nil {
		return err
	}
	out, err := t.outputFile(o.Output, t.name()+"-sheet", "png", o.NoClobber)
	if err != nil {
		return err
	}
	a.result = &renderResult{Project: t.project}
	return a.drawing(ctx, t, func(r engine.Renderer, files fs.FS) error {
		shot, err := r.Sheet(ctx, files, n, columns, o.Wide)
		if err != nil {
			return err
		}
		return a.picture(out, shot, &renderResult{Project: t.project, Sheet: out})
	})
}
