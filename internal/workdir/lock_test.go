package workdir_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv("WORKDIR_CHILD"); mode != "" {
		if err := child(mode, os.Getenv("WORKDIR_DIR")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// start re-executes the test binary; its input ends with cleanup.
func start(t testing.TB, mode, dir, failAt string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WORKDIR_CHILD="+mode, "WORKDIR_DIR="+dir, "KODA_FAILPOINT="+failAt)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

func TestStorage_Lock(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	release, err := s.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Lock(dir)
	wantCode(t, err, koda.CodeInUse, fmt.Sprintf("by koda 1.2.3, process %d on %s since %s", os.Getpid(), host, t0.Local().Format("2006-01-02 15:04:05")))
	checkpoint(t, s, dir, 1, 0, files{})
	if _, err := storage().ReadState(dir); err != nil {
		t.Errorf("a reader waits for the owner: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Errorf("released twice: %v", err)
	}
	release, err = s.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	_, err = s.Lock(t.TempDir())
	wantCode(t, err, koda.CodeNotFound, "no koda project")
}

// TestStorage_Lock_OwnerDies kills an owner in another process.
func TestStorage_Lock_OwnerDies(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	cmd := start(t, "lock", dir, "")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "locked\n" {
		t.Fatalf("child says %q, %v", line, err)
	}
	_, err = s.Lock(dir)
	wantCode(t, err, koda.CodeInUse, fmt.Sprintf("kill %d", cmd.Process.Pid))
	write(t, dir, files{
		".koda/.state.json.123.tmp": "half", "src/.App.tsx.9.tmp": "half", "renders/.ball.mp4.77.tmp": "half",
		"src/.notes.tmp": "the person's", ".git/.x.1.tmp": "git's",
	})
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	release, err := s.Lock(dir)
	if err != nil {
		t.Fatalf("a dead owner still owns: %v", err)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	equal(t, "after the dead owner", files{"src/.notes.tmp": "the person's", ".git/.x.1.tmp": "git's", ".koda/lock": ""}, onDisk(t, dir))
}

// TestStorage_Lock_Race lets many processes want one project.
func TestStorage_Lock_Race(t *testing.T) {
	t.Parallel()
	_, dir := project(t)
	log := filepath.Join(dir, "log")
	write(t, dir, files{"log": ""})
	var cmds []*exec.Cmd
	for range 4 {
		cmd := start(t, "race", dir, "")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	// Every owner appends "in" and "out"; two at once would interleave.
	if got := strings.ReplaceAll(string(data), "in out ", ""); got != "" || len(data) != 4*10*len("in out ") {
		t.Errorf("owners came and went as %q", data)
	}
}
