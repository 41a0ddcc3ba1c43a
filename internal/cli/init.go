package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/pages"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/tui/widget"
)

// InitOptions are the arguments and flags of `koda init`.
type InitOptions struct {
	Target        string // directory, or a file in it; "" means the working directory
	Name          string
	Width, Height int
	FPS           string
	Duration      seconds
	Play          bool
	Force         bool
	DryRun        bool
}

func newInitCmd(a *app, runF func(context.Context, *InitOptions) error) *cobra.Command {
	o := &InitOptions{}
	if runF == nil {
		runF = func(_ context.Context, o *InitOptions) error { return runInit(a, o) }
	}
	c := &cobra.Command{
		Use:     "init [DIRECTORY|FILE]",
		Short:   "Prepare a page you have for a video of it",
		GroupID: groupWork,
		Long: `Look at a page that was not made for koda, and write what koda needs to draw it: a
koda.json with its size, rate and duration, as far as its files tell them, and what
has it show a time. A page whose animations koda's clock drives (CSS, Web
Animations, SMIL, video), and one of GSAP or Lottie, gets a script beside it and one
line in index.html; it does nothing where a person opens the page. Any other page
plays: its frames are drawn in order, which takes longer, and koda prints the lines by
which its own code could show any time.

The page is an index.html, or the file that is named: another HTML file, an SVG file
or a Lottie file, for which an index.html is written. What is there is kept: koda.json
is written anew with --force only, and of index.html every byte but the new line.`,
		Example: `  koda init
  koda init ./my-page --duration 8 --fps 30
  koda init logo.svg --dry-run
  koda init ./game --play`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Target = first(args)
			if err := o.check(cmd); err != nil {
				return err
			}
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
	f := c.Flags()
	f.StringVar(&o.Name, "name", "", "`NAME` of the animation (default: that of the directory)")
	f.IntVar(&o.Width, "width", 0, "`PIXELS` of the page (default: what its files tell, else 1920)")
	f.IntVar(&o.Height, "height", 0, "`PIXELS` of the page (default: what its files tell, else 1080)")
	f.StringVar(&o.FPS, "fps", "", "frames per second: a `RATE` such as 30 or 30000/1001 (default: what its files tell, else 60)")
	f.Var(&o.Duration, "duration", "how long it takes, such as 2.5 or 1:30 (default: what its files tell, else 5)")
	f.BoolVar(&o.Play, "play", false, "the page plays by itself: draw its frames in order")
	f.BoolVar(&o.Force, "force", false, "write koda.json anew")
	f.BoolVar(&o.DryRun, "dry-run", false, "print what would be written, and write nothing")
	return c
}

// check refuses values that a koda.json cannot hold.
func (o *InitOptions) check(cmd *cobra.Command) error {
	for name, side := range map[string]int{"width": o.Width, "height": o.Height} {
		switch {
		case !cmd.Flags().Changed(name):
		case side < koda.MinSide || side > koda.MaxSide:
			return usage(fmt.Sprintf("give an even number from %d to %d", koda.MinSide, koda.MaxSide), "--%s %d is out of range", name, side)
		case side%2 != 0:
			return usage(fmt.Sprintf("use %d", side+1), "--%s %d is odd, and a video has even sides", name, side)
		}
	}
	if d := float64(o.Duration); cmd.Flags().Changed("duration") && (d <= 0 || d > koda.MaxDuration) {
		return usage(fmt.Sprintf("give more than 0 and at most %d seconds", koda.MaxDuration), "--duration %g is out of range", d)
	}
	if cmd.Flags().Changed("fps") {
		if _, err := koda.ParseFPS(o.FPS); err != nil {
			return usage(koda.HintOf(err), "--fps: %v", err)
		}
	}
	if name := strings.TrimSpace(o.Name); cmd.Flags().Changed("name") && (name == "" || len([]rune(name)) > 200) {
		return usage("give a short one", "--name must be 1 to 200 characters")
	}
	return nil
}

// given reports whether a flag sets a value of koda.json.
func (o *InitOptions) given() bool {
	return o.Name != "" || o.Width > 0 || o.Height > 0 || o.FPS != "" || o.Duration > 0 || o.Play
}

// options are the options for a page in dir.
func (o *InitOptions) options(dir string) pages.Options {
	fps, _ := koda.ParseFPS(o.FPS) //nolint:errcheck // check has checked it; the zero rate means not given
	return pages.Options{
		Name: strings.TrimSpace(o.Name), Directory: filepath.Base(dir), Width: o.Width, Height: o.Height, FPS: fps,
		Duration: float64(o.Duration), Play: o.Play, Force: o.Force,
	}
}

// initResult is the result of `koda init`.
type initResult struct {
	head
	Dir      string         `json:"dir,omitempty"`  // absolute
	Page     string         `json:"page,omitempty"` // the file in it that was read
	Kinds    []pages.Kind   `json:"kinds,omitempty"`
	Way      pages.Way      `json:"way,omitempty"`
	Why      string         `json:"why,omitempty"`
	Manifest *koda.Manifest `json:"manifest,omitempty"`
	From     *initFrom      `json:"from,omitempty"`
	Changes  []initChange   `json:"changes"`
	DryRun   bool           `json:"dryRun,omitempty"`
	Lines    string         `json:"lines,omitempty"` // lines to add by hand
	Where    string         `json:"where,omitempty"` // the file that needs them
	Notes    []string       `json:"notes,omitempty"`
	Next     []string       `json:"next,omitempty"`
}

// initFrom says where size, rate and duration come from; "" means a default.
type initFrom struct {
	Size     string `json:"size"`
	FPS      string `json:"fps"`
	Duration string `json:"duration"`
}

type initChange struct {
	Path    string `json:"path"`              // absolute
	Line    string `json:"line,omitempty"`    // the line that was put into the file
	Content string `json:"content,omitempty"` // the content of a file that would be written
}

func runInit(a *app, o *InitOptions) error {
	ref, file, err := o.place()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(ref)
	if err != nil {
		return fmt.Errorf("find directory: %w", err)
	}
	res := &initResult{Dir: dir, DryRun: o.DryRun, Changes: []initChange{}}
	a.result = res
	if isProject(dir) {
		return usage("koda render "+ref+" draws it, koda edit changes it", "%s is a project of koda's already", ref)
	}
	if exists(filepath.Join(dir, "koda.json")) && o.given() && !o.Force {
		return &koda.Error{Code: koda.CodeExists, Op: filepath.Join(ref, "koda.json") + " exists", Hint: "edit it, or write it anew with --force"}
	}
	files, err := projectfs.Open(dir)
	if err != nil {
		return fmt.Errorf("open directory: %w", err)
	}
	defer files.Close() //nolint:errcheck // only read
	page, err := pages.Look(files, ref, file)
	if err != nil {
		return err
	}
	plan, err := page.Plan(files, o.options(dir))
	if err != nil {
		return err
	}
	res.Page, res.Kinds, res.Way, res.Why, res.Manifest = page.File, page.Kinds, plan.Way, plan.Why, &plan.Manifest
	res.From = &initFrom{Size: page.SizeFrom, FPS: page.FPSFrom, Duration: page.DurationFrom}
	res.Lines, res.Where, res.Notes = plan.Lines, plan.Where, plan.Notes
	res.Next = []string{"koda still " + quoted(ref), "koda render " + quoted(ref)}
	if !o.DryRun {
		if err := save(dir, ref, plan.Changes); err != nil {
			return err
		}
	}
	for _, c := range plan.Changes {
		change := initChange{Path: filepath.Join(dir, c.Name), Line: c.Line}
		if o.DryRun && c.Line == "" {
			change.Content = string(c.Data)
		}
		res.Changes = append(res.Changes, change)
	}
	if a.json {
		return nil
	}
	return a.tellInit(o, page, plan, res)
}

// place is the directory, as the person names it, and the file in it that is the page. If
// the file is "", the directory decides.
func (o *InitOptions) place() (dir, file string, err error) {
	ref := cmp.Or(o.Target, ".")
	info, err := os.Stat(ref)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is nothing at %q", ref), Hint: "name the directory of a page, or an HTML, SVG or Lottie file"}
	case err != nil:
		return "", "", usage("name the directory of a page", "%s cannot be looked at: %v", ref, reason(err))
	case info.IsDir():
		return ref, "", nil
	}
	return filepath.Dir(ref), filepath.Base(ref), nil
}

// save writes the changes to a page, koda.json last: until koda.json is there, the same
// command begins again.
func save(dir, ref string, changes []pages.Change) error {
	failed := func(name string, err error) error {
		return writeFailed(filepath.Join(ref, name)+" cannot be written", err, "make the directory writable, or copy the page; --dry-run shows what is to be written")
	}
	if err := unwritable(dir); err != nil && len(changes) > 0 {
		return failed("", err)
	}
	for _, c := range changes {
		if err := projectfs.NoLinks(dir, c.Name); err != nil {
			return err
		}
	}
	for _, c := range changes {
		path, perm := filepath.Join(dir, c.Name), fs.FileMode(0o644)
		if info, err := os.Stat(path); err == nil {
			perm = info.Mode().Perm()
		}
		if err := atomicfile.Write(path, c.Data, perm); err != nil {
			return failed(c.Name, err)
		}
	}
	return nil
}

// tellInit says what koda found and what it wrote.
func (a *app) tellInit(o *InitOptions, p pages.Page, plan pages.Plan, res *initResult) error {
	m := plan.Manifest
	a.say("", widget.Line(a.foundText(p, m)))
	a.say("", widget.Line(plan.Why))
	if len(p.Others) > 0 && o.Target == "" || len(p.Others) > 0 && isDir(o.Target) {
		a.say("", widget.Line(fmt.Sprintf("beside %s, which koda took, there are other pages: %s", p.File, strings.Join(p.Others[:min(len(p.Others), 5)], ", "))))
	}
	if p.DurationFrom == "" && o.Duration == 0 && slices.ContainsFunc(plan.Changes, func(c pages.Change) bool { return c.Name == "koda.json" }) {
		a.say("", fmt.Sprintf("no file tells how long it takes: %s s is a guess, --duration says another", number(m.Duration)))
	}
	for _, c := range plan.Changes {
		switch {
		case o.DryRun && c.Line != "":
			fmt.Fprintf(a.io.Out, "==> %s, one line more\n%s\n", c.Name, c.Line)
		case o.DryRun:
			fmt.Fprintf(a.io.Out, "==> %s\n%s", c.Name, c.Data)
		default:
			if c.Line != "" {
				a.say("", c.Name+" has one line more: "+c.Line)
			}
			if _, err := fmt.Fprintln(a.io.Out, filepath.Join(res.Dir, c.Name)); err != nil {
				return err
			}
		}
	}
	if len(plan.Changes) == 0 {
		a.say("", "nothing to do: all is there")
	}
	for _, n := range plan.Notes {
		a.warn(n)
	}
	if plan.Lines != "" {
		head := "any time of it can be drawn, which is faster, with such lines in "
		if plan.Way == pages.WayByHand {
			head = "koda cannot move it before such lines are in "
		}
		a.say("", head+widget.Line(plan.Where)+", and without \"play\" in koda.json:")
		for l := range strings.Lines(plan.Lines) {
			fmt.Fprintln(a.io.Err, "    "+strings.TrimRight(l, "\n"))
		}
	}
	a.say("try: ", strings.Join(res.Next, ", then "))
	return nil
}

// foundText describes a page in one line.
func (a *app) foundText(p pages.Page, m koda.Manifest) string {
	kinds := make([]string, len(p.Kinds))
	for i, k := range p.Kinds {
		kinds[i] = string(k)
	}
	of := func(from string) string {
		if from == "" {
			return ""
		}
		return " (" + from + ")"
	}
	size, rate, length := "", "", ""
	if m.Width == p.Width && m.Height == p.Height {
		size = of(p.SizeFrom)
	}
	if m.FPS == p.FPS {
		rate = of(p.FPSFrom)
	}
	if m.Duration == p.Duration {
		length = of(p.DurationFrom)
	}
	return fmt.Sprintf("%s: %s; %dx%d%s at %s fps%s, %s s%s", p.File, cmp.Or(strings.Join(kinds, ", "), "a page that stands"),
		m.Width, m.Height, size, m.FPS, rate, number(m.Duration), length)
}

// quoted is a path in the form that a shell takes.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t'\"\\$&;()*?[]<>|`!#~") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}
