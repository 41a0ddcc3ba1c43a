package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/packages"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// ShellOptions are the arguments of `koda shell`.
type ShellOptions struct {
	Project string
	Command []string // after --; empty: a shell
}

// shellResult is the result of `koda shell P -- CMD`. Status is how CMD ended; koda ends
// with the same.
type shellResult struct {
	head
	Project koda.Project `json:"project"`
	Stdout  string       `json:"stdout"` // of a long output the beginning and the end
	Stderr  string       `json:"stderr"`
	Status  int          `json:"status"`
	// Warnings say what is not kept of what was changed in the sandbox, and why.
	Warnings []string `json:"warnings,omitempty"`
}

// exited is how koda ends after the shell or the command of a person: with its status,
// and without a word.
type exited struct{ status int }

func (e exited) Error() string { return fmt.Sprintf("exit status %d", e.status) }

func newShellCmd(a *app, runF func(context.Context, *ShellOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *ShellOptions) error { return runShell(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "shell [PROJECT] [-- COMMAND...]",
		Short:   "Open a shell in a project's sandbox, or run a command there",
		GroupID: groupLook,
		Long: `Open a shell in the container where the code of a project lives, in this terminal,
or run COMMAND there, without a terminal. COMMAND reads what koda's standard input
gives it, unless that is a terminal; in a loop that reads lines itself, write
</dev/null. Koda ends with the status of the shell or the command. One word is a line
of shell; several words are a program with its arguments.

While another koda works on the project, the shell is in the sandbox it works in.
Otherwise it is in one that has the project's files as they are now. Files that you
change there are yours: every few seconds koda copies them into the project's
directory, as if you had edited them there. Koda says at the end what it does not
keep: what lies outside src/, public/, scripts/ and the configuration files at the
root, links, and what is too large. Programs and all of that end with the sandbox.

A project that lives on this machine (sandbox-provider local) has no shell of its own.
Without PROJECT it is that of the working directory.`,
		Example: `  koda shell bouncing-ball
  koda shell bouncing-ball -- tsc --noEmit
  koda shell bouncing-ball -- 'ls src | wc -l'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, at := &ShellOptions{}, cmd.ArgsLenAtDash()
			if at >= 0 {
				args, o.Command = args[:at], args[at:]
				if strings.TrimSpace(strings.Join(o.Command, "")) == "" {
					return usage("koda shell PROJECT -- COMMAND", "there is no command after --")
				}
			}
			if len(args) > 1 {
				return usage("a command comes after --: koda shell "+args[0]+" -- "+strings.Join(args[1:], " "), "there is one project too many")
			}
			o.Project = first(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
}

func runShell(ctx context.Context, a *app, o *ShellOptions) error {
	if len(o.Command) == 0 && (a.json || a.quiet || !a.io.InTTY || !a.io.OutTTY || a.io.Screen == nil) {
		return usage("koda shell PROJECT -- COMMAND runs a command", "a shell needs a terminal, for what you type and for what it shows")
	}
	line, err := shellLine(o.Command)
	if err != nil {
		return err
	}
	return a.withProject(ctx, o.Project, func(ctx context.Context, e Engine, p koda.Project) error {
		status := 0
		var warned []string
		warn := func(text string) {
			warned = append(warned, text)
			a.warn(text)
		}
		err := e.Visit(ctx, p.ID, warn, func(ctx context.Context, sb sandbox.Sandbox) (err error) {
			if line != "" {
				status, err = a.runIn(ctx, sb, p, line)
			} else {
				a.tellNetwork(p)
				status, err = a.shellIn(ctx, sb)
			}
			return err
		})
		if r, ok := a.result.(*shellResult); ok {
			r.Warnings = warned
		}
		if err == nil && status != 0 {
			err = exited{status}
		}
		return err
	})
}

// tellNetwork says how packages come into a sandbox without a network.
func (a *app) tellNetwork(p koda.Project) {
	_, cfg, err := a.settings()
	if err != nil || cfg.SandboxNetwork == string(packages.Open) {
		return
	}
	note := "there is no network in here; packages: koda shell " + p.Name + " -- npm install NAME"
	if cfg.SandboxNetwork != string(packages.Registries) {
		note += ", after koda config set sandbox-network registries"
	}
	a.say("", note)
}

// shellLine is the command as a line of shell.
func shellLine(words []string) (string, error) {
	if len(words) < 2 {
		return first(words), nil
	}
	line, err := tool.ShellLine(words)
	if err != nil {
		return "", usage("write the command as one line of shell, in quotes", "the command cannot be passed on: %v", err)
	}
	return line, nil
}

// withoutEnd is how long a command of a person may take.
const withoutEnd = 1000 * time.Hour

// runIn runs a command of the person.
func (a *app) runIn(ctx context.Context, sb sandbox.Sandbox, p koda.Project, line string) (status int, err error) {
	cmd := sandbox.Command{Line: line, Timeout: withoutEnd}
	if !a.io.InTTY {
		cmd.Stdin = a.io.In
	}
	if !a.json {
		cmd.Stdout, cmd.Stderr = a.io.exact, a.io.Err
		if a.io.OutTTY {
			cmd.Stdout = a.io.Out
		}
		out := &passed{w: cmd.Stdout}
		cmd.Stdout = out
		defer func() { err = cmp.Or(err, out.err) }()
	}
	res, err := sb.Run(ctx, cmd)
	a.result = &shellResult{Project: p, Stdout: res.Stdout, Stderr: res.Stderr, Status: res.ExitCode}
	return res.ExitCode, err
}

// passed passes bytes on and keeps the first error: a command that says something into a
// full disk goes on, and koda tells of it.
type passed struct {
	w   io.Writer
	err error
}

func (p *passed) Write(b []byte) (int, error) {
	n, err := p.w.Write(b)
	p.err = cmp.Or(p.err, err)
	return n, err
}

// afterShell undoes what a full-screen program leaves in a terminal that it could not
// leave itself: the other screen, a hidden cursor, reports of the mouse and of pastes,
// colours.
const afterShell = "\x1b[?1049l\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\x1b[0m\r\n"

// shellIn connects the person's terminal with a shell. What the shell writes reaches the
// terminal as it is: it is the person's own shell, and its programs need the whole
// terminal. The terminal is in its own mode again on every way out.
func (a *app) shellIn(ctx context.Context, sb sandbox.Sandbox) (status int, err error) {
	in, out := a.io.Screen()
	size := func() sandbox.Size {
		if w, h, err := term.GetSize(int(out.Fd())); err == nil && w > 0 && h > 0 {
			return sandbox.Size{Columns: uint16(w), Rows: uint16(h)}
		}
		return sandbox.Size{Columns: 80, Rows: 24}
	}
	sh, err := sb.Shell(ctx, fmt.Sprintf("person/%d", os.Getpid()), size())
	if err != nil {
		return 0, err
	}
	defer func() {
		_ = sh.Kill()  //nolint:errcheck // it has usually ended
		_ = sh.Close() //nolint:errcheck // a view holds nothing
	}()
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return 0, fmt.Errorf("prepare the terminal: %w", err)
	}
	ended := false
	defer func() {
		if !ended {
			_, _ = io.WriteString(out, afterShell) //nolint:errcheck // the terminal may be gone
		}
		_ = term.Restore(int(in.Fd()), before) //nolint:errcheck // likewise
	}()
	resized := make(chan os.Signal, 1)
	signal.Notify(resized, syscall.SIGWINCH)
	defer signal.Stop(resized)
	go func() { // a read of a terminal cannot be cancelled: it ends with the process
		_, _ = io.Copy(sh, in) //nolint:errcheck // every end is the end
	}()
	shown := make(chan error, 1)
	go func() {
		_, err := io.Copy(out, sh)
		shown <- err
	}()
	for {
		select {
		case <-resized:
			_ = sh.Resize(size()) //nolint:errcheck // a shell that is gone shows its end
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		case err := <-shown:
			if err == nil {
				status, err = sh.Wait()
			}
			ended = err == nil
			return status, err
		}
	}
}
