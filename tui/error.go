package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// errorScreen says why the work stopped: what happened, why, what to do, and on a key
// everything there is to know.
type errorScreen struct {
	what    string // one sentence
	why     []string
	hint    string
	command string // that goes on
	again   intent // what another try is; nil: it would not help
	broken  bool   // something failed; else the work was only interrupted
	edit    bool   // a change is a way out
	more    bool   // the work can go on, and a change waits for its end
	back    bool   // an undo is a way out
	details string
	log     string
	asked   bool // the log was asked for
	showing bool // of the details
	text    scroll
	in      line
}

func (s errorScreen) key(k tea.KeyMsg) (screen, intent) {
	return remark(s, k)
}

func (s errorScreen) send(text string) (screen, intent) {
	s.in = s.in.cleared()
	if s.more {
		return s, goOnWith{text}
	}
	return s, change{what: text}
}

// goOnWith goes on with the work, and has a text taken in when it is done.
type goOnWith struct{ what string }

// tell shows the details, or hides them.
func (s errorScreen) tell(string) (screen, intent) {
	s.showing, s.text = !s.showing, newScroll()
	if s.showing && !s.asked {
		s.asked = true
		return s, record{}
	}
	return s, nil
}

func (s errorScreen) view(c canvas) string {
	mark := c.th.Warn.Render(c.th.Glyphs.Warn)
	if s.broken {
		mark = c.th.Bad.Render(c.th.Glyphs.Bad)
	}
	parts := []string{heading(c, mark, s.what)}
	if s.showing {
		return parts[0] + "\n\n" + s.page(c, c.height-strings.Count(parts[0], "\n")-2)
	}
	if len(s.why) > 0 {
		var rows []string
		for i, w := range s.why {
			head := "  "
			if i > 0 {
				head += c.th.Muted.Render(c.th.Glyphs.Arrow) + " "
			}
			rows = append(rows, widget.SentenceWithin(head, w, c.width))
		}
		parts = append(parts, strings.Join(rows, "\n"))
	}
	parts = append(parts, widget.FactsWithin(c.th, []widget.Fact{{Name: "do", Value: s.hint}, {Name: "go on", Value: s.command}}, c.width))
	text := strings.Join(parts, "\n\n")
	if strings.Count(text, "\n") >= c.height {
		text = strings.Join(parts, "\n")
	}
	return fit(text, c.height, false)
}

// page are the details from the top line on.
func (s errorScreen) page(c canvas, room int) string {
	text := strings.Join(s.why, "\n")
	for _, part := range []string{s.details, s.log} {
		if part != "" && text != "" {
			text += "\n\n"
		}
		text += strings.TrimSpace(part)
	}
	var rows []string
	for l := range strings.SplitSeq(text, "\n") {
		lines := widget.Wrap(l, c.width)
		if len(lines) == 0 {
			lines = []string{""}
		}
		rows = append(rows, lines...)
	}
	for i := range rows {
		rows[i] = c.th.Muted.Render(rows[i])
	}
	return strings.Join(s.text.view(c, rows, room), "\n")
}

func (s errorScreen) help() []hint { return table(s) }

func (s errorScreen) bare() []hint {
	if s.showing {
		var hints []hint
		if s.text.more() {
			hints = append(hints, s.text.hint(func(t scroll) screen { s.text = t; return s }))
		}
		return append(hints, hint{key: "esc", what: "back", also: "d alt+d", do: s.tell}, askKeys(s))
	}
	var hints []hint
	if s.again != nil {
		what := "go on"
		if s.broken {
			what = "try again"
		}
		hints = append(hints, hint{key: "enter", what: what, do: wants(s, s.again)})
	}
	if s.more {
		hints = append(hints, sayLater)
	}
	hints = append(hints, hint{key: "alt+d", what: "details", more: "show the whole error and the log", do: s.tell})
	if s.edit {
		hints = append(hints, toChange, hint{key: "alt+v", what: "versions", more: "show all versions", do: wants(s, recall{})})
	}
	if s.back {
		hints = append(hints, hint{key: "alt+u", what: "undo", more: "go back to what stood before", do: wants(s, undo{})})
	}
	return append(append(hints, hint{key: "alt+o", what: "open folder", more: "open the folder of the project", do: wants(s, folder{})},
		hint{key: "alt+n", what: "new video", more: "begin a new video", do: wants(s, begin{})},
		hint{key: "esc", what: "projects", more: "show all projects", do: wants(s, browse{})}), closing(s)...)
}

// tells reports whether the screen says what an error says.
func (s errorScreen) tells(err error) bool {
	return interrupted(err) && !s.broken || err != nil && slices.Equal(s.why, chain(koda.Sentence(err)))
}

// failedIn is what failed, by the phase that a retry goes on from.
var failedIn = map[koda.Phase]string{
	koda.PhaseIdle:      "The prompt could not be read",
	koda.PhaseQuestion:  "The prompt could not be read",
	koda.PhasePlan:      "No plan came about",
	koda.PhaseExecuting: "The animation could not be made",
	koda.PhasePreview:   "The final video could not be made",
}

// stopped is the screen of a project whose work failed or was interrupted.
func stopped(s Standing) errorScreen {
	e := errorScreen{
		what: "The work was interrupted; everything is saved", command: "koda resume " + s.Project.Name,
		edit: s.Version > 0 && s.State.Phase == koda.PhaseError, in: newLine(differently),
	}
	if s.Waiting == ForRetry {
		e.again = retry{}
	}
	if f := s.State.Error; f != nil {
		e.broken, e.what = true, "The work failed"
		e.back = e.edit || f.From == koda.PhaseQuestion || f.From == koda.PhasePlan
		if what := failedIn[f.From]; what != "" {
			e.what = what
		}
		e.why, e.hint, e.details = chain(f.Message), f.Hint, "code "+string(f.Code)
		if f.Details != "" {
			e.details += "\n" + f.Details
		}
	}
	if e.more = e.again != nil && !e.broken && !e.edit; e.more {
		e.in = newLine(sayMore)
	}
	e.hint = keyed(e.hint, s.Project.Name, e.bare())
	return e
}

// fallen is the screen of a call that failed although the project stands as before.
func fallen(s Standing, err error, again intent) errorScreen {
	e := errorScreen{
		what: "That did not work", broken: true, why: chain(koda.Sentence(err)), again: again,
		details: strings.TrimSpace("code " + string(koda.CodeOf(err)) + "\n" + koda.DetailsOf(err)), command: "koda show " + s.Project.Name,
	}
	e.hint = keyed(koda.HintOf(err), s.Project.Name, e.bare())
	return e
}

// chain is an error as what happened, because of what, and so on.
func chain(message string) []string {
	var all []string
	for part := range strings.SplitSeq(message, ": ") {
		if part = strings.TrimSpace(part); part != "" {
			all = append(all, part)
		}
	}
	if len(all) > 6 {
		all = append(all[:5], strings.Join(all[5:], ": "))
	}
	return all
}
