package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/tool"
)

// scripted answers a request by its last message: "question" and "plan" by a text,
// a todo by two tool calls at once, and their results by a text.
func scripted(_ int, req llm.Request) llmtest.Step {
	last := req.Messages[len(req.Messages)-1]
	said := last.Parts[0].Text
	step := llmtest.Step{Thinking: "about " + said, Response: llm.Response{
		Stop: llm.StopEnd, Model: "scripted", Usage: llm.Usage{Input: 100, CacheRead: 10, Output: 20, USD: 0.25},
	}}
	todo, isTodo := strings.CutPrefix(said, "todo ")
	if !isTodo {
		step.Response.Parts = []llm.Part{{Text: "so be it: " + said}}
		return step
	}
	use := func(id, name, input string) llm.Part {
		return llm.Part{Use: &llm.ToolUse{ID: id, Name: name, Input: json.RawMessage(input)}}
	}
	step.Response.Stop = llm.StopTools
	step.Response.Parts = []llm.Part{
		{Text: "I write it."},
		use("1", tool.NameSandboxWriteFile, fmt.Sprintf(`{"path":"src/%s.ts","content":"x"}`, todo)),
		use("2", tool.NameSandboxReadFile, `{"path":"src/nothing.ts"}`),
		use("3", tool.NameEditFile, fmt.Sprintf(`{"path":"src/%s.ts","old_string":"x","new_string":"ax"}`, todo)),
	}
	return step
}

// converse asks the desk's model and makes the tool calls it wants, until the model
// wants no more.
func converse(ctx context.Context, desk tool.Desk, say string) (string, error) {
	req := llm.Request{System: "You animate.", Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: say}}}}}
	for {
		resp, err := desk.Model.Answer(ctx, req, desk.Show)
		if err != nil {
			return "", err
		}
		if resp.Stop != llm.StopTools {
			return resp.Text(), nil
		}
		var calls []tool.Call
		for _, u := range resp.Uses() {
			calls = append(calls, tool.Call{Name: u.Name, Input: u.Input})
		}
		answer := llm.Message{Role: llm.User}
		for i, r := range desk.Calls(ctx, calls) {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			text := string(r.Output)
			if r.Err != nil {
				text = fmt.Sprintf("%s: %v (%s)", koda.CodeOf(r.Err), r.Err, koda.HintOf(r.Err))
			}
			result := &llm.ToolResult{ID: resp.Uses()[i].ID, Parts: []llm.Part{{Text: text}}, Failed: r.Err != nil}
			answer.Parts = append(answer.Parts, llm.Part{Result: result})
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Parts: resp.Parts}, answer)
	}
}

// modelled makes the author of a bench ask a model for everything.
func (b *bench) modelled(m llm.Model) {
	b.author.clarify = func(ctx context.Context, _ koda.Brief, desk tool.Desk) (*koda.Question, error) {
		text, err := converse(ctx, desk, "question")
		return &koda.Question{Text: text, Options: []koda.Option{{ID: "playful", Label: "Playful"}}}, err
	}
	b.author.plan = func(ctx context.Context, brief koda.Brief, desk tool.Desk) (koda.Plan, error) {
		text, err := converse(ctx, desk, "plan")
		if err == nil {
			err = tool.Say(ctx, desk, text)
		}
		return koda.Plan{
			Style: "playful", TotalDuration: 4, FPS: brief.FPS, Scenes: []koda.Scene{{Number: 1, Title: "All", Duration: 4}},
			Todos: []koda.PlanTodo{{Label: "Draw a ball", Task: "a red ball"}},
		}, err
	}
	b.author.work = func(ctx context.Context, task koda.Task, desk tool.Desk) error {
		text, err := converse(ctx, desk, "todo "+task.Todo.ID)
		if err != nil {
			return err
		}
		return tool.Say(ctx, desk, text+task.Message)
	}
	tweak := b.tweak
	b.tweak = func(cfg *engine.Config) {
		if tweak != nil {
			tweak(cfg)
		}
		cfg.Model = func(koda.Models, bool) llm.Model { return m }
	}
}

// TestModel: a model is asked for the question, the plan and every todo. Its text
// is passed on, and its cost is summed up for each turn and version.
func TestModel(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := &llmtest.Model{Script: scripted}
	b.modelled(m)
	b.open()
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", false)))
	id := out.Project.ID
	if out.State.Question.Text != "so be it: question" {
		t.Fatalf("asked %q", out.State.Question.Text)
	}
	b.must(b.engine.Answer(t.Context(), id, koda.Seen{}, koda.Answer{OptionID: "playful"}))
	out = b.must(b.engine.Accept(t.Context(), id, koda.Seen{}))
	if got := b.read(out.Project.Dir, "src", "2.ts"); got != "ax" {
		t.Errorf("the file is %q", got)
	}
	var labels []string
	for _, todo := range out.State.Execution.Todos {
		labels = append(labels, todo.Label)
	}
	if want := []string{"Set up Theatre.js project", "Draw a ball", "Add finishing touches (shadows, light, background)", "Render preview"}; !cmp.Equal(labels, want) {
		t.Errorf("todos %q", labels)
	}
	if task := b.author.works[1]; task.Kind != koda.TaskTodo || task.Message != "a red ball" {
		t.Errorf("the todo is %+v", task)
	}
	if n := len(m.Asked()); n != 2+3*2 {
		t.Errorf("the model was asked %d times", n)
	}
	var passed strings.Builder
	for _, ev := range b.events() {
		if d, ok := ev.Payload.(koda.TextDelta); ok {
			fmt.Fprintf(&passed, "%s%s%s|", d.Text, d.Thinking, d.Tool)
		}
	}
	if want := "about question|so |be |it: |question|about plan|so |be |it: |plan|about todo 1|I |write |it.|sandbox_write_file|sandbox_read_file|edit_file|"; !strings.HasPrefix(passed.String(), want) {
		t.Errorf("passed %s", passed.String())
	}
	view, err := b.engine.Show(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var turns []koda.Cost
	for _, turn := range view.Turns {
		turns = append(turns, turn.Cost)
	}
	cost := func(calls int) koda.Cost {
		return koda.Cost{USD: 0.25 * float64(calls), InputTokens: int64(110 * calls), CachedTokens: int64(10 * calls), OutputTokens: int64(20 * calls)}
	}
	if diff := cmp.Diff([]koda.Cost{cost(1), cost(1), cost(6)}, turns); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
	if v := view.Versions[0]; v.Cost != cost(8) || v.Model != "scripted" {
		t.Errorf("v1 was made by %s for %+v", v.Model, v.Cost)
	}
	if bills := []koda.Bill{{Model: "scripted", Answers: 8, Cost: cost(8)}}; view.Cost != cost(8) || !cmp.Equal(bills, view.Bills) {
		t.Errorf("it cost %v, by bills %v", view.Cost, view.Bills)
	}
	for _, ev := range b.events() {
		if v, ok := ev.Payload.(koda.Versioned); ok && (v.Model != "scripted" || v.Cost != cost(8)) {
			t.Errorf("the event says %+v", v)
		}
	}
	// The next version has its own cost.
	b.must(b.engine.Edit(t.Context(), id, koda.Seen{}, "make it blue"))
	versions, err := b.db.Versions(t.Context(), id)
	if err != nil || versions[1].Cost != cost(2) {
		t.Errorf("v2 cost %+v, %v", versions[1].Cost, err)
	}
	if h, err := b.engine.History(t.Context(), id); err != nil || h.Cost != cost(10) {
		t.Errorf("all together %v, %v", h.Cost, err)
	}
}

// TestModel_changed: another model in the middle of a project. The bill shows both, and so
// does the version.
func TestModel_changed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	name := "small"
	m := &llmtest.Model{Script: func(n int, req llm.Request) llmtest.Step {
		step := scripted(n, req)
		step.Response.Model = name
		if name == "unlisted" {
			step.Response.Usage.USD, step.Response.Usage.Unpriced = 0, 1
		}
		return step
	}}
	b.modelled(m)
	b.open()
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", false)))
	b.must(b.engine.Answer(t.Context(), out.Project.ID, koda.Seen{}, koda.Answer{OptionID: "playful"}))
	name = "unlisted"
	b.must(b.engine.Accept(t.Context(), out.Project.ID, koda.Seen{}))
	view, err := b.engine.Show(t.Context(), out.Project.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := []koda.Bill{
		{Model: "small", Answers: 2, Cost: koda.Cost{USD: 0.5, InputTokens: 220, CachedTokens: 20, OutputTokens: 40}},
		{Model: "unlisted", Answers: 6, Cost: koda.Cost{Unpriced: 6, InputTokens: 660, CachedTokens: 60, OutputTokens: 120}},
	}
	if diff := cmp.Diff(want, view.Bills); diff != "" {
		t.Errorf("bills (-want +got):\n%s", diff)
	}
	if v := view.Versions[0]; v.Model != "small, unlisted" || v.Cost != want[0].Plus(want[1].Cost) {
		t.Errorf("v1 was made by %s for %v", v.Model, v.Cost)
	}
}

// TestModel_errors: an error that did not stop the author is replayed whole. An
// error that stopped the author counts as no answer. If the author gave up by
// itself, a retry asks its last question anew.
func TestModel_errors(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	down := true
	m := &llmtest.Model{Script: func(n int, req llm.Request) llmtest.Step {
		if said := req.Messages[0].Parts[0].Text; said == "first" || said == "third" && down {
			return llmtest.Step{Fail: koda.CodeNetwork}
		}
		return scripted(n, req)
	}}
	b.modelled(m)
	b.open()
	var told []string
	giveUp := true
	b.author.clarify = func(ctx context.Context, _ koda.Brief, desk tool.Desk) (*koda.Question, error) {
		_, err := converse(ctx, desk, "first")
		told = append(told, fmt.Sprintf("%s %v %s", koda.CodeOf(err), err, koda.HintOf(err)))
		if _, err := converse(ctx, desk, "second"); err != nil {
			return nil, err
		}
		if _, err := converse(ctx, desk, "third"); err != nil {
			return nil, err
		}
		if giveUp {
			return nil, &koda.Error{Code: koda.CodeFailed, Op: "that is no question"}
		}
		return nil, nil
	}
	asked := func() string {
		var texts []string
		for _, req := range m.Asked() {
			texts = append(texts, req.Messages[0].Parts[0].Text)
		}
		return strings.Join(texts, " ")
	}
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", false))
	if koda.CodeOf(err) != koda.CodeNetwork || asked() != "first second third" {
		t.Fatalf("%v, asked %s", err, asked())
	}
	down = false
	b.open()
	out, err = b.engine.Resume(t.Context(), out.Project.ID, false)
	if koda.CodeOf(err) != koda.CodeFailed || asked() != "first second third third" {
		t.Fatalf("%v, asked %s", err, asked())
	}
	giveUp = false
	b.open()
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if asked() != "first second third third third plan" || out.Saved.Calls != 2 {
		t.Errorf("asked %s, %d answers came from the journal", asked(), out.Saved.Calls)
	}
	for _, line := range told {
		if line != "NETWORK ask the model this is a script" {
			t.Errorf("told %v", told)
		}
	}
}

// TestModel_limits: a model is asked no more than it may be, and a project costs no more
// than it may; a higher limit goes on from there.
func TestModel_limits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := &llmtest.Model{Script: scripted}
	limits := engine.Limits{Answers: 3}
	b.tweak = func(cfg *engine.Config) { cfg.Limits = limits }
	b.modelled(m)
	b.open()
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeLimitReached || !strings.Contains(err.Error(), "the model answered 3 times") || len(m.Asked()) != 3 {
		t.Fatalf("%v, asked %d times", err, len(m.Asked()))
	}
	limits = engine.Limits{USD: 1.2} // an answer costs $0.25
	b.open()
	_, err = b.engine.Resume(t.Context(), out.Project.ID, false)
	if koda.CodeOf(err) != koda.CodeLimitReached || !strings.Contains(err.Error(), "cost $1.25, and may cost $1.20") || !strings.Contains(koda.HintOf(err), "koda resume bouncing-ball --max-cost 3") || len(m.Asked()) != 5 {
		t.Fatalf("%v, asked %d times", err, len(m.Asked()))
	}
	limits = engine.Limits{}
	b.open()
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if out.State.Phase != koda.PhaseComplete || len(m.Asked()) != 8 {
		t.Errorf("phase %s, asked %d times", out.State.Phase, len(m.Asked()))
	}
}

// TestModel_timeout: a model works no longer than it may. What was answered is not asked
// again.
func TestModel_timeout(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	hold := make(chan struct{})
	m := &llmtest.Model{Script: func(n int, req llm.Request) llmtest.Step {
		step := scripted(n, req)
		if n == 2 {
			step.Hold = hold
		}
		return step
	}}
	b.tweak = func(cfg *engine.Config) { cfg.Authors[engine.AuthorModel] = b.author }
	b.modelled(m)
	b.open()
	req := b.request("bouncing ball", true)
	req.Brief.Author, req.PlanOnly = engine.AuthorModel, true
	out := b.must(b.engine.New(t.Context(), req))
	b.engine.Limit(time.Millisecond)
	_, err := b.engine.Accept(t.Context(), out.Project.ID, koda.Seen{})
	if koda.CodeOf(err) != koda.CodeTimeout || !strings.Contains(koda.HintOf(err), "koda resume bouncing-ball") || len(m.Asked()) > 3 {
		t.Fatalf("%v (%s), asked %d times", err, koda.HintOf(err), len(m.Asked()))
	}
	asked := len(m.Asked())
	close(hold)
	b.open()
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if out.State.Phase != koda.PhaseComplete || len(m.Asked()) != asked+6 {
		t.Errorf("phase %s, asked %d times", out.State.Phase, len(m.Asked()))
	}
}

// TestPlan_todos: a plan whose todos cannot be shown or done is unusable, and a
// retry asks the model anew.
func TestPlan_todos(t *testing.T) {
	t.Parallel()
	for name, todos := range map[string][]koda.PlanTodo{
		"no label": {{Task: "draw"}}, "two lines": {{Label: "draw\na ball"}}, "a long label": {{Label: strings.Repeat("x", 81)}},
		"an unknown scene": {{Label: "draw", Scene: 2}}, "too many": make([]koda.PlanTodo, 31),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			m := &llmtest.Model{Script: scripted}
			b.modelled(m)
			b.open()
			good := b.author.plan
			b.author.plan = func(ctx context.Context, brief koda.Brief, desk tool.Desk) (koda.Plan, error) {
				p, err := good(ctx, brief, desk)
				if len(m.Asked()) == 2 {
					p.Todos = todos
				}
				return p, err
			}
			out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
			if koda.CodeOf(err) != koda.CodeFailed || !strings.Contains(err.Error(), "the author's plan is not usable") {
				t.Fatalf("%v", err)
			}
			b.open()
			out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
			if out.State.Phase != koda.PhaseComplete || len(m.Asked()) != 2+1+6 {
				t.Errorf("phase %s, the model was asked %d times", out.State.Phase, len(m.Asked()))
			}
		})
	}
}

// TestDesk_givenBack: after a call has ended, the desk that the author was lent for
// it does nothing.
func TestDesk_givenBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := &llmtest.Model{Script: scripted}
	b.modelled(m)
	b.open()
	var kept tool.Desk
	b.author.clarify = func(_ context.Context, _ koda.Brief, desk tool.Desk) (*koda.Question, error) {
		kept = desk
		return nil, nil
	}
	b.must(b.engine.New(t.Context(), b.request("bouncing ball", false)))
	asked := len(m.Asked())
	_, err := converse(t.Context(), kept, "question")
	if said := tool.Say(t.Context(), kept, "late"); koda.CodeOf(err) != koda.CodeInterrupted || koda.CodeOf(said) != koda.CodeInterrupted || len(m.Asked()) != asked {
		t.Errorf("the model: %v, a tool: %v", err, said)
	}
	if offered := kept.Tools(); len(offered) != 2 {
		t.Errorf("while the author asks, %d tools are on offer", len(offered))
	}
}
