package tui

import (
	"context"
	"fmt"
	"os"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
)

// paints is how often a second the screen is painted, if it changed: a key waits for it.
const paints = 60

// Run runs the studio on a terminal until the person leaves, and returns where the project
// stands that was open last. Follow begins to show events, and returns what ends that. The
// terminal is as before then, also if the studio broke.
func Run(ctx context.Context, cfg Config, in, out *os.File, follow func(show func(koda.Event)) (end func())) (Standing, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := New(ctx, cfg)
	m.out = newOutput(out, cfg.Terminal)
	defer m.out.end()
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(m.out), tea.WithAltScreen(),
		tea.WithMouseCellMotion(), tea.WithReportFocus(), tea.WithoutSignalHandler(), tea.WithFPS(paints))
	end := follow(func(ev koda.Event) { p.Send(Event(ev)) })
	defer end()
	if _, err := p.Run(); err != nil && ctx.Err() == nil {
		return m.Ended(), fmt.Errorf("run the studio: %w", err)
	}
	return m.Ended(), nil
}
