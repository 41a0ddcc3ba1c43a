package proc_test

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/proc"
)

func TestLives(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells when a process was started")
	}
	me := proc.Started(os.Getpid())
	if me == "" || proc.Started(os.Getpid()) != me {
		t.Errorf("started at %q", me)
	}
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		pid     int
		started string
		want    bool
	}{
		{os.Getpid(), me, true},
		{os.Getpid(), "", true}, // nobody said: rather living
		{os.Getpid(), me + "1", false},
		{ended.Process.Pid, "", false},
		{ended.Process.Pid, "1", false},
		{0, "", false},
	} {
		if got := proc.Lives(test.pid, test.started); got != test.want {
			t.Errorf("Lives(%d, %q) = %v", test.pid, test.started, got)
		}
	}
}

func TestGiven(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells the arguments of a process")
	}
	dir := t.TempDir()
	start := func(args ...string) *exec.Cmd {
		t.Helper()
		// The shell starts no child: a child has the shell's arguments until it
		// becomes another program.
		cmd := exec.Command("sh", append([]string{"-c", "echo; read line"}, args...)...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = in.Close(), cmd.Wait() })
		if _, err := out.Read(make([]byte, 1)); err != nil { // it is running
			t.Fatal(err)
		}
		return cmd
	}
	profile := start("--profile=" + dir)
	start("--profile="+dir+"2", dir, "x --profile="+dir)
	if got := proc.Given([]string{"--other", "--profile=" + dir}); !slices.Equal(got, []int{profile.Process.Pid}) {
		t.Errorf("found %v, want %d", got, profile.Process.Pid)
	}
	if got := proc.Given(nil); got != nil {
		t.Errorf("found %v of nothing", got)
	}
	if err := proc.End(profile.Process.Pid); err != nil {
		t.Error(err)
	}
	_ = profile.Wait()
	if err := proc.End(profile.Process.Pid); err != nil {
		t.Errorf("a process that is gone: %v", err)
	}
}

// The CPU time of a group rises with the work of its processes, and so does the
// time it asks for. For a sleeping group neither rises.
func TestCPUTime(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells how much CPU time a program took")
	}
	start := func(script string) *proc.Process {
		p, err := proc.Start(t.Context(), proc.Spec{Path: "/bin/sh", Args: []string{"-c", script}, Env: os.Environ(), Stdin: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Kill)
		return p
	}
	asleep := start("echo; read x")
	if _, err := asleep.Stdout().Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	p := start("while :; do :; done")
	before, ok := proc.CPUTime(p.PID())
	wanted, told := proc.Demand(p.PID())
	if !ok || !told {
		t.Fatal("no figures for a living group")
	}
	idle := -time.Second
	for now, wants := before, wanted; now <= before || wants < wanted+200*time.Millisecond; { // until the machine gives it CPU time
		if now, ok = proc.CPUTime(p.PID()); !ok {
			t.Fatal("the group is gone")
		}
		if wants, ok = proc.Demand(p.PID()); !ok {
			t.Fatal("the group is gone")
		}
		if idle < 0 { // it may just have been about to read
			idle, _ = proc.Demand(asleep.PID())
		}
	}
	if after, ok := proc.Demand(asleep.PID()); !ok || after-idle > 100*time.Millisecond {
		t.Errorf("%v, %v, asked for by a group that sleeps", after-idle, ok)
	}
	p.Kill()
	if n, ok := proc.CPUTime(p.PID()); ok {
		t.Errorf("%d ticks of a group that is gone", n)
	}
	if n, ok := proc.Demand(p.PID()); ok {
		t.Errorf("%v of a group that is gone", n)
	}
}

// The memory of a process counts towards the memory of its group.
func TestMemory(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells how much memory a program holds")
	}
	p, err := proc.Start(t.Context(), proc.Spec{
		Path: "/bin/sh", Args: []string{"-c", "x=$(head -c 30000000 /dev/zero | tr '\\0' x); echo $$; read y"}, Env: os.Environ(), Stdin: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	if _, err := p.Stdout().Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	members := proc.Members(p.PID())
	if !slices.Contains(members, p.PID()) || slices.Contains(members, os.Getpid()) {
		t.Errorf("the group of %d is %v", p.PID(), members)
	}
	if held, ok := proc.Memory(members); !ok || held < 30_000_000 || held > 300_000_000 {
		t.Errorf("%d bytes, %v, held by a shell that keeps 30 MB", held, ok)
	}
	p.Kill()
	if held, ok := proc.Memory(members); ok {
		t.Errorf("%d bytes of processes that are gone", held)
	}
}

// Programs that read what others wrote get no key of a model service.
func TestEnviron(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "secret")
	t.Setenv("Other_Api_Key", "secret")
	t.Setenv("API_KEYS_OF_NOBODY", "kept")
	for name, env := range map[string][]string{"environment": proc.Environ(), "koda itself": proc.Self("x").Env} {
		if !slices.Contains(env, "API_KEYS_OF_NOBODY=kept") || slices.ContainsFunc(env, func(v string) bool { return strings.HasSuffix(v, "=secret") }) {
			t.Errorf("%s: %q", name, env)
		}
	}
}
