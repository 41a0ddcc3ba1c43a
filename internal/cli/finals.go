package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

// FinalOptions are the flags about final videos, for commands that lead to them.
type FinalOptions struct {
	Presets   []string // none: keep the earlier choice
	Output    string   // a second place for them; "": no second place
	NoClobber bool
}

// outputFlags adds -o and --no-clobber to a command that leads to final videos.
func (o *FinalOptions) outputFlags(c *cobra.Command) {
	c.Flags().StringVarP(&o.Output, "output", "o", "", "`FILE` or directory to put the final video at as well")
	c.Flags().BoolVar(&o.NoClobber, "no-clobber", false, "with --output: fail when the file exists")
}

// flags also adds --preset.
func (o *FinalOptions) flags(c *cobra.Command) {
	o.outputFlags(c)
	c.Flags().StringSliceVar(&o.Presets, "preset", nil, "`NAME`s of the final videos: "+strings.Join(finalPresets(), ", "))
	_ = c.RegisterFlagCompletionFunc("preset", lists(finalPresets())) //nolint:errcheck // the flag is there
}

// destination is the second place of final videos; nil means no second place. In dir, the
// directory of their project if there is a project, koda writes nothing through a link.
func (o *FinalOptions) destination(dir string) (*koda.Destination, error) {
	switch several, err := severalIn(o.Output, len(o.Presets)); {
	case err != nil:
		return nil, err
	case o.Output == "" && o.NoClobber:
		return nil, usage("say where: --output FILE", "--no-clobber is about --output")
	case o.Output == "":
		return nil, nil
	case several || isDir(o.Output) || strings.HasSuffix(o.Output, string(filepath.Separator)):
		path, err := target{dir: dir}.outputDir(o.Output, "")
		if err == nil {
			err = canHold(path, o.Output, "")
		}
		return &koda.Destination{Path: path, Dir: true, NoClobber: o.NoClobber}, err
	}
	format := cmp.Or(formatOf(o.Output), preset.MP4)
	if _, err := (target{dir: dir}).outputFile(o.Output, "video", format, o.NoClobber); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(o.Output)
	return &koda.Destination{Path: path, NoClobber: o.NoClobber}, err
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

// lookupFinals finds the presets of a list for final videos, each preset once.
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

// of is the final videos that the person wants of a project; nil if the person said
// nothing of them.
func (o *FinalOptions) of(p koda.Project) ([]engine.Finals, error) {
	found, err := lookupFinals(o.Presets)
	if err != nil {
		return nil, err
	}
	to, err := o.destination(p.Dir)
	if err != nil || len(found) == 0 && to == nil {
		return nil, err
	}
	f := engine.Finals{To: to}
	for _, p := range found {
		f.Presets = append(f.Presets, p.Name)
	}
	return []engine.Finals{f}, nil
}
