package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestStudio_Keys does at a terminal what needs one: an editor, ctrl+z, what was typed in
// an earlier run, a long paste, the clipboard.
func TestStudio_Keys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openShell(t, dir, 100, "")
	// The editor shows that it runs, and waits for what to write. The keys that interrupt
	// are for it.
	editor := filepath.Join(tm.home, "editor")
	script := "#!/bin/sh\ntrap 'echo interrupted' INT\ncat \"$2\"\necho editing\nuntil read line; do :; done\necho \"$line\" > \"$2\"\n"
	if err := os.WriteFile(editor, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	tm.types("export COLORTERM=truecolor TERM=xterm-256color VISUAL=" + editor + "\\ -w")

	tm.runs(`koda new 'title "Hello" 2 s, smooth'`)
	tm.screen(`Plan: 2 s`)

	// The plan goes to the editor; what was changed there is a change of the plan.
	tm.keys("C-o")
	tm.screen(`^duration: 2 s`)
	tm.screen(`^editing`)
	tm.keys("C-c")
	tm.screen(`interrupted`)
	tm.types("duration: 3")
	tm.screen(`Plan: 3 s`)

	// So does a line.
	tm.write("a blue one")
	tm.keys("C-o")
	tm.screen(`^a blue one`)
	tm.types("4 s")
	tm.screen(`│ 4 s`)
	tm.keys("Enter")
	tm.screen(`Plan: 4 s`)

	tm.write("5 s")
	tm.keys("C-j")
	tm.write("blue")
	tm.keys("Enter")
	tm.screen(`Plan: 5 s`)

	// Back to the shell, and back to the same screen, mouse and all.
	tm.keys("C-z")
	tm.sees(`Stopped`)
	tm.types("fg")
	tm.screen(`Plan: 5 s`)
	for _, flag := range []string{"#{mouse_button_flag}", "#{alternate_on}"} {
		if got := tm.tmux("display-message", "-p", flag); got != "1\n" {
			t.Errorf("%s is %s", flag, got)
		}
	}

	// A word is obeyed, and the palette finds things.
	tm.write("help")
	tm.keys("Enter")
	tm.screen(`On this screen`)
	tm.keys("C-p")
	tm.write("newv")
	tm.screen(`→ new video`)
	tm.keys("Enter")
	tm.screen(`A new video`)

	// What was typed is there again, in the next run, too.
	tm.keys("Up")
	tm.screen(`│ blue`)
	tm.keys("C-c")
	tm.sees(`go on with:`)
	tm.runs("koda new")
	tm.screen(`A new video`)
	tm.keys("Up")
	tm.screen(`│ 5 s`)
	tm.screen(`│ blue`)
	tm.keys("Up", "Up")
	tm.screen(`│ 4 s`)
	tm.keys("Up", "Up")
	tm.screen(`│ title "Hello" 2 s, smooth`)

	// A long paste is shown as a summary, which is one piece.
	tm.keys("C-u")
	file := filepath.Join(dir, "long")
	text := ""
	for range 84 {
		text += "a line of a long text\n"
	}
	if err := os.WriteFile(file, []byte(text+"the end"), 0o644); err != nil {
		t.Fatal(err)
	}
	tm.tmux("load-buffer", file)
	tm.tmux("paste-buffer", "-p")
	tm.screen(`│ \[85 lines pasted\]`)
	tm.keys("BSpace")
	tm.screen(`│ What should the video show`)
	tm.keys("C-c")
	tm.sees(`status=0\.`)
}

// TestStudio_Copy: the path of a preview gets to the clipboard of the terminal.
func TestStudio_Copy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openShell(t, dir, 100, "")
	tm.tmux("set-option", "-g", "set-clipboard", "on")
	tm.types("export TERM=xterm-256color")
	tm.runs(`koda new 'title "Hello" 1 s, smooth' --name copied`)
	tm.screen(`Plan: 1 s`)
	tm.keys("Enter")
	tm.screen(`space play`)
	tm.keys("M-y")
	tm.screen(`Copied`)
	want := filepath.Join(dir, "copied", "previews", "copied-v1.mp4")
	if got := tm.tmux("show-buffer"); got != want {
		t.Errorf("the clipboard holds %q, not %q", got, want)
	}
	tm.keys("C-c")
	tm.sees(`status=3\.`)
}
