package cli

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

type listResult struct {
	head
	Projects []koda.Project `json:"projects"`
}

func newListCmd(a *app, runF func(context.Context) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context) error { return runList(ctx, a) }
	}
	return &cobra.Command{
		Use:     "list",
		Aliases: []string{"ls", "projects"},
		Short:   "List projects, the latest first",
		GroupID: groupLook,
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runF(cmd.Context()) },
	}
}

func runList(ctx context.Context, a *app) error {
	r := &listResult{Projects: []koda.Project{}}
	err := a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		projects, err := e.List(ctx)
		r.Projects = append(r.Projects, projects...)
		return err
	})
	if err != nil {
		return err
	}
	a.result = r
	if a.json {
		return nil
	}
	if len(r.Projects) == 0 {
		a.say("", `no projects yet; make one with: koda new "bouncing ball"`)
		return nil
	}
	_, err = fmt.Fprint(a.io.Out, a.projectTable(r.Projects))
	return err
}

// projectTable shows projects in columns. At a terminal no line is longer than the
// terminal is wide.
func (a *app) projectTable(projects []koda.Project) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tPHASE\tCHANGED\tDIRECTORY\tPROMPT")
	now := a.deps.Now()
	for _, p := range projects {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", p.Name, standing(p), ago(now.Sub(p.UpdatedAt)), p.Dir, oneLine(p.Prompt, 60))
	}
	_ = w.Flush() //nolint:errcheck // a strings.Builder does not fail
	if !a.io.OutTTY {
		return b.String()
	}
	return cut(b.String(), a.io.Columns())
}

// cut shortens lines to width.
func cut(text string, width int) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString(widget.Cut(strings.TrimRight(l, "\n"), width, "…") + "\n")
	}
	return b.String()
}

// standing is the phase of a project, or says that its directory is gone or its work interrupted.
func standing(p koda.Project) string {
	switch {
	case p.Gone:
		return "gone"
	case p.Interrupted:
		return "interrupted"
	}
	return string(p.Phase)
}
