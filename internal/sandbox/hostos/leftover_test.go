package hostos_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// New removes what dead processes of this machine left, and nothing else.
func TestSweep(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	h := hostos.New(root)
	mine, err := h.MkdirTemp("mine")
	if err != nil {
		t.Fatal(err)
	}
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	dead := ended.Process.Pid
	machine := strings.Split(filepath.Base(mine), "-")[2]
	left := []string{fmt.Sprintf("koda-%d-%s-browser-1", dead, machine), fmt.Sprintf("koda-%d.77-%s-browser-1", dead, machine)}
	kept := []string{
		filepath.Base(mine), fmt.Sprintf("koda-%d-000000-browser-1", dead), fmt.Sprintf("koda-x-%s-a", machine),
		fmt.Sprintf("other-%d-%s-a", dead, machine), "koda", fmt.Sprintf("koda-%d", dead),
		fmt.Sprintf("koda-%d-%s-a", os.Getpid(), machine), // the name does not say when its koda was started
	}
	if runtime.GOOS == "linux" {
		// Of a dead koda, whose id this process got later.
		left = append(left, fmt.Sprintf("koda-%d.1-%s-browser-1", os.Getpid(), machine))
	}
	for _, name := range slices.Concat(left, kept) {
		if err := os.MkdirAll(filepath.Join(root, name, "deep"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	linked := fmt.Sprintf("koda-%d-%s-linked", dead, machine)
	kept = append(kept, linked)
	if err := os.Symlink(t.TempDir(), filepath.Join(root, linked)); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		others := fmt.Sprintf("koda-%d-%s-others", dead, machine)
		kept = append(kept, others)
		if err := os.MkdirAll(filepath.Join(root, others), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(filepath.Join(root, others), 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	found := hostos.Left(root)
	var names []string
	for _, dir := range found.Dirs {
		names = append(names, filepath.Base(dir))
	}
	slices.Sort(left)
	if diff := cmp.Diff(left, names); diff != "" || len(found.Browsers) != 0 {
		t.Errorf("found (-want +got):\n%s%v", diff, found.Browsers)
	}
	link := filepath.Join(t.TempDir(), "tmp")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	if l := hostos.Sweep(link); len(l.Dirs) != 0 {
		t.Errorf("through a link: %q", l.Dirs)
	}
	hostos.New(root)
	for _, name := range left {
		if _, err := os.Stat(filepath.Join(root, name)); !os.IsNotExist(err) {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range kept {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A browser that outlived its koda is ended and its profile removed. A process that
// only looks like such a browser lives on.
func TestSweep_Browser(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells the arguments of a process")
	}
	root := t.TempDir()
	h := hostos.New(root)
	mine, err := h.MkdirTemp("browser")
	if err != nil {
		t.Fatal(err)
	}
	machine := strings.Split(filepath.Base(mine), "-")[2]
	orphaned := filepath.Join(root, fmt.Sprintf("koda-%d.1-%s-browser-1", os.Getpid(), machine))
	if err := os.Mkdir(orphaned, 0o700); err != nil {
		t.Fatal(err)
	}
	start := func(profile string) *exec.Cmd {
		t.Helper()
		// The shell waits by itself: a child of the shell would carry the shell's
		// arguments for a moment.
		cmd := exec.Command("sh", "-c", "echo; read line", "--user-data-dir="+profile)
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
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	living, orphan := start(mine), start(orphaned)
	l := hostos.Sweep(root)
	if diff := cmp.Diff([]int{orphan.Process.Pid}, l.Browsers); diff != "" {
		t.Errorf("browsers (-want +got):\n%s", diff)
	}
	_ = orphan.Wait()
	if got := orphan.ProcessState.String(); got != "signal: killed" {
		t.Errorf("the orphan: %s", got)
	}
	if err := living.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the process that only looks like a browser: %v", err)
	}
}
