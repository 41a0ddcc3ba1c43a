package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// talk says how far a conversation goes.
type talk struct {
	planOnly bool // the conversation ends with a plan
	notes    bool // tell the notes of a plan that is not shown
	timeout  timeLimit
}

// errQuit means that the person leaves; the project goes on waiting.
var errQuit = errors.New("quit")

// canAsk reports whether this command may ask.
func (a *app) canAsk() bool { return a.io.CanAsk() && !a.json && !a.quiet }

// withEngine opens the engine for f and closes it.
func (a *app) withEngine(ctx context.Context, f func(context.Context, Engine) error) (err error) {
	e, closeEngine, err := a.deps.Engine(ctx)
	if err != nil {
		return err
	}
	defer func() {
		a.unfollow()
		if closeErr := closeEngine(); err == nil && closeErr != nil {
			err = fmt.Errorf("close: %w", closeErr)
		}
	}()
	if a.deps.Notices != nil {
		for _, notice := range a.deps.Notices() {
			a.say("koda: ", notice)
		}
	}
	return f(ctx, finder{e, a})
}

// withProject opens the engine for f, with the project that ref means.
func (a *app) withProject(ctx context.Context, ref string, f func(context.Context, Engine, koda.Project) error) error {
	return a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		p, err := e.Find(ctx, ref)
		if err != nil {
			return err
		}
		return f(ctx, e, p)
	})
}

// working is withEngine for a command that works. Koda removes leftovers beside the
// command, which neither waits for that nor fails with it.
func (a *app) working(ctx context.Context, f func(context.Context, Engine) error) error {
	return a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		if a.deps.Tidy == nil {
			return f(ctx, e)
		}
		tidying, stop := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { _ = recover() }() //nolint:errcheck // the person did not ask for it
			a.deps.Tidy(tidying)
		}()
		defer func() {
			stop()
			<-done
		}()
		return f(ctx, e)
	})
}

// converse runs start and then goes on with the person, until the project waits for
// nothing or nobody is there to ask.
func (a *app) converse(ctx context.Context, t talk, start func(context.Context, Engine) (engine.Outcome, error)) error {
	return a.working(ctx, func(ctx context.Context, e Engine) error {
		if t.timeout != 0 {
			e.Limit(time.Duration(t.timeout))
		}
		p := a.follow(e)
		p.notes = t.notes
		c := &conversation{app: a, e: e, talk: t, progress: p}
		out, err := start(ctx, e)
		return c.goOn(ctx, out, err)
	})
}

// goOn goes on with the person from where a call ended.
func (c *conversation) goOn(ctx context.Context, out engine.Outcome, err error) error {
	for {
		c.progress.rest()
		c.remember(ctx, out)
		c.tellSaved(out.Saved)
		if err != nil {
			if !c.mayAskAgain(ctx, out, err) {
				return c.fail(interrupted(ctx, err))
			}
			c.printError(err)
		}
		if out.Waiting == engine.WaitingNothing || out.Waiting == engine.WaitingRetry || !c.canAsk() || c.talk.planOnly && out.Waiting == engine.WaitingPlan {
			return c.end(ctx, out)
		}
		if out, err = c.ask(ctx, out); errors.Is(err, errQuit) {
			return c.stop(ctx, out, needsPerson(out))
		}
	}
}

// end ends a command at the point where the project stands.
func (c *conversation) end(ctx context.Context, out engine.Outcome) error {
	switch {
	case out.Waiting == engine.WaitingNothing:
		return c.done(out)
	case out.Waiting == engine.WaitingRetry:
		return c.fail(failureOf(out.State))
	case c.talk.planOnly && out.Waiting == engine.WaitingPlan:
		return c.stop(ctx, out, nil)
	}
	return c.stop(ctx, out, needsPerson(out))
}

// conversation is the way of one command with a project.
type conversation struct {
	*app
	e        Engine
	talk     talk
	progress *progress
	id       string // id of the project; "" until known
	name     string // the name by which people find it
}

// remember notes what the final result says about the project.
func (c *conversation) remember(ctx context.Context, out engine.Outcome) {
	p := out.Project
	if p.ID == "" {
		// The call failed before it could say where the project stands.
		if id := c.progress.projectID(); id != "" {
			p, _ = c.e.Find(context.WithoutCancel(ctx), id) //nolint:errcheck // only to name the project
		}
	}
	if p.ID == "" {
		return
	}
	c.id, c.name = p.ID, shortestRef(ctx, c.e, p)
	r := &workResult{Project: &p, Waiting: out.Waiting, Next: nextCommands(c.name, out), Plan: out.State.Plan, Preview: out.State.Preview}
	if r.Plan != nil {
		r.Notes = r.Plan.Notes
	}
	if out.Waiting == engine.WaitingAnswer {
		r.Question = out.State.Question
	}
	if out.State.Phase == koda.PhaseComplete {
		r.Output = out.State.Output
	}
	if out.Saved != (engine.Saved{}) {
		r.Saved = &out.Saved
	}
	c.result = r
}

// shortestRef is what a person types to mean p: its name, or its id if another project
// has the same name.
func shortestRef(ctx context.Context, e Engine, p koda.Project) string {
	found, err := e.Find(context.WithoutCancel(ctx), p.Name)
	if err == nil && found.ID == p.ID {
		return p.Name
	}
	return p.ID
}

// mayAskAgain reports whether err is about what the person just said, so that they can
// say something else.
func (c *conversation) mayAskAgain(ctx context.Context, out engine.Outcome, err error) bool {
	if !c.canAsk() || ctx.Err() != nil {
		return false
	}
	switch out.Waiting {
	case engine.WaitingAnswer, engine.WaitingPlan, engine.WaitingPreview:
	case engine.WaitingNothing, engine.WaitingRetry:
		return false
	}
	switch ExitStatus(koda.CodeOf(err)) {
	case exitUsage, exitNeedsPerson:
		return true
	}
	return false
}

// fail ends the command with err and tells how to go on.
func (c *conversation) fail(err error) error {
	if c.name == "" {
		return err
	}
	code, how := koda.CodeOf(err), "try again with"
	switch {
	case koda.HintOf(err) != "" || code == koda.CodeNotAnimation || code == koda.CodeInUse:
		return err
	case code == koda.CodeInterrupted:
		how = "go on with"
	}
	return &koda.Error{Code: code, Err: err, Hint: how + ": koda resume " + c.name}
}

// failureOf is the error of a project in phase error.
func failureOf(s koda.NodeState) error {
	f := s.Error
	if f == nil {
		return &koda.Error{Code: koda.CodeInterrupted, Op: "the work on it was interrupted"}
	}
	return &koda.Error{Code: f.Code, Op: f.Message, Hint: f.Hint, Details: f.Details}
}

// needsPerson is the error of a command that stops where a person must speak.
func needsPerson(out engine.Outcome) error {
	what := map[engine.Waiting]string{
		engine.WaitingAnswer:  "a question waits for an answer",
		engine.WaitingPlan:    "the plan waits for approval",
		engine.WaitingPreview: "the preview waits for approval",
	}[out.Waiting]
	return &koda.Error{Code: koda.CodeNeedsPerson, Op: what}
}

// stop prints what the project waits for and the commands that go on.
func (c *conversation) stop(ctx context.Context, out engine.Outcome, err error) error {
	c.remember(ctx, out)
	next := nextCommands(c.name, out)
	if err != nil {
		err = &koda.Error{Code: koda.CodeNeedsPerson, Err: err, Hint: next[0]}
		if !c.quiet {
			err = said(err)
		}
	}
	if c.json {
		return err
	}
	switch {
	case c.canAsk() && !c.talk.planOnly: // the person saw it
	case out.Waiting == engine.WaitingAnswer:
		fmt.Fprintln(c.io.Out, widget.Question(c.look().out, out.State.Question.Question, c.io.Columns()))
	case out.Waiting == engine.WaitingPlan:
		fmt.Fprintln(c.io.Out, widget.Plan(c.look().out, *out.State.Plan, c.io.Columns()))
	case out.Waiting == engine.WaitingPreview:
		fmt.Fprintln(c.io.Out, out.State.Preview.VideoURL)
		c.noteOf(*out.State.Preview)
	}
	fmt.Fprintln(c.io.Err, "go on with:")
	for _, cmd := range next {
		fmt.Fprintln(c.io.Err, "  "+cmd)
	}
	return err
}

// tellSaved says what a run did not have to do again, because of the journal and the
// finished segments.
func (c *conversation) tellSaved(s engine.Saved) {
	if c.json || s.Calls == 0 && s.Frames == 0 {
		return
	}
	var parts []string
	if s.Calls > 0 {
		parts = append(parts, count(s.Calls, "call"))
	}
	if s.Frames > 0 {
		parts = append(parts, count(s.Frames, "frame"))
	}
	c.say("not done again: ", strings.Join(parts, " and "))
}

// done tells where the finished video is.
func (c *conversation) done(out engine.Outcome) error {
	o := out.State.Output
	if out.State.Phase != koda.PhaseComplete || o == nil {
		return c.fail(&koda.Error{
			Code: koda.CodeNotAnimation, Op: "no animation was asked for",
			Hint: `say what should move, for example: koda new "bouncing ball"`,
		})
	}
	if c.json {
		return nil
	}
	if o.Version != out.Version && out.Version > 0 {
		c.say("", fmt.Sprintf("the files are those of v%d, which `koda render %s` draws; the video is that of v%d", out.Version, c.name, o.Version))
	}
	for _, o := range append([]koda.Output{*o}, o.Others...) {
		c.say("", fmt.Sprintf("%s: %s at %s fps, %s s, %s", out.Project.Name, o.Resolution, o.FPS, number(o.Duration), size(o.FileSize)))
		if _, err := fmt.Fprintln(c.io.Out, cmp.Or(o.Copy, o.VideoURL)); err != nil {
			return err
		}
	}
	return nil
}

// nextCommands are the commands that go on from where a project waits. The first command
// is the shortest way to the video.
func nextCommands(name string, out engine.Outcome) []string {
	switch out.Waiting {
	case engine.WaitingAnswer:
		var cmds []string
		if q := out.State.Question; q != nil {
			for _, o := range q.Options {
				cmds = append(cmds, fmt.Sprintf("koda answer %s %s", name, o.ID))
			}
			if q.CustomInput {
				cmds = append(cmds, fmt.Sprintf("koda answer %s \"YOUR WORDS\"", name))
			}
		}
		return append(cmds, fmt.Sprintf("koda resume %s --yes", name))
	case engine.WaitingPlan:
		return []string{"koda accept " + name, fmt.Sprintf("koda edit %s \"WHAT TO CHANGE\"", name), fmt.Sprintf("koda reject %s -m \"WHY\"", name)}
	case engine.WaitingPreview:
		return []string{"koda accept " + name, fmt.Sprintf("koda edit %s \"WHAT TO CHANGE\"", name)}
	case engine.WaitingRetry:
		return []string{"koda resume " + name}
	case engine.WaitingNothing:
	}
	return nil
}

// noteOf tells how a preview differs from what it should be.
func (c *conversation) noteOf(p koda.Preview) {
	if p.Note != "" {
		c.say("", widget.Line(p.Note))
	}
}
