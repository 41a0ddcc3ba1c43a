package tui

import tea "github.com/charmbracelet/bubbletea"

// Stop stops the clock of a studio: tests bring the beats themselves.
func (m *Studio) Stop() { m.stopped = true }

// Beat is the message of a beat.
func Beat() tea.Msg { return beatMsg{} }
