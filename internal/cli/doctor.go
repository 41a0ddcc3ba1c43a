package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

type doctorResult struct {
	head
	Checks []Check `json:"checks"`
}

// DoctorOptions are the arguments and flags of `koda doctor`.
type DoctorOptions struct {
	Project string // "" means the machine
}

func newDoctorCmd(a *app, runF func(context.Context, *DoctorOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *DoctorOptions) error { return runDoctor(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "doctor [PROJECT]",
		Short:   "Check what koda needs on this machine, or a project",
		GroupID: groupMachine,
		Long: `Check what koda needs on this machine and say how to mend what is missing. Ends
with status 1 when no video could be made here.

With PROJECT check that nothing of it is lost: its journal can be read and
replayed, its directory holds it, every file of every version is as it was, and
its sandbox answers. Nothing is changed. Ends with status 1 when something is
not as it should be.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runF(cmd.Context(), &DoctorOptions{Project: first(args)})
		},
		ValidArgsFunction: a.completeProjects,
	}
}

func runDoctor(ctx context.Context, a *app, o *DoctorOptions) error {
	if o.Project != "" {
		return a.withProject(ctx, o.Project, func(ctx context.Context, e Engine, p koda.Project) error { return runExamine(ctx, a, e, p) })
	}
	checks := a.deps.Checks(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	a.result = &doctorResult{Checks: append([]Check{}, checks...)}
	if !a.json {
		fmt.Fprintln(a.io.Out, widget.Checks(a.look().out, widgets(checks), a.io.Columns()))
	}
	var missing []string
	for _, c := range checks {
		if c.Required && c.Status == CheckMissing {
			missing = append(missing, c.Name)
		}
	}
	if len(missing) > 0 {
		return &koda.Error{
			Code: koda.CodeMissingTool, Op: "no video can be made here: " + strings.Join(missing, ", ") + " missing",
			Hint: "do what stands beside it above, then run `koda doctor` again",
		}
	}
	return nil
}

// runExamine shows the state of a project.
func runExamine(ctx context.Context, a *app, e Engine, p koda.Project) error {
	findings, err := e.Examine(ctx, p.ID)
	if err != nil {
		return err
	}
	r := &doctorResult{Checks: []Check{}}
	var wrong []string
	for _, f := range findings {
		c := Check{Name: f.Name, Status: CheckOK, Detail: f.Detail, Fix: f.Fix, Required: true}
		if f.Bad {
			c.Status = CheckWarn
			wrong = append(wrong, f.Name)
		}
		r.Checks = append(r.Checks, c)
	}
	a.result = r
	if !a.json {
		fmt.Fprintln(a.io.Out, widget.Checks(a.look().out, widgets(r.Checks), a.io.Columns()))
	}
	if len(wrong) > 0 {
		return &koda.Error{
			Code: koda.CodeFailed, Op: fmt.Sprintf("project %q is not as it should be: %s", p.Name, strings.Join(wrong, ", ")),
			Hint: "do what stands beside it above",
		}
	}
	return nil
}

// widgets draws checks. Something that is missing but not required is only a warning.
func widgets(checks []Check) []widget.Check {
	drawn := make([]widget.Check, 0, len(checks))
	for _, c := range checks {
		w := widget.Check{Name: c.Name, Detail: c.Detail}
		switch {
		case c.Status == CheckMissing && c.Required:
			w.Level = widget.LevelBad
		case c.Status != CheckOK:
			w.Level = widget.LevelWarn
		}
		if c.Status != CheckOK {
			w.Fix = c.Fix
		}
		drawn = append(drawn, w)
	}
	return drawn
}
