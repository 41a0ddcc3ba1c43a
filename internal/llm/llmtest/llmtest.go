// Package llmtest tests the contract of language models: every adapter passes
// [Run]. It also holds a scripted [Model] that passes [Run] without a service. Only
// tests import it.
package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// Step says how a service answers one request.
type Step struct {
	Response llm.Response // the answer, without opaque parts
	Thinking string       // the thinking before the answer; it becomes an opaque part before the other parts
	// Fail, if set, is the code of a failure of the service or of the way to it.
	Fail koda.Code
	// Cut ends the stream in the middle of the last part without an error.
	Cut bool
	// Hold, if set, keeps the answer from ending until the channel is closed.
	Hold <-chan struct{}
}

// Model is a model that follows a script.
type Model struct {
	// Script is the step for the nth request, from 0.
	Script func(n int, req llm.Request) Step

	mu    sync.Mutex
	asked []llm.Request
}

// New makes a model that does the steps, one for each request.
func New(steps ...Step) *Model {
	return &Model{Script: func(n int, _ llm.Request) Step {
		if n >= len(steps) {
			return Step{Fail: koda.CodeInvalidInput}
		}
		return steps[n]
	}}
}

// Asked returns the requests so far.
func (m *Model) Asked() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]llm.Request(nil), m.asked...)
}

// Answer implements llm.Model.
func (m *Model) Answer(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	m.mu.Lock()
	step := m.Script(len(m.asked), req)
	m.asked = append(m.asked, req)
	m.mu.Unlock()
	if show == nil {
		show = func(koda.TextDelta) {}
	}
	spent := llm.Response{Usage: step.Response.Usage}
	if step.Fail != "" {
		return spent, &koda.Error{Code: step.Fail, Op: "ask the model", Hint: "this is a script"}
	}
	if step.Thinking != "" {
		show(koda.TextDelta{Thinking: step.Thinking})
	}
	for _, p := range step.Response.Parts {
		for _, word := range strings.SplitAfter(p.Text, " ") {
			if word != "" {
				show(koda.TextDelta{Text: word})
			}
		}
		if p.Use != nil {
			show(koda.TextDelta{Tool: p.Use.Name})
		}
	}
	if step.Hold != nil {
		select {
		case <-step.Hold:
		case <-ctx.Done():
		}
	}
	switch {
	case ctx.Err() != nil:
		return spent, &koda.Error{Code: koda.CodeOf(ctx.Err()), Op: "ask the model", Err: ctx.Err()}
	case step.Cut:
		return spent, &koda.Error{Code: koda.CodeProviderError, Op: "the model's answer ended too early", Hint: "try again"}
	}
	resp := step.Response
	if step.Thinking != "" {
		thought, err := json.Marshal(map[string]string{"thought": step.Thinking})
		if err != nil {
			return spent, err
		}
		resp.Parts = append([]llm.Part{{Opaque: thought}}, resp.Parts...)
	}
	return resp, nil
}

// ask is a request; whole is an answer to it.
var (
	ask = llm.Request{
		System: "You animate.", Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: "a ball"}}}},
		Tools:     []llm.Tool{{Name: "write", Description: "Write a file.", Input: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)}},
		MaxTokens: 1000,
	}
	whole = llm.Response{
		Parts: []llm.Part{
			{Text: "I write <two> files: ünï."},
			{Use: &llm.ToolUse{ID: "1", Name: "write", Input: json.RawMessage(`{"path":"a"}`)}},
			{Use: &llm.ToolUse{ID: "2", Name: "write", Input: json.RawMessage(`{"path":"b"}`)}},
		},
		Stop: llm.StopTools, Model: "scripted", Usage: llm.Usage{Input: 10, CacheRead: 20, CacheWrite: 5, Output: 7},
	}
)

// Run tests the contract. Start makes a model whose service does the steps in
// order, one for each request.
func Run(t *testing.T, start func(t *testing.T, steps ...Step) llm.Model) {
	t.Helper()
	RunWhole(t, start)
	runStreamed(t, start)
}

// RunWhole tests what the contract says of services that do not stream.
func RunWhole(t *testing.T, start func(t *testing.T, steps ...Step) llm.Model) {
	t.Helper()
	t.Run("whole", func(t *testing.T) { testWhole(t, start) })
	t.Run("cut", func(t *testing.T) {
		t.Parallel()
		got, err := start(t, Step{Response: whole, Cut: true}).Answer(t.Context(), ask, nil)
		if koda.CodeOf(err) != koda.CodeProviderError || len(got.Parts) > 0 {
			t.Errorf("a stream that was cut gave %+v, %v", got.Parts, err)
		}
	})
	for _, code := range []koda.Code{koda.CodeUnauthorized, koda.CodeInvalidInput, koda.CodeLimitReached, koda.CodeNetwork, koda.CodeProviderError} {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			got, err := start(t, Step{Fail: code}).Answer(t.Context(), ask, nil)
			if koda.CodeOf(err) != code || koda.HintOf(err) == "" || len(got.Parts) > 0 {
				t.Errorf("%+v, %v (%s)", got.Parts, err, koda.HintOf(err))
			}
		})
	}
}

// runStreamed tests what the contract says of answers that come piece by piece.
func runStreamed(t *testing.T, start func(t *testing.T, steps ...Step) llm.Model) {
	t.Helper()
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		m := start(t, Step{Response: whole, Hold: make(chan struct{})})
		if _, err := m.Answer(ctx, ask, func(koda.TextDelta) { cancel() }); koda.CodeOf(err) != koda.CodeInterrupted {
			t.Errorf("cancelled, it gave %v", err)
		}
	})
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		hold := make(chan struct{})
		m := start(t, Step{Response: whole, Hold: hold}, Step{Response: whole, Hold: hold})
		var all, begun sync.WaitGroup
		for range 2 {
			begun.Add(1)
			all.Go(func() {
				var once sync.Once
				if got, err := m.Answer(t.Context(), ask, func(koda.TextDelta) { once.Do(begun.Done) }); err != nil || got.Text() != whole.Text() {
					t.Errorf("%+v, %v", got, err)
				}
			})
		}
		begun.Wait()
		close(hold)
		all.Wait()
	})
}

// testWhole: an answer is returned whole, is passed on piece by piece, and can be
// sent back unchanged.
func testWhole(t *testing.T, start func(t *testing.T, steps ...Step) llm.Model) {
	t.Helper()
	t.Parallel()
	m := start(t, Step{Response: whole, Thinking: "two are enough"}, Step{Response: llm.Response{Parts: []llm.Part{{Text: "done"}}, Stop: llm.StopEnd}})
	var text, thought strings.Builder
	var tools []string
	got, err := m.Answer(t.Context(), ask, func(d koda.TextDelta) {
		text.WriteString(d.Text)
		thought.WriteString(d.Thinking)
		if d.Tool != "" {
			tools = append(tools, d.Tool)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Parts) == 0 || len(got.Parts[0].Opaque) == 0 {
		t.Fatalf("the thought is not kept: %+v", got.Parts)
	}
	said := got
	said.Parts = got.Parts[1:]
	if diff := cmp.Diff(whole, said); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if text.String() != whole.Text() || thought.String() != "two are enough" || strings.Join(tools, " ") != "write write" {
		t.Errorf("passed %q, %q and %q", text.String(), thought.String(), tools)
	}
	// The answer is sent back unchanged after a journal stored it.
	data, err := json.Marshal(got)
	var journaled llm.Response
	if err := errors.Join(err, json.Unmarshal(data, &journaled)); err != nil {
		t.Fatal(err)
	}
	next := ask
	next.Messages = append(next.Messages, llm.Message{Role: llm.Assistant, Parts: journaled.Parts}, llm.Message{Role: llm.User, Parts: []llm.Part{
		{Result: &llm.ToolResult{ID: "1", Parts: []llm.Part{{Text: "written"}, {Picture: &llm.Picture{MediaType: "image/png", Data: []byte("\x89PNG")}}}}},
		{Result: &llm.ToolResult{ID: "2", Parts: []llm.Part{{Text: "no such directory"}}, Failed: true}},
	}})
	if got, err := m.Answer(t.Context(), next, nil); err != nil || got.Text() != "done" || got.Stop != llm.StopEnd {
		t.Errorf("the next answer is %+v, %v", got, err)
	}
}
