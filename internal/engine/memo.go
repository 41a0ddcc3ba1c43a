package engine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// memo is the journal of the calls, of tools and of models, that an author makes in
// one step: a question, a plan or a todo. Every call is answered, then journaled
// with the event it made, then returned. A step run again after a crash makes the
// same calls. They are answered from the journal, up to the first call that
// differs; the answers from there on are forgotten. If the step failed right after
// a call that failed, the error of the call is no answer: the author could not go
// on from it, and the call is made again.
//
// Calls made at once are answered in any order. A call that was cut off while a
// later call was answered is a hole in the journal: the call is made again, and the
// later call is not. After a call whose answer could not be journaled no call is made:
// an author that goes on in spite of the error would work without a record.
type memo struct {
	r      *run
	own    []string   // names of the texts for models that the person replaced
	places sync.Mutex // held while calls take their places

	// What follows is guarded by r.mu.
	key    koda.CallKey            // of the next call
	known  map[int]koda.CallRecord // answered in an earlier run, by ordinal, without outputs
	past   int                     // the highest ordinal known, -1 for none
	killed bool                    // an earlier process ended in the step
	cut    bool                    // the calls made last may be done, and not journaled
	closed bool                    // the author has given the desk back
	lost   error                   // why an answer is not journaled; the step cannot go on
}

// memo begins the journal of the step in work.
func (r *run) memo(ctx context.Context) (*memo, error) {
	key, ok := r.stepKey()
	if !ok {
		return nil, errors.New("no author is at work")
	}
	recs, mark, _, err := r.answers(ctx)
	if err != nil {
		return nil, err
	}
	r.answered = mark
	killed := r.state.Pending != nil && r.state.Pending.ID == r.inherited
	r.inherited = "" // a second attempt in this process is not inherited
	m := &memo{r: r, key: key, known: map[int]koda.CallRecord{}, past: -1, killed: killed, cut: killed}
	for _, rec := range recs {
		m.known[rec.Key.Ordinal], m.past = rec, max(m.past, rec.Key.Ordinal)
	}
	return m, nil
}

// errClosed is the error of a call that is made, or answered, after its author has
// returned.
var errClosed = &koda.Error{Code: koda.CodeInterrupted, Op: "the step this call belongs to is over"}

// stepKey places the first call of the author's step that is pending or failed. It
// is false when the effect is not an author's.
func (r *run) stepKey() (koda.CallKey, bool) {
	p := cmp.Or(r.state.Pending, r.state.Failed)
	if p == nil {
		return koda.CallKey{}, false
	}
	key := koda.CallKey{ProjectID: r.project.ID, TurnID: p.TurnID}
	switch p.Kind {
	case phase.EffectClarify:
		key.Step = koda.StepQuestion
	case phase.EffectPlan:
		key.Step = koda.StepPlan
	case phase.EffectInquire:
		key.Step = koda.StepInquiry
	case phase.EffectWork:
		todo, _ := r.state.Working()
		key.Step = todo.ID
	}
	return key, key.Step != ""
}

// answers are the answered calls of the step in work, in the order of their
// answers. Mark is the mark of the newest answer, even if that answer was forgotten
// since. Covered is the number of the newest answer whose work is in the last
// checkpoint. Outside of a step there are no answers.
func (r *run) answers(ctx context.Context) (recs []koda.CallRecord, mark koda.CallMark, covered int, err error) {
	key, ok := r.stepKey()
	if !ok {
		return nil, mark, 0, nil
	}
	mark = koda.CallMark{TurnID: key.TurnID, Step: key.Step}
	state, err := r.e.cfg.Storage.ReadState(r.project.Dir)
	if err != nil && koda.CodeOf(err) != koda.CodeNotFound {
		return nil, mark, 0, fmt.Errorf("read checkpoint: %w", err)
	}
	if m := state.LastCheckpoint.Covers; m != nil && m.TurnID == key.TurnID && m.Step == key.Step {
		covered = m.Calls
	}
	if recs, err = r.e.cfg.Calls.Answered(ctx, key); err != nil {
		return nil, mark, 0, fmt.Errorf("read journal: %w", err)
	}
	mark.Calls = covered
	for _, rec := range recs {
		mark.Calls = max(mark.Calls, rec.Answer)
	}
	return recs, mark, covered, nil
}

// call is a call with its place in the step.
type call struct {
	koda.CallRecord
	answered bool // in the journal
	cutOff   bool // the end of an earlier process may have cut the call off
}

// place gives calls the next places, in order. A call without a digest takes no
// place.
func (m *memo) place(ctx context.Context, recs ...koda.CallRecord) ([]call, error) {
	m.places.Lock()
	defer m.places.Unlock()
	m.r.mu.Lock()
	defer m.r.mu.Unlock()
	if m.closed {
		return nil, errClosed
	}
	if m.lost != nil {
		return nil, m.lost
	}
	calls, cut := make([]call, len(recs)), m.cut
	for i, rec := range recs {
		if rec.Digest == "" {
			continue
		}
		rec.Key = m.key
		m.key.Ordinal++
		known, ok := m.known[rec.Key.Ordinal]
		m.cut = m.cut && ok // an author goes on only when all calls made at once are answered
		if ok && known.Digest != rec.Digest {
			if err := m.forget(ctx, rec.Key); err != nil {
				return nil, err
			}
			ok = false
		}
		calls[i] = call{rec, ok && (m.killed || known.ErrCode == "" || rec.Key.Ordinal < m.past), cut && !ok}
	}
	return calls, nil
}

// forget drops the answers from a place on. A checkpoint first keeps what those
// calls did in the sandbox, so that the sandbox can be restored.
func (m *memo) forget(ctx context.Context, from koda.CallKey) error {
	if err := m.r.checkpoint(ctx); err != nil {
		return err
	}
	if err := m.r.e.cfg.Calls.Forget(context.WithoutCancel(ctx), from); err != nil {
		return fmt.Errorf("forget calls: %w", err)
	}
	for ordinal := range m.known {
		if ordinal >= from.Ordinal {
			delete(m.known, ordinal)
		}
	}
	m.past = from.Ordinal - 1
	return nil
}

// callOutcome is the result of a call that was made.
type callOutcome struct {
	output json.RawMessage
	err    error
	event  phase.Event // nil: the call changed nothing else
	render *koda.RenderRecord
}

// answer answers a call from the journal, or makes it by do and journals the
// answer. The caller holds no lock, not even the state's. If brief is set, do takes
// no time and runs with the state held.
func (m *memo) answer(ctx context.Context, c call, brief bool, do func() callOutcome) (json.RawMessage, error) {
	if brief || c.answered {
		m.r.mu.Lock()
		defer m.r.mu.Unlock()
	}
	if c.answered {
		rec, ok, err := m.r.e.cfg.Calls.Call(ctx, c.Key)
		if err == nil && !ok {
			err = errors.New("an answer is gone")
		}
		if err != nil {
			return nil, fmt.Errorf("read journal: %w", err)
		}
		m.r.saved.Calls++
		return rec.Output, rec.Err()
	}
	o := do()
	if o.err != nil && ctx.Err() != nil {
		return nil, ctx.Err() // the call has no answer; resume makes it again
	}
	failpoint.Hit("engine.call")
	if !brief {
		m.r.mu.Lock()
		defer m.r.mu.Unlock()
	}
	return m.record(ctx, c.CallRecord, o)
}

// record journals the answer of a call.
func (m *memo) record(ctx context.Context, rec koda.CallRecord, o callOutcome) (json.RawMessage, error) {
	if m.closed {
		return nil, errClosed
	}
	rec.At, rec.Answer = m.r.e.now(), m.r.answered.Calls+1
	if o.err == nil {
		rec.Output = o.output
	} else {
		rec.ErrCode, rec.ErrText = koda.CodeOf(o.err), o.err.Error()
		rec.ErrHint, rec.ErrDetails = koda.HintOf(o.err), koda.DetailsOf(o.err)
	}
	if o.event == nil {
		o.event = phase.Called{Stamp: m.r.stamp()}
	}
	if err := m.r.step(ctx, o.event, with{call: &rec, render: o.render}); err != nil {
		m.lost = err
		return nil, err
	}
	m.r.answered.Calls = rec.Answer
	if _, wrote := o.event.(phase.Wrote); wrote {
		m.r.watch.wrote()
	}
	return rec.Output, rec.Err()
}

// askAnew prepares the retry of a step that failed. An author that gave up by
// itself would give up again, given the same answers. So the model's last answer is
// forgotten, with all answers after it. If another failure cut the author short,
// its answers are good.
func (r *run) askAnew(ctx context.Context) error {
	f := r.state.Node.Error
	if f == nil || !slices.Contains([]koda.Code{koda.CodeFailed, koda.CodeInvalidInput, koda.CodeNotAnimation}, f.Code) {
		return nil
	}
	recs, _, _, err := r.answers(ctx)
	if err != nil {
		return err
	}
	var last, model koda.CallRecord
	for _, rec := range recs {
		if rec.Key.Ordinal >= last.Key.Ordinal {
			last = rec
		}
		if rec.Name == koda.CallModel && rec.Key.Ordinal >= model.Key.Ordinal {
			model = rec
		}
	}
	if model.Name == "" || last.ErrCode != "" {
		return nil
	}
	return r.e.cfg.Calls.Forget(ctx, model.Key)
}

// digestOfCall is the digest of a name and an input; white space in the input does
// not count.
func digestOfCall(name string, input json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, input) != nil {
		compact.Reset()
		compact.Write(input)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s", name, compact.Bytes())
	return hex.EncodeToString(h.Sum(nil))
}
