package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/internal/trace"
)

// drive runs pending effects, and gives the approvals that were given in advance,
// until the project waits for the person. If the project failed or the author
// refused, drive returns the reason. An interrupted effect stays begun.
func (r *run) drive(ctx context.Context) (err error) {
	defer r.checkpointInPanic()
	ctx, span := trace.Start(ctx, "turn", "project", r.project.ID, "turn", r.turn.Number, "kind", r.turn.Kind, "author", r.project.Author)
	defer func() { span.End(err) }()
	for {
		if err := r.runPending(ctx); err != nil {
			return err
		}
		ev, ok := r.auto(r.state)
		if !ok || r.refused != nil { // what was asked for and is not done is for the person to see
			break
		}
		if err := r.step(ctx, ev, with{}); err != nil {
			return r.unsaved(err)
		}
	}
	if errors.Is(context.Cause(ctx), errCancelled) && waiting(r.state) != WaitingNothing {
		return r.interrupted(ctx, errCancelled) // before anybody is asked
	}
	return r.verdict()
}

// auto is the event of an approval that was given in advance, as far as this run
// goes.
func (r *run) auto(s phase.State) (phase.Event, bool) {
	if r.planOnly && s.Node.Phase == koda.PhasePlan || r.noFinal && s.Node.Phase == koda.PhasePreview {
		return nil, false
	}
	return phase.Auto(s, r.e.now())
}

// runPending runs pending effects until none is left.
func (r *run) runPending(ctx context.Context) error {
	replaced := "" // the effect whose sandbox died during the work
	for r.state.Pending != nil {
		p := r.state.Pending
		failpoint.Hit("engine.effect." + p.Kind)
		ev, w, err := r.perform(ctx, p.Kind)
		r.thinking.Store(nil)
		if koda.CodeOf(err) == koda.CodeSandboxNotFound && r.sb != nil && replaced != p.ID {
			r.sb, replaced = nil, p.ID
			continue // do the effect again, once, with a new sandbox
		}
		if err != nil && (ctx.Err() != nil || koda.CodeOf(err) == koda.CodeInterrupted) {
			return r.interrupted(ctx, err)
		}
		if err != nil {
			r.failure = err
			ev = phase.Failed{Stamp: r.stamp(), Failure: failureOf(err)}
		}
		if err := r.step(ctx, ev, w); err != nil {
			return r.unsaved(err)
		}
		if r.state.Node.Phase == koda.PhaseExecuting {
			r.refused = nil // the change was left out, and the person was told
		}
		if err != nil {
			r.suspendFailed()
		}
	}
	return nil
}

// verdict is why the project failed or why the author refused, nil if neither
// happened.
func (r *run) verdict() error {
	switch {
	case r.refused != nil:
		return r.refused
	case r.state.Node.Phase == koda.PhaseError:
		return r.failure
	case r.state.Declined != nil:
		f := r.state.Declined
		return &koda.Error{Code: f.Code, Op: f.Message, Hint: f.Hint}
	}
	return nil
}

// interrupted saves the work so far and says how to go on.
func (r *run) interrupted(ctx context.Context, err error) error {
	saved := "the work so far is saved"
	if perr := r.checkpointInterrupted(); perr != nil {
		saved = fmt.Sprintf("what was begun last could not be saved (%v)", perr)
	}
	r.log("interrupted: %v; %s", err, saved)
	code, op := koda.CodeInterrupted, "interrupted; "
	if errors.Is(context.Cause(ctx), errCancelled) {
		op = "cancelled; "
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		code, op = koda.CodeTimeout, "the time is up; "
	}
	return &koda.Error{Code: code, Op: op + saved, Hint: "`koda resume " + r.project.Name + "` goes on from here"}
}

// checkpointInPanic saves the work so far before koda breaks.
func (r *run) checkpointInPanic() {
	if p := recover(); p != nil {
		_ = r.checkpointInterrupted() //nolint:errcheck // the panic is what gets reported
		r.log("koda broke: %v", p)
		panic(p)
	}
}

// unsaved is the error of a step that could not be written. The project stands at
// the step before, and goes on from there.
func (r *run) unsaved(err error) error {
	if err := Present(r.project); err != nil {
		return err
	}
	hint := "`koda resume " + r.project.Name + "` goes on from the last step that was saved"
	if koda.CodeOf(err) == koda.CodeDiskFull {
		hint = "free some space; " + hint
	}
	return &koda.Error{Code: koda.CodeOf(err), Op: "save the work", Err: err, Hint: hint}
}

func failureOf(err error) koda.Failure {
	return koda.Failure{
		Message: err.Error(), Code: koda.CodeOf(err), CanRetry: koda.CodeOf(err) != koda.CodeUsage,
		Hint: koda.HintOf(err), Details: koda.DetailsOf(err),
	}
}

// perform performs an effect and returns its outcome. Every effect may be performed
// again after a crash in the middle of it.
func (r *run) perform(ctx context.Context, kind string) (phase.Event, with, error) {
	switch kind {
	case phase.EffectClarify:
		ev, err := r.clarify(ctx)
		return ev, with{}, err
	case phase.EffectPlan:
		ev, err := r.plan(ctx)
		return ev, with{}, err
	case phase.EffectSandbox:
		sb, err := r.ensureSandbox(ctx)
		if err != nil {
			return nil, with{}, err
		}
		return phase.SandboxReady{Stamp: r.stamp(), SandboxID: sb.ID()}, with{}, nil
	case phase.EffectWork:
		ev, err := r.work(ctx)
		return ev, with{}, err
	case phase.EffectVersion:
		return r.version(ctx)
	case phase.EffectPreview:
		return r.preview(ctx)
	case phase.EffectFinal:
		return r.final(ctx)
	case phase.EffectPlace:
		ev, err := r.place(ctx)
		return ev, with{}, err
	case phase.EffectFork:
		return r.bringIn(ctx)
	case phase.EffectRelease:
		return phase.Released{Stamp: r.stamp()}, with{}, r.performRelease(ctx)
	}
	return nil, with{}, fmt.Errorf("unknown effect %q", kind)
}

func (r *run) author() (Author, error) {
	a, ok := r.e.cfg.Authors[r.project.Author]
	if !ok {
		return nil, noAuthor(r.project.Author)
	}
	return a, nil
}

func (r *run) clarify(ctx context.Context) (phase.Event, error) {
	a, err := r.author()
	if err != nil {
		return nil, err
	}
	r.think("Reading the prompt")
	var q *koda.Question
	brief, rev := r.state.Brief, r.state.Revision
	err = r.lend(ctx, func(ctx context.Context, desk tool.Desk) (err error) {
		q, err = a.Clarify(ctx, brief, rev, desk)
		return err
	})
	switch {
	case koda.CodeOf(err) == koda.CodeNotAnimation && ctx.Err() == nil:
		r.refused = err
		return phase.Declined{Stamp: r.stamp(), Failure: failureOf(err)}, nil
	case err != nil:
		return nil, err
	case q == nil:
		return phase.Clear{Stamp: r.stamp()}, nil
	}
	return phase.Asked{Stamp: r.stamp(), Question: *q}, nil
}

func (r *run) plan(ctx context.Context) (phase.Event, error) {
	a, err := r.author()
	if err != nil {
		return nil, err
	}
	r.think("Planning the scenes")
	var p koda.Plan
	brief, answer, rev := r.state.Brief, r.state.Answer, r.state.Revision
	if rev != nil && rev.Plan != nil {
		with := *rev
		with.Before = r.state.PlanBefore()
		rev = &with
	}
	err = r.lend(ctx, func(ctx context.Context, desk tool.Desk) (err error) {
		p, err = a.Plan(ctx, brief, answer, rev, desk)
		return err
	})
	if koda.CodeOf(err) == koda.CodeNotAnimation && ctx.Err() == nil {
		r.refused = err
		return phase.Declined{Stamp: r.stamp(), Failure: failureOf(err)}, nil
	}
	if rev != nil && rev.Plan != nil && refusal(ctx, err) {
		r.refused = err
		return phase.Refused{Stamp: r.stamp(), Failure: failureOf(err), Keep: r.canKeep()}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := checkPlan(p); err != nil {
		return nil, err
	}
	p.Video = planVideo(brief, p)
	return phase.Planned{Stamp: r.stamp(), Plan: p}, nil
}

// refusal reports whether an author's error says that it does not do what was asked for. Of a
// call that was interrupted no error says so.
func refusal(ctx context.Context, err error) bool {
	return koda.CodeOf(err) == koda.CodeInvalidInput && ctx.Err() == nil
}

// planVideo is the final video of the first preset, nil if the preset cannot show the
// plan: the render says why.
func planVideo(b koda.Brief, p koda.Plan) *koda.PlanVideo {
	first, err := preset.Lookup(finals(b)[0])
	if err != nil {
		return nil
	}
	s, err := preset.Spec(manifestOf(b, &p), first, preset.Overrides{Format: b.To.Format()})
	if err != nil {
		return nil
	}
	return &koda.PlanVideo{Width: s.Width, Height: s.Height, FPS: s.FPS, Format: s.Format}
}

// work lets the author do the active todo and checkpoints the result. When a todo
// is done, its files are safe.
func (r *run) work(ctx context.Context) (phase.Event, error) {
	a, err := r.author()
	if err != nil {
		return nil, err
	}
	task, ok := r.state.Task()
	if !ok {
		return nil, errors.New("no todo to work on")
	}
	if _, err := r.ensureSandbox(ctx); err != nil {
		return nil, err
	}
	if err := r.absorbEdits(ctx); err != nil {
		return nil, err
	}
	task.HandEdited = r.state.Edited
	r.tell(ctx, &task)
	if err := r.lend(ctx, func(ctx context.Context, desk tool.Desk) error { return a.Work(ctx, task, desk) }); err != nil {
		if task.Kind.Asked() && refusal(ctx, err) {
			r.refused = err
			return phase.Refused{Stamp: r.stamp(), Failure: failureOf(err), Keep: r.canKeep()}, nil
		}
		return nil, err
	}
	if err := r.checkpoint(ctx); err != nil {
		return nil, err
	}
	return phase.Worked{Stamp: r.stamp()}, nil
}

// version makes the sandbox's files the project's next version, if they build. If
// they do not build, the effect fails, and is done again once the person has mended
// the files in the project directory. If a change leaves all files as they were, it
// makes no version and is refused.
func (r *run) version(ctx context.Context) (phase.Event, with, error) {
	if _, err := r.ensureSandbox(ctx); err != nil {
		return nil, with{}, err
	}
	if err := r.absorbEdits(ctx); err != nil {
		return nil, with{}, err
	}
	if same, err := r.changedNothing(ctx); err != nil {
		return nil, with{}, err
	} else if same {
		r.refused = &koda.Error{
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("that changes nothing: all files are as in v%d", r.state.Version),
			Hint: "say what should look or move otherwise",
		}
		return phase.Refused{Stamp: r.stamp(), Failure: failureOf(r.refused), Keep: r.canKeep()}, with{}, nil
	}
	tree, err := r.contents(ctx)
	if err != nil {
		return nil, with{}, err
	}
	if err := r.check(ctx, tree, "koda resume "+r.project.Name); err != nil {
		return nil, with{}, err
	}
	asked, err := r.asked(ctx)
	if err != nil {
		return nil, with{}, err
	}
	v, err := r.newVersion(asked)
	if err != nil {
		return nil, with{}, err
	}
	v.Model, v.Cost, v.Own = r.state.Model, r.state.Spent, r.state.Own
	if err := r.checkpointFiles(tree, v); err != nil {
		return nil, with{}, err
	}
	return phase.Versioned{Stamp: r.stamp(), Version: v.Number}, with{version: v}, nil
}

func (r *run) preview(ctx context.Context) (phase.Event, with, error) {
	r.think("Rendering the preview")
	spec, err := r.spec(preset.Preview, preset.Overrides{})
	if err != nil {
		return nil, with{}, err
	}
	base := filepath.Join(r.project.Dir, "previews", fmt.Sprintf("%s-v%d", r.project.Name, r.state.Version))
	spec.Output, spec.Thumbnail, spec.Strip = base+".mp4", base+".jpg", base+stripEnding
	res, w, err := r.render(ctx, spec)
	if err != nil {
		return nil, w, err
	}
	return phase.Previewed{Stamp: r.stamp(), Preview: *previewOf(res, r.state.Version)}, w, nil
}

func previewOf(res koda.RenderResult, version int) *koda.Preview {
	return &koda.Preview{VideoURL: res.Video, Duration: res.Duration, Version: version, Note: res.Note, Warnings: slices.Concat(res.Retries, res.Warnings)}
}

// final renders the final video of every preset. The video of the first preset
// comes last, as it makes the project complete.
func (r *run) final(ctx context.Context) (phase.Event, with, error) {
	r.think("Rendering the final video")
	var others []koda.Output
	for _, name := range r.state.Brief.Presets {
		o, w, err := r.finalOf(ctx, name, "-"+name, "-"+name+"-"+r.state.Pending.ID)
		if err != nil {
			return nil, w, err
		}
		if err := r.step(ctx, phase.Rendered{Stamp: r.stamp()}, w); err != nil {
			return nil, with{}, err
		}
		others = append(others, o)
	}
	name, suffix := preset.Final, ""
	if p := r.state.Brief.Preset; p != "" {
		name, suffix = p, "-"+p
	}
	o, w, err := r.finalOf(ctx, name, suffix, "")
	if err != nil {
		return nil, w, err
	}
	o.Others = others
	return phase.Finished{Stamp: r.stamp(), Output: o, Keep: r.canKeep()}, w, nil
}

// finalOf renders a final video by a preset and puts it where the person wants it
// as well. Suffix ends the name of the video's file. Id, where it is set, ends the
// render's id in place of the effect's.
func (r *run) finalOf(ctx context.Context, name, suffix, id string) (koda.Output, with, error) {
	spec, err := r.spec(name, preset.Overrides{Format: r.state.Brief.To.Format()})
	if err != nil {
		return koda.Output{}, with{}, err
	}
	if id != "" {
		spec.ID = r.project.ID + id
	}
	base := filepath.Join(r.project.Dir, "renders", fmt.Sprintf("%s-v%d%s", r.project.Name, r.state.Version, suffix))
	spec.Output, spec.Thumbnail = base+"."+spec.Format, base+".jpg"
	res, w, err := r.render(ctx, spec)
	if err != nil {
		return koda.Output{}, w, err
	}
	o := outputOf(res, r.state.Version)
	o.Copy, err = r.hand(res, name)
	return *o, w, err
}

func outputOf(res koda.RenderResult, version int) *koda.Output {
	return &koda.Output{
		VideoURL: res.Video, ThumbnailURL: res.Thumbnail, Duration: res.Duration,
		Resolution: fmt.Sprintf("%dx%d", res.Width, res.Height), FPS: res.FPS, Frames: res.Frames,
		FileSize: res.Size, SHA256: res.SHA256, Version: version, Warnings: slices.Concat(res.Retries, res.Warnings),
	}
}

// canKeep reports whether a complete project may keep its sandbox, so that a change
// that follows soon begins at once. If no change follows, a sweep ends the sandbox.
// If a sweep cannot find sandboxes of this kind, the sandbox is given back with the
// final video.
func (r *run) canKeep() bool {
	provider, err := r.provider()
	_, found := provider.(sandbox.Lister)
	return err == nil && found
}

// performRelease checkpoints and destroys the sandbox, if there still is a sandbox.
// If a crash came after the sandbox ended and before the session noted the end,
// performRelease notes it now.
func (r *run) performRelease(ctx context.Context) error {
	if err := r.connect(ctx); err != nil {
		return err
	}
	if r.sb == nil {
		return r.noteNoSandbox(ctx)
	}
	return r.releaseSandbox(ctx)
}

// think tells what is going on. The line is kept only while it lasts, for
// [run.Now], and stored nowhere.
func (r *run) think(message string) {
	r.thinking.Store(&message)
	r.pass(koda.EventThinking, koda.Thinking{Message: message})
}
