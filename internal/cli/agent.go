package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/agentlog"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// takeDown journals a part of what an outside agent said.
type takeDown func(ctx context.Context, log koda.AgentLog) (taken int, err error)

// agentResult is what an outside agent said.
type agentResult struct {
	Run    string `json:"run"`
	Lines  int    `json:"lines"`
	Odd    int    `json:"odd,omitempty"` // lines that were not understood
	Turns  int    `json:"turns"`
	Blocks int    `json:"blocks"`
	Bytes  int64  `json:"bytes"`
	Lost   int64  `json:"lost,omitempty"`  // bytes that could not be kept, and were passed on
	Waits  bool   `json:"waits,omitempty"` // a part waits for the next command
}

// hearing is an outside agent that is heard: its lines are in a spool, and go to a project.
type hearing struct {
	agentResult
	a       *app
	spool   *agentlog.Spool
	take    takeDown
	parser  agentlog.Parser
	from    io.Reader
	steps   []koda.AgentStep // that are not taken down
	sent    int              // steps that are
	skip    int              // steps that were taken down by an earlier process
	closed  bool
	failure *koda.Failure // with which the last turn ended
	lost    atomic.Int64  // bytes that could not be kept
	// unpassed: the output could not be written, although somebody reads it.
	unpassed atomic.Bool

	heard, passed chan struct{} // closed when all came, and when all was passed on
}

// Bounds of a part that is sent.
const (
	partSteps = 2000
	partBytes = 8 << 20
	partRead  = 4 << 20
)

func newHearing(a *app, spool *agentlog.Spool, take takeDown) *hearing {
	h := &hearing{a: a, spool: spool, take: take, from: spool.Reader(false), heard: make(chan struct{}), passed: make(chan struct{})}
	h.Run, h.parser.Dir = spool.Run, spool.Dir
	return h
}

// listen takes all that in has into the spool, and passes it on. It waits for nobody but in:
// who reads slowly, here or below, holds up no agent.
func (h *hearing) listen(in io.Reader, out io.Writer) {
	go func() {
		defer close(h.passed)
		// A reader that is gone ends nothing: the project still gets all of it.
		if _, err := io.Copy(out, h.spool.Reader(true)); err != nil && !errors.Is(err, syscall.EPIPE) {
			h.unpassed.Store(true)
			h.a.warn("what the agent says cannot be passed on: " + koda.Sentence(err))
		}
	}()
	go func() {
		defer close(h.heard)
		defer h.spool.End()
		full, buf := false, make([]byte, 64<<10)
		for {
			n, err := in.Read(buf)
			b := buf[:n]
			if !full {
				kept, failed := h.spool.Write(b)
				if b = b[kept:]; failed != nil {
					full = true
					h.a.warn(koda.Sentence(failed) + "; what follows is passed on, and is not in the history")
					<-h.passed
				}
			}
			if len(b) > 0 {
				h.lost.Add(int64(len(b)))
				_, _ = out.Write(b) //nolint:errcheck // likewise
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					h.a.warn("what the agent says cannot be read: " + koda.Sentence(err))
				}
				return
			}
		}
	}()
}

// deliver sends what came to the project. With over nothing follows; why says what cut the
// agent off.
func (h *hearing) deliver(ctx context.Context, over bool, why *koda.Failure) error {
	for {
		n, err := io.CopyN(&h.parser, h.from, partRead)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n < partRead && over && !h.closed {
			h.closed = true
			h.parser.Close(why)
		}
		h.count(h.parser.Steps())
		if err := h.send(ctx, h.closed); err != nil {
			return err
		}
		if n < partRead {
			return nil
		}
	}
}

func (h *hearing) count(steps []koda.AgentStep) {
	h.steps = append(h.steps, steps...)
	for _, s := range steps {
		switch {
		case s.Begin != nil:
			h.Turns++
		case s.Block != nil:
			h.Blocks++
		default:
			h.failure = s.End.Failure
		}
	}
	known := min(h.skip, len(h.steps))
	h.steps, h.skip, h.sent = h.steps[known:], h.skip-known, h.sent+known
	h.Lines, h.Odd, h.Bytes = h.parser.Lines, h.parser.Odd, h.spool.Size()
	h.Lost = h.lost.Load()
}

func (h *hearing) send(ctx context.Context, over bool) error {
	for len(h.steps) > 0 || over {
		n, size := 0, 0
		for n < min(len(h.steps), partSteps) && size < partBytes {
			data, err := json.Marshal(h.steps[n])
			if err != nil {
				return fmt.Errorf("send what the agent said: %w", err)
			}
			n, size = n+1, size+len(data)
		}
		last := over && n == len(h.steps)
		if _, err := h.take(ctx, koda.AgentLog{Run: h.Run, From: h.sent, Steps: h.steps[:n], Over: last}); err != nil {
			return err
		}
		h.steps, h.sent = h.steps[n:], h.sent+n
		if last {
			return nil
		}
	}
	return nil
}

// finish sends the rest, and tries a few times. What cannot be sent stays in the spool.
func (h *hearing) finish(ctx context.Context, why *koda.Failure) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTries)
	defer cancel()
	for {
		err := h.deliver(ctx, true, why)
		if err == nil {
			return h.spool.Remove()
		}
		timer := time.NewTimer(lookEvery)
		if slices.Contains([]koda.Code{koda.CodeUnauthorized, koda.CodeNotFound, koda.CodeInvalidInput}, koda.CodeOf(err)) {
			cancel() // a second try mends nothing
			timer.Reset(lastTries)
		}
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			h.Waits = true
			hint := "nothing is lost: the next command on this project takes it in"
			if h.Lost = h.lost.Load(); h.Lost > 0 {
				hint = "the next command on this project takes in what was kept; " + size(h.Lost) + " were not kept"
			}
			return errors.Join(&koda.Error{
				Code: koda.CodeOf(err), Op: "not all that the agent said is in the history of " + koda.Quote(h.spool.Name) + " yet", Err: err,
				Hint: hint,
			}, h.spool.Close(why == nil))
		}
	}
}

// verdict is the error of an agent that says that it failed.
func (h *hearing) verdict() error {
	switch {
	case h.Lost > 0:
		return &koda.Error{Code: koda.CodePartial, Op: size(h.Lost) + " of what the agent said could not be kept, and were passed on", Hint: "make room on the disk"}
	case h.unpassed.Load():
		return &koda.Error{Code: koda.CodePartial, Op: "not all that the agent said could be passed on", Hint: "the history has all of it"}
	case h.failure == nil:
		return nil
	}
	return &koda.Error{Code: h.failure.Code, Op: "the agent: " + cmp.Or(widget.Line(h.failure.Message), "it failed"), Hint: "`koda history` lists its turns"}
}

func (h *hearing) tell() {
	name := koda.Quote(h.spool.Name)
	if h.Turns == 0 {
		h.a.say("", "the agent said nothing")
		return
	}
	text := fmt.Sprintf("%s has %s of the agent, with %s", name, count(h.Turns, "turn"), count(h.Blocks, "block"))
	if h.Odd > 0 {
		text += fmt.Sprintf("; not understood, and kept as it came: %s", count(h.Odd, "line"))
	}
	h.a.say("", text)
}

// finder takes in what agents said that is not in the history yet, before a project is used.
type finder struct {
	Engine
	a *app
}

// Find implements Engine.
func (f finder) Find(ctx context.Context, ref string) (koda.Project, error) {
	p, err := f.Engine.Find(ctx, ref)
	if err == nil {
		f.a.takeUp(ctx, p, "", func(ctx context.Context, log koda.AgentLog) (int, error) { return f.Engine.TakeDown(ctx, p.ID, log) })
	}
	return p, err
}

// takeUp takes in what agents of a project said whose koda was killed or could not reach the
// project. If that cannot be done now, it stays for the next command.
func (a *app) takeUp(ctx context.Context, p koda.Project, from string, take takeDown) {
	if a.deps.AgentLogs == nil {
		return
	}
	dir, err := a.deps.AgentLogs()
	if err != nil {
		return // the command itself tells it
	}
	for _, spool := range agentlog.Left(dir, p.ID, from) {
		h := newHearing(a, spool, take)
		if h.skip, err = take(ctx, koda.AgentLog{Run: h.Run}); err == nil {
			before := h.skip
			was, why := "what an agent said of its work on %s waited; it is in the history now, %s in all", (*koda.Failure)(nil)
			if !spool.Whole {
				was = "koda watch was killed while an agent worked on %s; what the agent had said is in the history now, %s in all"
				why = &koda.Failure{Code: koda.CodeInterrupted, Message: "koda watch was killed"}
			}
			if err = h.deliver(ctx, true, why); err == nil && h.sent > before {
				a.warn(fmt.Sprintf(was, p.Name, count(h.Lines, "line")))
			}
		}
		if err == nil {
			err = spool.Remove()
		} else {
			err = errors.Join(err, spool.Close(false))
		}
		if err != nil && ctx.Err() == nil && koda.CodeOf(err) != koda.CodeInUse {
			a.warn("what an agent said could not be taken in: " + koda.Sentence(err))
		}
	}
}

// mostAgents is how many turns of outside agents are listed.
const mostAgents = 8

// agents lists the newest turns of outside agents, a line each; "" if there are none.
func (a *app) agents(turns []koda.Turn, width int) string {
	var lines []string
	for _, t := range turns {
		if t.Kind != engine.TurnAgent {
			continue
		}
		facts := []string{ago(a.deps.Now().Sub(t.StartedAt)), t.Status}
		head := fmt.Sprintf("turn %d  by an agent  ", t.Number)
		if t.Input != "" {
			head += oneLine(t.Input, max(20, width-60)) + "  "
		}
		if t.Error != nil {
			facts = append(facts, oneLine(t.Error.Message, 60))
		}
		if t.Cost != (koda.Cost{}) {
			facts = append(facts, t.Cost.String())
		}
		lines = append(lines, head+strings.Join(facts, " · "))
	}
	if more := len(lines) - mostAgents; more > 0 {
		lines = append([]string{fmt.Sprintf("%s by agents before", count(more, "turn"))}, lines[more:]...)
	}
	return strings.Join(lines, "\n")
}
