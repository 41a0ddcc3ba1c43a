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

// shown is a screen as a test brings it about.
type shown struct {
	name   string
	asks   string // what the person sees of it in the smallest window
	cfg    tui.Config
	next   tui.Standing
	keys   []string
	lack   tui.Machine
	events []koda.Event
}

// desk is the desk on which the screen is shown.
func (sc shown) desk(t *testing.T, width, height int) *desk {
	t.Helper()
	of := form()
	s := &script{fields: of.fields, files: of.files, machine: sc.lack, all: []koda.Project{project, {ID: "p2", Name: "誕生日おめでとう", Phase: koda.PhaseComplete, Prompt: "greeting", UpdatedAt: now}}, next: sc.next, events: sc.events, past: past, differs: differs}
	d := newDesk(t, s, theme.Options{UTF8: true}, sc.cfg)
	d.size(width, height)
	d.sees()
	for _, key := range sc.keys {
		d.keys(key)
		d.sees()
	}
	return d
}

func screens(t *testing.T) []shown {
	t.Helper()
	busy := planned()
	busy.Busy, busy.Waiting = true, tui.ForRetry
	busy.State.Execution = &koda.Execution{Todos: todos, Thinking: "writing src/theatre/state.json"}
	return []shown{
		{name: "first", asks: "browser", lack: lacks},
		{name: "projects", asks: "bounci"},
		{name: "brief", asks: "bouncing ball", cfg: tui.Config{Begin: true}, keys: []string{"bouncing ball"}},
		{name: "form", asks: "recipe", cfg: tui.Config{Begin: true}, keys: []string{"bouncing ball", "tab", "tab", "right"}},
		{name: "list", asks: "bars", cfg: tui.Config{Begin: true}, keys: []string{"bouncing ball", "tab", "tab", "enter", "down"}},
		{name: "files", asks: "sales", cfg: tui.Config{Begin: true}, keys: []string{"bars of @", "s"}},
		{name: "question", asks: "Smooth", cfg: tui.Config{Project: "p1"}, next: asking(), keys: []string{"down"}},
		{name: "own words", asks: "like a cartoon", cfg: tui.Config{Project: "p1"}, next: asking(), keys: []string{"like a cartoon"}},
		{name: "plan", asks: "Plan: 5 s", cfg: tui.Config{Project: "p1"}, next: planned()},
		{name: "long plan", asks: "Not used", cfg: tui.Config{Project: "p1"}, next: longPlan(), keys: []string{"down", "down", "down"}},
		{name: "reject", asks: "too plain", cfg: tui.Config{Project: "p1"}, next: planned(), keys: []string{"alt+r", "too plain"}},
		{name: "work", asks: "Render preview", cfg: tui.Config{Project: "p1"}, next: busy},
		{name: "work told", asks: "make it b", cfg: tui.Config{Project: "p1"}, next: busy, events: (&desk{t: t, now: now}).eventsOf(numbered()...)},
		{name: "preview", asks: "0:00 / 0:05", cfg: tui.Config{Project: "p1"}, next: previewed()},
		{name: "complete", asks: "ready", cfg: tui.Config{Project: "p1"}, next: complete()},
		{name: "presets", asks: "reels", cfg: tui.Config{Project: "p1"}, next: complete(), keys: []string{"alt+p", "down"}},
		{name: "error", asks: "do     koda doctor", cfg: tui.Config{Project: "p1"}, next: failed()},
		{name: "keys", asks: "Keys", cfg: tui.Config{Project: "p1"}, next: previewed(), keys: []string{"?"}},
		{name: "keys while typing", asks: "Keys", cfg: tui.Config{Begin: true}, keys: []string{"what is this?", "f1", "down"}},
		{name: "palette", asks: "What to do", cfg: tui.Config{Project: "p1"}, next: previewed(), keys: []string{"ctrl+p", "down"}},
		{name: "palette, filtered", asks: "undo", cfg: tui.Config{Project: "p1"}, next: planned(), keys: []string{"ctrl+p", "und"}},
		{name: "palette, nothing", asks: "Nothing", cfg: tui.Config{Begin: true}, keys: []string{"ctrl+p", "xyz"}},
		{name: "project", asks: "name", cfg: tui.Config{Project: "p1"}, next: complete(), keys: []string{"ctrl+p", "about", "enter"}},
		{name: "work, folded", asks: "writing src", cfg: tui.Config{Project: "p1"}, next: busy, keys: []string{"ctrl+t"}},
		{name: "versions", asks: "v3", cfg: tui.Config{Project: "p1"}, next: fourth(), keys: []string{"alt+v", "down"}},
		{name: "fork", asks: "green", cfg: tui.Config{Project: "p1"}, next: fourth(), keys: []string{"alt+v", "f", "green"}},
		{name: "diff", asks: "v3", cfg: tui.Config{Project: "p1"}, next: fourth(), keys: []string{"alt+v", "down", "d"}},
		{name: "delete", asks: "Delete", keys: []string{"ctrl+d"}},
		{name: "details", asks: "broke", cfg: tui.Config{Project: "p1"}, next: failed(), keys: []string{"alt+d"}},
	}
}

// TestScreens compares every screen at three widths with its golden file.
func TestScreens(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, sc := range screens(t) {
		for _, width := range []int{40, 80, 140} {
			d := sc.desk(t, width, 22)
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

// TestScreens_Small: in a small window every screen shows what it is about and the key that goes on,
// and in one that is too small for this, that it is.
func TestScreens_Small(t *testing.T) {
	t.Parallel()
	edited := failed()
	edited.Version = 1
	own := asking()
	own.State.Question.Options = nil
	all := append(screens(t),
		shown{name: "change of a plan", asks: "blue sky", cfg: tui.Config{Project: "p1"}, next: longPlan(), keys: []string{"blue sky"}},
		shown{name: "change of a preview", asks: "blue sky", cfg: tui.Config{Project: "p1"}, next: previewed(), keys: []string{"blue sky"}},
		shown{name: "change of a video", asks: "blue sky", cfg: tui.Config{Project: "p1"}, next: complete(), keys: []string{"blue sky"}},
		shown{name: "change of what failed", asks: "blue sky", cfg: tui.Config{Project: "p1"}, next: edited, keys: []string{"blue sky"}},
		shown{name: "words during the work", asks: "blue sky", cfg: tui.Config{Project: "p1"}, next: busy(), keys: []string{"blue sky"}},
		shown{name: "a question without options", asks: "Which style", cfg: tui.Config{Project: "p1"}, next: own},
		shown{name: "an answer", asks: "Which style", cfg: tui.Config{Project: "p1"}, next: asking(), keys: []string{"like a cartoon"}},
		shown{name: "the last option", asks: "Cinema", cfg: tui.Config{Project: "p1"}, next: asking(), keys: []string{"up"}},
		shown{name: "an empty brief", asks: "prompt is", cfg: tui.Config{Begin: true}, keys: []string{"enter"}},
		shown{name: "the end of the form", asks: "[ make t", cfg: tui.Config{Begin: true}, keys: []string{"shift+tab"}},
	)
	for _, sc := range all {
		for _, size := range [][2]int{{20, 6}, {30, 8}, {80, 6}, {20, 24}, {40, 12}} {
			d := sc.desk(t, size[0], size[1])
			d.sees(sc.asks)
			if key := d.m.Goes(); d.m.FootColumn(key) < 0 {
				t.Errorf("%s, %d x %d: the foot does not show %s", sc.name, size[0], size[1], key)
			}
			if t.Failed() {
				t.Fatalf("%s, %d x %d:\n%s", sc.name, size[0], size[1], strings.Join(trimmed(d.m.View()), "\n"))
			}
		}
	}
	d := screens(t)[8].desk(t, 19, 24)
	d.sees("make the", "larger")
	d.keys("enter", "a", "ctrl+s")
	d.called("stand p1")
	d.size(20, 24)
	d.sees("Plan")
	d.size(80, 5)
	d.sees("make the window larger")
	if d.keys("ctrl+c"); !d.quit {
		t.Error("nobody can leave")
	}
}

func trimmed(view string) []string {
	lines := strings.Split(ansi.Strip(view), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// TestScreens_Paths: a path that is wider than the screen can be read to its end on every screen that
// names one.
func TestScreens_Paths(t *testing.T) {
	t.Parallel()
	const long = "/home/ada/videos/of-the-year-2026/for-the-launch/bouncing-ball/previews"
	made := complete()
	made.Project.Dir = long
	shows := previewed()
	shows.State.Preview = &koda.Preview{VideoURL: long}
	broken := failed()
	broken.State.Error.Message, broken.State.Error.Hint = "cannot write: "+long, "make room in "+long
	for name, next := range map[string]tui.Standing{"complete": made, "preview": shows, "error": broken} {
		for _, width := range []int{40, 60} {
			d := newDesk(t, &script{next: next}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
			d.size(width, 40)
			all := strings.Join(strings.Fields(ansi.Strip(d.m.View())), "")
			if !strings.Contains(all, long) {
				t.Errorf("%s, %d columns, cuts the path:\n%s", name, width, strings.Join(trimmed(d.m.View()), "\n"))
			}
		}
	}
}
