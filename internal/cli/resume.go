package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// ResumeOptions are the arguments and flags of `koda resume`.
type ResumeOptions struct {
	Project string
	Yes     bool
	Finals  FinalOptions
	Timeout timeLimit
}

func newResumeCmd(a *app, runF func(context.Context, *ResumeOptions) error) *cobra.Command {
	o := &ResumeOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *ResumeOptions) error { return runResume(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "resume [PROJECT]",
		Short:   "Go on where a project stopped",
		GroupID: groupWork,
		Long: `Go on where a project stopped: after ctrl-C, a crash, a failure, or at a question.
Nothing that was finished is done again. A project made with --yes runs to its
video; any other goes on until it needs a person, unless --yes is given now.
Without PROJECT it is that of the working directory, else the unfinished one
that was worked on last; at a terminal koda asks when there are several.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := emptyFlags(cmd); err != nil {
				return err
			}
			o.Project = first(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	c.Flags().BoolVarP(&o.Yes, "yes", "y", false, "give every approval now; remembered by the project")
	o.Finals.flags(c)
	o.Timeout.flag(c)
	return c
}

func runResume(ctx context.Context, a *app, o *ResumeOptions) error {
	if a.roomForStudio() && !o.Yes {
		return a.studio(ctx, studioOptions{project: o.Project, resume: true, more: *o, timeout: o.Timeout})
	}
	return a.converse(ctx, talk{notes: true, timeout: o.Timeout}, func(ctx context.Context, e Engine) (engine.Outcome, error) {
		p, err := a.findUnfinished(ctx, e, o.Project)
		if err != nil {
			return engine.Outcome{}, err
		}
		finals, err := o.Finals.of(p)
		if err != nil {
			return engine.Outcome{Project: p}, err
		}
		return e.Resume(ctx, p.ID, o.Yes, finals...)
	})
}

// findUnfinished is the project that ref means. If ref is "", it is the project of the
// working directory. Outside a project, it is the unfinished project that was worked on
// last; at a terminal the person chooses.
func (a *app) findUnfinished(ctx context.Context, e Engine, ref string) (koda.Project, error) {
	p, missing := a.findOrTakeUp(ctx, e, ref)
	if ref != "" || koda.CodeOf(missing) != koda.CodeNotFound {
		return p, missing
	}
	most := maxUnfinished
	if !a.canAsk() {
		most = 1
	}
	unfinished, err := listUnfinished(ctx, e, most)
	if err != nil {
		return koda.Project{}, err
	}
	switch len(unfinished) {
	case 0:
		return koda.Project{}, &koda.Error{
			Code: koda.CodeNotFound, Op: "there is no unfinished project",
			Hint: "`koda list` shows all; `koda new` starts one",
		}
	case 1:
		return unfinished[0], nil
	}
	return a.chooseProject(ctx, unfinished)
}

// maxUnfinished bounds the unfinished projects that are looked for.
const maxUnfinished = 1000

// listUnfinished lists projects that wait for something, the most recently updated first.
func listUnfinished(ctx context.Context, e Engine, most int) (unfinished []koda.Project, err error) {
	projects, err := e.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range projects {
		if p.Gone || len(unfinished) == most {
			continue
		}
		v, err := e.Show(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		if v.Waiting != engine.WaitingNothing { // else it has its video, or the prompt asked for no animation
			unfinished = append(unfinished, p)
		}
	}
	return unfinished, nil
}

// maxChoice bounds the projects that are offered. Older projects can be named.
const maxChoice = 20

// chooseProject asks with which of several projects to go on. An empty line means the
// first.
func (a *app) chooseProject(ctx context.Context, projects []koda.Project) (koda.Project, error) {
	total := len(projects)
	projects = projects[:min(total, maxChoice)]
	fmt.Fprintf(a.io.Err, "\n%d projects are unfinished:\n\n%s", total, a.choices(projects))
	if total > len(projects) {
		fmt.Fprintf(a.io.Err, "\n and %d older ones: koda resume NAME\n", total-len(projects))
	}
	fmt.Fprintln(a.io.Err)
	for {
		l, err := a.io.Ask(ctx, fmt.Sprintf("1-%d, or enter for 1? ", len(projects)))
		l = strings.TrimSpace(l)
		if errors.Is(err, io.EOF) || l == "q" || l == "quit" {
			return koda.Project{}, &koda.Error{Code: koda.CodeNeedsPerson, Op: "no project was chosen", Hint: "koda resume " + projects[0].Name}
		}
		if err != nil {
			return koda.Project{}, err
		}
		if l == "" {
			return projects[0], nil
		}
		if n, err := strconv.Atoi(l); err == nil && n >= 1 && n <= len(projects) {
			return projects[n-1], nil
		}
		for _, p := range projects {
			if p.Name == l {
				return p, nil
			}
		}
		fmt.Fprintf(a.io.Err, "%q is none of them: type a number, a name, or quit\n", l)
	}
}

// choices numbers projects, a line each, no longer than the width of the terminal.
func (a *app) choices(projects []koda.Project) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for i, p := range projects {
		fmt.Fprintf(w, " %d\t%s\t%s\t%s\t%s\n", i+1, p.Name, p.Phase, ago(a.deps.Now().Sub(p.UpdatedAt)), oneLine(p.Prompt, 60))
	}
	_ = w.Flush() //nolint:errcheck // a strings.Builder does not fail
	return cut(b.String(), a.io.Columns())
}
