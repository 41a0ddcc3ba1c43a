package tui

import (
	"image"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

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
