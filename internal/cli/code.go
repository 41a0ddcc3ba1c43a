package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

type codeResult struct {
	head
	Project *koda.Project     `json:"project,omitempty"`
	From    int               `json:"from"` // version
	To      int               `json:"to"`   // version that the change made; from, if it made none
	Files   []engine.FileDiff `json:"files"`
	Preview *koda.Preview     `json:"preview,omitempty"`
	Copy    *Commit           `json:"copy,omitempty"` // with --ref
}

func (r *codeResult) made() []made { return madeOf(nil, r.Preview) }

// CodeOptions are the arguments and flags of `koda code`.
type CodeOptions struct {
	About
	Text    string
	Timeout timeLimit
}

func newCodeCmd(a *app, runF func(context.Context, *CodeOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *CodeOptions) error { return runCode(ctx, a, o) }
	}
	o := &CodeOptions{}
	c := &cobra.Command{
		Use:     "code CHANGE",
		Short:   "Make one change and print it as a diff",
		GroupID: groupWork,
		Long: `Make one change of a video, as koda edit does, by recipe or model, and print what
it changed as a unified diff that patch and git apply read. The change is a version
of the project, with a preview; koda undo takes it back. A change that the author
refuses changes nothing.

With --ref the change is made of a commit of the git repository that the project
is in, in a directory of koda's own: the diff is against that commit, and neither
the repository nor the project is changed.`,
		Example: `  koda code "make the ball green"
  koda code "4 bounces" -p bouncing-ball > bounces.patch
  koda code "navy background" --ref main | git apply`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Text = strings.Join(args, " ")
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	o.flags(a, c)
	o.Timeout.flag(c)
	return c
}

func runCode(ctx context.Context, a *app, o *CodeOptions) error {
	text, err := sayIt(ctx, a, o.Text, "What should change?", `say what: koda code "make the ball green"`)
	if err != nil {
		return err
	}
	return a.working(ctx, func(ctx context.Context, e Engine) error {
		if o.Timeout != 0 {
			e.Limit(time.Duration(o.Timeout))
		}
		p, copied, err := a.at(ctx, e, o.About)
		if err != nil {
			return err
		}
		progress := a.follow(e)
		_, v, err := modelsOf(ctx, e, p)
		if err == nil && unseen(v) {
			_, err = e.Resume(ctx, p.ID, false)
		}
		if err != nil {
			progress.rest()
			return err
		}
		out, c, err := e.Change(ctx, p.ID, text)
		progress.rest()
		if out.Project.ID != "" {
			p = out.Project
		}
		if c.Files == nil {
			c.Files = []engine.FileDiff{}
		}
		a.result = &codeResult{Project: &p, From: c.From, To: c.To, Files: c.Files, Preview: out.State.Preview, Copy: copied}
		if a.json || c.To == c.From {
			return err
		}
		if failed := a.printDiff(c); failed != nil {
			return failed
		}
		where := fmt.Sprintf("v%d of %s", c.To, p.Name)
		if copied != nil {
			where += ", koda's own copy of " + copied.Name[:min(12, len(copied.Name))] + " in " + copied.Dir
		}
		a.say("", where+": "+tally(c.Files))
		if out.State.Preview != nil {
			a.say("", "preview: "+out.State.Preview.VideoURL)
		}
		return err
	})
}
