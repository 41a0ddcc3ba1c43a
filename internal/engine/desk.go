package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/internal/trace"
)

// lend lends an author a desk for the length of work; the state is free meanwhile.
func (r *run) lend(ctx context.Context, work func(context.Context, tool.Desk) error) error {
	m, err := r.memo(ctx)
	if err != nil {
		return err
	}
	r.shells.remember(m.known)
	desk := tool.Desk{Toolbox: r.toolbox(m), Show: func(d koda.TextDelta) { r.pass(koda.EventText, d) }}
	if r.e.cfg.Texts != nil && r.asksModel() {
		own, warnings, err := r.e.cfg.Texts(r.project.Dir)
		if err != nil {
			return err
		}
		for _, w := range warnings {
			r.pass(koda.EventWarning, koda.Warned{Message: w})
		}
		desk.Texts, m.own = own, slices.Sorted(maps.Keys(own))
	}
	if r.e.cfg.Model != nil {
		models := r.state.Brief.Models
		if r.state.Inquiring() {
			models = models.With(r.state.Inquiry.Models)
		}
		desk.Model = journaled{m, r.e.cfg.Model(models, m.key.Step == koda.StepQuestion || m.key.Step == koda.StepPlan)}
	}
	ctx, within := r.within(ctx)
	err = r.watched(ctx, func() error { return work(ctx, desk) })
	m.closed = true
	return within(cmp.Or(err, m.lost))
}

// errLate is the cause of a ctx that ended because an author worked long enough.
var errLate = errors.New("the limit of time is reached")

// within limits the time that an author who asks a model works in this run. The caller
// must pass its error through the function. TIMEOUT: the limit is reached.
func (r *run) within(ctx context.Context) (context.Context, func(error) error) {
	limit := time.Duration(r.e.limit.Load()) * time.Millisecond
	if limit <= 0 || !r.asksModel() {
		return ctx, func(err error) error { return err }
	}
	began := r.e.now()
	ctx, cancel := context.WithTimeoutCause(ctx, limit-r.worked, errLate)
	return ctx, func(err error) error {
		defer cancel()
		r.worked += max(0, r.e.now().Sub(began))
		if err == nil || !errors.Is(context.Cause(ctx), errLate) {
			return err
		}
		return &koda.Error{
			Code: koda.CodeTimeout, Op: fmt.Sprintf("the model worked longer than %v; what it did is saved", limit),
			Hint: "`koda resume " + r.project.Name + "` goes on from there",
		}
	}
}

// journaled is a model whose answers are journaled whole. An answer is the same
// whether it comes from the service or from the journal.
type journaled struct {
	m     *memo
	model llm.Model
}

// Answer implements llm.Model.
func (j journaled) Answer(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	var resp llm.Response
	input, err := json.Marshal(req)
	if err != nil {
		return resp, &koda.Error{Code: koda.CodeInvalidInput, Op: "encode the request to the model", Err: err}
	}
	calls, err := j.m.place(ctx, koda.CallRecord{Name: koda.CallModel, Digest: digestOfCall(koda.CallModel, input)})
	if err != nil {
		return resp, err
	}
	output, err := j.m.answer(ctx, calls[0], false, func() (o callOutcome) {
		if o.err = j.m.r.afford(ctx); o.err != nil {
			return o
		}
		failpoint.Hit("engine.model")
		ctx, span := trace.Start(ctx, "model call", "step", j.m.key.Step)
		got, err := j.model.Answer(ctx, req, show)
		span.Set("model", got.Model, "input_tokens", got.Usage.Cost().InputTokens, "output_tokens", got.Usage.Cost().OutputTokens)
		span.End(err)
		o.event = phase.Called{Stamp: j.m.r.stamp(), Model: got.Model, Cost: got.Usage.Cost(), Texts: contentDigest([]byte(req.System)), Own: j.m.own}
		if o.err = err; err == nil {
			if cost := got.Usage.Cost(); cost != (koda.Cost{}) {
				j.m.r.pass(koda.EventUsage, koda.Usage{Model: got.Model, Cost: cost})
			}
			o.output, o.err = json.Marshal(got)
		}
		return o
	})
	if err != nil {
		return resp, err
	}
	if err := json.Unmarshal(output, &resp); err != nil {
		return resp, fmt.Errorf("decode the model's answer: %w", err)
	}
	return resp, nil
}

// afford counts an answer of a model that is about to be asked for. LIMIT_REACHED: this
// run, or the project, has had what it may.
func (r *run) afford(ctx context.Context) error {
	refuse := func(hint, format string, args ...any) error {
		return &koda.Error{Code: koda.CodeLimitReached, Op: fmt.Sprintf(format, args...), Hint: hint}
	}
	limits := r.e.cfg.Limits
	r.mu.Lock()
	r.paid++
	asked := r.paid
	r.mu.Unlock()
	if limits.Answers > 0 && asked > limits.Answers {
		return refuse("`koda resume "+r.project.Name+"` asks on; --max-turns allows more at once", "the model answered %d times, which is the limit", limits.Answers)
	}
	if limits.USD <= 0 {
		return nil
	}
	versions, err := r.e.cfg.Journal.Versions(ctx, r.project.ID)
	if err != nil {
		return fmt.Errorf("read what models cost so far: %w", err)
	}
	r.mu.Lock()
	spent := spentOn(r.state, versions)
	r.mu.Unlock()
	if spent.USD >= limits.USD {
		return refuse(fmt.Sprintf("`koda resume %s --max-cost %.0f` goes on", r.project.Name, math.Ceil(2*limits.USD)), "the models of this project cost %s, and may cost %s", koda.Dollars(spent.USD), koda.Dollars(limits.USD))
	}
	return nil
}
