package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/recipe"
)

// updateResult is the result of `koda recipes update` if there is nothing to update.
type updateResult struct {
	head
	Project  koda.Project `json:"project"`
	Recipe   string       `json:"recipe"`
	UpToDate bool         `json:"upToDate"`
}

// UpdateOptions are the arguments and flags of `koda recipes update`.
type UpdateOptions struct {
	Project string
	Force   bool
	Timeout timeLimit
}

func newUpdateCmd(a *app) *cobra.Command {
	o := &UpdateOptions{}
	c := &cobra.Command{
		Use:   "update [PROJECT]",
		Short: "Bring a project to the recipe of this koda",
		Long: `Replace the recipe that a project carries, its manifest, its score and its page
code, by that of this koda. The parameters, src/brand.json and keyframes that you
changed by hand stay. It is a change like that of koda edit: a version and a
preview are made, and koda undo goes back. If you changed files of the recipe
yourself, koda names them and changes nothing, unless --force is given. Without
PROJECT it is that of the working directory.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := emptyFlags(cmd); err != nil {
				return err
			}
			o.Project = first(args)
			return runUpdate(cmd.Context(), a, o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	c.Flags().BoolVar(&o.Force, "force", false, "overwrite files of the recipe that you changed")
	o.Timeout.flag(c)
	return c
}

// errUpToDate ends a conversation in which there is nothing to do.
var errUpToDate = errors.New("up to date")

func runUpdate(ctx context.Context, a *app, o *UpdateOptions) error {
	var done *updateResult
	err := a.converse(ctx, talk{timeout: o.Timeout}, func(ctx context.Context, e Engine) (engine.Outcome, error) {
		p, err := a.findOrTakeUp(ctx, e, o.Project)
		if err != nil {
			return engine.Outcome{}, err
		}
		v, err := e.Show(ctx, p.ID)
		if err != nil {
			return engine.Outcome{}, err
		}
		if v.Version == 0 {
			return engine.Outcome{}, wrongPhase(p, v.Waiting, "updated: nothing is made yet")
		}
		u, err := a.checkUpdate(p)
		switch {
		case err != nil:
			return engine.Outcome{}, err
		case u.Newest && (len(u.Edited) == 0 || !o.Force):
			done = &updateResult{Project: p, Recipe: u.Recipe, UpToDate: true}
			return engine.Outcome{}, errUpToDate
		case len(u.Edited) > 0 && !o.Force:
			return engine.Outcome{}, usage("--force overwrites them, and koda undo brings them back", "you changed %s", strings.Join(u.Edited, ", "))
		}
		return e.Update(ctx, p.ID)
	})
	if !errors.Is(err, errUpToDate) {
		return err
	}
	a.result = done
	if !a.json {
		a.say("", fmt.Sprintf("%s carries the recipe %s of this koda already", done.Project.Name, done.Recipe))
	}
	return nil
}

func (a *app) checkUpdate(p koda.Project) (u recipe.Update, err error) {
	files, err := projectfs.Open(p.Dir)
	if err != nil {
		return u, fmt.Errorf("open directory: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	return a.deps.CheckUpdate(files)
}
