package cli_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// atWork is a project that another process works on.
func atWork(t *testing.T) *face {
	t.Helper()
	f := newFace(t)
	f.engine.projects = []koda.Project{ball}
	f.engine.view = engine.View{Project: ball, Waiting: engine.WaitingRetry, State: koda.NodeState{
		ProjectID: ball.ID, Phase: koda.PhaseExecuting, Execution: &koda.Execution{Todos: []koda.Todo{{ID: "1", Label: "Set up", Status: koda.TodoActive}}},
	}}
	return f
}

func TestSay(t *testing.T) {
	t.Parallel()
	f := atWork(t)
	if got := f.run("say", "ball", "make", "it", "blue"); got != 0 || f.out.Len() > 0 || f.err.String() != "heard; a new todo of ball: Change: make it blue\n" {
		t.Errorf("status %d: %s%s", got, &f.out, &f.err)
	}
	if got := f.run("say", "ball", "red", "--json"); got != 0 {
		t.Errorf("status %d", got)
	}
	all := f.envelopes()
	if r := all[len(all)-1]; len(all) != 1 || !strings.Contains(string(r.Payload), `"todo":{"id":"6","label":"Change: red","status":"pending"}`) {
		t.Errorf("the result is %s", r.Payload)
	}
	if diff := cmp.Diff([]string{"say " + ball.ID + ` "make it blue"`, "say " + ball.ID + ` "red"`}, f.engine.calls); diff != "" {
		t.Error(diff)
	}
	for _, args := range [][]string{{"say"}, {"say", "ball", " "}, {"say", "ball", strings.Repeat("x", 1<<20)}, {"follow", "ball", "--after", "-1"}, {"follow", "ball", "--after", "x"}, {"cancel", "ball", "now"}} {
		if got := f.run(args...); got != 2 || !strings.Contains(f.err.String(), "hint: ") {
			t.Errorf("%.40q: status %d: %s", args, got, &f.err)
		}
	}
	f.engine.nobody = &koda.Error{Code: koda.CodeWrongPhase, Op: "nobody works on ball at the moment", Hint: "`koda edit ball` asks for a change"}
	for _, args := range [][]string{{"say", "ball", "blue"}, {"cancel", "ball"}, {"follow", "ball"}} {
		if got := f.run(args...); got != 2 || f.err.String() != "koda: nobody works on ball at the moment\n  hint: `koda edit ball` asks for a change\n" {
			t.Errorf("%v: status %d: %s", args, got, &f.err)
		}
	}
}

// TestEdit_whileAtWork: a change goes to the process that works on the project,
// which may refuse it.
func TestEdit_whileAtWork(t *testing.T) {
	t.Parallel()
	f := atWork(t)
	inUse := reply{err: &koda.Error{Code: koda.CodeInUse, Op: "project is in use"}}
	f.engine.replies = []reply{inUse, inUse, inUse}
	if got := f.run("edit", "ball", "blue"); got != 0 || f.err.String() != "heard; a new todo of ball: Change: blue\n" {
		t.Errorf("status %d: %s", got, &f.err)
	}
	if got := f.run("edit", "ball", "blue", "--json"); got != 0 || len(f.envelopes()) != 1 {
		t.Errorf("status %d: %s", got, &f.out)
	}
	f.engine.nobody = &koda.Error{Code: koda.CodeWrongPhase, Op: "cannot send a message in phase plan", Hint: "wait until that is done"}
	if got := f.run("edit", "ball", "blue"); got != 2 || f.err.String() != "koda: cannot send a message in phase plan\n  hint: wait until that is done\n" {
		t.Errorf("status %d: %s", got, &f.err)
	}
}

// TestFollow: koda shows the work of the other process as if it were its own, and
// ends with the same outcome.
func TestFollow(t *testing.T) {
	t.Parallel()
	f := atWork(t)
	todo := func(id string, status koda.TodoStatus, label string) koda.Event {
		return koda.Event{Schema: 1, Seq: 7, Type: koda.EventTodoUpdate, Payload: koda.TodoUpdate{TodoID: id, Status: status, Label: label}}
	}
	f.engine.followed = []koda.Event{
		todo("1", koda.TodoDone, ""), todo("2", koda.TodoPending, "Change: \x1b[2Jblue"),
		{Schema: 1, Type: koda.EventThinking, Payload: koda.Thinking{Message: "x"}}, todo("2", koda.TodoDone, ""),
	}
	f.engine.followed = append(f.engine.followed, koda.Event{Schema: 1, Seq: 8, Type: koda.EventTodoUpdate, Payload: koda.TodoUpdate{TodoID: "3", Status: koda.TodoDone, Label: "Change: sparkle", LeftOut: "no sparkles"}})
	const lines = "✓ Set up\n○ Change: blue\n✓ Change: blue\n– Change: sparkle (left out)\n"
	if got := f.run("follow", "ball"); got != 130 || f.err.String() != lines+"koda: the work on it was interrupted\n  hint: go on with: koda resume ball\n" {
		t.Errorf("killed: status %d: %s", got, &f.err)
	}
	f.engine.view.Waiting = engine.WaitingPreview
	f.engine.view.State.Preview = &koda.Preview{VideoURL: "/p/ball-v1.mp4"}
	if got := f.run("follow", "ball", "--after", "3"); got != 3 || f.out.String() != "/p/ball-v1.mp4\n" || !strings.Contains(f.err.String(), "koda accept ball") {
		t.Errorf("at the preview: status %d: %s%s", got, &f.out, &f.err)
	}
	f.engine.view.Waiting, f.engine.view.State.Phase = engine.WaitingNothing, koda.PhaseComplete
	f.engine.view.State.Output = &koda.Output{VideoURL: "/p/ball.mp4"}
	if got := f.run("follow", "ball", "--json", "--after", "0"); got != 0 {
		t.Errorf("status %d", got)
	}
	if all := f.envelopes(); len(all) != 6 || all[5].Type != "result" || !strings.Contains(string(all[5].Payload), `"videoUrl":"/p/ball.mp4"`) {
		t.Errorf("%s", &f.out)
	}
	if diff := cmp.Diff([]string{"follow " + ball.ID + " after -1", "follow " + ball.ID + " after 3", "follow " + ball.ID + " after 0"}, f.engine.calls); diff != "" {
		t.Error(diff)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	f := atWork(t)
	if got := f.run("cancel", "ball"); got != 0 || f.err.String() != "cancelled; the work on ball so far is saved\ngo on with: koda resume ball\n" {
		t.Errorf("status %d: %s", got, &f.err)
	}
	if got := f.run("cancel", "ball", "--json"); got != 0 || !strings.Contains(f.out.String(), `"next":["koda resume ball"]`) || f.err.Len() > 0 {
		t.Errorf("status %d: %s%s", got, &f.out, &f.err)
	}
}
