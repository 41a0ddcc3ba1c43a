package tui

import (
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Stop stops the clock of a studio: tests bring the beats themselves.
func (m *Studio) Stop() { m.pulse.stopped = true }

// Beat is the message of a beat.
func Beat() tea.Msg { return beatMsg{} }

// Elsewhere is the message that another process changed the project that is shown.
func (m *Studio) Elsewhere(s Standing, err error) tea.Msg { return changedMsg{m.eye, s, err} }

// Composed is the message that the person's editor has left a text.
func Composed(text string, err error) tea.Msg { return composedMsg{text, err} }

// Hinted are the keys that the screen in front explains and that a person can press.
func (m *Studio) Hinted() []string {
	var out []string
	for _, h := range m.front().help() {
		for _, name := range h.names() {
			if _, ok := keyNamed(name); ok {
				out = append(out, name)
			}
		}
	}
	return out
}

// Goes is the key that the screen in front explains first.
func (m *Studio) Goes() string { return spelled(m.cfg.Theme, m.front().help())[0].key }

// FootColumn is where the foot shows a key, from 0; -1 if there is no room for it.
func (m *Studio) FootColumn(key string) int {
	for _, s := range spans(spelled(m.cfg.Theme, m.front().help()), m.canvas().width) {
		if s.hint.key == key {
			return margin + s.from
		}
	}
	return -1
}

// What tests look at as it is.
var (
	KeyNamed    = keyNamed
	Match       = match
	PastedFiles = pastedFiles
	PlanText    = planText
	PlanChange  = planChange
)

// Keyed is a hint with the keys that a preview and an error have.
func Keyed(text, project string) string {
	return keyed(text, project, append(previewScreen{in: newLine(""), ahead: true}.bare(), errorScreen{again: retry{}}.bare()...))
}

// BeatOf is the message of the beat of that number.
func BeatOf(number int) tea.Msg { return beatMsg{number} }

// Next is the number of the beat that comes next, and when it comes.
func (m *Studio) Next() (number int, due time.Duration) { return m.pulse.next, m.pulse.due }

// Moves is how often the screen moves by itself.
func (m *Studio) Moves() time.Duration { return m.moves() }

// On puts the studio on the screen of a terminal, until end.
func (m *Studio) On(file *os.File) (end func()) {
	m.out = newOutput(file, m.cfg.Terminal)
	m.out.mu.Lock()
	defer m.out.mu.Unlock()
	m.out.painted = true
	return m.out.end
}

// Paint writes text to the terminal.
func (m *Studio) Paint(text string) { _, _ = m.out.Write([]byte(text)) } //nolint:errcheck // a test reads it

// Stood is the message that a project stands elsewhere now.
func Stood(s Standing) tea.Msg { return stoodMsg{stand: s} }
