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
	"unicode/utf8"

	"github.com/koda-video/koda/internal/needs"
)

// terminal is koda in a real terminal, driven through tmux: tests read the screen
// as a person does, and type keys.
type terminal struct {
	t      *testing.T
	socket string
	home   string
	from   int // the line of the screen on which the last call of types typed
}

// openTerminal starts a shell in dir, with the given columns and 40 lines. In this
// shell koda is the test binary, and talks in lines.
func openTerminal(t *testing.T, dir string, columns int) *terminal {
	t.Helper()
	return openShell(t, dir, columns, "--plain")
}

// openShell is openTerminal with flags for every koda.
func openShell(t *testing.T, dir string, columns int, flags string) *terminal {
	t.Helper()
	needs.Program(t, "tmux", "sudo apt-get install tmux")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	bin := filepath.Join(home, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\n%s=1 exec %s %s \"$@\"\n", asKoda, self, flags)
	if err := os.WriteFile(filepath.Join(bin, "koda"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	tm := &terminal{t: t, socket: filepath.Join(home, "tmux"), home: home}
	tm.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(columns), "-y", "40", "-c", dir,
		"env", "-u", "NO_COLOR", "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+home, "KODA_HOME="+filepath.Join(home, "koda"), "XDG_CONFIG_HOME="+home, "LANG=C.UTF-8", "PS1=$ ", "HISTFILE=",
		"bash", "--norc", "--noprofile") // a shell that repairs the terminal after a kill, like the shells that people use
	shell := strings.TrimSpace(tm.tmux("display-message", "-p", "#{pane_pid}"))
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", tm.socket, "kill-server").Run() //nolint:errcheck // it may have ended
		awaitSession(t, shell)
	})
	return tm
}

// awaitSession waits until all processes of a session have ended: a koda that was hung up may still write to its home.
func awaitSession(t *testing.T, id string) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	end := time.After(time.Minute)
	for {
		left, _ := exec.Command("ps", "-o", "pid=,args=", "-s", id).Output() //nolint:errcheck // status 1: there is none
		if len(strings.TrimSpace(string(left))) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			t.Errorf("still there: %s", left)
			return
		}
	}
}

func (tm *terminal) tmux(args ...string) string {
	tm.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", tm.socket}, args...)...).CombinedOutput()
	if err != nil {
		tm.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return string(out)
}

// lines are all printed lines, including lines that scrolled away.
func (tm *terminal) lines() []string {
	tm.t.Helper()
	return strings.Split(strings.TrimRight(tm.tmux("capture-pane", "-p", "-J", "-S", "-"), "\n"), "\n")
}

// sees waits until the output since the last typed line matches, and returns the
// match.
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

// write types text into the line.
func (tm *terminal) write(text string) {
	tm.t.Helper()
	tm.tmux("send-keys", "-l", text)
}

// keys presses keys, such as C-c.
func (tm *terminal) keys(names ...string) {
	tm.t.Helper()
	tm.tmux(append([]string{"send-keys"}, names...)...)
}

// cursor waits until the cursor stands in a column.
func (tm *terminal) cursor(column int) {
	tm.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	end := time.After(time.Minute)
	for {
		at := strings.TrimSpace(tm.tmux("display-message", "-p", "#{cursor_x}"))
		if at == fmt.Sprint(column) {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			tm.t.Fatalf("the cursor is in column %s, not %d", at, column)
		}
	}
}

// runs types a command that prints its exit status on the screen at its end.
func (tm *terminal) runs(command string) {
	tm.t.Helper()
	tm.types(command + "; echo status=$?.")
}

// TestTerminal goes the whole way at a terminal, with a change of the plan, a
// change of the video and an interruption.
func TestTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openTerminal(t, dir, 100)

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
	tm.keys("C-c")
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

// TestTerminal_Mistyping: after a slip koda tells the person what they can type, at
// any width, and no line of koda is broken within a word.
func TestTerminal_Mistyping(t *testing.T) {
	t.Parallel()
	for _, columns := range []int{40, 80, 120} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			t.Parallel()
			tm := openTerminal(t, t.TempDir(), columns)
			tm.runs(`koda new "bouncing ball, 2 seconds" --name demo`)
			tm.sees(`own words\?\n>`)
			tm.types("9")
			tm.sees(`use 1 to 3`)
			tm.types("help")
			tm.sees(`a number +the answer`)
			tm.types("1")
			tm.sees(`reject WHY\?\n>`)
			tm.types("hlep")
			tm.sees(`or did you mean help\?`)
			tm.types("")
			tm.sees(`nothing was said`)
			tm.types("undo") // to the question
			tm.sees(`own words\?\n>`)
			tm.types("undo")
			tm.sees(`nothing can be undone`)
			tm.types("redo")
			tm.sees(`reject WHY\?\n>`)
			tm.types("redo")
			tm.sees(`nothing can be redone`)
			tm.types("bigger")
			tm.sees(`(?s)Plan: .*reject WHY\?\n>`)
			tm.types("show")
			tm.sees(`(?s)phase +plan.*reject WHY\?\n>`)
			tm.keys("C-d")
			tm.sees(`status=3\.`)
			for _, line := range tm.lines() {
				whole := regexp.MustCompile(`^  koda |^directory|status=`).MatchString(line) // a command or a path, to be copied
				if !whole && utf8.RuneCountInString(strings.TrimRight(line, " ")) > columns {
					t.Errorf("a line is broken where the terminal ends: %q", line)
				}
			}
		})
	}
}

// TestTerminal_Editing: a line is edited as in a shell, with the lines of earlier
// runs at hand. Nobody else can read those lines, and they hold no secret.
func TestTerminal_Editing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openTerminal(t, dir, 60)
	kept := filepath.Join(tm.home, "koda", "typed")
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		t.Fatal(err)
	}
	planted := "a line of old\nan evil \x1b]0;owned\x07one\nbroken \xff\n"
	if err := os.WriteFile(kept, []byte(planted), 0o600); err != nil {
		t.Fatal(err)
	}
	tm.runs(`koda new "bouncing ball, 2 seconds" --name demo --style playful`)
	tm.sees(`reject WHY\?\n>`)
	tm.keys("Up")
	tm.sees(`^> a line of old *$`)
	tm.keys("C-u")
	tm.sees(`^> *$`)

	// Wide characters are as wide as they are drawn.
	tm.write("漢字 bouncesx 4")
	tm.keys("Left", "Left", "BSpace", "Home", "Right", "Right", "C-u", "Delete")
	tm.sees(`^> bounces 4 *$`)
	tm.keys("C-a", "Right")
	tm.cursor(3)
	tm.keys("C-e", "C-w")
	tm.write("5")
	tm.sees(`^> bounces 5 *$`)

	// Lines longer than the terminal can be edited too, also after the terminal is
	// resized.
	tm.keys("C-u")
	tm.write("5 bounces " + strings.Repeat("and 漢字漢字漢字 more ", 6))
	tm.sees(`more *$`)
	tm.tmux("resize-window", "-x", "44", "-y", "40")
	tm.keys("C-u")
	tm.sees(`^> *$`)
	tm.write("bigger")
	tm.sees(`^> bigger *$`)
	tm.keys("C-c")
	tm.sees(`koda: interrupted\n  hint: go on with: koda resume demo\nstatus=130\.`)

	tm.runs("koda resume demo")
	tm.sees(`reject WHY\?\n>`)
	for _, line := range []string{"bigger", " my own secret", "sk-ant-api03-Zm9vYmFyMTIzNDU2", "ok then"} {
		tm.types(line)
		tm.sees(`reject WHY\?\n>`)
	}
	tm.keys("Up", "Up")
	tm.sees(`^> bigger *$`)
	tm.keys("C-u", "C-d")
	tm.sees(`status=3\.`)
	data, err := os.ReadFile(kept)
	if want := "a line of old\nbigger\nok then\n"; err != nil || string(data) != want {
		t.Errorf("kept %q, %v; want %q", data, err, want)
	}
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("kept with mode %v, %v", info.Mode(), err)
	}

	// Afterwards the terminal is as it was. A terminal without any abilities is
	// enough.
	tm.runs("stty -a")
	tm.sees(` icanon`)
	tm.sees(`^echo |[ ;]echo `)
	tm.runs("TERM=dumb koda resume demo")
	tm.sees(`reject WHY\?\n>`)
	tm.types("quit")
	tm.sees(`status=3\.`)
}
