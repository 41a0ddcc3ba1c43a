package cli

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// RejectOptions are the arguments and flags of `koda reject`.
type RejectOptions struct {
	Project  string
	Feedback string
}

func newRejectCmd(a *app, runF func(context.Context, *RejectOptions) error) *cobra.Command {
	o := &RejectOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *RejectOptions) error { return runReject(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "reject [PROJECT] -m WHY",
		Short:   "Reject a plan and say why",
		GroupID: groupWork,
		Long: `Reject a project's plan and say why; another one is proposed. To keep the plan
and change a part of it, use 'koda edit'.`,
		Example: `  koda reject bouncing-ball -m "one scene is enough"`,
		Args:    between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Project = first(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	c.Flags().StringVarP(&o.Feedback, "message", "m", "", "`WHAT` should be different")
	return c
}

func runReject(ctx context.Context, a *app, o *RejectOptions) error {
	feedback, err := sayIt(ctx, a, o.Feedback, "What should be different?", `say why: koda reject -m "one scene is enough"`)
	if err != nil {
		return err
	}
	return a.converse(ctx, talk{}, func(ctx context.Context, e Engine) (engine.Outcome, error) {
		p, err := e.Find(ctx, o.Project)
		if err != nil {
			return engine.Outcome{}, err
		}
		return e.Reject(ctx, p.ID, koda.Seen{}, feedback)
	})
}

// sayIt is the text that the person gave, or gives when asked.
func sayIt(ctx context.Context, a *app, text, question, hint string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" && a.canAsk() {
		l, err := a.io.Ask(ctx, question+" ")
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		text = strings.TrimSpace(l)
	}
	switch {
	case text == "":
		return "", usage(hint, "nothing was said")
	case len(text) > maxPrompt:
		return "", usage("say it shorter", "the message is longer than %d KiB", maxPrompt>>10)
	}
	return text, nil
}
