package sandboxtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// still checks that a sandbox without commands refuses every method that needs
// commands.
func still(t *testing.T, sb sandbox.Sandbox) bool {
	t.Helper()
	if sb.Capabilities().Commands {
		return false
	}
	_, runErr := sb.Run(t.Context(), sandbox.Command{Line: "true"})
	_, listErr := sb.Processes(t.Context())
	_, shellErr := sb.Shell(t.Context(), "main", sandbox.Size{Columns: 80, Rows: 24})
	_, dialErr := sb.Dial(t.Context(), 80)
	_, listenErr := sb.Listen(t.Context())
	for what, err := range map[string]error{
		"run": runErr, "list processes": listErr, "stop": sb.Stop(t.Context(), 1), "open a shell": shellErr, "dial": dialErr, "listen": listenErr,
	} {
		wantCode(t, what, err, koda.CodeCommandBlocked)
	}
	return true
}

func run(t *testing.T, sb sandbox.Sandbox, line string) sandbox.RunResult {
	t.Helper()
	res, err := sb.Run(t.Context(), sandbox.Command{Line: line})
	if err != nil {
		t.Fatalf("run %s: %v", line, err)
	}
	return res
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

// calls calls f when it is written to.
type calls struct{ f func() }

func (c *calls) Write(b []byte) (int, error) {
	c.f()
	return len(b), nil
}

// testInput gives commands an input that they read wholly, in part, or not at all.
func testInput(t *testing.T, sb sandbox.Sandbox) {
	t.Helper()
	for line, want := range map[string]string{
		"wc -c": "3000000\n", "head -c 3": "abc", "echo no": "no\n", "exec <&-; echo closed": "closed\n",
	} {
		res, err := sb.Run(t.Context(), sandbox.Command{Line: line, Stdin: strings.NewReader(strings.Repeat("abc", 1_000_000))})
		if err != nil || res.Stdout != want || res.ExitCode != 0 {
			t.Errorf("%s of an input: %+v, %v", line, res, err)
		}
	}
	if res, err := sb.Run(t.Context(), sandbox.Command{Line: "cat"}); err != nil || res.ExitCode != 0 {
		t.Errorf("without an input: %+v, %v", res, err)
	}
	open, hold := io.Pipe() // an input that never ends does not hold up the end of a command
	if res, err := sb.Run(t.Context(), sandbox.Command{Line: "true", Stdin: open}); err != nil || res.ExitCode != 0 {
		t.Errorf("an open input: %+v, %v", res, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { // nor does an input that nobody reads hold up the end by ctx
		_, _ = io.CopyN(hold, zeros{}, 8<<20) //nolint:errcheck // nobody reads it
	}()
	began := &calls{f: cancel}
	if _, err := sb.Run(ctx, sandbox.Command{Line: "echo; sleep 600", Stdin: open, Stdout: began}); !errors.Is(err, context.Canceled) {
		t.Errorf("an input that is not read: %v", err)
	}
	_ = open.Close() //nolint:errcheck // never fails
}

func testCommands(t *testing.T, s *suite) {
	_, sb := s.create(t)
	if err := sb.Touch(t.Context()); err != nil {
		t.Errorf("touch: %v", err)
	}
	if still(t, sb) {
		return
	}
	write(t, sb, "src/a.txt", "from a file")
	testInput(t, sb)
	var stdout, stderr bytes.Buffer
	res, err := sb.Run(t.Context(), sandbox.Command{Line: "cat a.txt; echo problem >&2; exit 3", Dir: "src", Stdout: &stdout, Stderr: &stderr})
	if err != nil || res.Stdout != "from a file" || res.Stderr != "problem\n" || res.ExitCode != 3 || res.PID != 0 {
		t.Errorf("run: %+v, %v", res, err)
	}
	if stdout.String() != res.Stdout || stderr.String() != res.Stderr {
		t.Errorf("streamed %q and %q", &stdout, &stderr)
	}
	for line, want := range map[string]int{
		"kill -9 $$": 128 + 9, "kill -15 $$; sleep 600": 128 + 15, "exit 255": 255, "no-such-program": 127, "./src": 126, "true": 0, "cat": 0, // nothing to read
	} {
		if res := run(t, sb, line); res.ExitCode != want {
			t.Errorf("%s: %+v, want %d", line, res, want)
		}
	}
	res, err = sb.Run(t.Context(), sandbox.Command{Line: `echo "$WHO $PATH"`, Env: []string{"WHO=anna b", "PATH=/nowhere"}})
	if err != nil || res.Stdout != "anna b /nowhere\n" {
		t.Errorf("with an environment: %+v, %v", res, err)
	}
	for _, dir := range []string{"../..", "/", "nowhere", "src/a.txt"} {
		_, err := sb.Run(t.Context(), sandbox.Command{Line: "true", Dir: dir})
		wantCode(t, "run in "+dir, err, koda.CodeInvalidPath)
	}

	// Of a long output the beginning and the end are kept.
	res = run(t, sb, "echo first; head -c 1000000 /dev/zero | tr '\\0' x; echo last")
	if len(res.Stdout) > sandbox.MaxOutput+200 || !strings.HasPrefix(res.Stdout, "first\n") || !strings.HasSuffix(res.Stdout, "last\n") || !strings.Contains(res.Stdout, "left out") {
		t.Errorf("of a long output %d bytes are kept: %.20q … %.20q", len(res.Stdout), res.Stdout, res.Stdout[max(0, len(res.Stdout)-20):])
	}
	// A process that a command leaves behind holds up no later command.
	if res := run(t, sb, "sleep 600 & setsid sleep 600 & echo $! >bg; echo done"); res.Stdout != "done\n" {
		t.Errorf("with children left: %+v", res)
	}
	run(t, sb, "kill $(cat bg)")

	// A timeout and a cancelled context end a command with all it started.
	res, err = sb.Run(t.Context(), sandbox.Command{
		Line: "echo before; echo problem >&2; trap '' TERM INT HUP; sh -c 'sleep 600; sleep 600' & echo $! >pid; wait; wait", Timeout: 500 * time.Millisecond,
	})
	wantCode(t, "a command that takes too long", err, koda.CodeTimeout)
	if res.Stdout != "before\n" || res.Stderr != "problem\n" {
		t.Errorf("what it wrote: %q, %q", res.Stdout, res.Stderr)
	}
	until(t, "the processes of the command end", func() (string, bool) {
		return "", run(t, sb, "kill -0 $(cat pid)").ExitCode != 0
	})
	ctx, cancel := context.WithCancel(t.Context())
	line, printed := "echo $$; sleep 600", make(chan struct{})
	go func() {
		<-printed
		cancel()
	}()
	if _, err := sb.Run(ctx, sandbox.Command{Line: line, Stdout: closing{printed}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// closing is a writer that closes a channel when it is written.
type closing struct{ c chan struct{} }

func (w closing) Write(b []byte) (int, error) {
	close(w.c)
	return len(b), nil
}

func testBackground(t *testing.T, s *suite) {
	p, sb := s.create(t)
	if still(t, sb) || !sb.Capabilities().Background {
		return
	}
	res, err := sb.Run(t.Context(), sandbox.Command{Line: "echo up; echo on stderr >&2; sleep 600", Background: true})
	if err != nil || res.PID <= 0 || res.ExitCode != -1 {
		t.Fatalf("background: %+v, %v", res, err)
	}
	other, err := sb.Run(t.Context(), sandbox.Command{Line: "exit 4", Background: true})
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.Connect(t.Context(), sb.ID())
	if err != nil {
		t.Fatal(err)
	}
	until(t, "both are listed", func() (string, bool) {
		all, err := again.Processes(t.Context())
		if err != nil || len(all) != 2 {
			return fmt.Sprint(all, err), false
		}
		first, second := all[0], all[1]
		return fmt.Sprint(all), first.PID == res.PID && first.Running && strings.Contains(first.Output, "up\n") && strings.Contains(first.Output, "on stderr\n") &&
			second.PID == other.PID && !second.Running && second.ExitCode == 4 && second.Line == "exit 4"
	})
	for _, pid := range []int{res.PID, other.PID} {
		if err := again.Stop(t.Context(), pid); err != nil {
			t.Errorf("stop: %v", err)
		}
		wantCode(t, "stop again", again.Stop(t.Context(), pid), koda.CodeNotFound)
	}
	wantCode(t, "stop what was never started", sb.Stop(t.Context(), 1), koda.CodeNotFound)
	if all, err := sb.Processes(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("left: %v, %v", all, err)
	}
	until(t, "a stopped process ends", func() (string, bool) {
		return "", run(t, sb, fmt.Sprintf("kill -0 %d", res.PID)).ExitCode != 0
	})
	_, err = sb.Dial(t.Context(), 1)
	wantCode(t, "dial where nothing listens", err, koda.CodeServerFailed)
}

// A shell keeps its directory, its variables and its programs when views are opened
// and closed.
func testShells(t *testing.T, s *suite) {
	p, sb := s.create(t)
	if still(t, sb) {
		return
	}
	write(t, sb, "src/a.txt", "a")
	size := sandbox.Size{Columns: 100, Rows: 30}
	first, err := sb.Shell(t.Context(), "main", size)
	if err != nil {
		t.Fatal(err)
	}
	seen := reader(first)
	typed(t, first, "cd src; WHO=a''nna; stty size; ls\n")
	shows(t, seen, "30 100")
	shows(t, seen, "a.txt")
	if err := first.Resize(sandbox.Size{Columns: 90, Rows: 20}); err != nil {
		t.Errorf("resize: %v", err)
	}
	typed(t, first, "stty size\n")
	shows(t, seen, "20 90")
	// ctrl-c ends the program and not the shell.
	typed(t, first, "sh -c 'echo be\"\"gun; exec sleep 600'\n")
	shows(t, seen, "begun")
	typed(t, first, "\x03")
	typed(t, first, "echo $WHO in ${PWD##*/}\n")
	shows(t, seen, "anna in src")

	// Another view of this shell.
	again, err := p.Connect(t.Context(), sb.ID())
	if err != nil {
		t.Fatal(err)
	}
	second, err := again.Shell(t.Context(), "main", size)
	if err != nil {
		t.Fatal(err)
	}
	seenToo := reader(second)
	shows(t, seenToo, "anna in src") // what was written before
	if err := first.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	typed(t, second, "echo still $WHO\n")
	shows(t, seenToo, "still anna")
	if strings.Contains(seen(), "still anna") {
		t.Error("a closed view reads on")
	}
	// After a shell has ended, its name opens a new shell.
	typed(t, second, "exit 7\n")
	if _, err := io.Copy(io.Discard, second); err != nil {
		t.Errorf("read to the end: %v", err)
	}
	if status, err := second.Wait(); err != nil || status != 7 {
		t.Errorf("the shell ended with %d, %v", status, err)
	}
	if status, err := first.Wait(); err == nil {
		t.Errorf("a view that was closed before ended with %d", status)
	}
	third, err := sb.Shell(t.Context(), "main", size)
	if err != nil {
		t.Fatal(err)
	}
	seenNew := reader(third)
	typed(t, third, "echo again-$WHO-in-${PWD##*/}\n")
	until(t, "a new shell", func() (string, bool) {
		return seenNew(), strings.Contains(seenNew(), "again--in-") && !strings.Contains(seenNew(), "in-src")
	})
}

// A shell knows nothing of another shell, and ends with all it started.
func testOtherShell(t *testing.T, s *suite) {
	_, sb := s.create(t)
	if still(t, sb) {
		return
	}
	size := sandbox.Size{Columns: 80, Rows: 24}
	first, err := sb.Shell(t.Context(), "main", size)
	if err != nil {
		t.Fatal(err)
	}
	typed(t, first, "WHO=anna; echo re''ady\n")
	shows(t, reader(first), "ready")
	other, err := sb.Shell(t.Context(), "other", size)
	if err != nil {
		t.Fatal(err)
	}
	seenOther := reader(other)
	typed(t, other, "echo nobody-$WHO-here; sleep 600 & echo child=$!=\n")
	shows(t, seenOther, "nobody--here")
	until(t, "a job runs", func() (string, bool) { return seenOther(), strings.Count(seenOther(), "child=") > 1 })
	_, after, _ := strings.Cut(seenOther()[strings.Index(seenOther(), "\nchild=")+1:], "child=")
	child, _, _ := strings.Cut(after, "=")
	if err := other.Kill(); err != nil {
		t.Errorf("kill: %v", err)
	}
	until(t, "a killed shell says how it ended", func() (string, bool) {
		status, err := other.Wait()
		return fmt.Sprint(status, err), err == nil && status == 128+9
	})
	until(t, "the job of a killed shell ends", func() (string, bool) {
		return child, run(t, sb, "kill -0 "+child).ExitCode != 0
	})
}

// What programs in the sandbox connect with reaches koda, and ends with the listener.
func testListen(t *testing.T, s *suite) {
	_, sb := s.create(t)
	if still(t, sb) || !sb.Capabilities().Background {
		return
	}
	l, err := sb.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok || !addr.IP.IsLoopback() {
		t.Fatalf("the address is %v", l.Addr())
	}
	answered := make(chan error, 1)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				answered <- err
				return
			}
			go func() {
				defer conn.Close() //nolint:errcheck // the other end notices
				line, err := bufio.NewReader(conn).ReadString('\n')
				if err == nil {
					_, err = io.WriteString(conn, "heard "+line)
				}
				if err != nil && line != "" {
					t.Errorf("answer %q: %v", line, err)
				}
			}()
		}
	}()
	ask := fmt.Sprintf("bash -c 'exec 3<>/dev/tcp/127.0.0.1/%d; echo $0 >&3; cat <&3' ", addr.Port)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if res := run(t, sb, fmt.Sprint(ask, i)); res.Stdout != fmt.Sprintf("heard %d\n", i) {
				t.Errorf("%d: %+v", i, res)
			}
		})
	}
	all.Wait()
	if err := l.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := <-answered; !errors.Is(err, net.ErrClosed) {
		t.Errorf("accept after close: %v", err)
	}
	until(t, "the port is closed", func() (string, bool) {
		res := run(t, sb, ask+"late")
		return fmt.Sprint(res), res.ExitCode != 0
	})
}

func typed(t *testing.T, sh sandbox.Shell, text string) {
	t.Helper()
	if _, err := io.WriteString(sh, text); err != nil {
		t.Errorf("type %q: %v", text, err)
	}
}

func shows(t *testing.T, seen func() string, want string) {
	t.Helper()
	until(t, fmt.Sprintf("the shell shows %q", want), func() (string, bool) { return seen(), strings.Contains(seen(), want) })
}

// reader reads a shell and returns what it has shown so far.
func reader(sh sandbox.Shell) func() string {
	var mu sync.Mutex
	var seen strings.Builder
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := sh.Read(b)
			mu.Lock()
			seen.Write(b[:n])
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return seen.String()
	}
}

// until waits until look reports true, for something that happens in another process.
// Look also returns what it saw, for the failure message.
func until(t *testing.T, what string, look func() (string, bool)) {
	t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	late := time.NewTimer(time.Minute)
	defer late.Stop()
	for {
		saw, ok := look()
		if ok {
			return
		}
		select {
		case <-again.C:
		case <-late.C:
			t.Fatalf("waited for a minute: %s; saw %.2000s", what, saw)
		}
	}
}
