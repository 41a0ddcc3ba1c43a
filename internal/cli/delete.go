package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

type deleteResult struct {
	head
	Project koda.Project `json:"project"`
	Left    []string     `json:"left"`
	// Render is the render that was deleted with its files; nil if the project was
	// deleted.
	Render  *koda.RenderRecord `json:"render,omitempty"`
	Removed []string           `json:"removed,omitempty"`
}

// DeleteOptions are the arguments and flags of `koda delete`.
type DeleteOptions struct {
	Project string
	Render  string // id of one render; "" means the whole project
	Yes     bool
}

func newDeleteCmd(a *app, runF func(context.Context, *DeleteOptions) error) *cobra.Command {
	o := &DeleteOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *DeleteOptions) error { return runDelete(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "delete PROJECT",
		Aliases: []string{"rm"},
		Short:   "Delete a project and its videos, or one of them",
		GroupID: groupLook,
		Long: `Delete a project: its rows, its files and its videos. Work on it is ended first. Files
that koda did not make stay, and are named. With --render it deletes one render only: video,
thumbnail, strip and row; 'koda show' lists their ids. koda asks first, unless
--yes is given.`,
		Example: `  koda delete bouncing-ball
  koda delete bouncing-ball --render r9`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Project = args[0]
			// A variable that is not set must not delete more than was meant.
			switch {
			case o.Project == "":
				return usage("name the project; koda list shows them", "the name of the project is empty")
			case cmd.Flags().Changed("render") && o.Render == "":
				return usage("koda show "+o.Project+" lists the renders", "the id of the render is empty")
			}
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	c.Flags().StringVar(&o.Render, "render", "", "delete only the render of this `ID`")
	_ = c.RegisterFlagCompletionFunc("render", a.completeRenders) //nolint:errcheck // the flag is there
	c.Flags().BoolVarP(&o.Yes, "yes", "y", false, "do not ask")
	return c
}

func runDelete(ctx context.Context, a *app, o *DeleteOptions) error {
	return a.withProject(ctx, o.Project, func(ctx context.Context, e Engine, p koda.Project) error {
		if o.Render != "" {
			return a.deleteRender(ctx, e, p, o)
		}
		if !o.Yes {
			if err := a.confirm(ctx, fmt.Sprintf("Delete %s in %s?", p.Name, p.Dir), "koda delete "+o.Project+" --yes"); err != nil {
				return err
			}
		}
		left, err := e.Delete(ctx, p.ID)
		if err != nil {
			return err
		}
		a.result = &deleteResult{Project: p, Left: append([]string{}, left...)}
		if a.json {
			return nil
		}
		a.say("", fmt.Sprintf("deleted %s", p.Name))
		if len(left) > 0 {
			a.say("", fmt.Sprintf("left in %s, as koda did not make it:", p.Dir))
			for _, path := range left {
				fmt.Fprintln(a.io.Err, "  "+path)
			}
		}
		return nil
	})
}

func (a *app) deleteRender(ctx context.Context, e Engine, p koda.Project, o *DeleteOptions) error {
	if !o.Yes {
		command := fmt.Sprintf("koda delete %s --render %s --yes", o.Project, o.Render)
		if err := a.confirm(ctx, fmt.Sprintf("Delete the render %s of %s?", o.Render, p.Name), command); err != nil {
			return err
		}
	}
	d, err := e.DeleteRender(ctx, p.ID, o.Render)
	if err != nil {
		return err
	}
	a.result = &deleteResult{Project: p, Left: append([]string{}, d.Left...), Render: &d.Render, Removed: d.Removed}
	if a.json {
		return nil
	}
	a.say("", fmt.Sprintf("deleted render %s of %s", shortRender(d.Render), p.Name))
	for _, path := range d.Removed {
		fmt.Fprintln(a.io.Err, "  "+widget.Line(path))
	}
	if len(d.Left) > 0 {
		a.say("", "left, as it was changed or is another render's too:")
		for _, path := range d.Left {
			fmt.Fprintln(a.io.Err, "  "+widget.Line(path))
		}
	}
	return nil
}

// shortRender is what a person types to mean a render of a project.
func shortRender(r koda.RenderRecord) string { return strings.TrimPrefix(r.ID, r.ProjectID+"-") }

// completeRenders completes the renders of the project named before.
func (a *app) completeRenders(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 || a.deps.Engine == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []string
	err := a.withProject(cmd.Context(), args[0], func(ctx context.Context, e Engine, p koda.Project) error {
		v, err := e.Show(ctx, p.ID)
		for _, r := range v.Renders {
			ids = append(ids, fmt.Sprintf("%s\tv%d %s, %s", shortRender(r), r.Version, r.Kind, filepath.Base(r.Spec.Output)))
		}
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// confirm asks for a yes. Without a yes the command ends with NEEDS_PERSON.
func (a *app) confirm(ctx context.Context, question, command string) error {
	if !a.canAsk() {
		return &koda.Error{Code: koda.CodeNeedsPerson, Op: "nobody is here to confirm it", Hint: "to do it without being asked: " + command}
	}
	a.say("", question)
	l, err := a.io.Ask(ctx, "[y/N] ")
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(l)) {
	case "y", "yes":
		return nil
	}
	return &koda.Error{Code: koda.CodeNeedsPerson, Op: "you did not say yes: nothing was done"}
}
