package tui_test

import (
	"regexp"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// letter is the key that types a character.
func letter(r rune) tea.KeyMsg {
	if r == ' ' {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
}

// write types a text letter by letter.
func (d *desk) write(text string) {
	d.t.Helper()
	for _, r := range text {
		d.send(letter(r))
	}
}

// broken is a project whose change failed: another change is a way out.
func broken() tui.Standing {
	s := failed()
	s.Version = 1
	return s
}

// TestRemark: on every screen with an open line, what is typed letter by letter is sent as it was
// typed, and nothing else happens. A word of koda alone does what it says.
func TestRemark(t *testing.T) {
	t.Parallel()
	texts := []string{
		"use a darker background", "here the text should be red", "hide the title", "larger bars", "yellow bars", "faster", "vertical please", "quick",
		"red ball please", "change it to blue", "no, make it blue", "2D look, quiet", "on top", "copy of it", "new colours", "delete the shadow", "jk", "20 % faster",
	}
	screens := map[string]struct {
		stand tui.Standing
		verb  string
	}{
		"question": {asking(), "answer"}, "plan": {planned(), "edit"}, "preview": {previewed(), "edit"}, "done": {complete(), "edit"}, "error": {broken(), "edit"}, "work": {busy(), "say"},
	}
	for name, sc := range screens {
		for _, text := range append(texts, "undo") {
			t.Run(name+" "+text, func(t *testing.T) {
				t.Parallel()
				s := &script{next: sc.stand, clip: &clip{}, watched: sc.stand}
				d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
				d.called("stand p1")
				d.write(text)
				d.called()
				d.sees("│ " + text)
				d.keys("enter")
				want := sc.verb + " p1 " + text
				switch {
				case text == "undo" && name == "work":
					d.called()
					d.sees("Not possible here: undo")
					return
				case text == "undo":
					want = "undo p1"
				case name == "preview" && strings.HasPrefix(text, "here"):
					want = "edit p1 scene 1: " + strings.TrimPrefix(text, "here ")
				}
				d.called(want)
			})
		}
	}
}

// TestRemark_Paste: what is pasted is text.
func TestRemark_Paste(t *testing.T) {
	t.Parallel()
	for _, next := range []tui.Standing{planned(), previewed(), complete()} {
		d := newDesk(t, &script{next: next}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
		d.called("stand p1")
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("green"), Paste: true})
		d.keys("enter")
		d.called("edit p1 green")
	}
}

// TestRemark_Esc: esc clears the line, and the arrow up brings the text back; on an empty line esc is
// the screen's. A text that is typed when the person goes elsewhere, or leaves, comes back, too.
func TestRemark_Esc(t *testing.T) {
	t.Parallel()
	s := &script{next: previewed(), clip: &clip{}, past: past}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.write("bigger ball")
	d.sees("enter send", "esc clear")
	d.keys("esc")
	d.sees("│ what should be different?", "enter accept", "type to change it", "/ commands", "? keys")
	d.keys("up")
	d.sees("│ bigger ball")
	d.keys("!", "alt+v")
	d.sees("Versions (4)")
	d.keys("esc", "up")
	d.sees("│ bigger ball!")
	d.keys("!", "ctrl+c")
	if !d.quit {
		t.Error("ctrl+c does not leave")
	}
	if diff := cmp.Diff([]string{"bigger ball", "bigger ball!", "bigger ball!!"}, s.kept); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	d = newDesk(t, &script{next: planned()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.keys("a", "esc", "esc")
	d.sees("There is no project yet")
}

// TestRemark_Grows: the line is one row while it is empty, and as many as its text needs, up to some.
func TestRemark_Grows(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: planned()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	count := func() int { return strings.Count(ansi.Strip(d.m.View()), "\n │ ") }
	for i, want := range []int{1, 1, 2, 3, 4, 5, 5} {
		if i > 0 {
			d.keys("ctrl+j", "x")
		}
		if i == 1 {
			d.keys("ctrl+u", "backspace")
			d.write("first")
		}
		d.sees()
		if got := count(); got != want {
			t.Errorf("%d rows, not %d, after %d:\n%s", got, want, i, ansi.Strip(d.m.View()))
		}
	}
}

// TestRemark_Points: a remark carries the moment at which it was begun only if it points there. It
// is sent in its language; a model is told the time, too. In a video of one scene all is there.
func TestRemark_Points(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, scenes, scene string }{ // sent of a video with scenes, and of one scene: "" is the text
		{"here the text should be red", "scene 2: the text should be red", "the text should be red"},
		{"make it blue here", "scene 2: make it blue", "make it blue"},
		{"make it blue here, please", "scene 2: make it blue, please", "make it blue, please"},
		{"in this scene, bigger", "scene 2: bigger", "bigger"},
		{"make this scene darker", "make scene 2 darker", ""},
		{"from here on the ball is blue", "from scene 2 on the ball is blue", ""},
		{"at this moment: hold", "scene 2: hold", "hold"},
		{"HERE!", "scene 2: HERE!", ""},
		{"hier grösser", "Szene 2: grösser", "grösser"},
		{"mach den Ball hier rot", "Szene 2: mach den Ball rot", "mach den Ball rot"},
		{"diese Szene länger", "Szene 2 länger", ""},
		{"in dieser Szene alles in Blau", "Szene 2: alles in Blau", "alles in Blau"},
		{"aquí más grande", "escena 2: más grande", "más grande"},
		{"plus grand ici", "scène 2: plus grand", "plus grand"},
		{"cette scène est trop courte", "scène 2 est trop courte", ""},
		{"qui il testo rosso", "scena 2: il testo rosso", "il testo rosso"},
		{"più grande qui!", "scena 2: più grande!", "più grande!"},
		{"aqui maior", "cena 2: maior", "maior"},
		{"ここを赤く", "シーン2を赤く", ""},
		{"このシーンを赤く", "シーン2を赤く", ""},
		{"这里要红色", "scene 2: 这里要红色", ""},
		{"здесь больше", "scene 2: здесь больше", ""},
		{`here "we are here"`, `scene 2: "we are here"`, `"we are here"`},
		{"make it blue", "", ""}, {"there", "", ""}, {"where is it", "", ""}, {"le ballon qui rebondit", "", ""}, {"hierarchy", "", ""}, {`say "here we are"`, "", ""},
		{"scene 1: here it is too dark", "", ""}, {"adhere", "", ""}, {"sphere", "", ""}, {"Quick", "", ""},
	} {
		for _, scenes := range []int{3, 1} {
			for _, author := range []string{"recipe", "model"} {
				next := previewed()
				next.Project.Author = author
				next.State.Plan.Scenes = next.State.Plan.Scenes[:scenes]
				d := newDesk(t, &script{next: next, clip: &clip{long: 5}}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
				d.called("stand p1")
				d.keys("]")
				want := map[int]string{3: tt.scenes, 1: tt.scene}[scenes]
				if want == "" {
					want = tt.text
				}
				switch {
				case tt.scenes == "" || author == "recipe":
				case scenes == 3:
					want = "scene 2, at 0:01.5: " + tt.text
				default:
					want = "at 0:05: " + tt.text
				}
				d.write(tt.text)
				if got := strings.Contains(d.m.View(), " is scene 2, Bounce"); got != (tt.scenes != "" && scenes > 1) {
					t.Errorf("%q with %d scenes: the screen says where it points: %v", tt.text, scenes, got)
				}
				d.keys("enter")
				d.called("edit p1 " + want)
				if diff := cmp.Diff([]string{tt.text}, d.s.kept); diff != "" {
					t.Errorf("kept (-want +got):\n%s", diff)
				}
			}
		}
	}
}

// TestRemark_Pauses: the moment at which a remark was begun stays.
func TestRemark_Pauses(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: previewed(), clip: &clip{}}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	for range 12 {
		d.send(tui.Beat())
	}
	d.write("here")
	for range 12 {
		d.send(tui.Beat())
	}
	d.sees("paused   0:01 / 0:02", `"here" is scene 1, Drop, at 0:01`)
}

// TestRemark_ComesBack: the preview that comes of a remark begins where the criticised scene does, at
// the same moment of a video without scenes, and at the start after a remark at the end. An undo
// begins at the start.
func TestRemark_ComesBack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		scenes int
		keys   []string
		long   float64 // of the new preview
		sees   string
	}{
		{"a scene", 3, []string{"]", "right", "right", "blue", "enter"}, 5, "playing  0:01.5"},
		{"a moment", 1, []string{"right", "right", "blue", "enter"}, 5, "playing  0:00.2"},
		{"a moment that is no more", 1, []string{"end", "left", "blue", "enter"}, 2, "playing  0:00"},
		{"the end", 3, []string{"end", "blue", "enter"}, 5, "playing  0:00 "},
		{"here, at the end", 3, []string{"end", "blue here", "enter"}, 5, "playing  0:03.5"},
		{"a scene that is named", 3, []string{"home", "scene 2: blue", "enter"}, 5, "playing  0:01.5"},
		{"an undo", 3, []string{"]", "alt+u"}, 5, "playing  0:00 "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			next := previewed()
			next.State.Plan.Scenes = next.State.Plan.Scenes[:tt.scenes]
			s := &script{next: next, clip: &clip{version: 2, long: 5}}
			d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
			s.clip = &clip{version: 3, long: tt.long}
			d.keys(tt.keys...)
			d.sees(tt.sees)
		})
	}
}

// TestRemark_Digit: a digit marks the option of its number, and enter takes it.
func TestRemark_Digit(t *testing.T) {
	t.Parallel()
	s := &script{next: asking()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.called("stand p1")
	d.keys("2")
	d.sees("→ 2  Smooth")
	d.called()
	d.keys("D")
	if view := ansi.Strip(d.m.View()); strings.Contains(view, "→ ") {
		t.Errorf("an option is marked beside words:\n%s", view)
	}
	d.keys("backspace")
	d.sees("→ 2  Smooth")
	d.keys("enter")
	d.called("answer p1 smooth")
	s.next.State.Question = &koda.Asked{Question: koda.Question{Text: "Which?", Options: question.Options}}
	d = newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.called("stand p1")
	d.keys("x", "3") // no words can answer it
	d.called("answer p1 cinematic")
}

// TestRedo: a redo is offered where there is something that it comes back to.
func TestRedo(t *testing.T) {
	t.Parallel()
	for _, next := range []tui.Standing{asking(), planned(), previewed(), complete()} {
		for _, ahead := range []bool{false, true} {
			next.Redo = ahead
			d := newDesk(t, &script{next: next, clip: &clip{}}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
			d.called("stand p1")
			d.size(240, 60)
			if got := strings.Contains(d.m.View(), "ctrl+y"); got != ahead {
				t.Errorf("%s: the foot names the redo: %v", next.Waiting, got)
			}
			if d.keys("ctrl+y"); len(d.s.calls) > 0 != ahead {
				t.Errorf("%s: a redo calls %q", next.Waiting, d.s.calls)
			}
			if !ahead && next.Waiting == tui.ForPlan {
				d.keys("redo", "enter")
				d.called()
				d.sees("There is nothing to redo.")
			}
		}
	}
}

// TestPalette_Names: the palette says nothing twice, and a word that is no name finds nothing.
func TestPalette_Names(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"theme", "undo", "sspnd-"} {
		d := newDesk(t, &script{next: busy()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
		d.keys("/")
		d.write(typed)
		d.sees("Nothing of that name")
	}
	d := newDesk(t, &script{all: []koda.Project{project}}, theme.Options{UTF8: true}, tui.Config{})
	d.keys("ctrl+p")
	for l := range strings.SplitSeq(ansi.Strip(d.m.View()), "\n") {
		if f := regexp.MustCompile(`^\W*(\w+) {2,}(\w+) {2,}`).FindStringSubmatch(l); f != nil && f[1] == f[2] {
			t.Errorf("a name is said twice: %q", l)
		}
	}
	d = newDesk(t, &script{next: planned()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.called("stand p1")
	d.keys("/", "u", "n", "d", "o", "enter")
	d.called("undo p1")
}

// TestKeyed_refused: a refusal names the keys of the screen on which it is read.
func TestKeyed_refused(t *testing.T) {
	t.Parallel()
	s := &script{next: planned()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	s.err = &koda.Error{Code: koda.CodeInvalidInput, Op: "that names another kind of video", Hint: "`koda reject` with these words leads to it, `koda accept` takes the plan"}
	d.keys("a countdown", "enter")
	d.sees("alt+r with these words leads to it, enter takes the plan")
}

// TestKeyed: a hint names the keys of the studio in place of commands about the project that is open.
func TestKeyed(t *testing.T) {
	t.Parallel()
	for hint, want := range map[string]string{
		"it waits for its plan to be accepted: `koda accept`":  "it waits for its plan to be accepted: enter",
		"`koda accept ball` or `koda edit ball` first":         "enter or `koda edit ball` first",
		"`koda accept other`":                                  "`koda accept other`",
		"; or go back to v2: koda undo ball":                   "; or go back to v2: alt+u",
		"koda undo goes back to the version before; or say it": "alt+u goes back to the version before; or say it",
		"`koda history` shows all versions":                    "alt+v shows all versions",
		"koda doctor":                                          "koda doctor",
		"`koda resume ball` goes on from here":                 "enter goes on from here",
		"make room; then: koda resume ball":                    "make room; then: enter",
		"`koda list` shows them":                               "esc shows them",
		"`koda reject` turns it down":                          "`koda reject` turns it down", // no screen here has the key
	} {
		if got := tui.Keyed(hint, "ball"); got != want {
			t.Errorf("%q became %q, not %q", hint, got, want)
		}
	}
}
