package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestStudio_Versions makes two versions in the studio, compares them as pictures and as
// files, goes back to the older, forks it, and deletes the fork.
func TestStudio_Versions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openShell(t, dir, 100, "")
	tm.types("export COLORTERM=truecolor TERM=xterm-256color")
	tm.runs("koda new 'bouncing ball, 2 seconds, playful' --name ball")
	tm.screen(`Plan: 2 s`)
	tm.keys("Enter")
	tm.screen(`space play`)
	tm.keys("M-x")
	tm.screen(`v1 was made from no other version`)
	tm.write("make the ball blue")
	tm.keys("Enter")
	tm.screen(`ball v2`)
	tm.screen(`space play`)

	// The preview, compared with the version before.
	tm.keys("M-x")
	tm.screen(`^ *v1 ─+┼─+ v2`)
	tm.keys("M-x")
	tm.screen(`v1 → v2: what differs is lit`)

	// The tree, with the words of the person; what differs, as text and as pictures.
	tm.keys("M-v")
	tm.screen(`→ ● v2  .*make the ball blue`)
	tm.screen(`○ v1  bouncing ball`)
	tm.screen(`▀▀▀▀`)
	tm.keys("Down", "d")
	tm.screen(`v1 to v2: \d files? differs?`)
	tm.screen(`^ \+ .*2463eb`)
	tm.keys("p")
	tm.screen(`^ *v1 ─+┼─+ v2`)
	tm.keys("Escape")
	tm.screen(`→ ○ v1`)
	tm.keys("Enter")
	tm.screen(`ball v1`)
	tm.screen(`space play`)

	// A fork needs a name that is free.
	tm.keys("M-v")
	tm.screen(`→ ● v1`)
	tm.keys("f")
	tm.write("ball")
	tm.screen(`│ ball`)
	tm.keys("Enter")
	tm.screen(`choose another name`)
	tm.screen(`│ ball`)
	tm.write("2")
	tm.screen(`│ ball2`)
	tm.keys("Enter")
	tm.screen(`ball2 v1`)
	tm.screen(`space play`)
	tm.keys("C-s")
	tm.screen(`→ ball2`)
	tm.screen(`0:02`)
	tm.keys("C-d")
	tm.screen(`Delete ball2\?`)
	tm.keys("y")
	tm.screen(`Deleted ball2`)
	tm.keys("Escape")
	tm.sees(`status=0\.`)
	if _, err := os.Stat(filepath.Join(dir, "ball2")); !os.IsNotExist(err) {
		t.Errorf("the fork is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ball", "previews", "ball-v2.mp4")); err != nil {
		t.Error(err)
	}
}
