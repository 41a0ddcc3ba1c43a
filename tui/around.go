package tui

import (
	"image"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// patience is how long work takes until the person may look elsewhere.
const patience = 10 * time.Second

// around is what is beside the text of the view.
func (m *Studio) around() around {
	a := around{title: "koda", pictures: m.pics.sent(), size: image.Pt(m.width, m.height)}
	dot := " " + m.cfg.Theme.Glyphs.Dot + " "
	if name := widget.Line(m.stand.Project.Name); name != "" {
		a.title += dot + name
	}
	w, ok := m.at.(workScreen)
	switch a.progress.works = ok && (w.watching || m.work != nil && !m.work.looks); {
	case !a.progress.works && m.needsPerson():
		a.title += dot + "waits for you"
	case !a.progress.works:
	case w.render != nil && w.render.Frames > 0:
		a.progress.percent = int(100 * int64(min(max(w.render.Frame, 0), w.render.Frames)) / int64(w.render.Frames))
		a.title += dot + "drawing " + strconv.Itoa(a.progress.percent) + " %"
	default:
		a.title += dot + "working"
	}
	return a
}

// needsPerson reports whether the project waits for the person.
func (m *Studio) needsPerson() bool {
	return !m.stand.Busy && (m.stand.Waiting == ForAnswer || m.stand.Waiting == ForPlan || m.stand.Waiting == ForPreview)
}

// ring calls the person when work is done that they may have stopped to watch.
func (m *Studio) ring(msg stoodMsg) tea.Cmd {
	stopped := interrupted(msg.err)
	if msg.work == nil || msg.work.looks || stopped || !m.blurred && m.cfg.Now().Sub(msg.work.began) < patience {
		return nil
	}
	text := map[Waiting]string{
		ForAnswer: "a question", ForPlan: "the plan is ready", ForPreview: "the preview is ready", ForNothing: "the video is ready", ForRetry: "it failed",
	}[m.stand.Waiting]
	if msg.err != nil {
		text = koda.Sentence(msg.err)
	}
	if name := m.stand.Project.Name; name != "" {
		text = name + ": " + text
	}
	return m.aside(m.cfg.Terminal.call(text))
}

// aside writes a sequence that paints nothing.
func (m *Studio) aside(sequence string) tea.Cmd {
	if m.out == nil || sequence == "" {
		return nil
	}
	return func() tea.Msg {
		m.out.aside(sequence)
		return nil
	}
}
