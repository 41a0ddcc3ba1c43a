package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/recipe"
)

// maxPrompt is how long a prompt may be, in bytes.
const maxPrompt = 32 << 10

// NewOptions are the arguments and flags of `koda new`.
type NewOptions struct {
	Prompt   string // "-": standard input; "": ask
	Yes      bool
	PlanOnly bool
	Estimate bool // only say what it is expected to cost
	Style    string
	Duration seconds      // 0: not given
	Finals   FinalOptions // the first preset gives the size
	Recipe   string
	Author   string
	Sandbox  string   // kind; "": the settings decide
	Set      []string // name=value
	Assets   []string // paths
	Data     string   // path of a file with data; "-": standard input
	From     string   // project that a model goes on with
	Batch    string   // path of a file of rows, a video each; "-": standard input
	Dir      string   // parent directory
	Name     string
	Timeout  timeLimit
	named    bool // --name was given
	timed    bool // --duration was given
	stranger bool // the prompt came over HTTP: files that it names are not read
}

// says reports whether what to animate is said: by a prompt, by data, or by the parameters or files of a recipe.
func (o *NewOptions) says() bool {
	return o.Prompt != "" || o.Data != "" || o.Recipe != "" && len(o.Set)+len(o.Assets) > 0
}

func newNewCmd(a *app, runF func(context.Context, *NewOptions) error) *cobra.Command {
	o := &NewOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *NewOptions) error { return runNew(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "new PROMPT",
		Short:   "Make a video of a sentence",
		GroupID: groupWork,
		Long: `Make a project and a video of a sentence.

koda asks one question when the style is open, proposes a plan, animates while
its todos tick, shows a preview and renders the final video, whose path is
printed; -o puts it where you want it as well, in the format its name asks for.
With --yes nothing is asked, and with --plan-only koda stops at the plan: both
together take the defaults that far. Without a terminal koda stops where a person
is needed, prints the command that goes on, and ends with status 3.

With --sandbox docker the code of the project lives in a container, see koda
sandbox --help; the image of containers is built first, once.

Recipes think videos up, offline. With --model, or the setting model, a language model
does: it can draw what no recipe draws, and costs what its service asks for. --estimate
says before what that may be, and how long this machine will draw.

With --from the project begins with the present version of another one, and a model
goes on with it: it makes the change that PROMPT asks for.

With --batch the project gets its preview, and each row of the file a video; koda
accept makes the project's own. A prompt of - is read from standard input. With
--data, or with --recipe and --set, the prompt may be left out; a prompt may also name
a data file: sales.csv, ~/sales.csv.`,
		Example: `  koda new "bouncing ball"
  koda new "bouncing ball, red, 3 bounces, 4 seconds" --preset reels --yes
  koda new "bouncing ball" --yes -o out/ball.mp4
  koda new 'title "Hello, world"' --style smooth --duration 6 --plan-only
  koda new "bars of the sales" --data sales.csv
  koda new "a paper boat crosses a storm" --model anthropic
  koda new "let it rain" --author model --from bouncing-ball
  koda new "a paper boat crosses a storm" --model anthropic --estimate
  koda new --recipe changelog --data CHANGELOG.md --preset reels --yes
  koda new --recipe greeting --set text="Welcome, Ravi" --yes
  koda new - --yes --json < prompt.txt`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := emptyFlags(cmd); err != nil {
				return err
			}
			o.Prompt = strings.Join(args, " ")
			o.named, o.timed = cmd.Flags().Changed("name"), cmd.Flags().Changed("duration")
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := c.Flags()
	f.BoolVarP(&o.Yes, "yes", "y", false, "give every approval now; remembered by the project")
	f.BoolVar(&o.PlanOnly, "plan-only", false, "stop at the plan")
	f.BoolVar(&o.Estimate, "estimate", false, "only say what it is expected to cost; make nothing, ask no model")
	f.StringVar(&o.Style, "style", "", "`STYLE`, such as playful, smooth or cinematic")
	f.Var(&o.Duration, "duration", "length in seconds, such as 5, 2.5s or 1m30s (default: the author decides)")
	f.StringVar(&o.Recipe, "recipe", "", "recipe `NAME` to follow, such as bouncing-ball or title")
	f.StringVar(&o.Author, "author", "", "`WHO` thinks it up: "+strings.Join(a.deps.Offers["author"], " or "))
	f.StringVar(&o.Sandbox, "sandbox", "", "`KIND` of sandbox for the code: "+strings.Join(a.deps.Offers["sandbox-provider"], " or "))
	f.StringArrayVar(&o.Set, "set", nil, "parameter of the recipe as `NAME=VALUE`; may be repeated")
	f.StringArrayVar(&o.Assets, "asset", nil, "image, audio or data `FILE` to bring, or a directory of images; may be repeated")
	f.Var((*once)(&o.Data), "data", "CSV, JSON, YAML, Markdown or .cast `FILE` to show; - is standard input")
	f.StringVar(&o.From, "from", "", "`PROJECT` to begin with, which a model goes on with")
	f.StringVar(&o.Batch, "batch", "", "`FILE` of parameters, a video each: JSON or CSV, - for standard input")
	f.StringVar(&o.Dir, "dir", "", "`DIR` to make the project in (default: where you are)")
	f.StringVar(&o.Name, "name", "", "`NAME` of the project (default: from the prompt)")
	o.Timeout.flag(c)
	o.Finals.flags(c)
	_ = c.RegisterFlagCompletionFunc("author", words(a.deps.Offers["author"]))            //nolint:errcheck // the flag is there
	_ = c.RegisterFlagCompletionFunc("sandbox", words(a.deps.Offers["sandbox-provider"])) //nolint:errcheck // the flag is there
	_ = c.RegisterFlagCompletionFunc("from", a.completeProjects)                          //nolint:errcheck // the flag is there
	_ = c.MarkFlagDirname("dir")                                                          //nolint:errcheck // the flag is there
	return c
}

func runNew(ctx context.Context, a *app, o *NewOptions) error {
	given := 0
	for _, s := range []string{o.Prompt, o.Data, o.Batch} {
		if s == "-" {
			given++
		}
	}
	switch {
	case given > 1:
		return usage("give the others as files, and the prompt in quotation marks", "only one of the prompt, --data and --batch can be read from standard input")
	case o.Estimate && (o.Batch != "" || o.From != ""):
		return usage("estimate one new video", "--estimate goes with neither --batch nor --from")
	case o.From != "":
		return newFrom(ctx, a, o)
	case o.Batch != "":
		return newBatch(ctx, a, o)
	}
	studio := a.roomForStudio() && !o.Yes && !o.PlanOnly && !o.Estimate && o.Prompt != "-" && o.Data != "-"
	if studio && !o.says() {
		return a.studio(ctx, studioOptions{new: *o, begin: true, timeout: o.Timeout})
	}
	if err := a.settleAuthor(ctx, o); err != nil {
		return err
	}
	r, err := newRequest(ctx, a, o)
	if studio && err != nil && o.bare() { // the prompt is wrong: it is there to be mended
		return a.studio(ctx, studioOptions{new: *o, begin: true, problem: err})
	}
	if err != nil {
		return err
	}
	if o.Estimate {
		return a.estimate(ctx, r)
	}
	if studio {
		return a.studio(ctx, studioOptions{new: *o, request: &r, timeout: o.Timeout})
	}
	if r.Brief.Author == engine.AuthorModel && a.deps.Budget != nil {
		may, err := a.deps.Budget(r.Brief.Models)
		if err != nil {
			return err
		}
		a.say("", may.String())
	}
	return a.converse(ctx, talk{planOnly: o.PlanOnly, notes: true, timeout: o.Timeout}, func(ctx context.Context, e Engine) (engine.Outcome, error) {
		return e.New(ctx, r)
	})
}

// bare reports whether there is a prompt, and no flag that could be wrong instead.
func (o *NewOptions) bare() bool {
	return o.Prompt != "" && !o.named && !o.timed && len(o.Set)+len(o.Assets)+len(o.Finals.Presets) == 0 &&
		o.Style+o.Recipe+o.Author+o.Sandbox+o.Data+o.Dir+o.Finals.Output == ""
}

// newRequest checks everything that can be checked before a project is made.
func newRequest(ctx context.Context, a *app, o *NewOptions) (engine.NewRequest, error) {
	none := engine.NewRequest{}
	b := koda.Brief{Style: strings.TrimSpace(o.Style), Recipe: o.Recipe, Author: o.Author, Yes: o.Yes}
	if err := fillOutput(&b, o); err != nil {
		return none, err
	}
	var err error
	if b.To, err = o.Finals.destination(""); err != nil {
		return none, err
	}
	if err := a.deps.Offers.Check("author", b.Author, "--author"); err != nil {
		return none, err
	}
	if err := a.deps.Offers.Check("sandbox-provider", o.Sandbox, "--sandbox"); err != nil {
		return none, err
	}
	if b.Recipe != "" && (b.Author == "model" || a.model != "") {
		return none, usage("leave one of them out", "a recipe needs no model: --recipe contradicts --author model and --model")
	}
	if err := fillParams(&b, o.Set); err != nil {
		return none, err
	}
	if o.named {
		if err := a.deps.CheckName(o.Name); err != nil {
			return none, err
		}
	}
	r := engine.NewRequest{Name: o.Name, Exact: o.named, PlanOnly: o.PlanOnly, Sandbox: o.Sandbox}
	if err := a.fillFromSettings(&r, &b, o.Dir); err != nil {
		return none, err
	}
	for _, path := range o.Assets {
		if err := a.bringAsset(&r, &b, path); err != nil {
			return none, err
		}
	}
	switch {
	case o.Prompt == "" && o.Data == "" && o.says():
		b.Prompt = o.Recipe
	case o.Prompt != "" || o.Data == "":
		if b.Prompt, err = readPrompt(ctx, a.io, o.Prompt, a.canAsk()); err != nil {
			return none, err
		}
	}
	if o.Data != "" || !o.stranger {
		if err := a.bring(ctx, &r, &b, o.Data, o.stranger); err != nil {
			return none, err
		}
	}
	if !o.stranger {
		a.bringMedia(&r, &b)
	}
	wanted, err := a.deps.CheckBrief(ctx, b)
	if err != nil {
		return none, err
	}
	if !o.stranger {
		a.tellAuthor(ctx, b, wanted.Recipe, o)
	}
	b.Assets = nil // the engine adds them, as the project keeps them
	var warning string
	if r.Brief, warning = asked(b, wanted, o); warning != "" {
		a.warn(warning)
	}
	return r, nil
}

// fillFromSettings fills in what the settings decide: author, sandbox, and where the
// project is made.
func (a *app) fillFromSettings(r *engine.NewRequest, b *koda.Brief, dir string) error {
	_, cfg, err := a.settings()
	if err != nil {
		return err
	}
	err = a.chooseAuthor(b, cfg)
	if r.Sandbox == "" {
		r.Sandbox, err = cfg.SandboxProvider, cmp.Or(err, a.offered(cfg, "sandbox-provider"))
	}
	if err != nil {
		return err
	}
	r.Dir = cfg.StoragePath
	if dir != "" {
		if r.Dir, err = filepath.Abs(dir); err != nil {
			return fmt.Errorf("find directory: %w", err)
		}
	}
	return nil
}

// offered refuses the value of a setting that this build cannot do.
func (a *app) offered(cfg config.Config, name string) error {
	v, err := cfg.Value(name)
	if err != nil {
		return err
	}
	return a.deps.Offers.Check(name, v.Text, v.Place)
}

// fillOutput sets size, rate and duration of the brief.
func fillOutput(b *koda.Brief, o *NewOptions) error {
	b.Width, b.Height, b.FPS = koda.DefaultWidth, koda.DefaultHeight, koda.DefaultFPS
	b.Duration = float64(o.Duration)
	if o.timed && (b.Duration < koda.MinBrief || b.Duration > koda.MaxDuration) {
		return usage(fmt.Sprintf("give %g to %d seconds", koda.MinBrief, koda.MaxDuration), "a duration of %g s is out of range", b.Duration)
	}
	finals, err := lookupFinals(o.Finals.Presets)
	if err != nil {
		return err
	}
	for i, p := range finals {
		if err := p.CheckDuration(b.Duration); err != nil {
			return err
		}
		if i > 0 {
			b.Presets = append(b.Presets, p.Name)
			continue
		}
		b.Preset = p.Name
		if p.Width > 0 {
			b.Width, b.Height = p.Width, p.Height
		}
		if !p.FPS.IsZero() {
			b.FPS = p.FPS
		}
	}
	return nil
}

// asked gives the brief the size, the rate and the format that the prompt asks for. What
// a flag says stands. A format that no preset makes costs nobody the video: warning says how to get the format.
func asked(b koda.Brief, w recipe.Wanted, o *NewOptions) (_ koda.Brief, warning string) {
	shaped := w.Width > 0 && w.Height > 0
	if len(o.Finals.Presets) > 0 {
		p, err := preset.Lookup(o.Finals.Presets[0])
		switch {
		case err != nil || !shaped:
		case p.Width == 0: // no certain place
			b.Width, b.Height = w.Width, w.Height
		case w.Width*p.Height != w.Height*p.Width:
			warning = fmt.Sprintf("the preset %s makes %d × %d, so the shape that the prompt asks for is not used", p.Name, p.Width, p.Height)
		}
		return b, warning
	}
	if w.Format != "" && w.Format != preset.MP4 {
		if p, err := preset.Lookup(w.Format); err == nil {
			b.Preset = p.Name
		} else if slices.Contains(preset.Formats(), w.Format) {
			warning = fmt.Sprintf("the video becomes an mp4; `koda render --format %s` makes the %s of the finished project", w.Format, w.Format)
		} else {
			warning = fmt.Sprintf("koda makes no %s: the video becomes an mp4; `koda presets` lists what there is", w.Format)
		}
	}
	if shaped {
		b.Width, b.Height = w.Width, w.Height
	}
	if !w.FPS.IsZero() {
		b.FPS = w.FPS
	}
	return b, warning
}

func fillParams(b *koda.Brief, set []string) error {
	for _, s := range set {
		name, value, ok := strings.Cut(s, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return usage("write --set NAME=VALUE, for example --set bounces=3", "--set %q is no NAME=VALUE", s)
		}
		if _, twice := b.Params[name]; twice {
			return usage("leave one of them out", "--set %s is given twice", name)
		}
		if b.Params == nil {
			b.Params = map[string]string{}
		}
		b.Params[name] = value
	}
	return nil
}

// readPrompt returns the prompt from the command line, from standard input, or from a
// question.
func readPrompt(ctx context.Context, s *IO, given string, canAsk bool) (string, error) {
	const hint = `say what should move: koda new "bouncing ball"`
	switch {
	case given == "-":
		data, err := readAll(ctx, s.In, maxPrompt+1)
		if err != nil {
			return "", err
		}
		given = string(data)
	case given == "" && canAsk:
		text, err := s.Ask(ctx, "What should move? ")
		if errors.Is(err, io.EOF) {
			return "", usage(hint, "the prompt is empty")
		}
		if err != nil {
			return "", err
		}
		given = text
	}
	given = strings.TrimSpace(given)
	switch {
	case given == "":
		return "", usage(hint, "the prompt is empty")
	case len(given) > maxPrompt:
		return "", usage("put longer material into a file and bring it with --asset", "the prompt is longer than %d KiB", maxPrompt>>10)
	case !utf8.ValidString(given) || strings.ContainsRune(given, 0):
		return "", usage("write it as plain UTF-8 text", "the prompt is not text")
	}
	return given, nil
}

// readAll reads at most limit bytes. It gives up when ctx ends, because a pipe may never
// end.
func readAll(ctx context.Context, r io.Reader, limit int64) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(r, limit))
		done <- result{data, err}
	}()
	select {
	case res := <-done:
		if res.err != nil {
			return nil, fmt.Errorf("read standard input: %w", res.err)
		}
		return res.data, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
