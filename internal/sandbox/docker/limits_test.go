package docker_test

import (
	"context"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
)

// A sandbox has the memory, the CPUs, the processes and the room that it was given. What it
// writes into memory leaves memory for programs.
func TestDocker_limits(t *testing.T) {
	cfg := config(t)
	cfg.Memory, cfg.CPUs = 96<<20, 0.5
	sb := create(t, docker.New(cfg))
	for line, want := range map[string]string{
		"cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null":  "100663296\n",
		"cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu/cpu.cfs_quota_us 2>/dev/null | cut -c1-5": "50000\n",
		"cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2>/dev/null":                   "4096\n",
		"df -k --output=size /dev/shm | tail -1 | tr -d ' '":                                     "6144\n",
		"df -k --output=size . | tail -1 | tr -d ' '":                                            "49152\n",
		"echo $LANG": "C.UTF-8\n",
	} {
		res, err := sb.Run(t.Context(), sandbox.Command{Line: line})
		if err != nil || res.Stdout != want {
			t.Errorf("%s: %q, %q, %v, want %q", line, res.Stdout, res.Stderr, err, want)
		}
	}
}

// An engine takes neither fewer CPUs than it can share out nor more than its machine has.
func TestDocker_cpus(t *testing.T) {
	for _, cpus := range []float64{0.0001, 100_000} {
		cfg := config(t)
		cfg.CPUs = cpus
		create(t, docker.New(cfg))
	}
}

// A command that takes too much memory is killed; the sandbox with its files lives on.
func TestDocker_outOfMemory(t *testing.T) {
	cfg := config(t)
	cfg.Memory = 96 << 20
	sb := create(t, docker.New(cfg))
	if err := sb.WriteFile(t.Context(), "a.txt", []byte("a")); err != nil {
		t.Fatal(err)
	}
	res, err := sb.Run(t.Context(), sandbox.Command{Line: "head -c 300000000 /dev/zero | tail -c 299999999 >/dev/null; echo $?"})
	if err != nil || strings.TrimSpace(res.Stdout) != "137" {
		t.Errorf("%+v, %v", res, err)
	}
	if data, err := sb.ReadFile(t.Context(), "a.txt"); string(data) != "a" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}

// There are no more sandboxes than there may be.
func TestDocker_quota(t *testing.T) {
	cfg := config(t)
	create(t, docker.New(cfg))
	cfg.Most = 1
	_, err := docker.New(cfg).Create(t.Context(), sandbox.Options{ProjectID: "p1"})
	if koda.CodeOf(err) != koda.CodeQuotaExceeded || !strings.Contains(koda.HintOf(err), "koda gc") {
		t.Errorf("%v (%s)", err, koda.HintOf(err))
	}
}

// A guest of another program is not taken for koda's own: the image was tampered with, or
// another koda made it.
func TestDocker_otherGuest(t *testing.T) {
	sb := create(t, docker.New(config(t)))
	if _, err := docker.Greet(t.Context(), sb.ID(), "another digest"); koda.CodeOf(err) != koda.CodeProviderError || !strings.Contains(koda.HintOf(err), "koda sandbox rm "+sb.ID()) {
		t.Errorf("%v (%s)", err, koda.HintOf(err))
	}
}

// The person's environment is in the sandbox, stronger than koda's own.
func TestDocker_environment(t *testing.T) {
	_, c, _ := built(t)
	cfg := config(t)
	cfg.Image = c
	cfg.Image.Env = []string{"GREETING=hello", "LANG=de_DE.UTF-8"}
	p := docker.New(cfg)
	if err := p.Prepare(t.Context(), func(koda.BuildStep) {}); err != nil {
		t.Fatal(err)
	}
	e := open(t, cfg.Image)
	image, err := e.Image(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Remove(context.WithoutCancel(t.Context()), image.Tag); err != nil {
			t.Error(err)
		}
	})
	sb := create(t, p)
	if res, err := sb.Run(t.Context(), sandbox.Command{Line: "echo $GREETING $LANG $HOME"}); err != nil || res.Stdout != "hello de_DE.UTF-8 /home/user\n" {
		t.Errorf("%+v, %v", res, err)
	}
}
