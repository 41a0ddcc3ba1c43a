package cli

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

type promptsResult struct {
	head
	Prompts []config.Prompt `json:"prompts"`
}

type promptResult struct {
	head
	Prompt config.Prompt `json:"prompt"`
	Text   string        `json:"text,omitempty"`
	Old    string        `json:"old,omitempty"` // where a text that was reset lies
}

func newPromptsCmd(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "prompts",
		Short:   "List the texts that models are told, and change them",
		GroupID: groupMachine,
		Long: `List the texts that models are told, and change them. A text of your own lies in the
folder prompts beside your settings file and holds for all projects. A project may
have its own in .koda/prompts; koda tells models of it once you trust the file, by
koda trust. koda history names the texts that a version was made with.`,
		Example: `  koda prompts
  koda prompts show design
  koda prompts edit design
  koda prompts edit design my-design.md
  koda prompts reset design`,
		Args: subcommandOnly,
		RunE: func(*cobra.Command, []string) error { return runPrompts(a) },
	}
	one := func(use, short string, most int, run func(context.Context, []string) error) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: short, Args: between(1, most),
			RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args) },
			ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				s, err := a.deps.Settings()
				if err != nil {
					return nil, cobra.ShellCompDirectiveError
				}
				return s.PromptNames, cobra.ShellCompDirectiveDefault
			},
		}
	}
	c.AddCommand(
		&cobra.Command{Use: "list", Short: "List the texts, and where each comes from", Args: noArgs, RunE: func(*cobra.Command, []string) error { return runPrompts(a) }},
		one("show NAME", "Print a text as models are told it here", 1, func(_ context.Context, args []string) error { return runPromptsShow(a, args[0]) }),
		one("edit NAME [FILE]", "Write a text of your own, in your editor or from a file; - is standard input", 2, func(ctx context.Context, args []string) error { return runPromptsEdit(ctx, a, args[0], args[1:]) }),
		one("reset NAME", "Take koda's text again; yours is kept beside it as NAME.md.old", 1, func(_ context.Context, args []string) error { return runPromptsReset(a, args[0]) }),
	)
	return c
}

// prompts are the texts as the project of the working directory has them.
func (a *app) prompts() (config.Sources, []config.Prompt, error) {
	s, err := a.deps.Settings()
	if err != nil {
		return s, nil, err
	}
	all, warnings, err := s.Prompts(s.Dir)
	for _, w := range warnings {
		a.warned = append(a.warned, w)
		a.warn(w)
	}
	return s, all, err
}

func runPrompts(a *app) error {
	_, all, err := a.prompts()
	if err != nil {
		return err
	}
	a.result = &promptsResult{Prompts: all}
	if a.json {
		return nil
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, p := range all {
		whose := map[config.Origin]string{config.FromDefault: "koda's", config.FromUser: "yours", config.FromProject: "the project's"}[p.Origin]
		fmt.Fprintln(w, strings.TrimRight(p.Name+"\t"+whose+"\t"+widget.Line(p.Path), "\t"))
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("lay out texts: %w", err)
	}
	_, err = fmt.Fprint(a.io.Out, b.String())
	return err
}

// isPrompt refuses a name that is none of a text.
func isPrompt(s config.Sources, name string) error {
	if slices.Contains(s.PromptNames, name) {
		return nil
	}
	hint := "there are " + strings.Join(s.PromptNames, ", ")
	if near := koda.Nearest(name, s.PromptNames); near != "" {
		hint = "did you mean " + near + "?"
	}
	return usage(hint, "there is no text %q", name)
}

// prompt finds a text by its name. USAGE: there is no such text.
func (a *app) prompt(name string) (config.Sources, config.Prompt, string, error) {
	s, all, err := a.prompts()
	if err == nil {
		err = isPrompt(s, name)
	}
	if err != nil {
		return s, config.Prompt{}, "", err
	}
	p := all[slices.IndexFunc(all, func(p config.Prompt) bool { return p.Name == name })]
	if p.Text != "" {
		return s, p, p.Text, nil
	}
	own, err := fs.ReadFile(a.deps.Prompts, name+".md")
	if err != nil {
		return s, p, "", fmt.Errorf("read koda's text: %w", err)
	}
	return s, p, string(own), nil
}

func runPromptsShow(a *app, name string) error {
	_, p, text, err := a.prompt(name)
	if err != nil {
		return err
	}
	a.result = &promptResult{Prompt: p, Text: text}
	if a.json {
		return nil
	}
	_, err = fmt.Fprintln(a.io.Out, strings.TrimRight(text, "\n"))
	return err
}

func runPromptsEdit(ctx context.Context, a *app, name string, from []string) error {
	s, p, text, err := a.prompt(name)
	if err != nil {
		return err
	}
	if p.Origin == config.FromProject {
		return usage("write it there, and say koda trust again", "the project has its own text %s: %s", name, p.Path)
	}
	next := ""
	switch {
	case len(from) > 0:
		data, err := readData(ctx, from[0])
		if from[0] == "-" {
			data, err = readAll(ctx, a.io.In, maxPrompt<<2)
		}
		if err != nil {
			return err
		}
		next = string(data)
	case a.io.Screen == nil || !a.canAsk():
		return usage("koda prompts edit "+name+" FILE takes the text of a file, and - standard input", "the editor needs a terminal")
	default:
		write, err := (&studioSession{a: a}).Compose(text)
		if err != nil {
			return err
		}
		if next, err = write(); err != nil {
			return err
		}
	}
	if strings.TrimSpace(next) == strings.TrimSpace(text) {
		a.tell("nothing was changed\n")
		a.result = &promptResult{Prompt: p}
		return nil
	}
	file, err := s.SetPrompt(name, strings.TrimSpace(next)+"\n")
	if err != nil {
		return err
	}
	a.tell("models are told %s from now on\n", file)
	a.result = &promptResult{Prompt: config.Prompt{Name: name, Origin: config.FromUser, Path: file}}
	return nil
}

func runPromptsReset(a *app, name string) error {
	s, err := a.deps.Settings()
	if err != nil {
		return err
	}
	if err := isPrompt(s, name); err != nil {
		return err
	}
	old, err := s.ResetPrompt(name)
	if err != nil {
		return err
	}
	a.result = &promptResult{Prompt: config.Prompt{Name: name}, Old: old}
	if old == "" {
		a.tell("it is koda's text already\n")
		return nil
	}
	a.tell("models are told koda's text again; yours is kept as %s\n", old)
	return nil
}
