package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

type statsResult struct {
	head
	Projects []engine.ProjectStats `json:"projects"`
	Total    koda.Stats            `json:"total"`
}

func newStatsCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "stats [PROJECT...]",
		Short:   "Count what was done: turns, calls, tokens, cost, frames, time",
		GroupID: groupLook,
		Long: `Count what was done for the projects given, or for all, and in all: turns, calls of
models and tools, tokens, cost, finished videos, their frames, how many of these were
reused instead of drawn, and how long the videos took. Koda counts what the journal
holds; what a deleted project had is not counted. A server tells the same to
Prometheus at /metrics.`,
		Example: `  koda stats
  koda stats bouncing-ball
  koda stats --json | jq .payload.total`,
		Args:              between(0, 1000),
		RunE:              func(cmd *cobra.Command, args []string) error { return runStats(cmd.Context(), a, args) },
		ValidArgsFunction: a.completeProjects,
	}
}

func runStats(ctx context.Context, a *app, refs []string) error {
	return a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		var ids []string
		for _, ref := range refs {
			p, err := e.Find(ctx, ref)
			if err != nil {
				return err
			}
			ids = append(ids, p.ID)
		}
		all, err := e.Stats(ctx, ids...)
		if err != nil {
			return err
		}
		r := &statsResult{Projects: append([]engine.ProjectStats{}, all...)}
		each := make([]koda.Stats, 0, len(all))
		for _, p := range all {
			each = append(each, p.Stats)
		}
		r.Total = koda.SumStats(each...)
		a.result = r
		switch {
		case a.json:
			return nil
		case len(all) == 0:
			a.say("", `no projects yet; make one with: koda new "bouncing ball"`)
			return nil
		}
		_, err = fmt.Fprint(a.io.Out, statsTable(r, a.io.Columns()))
		return err
	})
}

// statsNumbers is how wide all columns of numbers are together.
const statsNumbers = 58

// statsTable shows stats in columns, numbers to the right; names are cut to width.
func statsTable(r *statsResult, width int) string {
	room := len("in all")
	for _, p := range r.Projects {
		room = max(room, len([]rune(p.Name)))
	}
	room = min(room, max(12, width-statsNumbers))
	var b strings.Builder
	row := func(name string, cells ...any) {
		name = widget.Cut(widget.Line(name), room, "…")
		fmt.Fprintf(&b, "%s%*s", name, max(0, room-len([]rune(name))), "")
		fmt.Fprintf(&b, "%7v%7v%8v%9v%7v%7v%7v%6v\n", cells...)
	}
	row("PROJECT", "TURNS", "CALLS", "TOKENS", "COST", "VIDEOS", "FRAMES", "REUSED", "TIME")
	line := func(name string, s koda.Stats) {
		cost := "-"
		if s.Cost != (koda.Cost{}) {
			cost = koda.Dollars(s.Cost.USD)
		}
		if s.Cost.Unpriced > 0 {
			cost += "+?" // answers whose price nobody knows
		}
		row(name, short(s.Turns), short(s.ModelCalls+s.ToolCalls), short(int(s.Cost.InputTokens+s.Cost.OutputTokens)), cost,
			short(s.Renders), short(s.Frames), short(s.ReusedFrames), lasting(s.Took.Total))
	}
	for _, p := range r.Projects {
		line(p.Name, p.Stats)
	}
	if len(r.Projects) > 1 {
		line("in all", r.Total)
	}
	return b.String()
}

// short is a number in at most six characters.
func short(n int) string {
	switch {
	case n < 100_000:
		return fmt.Sprint(n)
	case n < 10_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%dM", n/1_000_000)
}

// lasting is a time in at most five characters.
func lasting(seconds float64) string {
	switch d := time.Duration(seconds * float64(time.Second)); {
	case d < 100*time.Second:
		return fmt.Sprintf("%.3gs", seconds)
	case d < 100*time.Minute:
		return fmt.Sprintf("%.0fm", d.Minutes())
	}
	return fmt.Sprintf("%.0fh", seconds/3600)
}
