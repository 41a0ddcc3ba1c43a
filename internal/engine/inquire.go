package engine

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/tool"
)

// TurnAsk is the kind of a turn that only asks a question.
const TurnAsk = "ask"

// historyDir is where an answerer reads what each version changed, as a unified diff.
const historyDir = "history"

// Reply is the answer to an inquiry.
type Reply struct {
	Project koda.Project
	Text    string
	Turn    koda.Turn // with the cost of the answer
}

// asksModel reports whether a model does the step in work.
func (r *run) asksModel() bool { return r.project.Author == AuthorModel || r.state.Inquiring() }

// Ask has a model answer a question about a project, from its files, versions and
// conversation, and journals the question as a turn. Nothing else of the project changes:
// the model can only read, no sandbox is made, and what was interrupted stays interrupted. If
// a crash comes before the answer, the same question pays no answer of the model twice, and
// any other call drops the question. USAGE: the question is empty or too long.
func (e *Engine) Ask(ctx context.Context, id string, q koda.Inquiry) (reply Reply, err error) {
	q.Text = strings.TrimSpace(q.Text)
	switch {
	case e.cfg.Answerer == nil:
		return reply, noAuthor(AuthorModel)
	case q.Text == "":
		return reply, &koda.Error{Code: koda.CodeUsage, Op: "the question is empty", Hint: `say it, for example: koda ask "which colours are there?"`}
	case len(q.Text) > maxPrompt:
		return reply, &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("the question has %d bytes, at most %d are read", len(q.Text), maxPrompt), Hint: "ask in a few sentences"}
	}
	q.Models = q.Models.With(e.cfg.Named)
	r, err := e.openBy(ctx, id, e.cfg.Storage.Lock)
	if err != nil {
		return reply, err
	}
	defer func() { err = closed(r, err) }()
	ctx = r.cancellable(ctx)
	if r.state.Inquiring() && (r.state.Inquiry.Text != q.Text || r.state.Inquiry.Models != q.Models) {
		if err := r.dropInquiry(ctx); err != nil {
			return reply, err
		}
	}
	if !r.state.Inquiring() {
		if err := r.step(ctx, phase.Inquired{Stamp: r.stamp(), Inquiry: q}, with{turn: r.newTurn(TurnAsk, q.Text, r.state.Turn+1)}); err != nil {
			return reply, err
		}
	}
	r.think("Reading the project")
	text, failed := r.answer(ctx)
	r.thinking.Store(nil)
	var ev phase.Event = phase.Replied{Stamp: r.stamp(), Text: text}
	if failed != nil {
		ev = phase.Unanswered{Stamp: r.stamp(), Failure: failureOf(failed)}
	}
	if err := r.step(ctx, ev, with{}); err != nil {
		return reply, r.unsaved(err)
	}
	return Reply{Project: r.project, Text: text, Turn: r.turn}, failed
}

// answer lets the answerer work.
func (r *run) answer(ctx context.Context) (text string, err error) {
	about, err := r.dossier(ctx)
	if err != nil {
		return "", err
	}
	err = r.lend(ctx, func(ctx context.Context, desk tool.Desk) (err error) {
		text, err = r.e.cfg.Answerer.Answer(ctx, about, desk)
		return err
	})
	return text, err
}

// dossier is what an answerer is told, and has it read the files as they are in place and
// what each version changed.
func (r *run) dossier(ctx context.Context) (d koda.Dossier, err error) {
	tree, err := r.e.cfg.Storage.Tree(r.project.Dir)
	if err != nil {
		return d, fmt.Errorf("read project: %w", err)
	}
	talk := r.e.conversation(ctx, r.state.Without())
	d = koda.Dossier{
		Inquiry: *r.state.Inquiry, Project: r.project, Brief: r.state.Brief, Plan: r.state.Node.Plan, Version: r.state.Version,
		Messages: talk.Messages, Files: talk.files,
	}
	if d.Versions, err = r.e.cfg.Journal.Versions(ctx, r.project.ID); err != nil {
		return d, err
	}
	if d.Turns, err = r.e.cfg.Journal.Turns(ctx, r.project.ID); err != nil {
		return d, err
	}
	d.Turns = d.Turns[:max(0, len(d.Turns)-1)] // the last one is this question
	d.Cost = spentOn(r.state, d.Versions)
	r.readable = memoryFiles(tree)
	for _, v := range d.Versions {
		r.readable[path.Join(historyDir, fmt.Sprintf("v%d.diff", v.Number))] = []byte(r.changedIn(v))
	}
	return d, nil
}

// changedIn is what a version changed, as a unified diff. A version that cannot be read
// is told as such: an answer is possible without it.
func (r *run) changedIn(v koda.Version) string {
	var before map[string][]byte
	after, err := r.e.readVersion(r.project.Dir, v.Number)
	if err == nil && v.Parent > 0 {
		before, err = r.e.readVersion(r.project.Dir, v.Parent)
	}
	if err != nil {
		return err.Error() + "\n"
	}
	var s strings.Builder
	for _, f := range compareFiles(before, after) {
		if v.Parent == 0 { // its files are told as they are
			fmt.Fprintf(&s, "%s %s\n", f.Path, f.Status)
			continue
		}
		if s.WriteString(f.Diff); f.Diff == "" {
			fmt.Fprintf(&s, "%s %s\n", f.Path, f.Status)
		}
	}
	return s.String()
}

// dropInquiry ends a question whose process was killed before the answer.
func (r *run) dropInquiry(ctx context.Context) error {
	failure := failureOf(&koda.Error{Code: koda.CodeInterrupted, Op: "the question was interrupted", Hint: "ask it again"})
	if err := r.step(ctx, phase.Unanswered{Stamp: r.stamp(), Failure: failure}, with{}); err != nil {
		return err
	}
	return r.loadTurn(ctx)
}
