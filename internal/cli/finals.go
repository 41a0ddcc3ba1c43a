package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

// finalsFlag adds --preset to a command that leads to final videos.
func finalsFlag(c *cobra.Command, into *[]string) {
	c.Flags().StringSliceVar(into, "preset", nil, "output `NAME`s of the final videos: "+strings.Join(finalPresets(), ", "))
	_ = c.RegisterFlagCompletionFunc("preset", words(finalPresets())) //nolint:errcheck // the flag is there
}

func finalPresets() []string {
	var names []string
	for _, p := range preset.All() {
		if p.Kind == koda.RenderFinal {
			names = append(names, p.Name)
		}
	}
	return names
}

// lookupFinals finds the presets of a list that final videos are made by, each
// once.
func lookupFinals(names []string) (found []preset.Preset, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	if found, err = lookupPresets(names); err != nil {
		return nil, err
	}
	for _, p := range found {
		if p.Kind != koda.RenderFinal {
			return nil, usage(fmt.Sprintf("every project gets one; `koda render PROJECT --preset %s` makes another", p.Name), "preset %s is not for final videos", p.Name)
		}
	}
	return found, nil
}

// chooseFinals tells a project of which presets there is to be a final video, if
// that was said and it waits for one of waiting; else the command says why not.
func chooseFinals(ctx context.Context, e Engine, p koda.Project, names []string, waiting ...engine.Waiting) error {
	found, err := lookupFinals(names)
	if err != nil || len(found) == 0 {
		return err
	}
	v, err := e.Show(ctx, p.ID)
	if err != nil || len(waiting) > 0 && !slices.Contains(waiting, v.Waiting) {
		return err
	}
	names = nil
	for _, p := range found {
		names = append(names, p.Name)
	}
	return e.Choose(ctx, p.ID, names)
}
