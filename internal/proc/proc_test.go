package proc_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/proc"
)

func sh(script string) proc.Spec {
	return proc.Spec{Path: "/bin/sh", Args: []string{"-c", script}, Env: os.Environ()}
}

func TestOutput(t *testing.T) {
	t.Parallel()
	out, err := proc.Output(t.Context(), sh("echo hello; echo aside >&2"))
	if err != nil || string(out) != "hello\n" {
		t.Errorf("Output = %q, %v", out, err)
	}
}

// Output larger than a pipe's buffer arrives whole, even from a child that ends at
// once.
func TestOutputWhole(t *testing.T) {
	t.Parallel()
	const n = 300_000
	out, err := proc.Output(t.Context(), sh("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"))
	if err != nil || len(out) != n {
		t.Errorf("%d bytes, %v, want %d", len(out), err, n)
	}
	var exit *proc.ExitError
	if _, err := proc.Output(t.Context(), sh("head -c 300000 /dev/zero; exit 4")); !errors.As(err, &exit) || exit.Status != 4 {
		t.Errorf("err = %v, want status 4", err)
	}
}

func TestExitError(t *testing.T) {
	t.Parallel()
	_, err := proc.Output(t.Context(), sh("echo first >&2; echo the reason >&2; exit 3"))
	var exit *proc.ExitError
	if !errors.As(err, &exit) || exit.Status != 3 || !strings.Contains(err.Error(), "sh: exit status 3: the reason") {
		t.Errorf("err = %v, want status 3 with the last line of stderr", err)
	}
	_, err = proc.Output(t.Context(), sh("kill -TERM $$"))
	if !errors.As(err, &exit) || exit.Signal != syscall.SIGTERM {
		t.Errorf("err = %v, want SIGTERM", err)
	}
}

func TestPipe(t *testing.T) {
	t.Parallel()
	p, err := proc.Start(t.Context(), proc.Spec{Path: "/bin/sh", Args: []string{"-c", "echo noise; read x <&3; echo got $x >&4"}, Pipe: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(p.Stdin(), "word\n"); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(p.Stdout())
	if err != nil || string(got) != "got word\n" {
		t.Errorf("descriptor 4 gave %q, %v", got, err)
	}
	if err := p.Wait(); err != nil || p.StderrTail() != "noise\n" {
		t.Errorf("Wait = %v, tail %q", err, p.StderrTail())
	}
}

func TestCancelKillsGroup(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p, err := proc.Start(ctx, sh("sleep 1000 & echo $!; wait"))
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(p.Stdout()).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	grandchild, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := p.Wait(); err == nil {
		t.Error("a killed child ended well")
	}
	// The orphan is reaped by init some time after its death; its pipe end
	// closes at once.
	if _, err := io.ReadAll(p.Stdout()); err != nil {
		t.Error(err)
	}
	ends(t, grandchild)
}

// TestDiesWithParent kills a parent and looks for its child.
func TestDiesWithParent(t *testing.T) {
	t.Parallel()
	if os.Getenv("PROC_PARENT") != "" {
		p, err := proc.Start(t.Context(), sh("echo $$; exec sleep 1000"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(os.Stdout, p.Stdout())
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=TestDiesWithParent")
	cmd.Env = append(os.Environ(), "PROC_PARENT=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	child := 0
	for child == 0 {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		child, _ = strconv.Atoi(strings.TrimSpace(line))
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, lines) // ends when every holder of the pipe is gone
	_ = cmd.Wait()
	ends(t, child)
}

// ends waits until a process is gone or a zombie: its pipes close before the kernel
// has removed it.
func ends(t *testing.T, pid int) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range 500 {
		if state := processState(pid); state == "" || state == "Z" {
			return
		}
		<-tick.C
	}
	t.Errorf("process %d lives on in state %s", pid, processState(pid))
}

func processState(pid int) string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	state, _, _ := strings.Cut(rest, " ")
	return state
}
