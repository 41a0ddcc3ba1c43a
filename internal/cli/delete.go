package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
)

type deleteResult struct {
	head
	Project koda.Project `json:"project"`
	Left    []string     `json:"left"`
}

// DeleteOptions is what `koda delete` was told.
type DeleteOptions struct {
	Project string
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
		Short:   "Delete a project and its videos",
		GroupID: groupLook,
		Long: `Delete a project: its rows, its files and its videos. Files that koda did not
make stay, and are named. koda asks first, unless --yes is given.`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Project = args[0]
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	c.Flags().BoolVarP(&o.Yes, "yes", "y", false, "do not ask")
	return c
}

func runDelete(ctx context.Context, a *app, o *DeleteOptions) error {
	return a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		p, err := e.Find(ctx, o.Project)
		if err != nil {
			return err
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
		fmt.Fprintf(a.io.Err, "deleted %s\n", p.Name)
		if len(left) > 0 {
			fmt.Fprintf(a.io.Err, "left in %s, as koda did not make it:\n", p.Dir)
			for _, path := range left {
				fmt.Fprintln(a.io.Err, "  "+path)
			}
		}
		return nil
	})
}

// confirm asks for a yes; without one the command ends with NEEDS_PERSON.
func (a *app) confirm(ctx context.Context, question, command string) error {
	if !a.canAsk() {
		return &koda.Error{Code: koda.CodeNeedsPerson, Op: "nobody is here to confirm it", Hint: "to do it without being asked: " + command}
	}
	fmt.Fprint(a.io.Err, question+" [y/N] ")
	l, err := a.io.ReadLine(ctx)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(l)) {
	case "y", "yes":
		return nil
	}
	return &koda.Error{Code: koda.CodeNeedsPerson, Op: "nothing was deleted"}
}
