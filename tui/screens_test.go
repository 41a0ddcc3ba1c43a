package tui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// TestScreens compares every screen at three widths with its golden file.
func TestScreens(t *testing.T) {
	t.Parallel()
	busy := planned()
	busy.Busy, busy.Waiting = true, tui.ForRetry
	busy.State.Execution = &koda.Execution{Todos: todos, Thinking: "writing src/theatre/state.json"}
	screens := []struct {
		name   string
		cfg    tui.Config
		next   tui.Standing
		keys   []string
		lack   tui.Machine
		events []koda.Event
	}{
		{name: "first", lack: lacks},
		{name: "projects"},
		{name: "brief", cfg: tui.Config{Begin: true}, keys: []string{"bouncing ball"}},
		{name: "form", cfg: tui.Config{Begin: true}, keys: []string{"bouncing ball", "tab", "tab", "right"}},
		{name: "list", cfg: tui.Config{Begin: true}, keys: []string{"bouncing ball", "tab", "tab", "enter", "down"}},
		{name: "files", cfg: tui.Config{Begin: true}, keys: []string{"bars of @", "s"}},
		{name: "question", cfg: tui.Config{Project: "p1"}, next: asking(), keys: []string{"down"}},
		{name: "own words", cfg: tui.Config{Project: "p1"}, next: asking(), keys: []string{"like a cartoon"}},
		{name: "plan", cfg: tui.Config{Project: "p1"}, next: planned()},
		{name: "long plan", cfg: tui.Config{Project: "p1"}, next: longPlan(), keys: []string{"down", "down", "down"}},
		{name: "reject", cfg: tui.Config{Project: "p1"}, next: planned(), keys: []string{"r", "too plain"}},
		{name: "work", cfg: tui.Config{Project: "p1"}, next: busy},
		{name: "work told", cfg: tui.Config{Project: "p1"}, next: busy, events: (&desk{t: t, now: now}).eventsOf(numbered()...)},
		{name: "preview", cfg: tui.Config{Project: "p1"}, next: previewed()},
		{name: "complete", cfg: tui.Config{Project: "p1"}, next: complete()},
		{name: "presets", cfg: tui.Config{Project: "p1"}, next: complete(), keys: []string{"p", "down"}},
		{name: "error", cfg: tui.Config{Project: "p1"}, next: failed()},
		{name: "keys", cfg: tui.Config{Project: "p1"}, next: previewed(), keys: []string{"?"}},
		{name: "keys while typing", cfg: tui.Config{Begin: true}, keys: []string{"what is this?", "f1", "down"}},
		{name: "palette", cfg: tui.Config{Project: "p1"}, next: previewed(), keys: []string{"ctrl+p", "down"}},
		{name: "palette, filtered", cfg: tui.Config{Project: "p1"}, next: planned(), keys: []string{"ctrl+p", "und"}},
		{name: "palette, nothing", cfg: tui.Config{Begin: true}, keys: []string{"ctrl+p", "xyz"}},
		{name: "project", cfg: tui.Config{Project: "p1"}, next: complete(), keys: []string{"ctrl+p", "about", "enter"}},
		{name: "work, folded", cfg: tui.Config{Project: "p1"}, next: busy, keys: []string{"ctrl+t"}},
		{name: "versions", cfg: tui.Config{Project: "p1"}, next: fourth(), keys: []string{"v", "down"}},
		{name: "fork", cfg: tui.Config{Project: "p1"}, next: fourth(), keys: []string{"v", "f", "green"}},
		{name: "diff", cfg: tui.Config{Project: "p1"}, next: fourth(), keys: []string{"v", "down", "d"}},
		{name: "delete", keys: []string{"ctrl+d"}},
		{name: "details", cfg: tui.Config{Project: "p1"}, next: failed(), keys: []string{"d"}},
	}
	var b strings.Builder
	for _, sc := range screens {
		for _, width := range []int{40, 80, 140} {
			of := form()
			s := &script{fields: of.fields, files: of.files, machine: sc.lack, all: []koda.Project{project, {ID: "p2", Name: "誕生日おめでとう", Phase: koda.PhaseComplete, Prompt: "greeting", UpdatedAt: now}}, next: sc.next, events: sc.events, past: past, differs: differs}
			d := newDesk(t, s, theme.Options{UTF8: true}, sc.cfg)
			d.size(width, 22)
			d.sees()
			d.keys(sc.keys...)
			d.sees()
			fmt.Fprintf(&b, "=== %s, %d columns\n%s\n", sc.name, width, strings.TrimRight(strings.Join(trimmed(d.m.View()), "\n"), "\n"))
		}
	}
	golden := filepath.Join("testdata", "screens.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", golden, diff)
	}
}

func trimmed(view string) []string {
	lines := strings.Split(ansi.Strip(view), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
