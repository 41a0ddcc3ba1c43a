package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

	"github.com/koda-video/koda/internal/koda"
)

// grace is how long interrupted work may take to be saved.
const grace = 15 * time.Second

// app is what the commands of one invocation share.
type app struct {
	io   *IO
	deps Deps
	json bool

	mu     sync.Mutex // guards Out under --json
	result payload    // what the command found, for its final JSON line
}

// payload is a command's result under --json: a struct that embeds head.
type payload interface{ header() *head }

// head is what every result has.
type head struct {
	OK       bool       `json:"ok"`
	ExitCode int        `json:"exitCode"`
	Error    *errorBody `json:"error,omitempty"`
}

func (h *head) header() *head { return h }

// Main runs one command in this process, with its signals, and returns the
// exit status. A first SIGINT, SIGTERM or SIGHUP cancels the work and waits for
// it to be saved; a second one ends the process at once.
func Main(args []string, deps Deps) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	// Notified, not ignored: writing to a closed pipe then fails with EPIPE
	// instead of killing us, and children keep the default.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ends := make(chan os.Signal, 2)
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // nohup and background jobs of scripts
			signal.Notify(ends, sig)
		}
	}
	go func() {
		sig := <-ends
		cancel(&koda.Error{Code: koda.CodeInterrupted, Op: "interrupted by " + sig.String()})
		select {
		case <-ends:
		case <-time.After(grace):
		}
		os.Exit(exitInterrupted)
	}()
	return Run(ctx, args, SystemIO(), deps)
}

// Run runs one command and returns the exit status. The cause of a cancelled
// ctx is reported in place of whatever the command made of it.
func Run(ctx context.Context, args []string, s *IO, deps Deps) int {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	broken := func() { cancel(errBrokenPipe) }
	s.Out = &pipeWriter{w: s.Out, tell: broken}
	s.Err = &pipeWriter{w: s.Err, tell: broken}
	a := &app{io: s, deps: deps}

	err := a.execute(ctx, args)
	if cause := context.Cause(ctx); cause != nil && !alreadySaid(err) && (err != nil || errors.Is(cause, errBrokenPipe)) {
		err = interrupted(cause, err)
	}
	if a.json || asksForJSON(args) {
		return a.finish(err)
	}
	if err != nil && !alreadySaid(err) {
		a.printError(err)
	}
	return ExitStatus(koda.CodeOf(err))
}

// interrupted is the error of a command whose context was cancelled by cause.
func interrupted(cause, err error) error {
	switch {
	case errors.Is(cause, errBrokenPipe):
		return said(&koda.Error{Code: koda.CodeInterrupted, Op: "standard output was closed"})
	case koda.CodeOf(cause) == koda.CodeInterrupted:
		return &koda.Error{Code: koda.CodeInterrupted, Op: cause.Error(), Hint: koda.HintOf(err)}
	}
	return err
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
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

// finish writes the one result of a command under --json.
func (a *app) finish(err error) int {
	if a.result == nil {
		a.result = &head{}
	}
	h := a.result.header()
	h.ExitCode = ExitStatus(koda.CodeOf(err))
	h.OK, h.Error = err == nil, bodyOf(err)
	a.emit(koda.Event{Schema: koda.SchemaVersion, Type: "result", Payload: a.result})
	return h.ExitCode
}

// emit writes one envelope as one line.
func (a *app) emit(ev koda.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	enc := json.NewEncoder(a.io.Out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(ev) //nolint:errcheck // a closed pipe is noticed by its writer; our own shapes always encode
}

func (a *app) printError(err error) {
	fmt.Fprintf(a.io.Err, "koda: %v\n", err)
	if hint := koda.HintOf(err); hint != "" {
		fmt.Fprintf(a.io.Err, "  hint: %s\n", hint)
	}
	if details := strings.TrimSpace(koda.DetailsOf(err)); details != "" {
		for l := range strings.Lines(details) {
			fmt.Fprintf(a.io.Err, "  | %s\n", strings.TrimRight(l, "\r\n"))
		}
	}
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

const rootLong = `koda turns a sentence into an animated video.

  koda new "bouncing ball"        ask, plan, animate, preview, render
  koda new "bouncing ball" --yes  the same without a question

Nothing leaves this machine and no key is needed: the built-in recipes draw in a
local browser, and ffmpeg makes the video.`

func newRootCmd(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "koda",
		Short:         "Turn a sentence into an animated video",
		Long:          rootLong,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          subcommandOnly,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.io.In)
	root.SetOut(a.io.Out)
	root.SetErr(a.io.Err)
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVar(&a.json, "json", false, "write events and one result as lines of JSON (see `koda help json`)")
	root.PersistentFlags().Lookup("json").NoOptDefVal = "true"
	root.AddGroup(
		&cobra.Group{ID: groupWork, Title: "Make a video:"},
		&cobra.Group{ID: groupLook, Title: "Look after projects:"},
		&cobra.Group{ID: groupMachine, Title: "The machine:"},
	)
	root.AddCommand(
		newVersionCmd(a, nil),
		newTopic("exit-codes", "Exit statuses and their meaning", exitCodesHelp()),
	)
	root.SetHelpCommandGroupID(groupMachine)
	root.SetCompletionCommandGroupID(groupMachine)
	return root
}

// The groups commands are listed in.
const (
	groupWork    = "work"
	groupLook    = "look"
	groupMachine = "machine"
)

// newTopic is a help page without a command.
func newTopic(name, short, long string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Long: long}
}

// subcommandOnly refuses a word that is no command, naming the nearest.
func subcommandOnly(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			names = append(names, c.Name())
		}
	}
	hint := fmt.Sprintf("see `%s --help`", cmd.CommandPath())
	if near := koda.Nearest(args[0], names); near != "" {
		hint = fmt.Sprintf("did you mean `%s %s`?", cmd.CommandPath(), near)
	} else if cmd.Parent() == nil {
		hint = fmt.Sprintf("to make a video: koda new %q", strings.Join(args, " "))
	}
	return usage(hint, "unknown command %q", args[0])
}

// flagError makes one line and a hint of what the flag parser found.
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
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
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
		return usage(hint, "--%s: %q is not a %s", f.Name, invalid.GetValue(), f.Value.Type())
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
