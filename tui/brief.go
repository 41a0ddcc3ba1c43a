package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

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

func (s briefScreen) help() []hint { return s.in.help("make it", "projects") }
