package docker_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
)

const armed = "ATTACK=/tmp/attack; "

// small is a provider of sandboxes with little memory and disk.
func small(t *testing.T) *docker.Provider {
	t.Helper()
	cfg := config(t)
	cfg.Memory, cfg.Scratch = 512<<20, 64<<20
	return docker.New(cfg)
}

// says runs a command and returns all it wrote.
func says(t *testing.T, sb sandbox.Sandbox, line string) string {
	t.Helper()
	res, err := sb.Run(t.Context(), sandbox.Command{Line: armed + line})
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
	return strings.TrimSpace(res.Stdout + res.Stderr)
}

// Code in a sandbox uses up what it can. The sandbox says so and works on.
func TestDockerExhaustion(t *testing.T) {
	programs := attackers(t)
	for _, c := range []struct {
		name, line string
		says       string    // part of what the command writes
		code       koda.Code // of the command's error
		after      string    // a command that works afterwards
	}{
		{name: "memory", line: "$ATTACK eat-memory", code: koda.CodeOutOfMemory},
		{name: "memory of a child", line: "$ATTACK eat-memory; exit 3", code: koda.CodeOutOfMemory},
		{name: "the project's directory", line: "head -c 2G /dev/zero >big", says: "No space left", after: "rm big"},
		{name: "files of the project", line: "$ATTACK eat-inodes .", says: "no space left", after: "find . -name '[0-9]*' -delete"},
		{name: "home", line: "head -c 2G /dev/zero >~/big", says: "No space left"},
		{name: "shared memory", line: "head -c 2G /dev/zero >/dev/shm/big", says: "No space left"},
		{name: "the guest's directory", line: "head -c 2M /dev/zero >/run/koda/big", says: "No space left"},
		{name: "files of the guest's directory", line: "$ATTACK eat-inodes /run/koda", says: "no space left"},
		{name: "descriptors", line: "ulimit -n 1000; $ATTACK eat-files", says: "too many open files"},
		{name: "disk", line: "cat /dev/zero >/tmp/big", code: koda.CodeDiskFull, after: "rm /tmp/big && head -c 40M /dev/zero >/tmp/more"},
		{name: "disk, in many files", line: "$ATTACK eat-inodes /tmp", code: koda.CodeDiskFull, after: "find /tmp -name '[0-9]*' -delete"},
		{name: "disk, in a file without a name", line: "$ATTACK eat-disk-unseen /tmp", code: koda.CodeDiskFull},
		{name: "disk, in a directory that cannot be read", line: "mkdir /tmp/d; cd /tmp/d; chmod 0 .; exec cat /dev/zero >/tmp/d/x", says: "denied"},
		{name: "disk, in a locked directory", line: "mkdir /tmp/d; exec 5>/tmp/d/x; chmod 0 /tmp/d; cat /dev/zero >&5", code: koda.CodeDiskFull},
		{name: "disk, too deep for a path", line: "$ATTACK eat-disk-deep /tmp", code: koda.CodeDiskFull},
		{name: "disk, by a process that left its command", line: "setsid sh -c 'cat /dev/zero >/tmp/big' & sleep 60", code: koda.CodeDiskFull},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sb := create(t, small(t))
			arm(t, sb, programs)
			res, err := sb.Run(t.Context(), sandbox.Command{Line: armed + c.line, Timeout: time.Minute})
			if out := res.Stdout + res.Stderr; koda.CodeOf(err) != c.code || !strings.Contains(out, c.says) {
				t.Errorf("it says %.300q, %v, want %q and %s", out, err, c.says, c.code)
			}
			if c.after != "" {
				if res, err := sb.Run(t.Context(), sandbox.Command{Line: c.after}); err != nil || res.ExitCode != 0 {
					t.Errorf("afterwards: %+v, %v", res, err)
				}
			}
			if got := says(t, sb, "echo works"); got != "works" {
				t.Errorf("afterwards it says %q", got)
			}
		})
	}
}

// Without bounds of memory a project may have 1 GB. A full project is DISK_FULL for koda,
// too, and what cannot be saved is said.
func TestDockerRoom(t *testing.T) {
	if got := says(t, create(t, docker.New(config(t))), "df -B1 --output=size . | tail -1"); got != "1073741824" {
		t.Errorf("the project's directory has %s bytes", got)
	}
	sb := create(t, small(t))
	says(t, sb, "head -c 2G /dev/zero >big")
	if err := sb.WriteFile(t.Context(), "src/a.ts", make([]byte, 1<<20)); koda.CodeOf(err) != koda.CodeDiskFull {
		t.Errorf("write: %v", err)
	}
	says(t, sb, "rm big; truncate -s 199M sparse{1..5000}")
	_, err := sandbox.Get(t.Context(), sb, nil, sandbox.Limits{Files: 100, File: 200 << 20, Total: 1 << 30})
	if koda.CodeOf(err) != koda.CodeReadFailed {
		t.Errorf("files that are large only by their holes: %v", err)
	}
}

// What runs when the disk is full says why it ends.
func TestDockerDiskFull(t *testing.T) {
	sb := create(t, small(t))
	bg, err := sb.Run(t.Context(), sandbox.Command{Line: "sleep 600", Background: true})
	if err != nil {
		t.Fatal(err)
	}
	sh, err := sb.Shell(t.Context(), "main", sandbox.Size{Columns: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(sh, "cat /dev/zero >/tmp/big\n"); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(sh); err != nil || !strings.Contains(string(text), "MB of disk") {
		t.Errorf("the shell shows %q, %v", text, err)
	}
	all, err := sb.Processes(t.Context())
	if err != nil || len(all) != 1 || all[0].PID != bg.PID || all[0].Running || !strings.Contains(all[0].Output, "MB of disk") {
		t.Errorf("%+v, %v", all, err)
	}
}

// Whatever a fork bomb does, koda gets an answer or gives up when it is told to, and can
// remove the sandbox.
func TestDockerForkBomb(t *testing.T) {
	p := small(t)
	sb := create(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err := sb.Run(ctx, sandbox.Command{Line: "bomb() { bomb | bomb & }; bomb; sleep 1", Timeout: 5 * time.Second})
	t.Logf("the bomb: %v", err)
	if err := sb.Destroy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Connect(t.Context(), sb.ID()); koda.CodeOf(err) != koda.CodeSandboxNotFound {
		t.Errorf("connect: %v", err)
	}
}

// Code holds on to life: it ends with the sandbox, and the sandbox with its lease.
func TestDockerOutlive(t *testing.T) {
	programs := attackers(t)
	t.Run("the sandbox's end", func(t *testing.T) {
		sb := create(t, small(t))
		arm(t, sb, programs)
		says(t, sb, "$ATTACK outlive "+sb.ID()+"; (setsid nohup $ATTACK outlive "+sb.ID()+" >/dev/null 2>&1); kill -STOP $(pgrep sleep) 2>/dev/null; true")
		until(t, "they live", func() bool { return living(t, sb.ID()) >= 2 })
		if err := sb.Destroy(t.Context()); err != nil {
			t.Fatal(err)
		}
		until(t, "they end", func() bool { return living(t, sb.ID()) == 0 })
	})
	t.Run("the lease", func(t *testing.T) {
		cfg := config(t)
		cfg.Idle, cfg.Life = 5*time.Second, 12*time.Second
		p := docker.New(cfg)
		sb := create(t, p)
		arm(t, sb, programs)
		_, err := sb.Run(t.Context(), sandbox.Command{Line: armed + "trap '' TERM; $ATTACK touch & $ATTACK outlive " + sb.ID() + "; sleep 600", Timeout: time.Hour})
		if err == nil {
			t.Error("the command ended")
		}
		until(t, "the sandbox ends", func() bool {
			_, err := p.Connect(t.Context(), sb.ID())
			return koda.CodeOf(err) == koda.CodeSandboxNotFound && living(t, sb.ID()) == 0
		})
	})
}

// living counts the processes of this machine that were started with a word, but for those
// that name it as the sandbox's id.
func living(t *testing.T, word string) int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range files {
		if line, err := os.ReadFile(f); err == nil && strings.HasSuffix(string(line), word+"\x00") {
			n++
		}
	}
	return n
}

// Code attacks the guest itself. Koda gets an answer, or an error with a hint, and the
// sandbox works on.
func TestDockerGuest(t *testing.T) {
	programs := attackers(t)
	const joiners = "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline | grep -q '^/koda-guest join' && kill -%s ${p#/proc/}; done 2>/dev/null"
	for name, line := range map[string]string{
		"init is killed":         "kill -KILL 1; kill -STOP 1",
		"the guest is stopped":   "kill -STOP $PPID",
		"joiners are killed":     fmt.Sprintf(joiners, "KILL"),
		"joiners are stopped":    fmt.Sprintf(joiners, "STOP"),
		"init is slowed":         "renice -n 19 1 $PPID; chrt -i -p 0 1; taskset -p 1 1",
		"init's limits":          "prlimit --pid 1 --nofile=3:3; prlimit --pid $PPID --fsize=0:0; true",
		"the socket is moved":    "mv /run/koda/guest.sock /run/koda/x; sleep 0.1; mv /run/koda/x /run/koda/guest.sock",
		"the project is removed": "rm -rf ~/project ~/.[a-z]*; mkdir -p ~/project",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := small(t)
			sb := create(t, p)
			_, _ = sb.Run(t.Context(), sandbox.Command{Line: line}) // its answer may be lost
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			until(t, "the sandbox answers again", func() bool {
				again, err := p.Connect(ctx, sb.ID())
				if err != nil && koda.CodeOf(err) != koda.CodeProviderError {
					t.Fatal(err)
				}
				return err == nil && again.WriteFile(ctx, "a", nil) == nil && sb.Touch(ctx) == nil
			})
		})
	}
	t.Run("an impostor", func(t *testing.T) {
		t.Parallel()
		p := small(t)
		sb := create(t, p)
		arm(t, sb, programs)
		if _, err := sb.Run(t.Context(), sandbox.Command{Line: "/tmp/attack impostor", Background: true}); err != nil {
			t.Fatal(err)
		}
		until(t, "the impostor listens", func() bool {
			all, err := sb.Processes(t.Context())
			return err == nil && strings.Contains(all[0].Output, "listens")
		})
		if _, err := p.Connect(t.Context(), sb.ID()); koda.CodeOf(err) != koda.CodeProviderError || koda.HintOf(err) == "" || len(err.Error()) > 500 {
			t.Errorf("connect: %v", err)
		}
	})
}

// The volumes of a sandbox have its label, and end with it.
func TestDockerVolumes(t *testing.T) {
	sb := create(t, small(t))
	volumes := func() int {
		out, err := exec.CommandContext(t.Context(), "docker", "volume", "ls", "--format", "{{.Labels}}").Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(out), sb.ID())
	}
	if n := volumes(); n != 2 {
		t.Errorf("%d volumes have the label", n)
	}
	if err := sb.Destroy(t.Context()); err != nil {
		t.Fatal(err)
	}
	until(t, "the volumes end", func() bool { return volumes() == 0 })
}
