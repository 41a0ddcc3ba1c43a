package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

type showResult struct {
	head
	Project  koda.Project        `json:"project"`
	State    koda.NodeState      `json:"state"`
	Version  int                 `json:"version"` // the present version, 0 before the first
	Models   koda.Models         `json:"models,omitzero"`
	Declined *koda.Failure       `json:"declined,omitempty"` // why an idle project has no plan
	Waiting  engine.Waiting      `json:"waiting"`
	Next     []string            `json:"next,omitempty"`
	Turns    []koda.Turn         `json:"turns"`
	Renders  []koda.RenderRecord `json:"renders"`
	Versions []koda.Version      `json:"versions"`
	Cost     koda.Cost           `json:"cost"` // of the models asked so far
	Bills    []koda.Bill         `json:"bills,omitempty"`
}

// ShowOptions are the arguments and flags of `koda show`.
type ShowOptions struct {
	Project string
	Frame   seconds
	framed  bool // --frame was given
}

func newShowCmd(a *app, runF func(context.Context, *ShowOptions) error) *cobra.Command {
	o := &ShowOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *ShowOptions) error { return runShow(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "show [PROJECT]",
		Short:   "Show a project: state, plan, todos, versions, videos",
		GroupID: groupLook,
		Long: `Show where a project stands: its plan, todos, versions and videos, and the
command that goes on. Without PROJECT it is that of the working directory.

With --frame it shows that frame of the preview in the terminal instead.`,
		Example: `  koda show bouncing-ball
  koda show bouncing-ball --frame 1.5`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Project, o.framed = first(args), cmd.Flags().Changed("frame")
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	c.Flags().Var(&o.Frame, "frame", "show the frame of the preview at a time, such as 1.5 or 1:30")
	return c
}

func runShow(ctx context.Context, a *app, o *ShowOptions) error {
	if o.framed {
		return a.showFrame(ctx, o)
	}
	return a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		p, err := a.findOrTakeUp(ctx, e, o.Project)
		if err != nil {
			return err
		}
		v, err := e.Show(ctx, p.ID)
		if err != nil {
			return err
		}
		name := shortestRef(ctx, e, v.Project)
		next := nextCommands(name, engine.Outcome{Project: v.Project, State: v.State, Waiting: v.Waiting})
		if v.Busy {
			next = []string{"koda follow " + name, "koda cancel " + name}
		}
		a.result = &showResult{
			Project: v.Project, State: v.State, Version: v.Version, Models: v.Models, Declined: v.Declined, Waiting: v.Waiting, Next: next,
			Turns: v.Turns, Renders: v.Renders, Versions: v.Versions, Cost: v.Cost, Bills: v.Bills,
		}
		if a.json {
			return nil
		}
		_, err = fmt.Fprint(a.io.Out, a.showText(a.look().out, v, next))
		return err
	})
}

// showText is everything known about a project, with what people ask for most at the top.
func (a *app) showText(th theme.Theme, v engine.View, next []string) string {
	width := a.io.Columns()
	s := v.State
	parts := []string{widget.Facts(th, a.facts(v), width)}
	if q := s.Question; q != nil {
		text := widget.Question(th, q.Question, width)
		if said := cmp.Or(q.CustomText, q.SelectedID); said != "" {
			text = widget.Facts(th, []widget.Fact{{Name: "question", Value: q.Text}, {Name: "answer", Value: said}}, width)
		}
		parts = append(parts, text)
	}
	if s.Plan != nil {
		if len(v.Versions) > 1 {
			parts = append(parts, "The plan as it was agreed to. The versions below say what has changed since.")
		}
		parts = append(parts, widget.Plan(th, *s.Plan, width))
	}
	if x := s.Execution; x != nil && len(x.Todos) > 0 {
		parts = append(parts, widget.Todos(th, x.Todos, x.Thinking, 0, width))
	}
	if len(v.Versions) > 0 {
		var lines []string
		for _, ver := range v.Versions {
			line := fmt.Sprintf("v%d  %s  %s", ver.Number, count(len(ver.Files), "file"), oneLine(ver.Prompt, max(20, width-30)))
			if ver.Number == v.Version && ver.Number != v.Versions[len(v.Versions)-1].Number {
				line += " (current)"
			}
			lines = append(lines, line)
		}
		parts = append(parts, strings.Join(lines, "\n"))
	}
	if len(v.Renders) > 0 {
		var lines []string
		for _, r := range v.Renders {
			version := "draft" // of an author, in no version
			if r.Version > 0 {
				version = fmt.Sprintf("v%d", r.Version)
			}
			head := fmt.Sprintf("%-4s %s  %-7s  %-7s  ", shortRender(r), version, r.Kind, r.Status)
			text := fmt.Sprintf("%dx%d at %s fps  %s", r.Spec.Width, r.Spec.Height, r.Spec.FPS, widget.Line(r.Spec.Output))
			if a.io.OutTTY {
				lines = append(lines, widget.Sentence(head, text, width))
				continue
			}
			lines = append(lines, head+text)
		}
		parts = append(parts, strings.Join(lines, "\n"))
	}
	if lines := a.agents(v.Turns, width); lines != "" {
		parts = append(parts, lines)
	}
	if len(next) > 0 {
		parts = append(parts, "go on with:\n  "+strings.Join(next, "\n  "))
	}
	why, wrong := "failed", s.Error
	if s.Phase == koda.PhaseIdle && v.Declined != nil {
		why, wrong = "declined", v.Declined
	}
	if (s.Phase == koda.PhaseError || s.Phase == koda.PhaseIdle) && wrong != nil {
		failed := []widget.Fact{{Name: why, Value: wrong.Message}, {Name: "hint", Value: wrong.Hint}}
		parts = append(parts[:1], append([]string{widget.Facts(th, failed, width)}, parts[1:]...)...)
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// there is a path, with a word if the project is there but the file is not.
func there(path string) string {
	if isDir(filepath.Dir(filepath.Dir(path))) && !exists(path) {
		return path + " (removed; `koda render` makes it again)"
	}
	return path
}

// costs say what models cost: in all, each model if there are several, and each turn.
func costs(v engine.View) (facts []widget.Fact) {
	if v.Cost == (koda.Cost{}) {
		return nil
	}
	facts = append(facts, widget.Fact{Name: "cost", Value: v.Cost.String()})
	for _, b := range v.Bills {
		facts = append(facts, widget.Fact{Value: fmt.Sprintf("%s: %s, %s", widget.Line(cmp.Or(b.Model, "?")), count(b.Answers, "answer"), b.Cost)})
	}
	for _, t := range v.Turns {
		if t.Cost != (koda.Cost{}) && t.Kind != engine.TurnAgent {
			facts = append(facts, widget.Fact{Value: fmt.Sprintf("turn %d, %s: %s", t.Number, t.Kind, t.Cost)})
		}
	}
	return facts
}

func (a *app) facts(v engine.View) []widget.Fact {
	p := v.Project
	facts := []widget.Fact{
		{Name: "project", Value: fmt.Sprintf("%s (%s)", p.Name, p.ID)},
		{Name: "directory", Value: p.Dir},
		{Name: "prompt", Value: oneLine(p.Prompt, 400)},
		{Name: "phase", Value: fmt.Sprintf("%s, changed %s", standing(p), ago(a.deps.Now().Sub(p.UpdatedAt)))},
		{Name: "author", Value: fmt.Sprintf("%s, in a %s sandbox", p.Author, p.SandboxType)},
	}
	if v.Models.Model != "" {
		facts = append(facts, widget.Fact{Name: "model", Value: widget.Line(v.Models.String())})
	} else if was := v.Models.Elsewhere; was != "" {
		facts = append(facts, widget.Fact{Name: "model", Value: was + " where it came from; none is chosen here"})
	}
	facts = append(facts, costs(v)...)
	if pre := v.State.Preview; pre != nil {
		facts = append(facts, widget.Fact{Name: "preview", Value: there(pre.VideoURL)})
		if pre.Note != "" {
			facts = append(facts, widget.Fact{Name: "", Value: widget.Line(pre.Note)})
		}
	}
	if o := v.State.Output; o != nil {
		facts = append(facts,
			widget.Fact{Name: "video", Value: there(o.VideoURL)},
			widget.Fact{Name: "", Value: fmt.Sprintf("%s at %s fps, %s s, %s", o.Resolution, o.FPS, number(o.Duration), size(o.FileSize))},
			widget.Fact{Name: "sha256", Value: o.SHA256})
	}
	return facts
}
