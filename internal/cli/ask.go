package cli

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
)

type askResult struct {
	head
	Project  *koda.Project `json:"project,omitempty"`
	Question string        `json:"question"`
	Answer   string        `json:"answer,omitempty"`
	Turn     int           `json:"turn,omitempty"`
	Cost     *koda.Cost    `json:"cost,omitempty"`
	Copy     *Commit       `json:"copy,omitempty"` // with --ref
}

// AskOptions are the arguments and flags of `koda ask`.
type AskOptions struct {
	About
	Text    string
	Timeout timeLimit
}

func newAskCmd(a *app, runF func(context.Context, *AskOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *AskOptions) error { return runAsk(ctx, a, o) }
	}
	o := &AskOptions{}
	c := &cobra.Command{
		Use:     "ask QUESTION",
		Short:   "Ask a model about a project",
		GroupID: groupLook,
		Long: `Ask one question about a project. A model answers it from the project's files,
versions and conversation, whoever its author is. The model can only read. The
question is a turn of the project, with what it cost; nothing else changes.

With --ref the question is about a commit of the git repository that the project
is in. Koda takes the files by git archive into a directory of its own and writes
nothing into the repository.`,
		Example: `  koda ask "which colours are there, and where are they set?"
  koda ask "what did v3 change?" -p bouncing-ball
  koda ask "how long is the intro?" --ref v1.2`,
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

func runAsk(ctx context.Context, a *app, o *AskOptions) error {
	text, err := sayIt(ctx, a, o.Text, "What do you want to know?", `ask it: koda ask "which colours are there?"`)
	if err != nil {
		return err
	}
	return a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		if o.Ref != "" { // no copy is made for nothing
			if err := a.needModel(koda.Models{}); err != nil {
				return err
			}
		}
		p, copied, err := a.at(ctx, e, o.About)
		if err != nil {
			return err
		}
		models, _, err := modelsOf(ctx, e, p)
		if err == nil {
			err = a.needModel(models)
		}
		if err != nil {
			return err
		}
		if o.Timeout != 0 {
			e.Limit(time.Duration(o.Timeout))
		}
		q := koda.Inquiry{Text: text}
		if copied != nil {
			q.Commits = copied.Commits
		}
		s := a.listen(e)
		reply, err := e.Ask(ctx, p.ID, q)
		s.progress.rest()
		if reply.Project.ID != "" {
			p = reply.Project
		}
		res := &askResult{Project: &p, Question: text, Answer: reply.Text, Turn: reply.Turn.Number, Copy: copied}
		if reply.Turn.Cost != (koda.Cost{}) {
			res.Cost = &reply.Turn.Cost
		}
		a.result = res
		if a.json {
			return err
		}
		s.end(reply.Text)
		if res.Cost != nil {
			a.say("", fmt.Sprintf("%d tokens read, %d written, %s", res.Cost.InputTokens, res.Cost.OutputTokens, res.Cost.Price()))
		}
		return err
	})
}

// answerStream shows an answer at a terminal as it comes.
type answerStream struct {
	a        *app
	progress *progress

	mu      sync.Mutex
	written strings.Builder // since the answer last began
}

// listen subscribes to the events of e.
func (a *app) listen(e Engine) *answerStream {
	s := &answerStream{a: a, progress: a.newProgress()}
	s.progress.events = e.Subscribe(s.event)
	a.followed = append(a.followed, s.progress.events)
	return s
}

func (s *answerStream) event(ev koda.Event) {
	d, text := ev.Payload.(koda.TextDelta)
	if !text || s.a.json || s.a.quiet || !s.a.io.OutTTY {
		s.progress.event(ev)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.Again || d.Tool != "" {
		s.rest()
	}
	if d.Text != "" {
		s.progress.mu.Lock()
		s.progress.clear()
		s.progress.mu.Unlock()
		fmt.Fprint(s.a.io.Out, d.Text)
		s.written.WriteString(d.Text)
	}
}

// rest ends a part of the answer; what follows begins on a line of its own.
func (s *answerStream) rest() {
	if s.written.Len() > 0 && !strings.HasSuffix(s.written.String(), "\n") {
		fmt.Fprintln(s.a.io.Out)
	}
	s.written.Reset()
}

// end shows the whole answer, unless it was shown as it came.
func (s *answerStream) end(answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	shown := answer != "" && strings.HasSuffix(strings.TrimSpace(s.written.String()), answer)
	s.rest()
	if !shown && answer != "" {
		fmt.Fprintln(s.a.io.Out, answer)
	}
}
