package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

type historyResult struct {
	head
	Project  koda.Project     `json:"project"`
	Current  int              `json:"current"` // 0: there is no version yet
	Edited   bool             `json:"edited"`  // no version has the files in place
	Versions []historyVersion `json:"versions"`
	Agents   []koda.Turn      `json:"agents,omitempty"` // turns of outside agents
	Cost     koda.Cost        `json:"cost"`             // of the models asked so far
}

type historyVersion struct {
	engine.Past
	Current bool `json:"current"`
}

// HistoryOptions are the arguments and flags of `koda history`.
type HistoryOptions struct {
	Project string
}

func newHistoryCmd(a *app, runF func(context.Context, *HistoryOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *HistoryOptions) error { return runHistory(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "history [PROJECT]",
		Aliases: []string{"log"},
		Short:   "Show the versions of a project",
		GroupID: groupLook,
		Long: `Show the tree of versions, the newest first: what was asked, when, which files that
changed, who made it, what it cost, and a picture; and the turns of outside agents, see
koda watch. Without PROJECT it is that of the working directory.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runF(cmd.Context(), &HistoryOptions{Project: first(args)})
		},
		ValidArgsFunction: a.completeProjects,
	}
}

func runHistory(ctx context.Context, a *app, o *HistoryOptions) error {
	return a.withProject(ctx, o.Project, func(ctx context.Context, e Engine, p koda.Project) error {
		h, err := e.History(ctx, p.ID)
		if err != nil {
			return err
		}
		r := &historyResult{Project: h.Project, Current: h.Current, Edited: h.Loose, Versions: []historyVersion{}, Agents: h.Agents, Cost: h.Cost}
		for _, v := range h.Versions {
			r.Versions = append(r.Versions, historyVersion{v, v.Number == h.Current})
		}
		a.result = r
		if a.json {
			return nil
		}
		if len(h.Versions) == 0 {
			a.say("", fmt.Sprintf("%s has no version yet; `koda resume %s` goes on with it", p.Name, shortestRef(ctx, e, p)))
			return nil
		}
		if _, err := fmt.Fprintln(a.io.Out, widget.History(a.look().out, a.versionRows(h), a.io.Columns())); err != nil {
			return err
		}
		if lines := a.agents(h.Agents, a.io.Columns()); lines != "" {
			if _, err := fmt.Fprintln(a.io.Out, lines); err != nil {
				return err
			}
		}
		if h.Cost != (koda.Cost{}) {
			a.say("", "all together: "+h.Cost.String())
		}
		if h.Loose {
			a.say("", fmt.Sprintf("files differ from v%d; they become a version with the next render, undo or checkout", h.Current))
		}
		return nil
	})
}

// versionRows prepares the versions for display.
func (a *app) versionRows(h engine.History) []widget.VersionRow {
	rows := make([]widget.VersionRow, len(h.Versions))
	for i, v := range h.Versions {
		rows[i] = widget.VersionRow{
			Number: v.Number, Parent: v.Parent, Current: v.Number == h.Current, Title: v.Prompt, Picture: v.Thumbnail,
			Facts: []string{ago(a.deps.Now().Sub(v.CreatedAt)), changes(v), v.Author},
		}
		if rel, err := filepath.Rel(h.Project.Dir, v.Thumbnail); v.Thumbnail != "" && err == nil && filepath.IsLocal(rel) {
			rows[i].Picture = rel
		}
		if v.Model != "" {
			rows[i].Facts[2] += " " + v.Model
		}
		if len(v.Own) > 0 {
			rows[i].Facts = append(rows[i].Facts, "told by your "+strings.Join(v.Own, ", "))
		}
		if v.Author != koda.AuthorPerson {
			rows[i].Facts = append(rows[i].Facts, v.Cost.String())
		}
	}
	return rows
}

// changes says in a few words which files a version changed.
func changes(v engine.Past) string {
	if v.Parent == 0 {
		return count(len(v.Files), "file")
	}
	var parts []string
	for _, p := range []struct {
		n    int
		verb string
	}{{len(v.Added), "added"}, {len(v.Changed), "changed"}, {len(v.Deleted), "deleted"}} {
		switch {
		case p.n > 0 && len(parts) == 0:
			parts = append(parts, count(p.n, "file")+" "+p.verb)
		case p.n > 0:
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.verb))
		}
	}
	if len(parts) == 0 {
		return "no file changed"
	}
	return strings.Join(parts, ", ")
}
