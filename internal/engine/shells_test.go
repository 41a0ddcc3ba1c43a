package engine_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
	"github.com/koda-video/koda/internal/tool"
)

// commanding makes sandboxes whose commands run on this machine: the tests know what they
// run.
type commanding struct {
	sandbox.Provider
	home string

	mu       sync.Mutex
	commands map[string]*hostos.Commands
}

func (p *commanding) with(sb sandbox.Sandbox, err error) (sandbox.Sandbox, error) {
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.commands[sb.ID()]
	if c == nil {
		c = hostos.NewCommands(filepath.Join(p.home, "sandboxes", sb.ID(), "project"), []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "PS1=$ ", "LC_ALL=C.UTF-8"}, time.Now)
		p.commands[sb.ID()] = c
	}
	return &commanded{sb, c}, nil
}

func (p *commanding) Create(ctx context.Context, o sandbox.Options) (sandbox.Sandbox, error) {
	return p.with(p.Provider.Create(ctx, o))
}

func (p *commanding) Connect(ctx context.Context, id string) (sandbox.Sandbox, error) {
	return p.with(p.Provider.Connect(ctx, id))
}

type commanded struct {
	sandbox.Sandbox
	c *hostos.Commands
}

func (s *commanded) Capabilities() sandbox.Capabilities {
	return sandbox.Capabilities{Commands: true, Background: true}
}

func (s *commanded) Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, error) {
	return s.c.Run(ctx, cmd)
}

func (s *commanded) Processes(ctx context.Context) ([]sandbox.Background, error) {
	return s.c.Processes(ctx)
}
func (s *commanded) Stop(ctx context.Context, pid int) error { return s.c.Stop(ctx, pid) }
func (s *commanded) Shell(ctx context.Context, name string, size sandbox.Size) (sandbox.Shell, error) {
	return s.c.Shell(ctx, name, size)
}
func (s *commanded) Listen(ctx context.Context) (net.Listener, error) { return s.c.Listen(ctx) }
func (s *commanded) Destroy(ctx context.Context) error {
	if err := s.c.Close(); err != nil {
		return err
	}
	return s.Sandbox.Destroy(ctx)
}

// newCommandBench is a bench whose sandboxes run commands, and whose clock for waiting is
// the real one.
func newCommandBench(t *testing.T) (*bench, *commanding) {
	t.Helper()
	b := newBench(t)
	p := &commanding{home: b.home, commands: map[string]*hostos.Commands{}}
	b.tweak = func(cfg *engine.Config) {
		p.Provider = cfg.Sandboxes[sandbox.Local]
		cfg.Sandboxes = map[sandbox.Kind]sandbox.Provider{sandbox.Local: p}
		cfg.After = func(d time.Duration) (<-chan time.Time, func()) {
			timer := time.NewTimer(d)
			return timer.C, func() { timer.Stop() }
		}
	}
	b.open()
	t.Cleanup(func() {
		for _, c := range p.commands {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return b, p
}

// typed types into a shell, and looks until it shows what is wanted.
func typed(t *testing.T, box tool.Toolbox, in tool.FeedInput, want string) string {
	t.Helper()
	in.YieldTimeMS = 1 // counts as 250
	text := ""
	for range 100 {
		out, err := tool.Invoke[tool.ShellOutput](t.Context(), box, tool.NameFeedChars, in)
		if err != nil {
			t.Errorf("feed %q: %v", in.Chars, err)
			return text
		}
		if text += out.Output; strings.Contains(text, want) {
			return text
		}
		in.Chars = ""
	}
	t.Errorf("the shell shows %q, want %q", text, want)
	return text
}

// TestShells: an author's terminals keep directory, variables and programs from call to
// call, and end with the work.
func TestShells(t *testing.T) {
	t.Parallel()
	b, _ := newCommandBench(t)
	todo, pid := 0, 0
	b.author.work = func(ctx context.Context, _ koda.Task, box tool.Desk) error {
		if todo++; todo == 2 { // the shell is the same in the next todo
			typed(t, box, tool.FeedInput{Chars: "echo $WHO in ${PWD##*/}\n"}, "anna in src")
			text := typed(t, box, tool.FeedInput{Chars: "sleep 600 & echo p''id=$!=\n"}, "pid=")
			_, text, _ = strings.Cut(text, "pid=")
			if _, err := fmt.Sscanf(text, "%d=", &pid); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			return nil
		}
		typed(t, box, tool.FeedInput{Chars: "cd src && WHO=a''nna; stty size; echo é''鞠\n"}, "é鞠")
		typed(t, box, tool.FeedInput{Chars: "stty size\n", Columns: 90, Rows: 20}, "20 90")
		typed(t, box, tool.FeedInput{Chars: "sh -c 'echo be\"\"gun; exec sleep 600'\n"}, "begun")
		typed(t, box, tool.FeedInput{Chars: "\x03"}, "^C")
		if text := typed(t, box, tool.FeedInput{Chars: "echo no''thing added"}, "echo no''thing added"); strings.Contains(text, "nothing added") {
			t.Errorf("a newline was added: %q", text)
		}
		typed(t, box, tool.FeedInput{Chars: "\n"}, "nothing added")

		// Another name is another shell; a shell that has ended is told of.
		typed(t, box, tool.FeedInput{Chars: "echo -$WHO- ${PWD##*/}\n", ShellName: "other"}, "-- project")
		typed(t, box, tool.FeedInput{Chars: "exit 3\n", ShellName: "other"}, "exit")
		var out tool.ShellOutput
		var err error
		for err == nil {
			if out, err = tool.Invoke[tool.ShellOutput](ctx, box, tool.NameFeedChars, tool.FeedInput{ShellName: "other"}); err == nil && out.Ended && out.ExitCode != 3 {
				t.Errorf("ended: %+v", out)
			}
		}
		if koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(koda.HintOf(err), tool.NameCreateNewShell) {
			t.Errorf("a shell that has ended: %v", err)
		}
		if _, err := tool.Invoke[tool.ShellOutput](ctx, box, tool.NameCreateNewShell, tool.NewShellInput{ShellName: "other", Columns: 80, Rows: 24}); err != nil {
			t.Error(err)
		}
		typed(t, box, tool.FeedInput{Chars: "stty size\n", ShellName: "other"}, "24 80")

		// Of bytes in the middle of a character nothing is lost.
		typed(t, box, tool.FeedInput{Chars: "printf '<\\303'; read x; printf '\\251>'\n", ShellName: "other"}, "<")
		typed(t, box, tool.FeedInput{Chars: "\n", ShellName: "other"}, ">")
		return nil
	}
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	if out.State.Phase != koda.PhaseComplete {
		t.Fatalf("phase %s", out.State.Phase)
	}
	for range 500 { // its new parent may be slow
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		<-time.After(10 * time.Millisecond)
	}
	t.Error("a job of a shell lives on")
}

// TestShells_lost: an author is told that a shell it knew is gone with the koda that
// opened it.
func TestShells_lost(t *testing.T) {
	t.Parallel()
	b, _ := newCommandBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	b.author.work = func(_ context.Context, _ koda.Task, box tool.Desk) error {
		typed(t, box, tool.FeedInput{Chars: "cd src\n"}, "cd src")
		if cancel != nil {
			cancel()
			return ctx.Err()
		}
		return nil
	}
	out, err := b.engine.New(ctx, b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeInterrupted {
		t.Fatal(err)
	}
	cancel = nil
	b.open()
	told := false
	b.author.work = func(ctx context.Context, _ koda.Task, box tool.Desk) error {
		if told {
			return nil
		}
		_, err := tool.Invoke[tool.ShellOutput](ctx, box, tool.NameFeedChars, tool.FeedInput{Chars: "rm *\n"})
		if koda.CodeOf(err) != koda.CodeNotFound {
			t.Errorf("the shell of a koda that is gone: %v", err)
		}
		if _, err := tool.Invoke[tool.ShellOutput](ctx, box, tool.NameCreateNewShell, tool.NewShellInput{}); err != nil {
			t.Error(err)
		}
		typed(t, box, tool.FeedInput{Chars: "echo in ${PWD##*/}\n"}, "in project")
		told = true
		return nil
	}
	b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if !told {
		t.Error("nothing was done")
	}
}

// TestCommandOutput: who looks on sees what a command writes, in whole characters.
func TestCommandOutput(t *testing.T) {
	t.Parallel()
	b, _ := newCommandBench(t)
	done := false
	b.author.work = func(ctx context.Context, _ koda.Task, box tool.Desk) error {
		if done {
			return nil
		}
		done = true
		out, err := tool.RunCommand(ctx, box, tool.RunInput{Command: `printf 'a\303'; sleep 0.05; printf '\251b'; echo no >&2; exit 3`})
		if err != nil || out.Stdout != "aéb" || out.Stderr != "no\n" || out.ExitCode != 3 {
			t.Errorf("%+v, %v", out, err)
		}
		return nil
	}
	b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	b.feed.Flush()
	got := map[string]string{}
	for _, ev := range b.events() {
		if o, ok := ev.Payload.(koda.CommandOutput); ok {
			got[o.Stream] += o.Text
		}
	}
	if got[""] != "aéb" || got["stderr"] != "no\n" {
		t.Errorf("shown: %q", got)
	}
}
