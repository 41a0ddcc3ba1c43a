package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/tui/widget"
)

// maxWorkers bounds --workers: each is a browser.
const maxWorkers = 64

// RenderOptions is what `koda render` was told.
type RenderOptions struct {
	Target    string // project or directory
	Preset    string
	Overrides preset.Overrides
	Output    string
	NoClobber bool
	NoCache   bool
	Workers   int // 0: chosen for the machine
	Audio     AudioOptions
	Batch     string // file of rows, "-": standard input; "" none
}

func newRenderCmd(a *app, runF func(context.Context, *RenderOptions) error) *cobra.Command {
	o := &RenderOptions{}
	var crf int
	if runF == nil {
		runF = func(ctx context.Context, o *RenderOptions) error { return runRender(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "render [PROJECT|DIRECTORY]",
		Short:   "Render a project, or any page, to a video",
		GroupID: groupWork,
		Long: `Render the newest version of a project, or any directory with a koda.json and an
index.html that offers window.__exportSeekTo. Such a directory is only read; its
video goes to the working directory, a project's to its renders/. Interrupted,
the same command goes on where it stopped.

With --batch there is a video for every object of a JSON file: its fields are the
parameters of the page (window.__kodaProps), and stand in --output as {field}.
{index} counts from 1. A row that fails is left out and told at the end.`,
		Example: `  koda render bouncing-ball
  koda render bouncing-ball --preset square
  koda render bouncing-ball --resolution 720p --fps 30 --output small.mp4
  koda render bouncing-ball --audio song.mp3
  koda render ./card --batch people.json --output 'out/{name}-{index}.mp4'
  koda render ./my-page`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Target = first(args)
			if cmd.Flags().Changed("crf") {
				o.Overrides.CRF = &crf
			}
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	f := c.Flags()
	f.StringVar(&o.Preset, "preset", "", "output `NAME`: "+strings.Join(preset.Names(), ", ")+" (default: final)")
	f.StringVar(&o.Overrides.Resolution, "resolution", "", "`SIZE`, such as 720p, 4k or 1280x720")
	f.StringVar(&o.Overrides.FPS, "fps", "", "frames per second: a `RATE` such as 30 or 30000/1001")
	f.StringVar(&o.Overrides.Format, "format", "", "`KIND` of file (default: from --output, else the preset's)")
	f.IntVar(&crf, "crf", 0, "quality `N`, 0 (lossless) to 51 (default: the preset's)")
	f.StringVarP(&o.Output, "output", "o", "", "`FILE` or directory to write")
	f.BoolVar(&o.NoClobber, "no-clobber", false, "fail when the file exists")
	f.BoolVar(&o.NoCache, "no-cache", false, "draw every frame again")
	o.Audio.flags(f)
	f.StringVar(&o.Batch, "batch", "", "`FILE` of parameters, a video each: JSON, - for standard input")
	f.IntVar(&o.Workers, "workers", 0, "`N` browsers drawing at once (default: chosen for the machine)")
	_ = c.RegisterFlagCompletionFunc("preset", words(preset.Names())) //nolint:errcheck // the flag is there
	return c
}

func runRender(ctx context.Context, a *app, o *RenderOptions) error {
	p, err := preset.Lookup(cmp.Or(o.Preset, preset.Final))
	if err != nil {
		return err
	}
	if o.Workers < 0 || o.Workers > maxWorkers {
		return usage(fmt.Sprintf("give 1 to %d, or leave it out", maxWorkers), "--workers %d is out of range", o.Workers)
	}
	if err := o.Audio.check(a.deps.CheckAsset); err != nil {
		return err
	}
	if o.Batch != "" {
		return a.runBatch(ctx, p, o)
	}
	if plainDir(o.Target) {
		t, err := plainTarget(o.Target)
		if err != nil {
			return err
		}
		return a.renderPlain(ctx, t, p, o)
	}
	return a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		t, err := projectTarget(ctx, e, o.Target)
		if err != nil {
			return err
		}
		spec, err := renderSpec(t, p, o)
		if err != nil {
			return err
		}
		a.result = &renderResult{Project: t.project}
		progress := a.follow(e)
		res, err := e.Render(ctx, t.project.ID, spec)
		progress.rest()
		return a.rendered(t, res, err)
	})
}

func (a *app) renderPlain(ctx context.Context, t target, p preset.Preset, o *RenderOptions) error {
	spec, err := renderSpec(t, p, o)
	if err != nil {
		return err
	}
	spec.ID = rand.Text()
	return a.drawing(ctx, t, func(r engine.Renderer, files fs.FS) error {
		progress := a.newProgress()
		res, err := r.Render(ctx, files, spec, func(pr koda.Progress) {
			progress.event(koda.Event{Schema: koda.SchemaVersion, Type: koda.EventRenderProgress, Payload: pr})
		})
		progress.rest()
		if err != nil && ctx.Err() != nil {
			err = &koda.Error{Code: koda.CodeInterrupted, Op: "interrupted; the finished part of the video is kept", Hint: "the same command goes on from there"}
		}
		return a.rendered(t, res, err)
	})
}

// renderSpec is the whole render: everything that changes a byte of it.
func renderSpec(t target, p preset.Preset, o *RenderOptions) (koda.RenderSpec, error) {
	over := o.Overrides
	if over.Format == "" && !isDir(o.Output) {
		over.Format = formatOf(o.Output)
	}
	spec, err := preset.Spec(t.manifest, p, over)
	if err != nil {
		return spec, err
	}
	base := t.name() + suffix(p, o.Overrides)
	if spec.Output, err = outputFile(o.Output, t.home(), base, spec.Format, o.NoClobber); err != nil {
		return spec, err
	}
	if t.project != nil && o.Output == "" {
		spec.Thumbnail = strings.TrimSuffix(spec.Output, "."+spec.Format) + ".jpg"
	}
	spec.NoClobber, spec.NoCache, spec.Workers, spec.Audio = o.NoClobber, o.NoCache, o.Workers, o.Audio.Sound
	return spec, nil
}

// suffix tells videos of the same animation apart by what was asked for.
func suffix(p preset.Preset, o preset.Overrides) string {
	var s string
	if p.Name != preset.Final {
		s += "-" + p.Name
	}
	if o.Resolution != "" {
		s += "-" + strings.ToLower(strings.TrimSpace(o.Resolution))
	}
	if o.FPS != "" {
		s += "-" + o.FPS + "fps"
	}
	if o.CRF != nil {
		s += fmt.Sprintf("-crf%d", *o.CRF)
	}
	return strings.Map(func(r rune) rune {
		if r == '/' || r == ':' || r == '*' || r == ' ' {
			return '_'
		}
		return r
	}, s)
}

// rendered tells what was made.
func (a *app) rendered(t target, res koda.RenderResult, err error) error {
	if err != nil {
		return err
	}
	a.result = &renderResult{Project: t.project, Render: &res}
	if a.json {
		return nil
	}
	took := res.Elapsed.Round(100 * time.Millisecond)
	fmt.Fprintf(a.io.Err, "%dx%d at %s fps, %s s, %s, %s", res.Width, res.Height, res.FPS, number(res.Duration), count(res.Frames, "frame"), size(res.Size))
	if took > 0 {
		fmt.Fprintf(a.io.Err, ", in %v", took)
	}
	if res.Reused > 0 {
		fmt.Fprintf(a.io.Err, ", %d drawn before", res.Reused)
	}
	if res.Sound != nil {
		fmt.Fprintf(a.io.Err, ", with %s", widget.Line(filepath.Base(res.Sound.Path)))
	}
	fmt.Fprintln(a.io.Err)
	if res.Note != "" {
		fmt.Fprintln(a.io.Err, widget.Line(res.Note))
	}
	_, err = fmt.Fprintln(a.io.Out, res.Video)
	return err
}
