package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// TestTerminal_killed kills koda with SIGKILL in every phase of a conversation at a
// terminal. Each time `koda resume` asks the same question again, or goes on with
// the work, until the video is finished.
func TestTerminal_killed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openTerminal(t, dir, 100)
	const question, plan, preview = `1-\d, or in your own words\?`, `accept, change WHAT, or reject WHY\?`, `accept, change WHAT, or quit\?`
	tm.runs(`koda new "bouncing ball, 2 seconds" --preset square --name demo`)
	for _, step := range []struct{ sees, types, then string }{
		{sees: question, types: "1", then: plan},
		{sees: plan, types: "accept", then: `✓ Set up`},
		{sees: `✓ Create Scene 1`}, // in the middle of the todos
		{sees: `preview.*/30 frames`},
		{sees: preview, types: "accept", then: `final.*/60 frames`},
	} {
		tm.sees(step.sees)
		tm.kill()
		tm.runs("koda resume demo")
		if step.types != "" {
			tm.sees(step.sees)
			tm.types(step.types)
			tm.sees(step.then)
		}
	}
	tm.kill() // in the middle of the final video
	tm.runs("koda resume demo")
	tm.sees(`^.*/demo/renders/demo-v1-square\.mp4$`)
	tm.sees(`status=0\.`)

	data, err := os.ReadFile(filepath.Join(dir, "demo", ".koda", "state.json"))
	if err != nil {
		t.Fatal(err)
	}
	var state koda.StateFile
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	video, err := os.ReadFile(filepath.Join(dir, "demo", "renders", "demo-v1-square.mp4"))
	if out := state.NodeState.Output; err != nil || out == nil || out.Frames != 60 || out.SHA256 != digestOf(video) {
		t.Errorf("the video has SHA-256 %.12s, %v; state.json tells %+v", digestOf(video), err, out)
	}
	if state.Version != 1 {
		t.Errorf("there are %d versions, want 1", state.Version)
	}
}

// kill kills the koda of this terminal with SIGKILL and waits for the end of all
// processes it had started.
func (tm *terminal) kill() {
	tm.t.Helper()
	pid := 0
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for range 400 {
		if pid = tm.koda(); pid != 0 {
			break
		}
		<-tick.C
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); pid == 0 || err != nil {
		tm.t.Fatalf("kill koda (process %d): %v\n%s", pid, err, strings.Join(tm.lines(), "\n"))
	}
	tm.sees(`status=137\.`)
	for range 400 {
		if len(processesOf(tm.home)) <= 1 { // the terminal itself
			return
		}
		<-tick.C
	}
	tm.t.Errorf("left behind:\n%s", strings.Join(processesOf(tm.home), "\n"))
}

// koda is the process id of the koda that runs in this terminal; 0 when none runs.
func (tm *terminal) koda() int {
	paths, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		tm.t.Fatal(err)
	}
	for _, path := range paths {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(env, []byte("KODA_HOME="+tm.home)) || !bytes.Contains(env, []byte(asKoda+"=1")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			return pid
		}
	}
	return 0
}
