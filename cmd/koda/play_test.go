package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTerminal_Play: a terminal plays the preview in place, shows one frame of it, and
// is as it was afterwards.
func TestTerminal_Play(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openTerminal(t, dir, 100)
	tm.types("export COLORTERM=truecolor TERM=xterm-256color")
	tm.runs(`koda new "bouncing ball, 3 seconds" --name demo --style playful < /dev/null; koda accept demo < /dev/null`)
	tm.sees(`status=3\.`)

	tm.runs("koda play demo")
	tm.sees(`▀{60,}\n0:00\.\d / 0:03\.0 · `)
	tm.sees(`0:02\.9 / 0:03\.0 · .*\n.*/demo/previews/demo-v1\.mp4\nstatus=0\.`)
	pictures := 0
	for _, line := range tm.lines()[tm.from:] {
		if strings.HasPrefix(line, "0:0") {
			pictures++
		}
	}
	if pictures != 1 {
		t.Errorf("%d pictures are on the screen:\n%s", pictures, strings.Join(tm.lines(), "\n"))
	}

	// A key ends it, also ctrl-C, and is not typed into the shell.
	tm.runs("koda play demo")
	tm.sees(`0:0[01]\.\d / 0:03\.0`)
	tm.keys("q")
	tm.sees(`/demo/previews/demo-v1\.mp4\nstatus=0\.\n\$ *$`)
	tm.runs("koda play demo")
	tm.sees(`0:0[01]\.\d / 0:03\.0`)
	tm.keys("C-c")
	tm.sees(`/demo/previews/demo-v1\.mp4\nstatus=0\.`)
	tm.runs("stty -a")
	tm.sees(` icanon`)
	tm.sees(`^echo |[ ;]echo `)

	tm.runs("koda show demo --frame 2")
	tm.sees(`▀{60,}\n0:02\.0 / 0:03\.0 · .*\nstatus=0\.`)
	tm.runs("koda show demo --frame 2 | cat")
	tm.sees(`(?s)hint: koda still demo --at 2 .*status=0\.`)
	if err := os.Remove(filepath.Join(dir, "demo", "previews", "demo-v1.strip")); err != nil {
		t.Fatal(err)
	}
	tm.runs("koda play demo")
	tm.sees(`(?s)hint: draw the preview again: koda render demo --preset preview.*status=10\.`)
	tm.runs("TERM=xterm COLORTERM= koda play demo")
	tm.sees(`this terminal shows no pictures.*\n(.*\n)*.*/demo/previews/demo-v1\.mp4\nstatus=0\.`)
}
