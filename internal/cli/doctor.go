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

func newDoctorCmd(a *app, runF func(context.Context) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context) error { return runDoctor(ctx, a) }
	}
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Check what koda needs on this machine",
		GroupID: groupMachine,
		Long: `Check what koda needs on this machine and say how to mend what is missing. Ends
with status 1 when no video could be made here.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runF(cmd.Context()) },
	}
}

func runDoctor(ctx context.Context, a *app) error {
	checks := a.deps.Checks(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	a.result = &doctorResult{Checks: append([]Check{}, checks...)}
	if !a.json {
		fmt.Fprintln(a.io.Out, widget.Checks(a.look().out, widgets(checks), a.io.Width))
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

// widgets are checks as they are drawn: what is absent and not needed is only a
// warning.
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
