package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/needs"
)

// TestDocker_shell: a person has a shell in the container of a project, in a real
// terminal, with full-screen programs, ctrl-c and resizing, and what they change is theirs.
func TestDocker_shell(t *testing.T) {
	t.Parallel()
	base, dir := needs.Docker(t), t.TempDir()
	tm := openTerminal(t, dir, 110)
	tm.types("export SANDBOX_PROVIDER=docker KODA_SANDBOX_MAX=none KODA_SANDBOX_BASE=" + base)
	tm.runs(`koda new "bouncing ball" --style smooth --plan-only --quiet`)
	tm.sees(`status=0\.`)

	tm.types("before=$(stty -g); koda shell bouncing-ball; echo status=$?.")
	tm.sees(`\$ *$`)
	tm.types("pwd; id -u; stty size")
	tm.sees(`^/home/user/project$`)
	tm.sees(`^1000$`)
	tm.sees(`^40 110$`)
	tm.tmux("resize-window", "-x", "90", "-y", "30")
	tm.types(`until [ "$(stty size)" = "30 90" ]; do sleep 0.1; done; echo resi''zed`)
	tm.sees(`^resized$`)
	tm.types("echo be''gun; sleep 600")
	tm.sees(`^begun$`)
	tm.keys("C-c")
	tm.types("echo al''ive")
	tm.sees(`^alive$`)
	tm.types("top -d 0.5; echo en''ded") // it takes the whole screen
	tm.from = 0
	tm.sees(`^ +PID +USER`)
	tm.sees(`koda-guest`)
	tm.keys("q")
	tm.sees(`^ended$`) // top throws away what is typed while it ends
	tm.types("vim src/App.tsx; echo vim en''ded")
	tm.from = 0
	tm.sees(`^~ *$`)
	tm.tmux("resize-window", "-x", "100", "-y", "35")
	tm.keys("G", "o")
	tm.write("// of Vim")
	tm.keys("Left", "Left", "Left")
	tm.write("my ")
	tm.sees(`^// of my Vim`) // with ctrl-c Vim forgets the keys that it has not come to
	tm.keys("C-c")
	tm.sees(`^ {20,}\d+,\d+ +All`) // and leaves the mode of inserting
	tm.write(":x")
	tm.keys("Enter")
	tm.sees(`^vim ended$`)
	tm.types("echo '// my''line' >>src/App.tsx; echo no >dist.txt; exit 7")
	tm.sees(`^status=7\.`)
	tm.types(`[ "$(stty -g)" = "$before" ] && echo as it w''as`)
	tm.sees(`^as it was$`)
	app, err := os.ReadFile(filepath.Join(dir, "bouncing-ball", "src", "App.tsx"))
	if err != nil || !strings.HasSuffix(string(app), "// of my Vim\n// myline\n") {
		t.Errorf("saved: %q, %v", app, err)
	}

	tm.runs(`koda shell bouncing-ball -- 'tail -n 1 src/App.tsx; echo n''o >&2; exit 3' 2>err`)
	tm.sees(`^// myline$`)
	tm.sees(`status=3\.`)
	tm.runs("koda shell bouncing-ball -- printf '%s|' 'a b' '$HOME'; cat err")
	tm.sees(`^a b\|\$HOME\|no$`)
	tm.runs("koda sandbox ls")
	tm.sees(`status=0\.`)

	// A shell that is ended from outside leaves the terminal as it was.
	tm.types("koda shell bouncing-ball; echo status=$?.")
	tm.sees(`\$ *$`)
	tm.types("echo in''side; top")
	tm.from = 0
	tm.sees(`^ +PID +USER`)
	tm.ends(syscall.SIGTERM)
	tm.sees(`status=130\.`)
	tm.types(`[ "$(stty -g)" = "$before" ] && echo still as it w''as`)
	tm.from = 0 // the screen is as before the shell, with lines below the cursor
	tm.sees(`^still as it was`)

	// What a killed shell left is in the directory with the next command.
	tm.types("koda shell bouncing-ball; echo status=$?.")
	tm.sees(`\$ *$`)
	tm.types("echo late >src/late.txt; echo wro''te")
	tm.sees(`^wrote$`)
	tm.ends(syscall.SIGKILL)
	tm.sees(`status=137\.`)
	tm.types("reset")
	tm.runs("koda show bouncing-ball --quiet; cat bouncing-ball/src/late.txt")
	tm.from = 0
	tm.sees(`^late$`)
	tm.runs(`koda shell bouncing-ball -- 'echo again >src/late.txt; echo x >left.csv' </dev/null; cat bouncing-ball/src/late.txt`)
	tm.sees(`warning: not kept in the project: left\.csv`)
	tm.sees(`^again$`)
	tm.runs("koda sandbox rm $(koda doctor bouncing-ball | grep -o 'docker-[0-9a-z]*')") // it outlives its koda
	tm.sees(`^removed docker-`)
}

// ends sends a signal to the program that runs in the terminal.
func (tm *terminal) ends(sig syscall.Signal) {
	tm.t.Helper()
	shell := strings.TrimSpace(tm.tmux("list-panes", "-F", "#{pane_pid}"))
	children, err := os.ReadFile(filepath.Join("/proc", shell, "task", shell, "children"))
	if err != nil {
		tm.t.Fatal(err)
	}
	for _, child := range strings.Fields(string(children)) {
		pid, err := strconv.Atoi(child)
		if err == nil {
			err = syscall.Kill(pid, sig)
		}
		if err != nil {
			tm.t.Error(err)
		}
	}
}
