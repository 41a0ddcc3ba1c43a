package form_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/form"
	"github.com/koda-video/koda/internal/llm/llmtest"
)

func guide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../templates/prompts/form.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func able(yes bool) func(context.Context) *bool {
	return func(context.Context) *bool { return &yes }
}

func nobodyKnows(context.Context) *bool { return nil }

func text(s string) llm.Part { return llm.Part{Text: s} }

// says is an answer of text that ends.
func says(s string) llmtest.Step {
	return llmtest.Step{Thinking: "Hm.", Response: llm.Response{Parts: []llm.Part{text(s)}, Stop: llm.StopEnd, Usage: llm.Usage{Input: 10, Output: 5}}}
}

// TestRun: a model that takes tools is as if the form were not there.
func TestRun(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, func(t *testing.T, steps ...llmtest.Step) llm.Model {
		return form.New(llmtest.New(steps...), guide(t), able(true))
	})
}

func request() llm.Request {
	return llm.Request{System: "You animate.", Tools: tools(), Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{text("a ball")}}}}
}

// TestAnswer: a model without calls is told the form, calls in it, and gets the results
// in it. Its code does not pass as text.
func TestAnswer(t *testing.T) {
	t.Parallel()
	inner := llmtest.New(
		says("I write <b>one</b> file.\n\n<write_file>\n<path>a.ts</path>\n<content>\nconst a = 1 < 2\n</content>\n</write_file>\n<check>\n<times>[1]</times>\n</check>\n"),
		says("<finish>\n<summary>done"), says("done"),
	)
	m := form.New(inner, guide(t), able(false))
	var passed strings.Builder
	show := func(d koda.TextDelta) { passed.WriteString(d.Text + strings.Repeat("!"+d.Tool, min(1, len(d.Tool)))) }
	req := request()
	got, err := m.Answer(t.Context(), req, show)
	uses := got.Uses()
	if err != nil || got.Stop != llm.StopTools || len(uses) != 2 || got.Text() != "I write <b>one</b> file." || len(got.Parts[0].Opaque) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if uses[0].Name != "sandbox_write_file" || string(uses[0].Input) != `{"content":"const a = 1 < 2\n","path":"a.ts"}` || uses[0].ID == uses[1].ID {
		t.Errorf("uses %s", uses)
	}
	if passed.String() != "I write <b>one</b> file.\n\n!sandbox_write_file!check" {
		t.Errorf("passed %q", passed.String())
	}
	told := inner.Asked()[0]
	for _, want := range []string{"You animate.\n\n# How you call a tool", "## edit_file\n\nChange a file", "<edit_file>\n<path></path>\n<old_string>Text that occurs", "<times>JSON of this schema: {\"type\":\"array\"", "May be left out.</encoding>", "One of: utf8, base64."} {
		if !strings.Contains(told.System, want) {
			t.Errorf("the form is told without %q:\n%s", want, told.System)
		}
	}
	if len(told.Tools) > 0 {
		t.Error("the model was given tools")
	}

	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Parts: got.Parts}, llm.Message{Role: llm.User, Parts: []llm.Part{
		{Result: &llm.ToolResult{ID: uses[0].ID, Failed: true, Parts: []llm.Part{text("INVALID_PATH")}}},
		{Result: &llm.ToolResult{ID: uses[1].ID, Parts: []llm.Part{text("it draws"), {Picture: &llm.Picture{MediaType: "image/png", Data: []byte("x")}}}}},
	}})
	got, err = m.Answer(t.Context(), req, nil)
	if err != nil || len(got.Uses()) != 1 || got.Text() != "<finish>\n<summary>done" || llm.Unread(got.Uses()[0].Input) != "Your answer could not be read, so nothing of it was done: <finish> is not closed by </finish>. Write all its calls again." {
		t.Fatalf("%+v, %v", got, err)
	}
	var lines []string
	for _, msg := range inner.Asked()[1].Messages {
		for _, p := range msg.Parts {
			if p.Use != nil || p.Result != nil {
				t.Errorf("%s: a call or a result came through", msg.Role)
			}
			lines = append(lines, fmt.Sprintf("%s %s%v", msg.Role, p.Text, p.Picture != nil))
		}
	}
	want := []string{
		"user a ballfalse", "assistant false", "assistant I write <b>one</b> file.false",
		"assistant <sandbox_write_file>\n<path>a.ts</path>\n<content>\nconst a = 1 < 2\n</content>\n</sandbox_write_file>false", "assistant <check>\n<times>[1]</times>\n</check>false",
		"user FAILED: sandbox_write_filefalse", "user INVALID_PATHfalse", "user Result of checkfalse", "user it drawsfalse", "user true",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	// A broken call goes back as it was written.
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Parts: got.Parts})
	if _, err := m.Answer(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	messages := inner.Asked()[2].Messages
	if last := messages[len(messages)-1].Parts; last[len(last)-1].Text != "<finish>\n<summary>done" {
		t.Errorf("told %+v", last)
	}
}

// TestAnswer_decides: when a model is asked in the form, and when it is not.
func TestAnswer_decides(t *testing.T) {
	t.Parallel()
	call := says("<finish/>")
	native := llmtest.Step{Response: llm.Response{Stop: llm.StopTools, Parts: []llm.Part{{Use: &llm.ToolUse{ID: "1", Name: "finish", Input: []byte(`{}`)}}}}}
	talked := request()
	talked.Messages = append(talked.Messages, llm.Message{Role: llm.Assistant, Parts: []llm.Part{text("Done.")}}, llm.Message{Role: llm.User, Parts: []llm.Part{text("Call a tool.")}})
	called := request() // a resumed todo
	called.Messages = append(called.Messages, llm.Message{Role: llm.Assistant, Parts: []llm.Part{{Use: &llm.ToolUse{ID: "form-1", Name: "check", Input: []byte(`{}`)}}}}, llm.Message{Role: llm.User, Parts: []llm.Part{{Result: &llm.ToolResult{ID: "form-1"}}}})
	refuses := llmtest.Step{Fail: koda.CodeInvalidInput}
	for name, tt := range map[string]struct {
		able  func(context.Context) *bool
		req   llm.Request
		steps []llmtest.Step
		asked string // t: with tools, f: in the form
		calls int    // in the last answer
	}{
		"takes no tools":               {able(false), request(), []llmtest.Step{call}, "f", 1},
		"takes tools":                  {able(true), request(), []llmtest.Step{native}, "t", 1},
		"takes tools, and writes":      {able(true), request(), []llmtest.Step{call, call}, "tf", 1},
		"takes tools, and talks":       {able(true), talked, []llmtest.Step{says("Done.")}, "t", 0},
		"takes tools, and fails":       {able(true), request(), []llmtest.Step{refuses}, "t", -1},
		"unknown, native":              {nobodyKnows, request(), []llmtest.Step{native}, "t", 1},
		"unknown, refuses tools":       {nobodyKnows, request(), []llmtest.Step{refuses, call, call}, "tff", 1},
		"unknown, refuses everything":  {nobodyKnows, request(), []llmtest.Step{refuses, refuses}, "tf", -1},
		"unknown, talks":               {nobodyKnows, talked, []llmtest.Step{call}, "f", 1},
		"unknown, and called in it":    {nobodyKnows, called, []llmtest.Step{call}, "f", 1},
		"unknown, native and then not": {nobodyKnows, request(), []llmtest.Step{native, refuses}, "tt", -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inner := llmtest.New(tt.steps...)
			m := form.New(inner, guide(t), tt.able)
			calls := 0
			for len(inner.Asked()) < len(tt.steps) {
				got, err := m.Answer(t.Context(), tt.req, nil)
				if calls = len(got.Uses()); err != nil {
					calls = -1
				}
			}
			asked := ""
			for _, req := range inner.Asked() {
				asked += map[bool]string{true: "t", false: "f"}[len(req.Tools) > 0]
			}
			if asked != tt.asked || calls != tt.calls {
				t.Errorf("asked %s, %d calls", asked, calls)
			}
		})
	}
}

// TestTry: a trial says what the model does by itself.
func TestTry(t *testing.T) {
	t.Parallel()
	call := says("<note>\n<about>word</about>\n<text>koda</text>\n</note>")
	if got, err := llm.Try(t.Context(), form.New(llmtest.New(call), "", able(false))); err != nil || got.Tools {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestAnswer_length: of an answer that was cut the whole calls are left.
func TestAnswer_length(t *testing.T) {
	t.Parallel()
	step := says("<check/>\n<write_file>\n<path>a.ts</path>\n<content>\nconst")
	step.Response.Stop = llm.StopLength
	got, err := form.New(llmtest.New(step), "", able(false)).Answer(t.Context(), request(), nil)
	if err != nil || got.Stop != llm.StopLength || len(got.Uses()) != 1 || got.Uses()[0].Name != "check" {
		t.Errorf("%+v, %v", got, err)
	}
}
