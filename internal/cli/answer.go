package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// AnswerOptions are the arguments and flags of `koda answer`.
type AnswerOptions struct {
	Project string
	Text    string // an option's number, id or label, or free text
}

func newAnswerCmd(a *app, runF func(context.Context, *AnswerOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *AnswerOptions) error { return runAnswer(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "answer [PROJECT] OPTION|TEXT",
		Short:   "Answer the question a project asked",
		GroupID: groupWork,
		Long: `Answer the question a project asked, with the number, id or label of an option,
or in your own words. Without PROJECT it is that of the working directory.`,
		Example: `  koda answer bouncing-ball playful
  koda answer bouncing-ball "slow, like honey"`,
		Args: atLeast(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := &AnswerOptions{}
			o.Project, o.Text = projectAndText(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
}

func runAnswer(ctx context.Context, a *app, o *AnswerOptions) error {
	return a.converse(ctx, talk{notes: true}, func(ctx context.Context, e Engine) (engine.Outcome, error) {
		p, err := e.Find(ctx, o.Project)
		if err != nil {
			return engine.Outcome{}, err
		}
		v, err := e.Show(ctx, p.ID)
		if err != nil {
			return engine.Outcome{Project: p}, err
		}
		here := engine.Outcome{Project: p, State: v.State, Waiting: v.Waiting}
		if v.State.Question == nil || v.Waiting != engine.WaitingAnswer {
			return here, wrongPhase(p, v.Waiting, "answered: it asks nothing")
		}
		q := v.State.Question.Question
		answer, err := readAnswer(q, strings.TrimSpace(o.Text))
		if err != nil {
			return here, err
		}
		return e.Answer(ctx, p.ID, v.Seen, answer)
	})
}

// readAnswer reads an answer: a number, the id or label of an option, or free text.
func readAnswer(q koda.Question, text string) (koda.Answer, error) {
	n, notNumber := strconv.Atoi(text)
	var ids []string
	for i, o := range q.Options {
		if notNumber == nil && n == i+1 || strings.EqualFold(text, o.ID) || strings.EqualFold(text, o.Label) {
			return koda.Answer{OptionID: o.ID}, nil
		}
		ids = append(ids, o.ID)
	}
	if text != "" && notNumber != nil && q.CustomInput {
		return koda.Answer{Text: text}, nil
	}
	hint := fmt.Sprintf("use 1 to %d, or one of %s", len(ids), strings.Join(ids, ", "))
	if near := koda.Nearest(text, ids); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return koda.Answer{}, usage(hint, "%q is not an answer to %q", text, q.Text)
}

// wrongPhase is the error of a command that a project cannot take in its present phase.
func wrongPhase(p koda.Project, w engine.Waiting, what string) error {
	name := p.Name
	hint := map[engine.Waiting]string{
		engine.WaitingAnswer:  "it waits for an answer: koda answer " + name + " OPTION",
		engine.WaitingPlan:    "its plan waits for approval: koda accept " + name,
		engine.WaitingPreview: "its preview waits for approval: koda accept " + name,
		engine.WaitingRetry:   "its work is unfinished: koda resume " + name,
		engine.WaitingNothing: "see where it stands: koda show " + name,
	}[w]
	return &koda.Error{Code: koda.CodeWrongPhase, Op: fmt.Sprintf("%s cannot be %s", name, what), Hint: hint}
}
