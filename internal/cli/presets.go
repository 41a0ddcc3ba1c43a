package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/preset"
)

type presetsResult struct {
	head
	Presets []preset.Preset `json:"presets"`
}

func newPresetsCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "presets",
		Short:   "List the outputs that have a name",
		GroupID: groupLook,
		Long: `List the outputs that have a name, for --preset of 'koda new' and 'koda render'.
What a platform takes at most is checked before any work.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runPresets(a) },
	}
}

func runPresets(a *app) error {
	all := preset.All()
	a.result = &presetsResult{Presets: all}
	if a.json {
		return nil
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, p := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", p.Name, presetSize(p), presetRate(p), p.Format, p.About)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("lay out presets: %w", err)
	}
	_, err := fmt.Fprint(a.io.Out, b.String())
	return err
}

func presetSize(p preset.Preset) string {
	switch {
	case p.Width > 0:
		return preset.Size{Width: p.Width, Height: p.Height}.String()
	case p.LongSide > 0:
		return fmt.Sprintf("%d long", p.LongSide)
	}
	return "koda.json"
}

func presetRate(p preset.Preset) string {
	if p.FPS.IsZero() {
		return "koda.json"
	}
	return p.FPS.String() + " fps"
}
