package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// terminal is koda in a real terminal, driven through tmux: what a person sees
// is read off the screen, what they type are keys.
type terminal struct {
	t      *testing.T
	socket string
	home   string
	from   int // the line of the screen the last types was on
}

// openTerminal starts a shell in dir, 100 columns by 40 lines, in which koda is
// this test binary.
func openTerminal(t *testing.T, dir string) *terminal {
	t.Helper()
	needs(t, "tmux", "sudo apt-get install tmux")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	bin := filepath.Join(home, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\n%s=1 exec %s \"$@\"\n", asKoda, self)
	if err := os.WriteFile(filepath.Join(bin, "koda"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	tm := &terminal{t: t, socket: filepath.Join(home, "tmux"), home: home}
	tm.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", "-c", dir,
		"env", "-u", "NO_COLOR", "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+home, "KODA_HOME="+filepath.Join(home, "koda"), "LANG=C.UTF-8", "PS1=$ ", "sh")
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", tm.socket, "kill-server").Run() }) //nolint:errcheck // it may have ended
	return tm
}

func (tm *terminal) tmux(args ...string) string {
	tm.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", tm.socket}, args...)...).CombinedOutput()
	if err != nil {
		tm.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return string(out)
}

// lines are what was printed so far, what scrolled away too.
func (tm *terminal) lines() []string {
	tm.t.Helper()
	return strings.Split(strings.TrimRight(tm.tmux("capture-pane", "-p", "-J", "-S", "-"), "\n"), "\n")
}

// sees waits until what was printed since the last line was typed matches, and
// returns the match.
func (tm *terminal) sees(pattern string) string {
	tm.t.Helper()
	want := regexp.MustCompile("(?m)" + pattern)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	end := time.After(4 * time.Minute)
	for {
		lines := tm.lines()
		if found := want.FindString(strings.Join(lines[min(tm.from, len(lines)):], "\n")); found != "" {
			return found
		}
		select {
		case <-tick.C:
		case <-end:
			tm.t.Fatalf("the screen never showed %s:\n%s", pattern, strings.Join(tm.lines(), "\n"))
		}
	}
}

// types types a line.
func (tm *terminal) types(line string) {
	tm.t.Helper()
	tm.from = len(tm.lines())
	tm.tmux("send-keys", "-l", line)
	tm.tmux("send-keys", "Enter")
}

// key presses a key, such as C-c.
func (tm *terminal) key(name string) {
	tm.t.Helper()
	tm.tmux("send-keys", name)
}

// runs types a command after whose end its exit status stands on the screen.
func (tm *terminal) runs(command string) {
	tm.t.Helper()
	tm.types(command + "; echo status=$?.")
}

// TestTerminal: the whole way at a terminal, with a change of the plan, a
// change of the video, and an interruption.
func TestTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openTerminal(t, dir)

	tm.runs(`koda new "bouncing ball, 2 seconds" --name demo`)
	tm.sees(`1-\d, or in your own words\?`)
	tm.types("9")
	tm.sees(`1-\d, or in your own words\?`)
	tm.types("1")
	tm.sees(`Plan: 2 s at 60 fps`)
	tm.sees(`accept, change WHAT, or reject WHY\?`)
	tm.types("accept")
	tm.sees(`preview: .*/demo/previews/demo-v1\.mp4`)
	tm.sees(`accept, change WHAT, or quit\?`)
	tm.types("change make the ball blue")
	tm.sees(`preview: .*/demo/previews/demo-v2\.mp4`)
	tm.sees(`accept, change WHAT, or quit\?`)
	tm.types("quit")
	tm.sees(`go on with:\n  koda accept demo`)
	tm.sees(`status=3\.`)

	tm.runs("koda accept demo")
	tm.sees(`final .*/120 frames`)
	tm.key("C-c")
	tm.sees(`koda: interrupted`)
	tm.sees(`koda resume demo`)
	tm.sees(`status=130\.`)
	if left := processesOf(tm.home); len(left) > 1 { // the terminal itself
		t.Errorf("left behind:\n%s", strings.Join(left, "\n"))
	}
	tm.runs("koda resume demo")
	tm.sees(`^.*/demo/renders/demo-v2\.mp4$`)
	tm.sees(`status=0\.`)
	if _, err := os.Stat(filepath.Join(dir, "demo", "renders", "demo-v2.mp4")); err != nil {
		t.Error(err)
	}
}
