package workdir_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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
	if err := s.Announce(dir, "/run/p.sock"); err != nil {
		t.Fatal(err)
	}
	var said struct {
		PID    int
		Socket string
	}
	if data, err := os.ReadFile(filepath.Join(dir, ".koda", "lock")); err != nil || json.Unmarshal(data, &said) != nil || said.PID != os.Getpid() || said.Socket != "/run/p.sock" {
		t.Errorf("the lock says %s", data)
	}
	_, err = s.Lock(dir)
	wantCode(t, err, koda.CodeInUse, "process")
	if want := "koda cancel " + filepath.Base(dir); !strings.Contains(koda.HintOf(err), want) {
		t.Errorf("the hint is %q, want %q", koda.HintOf(err), want)
	}
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
	wantCode(t, err, koda.CodeNotFound, "not a koda project")
}

// TestStorage_Lock_OwnerDies kills an owner in another process.
func TestStorage_Lock_OwnerDies(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	cmd := start(t, "lock", dir, "")
	if _, err := cmd.StdinPipe(); err != nil { // which it waits at
		t.Fatal(err)
	}
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
	equal(t, "after the dead owner", files{"src/.notes.tmp": "the person's", ".git/.x.1.tmp": "git's", ".koda/lock": "", ".koda/.gitignore": "*\n"}, onDisk(t, dir))
}

// TestStorage_Lock_Race lets many processes lock one project, by Lock and by Hold
// in turn. Only one owns the project at a time.
func TestStorage_Lock_Race(t *testing.T) {
	t.Parallel()
	const racers = 20
	_, dir := project(t)
	log := filepath.Join(dir, "log")
	write(t, dir, files{"log": ""})
	var cmds []*exec.Cmd
	for range racers {
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
	// Every owner appends "in" and "out"; two owners at once would interleave.
	if got := strings.ReplaceAll(string(data), "in out ", ""); got != "" || len(data) != racers*5*len("in out ") {
		t.Errorf("owners came and went as %q", data)
	}
}

// TestStorage_Hold: Lock waits for the end of a Hold, and a Hold does not count as
// using the project.
func TestStorage_Hold(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	if s.InUse(dir) || s.InUse(t.TempDir()) {
		t.Error("in use by nobody")
	}
	cmd := start(t, "hold", dir, "")
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
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "holding\n" {
		t.Fatalf("child says %q, %v", line, err)
	}
	if s.InUse(dir) {
		t.Error("in use during a Hold")
	}
	type outcome struct {
		release func() error
		err     error
	}
	locked := make(chan outcome, 1)
	go func() {
		release, err := s.Lock(dir)
		locked <- outcome{release, err}
	}()
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	got := <-locked
	if got.err != nil {
		t.Fatalf("after the owner of a moment: %v", got.err)
	}
	if !s.InUse(dir) || !storage().InUse(dir) {
		t.Error("not in use by its owner")
	}
	if err := got.release(); err != nil || s.InUse(dir) {
		t.Errorf("in use by nobody, %v", err)
	}
	// The signature of a killed owner does not count.
	for _, sign := range []string{
		fmt.Sprintf(`{"pid": %d, "started": "1", "host": %q}`, os.Getpid(), hostname(t)), `{"pid": 0}`, `half`,
	} {
		write(t, dir, files{".koda/lock": sign})
		if s.InUse(dir) && runtime.GOOS == "linux" {
			t.Errorf("in use by %s", sign)
		}
	}
	write(t, dir, files{".koda/lock": `{"pid": 1, "host": "elsewhere"}`})
	if !s.InUse(dir) {
		t.Error("not in use by the owner on another machine")
	}
}

func hostname(t *testing.T) string {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return host
}
