package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/tui/widget"
)

// doneScreen shows a finished video, or why there is none.
type doneScreen struct {
	title  string
	good   bool
	facts  []widget.Fact
	detail string
	retry  bool // trying again may help
	typing bool
	in     line
	edit   bool // the video can be changed
}

func (s doneScreen) key(k tea.KeyMsg) (screen, intent) {
	if s.typing {
		next, sent, back := s.in.typing(k)
		s.in, s.typing = next, !back
		if sent != "" {
			return s, change{sent}
		}
		return s, nil
	}
	if h, ok := hit(s.help(), k); ok {
		return h.do(k.String())
	}
	return s, nil
}

// write begins a line that says what should be different.
func (s doneScreen) write(string) (screen, intent) {
	s.typing, s.in = true, newLine("what should be different?")
	return s, nil
}

func (s doneScreen) view(c canvas) string {
	mark := c.th.Bad.Render(c.th.Glyphs.Bad)
	if s.good {
		mark = c.th.Good.Render(c.th.Glyphs.OK)
	}
	var head []string
	for i, l := range widget.Wrap(s.title, c.width-2) {
		if i == 0 {
			l = mark + " " + c.th.Title.Render(l)
		} else {
			l = "  " + c.th.Title.Render(l)
		}
		head = append(head, l)
	}
	parts := []string{strings.Join(head, "\n")}
	if len(s.facts) > 0 {
		parts = append(parts, widget.Facts(c.th, s.facts, c.width))
	}
	if s.typing {
		parts = append(parts, s.in.view(c, 3))
	}
	if s.detail != "" {
		parts = append(parts, c.th.Muted.Render(strings.Join(widget.Wrap(s.detail, c.width), "\n")))
	}
	return fit(strings.Join(parts, "\n\n"), c.height, false)
}

func (s doneScreen) help() []hint {
	if s.typing {
		return s.in.help("send", "back")
	}
	var hints []hint
	if s.retry {
		hints = append(hints, hint{key: "enter", what: "try again", do: wants(s, retry{})})
	}
	if s.edit {
		hints = append(hints,
			hint{key: "c", what: "change", more: "say what should be different", do: s.write},
			hint{key: "v", what: "versions", more: "show all versions", also: "h", do: wants(s, recall{})},
			hint{key: "u", what: "undo", more: "go back to the version before", do: wants(s, undo{})},
			hint{key: "ctrl+y", what: "redo", more: "come back to the version after", do: wants(s, redo{})},
			hint{key: "y", what: "copy path", more: "copy the path of the video", do: wants(s, copyPath{})})
	}
	back := hint{key: "esc", what: "projects", more: "show all projects", do: wants(s, browse{})}
	if !s.retry {
		back.also = "enter"
	}
	return append(hints, hint{key: "n", what: "new video", do: wants(s, begin{})}, back, hint{key: "q", what: "leave", do: wants(s, leave{})}, askKeys(s))
}

// finished is the screen of a project that waits for nothing, or for another try.
func finished(s Standing) doneScreen {
	d := doneScreen{retry: s.Waiting == ForRetry, facts: []widget.Fact{{Name: "project", Value: s.Project.Name}, {Name: "folder", Value: s.Project.Dir}}}
	switch {
	case s.State.Error != nil:
		d.title = s.State.Error.Message
		if s.State.Error.Hint != "" {
			d.facts = append(d.facts, widget.Fact{Name: "hint", Value: s.State.Error.Hint})
		}
		d.facts = append(d.facts, widget.Fact{Name: "go on", Value: "koda resume " + s.Project.Name})
	case d.retry:
		d.title = "The work was interrupted; everything is saved"
		d.facts = append(d.facts, widget.Fact{Name: "go on", Value: "koda resume " + s.Project.Name})
	default:
		d.title, d.good, d.edit = "The video is ready", true, true
		if o := s.State.Output; o != nil {
			d.facts = append([]widget.Fact{{Name: "video", Value: o.VideoURL}}, d.facts...)
		}
	}
	return d
}
