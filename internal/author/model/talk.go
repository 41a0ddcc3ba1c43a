package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/tool"
)

// mostTries is how often a question or a plan is asked for.
const mostTries = 4

// talk is a conversation with the desk's model.
type talk struct {
	desk tool.Desk
	req  llm.Request
	left int // calls of the model

	sightless bool // the service fails on pictures
	hard      hardness
	done      []string // what was done in the exchanges that were left out
	// first makes the first message anew, as short as hard says; nil: it stays as it is.
	first func(context.Context, hardness) ([]llm.Part, error)
}

func newTalk(desk tool.Desk, system, say string, tools []llm.Tool, calls int) *talk {
	return &talk{desk: desk, left: calls, req: llm.Request{System: system, Tools: tools, Cache: true, Messages: []llm.Message{said(say)}}}
}

func said(text string) llm.Message {
	return llm.Message{Role: llm.User, Parts: []llm.Part{{Text: text}}}
}

// ask gets the next answer and adds it to the conversation. If the conversation is too
// long for the model, it is shortened. If a service fails on a picture, the
// conversation goes on without pictures.
func (t *talk) ask(ctx context.Context) (llm.Response, error) {
	if t.desk.Model == nil {
		return llm.Response{}, &koda.Error{
			Code: koda.CodeUsage, Op: "no model is chosen", Hint: "give --model PROVIDER/NAME, or set KODA_MODEL; `koda models` lists them",
		}
	}
	for ; t.left > 0; t.left-- {
		resp, err := t.desk.Model.Answer(ctx, t.req, t.desk.Show)
		code := koda.CodeOf(err)
		switch {
		case (code == koda.CodeInvalidInput || code == koda.CodeProviderError) && ctx.Err() == nil && t.blind():
			continue
		case err != nil:
			return resp, goesOn(err)
		case resp.Stop == llm.StopContext:
			shorter, err := t.prune(ctx)
			if err != nil {
				return resp, err
			}
			if shorter {
				continue
			}
			return resp, &koda.Error{Code: koda.CodeLimitReached, Op: "the project is too long for the model", Hint: "choose a model with a longer context: `koda models` lists them"}
		case resp.Stop == llm.StopRefused:
			return resp, &koda.Error{Code: koda.CodeProviderError, Op: "the model refuses to answer", Hint: "say it in other words, or choose another model", Details: clip(resp.Text(), 600)}
		}
		t.left--
		parts := resp.Parts
		if len(parts) == 0 {
			parts = []llm.Part{{Text: "(nothing)"}}
		}
		t.req.Messages = append(t.req.Messages, llm.Message{Role: llm.Assistant, Parts: parts})
		return resp, nil
	}
	return llm.Response{}, &koda.Error{Code: koda.CodeLimitReached, Op: "the model was asked as often as one step may", Hint: "`koda resume` asks on; a stronger model needs fewer answers"}
}

// goesOn adds to a failure of the service how to go on after it.
func goesOn(err error) error {
	code := koda.CodeOf(err)
	if strings.Contains(koda.HintOf(err), "koda resume") || !slices.Contains([]koda.Code{koda.CodeUnauthorized, koda.CodeLimitReached, koda.CodeNetwork, koda.CodeProviderError}, code) {
		return err
	}
	hint := "`koda resume` goes on from here"
	if h := koda.HintOf(err); h != "" {
		hint = h + "; then " + hint
	}
	return &koda.Error{Code: code, Err: err, Hint: hint}
}

// blind takes the pictures out of the conversation; false if there are none.
func (t *talk) blind() bool {
	found := false
	without := func(parts []llm.Part) []llm.Part {
		out := make([]llm.Part, len(parts))
		for i, p := range parts {
			if p.Picture != nil {
				found, p = true, llm.Part{Text: "(a picture, which this model cannot see)"}
			}
			out[i] = p
		}
		return out
	}
	for i, m := range t.req.Messages {
		parts := without(m.Parts)
		for k, p := range parts {
			if p.Result != nil {
				r := *p.Result
				r.Parts = without(r.Parts)
				parts[k].Result = &r
			}
		}
		t.req.Messages[i].Parts = parts
	}
	t.sightless = t.sightless || found
	return found
}

// settle asks until the model calls a tool whose use is accepted. An error of accept that
// is a violation goes back to the model; any other error ends it.
func settle(ctx context.Context, desk tool.Desk, system, say string, tools []llm.Tool, accept func(llm.ToolUse) error) error {
	t := newTalk(desk, system, say, tools, mostTries)
	for {
		resp, err := t.ask(ctx)
		if err != nil {
			return err
		}
		uses := resp.Uses()
		wrong := broken("answer by a call of one of the tools")
		if resp.Stop == llm.StopLength {
			wrong = broken("the answer was cut, because it was too long; answer in fewer words")
		}
		if len(uses) > 0 {
			if why := llm.Unread(uses[0].Input); why != "" {
				wrong = broken("%s", strings.TrimSuffix(why, "."))
			} else {
				wrong = accept(uses[0])
			}
		}
		var v violation
		if !errors.As(wrong, &v) {
			return wrong
		}
		if t.left == 0 {
			return &koda.Error{Code: koda.CodeFailed, Op: "the model gave no usable answer", Err: v.error, Hint: "`koda resume` asks again; or choose another model"}
		}
		reply := said(fmt.Sprintf("That cannot be used: %v. Try again.", v))
		if len(uses) > 0 {
			reply.Parts = nil
		}
		for _, u := range uses {
			reply.Parts = append(reply.Parts, failure(u, fmt.Sprintf("That cannot be used: %v. Call it again.", v)))
		}
		t.req.Messages = append(t.req.Messages, reply)
	}
}

// failure answers a use by an error.
func failure(u llm.ToolUse, text string) llm.Part {
	return llm.Part{Result: &llm.ToolResult{ID: u.ID, Parts: []llm.Part{{Text: text}}, Failed: true}}
}
