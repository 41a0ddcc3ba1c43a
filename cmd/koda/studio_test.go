package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// screen waits until the screen matches: the studio paints it as a whole.
func (tm *terminal) screen(pattern string) string {
	tm.t.Helper()
	tm.from = 0
	return tm.sees(pattern)
}

// TestStudio goes the whole way in the studio at a terminal, is killed in the middle, and
// goes on by koda resume.
func TestStudio(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openShell(t, dir, 100, "")
	tm.types("export COLORTERM=truecolor TERM=xterm-256color")

	tm.runs("koda")
	tm.screen(`A new video`)
	tm.keys("Escape")
	tm.screen(`There is no project yet`)
	tm.keys("Enter")
	tm.screen(`A new video`)
	tm.write("bouncing ball, 2 seconds")
	tm.screen(`│ bouncing ball, 2 seconds`)
	tm.keys("Enter")
	tm.screen(`What style should`)
	tm.keys("Down")
	tm.screen(`→ 2  Smooth`)
	tm.keys("Up", "Enter")
	tm.screen(`Plan: 2 s at 60 fps`)
	tm.write("4 bounces")
	tm.keys("Enter")
	tm.screen(`bounces 4`)
	tm.write("3 bounces")
	tm.keys("Enter")
	tm.screen(`bounces 3`)
	tm.keys("M-u")
	tm.screen(`bounces 4`)
	tm.keys("M-u")
	tm.screen(`bounces once`)
	tm.keys("M-u")
	tm.screen(`→ 1  Playful`)
	tm.keys("C-y")
	tm.screen(`bounces once`)
	tm.keys("C-y")
	tm.screen(`bounces 4`)
	tm.tmux("resize-window", "-x", "60", "-y", "24")
	tm.screen(`Plan: 2 s`)
	tm.tmux("resize-window", "-x", "100", "-y", "40")
	tm.keys("Enter")
	tm.screen(`Render preview`)

	// A kill in the middle loses nothing.
	shell := strings.TrimSpace(tm.tmux("display-message", "-p", "#{pane_pid}"))
	if out, err := exec.Command("pkill", "-9", "-P", shell).CombinedOutput(); err != nil {
		t.Fatalf("kill: %v: %s", err, out)
	}
	tm.sees(`status=137\.`)
	tm.types("reset")
	tm.runs("koda resume")
	tm.screen(`space play`)
	tm.write("make the ball blue")
	tm.keys("Enter")
	tm.screen(`bouncing-ball v2`)
	tm.screen(`space play`)
	tm.keys("M-f")
	tm.screen(`1920 × 1080`)
	tm.keys("Escape")
	tm.screen(`space play`)
	tm.keys("Enter")
	tm.screen(`now at 0:0`) // a glimpse of the render
	tm.screen(`1920x1080, 60 fps, 2 s, .*, made in .* s, v2`)
	tm.keys("M-p")
	tm.screen(`Which video next\?`)
	tm.keys("Up", "Up", "Down", "Down", "Down", "Down", "Down", "Down")
	tm.screen(`→ gif +480x270, 20 fps, gif`)
	tm.keys("Enter")
	tm.screen(`renders/bouncing-ball-gif\.gif`)
	tm.write("quit")
	tm.keys("Enter")
	tm.sees(`^.*/bouncing-ball/renders/bouncing-ball-v2\.mp4$`)
	tm.sees(`status=0\.`)
	if _, err := os.Stat(filepath.Join(dir, "bouncing-ball", "renders", "bouncing-ball-v2.mp4")); err != nil {
		t.Error(err)
	}

	// Leaving while something waits says how to go on, with the status of the plain lines.
	tm.runs(`koda new 'title "Hello" 2 s, smooth'`)
	tm.screen(`Plan: 2 s`)
	tm.keys("C-c")
	tm.sees(`go on with:`)
	tm.sees(`status=3\.`)
	tm.runs(`ACCESSIBLE=1 koda new 'title "Hello" 2 s, smooth'`) // in lines
	tm.sees(`accept, change WHAT, or reject WHY`)
	tm.types("quit")
	tm.sees(`status=3\.`)
	tm.runs(`koda new 'title "Hello" 2 s, smooth' --plan-only | cat`)
	tm.sees(`(?m)^Plan: 2 s`)
}

// TestStudio_Beside: while a koda in a script renders a finished project, the studio that shows the
// project follows the render, keeps what is typed, and comes back to life at its end.
func TestStudio_Beside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openShell(t, dir, 100, "")
	tm.runs(`koda new 'title "Hello" 2 s, smooth' --name hello --yes --plain --quiet`)
	tm.sees(`status=0\.`)
	tm.runs("koda studio hello")
	tm.screen(`The video is ready`)
	tm.write("make it")
	beside := exec.Command(filepath.Join(tm.home, "bin", "koda"), "render", "hello", "--preset", "gif")
	beside.Dir = dir
	beside.Env = append(os.Environ(), "HOME="+tm.home, "KODA_HOME="+filepath.Join(tm.home, "koda"), "XDG_CONFIG_HOME="+tm.home)
	if err := beside.Start(); err != nil {
		t.Fatal(err)
	}
	tm.screen(`Another koda works on this project`)
	tm.screen(`final .*/\d+ frames`)
	tm.screen(`│ make it`)
	if err := beside.Wait(); err != nil {
		t.Fatal(err)
	}
	tm.screen(`hello-gif\.gif`)
	tm.screen(`│ make it`)
	tm.write(" blue")
	tm.keys("Enter")
	tm.screen(`Change: make it blue`)
	tm.keys("C-c")
	tm.screen(`The work was interrupted`)
	tm.keys("C-c")
	tm.sees(`koda resume hello`)
}
