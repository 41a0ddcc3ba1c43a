package form

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// Model asks another model, in the form if that one has no calls. It implements llm.Model.
type Model struct {
	next  llm.Model
	guide string
	able  func(context.Context) *bool
	asked sync.Once
	can   *bool // whether the model takes tools; nil: nobody knows

	native atomic.Bool // it made a native call
	spoken atomic.Bool // it made a call in the form
}

// New makes a model that asks next. Guide tells the form; the tools follow it. Able says whether
// the model takes tools, and nil if the service does not say; it is asked once, at the
// first request with tools.
func New(next llm.Model, guide string, able func(context.Context) *bool) *Model {
	return &Model{next: next, guide: strings.TrimSpace(guide), able: able}
}

// Bare is the model that is asked.
func (m *Model) Bare() llm.Model { return m.next }

// Answer implements llm.Model. If nobody knows whether the model takes tools, it is given
// tools, and after a failure, or an answer without any call, the form.
func (m *Model) Answer(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	if len(req.Tools) == 0 {
		return m.next.Answer(ctx, req, show)
	}
	m.asked.Do(func() { m.can = m.able(ctx) })
	unknown := m.can == nil && !m.native.Load()
	if m.can != nil && !*m.can || m.spoken.Load() || unknown && talksOnly(req) {
		return m.ask(ctx, req, show)
	}
	resp, err := m.next.Answer(ctx, req, show)
	if code := koda.CodeOf(err); unknown && ctx.Err() == nil && (code == koda.CodeInvalidInput || code == koda.CodeProviderError) {
		again, failed := m.ask(ctx, req, show)
		again.Usage = again.Usage.Plus(resp.Usage)
		if failed == nil {
			return again, nil
		}
		return llm.Response{Usage: again.Usage}, err
	}
	if err != nil {
		return resp, err
	}
	if len(resp.Uses()) > 0 {
		m.native.Store(true)
		return resp, nil
	}
	return m.read(resp, req), nil
}

// ids begin the ids of calls in the form.
const ids = "form-"

// talksOnly reports whether the model has answered, and never by a native call.
func talksOnly(req llm.Request) bool {
	return len(req.Messages) > 1 && !slices.ContainsFunc(req.Messages, func(msg llm.Message) bool {
		return slices.ContainsFunc(msg.Parts, func(p llm.Part) bool { return p.Use != nil && !strings.HasPrefix(p.Use.ID, ids) })
	})
}

// ask asks in the form.
func (m *Model) ask(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	tools := kinds(req.Tools)
	told := req
	told.Tools = nil
	told.System = strings.TrimSpace(req.System + "\n\n" + m.guide + "\n\n" + tools.tell())
	told.Messages = tools.written(req.Messages)
	if show != nil {
		l := listener{show: show, tools: tools}
		show = l.take
	}
	resp, err := m.next.Answer(ctx, told, show)
	if err != nil {
		return resp, err
	}
	return m.read(resp, req), nil
}

// read turns the calls in the text of an answer into uses.
func (m *Model) read(resp llm.Response, req llm.Request) llm.Response {
	text := resp.Text()
	said, uses, broken := Parse(text, req.Tools)
	cut := resp.Stop == llm.StopLength
	if broken != nil && !cut {
		said, uses = text, []llm.ToolUse{{Name: broken.Tool, Input: raw(map[string]string{llm.NotForm: broken.Problem})}}
	}
	if len(uses) == 0 {
		return resp
	}
	m.spoken.Store(true)
	out := resp
	out.Parts = nil
	for _, p := range resp.Parts {
		if p.Text == "" {
			out.Parts = append(out.Parts, p)
		}
	}
	if said != "" {
		out.Parts = append(out.Parts, llm.Part{Text: said})
	}
	sum := crc32.ChecksumIEEE([]byte(fmt.Sprint(len(req.Messages), text)))
	for i, u := range uses {
		u.ID = fmt.Sprintf("%s%08x-%d", ids, sum, i+1)
		out.Parts = append(out.Parts, llm.Part{Use: &u})
	}
	if !cut {
		out.Stop = llm.StopTools
	}
	return out
}

// listener passes the text of an answer up to its first call or block, and the names of
// the tools that are called.
type listener struct {
	show   func(koda.TextDelta)
	tools  []kind
	line   string // the line that comes
	passed int    // bytes of it that were passed
	spoke  bool
	called bool
}

func (l *listener) take(d koda.TextDelta) {
	if d.Again {
		*l = listener{show: l.show, tools: l.tools}
	}
	if d.Text == "" {
		l.show(d)
		return
	}
	for piece := range strings.SplitAfterSeq(d.Text, "\n") {
		l.line += piece
		start := strings.TrimLeft(l.line, " \t")
		whole := strings.HasSuffix(l.line, "\n")
		markup := start != "" && strings.ContainsAny(start[:1], "<`[")
		if k, ok := opens(l.tools, start); ok && whole {
			l.called = true
			l.show(koda.TextDelta{Tool: k.name})
		}
		l.called = l.called || strings.HasPrefix(start, "```") || dialectOpens.MatchString(start) || !l.spoke && strings.HasPrefix(start, "{")
		if text := l.line[l.passed:]; text != "" && !l.called && start != "" && (whole || !markup) {
			l.show(koda.TextDelta{Text: text})
			l.passed, l.spoke = len(l.line), true
		}
		if whole {
			l.line, l.passed = "", 0
		}
	}
}
