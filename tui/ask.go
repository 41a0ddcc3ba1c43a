package tui

import (
	"image"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// briefScreen takes the prompt of a new project.
type briefScreen struct{ in line }

func newBrief() briefScreen {
	return briefScreen{newLine("What should the video show? For example: happy birthday Anna! with balloons, vertical")}
}

func (s briefScreen) key(k tea.KeyMsg) (screen, intent) {
	next, sent, back := s.in.typing(k)
	s.in = next
	switch {
	case back:
		return s, browse{}
	case sent != "":
		return s, create{sent}
	}
	return s, nil
}

func (s briefScreen) view(c canvas) string {
	head := c.th.Title.Render("A new video") + "\n\n"
	examples := "\n\n" + c.th.Muted.Render(strings.Join(widget.Wrap(
		"A sentence is enough: what is shown, which words, which colours, how long, which shape. koda asks what it needs to know, shows a plan, and draws nothing before you accept it.", c.width), "\n"))
	return head + s.in.view(c, min(8, max(3, c.height-8))) + examples
}

func (s briefScreen) help() []hint {
	return []hint{{"enter", "make it"}, {"ctrl+j", "new line"}, {"esc", "projects"}, {"ctrl+c", "leave"}}
}

// questionScreen asks the one question.
type questionScreen struct {
	q      koda.Question
	stills []widget.Picture
	at     int // the marked option
	own    bool
	in     line
}

func newQuestion(q koda.Question, still func(string) image.Image) questionScreen {
	s := questionScreen{q: q, in: newLine("your own words"), own: len(q.Options) == 0}
	for i, o := range q.Options {
		if img := still(o.Recipe); o.Recipe != "" && img != nil {
			s.stills = append(s.stills, widget.Picture{Label: strconv.Itoa(i+1) + " " + o.Label, Image: img})
		}
	}
	return s
}

func (s questionScreen) key(k tea.KeyMsg) (screen, intent) {
	name := k.String()
	if s.own {
		next, sent, back := s.in.typing(k)
		s.in = next
		switch {
		case back && len(s.q.Options) == 0:
			return s, browse{}
		case back:
			s.own = false
		case sent != "":
			return s, choose{koda.Answer{Text: sent}}
		}
		return s, nil
	}
	switch name {
	case "up", "k", "shift+tab":
		s.at = (s.at + len(s.q.Options) - 1) % len(s.q.Options)
		return s, nil
	case "down", "j", "tab":
		s.at = (s.at + 1) % len(s.q.Options)
		return s, nil
	case "enter":
		return s, choose{koda.Answer{OptionID: s.q.Options[s.at].ID}}
	case "esc":
		return s, browse{}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(s.q.Options) {
		return s, choose{koda.Answer{OptionID: s.q.Options[n-1].ID}}
	}
	if s.q.CustomInput && printable(k) {
		s.own, s.in = true, s.in.key(k)
	}
	return s, nil
}

func (s questionScreen) view(c canvas) string {
	var parts []string
	rows := 3 + len(s.q.Options)
	if pictures := widget.Pictures(c.th, s.stills, c.width); strings.Count(pictures, "\n")+rows+6 < c.height && pictures != "" {
		parts = append(parts, pictures)
	}
	parts = append(parts, widget.Choice(c.th, s.q, s.at, !s.own, c.width))
	if s.own {
		parts = append(parts, s.in.view(c, 3))
	}
	return strings.Join(parts, "\n\n")
}

func (s questionScreen) help() []hint {
	if s.own {
		return []hint{{"enter", "send"}, {"ctrl+j", "new line"}, {"esc", "back"}}
	}
	hints := []hint{{"↑↓", "choose"}, {"enter", "take it"}, {"1-" + strconv.Itoa(len(s.q.Options)), "take that"}}
	if s.q.CustomInput {
		hints = append(hints, hint{"type", "your own words"})
	}
	return append(hints, hint{"esc", "projects"})
}

// planScreen shows a plan for the person to accept.
type planScreen struct {
	p    koda.Plan
	top  int    // the first line shown
	mode string // what is typed: "", "change", "reject"
	in   line
}

func (s planScreen) key(k tea.KeyMsg) (screen, intent) {
	name := k.String()
	if s.mode != "" {
		next, sent, back := s.in.typing(k)
		s.in = next
		switch {
		case back:
			s.mode = ""
		case sent != "" && s.mode == "reject":
			return s, reject{sent}
		case sent != "":
			return s, change{sent}
		}
		return s, nil
	}
	switch name {
	case "enter", "a", "y":
		return s, accept{}
	case "c", "e":
		s.mode, s.in = "change", newLine("what should be different? bigger, a blue ball, 4 bounces")
	case "r", "n":
		s.mode, s.in = "reject", newLine("why? koda thinks up another plan")
	case "u":
		return s, undo{}
	case "up", "k":
		s.top = max(s.top-1, 0)
	case "down", "j":
		s.top++
	case "esc", "q":
		return s, browse{}
	}
	return s, nil
}

func (s planScreen) view(c canvas) string {
	ruler := widget.Ruler(c.th, s.p.Starts(), s.p.TotalDuration, -1, c.width)
	if len(s.p.Scenes) < 2 {
		ruler = ""
	}
	text := widget.Plan(c.th, s.p, c.width)
	room := c.height
	if ruler != "" {
		room -= strings.Count(ruler, "\n") + 2
	}
	if s.mode != "" {
		room -= 5
	}
	lines := strings.Split(text, "\n")
	top := min(s.top, max(len(lines)-room, 0))
	parts := []string{fit(strings.Join(lines[top:], "\n"), max(room, 1), false)}
	if ruler != "" {
		parts = append([]string{ruler}, parts...)
	}
	if s.mode != "" {
		parts = append(parts, s.in.view(c, 3))
	}
	return strings.Join(parts, "\n\n")
}

func (s planScreen) help() []hint {
	if s.mode != "" {
		return []hint{{"enter", "send"}, {"esc", "back to the plan"}}
	}
	return []hint{{"enter", "accept"}, {"c", "change"}, {"r", "reject"}, {"u", "undo"}, {"↑↓", "scroll"}, {"esc", "projects"}}
}
