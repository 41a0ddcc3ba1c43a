package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// typeResult is the type of the last envelope of a command.
const typeResult = "result"

// grace bounds the time for saving interrupted work.
const grace = 15 * time.Second

// app is what the parts of one command share.
type app struct {
	io    *IO
	deps  Deps
	json  bool
	quiet bool      // print only results and errors, and ask nothing
	errs  io.Writer // where errors are printed

	recipePath string // --recipe-path
	model      string // --model
	planner    string // --planner-model
	baseURL    string // --base-url
	maxTurns   string // --max-turns
	maxCost    string // --max-cost

	lines  bool            // --plain: lines, and no studio
	plain  bool            // the person asked for a page of text: no JSON
	looks  *look           // see look
	mu     sync.Mutex      // guards Out under --json, lost, told, painted and late
	status int             // with which a command of the person ended
	lost   error           // why a line of JSON could not be written
	told   map[string]bool // warnings and notes of the plan that the person has seen
	result payload         // the command's result, for its last JSON line
	warned []string        // about settings, see tellSettings, and about the page of a picture

	painted bool     // the studio has the screen
	late    []string // warnings for when the studio is closed

	followed []*feed.Subscription // to end before the engine is closed
}

// Main runs one command in this process, with its signals, and returns the exit status.
// The first SIGINT, SIGTERM or SIGHUP cancels the work and waits until it is saved; a
// second signal, but SIGHUP, ends the process at once.
func Main(args []string, deps Deps) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	// Notified, not ignored: then writing to a closed pipe fails with EPIPE and does not
	// kill this process, and children keep the default.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ends := make(chan os.Signal, 2)
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // nohup and background jobs of scripts ignore it
			signal.Notify(ends, sig)
		}
	}
	streams := SystemIO()
	go func() {
		sig := <-ends
		for sig == os.Interrupt && streams.away.Load() {
			sig = <-ends
		}
		op := "interrupted"
		if sig != os.Interrupt {
			op = "ended by " + unix.SignalName(sig.(syscall.Signal))
		}
		cancel(&koda.Error{Code: koda.CodeInterrupted, Op: op})
		late := time.After(grace)
		for again := os.Signal(syscall.SIGHUP); again == syscall.SIGHUP; { // a closed window sends it twice, and nobody hurries
			select {
			case again = <-ends:
			case <-late:
				again = nil
			}
		}
		os.Exit(exitInterrupted)
	}()
	return Run(ctx, args, streams, deps)
}

// Run runs one command and returns the exit status. If ctx was cancelled, Run reports the
// cause instead of the command's own error.
func Run(ctx context.Context, args []string, s *IO, deps Deps) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	broken := func() { cancel(errBrokenPipe) }
	s.exact = &pipeWriter{w: s.Out, tell: broken}
	s.Out = theme.NewWriter(s.exact)
	s.Err = theme.NewWriter(&pipeWriter{w: s.Err, tell: broken})
	if s.After == nil {
		s.After = time.After
	}
	a := &app{io: s, deps: deps, errs: s.Err}
	s.typed = a.typedLines
	defer s.close()

	endTrace := a.trace(ctx)
	err := interrupted(ctx, a.execute(ctx, args))
	endTrace()
	var ended exited
	if errors.As(err, &ended) {
		if a.json {
			a.status = ended.status
			return a.finish(nil)
		}
		return ended.status
	}
	if !a.plain && (a.json || asksForJSON(args)) {
		return a.finish(err)
	}
	if err != nil && !alreadySaid(err) {
		a.printError(err)
	}
	return ExitStatus(koda.CodeOf(err))
}

// trace lets a collector see what the command does, if the environment names one. No
// failure of it is one of the command.
func (a *app) trace(ctx context.Context) (end func()) {
	if a.deps.Trace == nil {
		return func() {}
	}
	tell := func(err error) {
		if err != nil {
			a.warn(strings.TrimSuffix(koda.Sentence(err)+"; "+koda.HintOf(err), "; "))
		}
	}
	flush, err := a.deps.Trace(ctx)
	tell(err)
	return func() { tell(flush()) }
}

// interrupted replaces err by the reason why ctx was cancelled, if it was: a signal, or a
// closed pipe, which is not reported. If err itself tells of the interruption, it stays,
// because it knows what was saved.
func interrupted(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	var ended exited
	switch {
	case errors.As(err, &ended): // a command of the person ended by the same signal, or in spite of it
		return err
	case errors.Is(cause, errBrokenPipe):
		return said(&koda.Error{Code: koda.CodeInterrupted, Op: "nobody reads the output any more"})
	case err == nil || alreadySaid(err) || koda.CodeOf(cause) != koda.CodeInterrupted:
		return err
	}
	var own *koda.Error
	if errors.As(err, &own) && own.Code == koda.CodeInterrupted {
		return err
	}
	return cause
}

func (a *app) execute(ctx context.Context, args []string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &koda.Error{
				Code: koda.CodeFailed, Op: fmt.Sprintf("koda itself broke: %v", p),
				Hint: "what was done is saved, `koda resume` goes on; please report this", Details: string(debug.Stack()),
			}
		}
	}()
	root := newRootCmd(a)
	sayRest(root, len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd))
	root.SetArgs(append([]string{}, args...)) // nil would mean the arguments of the process
	return root.ExecuteContext(ctx)
}

// finish writes the one result of a command, under --json.
func (a *app) finish(err error) int {
	if a.result == nil {
		a.result = &head{}
	}
	h := a.result.header()
	h.ExitCode = max(a.status, ExitStatus(koda.CodeOf(err)))
	h.OK, h.Error, h.Warnings = err == nil, bodyOf(err), a.warned
	if m, ok := a.result.(maker); ok {
		h.Outputs = m.made()
	}
	if a.deps.Drawn != nil {
		h.Drawn = a.deps.Drawn()
	}
	a.emit(koda.Event{Schema: koda.SchemaVersion, Type: typeResult, Payload: a.result})
	if a.lost != nil {
		a.printError(fmt.Errorf("write the result: %w", a.lost))
		return exitFailed
	}
	return h.ExitCode
}

// emit writes one envelope as one line. A quiet command writes only its result.
func (a *app) emit(ev koda.Event) {
	if a.quiet && ev.Type != typeResult {
		return
	}
	if ev.At.IsZero() && a.deps.Now != nil {
		ev.At = a.deps.Now().UTC().Truncate(time.Millisecond)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	var line strings.Builder
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(ev)
	if err == nil {
		_, err = io.WriteString(a.io.Out, theme.EscapeJSON(line.String()))
	}
	if err != nil && a.lost == nil {
		a.lost = err
	}
}

// printError writes what failed and what to do.
func (a *app) printError(err error) {
	fmt.Fprintln(a.errs, a.sentence("koda: ", err.Error()))
	if hint := koda.HintOf(err); hint != "" {
		fmt.Fprintln(a.errs, a.sentence("  hint: ", hint))
	}
	details := strings.TrimSpace(koda.DetailsOf(err))
	for i, l := range strings.Split(details, "\n") {
		if details != "" && (i > 0 || l != err.Error()) { // not the sentence that was just printed
			fmt.Fprintf(a.errs, "  | %s\n", l)
		}
	}
}

// first notes that the person sees a sentence, and reports whether it is the first time.
func (a *app) first(text string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	seen := a.told[text]
	if a.told == nil {
		a.told = map[string]bool{}
	}
	a.told[text] = true
	return !seen
}

// warn tells about something that koda found and does not obey, once in a command: the
// plan, the preview and the video find the same.
func (a *app) warn(text string) {
	if a.json || !a.first(text) {
		return
	}
	a.mu.Lock()
	painted := a.painted
	if painted {
		a.late = append(a.late, text)
	}
	a.mu.Unlock()
	if !painted {
		a.say("warning: ", widget.Line(text))
	}
}

// paint says whether the studio has the screen: then nothing else writes on it, and warnings
// come when it is closed.
func (a *app) paint(on bool) {
	a.mu.Lock()
	late := a.late
	a.painted, a.late = on, nil
	a.mu.Unlock()
	for _, text := range late {
		a.say("warning: ", widget.Line(text))
	}
}

// tellSettings warns, before the command begins, about settings in files that koda does
// not obey. Commands that read no settings do not warn.
func (a *app) tellSettings(cmd *cobra.Command) {
	if cmd.Hidden || !cmd.HasParent() || a.deps.Settings == nil || slices.Contains([]string{"help", "completion", "version", "presets", "trust"}, cmd.Name()) {
		return
	}
	_, cfg, err := a.settings()
	if err != nil {
		return // the command meets the same error and reports it
	}
	a.warned = cfg.Warnings
	for _, w := range a.warned {
		a.warn(w)
	}
}

// say writes a sentence after a head on Err.
func (a *app) say(head, text string) { fmt.Fprintln(a.io.Err, a.sentence(head, text)) }

// sentence is a text after a head. At a terminal the text is broken at blanks, and
// further lines begin below the first word. Words are never broken: the terminal folds a
// path that is longer than a line, so people can copy it whole.
func (a *app) sentence(head, text string) string {
	if !a.io.ErrTTY {
		return head + text
	}
	return widget.Sentence(head, text, a.io.Columns())
}

// asksForJSON finds --json in arguments that could not be parsed.
func asksForJSON(args []string) bool {
	for _, arg := range args {
		if arg == "--" {
			return false
		}
		if arg == "--json" || arg == "--json=true" {
			return true
		}
	}
	return false
}

// needRecipes are the commands that may need recipes of the person.
var needRecipes = []string{"new", "answer", "accept", "reject", "edit", "code", "resume", "render", "recipes", "studio", "koda"}

// inLines is what koda says without a command where no studio can be: at a terminal that reads aloud the projects,
// and how to begin.
func (a *app) inLines(cmd *cobra.Command) error {
	if a.io.OutTTY && (a.aloud() || a.lines) && !a.json && !a.quiet {
		err := runList(cmd.Context(), a)
		a.say("", `koda new "bouncing ball" begins a video, koda show NAME says more of a project, koda help lists all commands`)
		return err
	}
	if !a.wantsLines() {
		a.say("", "the studio needs a terminal: "+a.noStudio())
	}
	return cmd.Help()
}

// settingFlags gives a command the flags of the settings that it may need.
func (a *app) settingFlags(c *cobra.Command) {
	f := c.PersistentFlags()
	if slices.Contains(needRecipes, c.Name()) {
		f.StringVar(&a.recipePath, "recipe-path", "", "`DIR` with recipes of your own (default: the setting recipe-path)")
		_ = c.MarkPersistentFlagDirname("recipe-path") //nolint:errcheck // the flag is there
	}
	if slices.Contains(askModels, c.Name()) {
		f.StringVar(&a.model, "model", "", "`MODEL` to ask, as PROVIDER/NAME (default: the setting model)")
		f.StringVar(&a.baseURL, "base-url", "", "`ADDRESS` of the model's service (default: the setting base-url)")
		if c.Name() != "models" {
			f.StringVar(&a.planner, "planner-model", "", "`MODEL` to ask for the question and the plan (default: the same model)")
			f.StringVar(&a.maxTurns, "max-turns", "", "most `ANSWERS` of the model to this command (default: the setting max-turns)")
			f.StringVar(&a.maxCost, "max-cost", "", "most `DOLLARS` the project's models may cost (default: the setting max-cost)")
		}
	}
}

// askModels are the commands that may ask a model.
var askModels = []string{"new", "answer", "accept", "reject", "edit", "ask", "code", "resume", "studio", "koda", "models"}

func newRootCmd(a *app) *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:           "koda",
		Short:         "Turn a sentence into an animated video",
		Long:          rootLong,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          subcommandOnly,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := emptyFlags(cmd); err != nil {
				return err
			}
			if a.quiet {
				a.io.Err = io.Discard
			}
			for name, value := range map[string]string{"recipe-path": a.recipePath, "model": a.model, "planner-model": a.planner, "base-url": a.baseURL, "max-turns": a.maxTurns, "max-cost": a.maxCost} {
				if value != "" {
					a.deps.Give(name, value)
				}
			}
			a.tellSettings(cmd)
			a.io.edits = a.io.edits && !a.aloud() // a line that is edited is drawn again and again
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if version {
				return runVersion(a)
			}
			if a.roomForStudio() {
				return a.studio(cmd.Context(), studioOptions{})
			}
			return a.inLines(cmd)
		},
	}
	root.Flags().BoolVarP(&version, "version", "v", false, "print the version")
	root.SetIn(a.io.In)
	root.SetOut(a.io.Out)
	root.SetErr(a.io.Err)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(usageTemplate)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "write events and one result as lines of JSON, see 'koda help json'")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "print results and errors only, and ask nothing")
	root.PersistentFlags().BoolVar(&a.lines, "plain", false, "talk in lines at a terminal; do not open the studio")
	root.AddGroup(
		&cobra.Group{ID: groupWork, Title: "Make a video:"},
		&cobra.Group{ID: groupLook, Title: "Look after projects:"},
		&cobra.Group{ID: groupMachine, Title: "The machine:"},
	)
	root.AddCommand(
		newNewCmd(a, nil), newAnswerCmd(a, nil), newAcceptCmd(a, nil), newRejectCmd(a, nil),
		newEditCmd(a, nil), newCodeCmd(a, nil), newSayCmd(a, nil), newFollowCmd(a, nil), newCancelCmd(a, nil), newResumeCmd(a, nil),
		newStudioCmd(a), newInitCmd(a, nil), newRenderCmd(a, nil), newStillCmd(a, nil), newSheetCmd(a, nil), newPreviewCmd(a, nil),
		newListCmd(a, nil), newShowCmd(a, nil), newPlayCmd(a, nil), newMessagesCmd(a, nil), newAskCmd(a, nil), newShellCmd(a, nil),
		newStatsCmd(a), newPullCmd(a), newWatchCmd(a), newHistoryCmd(a, nil), newDiffCmd(a, nil), newUndoCmd(a, nil), newRedoCmd(a, nil), newCheckoutCmd(a, nil), newForkCmd(a, nil),
		newDeleteCmd(a, nil), newPresetsCmd(a), newRecipesCmd(a), newFontsCmd(a), newModelsCmd(a), newPromptsCmd(a),
		newDoctorCmd(a, nil), newBenchCmd(a, nil), newGCCmd(a, nil), newSandboxCmd(a), newServeCmd(a), newMCPCmd(a), newTokenCmd(a), newUserCmd(a), newConfigCmd(a), newTrustCmd(a, nil), newVersionCmd(a, nil), newCompletionCmd(a, root),
		newTopic("json", "What --json prints", jsonHelp),
		newTopic("exit-codes", "The exit statuses", exitCodesHelp()),
	)
	for _, c := range root.Commands() {
		a.settingFlags(c)
	}
	root.SetHelpCommand(newHelpCmd(root))
	root.CompletionOptions.DisableDefaultCmd = true
	// A page of help is for people, so no result follows it.
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		a.plain = true
		help(cmd, args)
	})
	return root
}

// flagError turns an error of the flag parser into one line and a hint.
func flagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	var (
		unknown *pflag.NotExistError
		needs   *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	hint := fmt.Sprintf("see `%s --help`", cmd.CommandPath())
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		return subcommandOnly(cmd, args) // the flag is that of a command that is not there
	}
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		switch short := unknown.GetSpecifiedShortnames(); {
		case short != "" && strings.Trim(short, "0123456789.") == "":
			with := strings.Join(append([]string{cmd.CommandPath(), "--"}, append(cmd.Flags().Args(), "-"+short)...), " ")
			return usage("write -- before a value that begins with -: "+with, "-%s was read as a flag", short)
		case short != "":
			return usage(hint, "unknown flag -%s", name)
		}
		if near := koda.Nearest(name, flagNames(cmd)); near != "" {
			hint = fmt.Sprintf("did you mean --%s?", near)
		}
		return usage(hint, "unknown flag --%s", name)
	case errors.As(err, &needs):
		return usage(hint, "--%s needs a value", needs.GetFlag().Name)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		var own *koda.Error
		if errors.As(err, &own) {
			return &koda.Error{Code: koda.CodeUsage, Op: "--" + f.Name, Err: own, Hint: own.Hint}
		}
		what := "a " + f.Value.Type()
		if f.Value.Type() == "int" {
			what = "a whole number"
		}
		return usage(hint, "--%s: %q is not %s", f.Name, invalid.GetValue(), what)
	}
	return usage(hint, "%s", err)
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	slices.Sort(names)
	return names
}
