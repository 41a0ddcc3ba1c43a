package docker_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
	"github.com/koda-video/koda/internal/sandbox/sandboxtest"
	"github.com/koda-video/koda/templates"
)

func config(t *testing.T) docker.Config {
	t.Helper()
	return docker.Config{Image: docker.ImageConfig{Name: needs.Docker(t)}, Guest: templates.Guest, Idle: 5 * time.Minute, Life: time.Hour, Now: time.Now}
}

func create(t *testing.T, p *docker.Provider) sandbox.Sandbox {
	t.Helper()
	sb, err := p.Create(t.Context(), sandbox.Options{ProjectID: "p1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sb.Destroy(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return sb
}

func TestDocker_contract(t *testing.T) {
	p := docker.New(config(t))
	sandboxtest.Run(t, func(*testing.T) sandbox.Provider { return p })
}

// What the code in a container may do.
func TestDocker_walls(t *testing.T) {
	sb := create(t, docker.New(config(t)))
	for line, want := range map[string]string{
		"id -u":             "1000\n",
		"ls /sys/class/net": "lo\n",
		"grep -c '^Cap.*0000000000000000' /proc/1/status":  "5\n", // all sets of capabilities
		"grep NoNewPrivs /proc/self/status":                "NoNewPrivs:\t1\n",
		"echo x >/etc/x || echo x >/koda-guest || echo no": "no\n",
		"tr '\\0' ' ' </proc/1/cmdline | cut -c1-17":       "/koda-guest serve\n",
		"cd /tmp && cp /bin/true t && ./t && echo runs":    "runs\n",
		"pwd; echo $HOME": "/home/user/project\n/home/user\n",
	} {
		res, err := sb.Run(t.Context(), sandbox.Command{Line: line})
		if err != nil || res.Stdout != want {
			t.Errorf("%s: %q, %q, %v, want %q", line, res.Stdout, res.Stderr, err, want)
		}
	}
}

// A sandbox that somebody paused does not answer, and can be removed. What is not koda's
// stays, whatever its name.
func TestDocker_removed(t *testing.T) {
	p := docker.New(config(t))
	sb := create(t, p)
	command(t, "pause", sb.ID())
	_, err := p.Connect(t.Context(), sb.ID())
	if koda.CodeOf(err) != koda.CodeProviderError || !strings.Contains(koda.HintOf(err), "docker unpause") {
		t.Errorf("connect: %v", err)
	}
	if all, err := p.All(t.Context()); err != nil || !slices.ContainsFunc(all, func(m sandbox.Meta) bool { return m.ID == sb.ID() }) {
		t.Errorf("a paused sandbox is not listed: %v", err)
	}
	if err := p.Remove(t.Context(), sb.ID()); err != nil {
		t.Fatal(err)
	}
	_, err = p.Connect(t.Context(), sb.ID())
	if koda.CodeOf(err) != koda.CodeSandboxNotFound {
		t.Errorf("connect: %v", err)
	}
	other := "docker-" + strings.ToLower(rand.Text())
	command(t, "create", "--name", other, needs.Docker(t), "true")
	t.Cleanup(func() { command(t, "rm", other) })
	if err := p.Remove(t.Context(), other); err != nil {
		t.Error(err)
	}
}

// A container that somebody started again has lost its files: its sandbox is gone.
func TestDocker_restarted(t *testing.T) {
	p := docker.New(config(t))
	sb := create(t, p)
	if err := sb.WriteFile(t.Context(), "src/a.ts", []byte("a")); err != nil {
		t.Fatal(err)
	}
	command(t, "restart", "-t", "0", sb.ID())
	if _, err := sb.List(t.Context(), ".", true); koda.CodeOf(err) != koda.CodeSandboxNotFound {
		t.Errorf("list: %v", err)
	}
	if _, err := p.Connect(t.Context(), sb.ID()); koda.CodeOf(err) != koda.CodeSandboxNotFound {
		t.Errorf("connect: %v", err)
	}
	if out, err := exec.Command("docker", "inspect", sb.ID()).CombinedOutput(); err == nil {
		t.Errorf("the container is still there: %.300s", out)
	}
}

// A sandbox is outdated when the person changed a setting, not with another koda.
func TestDocker_outdated(t *testing.T) {
	made := config(t)
	sb := create(t, docker.New(made))
	for name, c := range map[string]struct {
		change func(*docker.Config)
		want   bool
	}{
		"as it was":   {func(*docker.Config) {}, false},
		"other files": {func(c *docker.Config) { c.Image.Files = nil }, false},
		"idle time":   {func(c *docker.Config) { c.Idle = time.Hour }, false},
		"environment": {func(c *docker.Config) { c.Image.Env = []string{"A=1"} }, true},
		"network":     {func(c *docker.Config) { c.Open = true }, true},
		"memory":      {func(c *docker.Config) { c.Memory = 1 << 30 }, true},
		"image":       {func(c *docker.Config) { c.Image.Name = "mine" }, true},
	} {
		cfg := made
		c.change(&cfg)
		if old, err := docker.New(cfg).Outdated(t.Context(), sb.ID()); old != c.want || err != nil {
			t.Errorf("%s: %t, %v", name, old, err)
		}
	}
}

// The engine can ask whether the guest answers.
func TestDocker_health(t *testing.T) {
	sb := create(t, docker.New(config(t)))
	out, err := exec.Command("docker", "inspect", "--format", "{{json .Config.Healthcheck.Test}}", sb.ID()).Output()
	var test []string
	if err = errors.Join(err, json.Unmarshal(out, &test)); err != nil || len(test) < 2 {
		t.Fatal(test, err)
	}
	ask := append([]string{"exec", sb.ID()}, test[1:]...)
	command(t, ask...)
	if _, err := sb.Run(t.Context(), sandbox.Command{Line: "chmod 500 ."}); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("docker", ask...).CombinedOutput(); err == nil || !strings.Contains(string(out), "write to the project") {
		t.Errorf("of a project that cannot be written: %s, %v", out, err)
	}
}

// A container has a network only if it is asked for by name.
func TestDocker_open(t *testing.T) {
	cfg := config(t)
	cfg.Open = true
	sb := create(t, docker.New(cfg))
	res, err := sb.Run(t.Context(), sandbox.Command{Line: "ls /sys/class/net"})
	if err != nil || !strings.Contains(res.Stdout, "eth0\n") {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestDocker_all(t *testing.T) {
	p := docker.New(config(t))
	sb := create(t, p)
	all, err := p.All(t.Context())
	i := slices.IndexFunc(all, func(m sandbox.Meta) bool { return m.ID == sb.ID() })
	if err != nil || i < 0 {
		t.Fatalf("%v, %v", all, err)
	}
	host, err := os.Hostname()
	if m := all[i]; err != nil || m.ProjectID != "p1" || m.PID != os.Getpid() || m.Host != host || m.Started == "" || m.Orphan || time.Since(m.Created) > time.Hour {
		t.Errorf("%+v, %v", m, err)
	}
}

// A sandbox ends when nobody touches it, and when its code ends the guest.
func TestDocker_ends(t *testing.T) {
	for name, c := range map[string]struct {
		idle time.Duration
		line string
	}{
		"untouched":          {idle: time.Second},
		"the guest is ended": {line: "kill -TERM 1"},
		"its work is killed": {line: "kill -KILL $PPID"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := config(t)
			if c.idle > 0 {
				cfg.Idle = c.idle
			}
			p := docker.New(cfg)
			sb := create(t, p)
			if c.line != "" {
				_, _ = sb.Run(t.Context(), sandbox.Command{Line: c.line + "; sleep 600"}) // the answer may not come any more
			}
			until(t, "the sandbox ends", func() bool {
				_, err := p.Connect(t.Context(), sb.ID())
				return koda.CodeOf(err) == koda.CodeSandboxNotFound
			})
			if err := sb.WriteFile(t.Context(), "a", nil); koda.CodeOf(err) != koda.CodeSandboxNotFound {
				t.Errorf("write: %v", err)
			}
		})
	}
}

// When koda is killed, its joiners and its commands end. The sandbox and its shells live
// on.
func TestDocker_killed(t *testing.T) {
	if id := os.Getenv("KODA_TEST_ID"); id != "" {
		beKilled(t, id)
		return
	}
	sb := create(t, docker.New(config(t)))
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), exe, "-test.run=^TestDocker_killed$")
	child.Env = append(os.Environ(), "KODA_TEST_ID="+sb.ID())
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "runs\n" {
		t.Fatal(line, err)
	}
	count := func(what string) int {
		t.Helper()
		// The brackets keep the command from finding itself.
		res, err := sb.Run(t.Context(), sandbox.Command{Line: "cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -o '" + what + "' | wc -l"})
		if err != nil {
			t.Fatal(err)
		}
		var n int
		if _, err := fmt.Sscan(res.Stdout, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if joiners, commands := count("[g]uest join"), count("[s]leep 6543"); joiners != 4 || commands != 1 {
		t.Errorf("%d joiners and %d commands before the kill", joiners, commands)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	until(t, "the joiners and the command end", func() bool { return count("[g]uest join") == 2 && count("[s]leep 6543") == 0 })
	sh, err := sb.Shell(t.Context(), "main", sandbox.Size{Columns: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(sh, "echo $WHO; exit\n"); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(sh); err != nil || !strings.Contains(string(text), "\ranna\r\n") {
		t.Errorf("the shell shows %q, %v", text, err)
	}
}

// beKilled is the child of TestDocker_killed.
func beKilled(t *testing.T, id string) {
	t.Helper()
	sb, err := docker.New(config(t)).Connect(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	sh, err := sb.Shell(t.Context(), "main", sandbox.Size{Columns: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(sh, "WHO=anna; echo d''one\n"); err != nil {
		t.Fatal(err)
	}
	for text := ""; !strings.Contains(text, "done"); {
		b := make([]byte, 1024)
		n, err := sh.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		text += string(b[:n])
	}
	_, err = sb.Run(t.Context(), sandbox.Command{Line: "echo runs; exec sleep 6543", Stdout: os.Stdout, Timeout: time.Hour})
	t.Error(err)
}

func TestDocker_impossible(t *testing.T) {
	cfg := config(t)
	cfg.Image.Name = "koda/no-such-image:1"
	p := docker.New(cfg)
	if _, err := p.Create(t.Context(), sandbox.Options{}); koda.CodeOf(err) != koda.CodeTemplateNotFound || koda.HintOf(err) == "" {
		t.Errorf("without the image: %v", err)
	}
	if err := p.Prepare(t.Context(), func(koda.BuildStep) {}); koda.CodeOf(err) != koda.CodeTemplateNotFound || koda.HintOf(err) == "" {
		t.Errorf("prepare without the image: %v", err)
	}
	if err := p.Ping(t.Context()); err != nil {
		t.Errorf("ping without the image: %v", err)
	}
	cfg = config(t)
	cfg.Guest = func(string) ([]byte, bool) { return nil, false }
	p = docker.New(cfg)
	_, err := p.Create(t.Context(), sandbox.Options{})
	for what, err := range map[string]error{"create": err, "ping": p.Ping(t.Context())} {
		if koda.CodeOf(err) != koda.CodeProviderError || !strings.Contains(koda.HintOf(err), "make build") {
			t.Errorf("%s without a guest: %v", what, errors.Join(err))
		}
	}
}

// until waits until look reports true, for something that happens in a container.
func until(t *testing.T, what string, look func() bool) {
	t.Helper()
	again := time.NewTicker(50 * time.Millisecond)
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
