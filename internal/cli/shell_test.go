package cli_test

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// room is a sandbox whose commands run on this machine.
type room struct {
	sandbox.Sandbox
	c *hostos.Commands
}

func (r room) Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, error) {
	return r.c.Run(ctx, cmd)
}

func (r room) Shell(ctx context.Context, name string, size sandbox.Size) (sandbox.Shell, error) {
	return r.c.Shell(ctx, name, size)
}

func newRoom(t *testing.T) *room {
	t.Helper()
	c := hostos.NewCommands(t.TempDir(), []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PS1=$ ", "LC_ALL=C.UTF-8"}, time.Now)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return &room{c: c}
}

func TestShell_command(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects, f.engine.room = []koda.Project{ball}, newRoom(t)
	for _, test := range []struct {
		args        []string
		status      int
		stdout, err string
	}{
		{[]string{"--", "echo a b | tr a c; echo no >&2; exit 7"}, 7, "c b\n", "no\n"},
		{[]string{"--", "printf", "%s|", "a b", "$HOME", "it's"}, 0, "a b|$HOME|it's|", ""},
		{[]string{"--", "cat"}, 0, "", ""},
		{[]string{"--", "kill -9 $$"}, 137, "", ""},
	} {
		f.io.In = strings.NewReader("") // of the command before, the input may still be read
		got := f.run(append([]string{"shell", "ball"}, test.args...)...)
		if got != test.status || f.out.String() != test.stdout || f.err.String() != test.err {
			t.Errorf("%q: status %d: %q, %q", test.args, got, &f.out, &f.err)
		}
	}
	f.io.In = strings.NewReader("a\nb\n")
	if got := f.run("shell", "ball", "--", "wc", "-l"); got != 0 || strings.TrimSpace(f.out.String()) != "2" {
		t.Errorf("of an input: status %d: %q, %q", got, &f.out, &f.err)
	}
	f.io.In = strings.NewReader("")
	if got := f.run("shell", "ball", "--json", "--", "echo a; echo b >&2; exit 3"); got != 3 {
		t.Errorf("status %d", got)
	}
	if r := f.result(); r["ok"] != true || r["exitCode"] != 3.0 || r["status"] != 3.0 || r["stdout"] != "a\n" || r["stderr"] != "b\n" {
		t.Errorf("%v", r)
	}
	for _, args := range [][]string{{"shell", "ball"}, {"shell", "ball", "ls"}, {"shell", "ball", "--"}, {"shell", "ball", "--json"}, {"shell", "ball", "--", "a", "b\x00"}} {
		if got := f.run(args...); got != 2 || !strings.Contains(f.err.String()+f.out.String(), "hint") {
			t.Errorf("%q: status %d: %s", args, got, &f.err)
		}
	}
	f.engine.nobody = &koda.Error{Code: koda.CodeCommandBlocked, Op: "ball lives on this machine", Hint: "cd /ball"}
	if got := f.run("shell", "ball", "--", "ls"); got != 5 || f.err.String() != "koda: ball lives on this machine\n  hint: cd /ball\n" {
		t.Errorf("status %d: %s", got, &f.err)
	}
}

// screen is a terminal in which koda runs.
type screen struct {
	t        *testing.T
	key, tty *os.File

	mu   sync.Mutex
	seen strings.Builder
}

func newScreen(t *testing.T) *screen {
	t.Helper()
	key, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, key: key, tty: tty}
	s.size(100, 30)
	t.Cleanup(func() { _, _ = tty.Close(), key.Close() })
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := key.Read(b)
			s.mu.Lock()
			s.seen.Write(b[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s
}

func (s *screen) size(columns, rows uint16) {
	s.t.Helper()
	if err := pty.Setsize(s.key, &pty.Winsize{Cols: columns, Rows: rows}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *screen) types(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.key, text); err != nil {
		s.t.Fatal(err)
	}
}

func (s *screen) shows(want string) {
	s.t.Helper()
	end := time.After(time.Minute)
	for {
		s.mu.Lock()
		seen := s.seen.String()
		s.mu.Unlock()
		if strings.Contains(seen, want) {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-end:
			s.t.Fatalf("the terminal shows %q, want %q", seen, want)
		}
	}
}

// mode is the mode of the terminal.
func (s *screen) mode() term.State {
	s.t.Helper()
	m, err := term.GetState(int(s.tty.Fd()))
	if err != nil {
		s.t.Fatal(err)
	}
	return *m
}

// TestShell_terminal: the person's terminal is that of the shell, and in its own mode
// again on every way out.
func TestShell_terminal(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		leave  func(s *screen, cancel func(), r *room)
		status int
		left   bool // in the middle of something
	}{
		"exit":        {func(s *screen, _ func(), _ *room) { s.types("exit 7\n") }, 7, false},
		"ctrl-d":      {func(s *screen, _ func(), _ *room) { s.types("true\n\x04") }, 0, false},
		"a signal":    {func(_ *screen, cancel func(), _ *room) { cancel() }, 130, true},
		"the sandbox": {func(_ *screen, _ func(), r *room) { _ = r.c.Close() }, 137, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, r, f := newScreen(t), newRoom(t), newFace(t)
			f.engine.projects, f.engine.room = []koda.Project{ball}, r
			before := s.mode()
			ctx, cancel := context.WithCancelCause(t.Context())
			status := make(chan int, 1)
			go func() {
				status <- cli.Run(ctx, []string{"shell", "ball"}, &cli.IO{
					In: s.tty, Out: s.tty, Err: &f.err, InTTY: true, OutTTY: true, ErrTTY: true, Env: os.LookupEnv,
					Screen: func() (in, out *os.File) { return s.tty, s.tty },
				}, f.deps)
			}()
			s.types("stty size; echo re''ady é\n")
			s.shows("30 100")
			s.shows("ready é")
			if s.mode() == before {
				t.Error("the terminal was not prepared")
			}
			s.size(90, 20)
			if err := syscall.Kill(os.Getpid(), syscall.SIGWINCH); err != nil {
				t.Fatal(err)
			}
			s.types("until [ \"$(stty size)\" = '20 90' ]; do sleep 0.05; done; echo resi''zed\n")
			s.shows("resized")
			s.types("sh -c 'echo be\"\"gun; exec sleep 600'\n")
			s.shows("begun")
			s.types("\x03")
			s.types("echo al''ive\n")
			s.shows("alive")
			test.leave(s, func() { cancel(&koda.Error{Code: koda.CodeInterrupted, Op: "ended by SIGTERM"}) }, r)
			if got := <-status; got != test.status {
				t.Errorf("status %d, want %d: %s", got, test.status, &f.err)
			}
			if s.mode() != before {
				t.Error("the terminal is not as it was")
			}
			if test.left {
				s.shows("\x1b[?1049l")
			}
		})
	}
}
