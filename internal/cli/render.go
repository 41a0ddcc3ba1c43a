package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/tui/widget"
)

// maxWorkers bounds --workers, because each worker is a browser.
const maxWorkers = 64

// RenderOptions are the arguments and flags of `koda render`.
type RenderOptions struct {
	Target    string   // project or directory
	Presets   []string // none means the preset final
	Overrides preset.Overrides
	Output    string
	NoClobber bool
	NoCache   bool
	Explain   bool
	Workers   int // 0: koda chooses for the machine
	Timeout   timeLimit
	Audio     AudioOptions
	Batch     string // file of rows; "-" is standard input, "" means no batch
}

func newRenderCmd(a *app, runF func(context.Context, *RenderOptions) error) *cobra.Command {
	o := &RenderOptions{}
	var crf int
	var from, to seconds
	if runF == nil {
		runF = func(ctx context.Context, o *RenderOptions) error { return runRender(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "render [PROJECT|DIRECTORY]",
		Short:   "Render a project, or any page, to a video",
		GroupID: groupWork,
		Long: `Render the newest version of a project, or any directory with a koda.json and an
index.html; koda init writes the first. The page offers
window.__exportSeekTo(seconds) and then sets window.__exportReady = true, or else
it plays, and its frames are drawn in order. Such a directory is only read; its
video goes to the working directory, a project's to its renders/. Interrupted,
the same command goes on where it stopped.

Formats: mp4 (H.264), webm (VP9), mov (ProRes 4444), gif, apng, and png, a
directory of frames. A page without a background stays transparent in webm, mov,
apng and png, and is white in mp4 and gif.

Mp4 is encoded by libx264. --encoder takes the machine's graphics device
instead: nvenc (NVIDIA), videotoolbox (Apple), qsv (Intel), amf (AMD), vaapi
(Linux), or auto, the first of these that answers. Where none does, libx264
encodes and koda says why; koda doctor says what there is. --crf is then said on
the device's own scale.

With --batch there is a video for every object of a JSON file: its fields are the
parameters of the page (window.__kodaProps), and stand in --output as {field}.
{index} counts from 1. A row that fails is left out and told at the end; one of a
recipe project fails before it is drawn where its recipe cannot read it.`,
		Example: `  koda render bouncing-ball
  koda render bouncing-ball --preset reels,square
  koda render bouncing-ball --resolution 720p --fps 30 --output small.mp4
  koda render bouncing-ball --audio song.mp3
  koda render ./card --batch people.json --output 'out/{name}-{index}.mp4'
  koda render bouncing-ball --from 1 --to 2.5 --output bounce.gif
  koda render ./my-page --format png --output frames`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Target = first(args)
			if cmd.Flags().Changed("crf") {
				o.Overrides.CRF = &crf
			}
			if cmd.Flags().Changed("from") {
				o.Overrides.From = (*float64)(&from)
			}
			if cmd.Flags().Changed("to") {
				o.Overrides.To = (*float64)(&to)
			}
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	f := c.Flags()
	f.StringSliceVar(&o.Presets, "preset", nil, "`NAME`s of outputs, see `koda presets` (default: final)")
	f.StringVar(&o.Overrides.Format, "format", "", "`KIND` of file: "+strings.Join(preset.Formats(), ", ")+" (default: by --output)")
	f.StringVar(&o.Overrides.Resolution, "resolution", "", "`SIZE`, such as 720p, 4k or 1280x720")
	f.StringVar(&o.Overrides.FPS, "fps", "", "frames per second: a `RATE` such as 30 or 30000/1001")
	f.Var(&from, "from", "begin at a time, such as 2.5 or 1:30")
	f.Var(&to, "to", "end at a time")
	f.IntVar(&crf, "crf", 0, "quality `N`, from 0 (best) to 51 in mp4, 63 in webm")
	f.StringVar(&o.Overrides.EncoderPreset, "encoder-preset", "", "how hard the encoder tries: a `WORD` from veryfast to veryslow")
	f.StringVar(&o.Overrides.Encoder, "encoder", "", "what encodes an mp4: x264, a graphics device by `NAME`, or auto (default: x264)")
	f.StringVarP(&o.Output, "output", "o", "", "`FILE` or directory to write")
	f.BoolVar(&o.NoClobber, "no-clobber", false, "fail when the file exists")
	f.BoolVar(&o.NoCache, "no-cache", false, "draw every frame again")
	f.BoolVar(&o.Explain, "explain", false, "say of each range of frames why it was drawn or reused")
	o.Timeout.flag(c)
	o.Audio.flags(f)
	f.StringVar(&o.Batch, "batch", "", "`FILE` of parameters, a video each: JSON or CSV, - for standard input")
	f.IntVar(&o.Workers, "workers", 0, "`N` browsers drawing at once (default: chosen for the machine)")
	_ = c.RegisterFlagCompletionFunc("preset", lists(preset.Names()))                                       //nolint:errcheck // the flag is there
	_ = c.RegisterFlagCompletionFunc("format", words(preset.Formats()))                                     //nolint:errcheck // likewise
	_ = c.RegisterFlagCompletionFunc("encoder", words(preset.Encoders()))                                   //nolint:errcheck // likewise
	_ = c.RegisterFlagCompletionFunc("resolution", words([]string{"480p", "720p", "1080p", "1440p", "4k"})) //nolint:errcheck // likewise
	return c
}

func runRender(ctx context.Context, a *app, o *RenderOptions) error {
	presets, err := lookupPresets(o.Presets)
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
		if len(presets) > 1 {
			return usage("give one preset", "--batch does not go with %d presets", len(presets))
		}
		return a.runBatch(ctx, presets[0], o)
	}
	if plainDir(o.Target) {
		t, err := plainTarget(o.Target)
		if err != nil {
			return err
		}
		return a.renderPlain(ctx, t, presets, o)
	}
	return a.working(ctx, func(ctx context.Context, e Engine) error {
		t, err := projectTarget(ctx, e, o.Target)
		if err != nil {
			return err
		}
		if t.project == nil {
			return a.renderPlain(ctx, t, presets, o)
		}
		if err := a.checkParams(t); err != nil {
			return err
		}
		specs, err := renderSpecs(t, presets, o)
		if err != nil {
			return err
		}
		a.result = &renderResult{Project: t.project}
		progress := a.follow(e)
		return a.renderAll(t, specs, func(spec koda.RenderSpec) (koda.RenderResult, error) {
			res, err := e.Render(ctx, t.project.ID, spec)
			progress.rest()
			return res, err
		})
	})
}

// lookupPresets finds the presets of a list; an empty list means the preset final.
func lookupPresets(names []string) ([]preset.Preset, error) {
	if len(names) == 0 {
		names = []string{preset.Final}
	}
	var found []preset.Preset
	for _, name := range names {
		p, err := preset.Lookup(name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(found, func(f preset.Preset) bool { return f.Name == p.Name }) {
			found = append(found, p)
		}
	}
	return found, nil
}

func (a *app) renderPlain(ctx context.Context, t target, presets []preset.Preset, o *RenderOptions) error {
	if err := a.checkParams(t); err != nil {
		return err
	}
	specs, err := renderSpecs(t, presets, o)
	if err != nil {
		return err
	}
	a.tellLocked(t)
	return a.drawing(ctx, t, func(r engine.Renderer, files fs.FS) error {
		return a.renderAll(t, specs, func(spec koda.RenderSpec) (koda.RenderResult, error) {
			spec.ID = rand.Text()
			progress := a.newProgress()
			res, err := r.Render(ctx, files, spec, func(pr koda.Progress) {
				progress.event(koda.Event{Schema: koda.SchemaVersion, Type: koda.EventRenderProgress, Payload: pr})
			})
			progress.rest()
			if err != nil && ctx.Err() != nil {
				err = &koda.Error{Code: koda.CodeInterrupted, Op: "interrupted; the finished part of the video is kept", Hint: "the same command goes on from there"}
			}
			return res, preset.SuggestSmaller(err, spec, cmp.Or(o.Target, "."))
		})
	})
}

// renderAll draws one video after the other and reports each. The first video that fails
// ends renderAll.
func (a *app) renderAll(t target, specs []koda.RenderSpec, draw func(koda.RenderSpec) (koda.RenderResult, error)) error {
	all := &renderResult{Project: t.project}
	a.result = all
	for _, spec := range specs {
		if err := makeDir(spec.Output); err != nil {
			return err
		}
		res, err := draw(spec)
		if err != nil {
			return err
		}
		if len(specs) == 1 {
			all.Render = &res
		} else {
			all.Renders = append(all.Renders, res)
		}
		if err := a.rendered(res); err != nil {
			return err
		}
	}
	return nil
}

// renderSpecs plans all renders before the first render begins.
func renderSpecs(t target, presets []preset.Preset, o *RenderOptions) ([]koda.RenderSpec, error) {
	several, err := severalIn(o.Output, len(presets))
	if err != nil {
		return nil, err
	}
	if several && !isDir(o.Output) {
		of := *o
		of.Output += string(filepath.Separator)
		o = &of
	}
	var specs []koda.RenderSpec
	for _, p := range presets {
		spec, err := renderSpec(t, p, o)
		if err != nil {
			return nil, err
		}
		specs = append(specs, spec)
	}
	return specs, nil
}

// renderSpec is the complete render: it has everything that changes a byte of the video.
func renderSpec(t target, p preset.Preset, o *RenderOptions) (koda.RenderSpec, error) {
	over := o.Overrides
	if over.Format == "" && !isDir(o.Output) {
		over.Format = formatOf(o.Output)
		if over.Format == preset.PNG {
			return koda.RenderSpec{}, usage("one picture: koda still; every frame: --format png --output DIRECTORY", "%s is the name of one picture", o.Output)
		}
	}
	spec, err := preset.Spec(t.manifest, p, over)
	if err != nil {
		return spec, err
	}
	if o.Audio.File != "" && !preset.HasSound(spec.Format) {
		return spec, usage("leave out --audio, or give --format "+preset.MP4, "%s carries no sound", spec.Format)
	}
	base := t.name() + suffix(p, o.Overrides)
	if spec.Format == preset.PNG {
		spec.Output, err = t.outputDir(o.Output, filepath.Join(t.home(), base+"-frames"))
	} else {
		spec.Output, err = t.outputFile(o.Output, base, spec.Format, o.NoClobber)
	}
	if err != nil {
		return spec, err
	}
	if t.project != nil && o.Output == "" {
		spec.Thumbnail = strings.TrimSuffix(spec.Output, "."+spec.Format) + ".jpg"
		if err := projectfs.NoLinksTo(t.dir, spec.Thumbnail); err != nil {
			return spec, err
		}
		if p.Kind == koda.RenderPreview && spec.Format == preset.MP4 && o.Overrides.From == nil && o.Overrides.To == nil {
			spec.Strip = strings.TrimSuffix(spec.Output, "."+spec.Format) + ".strip"
		}
	}
	spec.NoClobber, spec.NoCache, spec.Explain, spec.Workers, spec.Audio = o.NoClobber, o.NoCache, o.Explain, o.Workers, o.Audio.Sound
	spec.LimitMS = time.Duration(o.Timeout).Milliseconds()
	return spec, nil
}

// suffix makes different names for different videos of the same animation.
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
	if o.EncoderPreset != "" {
		s += "-" + strings.ToLower(o.EncoderPreset)
	}
	if o.Encoder != "" {
		s += "-" + strings.ToLower(o.Encoder)
	}
	if o.From != nil {
		s += fmt.Sprintf("-from%gs", *o.From)
	}
	if o.To != nil {
		s += fmt.Sprintf("-to%gs", *o.To)
	}
	return strings.Map(func(r rune) rune {
		if r == '/' || r == ':' || r == '*' || r == ' ' {
			return '_'
		}
		return r
	}, s)
}

// rendered reports what was made.
func (a *app) rendered(res koda.RenderResult) error {
	if a.json {
		return nil
	}
	took := res.Elapsed.Round(100 * time.Millisecond)
	text := fmt.Sprintf("%dx%d at %s fps, %s s, %s, %s", res.Width, res.Height, res.FPS, number(res.Duration), count(res.Frames, "frame"), size(res.Size))
	if took > 0 {
		text += fmt.Sprintf(", in %v", took)
	}
	if res.Reused > 0 {
		text += fmt.Sprintf(", %d drawn before", res.Reused)
	}
	if res.Sound != nil {
		text += ", with " + widget.Line(filepath.Base(res.Sound.Path))
	}
	a.say("", text)
	if res.Note != "" {
		a.say("", widget.Line(res.Note))
	}
	for _, r := range slices.Concat(res.Retries, res.Warnings) {
		a.warn(r)
	}
	for _, r := range res.Ranges {
		verb := "drawn"
		if r.Reused {
			verb = "reused"
		}
		fmt.Fprintf(a.io.Err, "frames %d-%d %s: %s\n", r.First, r.Last, verb, widget.Line(r.Why))
	}
	_, err := fmt.Fprintln(a.io.Out, res.Video)
	return err
}
