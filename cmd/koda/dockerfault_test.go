package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// engineSocket is a socket in front of the container engine. When it is cut off, koda
// meets an engine that was stopped; when it is stalled, an engine that hangs.
type engineSocket struct {
	t    *testing.T
	path string
	gate sync.RWMutex // held by stall

	mu       sync.Mutex
	listener net.Listener // nil while it is cut off
	conns    []net.Conn
}

func newEngineSocket(t *testing.T) *engineSocket {
	t.Helper()
	dir, err := os.MkdirTemp("", "koda") // a socket needs a short path
	if err != nil {
		t.Fatal(err)
	}
	s := &engineSocket{t: t, path: filepath.Join(dir, "docker.sock")}
	t.Cleanup(func() {
		s.cut()
		_ = os.RemoveAll(dir)
	})
	s.mend()
	return s
}

// cut stops the engine.
func (s *engineSocket) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener == nil {
		return
	}
	_ = s.listener.Close()
	for _, c := range s.conns {
		_ = c.Close()
	}
	s.listener, s.conns = nil, nil
}

// mend starts the engine again.
func (s *engineSocket) mend() {
	s.t.Helper()
	l, err := net.Listen("unix", s.path)
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listener = l
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("unix", engineOf())
			if err != nil {
				_ = near.Close()
				continue
			}
			s.mu.Lock()
			s.conns = append(s.conns, near, far)
			s.mu.Unlock()
			go s.copy(near, far)
			go s.copy(far, near)
		}
	}()
}

func (s *engineSocket) copy(to, from net.Conn) {
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		s.gate.RLock()
		_, failed := to.Write(b[:n])
		s.gate.RUnlock()
		if err = errors.Join(err, failed); err != nil {
			break
		}
	}
	_ = to.(*net.UnixConn).CloseWrite()
}

// engineOf is the socket of the engine itself.
func engineOf() string {
	if path, ok := strings.CutPrefix(os.Getenv("DOCKER_HOST"), "unix://"); ok {
		return path
	}
	return "/var/run/docker.sock"
}

// dockerRun is a crashRun whose sandboxes are containers.
type dockerRun struct {
	*crashRun
	engine  *engineSocket
	env     []string
	project string
}

func newDockerRun(t *testing.T, env ...string) *dockerRun {
	t.Helper()
	r := &dockerRun{crashRun: newCrashRun(t), engine: newEngineSocket(t)}
	r.env = append(os.Environ(), asKoda+"=1", "KODA_HOME="+r.home, "HOME="+r.home, "KODA_SANDBOX_BASE="+needs.Docker(t), "KODA_SANDBOX_MAX=none", "DOCKER_HOST=unix://"+r.engine.path)
	r.env = append(r.env, env...)
	t.Cleanup(func() { // a sandbox that the test left is koda's to remove
		for _, id := range r.containers(r.project) {
			_ = exec.Command("docker", "rm", "-f", id).Run()
		}
	})
	return r
}

// containers are the living sandboxes of a project.
func (r *dockerRun) containers(project string) (ids []string) {
	r.t.Helper()
	const format = `{{.Names}} {{.Label "video.koda.sandbox"}}`
	out, err := exec.Command("docker", "ps", "--format", format, "--filter", "label=video.koda.sandbox").Output()
	if err != nil {
		r.t.Error(err)
	}
	for line := range strings.Lines(string(out)) {
		if id, label, _ := strings.Cut(line, " "); strings.Contains(label, `"projectId":"`+project+`"`) {
			ids = append(ids, id)
		}
	}
	return ids
}

// told is what a command said.
type told struct {
	messages []string
	steps    int // of building an image
	result   struct {
		OK       bool
		ExitCode int
		Error    *struct{ Code, Message, Hint string }
		NotDone  []string
	}
}

// try runs a command. After each event it calls on, and it returns what koda said, and
// whether it died of SIGKILL.
func (r *dockerRun) try(on func(ev koda.Event, koda *os.Process), args ...string) (so told, killed bool) {
	r.t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir, cmd.Env, cmd.Stderr = r.dir, r.env, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if err != io.EOF { //nolint:errorlint // a reader's end is io.EOF itself
				r.t.Error(err)
			}
			break
		}
		r.hear(line, &so, on, cmd.Process)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return so, ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

func (r *dockerRun) hear(line []byte, so *told, on func(koda.Event, *os.Process), process *os.Process) {
	var ev koda.Event
	if err := json.Unmarshal(line, &ev); err != nil {
		r.t.Fatalf("%v in %s", err, line)
	}
	r.project = cmp.Or(ev.Project, r.project)
	switch p := ev.Payload.(type) {
	case koda.MessageAdded:
		so.messages = append(so.messages, p.Content)
	case koda.BuildStep:
		so.steps++
	case json.RawMessage:
		if ev.Type == "result" {
			if err := json.Unmarshal(p, &so.result); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	if on != nil {
		on(ev, process)
	}
}

// done reports whether an event ticks off the nth todo of the demo.
func done(ev koda.Event, n int) bool {
	u, ok := ev.Payload.(koda.TodoUpdate)
	return ok && u.Status == koda.TodoDone && strings.HasSuffix(u.TodoID, string(rune('0'+n)))
}

var newInDocker = []string{"new", "bouncing ball, 1.5 seconds", "--name", "demo", "--preset", "square", "--sandbox", "docker", "--yes", "--json"}

// A container that is killed or started again in the middle of the work is replaced, and
// koda says so once.
func TestDockerFault_killed(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"kill", "restart -t 0"} { // at once: else the engine waits ten seconds, and koda may be done
		t.Run(strings.Fields(what)[0], func(t *testing.T) {
			t.Parallel()
			r := newDockerRun(t)
			var first []string
			so, _ := r.try(func(ev koda.Event, koda *os.Process) {
				if done(ev, 1) {
					// On a busy machine koda would be done before the engine has obeyed.
					_ = koda.Signal(syscall.SIGSTOP)
					defer func() { _ = koda.Signal(syscall.SIGCONT) }()
					first = r.containers(r.project)
					if out, err := exec.Command("docker", append(strings.Fields(what), first...)...).CombinedOutput(); err != nil {
						t.Errorf("%v: %s", err, out)
					}
				}
			}, newInDocker...)
			if second := r.containers(r.project); !so.result.OK || so.steps != 0 || len(first) != 1 || len(second) != 1 || first[0] == second[0] {
				t.Errorf("%+v in %v, then %v", so, first, second)
			}
			if text := strings.Join(so.messages, "\n"); strings.Count(text, "The context was lost") != 1 {
				t.Errorf("said %q", text)
			}
		})
	}
}

// When koda is killed, the container lives on, and koda goes on in it.
func TestDockerFault_kodaKilled(t *testing.T) {
	t.Parallel()
	r := newDockerRun(t)
	so, killed := r.try(func(ev koda.Event, koda *os.Process) {
		if done(ev, 2) {
			_ = koda.Kill()
		}
	}, newInDocker...)
	first := r.containers(r.project)
	if !killed || len(first) != 1 {
		t.Fatalf("%+v in %v", so, first)
	}
	so, _ = r.try(nil, "resume", "demo", "--json")
	if second := r.containers(r.project); !so.result.OK || !slices.Equal(first, second) {
		t.Errorf("%+v in %v, then %v", so, first, second)
	}
}

// An engine that stops, or hangs, in the middle of the work ends the command with what to
// do. Nothing is lost: once the engine answers, koda goes on.
func TestDockerFault_engine(t *testing.T) {
	t.Parallel()
	working := func(ev koda.Event) bool { return done(ev, 1) }
	planned := func(ev koda.Event) bool {
		change, ok := ev.Payload.(koda.StateChange)
		return ok && change.Phase == koda.PhasePlan
	}
	hang, wake := func(s *engineSocket) { s.gate.Lock() }, func(s *engineSocket) { s.gate.Unlock() }
	for name, fault := range map[string]struct {
		when       func(koda.Event) bool
		begin, end func(*engineSocket)
	}{
		"stopped":          {working, (*engineSocket).cut, (*engineSocket).mend},
		"hanging":          {working, hang, wake},
		"hanging at first": {planned, hang, wake},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newDockerRun(t)
			begun := false
			so, _ := r.try(func(ev koda.Event, _ *os.Process) {
				if !begun && fault.when(ev) {
					begun = true
					fault.begin(r.engine)
				}
			}, newInDocker...)
			if so.result.ExitCode != 5 || so.result.Error == nil || !strings.Contains(so.result.Error.Hint, "start docker") && !strings.Contains(so.result.Error.Hint, "restart docker") {
				t.Errorf("%+v, %+v", so, so.result.Error)
			}
			if so, _ := r.try(nil, "show", "demo", "--json"); !so.result.OK {
				t.Errorf("show: %+v", so)
			}
			if so, _ := r.try(nil, "new", "ball", "--style", "smooth", "--sandbox", "docker", "--name", "other", "--json"); so.result.ExitCode != 5 {
				t.Errorf("a new project: %+v", so)
			}
			if so, _ := r.try(nil, "gc", "--json"); !so.result.OK || len(so.result.NotDone) != 1 {
				t.Errorf("gc: %+v", so)
			}
			fault.end(r.engine)
			if so, _ := r.try(nil, "resume", "demo", "--json"); !so.result.OK {
				t.Errorf("resume: %+v, %+v", so, so.result.Error)
			}
		})
	}
}
