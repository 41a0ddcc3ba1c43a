package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// longPlan is a plan with more than a screen holds: many scenes, colours, a page of Markdown
// and words that were not understood.
func longPlan() tui.Standing {
	s := planned()
	p := koda.Plan{Style: "smooth", FPS: koda.FPS{Num: 30, Den: 1}, Unused: "Not used, because the recipe does not know the words: unicorn."}
	for n := range 7 {
		p.Scenes = append(p.Scenes, koda.Scene{Number: n + 1, Title: fmt.Sprintf("Scene of %d", n+1), Duration: 2, Description: strings.Repeat("Something comes in and goes out again. ", 3)})
		p.TotalDuration += 2
	}
	p.Scenes[1].Colors = []string{"#123456", "#7c3aed"}
	p.Notes = []string{
		"The text is *hello* <b>there</b>, in red #e5343d.", p.Unused,
		"# Why\n\n- **calm** motion, see `motion.ts`\n- \x1b[31mred\x1b[0m #e5343d",
	}
	s.State.Plan = &p
	return s
}

// TestPlan: a long plan scrolls, with marks that there is more, and says plainly what was not
// understood. A sentence is shown letter by letter, a page of Markdown as its author meant it.
func TestPlan(t *testing.T) {
	t.Parallel()
	s := &script{next: longPlan()}
	d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Project: "p1"})
	d.size(80, 22)
	d.sees("Plan: 14 s", "■#123456", "↓ ", "more", "↑↓ scroll", "! Not used, because")
	if strings.Contains(ansi.Strip(d.m.View()), "↑ ") {
		t.Error("the top says that there is more above")
	}
	d.keys("end", "end", "down", "down")
	d.sees("↑ ", "! Not used, because", "Why", "• calm motion, see motion.ts", "• red ■#e5343d")
	d.keys("up")
	d.sees("↓ ", "more")
	d.size(80, 60)
	d.sees("Plan: 14 s", "• The text is *hello* <b>there</b>, in red ■#e5343d.", "! Not used, because", "• calm motion")
	if view := ansi.Strip(d.m.View()); strings.Count(view, "Not used") != 1 {
		t.Errorf("what was not understood is not said once:\n%s", view)
	}
	if view := d.m.View(); !strings.Contains(view, "\x1b[38;2;18;52;86m■") || strings.Contains(view, "\x1b[31m") {
		t.Errorf("the colours of the plan are not those of its text:\n%q", view)
	}
	d.keys("no unicorn")
	d.sees("no unicorn", "enter send")
}
