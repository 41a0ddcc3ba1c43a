package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/tui/widget"
)

type diffResult struct {
	head
	Project koda.Project      `json:"project"`
	From    int               `json:"from"`
	To      int               `json:"to"`
	Edited  bool              `json:"edited"` // to stands for the files as they are, which no version has
	Files   []engine.FileDiff `json:"files"`
	// Render is the video of both versions, with --video; then there are no files.
	Render *koda.RenderResult `json:"render,omitempty"`
}

// The kinds of video of two versions.
const (
	videoSide       = "side"
	videoDifference = "difference"
)

// DiffOptions are the arguments and flags of `koda diff`.
type DiffOptions struct {
	Project   string
	From, To  int    // 0: not given
	Video     string // "": compare the files
	Preset    string
	Output    string
	NoClobber bool
	Timeout   timeLimit
}

func newDiffCmd(a *app, runF func(context.Context, *DiffOptions) error) *cobra.Command {
	o := &DiffOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *DiffOptions) error { return runDiff(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "diff [PROJECT] [VERSION [VERSION]]",
		Short:   "Compare two versions",
		GroupID: groupLook,
		Long: `Compare the files of two versions, as a unified diff that patch and git apply read.
One version is compared with the files as they are now. Without one it is what was
changed last: your edits since the current version, or else the current version
against the one it was made from. Without PROJECT it is that of the working
directory.

With --video there is a video of both versions: side by side, or of the difference
of every pixel, black where there is none. It goes to the project's renders/.`,
		Example: `  koda diff
  koda diff bouncing-ball v2 v3
  koda diff bouncing-ball v2 v3 --video side
  koda diff v1 > since-v1.patch`,
		Args: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains([]string{"", videoSide, videoDifference}, o.Video) { // --video may have taken the next flag for its value
				return unknownValue("kind of video", o.Video, []string{videoSide, videoDifference})
			}
			return between(0, 3)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.read(args); err != nil {
				return err
			}
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeVersions(3),
	}
	f := c.Flags()
	f.StringVar(&o.Video, "video", "", "make a video, `KIND`: side or difference")
	f.StringVar(&o.Preset, "preset", "", "with --video: `NAME` of an output, see `koda presets` (default: preview)")
	f.StringVarP(&o.Output, "output", "o", "", "with --video: `FILE` or directory to write")
	f.BoolVar(&o.NoClobber, "no-clobber", false, "with --video: fail when the file exists")
	o.Timeout.flag(c)
	_ = c.RegisterFlagCompletionFunc("video", words([]string{videoSide, videoDifference})) //nolint:errcheck // the flag is there
	_ = c.RegisterFlagCompletionFunc("preset", words(preset.Names()))                      //nolint:errcheck // likewise
	return c
}

// read splits "[PROJECT] [VERSION [VERSION]]". A word that cannot be a version is the
// project.
func (o *DiffOptions) read(args []string) error {
	if len(args) == 3 || len(args) > 0 && !isVersionWord(args[0]) {
		o.Project, args = args[0], args[1:]
	}
	for i, into := range []*int{&o.From, &o.To} {
		if i >= len(args) {
			break
		}
		n, err := parseVersion(args[i])
		if err != nil {
			return err
		}
		*into = n
	}
	if o.From != 0 && o.From == o.To {
		return usage("give two versions; koda history lists them", "v%d twice: there is nothing to compare", o.From)
	}
	return nil
}

func runDiff(ctx context.Context, a *app, o *DiffOptions) error {
	switch {
	case o.Video != "":
		return a.diffVideo(ctx, o)
	case o.Output != "" || o.Preset != "" || o.NoClobber || o.Timeout != 0:
		return usage("add --video side", "--preset, --output, --no-clobber and --timeout are for videos")
	}
	return a.withProject(ctx, o.Project, func(ctx context.Context, e Engine, p koda.Project) error {
		c, err := e.Diff(ctx, p.ID, o.From, o.To)
		if err != nil {
			return err
		}
		a.result = &diffResult{Project: c.Project, From: c.From, To: c.To, Edited: c.Edited, Files: c.Files}
		if a.json {
			return nil
		}
		if err := a.printDiff(c); err != nil {
			return err
		}
		fmt.Fprintf(a.io.Err, "%s: %s\n", compared(c), tally(c.Files))
		return nil
	})
}

// diffVideo makes a video of two versions.
func (a *app) diffVideo(ctx context.Context, o *DiffOptions) error {
	return a.withProject(ctx, o.Project, func(ctx context.Context, e Engine, p koda.Project) error {
		req := engine.VideoDiff{From: o.From, To: o.To, Difference: o.Video == videoDifference, Preset: o.Preset, NoClobber: o.NoClobber}
		if o.Output != "" {
			var err error
			t := target{project: &p, dir: p.Dir}
			if req.Output, err = t.outputFile(o.Output, p.Name+"-"+o.Video, preset.MP4, o.NoClobber); err != nil {
				return err
			}
		}
		if err := canHold(filepath.Join(p.Dir, "renders"), "", p.Name+"-"+o.Video+".mp4"); o.Output == "" && err != nil {
			return err
		}
		if req.Output != "" {
			if err := makeDir(req.Output); err != nil {
				return err
			}
		}
		if o.Timeout != 0 {
			e.Limit(time.Duration(o.Timeout))
		}
		progress := a.follow(e)
		c, res, err := e.DiffVideo(ctx, p.ID, req)
		progress.rest()
		if err != nil {
			return err
		}
		a.result = &diffResult{Project: c.Project, From: c.From, To: c.To, Edited: c.Edited, Files: []engine.FileDiff{}, Render: &res}
		if !a.json {
			fmt.Fprintf(a.io.Err, "v%d and v%d\n", c.From, c.To)
			if c.Edited {
				a.warn(fmt.Sprintf("the files as they are differ from v%d: they are in no version, and not in the video", c.To))
			}
		}
		return a.rendered(res)
	})
}

// compared names the two sides of a comparison.
func compared(c engine.Comparison) string {
	if c.Edited {
		return fmt.Sprintf("v%d to the files as they are", c.From)
	}
	return fmt.Sprintf("v%d to v%d", c.From, c.To)
}

// tally counts the differences.
func tally(files []engine.FileDiff) string {
	if len(files) == 0 {
		return "the files are the same"
	}
	added, deleted := 0, 0
	for _, f := range files {
		added, deleted = added+f.Added, deleted+f.Deleted
	}
	verb := "differ"
	if len(files) == 1 {
		verb = "differs"
	}
	return fmt.Sprintf("%s %s, %s added, %d deleted", count(len(files), "file"), verb, count(added, "line"), deleted)
}

// printDiff prints a comparison.
func (a *app) printDiff(c engine.Comparison) error {
	out := a.io.Out
	if !a.io.OutTTY {
		out = a.io.exact
	}
	_, err := fmt.Fprint(out, a.diffText(c))
	return err
}

// diffText is the whole comparison. A program gets it byte for byte, a person gets it
// safe and with colours.
func (a *app) diffText(c engine.Comparison) string {
	var b strings.Builder
	for _, f := range c.Files {
		text := f.Diff
		if text == "" { // the file is empty, or binary
			text = fmt.Sprintf("%s %s, %s\n", f.Path, f.Status, sizes(f))
		}
		if !a.io.OutTTY {
			b.WriteString(text)
			continue
		}
		for _, line := range widget.DiffLines(text) {
			b.WriteString(line.Render(a.look().out) + "\n")
		}
	}
	return b.String()
}

// sizes describes a file that cannot be compared line by line.
func sizes(f engine.FileDiff) string {
	switch f.Status {
	case "added":
		return size(int64(f.NewSize))
	case "deleted":
		return "was " + size(int64(f.OldSize))
	}
	return size(int64(f.OldSize)) + " to " + size(int64(f.NewSize))
}
