package graphics_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/tui/graphics"
)

// TestProbe_Tmux asks a terminal through a real tmux. The terminal is one that answers
// as kitty does.
func TestProbe_Tmux(t *testing.T) {
	t.Parallel()
	needs.Program(t, "tmux", "sudo apt-get install tmux")
	for passing, want := range map[string]found{
		"on":  {Caps: graphics.Caps{Mode: graphics.Kitty, Blocks: true, Tmux: true}, Reply: ok + isKitty + plain, Intact: true},
		"off": {Caps: graphics.Caps{Mode: graphics.HalfBlocks, Blocks: true, Tmux: true}, Err: "ask the terminal: no answer in time", Intact: true},
	} {
		t.Run(passing, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			limit := "20s"
			if passing == "off" {
				limit = "10ms"
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			settings := filepath.Join(dir, "tmux.conf")
			if err := os.WriteFile(settings, []byte("set -g allow-passthrough "+passing+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(dir, "found")
			cmd := exec.CommandContext(t.Context(), "tmux", "-S", filepath.Join(dir, "socket"), "-f", settings, "new-session",
				"env", asProgram+"="+limit, asProgram+"_TO="+to, "COLORTERM=truecolor", "KITTY_WINDOW_ID=1",
				"sh", "-c", `read line; echo ready; read line; exec "$0"`, self) // while tmux draws all anew, it passes nothing on
			cmd.Env = []string{"TERM=xterm-256color", "LC_CTYPE=C.UTF-8", "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "SHELL=/bin/sh"}
			terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
			if err != nil {
				t.Fatal(err)
			}
			defer terminal.Close() //nolint:errcheck // tmux ends before
			likeKitty(terminal)
			if err := cmd.Wait(); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(to)
			if err != nil {
				t.Fatal(err)
			}
			var got found
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// likeKitty answers questions as kitty does, until the program in the terminal ends. It
// presses Enter when tmux has its own answers, and when it shows the word ready.
func likeKitty(terminal *os.File) {
	answers := map[string]string{drawing: ok, name: isKitty + "\r", attributes: plain, "\x1b[>c": "\x1b[>1;4000;43c", "ready": "\r"}
	var asked string
	b := make([]byte, 1)
	for {
		if _, err := terminal.Read(b); err != nil {
			return
		}
		asked += string(b)
		for question, answer := range answers {
			if !strings.HasSuffix(asked, question) {
				continue
			}
			if _, err := fmt.Fprint(terminal, answer); err != nil {
				return
			}
			answers[question] = strings.TrimSuffix(answer, "\r")
		}
	}
}
