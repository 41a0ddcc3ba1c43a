package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/agentlog"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/tui/widget"
)

// WatchOptions are the arguments and flags of `koda watch`.
type WatchOptions struct {
	Project string
	Exec    string // a line of shell; "" reads an agent's lines
	Dir     string
}

func newWatchCmd(a *app) *cobra.Command {
	o := &WatchOptions{}
	c := &cobra.Command{
		Use:     "watch PROJECT",
		Short:   "Let an outside agent work on a project",
		GroupID: groupWork,
		Long: `Let an agent that is not koda's own work on PROJECT: a project of this machine, or one
that a 'koda serve' has, as for 'koda pull'.

  AGENT | koda watch PROJECT

reads what the agent prints, passes it on to standard output as it is, and takes it
down as turns with blocks: messages, tools, files, errors, tokens and cost. Koda
understands the JSON lines of Claude Code, Codex, Gemini CLI, Cursor and opencode, and
lines like {"type": "message", "content": {"role": "assistant", "content": "..."}}.
It keeps any other line as it came. The agent never waits for koda. If
koda is killed, the next command on the project takes in what the agent had said.
The agent works in the project's own directory; with --dir, or with a project of a
server, in one that is kept the same. Koda ends with status 0, or with 1 if the agent
says that it failed.

With --exec, koda runs COMMAND in a directory that has the project's files. While it runs,
what changes there goes into the project, and what changes in the project comes into the
directory.
If both sides change a file, each keeps its own, and has the other's in .koda/conflicts.
A server that cannot be reached is tried again. Koda ends with the status of COMMAND,
gives it the signals that koda gets, and syncs once more at its end.`,
		Example: `  claude -p "make the ball red" --output-format stream-json --verbose | koda watch bouncing-ball
  koda watch bouncing-ball --exec 'claude -p "make the ball red"'
  KODA_TOKEN=... koda watch https://koda.example.org/bouncing-ball --exec 'npm run edit'`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Project = first(args)
			switch {
			case strings.TrimSpace(o.Exec) != "":
				return runWatchExec(cmd.Context(), a, o)
			case cmd.Flags().Changed("exec"):
				return usage("koda watch PROJECT --exec COMMAND", "the command is empty")
			case a.io.InTTY:
				return usage("AGENT | koda watch PROJECT, or koda watch PROJECT --exec COMMAND", "there is no agent: standard input is a terminal")
			}
			return runWatchAgent(cmd.Context(), a, o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	f := c.Flags()
	f.StringVar(&o.Exec, "exec", "", "`COMMAND` to run, as a line of shell")
	f.StringVar(&o.Dir, "dir", "", "`DIR` with the files for the command (default as for koda pull)")
	return c
}

// Times of syncing beside a command.
const (
	lookEvery = time.Second
	tryAtMost = 15 * time.Second // between two tries of a sync that fails
	lastTries = 10 * time.Second // for the sync at the end
)

func runWatchExec(ctx context.Context, a *app, o *WatchOptions) error {
	return a.mirrored(ctx, o.Project, o.Dir, false, func(ctx context.Context, m *mirroring) error {
		if err := cmp.Or(m.sync(ctx), m.watched(true)); err != nil { // the command begins with the files
			return err
		}
		over, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			m.keepSyncing(over)
		}()
		status, err := a.beneath(m.result.Dir, o.Exec)
		close(over)
		<-done
		if last := m.end(context.WithoutCancel(ctx)); err == nil {
			err = last
		}
		m.result.Status = status
		if m.result.Brought+m.result.Sent > 0 {
			a.say("", fmt.Sprintf("synced with %s: %d sent, %d brought", m.result.Project.Name, m.result.Sent, m.result.Brought))
		}
		if status != 0 {
			if err != nil {
				a.printError(err)
			}
			return exited{status}
		}
		if err == nil {
			err = m.partial()
		}
		return err
	})
}

// Times at the end of an agent that is cut off.
const (
	lastWords = 2 * time.Second // of the agent, which gets the same signal
	lastPass  = time.Second     // to who reads the output
)

// remoteEvery is how often a server is told what the agent said.
const remoteEvery = 5 * time.Second

func runWatchAgent(ctx context.Context, a *app, o *WatchOptions) error {
	return a.mirrored(ctx, o.Project, o.Dir, true, func(ctx context.Context, m *mirroring) error {
		dir, err := a.deps.AgentLogs()
		if err != nil {
			return err
		}
		p, from := m.result.Project, ""
		if m.State != nil {
			from = m.State.From
		}
		spool, err := agentlog.Create(dir, agentlog.Header{Project: p.ID, Name: p.Name, From: from, Dir: m.result.Dir, Began: a.deps.Now()})
		if err != nil {
			return err
		}
		if m.Job.Dir != nil {
			if err := m.watched(true); err != nil {
				return errors.Join(err, spool.Remove())
			}
		}
		h := newHearing(a, spool, m.take)
		m.result.Agent = &h.agentResult
		h.listen(a.io.In, a.passOn())
		var due time.Time
		m.also = func(ctx context.Context) error {
			if now := a.deps.Now(); from != "" && now.Before(due) {
				return nil
			} else if due = now.Add(remoteEvery); h.closed {
				return nil
			}
			err := h.deliver(ctx, false, nil)
			if koda.CodeOf(err) == koda.CodeInUse {
				return nil // the agent itself may use koda: it is taken down afterwards
			}
			return err
		}
		over, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			m.keepSyncing(over)
		}()
		why := h.await(ctx)
		close(over)
		<-done
		err = h.finish(ctx, why)
		if m.Job.Dir != nil {
			if last := m.end(context.WithoutCancel(ctx)); err == nil {
				err = last
			}
		}
		h.tell()
		if err == nil && ctx.Err() == nil {
			err = cmp.Or(m.partial(), h.verdict())
		}
		return cmp.Or(err, context.Cause(ctx))
	})
}

// await waits until the agent has said all, and everybody read it. It returns what cut the
// agent off.
func (h *hearing) await(ctx context.Context) *koda.Failure {
	select {
	case <-h.heard:
		select {
		case <-h.passed:
		case <-ctx.Done():
		}
		return nil
	case <-ctx.Done():
	}
	wait := func(c <-chan struct{}, for_ time.Duration) bool {
		timer := time.NewTimer(for_)
		defer timer.Stop()
		select {
		case <-c:
			return true
		case <-timer.C:
			return false
		}
	}
	all := wait(h.heard, lastWords)
	if wait(h.passed, lastPass); all {
		return nil
	}
	return &koda.Failure{Code: koda.CodeInterrupted, Message: "koda watch was ended before the agent"}
}

// passOn is where the lines of an agent go on. A terminal gets them without what would act on
// it.
func (a *app) passOn() io.Writer {
	_, out, errs := a.io.Streams()
	switch {
	case a.json && a.io.ErrTTY:
		return a.io.Err
	case a.json:
		return errs
	case a.io.OutTTY:
		return a.io.Out
	}
	return out
}

// keepSyncing syncs until over is closed. A failure is told once, and tried again.
func (m *mirroring) keepSyncing(over <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-over:
			cancel()
		case <-ctx.Done():
		}
	}()
	pause, failed := lookEvery, false
	for {
		timer := time.NewTimer(pause)
		select {
		case <-over:
			timer.Stop()
			return
		case <-timer.C:
		}
		err := m.sync(ctx)
		var later interface{ Wait() time.Duration }
		switch {
		case ctx.Err() != nil:
			return
		case err == nil && failed:
			m.a.say("", "koda reaches it again")
			fallthrough
		case err == nil:
			pause, failed = lookEvery, false
			continue
		case !failed:
			m.a.say("warning: ", widget.Line(koda.Sentence(err))+"; koda tries again, and nothing is lost")
		}
		failed, pause = true, min(tryAtMost, 2*pause)
		if errors.As(err, &later) {
			pause = max(pause, min(later.Wait(), time.Minute))
		}
	}
}

// end syncs once more, and notes that nobody works in the directory any more.
func (m *mirroring) end(ctx context.Context) error {
	err := m.last(ctx)
	if noted := m.watched(false); err == nil {
		err = noted
	}
	return err
}

// last syncs at the end, and tries a few times.
func (m *mirroring) last(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, lastTries)
	defer cancel()
	for {
		before := m.result.Sent + m.result.Brought
		if err = m.sync(ctx); err == nil && m.result.Sent+m.result.Brought == before {
			return nil
		}
		if err == nil {
			continue // what changed while it was synced
		}
		timer := time.NewTimer(lookEvery)
		select {
		case <-ctx.Done():
			timer.Stop()
			return &koda.Error{
				Code: koda.CodeOf(err), Op: "sync at the end: not all that was changed in " + m.result.Dir + " is in the project", Err: err,
				Hint: cmp.Or(koda.HintOf(err), "nothing is lost") + "; once that is mended: koda watch PROJECT --dir " + m.result.Dir + " --exec true",
			}
		case <-timer.C:
		}
	}
}

// withoutToken is an environment without the token of the server: it is koda's, not the
// command's.
func withoutToken(env []string) []string {
	return slices.DeleteFunc(env, func(v string) bool { return strings.HasPrefix(v, tokenName+"=") })
}

// beneath runs a line of shell in a directory, with koda's own streams and signals.
func (a *app) beneath(dir, line string) (status int, err error) {
	signals := make(chan os.Signal, 8)
	forward := []os.Signal{syscall.SIGTERM, syscall.SIGHUP}
	if !a.io.InTTY { // the keys of a terminal reach the command themselves
		forward = append(forward, syscall.SIGINT)
	}
	for _, sig := range forward {
		if !signal.Ignored(sig) {
			signal.Notify(signals, sig)
		}
	}
	defer signal.Stop(signals)
	in, out, errs := a.io.Streams()
	if a.json {
		out = errs
	}
	err = proc.Relay(proc.Spec{Path: "/bin/sh", Args: []string{"-c", line}, Env: withoutToken(os.Environ()), Dir: dir}, in, out, errs, signals)
	var exit *proc.ExitError
	if errors.As(err, &exit) {
		if exit.Signal != 0 {
			return 128 + int(exit.Signal), nil
		}
		return exit.Status, nil
	}
	return 0, err
}
