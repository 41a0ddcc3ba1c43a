package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

const agentRun = "0123456789abcdef"

func says(text string) koda.AgentStep {
	return koda.AgentStep{Block: &koda.AgentBlock{Type: koda.BlockMessage, Content: text}}
}

func begins(input string) koda.AgentStep {
	return koda.AgentStep{Begin: &koda.AgentTurn{Input: input}}
}

func ends(why string) koda.AgentStep {
	end := &koda.AgentEnd{Cost: koda.Cost{USD: 0.25, InputTokens: 100, OutputTokens: 10}}
	if why != "" {
		end.Failure = &koda.Failure{Code: koda.CodeFailed, Message: why}
	}
	return koda.AgentStep{End: end}
}

// agentTurns are the turns of agents, a line each, with the texts of their blocks.
func (b *bench) agentTurns(id string) (lines []string) {
	b.t.Helper()
	view, err := b.engine.Show(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, turn := range view.Turns {
		if turn.Kind != engine.TurnAgent {
			continue
		}
		line := fmt.Sprintf("%d %q %s $%g", turn.Number, turn.Input, turn.Status, turn.Cost.USD)
		if turn.Error != nil {
			line += " (" + turn.Error.Message + ")"
		}
		blocks, err := b.engine.Blocks(b.t.Context(), turn.ID)
		if err != nil {
			b.t.Fatal(err)
		}
		for i, block := range blocks {
			if block.Number != i+1 {
				b.t.Errorf("block %s has number %d", block.ID, block.Number)
			}
			line += fmt.Sprintf(" %s:%s", block.Type, block.Content)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestTakeDown: what an outside agent does becomes turns with blocks, each step once, and
// changes nothing that the project does or waits for.
func TestTakeDown(t *testing.T) {
	t.Parallel()
	b, ctx := newBench(t), t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	id := out.Project.ID
	take := func(want int, log koda.AgentLog) {
		t.Helper()
		log.Run = agentRun
		if taken, err := b.engine.TakeDown(ctx, id, log); err != nil || taken != want {
			t.Fatalf("%d steps are taken down, want %d: %v", taken, want, err)
		}
	}
	first := []koda.AgentStep{begins("make it red"), says("one"), says("two")}
	take(3, koda.AgentLog{Steps: first})
	take(3, koda.AgentLog{Steps: first}) // once more
	take(5, koda.AgentLog{From: 1, Steps: []koda.AgentStep{first[1], first[2], says("three"), ends("")}})
	take(7, koda.AgentLog{From: 5, Steps: []koda.AgentStep{says("unasked"), ends("no money")}})
	take(9, koda.AgentLog{From: 7, Steps: []koda.AgentStep{begins("a"), begins("b")}})
	take(9, koda.AgentLog{From: 9, Over: true})
	take(9, koda.AgentLog{From: 7, Steps: []koda.AgentStep{begins("a"), begins("b"), says("c")}, Over: true})
	want := []string{
		`2 "make it red" completed $0.25 message:"one" message:"two" message:"three"`,
		`3 "" failed $0.25 (no money) message:"unasked"`,
		`4 "a" completed $0`,
		`5 "b" failed $0 (the agent ended without a word)`,
	}
	if diff := cmp.Diff(want, b.agentTurns(id)); diff != "" {
		t.Error(diff)
	}
	view, err := b.engine.Show(ctx, id)
	if err != nil || view.Seen != out.Seen || view.Waiting != engine.WaitingAnswer {
		t.Errorf("the project waits for %q, seen %v, and was %v: %v", view.Waiting, view.Seen, out.Seen, err)
	}
	b.must(b.engine.Answer(ctx, id, out.Seen, koda.Answer{OptionID: "playful"}))
	events, err := b.engine.Events(ctx, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, ev := range events {
		if up, ok := ev.Payload.(koda.TurnUpdated); ok {
			told = append(told, fmt.Sprintln(up.Number, up.Status, up.Blocks))
		}
	}
	if diff := cmp.Diff([]string{"2 running 2\n", "2 completed 3\n", "3 failed 1\n", "4 running 0\n", "4 completed 0\n", "5 running 0\n", "5 failed 0\n"}, told); diff != "" {
		t.Error(diff)
	}
	for what, log := range map[string]koda.AgentLog{
		"a gap":      {Run: "aaaaaaaa", From: 1, Steps: []koda.AgentStep{says("x")}},
		"no run":     {Steps: []koda.AgentStep{says("x")}},
		"no step":    {Run: "aaaaaaaa", Steps: []koda.AgentStep{{}}},
		"two steps":  {Run: "aaaaaaaa", Steps: []koda.AgentStep{{Begin: &koda.AgentTurn{}, End: &koda.AgentEnd{}}}},
		"a plan":     {Run: "aaaaaaaa", Steps: []koda.AgentStep{{Block: &koda.AgentBlock{Type: koda.BlockPlan}}}},
		"too large":  {Run: "aaaaaaaa", Steps: []koda.AgentStep{says(strings.Repeat("x", koda.MaxAgentBlock))}},
		"before all": {Run: "aaaaaaaa", From: -1},
	} {
		if _, err := b.engine.TakeDown(ctx, id, log); koda.CodeOf(err) != koda.CodeInvalidInput {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestTakeDown_beside: a project at work is in use, and its own turn goes on after a crash as
// if no agent had been there.
func TestTakeDown_beside(t *testing.T) {
	t.Parallel()
	b, ctx := newBench(t), t.Context()
	var busy error
	b.author.work = func(ctx context.Context, task koda.Task, _ tool.Desk) error {
		if task.Kind == koda.TaskSetup {
			p, err := b.other.List(ctx)
			if err != nil {
				return err
			}
			_, busy = b.other.TakeDown(ctx, p[0].ID, koda.AgentLog{Run: agentRun, Steps: []koda.AgentStep{says("x")}})
			return &koda.Error{Code: koda.CodeNetwork, Op: "no network"}
		}
		return nil
	}
	out, err := b.engine.New(ctx, b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeNetwork || koda.CodeOf(busy) != koda.CodeInUse {
		t.Fatalf("the work ended with %v, and the agent met %v", err, busy)
	}
	id := out.Project.ID
	if _, err := b.engine.TakeDown(ctx, id, koda.AgentLog{Run: agentRun, Steps: []koda.AgentStep{begins("look"), says("x")}}); err != nil {
		t.Fatal(err)
	}
	b.author.work = nil
	b.must(b.engine.Resume(ctx, id, true))
	if _, err := b.engine.TakeDown(ctx, id, koda.AgentLog{Run: agentRun, From: 2, Steps: []koda.AgentStep{says("y"), ends("")}, Over: true}); err != nil {
		t.Fatal(err)
	}
	view, err := b.engine.Show(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	var turns []string
	for _, turn := range view.Turns {
		turns = append(turns, fmt.Sprintln(turn.Number, turn.Kind, turn.Status, turn.Input))
	}
	if diff := cmp.Diff([]string{"1 new failed bouncing ball\n", "2 agent completed look\n", "3 retry completed bouncing ball\n"}, turns); diff != "" {
		t.Error(diff)
	}
	if v := view.Versions; len(v) != 1 || !strings.HasSuffix(v[0].TurnID, "-t3") {
		t.Errorf("versions %+v", v)
	}
}
