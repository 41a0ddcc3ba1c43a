package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/tui/widget"
)

// ModelService is a service of models, and what it said.
type ModelService struct {
	Provider string
	Address  string
	Default  string // the model that is asked if a person names none; "": none is
	Chosen   bool   // the person's settings name it
	Models   []llm.Info
	Err      error // why it does not answer
}

type (
	modelsResult struct {
		head
		Services []serviceBody `json:"services"`
	}
	serviceBody struct {
		Provider string     `json:"provider"`
		Address  string     `json:"address"`
		Answers  bool       `json:"answers"`
		Failed   *errorBody `json:"error,omitempty"`
		Default  string     `json:"default,omitempty"`
		Models   []llm.Info `json:"models"`
	}
	trialResult struct {
		head
		Model string     `json:"model"`
		Trial *trialBody `json:"trial"`
	}
	trialBody struct {
		llm.Trial
		MS int64 `json:"ms"`
	}
)

func newModelsCmd(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "models [TEXT]",
		Short:   "List the language models that answer",
		GroupID: groupMachine,
		Long: `List the language models that answer, those with TEXT in their names, and what
their services say of them: the tokens they read at most, and whether they see
pictures and use tools.

The services are anthropic, openai and openrouter, whose keys are taken from
ANTHROPIC_API_KEY, OPENAI_API_KEY and OPENROUTER_API_KEY or from the settings of
these names, and ollama, lmstudio and llamacpp on this machine. --base-url names
another address of the service, or a server that speaks as OpenAI does. A key goes
over https, or stays on this machine.

'koda models try' asks one model for next to nothing and says what it can do.

'koda new --model PROVIDER/NAME' lets a model think a video up and build it; the
recipes need none.`,
		Example: `  koda models
  koda models sonnet
  koda models try --model anthropic
  koda models try --model ollama/qwen3-vl:8b
  koda models --base-url http://localhost:8000/v1`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runModels(cmd.Context(), a, first(args)) },
	}
	c.AddCommand(&cobra.Command{
		Use: "try", Short: "Ask a model for next to nothing, and say what it can do", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runModelsTry(cmd.Context(), a) },
	})
	return c
}

func runModels(ctx context.Context, a *app, text string) error {
	all, err := a.deps.Models(ctx)
	if err != nil {
		return err
	}
	result := &modelsResult{Services: []serviceBody{}}
	a.result = result
	var b strings.Builder
	found := 0
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, s := range all {
		body := serviceBody{Provider: s.Provider, Address: s.Address, Answers: s.Err == nil, Failed: bodyOf(s.Err), Default: s.Default, Models: []llm.Info{}}
		for _, m := range s.Models {
			if name := s.Provider + "/" + m.ID; m.ID != "" && strings.Contains(strings.ToLower(name), strings.ToLower(text)) {
				body.Models = append(body.Models, m)
				row := widget.Line(name) + "\t" + tokens(m.Context) + "\t" + strings.Join(abilities(m, s), ", ")
				fmt.Fprintln(w, strings.TrimRight(row, "\t"))
				found++
			}
		}
		result.Services = append(result.Services, body)
		if s.Chosen && s.Err != nil {
			err = s.Err
		}
	}
	if found == 0 && text != "" {
		a.say("", fmt.Sprintf("No model that answers has %q in its name.", text))
	}
	if a.json {
		return err
	}
	if flushed := w.Flush(); flushed != nil {
		return fmt.Errorf("lay out models: %w", flushed)
	}
	if _, printed := fmt.Fprint(a.io.Out, b.String()); printed != nil {
		return printed
	}
	chosen := slices.ContainsFunc(all, func(s ModelService) bool { return s.Chosen })
	if !chosen && !slices.ContainsFunc(all, func(s ModelService) bool { return s.Err == nil }) {
		a.say("", "No model answers. One does with a key of a service, or on this machine by Ollama, LM Studio or llama.cpp. The recipes need none.")
	}
	for _, s := range all {
		switch {
		case chosen && !s.Chosen && s.Err != nil: // nobody means it
		case s.Err == nil && len(s.Models) == 0:
			a.say("", s.Provider+" answers at "+s.Address+" and has no models.")
		case s.Err != nil && (!s.Chosen || err == nil):
			a.say("", s.Provider+": "+widget.Line(s.Err.Error())+": "+widget.Line(koda.HintOf(s.Err)))
		}
	}
	return err
}

// tokens is a number of tokens for people.
func tokens(n int64) string {
	switch {
	case n == 0:
		return ""
	case n >= 1_000_000:
		return fmt.Sprintf("%.3gM tokens", float64(n)/1e6)
	}
	return fmt.Sprintf("%.3gk tokens", float64(n)/1e3)
}

// abilities are the things that a service says its model can and cannot do.
func abilities(m llm.Info, s ModelService) []string {
	var all []string
	for _, can := range []struct {
		what string
		says *bool
	}{{"pictures", m.Pictures}, {"tools", m.Tools}, {"several at once", m.Parallel}} {
		switch {
		case can.says == nil:
		case *can.says:
			all = append(all, can.what)
		case can.what == "tools":
			all = append(all, "no tools")
		}
	}
	if m.Ends != "" {
		all = append(all, "ends "+widget.Line(m.Ends))
	}
	if m.ID == s.Default {
		all = append(all, "default")
	}
	return all
}

func runModelsTry(ctx context.Context, a *app) error {
	m, name, err := a.deps.Model()
	if err != nil {
		return err
	}
	began := a.deps.Now()
	t, err := llm.Try(ctx, m)
	took := a.deps.Now().Sub(began)
	body := &trialBody{Trial: t, MS: took.Milliseconds()}
	if err != nil {
		return err
	}
	a.result = &trialResult{Model: name, Trial: body}
	if a.json {
		return nil
	}
	yes := func(can bool) string {
		if can {
			return "yes"
		}
		return "no"
	}
	cost := t.Usage.Cost()
	spent := fmt.Sprintf("%d tokens read, %d written, %s", cost.InputTokens, cost.OutputTokens, cost.Price())
	if cost.InputTokens+cost.OutputTokens == 0 {
		spent = "the service does not count tokens"
	}
	facts := []widget.Fact{
		{Name: "answers", Value: "yes, in " + took.Round(10*time.Millisecond).String() + ": " + spent},
		{Name: "tools", Value: yes(t.Tools)}, {Name: "several at once", Value: yes(t.Parallel)}, {Name: "pictures", Value: yes(t.Pictures)},
	}
	if t.NoPicture != "" {
		facts[3].Value = "no: " + widget.Line(t.NoPicture)
	}
	_, err = fmt.Fprintf(a.io.Out, "%s\n%s\n", widget.Line(name), widget.Facts(a.look().out, facts, a.io.Columns()))
	return err
}
