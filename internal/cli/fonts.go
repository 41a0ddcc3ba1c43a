package cli

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/fonts"
	"github.com/koda-video/koda/internal/koda"
)

// Fonts are the fonts that koda keeps beside the program.
type Fonts interface {
	Families() ([]fonts.Family, error)
	// Installed reports whether the fonts that Install installs are there.
	Installed() bool
	// Install lets npm install the fonts of further scripts.
	Install(ctx context.Context) error
	// AddFile takes a font of the person.
	AddFile(path string) (fonts.Family, error)
	// Remove removes a family of the person, or all installed families by the name of one.
	Remove(name string) (removed []string, err error)
}

type (
	fontsResult struct {
		head
		Installed bool       `json:"installed"` // the fonts of further scripts are there
		Fonts     []fontBody `json:"fonts"`
	}
	fontBody struct {
		Name    string   `json:"name"`
		Scripts []string `json:"scripts,omitempty"`
		From    string   `json:"from"`
		Licence string   `json:"licence,omitempty"`
		Own     bool     `json:"own"`
	}
	fontsRemovedResult struct {
		head
		Removed []string `json:"removed"`
	}
)

// builtIn are the families that the program carries.
var builtIn = []fontBody{
	{Name: "Inter Variable", Scripts: []string{"Latin", "Cyrillic", "Greek"}, From: "koda", Licence: "OFL-1.1"},
	{Name: "Space Grotesk Variable", Scripts: []string{"Latin"}, From: "koda", Licence: "OFL-1.1"},
	{Name: "Source Serif 4 Variable", Scripts: []string{"Latin", "Cyrillic", "Greek"}, From: "koda", Licence: "OFL-1.1"},
	{Name: "JetBrains Mono Variable", Scripts: []string{"Latin", "Cyrillic", "Greek"}, From: "koda", Licence: "OFL-1.1"},
}

func newFontsCmd(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "fonts",
		Short:   "List, add and remove fonts of recipes",
		GroupID: groupMachine,
		Long: `List the fonts with which recipes set texts. koda carries fonts for Latin, Cyrillic
and Greek letters. 'koda fonts add' installs fonts for
` + fonts.Scripts + `
(npm downloads 40 MB, of which koda keeps 16). A page gets only the parts that its
texts need, and then the same video comes out on every machine.

Without these fonts koda takes those of this machine. Characters that no font has are
drawn as boxes, and koda says so.`,
		Example: `  koda fonts
  koda fonts add
  koda fonts add AcmeSans.woff2
  koda fonts remove 'Acme Sans'`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runFonts(a) },
	}
	c.AddCommand(&cobra.Command{
		Use: "add [FILE...]", Short: "Install fonts of further scripts, or take fonts of yours (.ttf, .otf, .woff2)", Args: between(0, 64),
		RunE: func(cmd *cobra.Command, args []string) error { return runFontsAdd(cmd.Context(), a, args) },
	}, &cobra.Command{
		Use: "remove NAME", Short: "Remove a font of yours, or all fonts of further scripts by the name of one", Args: between(1, 1),
		RunE:              func(_ *cobra.Command, args []string) error { return runFontsRemove(a, args[0]) },
		ValidArgsFunction: a.completeFonts,
	})
	return c
}

func (a *app) completeFonts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if s, err := a.deps.Fonts(); err == nil {
		all, _ := s.Families() //nolint:errcheck // nothing to complete
		for _, f := range all {
			names = append(names, f.Name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func runFonts(a *app) error {
	s, err := a.deps.Fonts()
	if err != nil {
		return err
	}
	all, err := s.Families()
	if err != nil {
		return err
	}
	list := append([]fontBody{}, builtIn...)
	for _, f := range all {
		list = append(list, fontBody{Name: f.Name, Scripts: f.Scripts, From: f.From, Licence: f.Licence, Own: f.Own})
	}
	a.result = &fontsResult{Installed: s.Installed(), Fonts: list}
	if a.json {
		return nil
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range list {
		scripts := strings.Join(f.Scripts, ", ")
		if f.Own {
			scripts = "yours"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", f.Name, scripts, f.From)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("lay out fonts: %w", err)
	}
	if _, err := fmt.Fprint(a.io.Out, b.String()); err != nil {
		return err
	}
	if !s.Installed() {
		a.say("", "koda fonts add installs fonts for "+fonts.Scripts+".")
	}
	return nil
}

func runFontsAdd(ctx context.Context, a *app, files []string) error {
	s, err := a.deps.Fonts()
	if err != nil {
		return err
	}
	for _, file := range files {
		f, err := s.AddFile(file)
		if err != nil {
			return err
		}
		a.say("", fmt.Sprintf("%s is added. src/brand.json of a project can name it, and other fonts fall back to it.", f.Name))
	}
	if len(files) == 0 && s.Installed() {
		a.say("", "The fonts for "+fonts.Scripts+" are there already.")
	} else if len(files) == 0 {
		a.say("", "npm downloads fonts for "+fonts.Scripts+" …")
		if err := s.Install(ctx); err != nil {
			return err
		}
	}
	return runFonts(a)
}

func runFontsRemove(a *app, name string) error {
	for _, f := range builtIn {
		if strings.EqualFold(f.Name, name) {
			return &koda.Error{Code: koda.CodeUsage, Op: f.Name + " is part of koda and cannot be removed", Hint: "koda fonts lists the fonts"}
		}
	}
	s, err := a.deps.Fonts()
	if err != nil {
		return err
	}
	removed, err := s.Remove(name)
	if err != nil {
		return err
	}
	a.result = &fontsRemovedResult{Removed: removed}
	if a.json {
		return nil
	}
	_, err = fmt.Fprintf(a.io.Out, "removed %s\n", strings.Join(removed, ", "))
	return err
}
