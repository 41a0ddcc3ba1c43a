package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
)

// workScreen shows koda at work: todos, what it does at the moment, what happened, the
// render with its picture. What a person types becomes a todo.
type workScreen struct {
	story
	what     string // "koda thinks", before there are todos
	now      time.Time
	mark     int          // number of the marked entry; -1: none, and the end is shown
	open     map[int]bool // entries by number
	workers  bool         // show which worker does what
	in       line
	watching bool     // another process works
	folded   bool     // the todos are hidden
	later    []string // what was said that waits for the end of the work
}

func newWork(what string, s story, now time.Time) workScreen {
	return workScreen{story: s, what: what, now: now, mark: -1, in: newLine(sayMore)}
}

func (s workScreen) key(k tea.KeyMsg) (screen, intent) {
	return remark(s, k)
}

func (s workScreen) send(text string) (screen, intent) {
	s.in = s.in.cleared()
	return s, say{text}
}

// listens reports whether the person can say something: not while a project is only opened.
func (s workScreen) listens() bool { return s.what != opening }

// again is the screen with a message in its line that could not be sent.
func (s workScreen) again(text string) workScreen {
	s.in = newLine(sayMore).with(text)
	return s
}

// move moves the mark through what happened; from the end on, there is no mark.
func (s workScreen) move(name string) (screen, intent) {
	at := slices.IndexFunc(s.told, func(e entry) bool { return e.number == s.mark })
	if at < 0 {
		at = len(s.told)
	}
	next := moved(name, at, len(s.told)+1)
	s.mark = -1
	if next < len(s.told) {
		s.mark = s.told[next].number
	}
	return s, nil
}

// back gives up the mark, or goes to the projects.
func (s workScreen) back(string) (screen, intent) {
	if s.mark < 0 && s.watching {
		return s, browse{}
	}
	s.mark = -1
	return s, nil
}

// team shows or hides which worker does what.
func (s workScreen) team(string) (screen, intent) {
	s.workers = !s.workers
	return s, nil
}

// fold hides the todos, or shows them again.
func (s workScreen) fold(string) (screen, intent) {
	s.folded = !s.folded
	return s, nil
}

// toggle opens or closes the marked entry, or without a mark the newest that opens.
func (s workScreen) toggle(string) (screen, intent) {
	for _, e := range slices.Backward(s.told) {
		if e.opens() && (e.number == s.mark || s.mark < 0) {
			open := map[int]bool{e.number: !s.open[e.number]}
			for number, is := range s.open {
				if number != e.number {
					open[number] = is
				}
			}
			s.open, s.mark = open, e.number
			return s, nil
		}
	}
	return s, nil
}

// opening is what the screen says while a project is opened.
const opening = "Opening"

// quiet is for how long a render may stand before the screen says so.
const quiet = 4 * time.Second

// stall says in words what a render waits for that does not move; "" while it moves.
func (s workScreen) stall() string {
	p := s.render
	if p == nil || s.moved.IsZero() || p.Frames > 0 && p.Percent >= 100 {
		return ""
	}
	still := s.now.Sub(s.moved)
	if still < quiet {
		return ""
	}
	head := fmt.Sprintf("no frame for %d s: ", int(still.Seconds()))
	switch p.Stage {
	case koda.StageEncoding:
		return fmt.Sprintf("for %d s: the parts are joined to one file", int(still.Seconds()))
	case koda.StageUploading:
		return fmt.Sprintf("for %d s: the video is put in place", int(still.Seconds()))
	case koda.StageCapturing:
	}
	var why []string
	for _, w := range p.Workers {
		if text := waits(w); !slices.Contains(why, text) {
			why = append(why, text)
		}
	}
	if len(why) == 0 {
		return head + "koda looks for what is drawn already"
	}
	return head + strings.Join(why[:min(len(why), 2)], "; ")
}

// waits says what a worker is at that does not move.
func waits(w koda.Worker) string {
	switch w.Doing {
	case koda.DoingStart:
		if w.Try > 1 {
			return fmt.Sprintf("a fresh browser is starting, number %d for these frames", w.Try)
		}
		return "the browser is starting"
	case koda.DoingForward:
		return fmt.Sprintf("the page is stuck on frame %d, on its way to frame %d", w.Passed, w.First)
	case koda.DoingEncode:
		return fmt.Sprintf("the encoder is writing frames %d to %d", w.First, w.Last)
	case koda.DoingDraw:
	}
	return fmt.Sprintf("the browser is stuck on frame %d", w.First+w.Drawn)
}

func (s workScreen) help() []hint { return table(s) }

func (s workScreen) bare() []hint {
	var hints []hint
	if s.hasSteps() {
		hints = append(hints, hint{key: "type", what: "to say more", more: "say what should be different: it becomes a todo"})
	} else if s.listens() {
		hints = append(hints, sayLater)
	}
	if !s.watching {
		hints = append(hints, hint{key: "ctrl+c", what: "interrupt; the work is saved", stays: true})
	}
	if s.hasSteps() {
		hints = append(hints, hint{key: "ctrl+t", what: "todos", more: "hide the todos, or show them", do: s.fold})
	}
	if s.render != nil {
		hints = append(hints, hint{key: "alt+w", what: "workers", more: "show which browser draws what", do: s.team})
	}
	if len(s.told) > 0 {
		hints = append(hints,
			hint{key: "↑↓", what: "what happened", more: "mark what happened before, after", also: "shift+tab pgup pgdown home end", do: s.move})
	}
	if slices.ContainsFunc(s.told, func(e entry) bool { return e.opens() && (e.number == s.mark || s.mark < 0) }) {
		hints = append(hints, hint{key: "enter", what: "open", more: "open or close what is marked: files, tools", also: "tab", do: s.toggle})
	}
	switch {
	case s.watching:
		hints = append(hints, hint{key: "esc", what: "projects", more: "show all projects", do: s.back})
	case s.mark >= 0:
		hints = append(hints, hint{key: "esc", what: "to the end", do: s.back})
	}
	return append(hints, closing(s)...)
}
