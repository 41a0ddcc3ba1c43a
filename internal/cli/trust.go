package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/tui/widget"
)

type trustResult struct {
	head
	Files   []config.DirectoryFile `json:"files"`
	Removed []string               `json:"removed,omitempty"` // paths that are no longer trusted
}

// TrustOptions are the arguments and flags of `koda trust`.
type TrustOptions struct {
	Path   string // "" means the working directory
	Yes    bool
	List   bool
	Remove bool
}

func newTrustCmd(a *app, runF func(context.Context, *TrustOptions) error) *cobra.Command {
	o := &TrustOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *TrustOptions) error { return runTrust(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "trust [FILE|DIR]",
		Short:   "Let the settings files of a directory decide",
		GroupID: groupMachine,
		Long: `Let the settings files of a directory decide: .env and .koda/config.json, and the
texts for models in its .koda/prompts.

Such a file can come along with a directory that others made. So until you trust
it, koda takes from it only color, and nothing that names a place, a
limit, a program, a key or an address. This command shows what the file says and
asks. What it remembers is the digest of the file: once the file changes, it is
trusted no more.`,
		Example: `  koda trust
  koda trust ~/films/ball/.env --yes
  koda trust --list
  koda trust --remove ~/films/ball`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Path = first(args)
			switch {
			case o.List && (o.Remove || o.Path != ""):
				return usage("leave one of them out", "--list stands alone")
			case len(args) > 0 && o.Path == "":
				return usage("name a file or a directory", "the path is empty")
			}
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: completeTrust,
	}
	c.Flags().BoolVarP(&o.Yes, "yes", "y", false, "do not ask")
	c.Flags().BoolVar(&o.List, "list", false, "list the files you trust")
	c.Flags().BoolVar(&o.Remove, "remove", false, "trust them no more")
	return c
}

func runTrust(ctx context.Context, a *app, o *TrustOptions) error {
	sources, err := a.deps.Settings()
	if err != nil {
		return err
	}
	r := &trustResult{Files: []config.DirectoryFile{}}
	a.result = r
	path := cmp.Or(o.Path, ".")
	switch {
	case o.List:
		r.Files, err = sources.Trusted()
		a.showTrusted(r.Files)
		return err
	case o.Remove:
		r.Removed, err = sources.Distrust(path)
		for _, path := range r.Removed {
			a.tell("trusted no more: %s\n", path)
		}
		if err == nil && len(r.Removed) == 0 {
			a.tell("nothing there was trusted\n")
		}
		return err
	}
	r.Files, err = sources.DirectoryFiles(path)
	if err != nil {
		return err
	}
	open := a.showFiles(r.Files)
	if len(open) == 0 {
		a.tell("there is nothing to trust\n")
		return nil
	}
	if !o.Yes {
		if err := a.confirm(ctx, "Let it decide this, as long as it does not change?", strings.TrimSpace("koda trust "+o.Path)+" --yes"); err != nil {
			return err
		}
	}
	for _, f := range open {
		f.Trusted, f.Changed = true, false
		if err := sources.Trust(*f); err != nil {
			return err
		}
		a.tell("trusted: %s\n", f.Path)
	}
	return nil
}

// tell writes a line for people; under --json it writes nothing.
func (a *app) tell(format string, path ...any) {
	if a.json {
		return
	}
	for i, p := range path {
		path[i] = widget.Line(fmt.Sprint(p))
	}
	fmt.Fprintf(a.io.Err, format, path...)
}

// showFiles prints the settings in files that need trust, and returns the files that are
// not trusted yet.
func (a *app) showFiles(files []config.DirectoryFile) (open []*config.DirectoryFile) {
	for i, f := range files {
		state := ""
		switch {
		case len(f.Says) == 0:
			state = " (says nothing that needs trust)"
		case f.Trusted:
			state = " (trusted)"
		case f.Changed:
			state = " (changed since it was trusted)"
		}
		if len(f.Says) > 0 && !f.Trusted {
			open = append(open, &files[i])
		}
		if a.json {
			continue
		}
		fmt.Fprintf(a.io.Out, "%s%s\n", widget.Line(f.Path), state)
		w := tabwriter.NewWriter(a.io.Out, 0, 8, 2, ' ', 0)
		for _, v := range f.Says {
			if lines := strings.Split(strings.TrimSpace(v.Text), "\n"); len(lines) > 1 { // a text for models
				fmt.Fprintf(w, "  %s:\n", v.Name)
				for _, l := range lines {
					fmt.Fprintln(w, "  | "+widget.Line(l))
				}
				continue
			}
			fmt.Fprintf(w, "  %s\t%s\n", v.Name, widget.Line(v.Text))
		}
		_ = w.Flush() //nolint:errcheck // a closed pipe is told once, by its writer
	}
	return open
}

// showTrusted prints the list of trusted files.
func (a *app) showTrusted(files []config.DirectoryFile) {
	if a.json {
		return
	}
	for _, f := range files {
		state := ""
		switch {
		case f.Gone:
			state = " (missing)"
		case f.Changed:
			state = " (changed: trusted no more)"
		}
		fmt.Fprintf(a.io.Out, "%s%s\n", widget.Line(f.Path), state)
	}
	if len(files) == 0 {
		fmt.Fprintln(a.io.Err, "no settings file of a directory is trusted")
	}
}
