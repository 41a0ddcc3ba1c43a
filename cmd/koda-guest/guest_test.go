//go:build linux

package main_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/guest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/sandboxtest"
)

// program is the guest, built as it is built for sandboxes.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "koda-guest")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "koda-guest")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("build the guest: %v\n%s", err, out))
	}
	status := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(status)
}

// machines makes sandboxes of which each is a guest, run as a plain process.
type machines struct {
	root string // short, as the path of a socket is bounded
	args []string

	mu  sync.Mutex
	all map[string]*machine
}

type machine struct {
	id, dir string
	serve   *exec.Cmd
	stderr  bytes.Buffer
	ended   chan struct{}
}

func newMachines(t *testing.T, args ...string) *machines {
	t.Helper()
	root, err := os.MkdirTemp("", "kg")
	if err != nil {
		t.Fatal(err)
	}
	p := &machines{root: root, args: args, all: map[string]*machine{}}
	t.Cleanup(func() {
		for id := range p.all {
			if err := p.destroy(id); err != nil {
				t.Error(err)
			}
		}
		if err := os.RemoveAll(root); err != nil {
			t.Error(err)
		}
	})
	return p
}

func (p *machines) Kind() sandbox.Kind { return sandbox.Docker }

func (p *machines) Ping(ctx context.Context) error { return ctx.Err() }

func (p *machines) Create(ctx context.Context, _ sandbox.Options) (sandbox.Sandbox, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m, err := p.start()
	if err != nil {
		return nil, err
	}
	return p.Connect(ctx, m.id)
}

// start starts a guest.
func (p *machines) start() (*machine, error) {
	m := &machine{id: strings.ToLower(rand.Text()[:8]), ended: make(chan struct{})}
	m.dir = filepath.Join(p.root, m.id)
	args := append([]string{"serve", "-id", m.id, "-dir", filepath.Join(m.dir, "project"), "-socket", m.socket()}, p.args...)
	m.serve = exec.Command(program, args...)
	m.serve.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.dir, "PS1=$ ", "LC_ALL=C.UTF-8"}
	m.serve.Stderr = &m.stderr
	stdout, err := m.serve.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := m.serve.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	go func() {
		_ = m.serve.Wait()
		close(m.ended)
	}()
	p.mu.Lock()
	p.all[m.id] = m
	p.mu.Unlock()
	if line != "ready\n" {
		<-m.ended
		return nil, fmt.Errorf("the guest says %q, %w: %s", line, err, &m.stderr)
	}
	return m, nil
}

func (p *machines) get(id string) *machine {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all[id]
}

func (p *machines) Connect(ctx context.Context, id string) (sandbox.Sandbox, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := p.alive(id); err != nil {
		return nil, err
	}
	return guest.Open(ctx, guest.Options{
		ID: id, Kind: sandbox.Docker, Dial: p.get(id).join,
		Alive:   func(context.Context) error { return p.alive(id) },
		Destroy: func(context.Context) error { return p.destroy(id) },
	})
}

func (p *machines) alive(id string) error {
	if m := p.get(id); m != nil {
		select {
		case <-m.ended:
		default:
			return nil
		}
	}
	return &koda.Error{Code: koda.CodeSandboxNotFound, Op: fmt.Sprintf("sandbox %q is gone", id)}
}

func (p *machines) Remove(_ context.Context, id string) error { return p.destroy(id) }

func (p *machines) destroy(id string) error {
	m := p.get(id)
	_ = m.serve.Process.Signal(syscall.SIGTERM) // it may have ended already
	<-m.ended
	return os.RemoveAll(m.dir)
}

func (m *machine) socket() string { return filepath.Join(m.dir, "s") }

// join starts a joiner, whose standard streams are the connection.
func (m *machine) join(context.Context) (net.Conn, error) {
	cmd := exec.Command(program, "join", "-socket", m.socket())
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return guest.Stream(out, in, func() error {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		return cmd.Wait()
	}), nil
}

func create(t *testing.T, p *machines) (sandbox.Sandbox, *machine) {
	t.Helper()
	sb, err := p.Create(t.Context(), sandbox.Options{ProjectID: "p1"})
	if err != nil {
		t.Fatal(err)
	}
	return sb, p.get(sb.ID())
}

// A guest that is a plain process keeps the contract of sandboxes.
func TestContract(t *testing.T) {
	t.Parallel()
	p := newMachines(t)
	sandboxtest.Run(t, func(*testing.T) sandbox.Provider { return p })
}

// The guest takes in processes whose parent has ended, reaps them, and ends them with
// itself, whatever session they made.
func TestServe_orphans(t *testing.T) {
	t.Parallel()
	p := newMachines(t)
	sb, m := create(t, p)
	res, err := sb.Run(t.Context(), sandbox.Command{Line: "setsid sh -c 'sleep 600 >sleep.log 2>&1 & echo $!'; true"})
	orphan, convErr := strconv.Atoi(strings.TrimSpace(res.Stdout))
	if err != nil || convErr != nil {
		t.Fatalf("%+v, %v", res, err)
	}
	until(t, "the guest takes in the orphan", func() bool { return field(orphan, 1) == strconv.Itoa(m.serve.Process.Pid) })
	if err := syscall.Kill(orphan, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	until(t, "the guest reaps the orphan", func() bool { return field(orphan, 0) == "" })

	res, err = sb.Run(t.Context(), sandbox.Command{Line: "setsid sh -c 'sleep 600 >sleep.log 2>&1 & echo $!'; true"})
	if orphan, convErr = strconv.Atoi(strings.TrimSpace(res.Stdout)); err != nil || convErr != nil {
		t.Fatalf("%+v, %v", res, err)
	}
	if err := sb.Destroy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if state := field(orphan, 0); state != "" {
		t.Errorf("an orphan outlives the sandbox in state %s", state)
	}
	if status := m.serve.ProcessState.ExitCode(); status != 0 {
		t.Errorf("status %d: %s", status, &m.stderr)
	}
}

// A check says whether the guest answers, and whether its project can be written.
func TestCheck(t *testing.T) {
	t.Parallel()
	_, m := create(t, newMachines(t))
	for name, c := range map[string]struct{ id, socket, dir, says string }{
		"well":             {m.id, m.socket(), m.dir, ""},
		"no project":       {m.id, m.socket(), filepath.Join(m.dir, "none"), "exit status 1: koda-guest: write to the project"},
		"nobody answers":   {m.id, filepath.Join(m.dir, "none"), m.dir, "exit status 1: koda-guest: greet the guest"},
		"somebody else is": {"docker-2", m.socket(), m.dir, "exit status 1: koda-guest: sandbox docker-2 holds a guest"},
	} {
		says := ""
		if out, err := exec.Command(program, "check", "-id", c.id, "-socket", c.socket, "-dir", c.dir).CombinedOutput(); err != nil {
			says = fmt.Sprintf("%v: %s", err, out)
		}
		if (says == "") != (c.says == "") || !strings.HasPrefix(says, c.says) {
			t.Errorf("%s: %q, want %q", name, says, c.says)
		}
	}
}

// field is a field of /proc/PID/stat after the name; "" if there is no such process.
func field(pid, n int) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	return strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))[n]
}

// A sandbox that nobody touches ends, with a process in it that has stopped the guest's
// second process.
func TestServe_lease(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ args, says string }{
		"untouched": {"-idle=", "koda has not been here for "},
		"old":       {"-life=", "the sandbox has lived for "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p *machines
			var sb sandbox.Sandbox
			err := errors.New("not tried")
			lease := 100 * time.Millisecond
			for err != nil && lease < time.Minute { // a lease may end before a busy machine comes to greet the guest
				lease *= 3
				p = newMachines(t, c.args+lease.String())
				sb, err = p.Create(t.Context(), sandbox.Options{ProjectID: "p1"})
			}
			if err != nil {
				t.Fatal(err)
			}
			m := p.get(sb.ID())
			// The second process is the parent of the command.
			if _, err := sb.Run(t.Context(), sandbox.Command{Line: "kill -STOP $PPID; sleep 600"}); err == nil {
				t.Error("the command ended")
			}
			<-m.ended
			if says := c.says + lease.String(); !strings.Contains(m.stderr.String(), says) {
				t.Errorf("it says %q, want %q", &m.stderr, says)
			}
			if _, err := sb.ReadFile(t.Context(), "a"); koda.CodeOf(err) != koda.CodeSandboxNotFound {
				t.Errorf("read: %v", err)
			}
		})
	}
}

// A sandbox ends its idle time after the last touch, not after its start.
func TestServe_touched(t *testing.T) {
	t.Parallel()
	const idle = time.Second
	p := newMachines(t, "-idle="+idle.String())
	sb, m := create(t, p)
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	last := time.Now()
	for range 15 {
		touched := time.Now()
		if err := sb.Touch(t.Context()); err != nil {
			break // this machine is so slow that the idle time went by
		}
		last = touched
		<-again.C
	}
	<-m.ended
	if d := time.Since(last); d < idle {
		t.Errorf("the sandbox ended %v after a touch", d)
	}
}

// The end of a joiner's input ends the joiner, and with it what it asked for.
func TestJoin_ends(t *testing.T) {
	t.Parallel()
	p := newMachines(t)
	_, m := create(t, p)
	joiner := exec.Command(program, "join", "-socket", m.socket())
	in, err := joiner.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := joiner.Start(); err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := joiner.Wait(); err != nil {
		t.Errorf("joiner: %v", err)
	}
}

// A command ends when the connection of koda breaks.
func TestRun_lostConnection(t *testing.T) {
	t.Parallel()
	p := newMachines(t)
	sb, m := create(t, p)
	var mu sync.Mutex
	var conns []net.Conn
	breaking, err := guest.Open(t.Context(), guest.Options{
		ID: sb.ID(), Kind: sandbox.Docker, Alive: func(context.Context) error { return p.alive(sb.ID()) },
		Destroy: func(context.Context) error { return nil },
		Dial: func(ctx context.Context) (net.Conn, error) {
			c, err := m.join(ctx)
			mu.Lock()
			defer mu.Unlock()
			conns = append(conns, c)
			return c, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	ran := make(chan error, 1)
	go func() {
		_, err := breaking.Run(t.Context(), sandbox.Command{Line: "echo $$; sleep 600", Stdout: w})
		ran <- err
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	pid, convErr := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || convErr != nil {
		t.Fatal(line, err)
	}
	mu.Lock()
	for _, c := range conns {
		_ = c.Close()
	}
	mu.Unlock()
	if err := <-ran; koda.CodeOf(err) != koda.CodeProviderError {
		t.Errorf("run: %v", err)
	}
	until(t, "the command ends", func() bool { return field(pid, 0) == "" })
	// The next call opens a new connection.
	if err := breaking.WriteFile(t.Context(), "a.txt", []byte("a")); err != nil {
		t.Errorf("write: %v", err)
	}
}

// A server in the sandbox is reached through the guest.
func TestDial(t *testing.T) {
	t.Parallel()
	p := newMachines(t)
	sb, _ := create(t, p)
	l, err := net.Listen("tcp", "127.0.0.1:0") // a plain process shares this machine's ports
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(c, c)
				_ = c.Close()
			}()
		}
	}()
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		t.Fatal(l.Addr())
	}
	conn, err := sb.Dial(t.Context(), addr.Port)
	if err != nil {
		t.Fatal(err)
	}
	text := bytes.Repeat([]byte("to and fro\n"), 100_000)
	go func() { _, _ = conn.Write(text) }()
	got := make([]byte, len(text))
	if _, err := io.ReadFull(conn, got); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := conn.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Error(err)
	}
	if _, err := conn.Read(got); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
}

// The program says what it was given wrongly.
func TestRun_wrongUse(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"serve"}, {"serve", "-id", "a", "-socket", "s", "-dir", "relative"}, {"dance", "-id", "a", "-socket", "s", "-dir", "/d"}, {"join", "-id", "a"}} {
		cmd := exec.Command(program, args...)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !regexp.MustCompile(`(?m)^koda-guest: `).Match(out) {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}

// until waits until look reports true.
func until(t *testing.T, what string, look func() bool) {
	t.Helper()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	late := time.NewTimer(time.Minute)
	defer late.Stop()
	for !look() {
		select {
		case <-again.C:
		case <-late.C:
			t.Fatalf("waited for a minute: %s", what)
		}
	}
}
