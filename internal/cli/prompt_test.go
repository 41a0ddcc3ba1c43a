package cli_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// TestEveryLineHasAReply: every line that a person types at a prompt is an order or
// a wish, or the reply says what can be typed.
func TestEveryLineHasAReply(t *testing.T) {
	t.Parallel()
	misunderstood := &koda.Error{Code: koda.CodeInvalidInput, Op: "that changes nothing koda understands", Hint: `try "higher"`}
	tests := []struct {
		at    engine.Outcome
		line  string
		reply error  // the engine's error
		call  string // "": the engine is not called
		says  string
	}{
		{planned(), "bigger", nil, `edit ID "bigger"`, "Plan: "},
		{planned(), "Blue", nil, `edit ID "Blue"`, "Plan: "},
		{planned(), "a red ball", nil, `edit ID "a red ball"`, "Plan: "},
		{planned(), "accept but bigger", nil, `edit ID "accept but bigger"`, "Plan: "},
		{planned(), "no shadow", nil, `edit ID "no shadow"`, "Plan: "},
		{planned(), "help text at the top", nil, `edit ID "help text at the top"`, "Plan: "},
		{planned(), "show a star", nil, `edit ID "show a star"`, "Plan: "},
		{planned(), "undo the last change", nil, `edit ID "undo the last change"`, "Plan: "},
		{planned(), "r too long", nil, `reject ID "too long"`, "Plan: "},
		{planned(), `"undo"`, nil, `edit ID "undo"`, "Plan: "},
		{planned(), "Yes!", nil, "accept ID", "Plan: "},
		{planned(), "acept", misunderstood, `edit ID "acept"`, "  or did you mean accept?"},
		{planned(), "hlep", misunderstood, `edit ID "hlep"`, "  or did you mean help?"},
		{planned(), "help", nil, "", "reject WHY   have another plan thought up"},
		{planned(), "?", nil, "", "change WHAT  or only what should be different"},
		{planned(), "", nil, "", "nothing was said: help tells"},
		{planned(), "  \t ", nil, "", "nothing was said: help tells"},
		{planned(), "show", nil, "", "project    ball (" + ball.ID + ")"},
		{planned(), "undo", nil, "undo ID", "ball is at v1, was at v2"},
		{planned(), "undo", &koda.Error{Code: koda.CodeWrongPhase, Op: "ball has no version yet", Hint: "koda resume ball"}, "undo ID", "koda: nothing can be undone: ball has no version yet\naccept,"},
		{previewed(), "blue", nil, `edit ID "blue"`, "preview: "},
		{previewed(), "undo", nil, "undo ID", "ball is at v1, was at v2"},
		{previewed(), "redo", nil, "redo ID", "ball is at v1, was at v2"},
		{planned(), "redo", &koda.Error{Code: koda.CodeWrongPhase, Op: "nothing was undone"}, "redo ID", "koda: nothing can be redone: nothing was undone\naccept,"},
		{planned(), "redo the scene", nil, `edit ID "redo the scene"`, "Plan: "},
		{planned(), "projects", nil, `edit ID "projects"`, "Plan: "},
		{previewed(), "versions", nil, "", "make it blue"},
		{previewed(), "reject it", nil, "", "a plan is rejected, a video is changed"},
		{previewed(), "no", nil, "", "a plan is rejected, a video is changed"},
		{previewed(), "help", nil, "", "accept       make the final video"},
		{previewed(), "", nil, "", "nothing was said: help tells"},
		{asking(), "9", nil, "", `koda: "9" is not an answer to "What style should it have?"`},
		{asking(), "playfull", nil, "", "koda: did you mean playful?"},
		{asking(), `"playfull"`, nil, `answer ID option="" text="playfull"`, "What style"},
		{asking(), "help", nil, "", "a number  the answer beside it"},
		{asking(), "show", nil, "", "project    ball (" + ball.ID + ")"},
		{asking(), "", nil, "", "nothing was said: help tells"},
		{asking(), "no", nil, `answer ID option="" text="no"`, "What style"},
		{asking(), `"help"`, nil, `answer ID option="" text="help"`, "What style"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %q", tt.at.Waiting, tt.line), func(t *testing.T) {
			t.Parallel()
			f := newFace(t)
			f.env["TERM"] = "dumb"
			f.types(tt.line, "quit")
			f.engine.projects = []koda.Project{ball}
			f.engine.view = engine.View{Project: ball, State: tt.at.State, Waiting: tt.at.Waiting}
			f.engine.moved = engine.Moved{From: 2, To: 1}
			f.engine.past = engine.History{Project: ball, Current: 1, Versions: []engine.Past{{Version: koda.Version{Number: 1, Prompt: "make it blue"}}}}
			f.engine.replies = []reply{{out: tt.at}}
			if tt.call != "" {
				f.engine.replies = append(f.engine.replies, reply{out: tt.at, err: tt.reply})
			}
			if got := f.run("resume", "ball"); got != 3 {
				t.Errorf("status %d: %s", got, f.err.String())
			}
			var calls []string
			if tt.call != "" {
				calls = append(calls, strings.ReplaceAll(tt.call, "ID", ball.ID))
			}
			if diff := cmp.Diff(calls, f.engine.calls[1:], cmpEmpty); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			_, after, _ := strings.Cut(f.err.String(), "> ")
			if before, _, ok := strings.Cut(after, "> "); !ok || !strings.Contains(before, tt.says) {
				t.Errorf("it does not say %q:\n%s", tt.says, f.err.String())
			}
		})
	}
}

// TestElsewhere: a plan that another process changed is shown before the person decides on
// it.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.env["TERM"] = "dumb"
	f.types("accept", "blue", "quit")
	f.engine.projects = []koda.Project{ball}
	saw, now := planned(), planned()
	other := plan
	other.Style = "noir"
	saw.Seen, now.Seen, now.State.Plan = koda.Seen{Turn: 2}, koda.Seen{Turn: 3}, &other
	elsewhere := &koda.Error{Code: koda.CodeWrongPhase, Err: engine.ErrElsewhere, Hint: "look at it"}
	f.engine.replies = []reply{{out: saw}, {out: now, err: elsewhere}, {out: now}}
	if got := f.run("resume", "ball"); got != 3 {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if diff := cmp.Diff([]koda.Seen{{Turn: 2}, {Turn: 3}}, f.engine.seen); diff != "" {
		t.Error(diff)
	}
	if _, after, _ := strings.Cut(f.err.String(), "> "); !strings.HasPrefix(after, "koda: the project was changed elsewhere\n  hint: look at it\n\nPlan: ") || !strings.Contains(after, "noir") {
		t.Errorf("it says:\n%s", after)
	}
}

// cmpEmpty makes an empty list of calls equal to a nil list.
var cmpEmpty = cmp.Transformer("calls", func(s []string) string { return strings.Join(s, "\n") })

// TestNarrowTerminal: at 40 columns lines break at blanks. Lines of scripts without
// blanks break as well; only paths and commands are longer.
func TestNarrowTerminal(t *testing.T) {
	t.Parallel()
	wide := ball
	wide.Prompt = strings.Repeat("漢字", 40)
	view := engine.View{
		Project: wide, State: complete().State, Version: 1, Versions: []koda.Version{{Number: 1, Prompt: wide.Prompt}},
		Renders: []koda.RenderRecord{{ID: ball.ID + "-r1", ProjectID: ball.ID, Version: 1, Kind: koda.RenderFinal, Status: "done", Spec: koda.RenderSpec{Width: 1920, Height: 1080, FPS: koda.FPS{Num: 60, Den: 1}, Output: "/animations/ball/a.mp4"}}},
	}
	refused := &koda.Error{Code: koda.CodeNotFound, Op: "there is nothing of that name in any of the places koda knows of", Hint: "look into /a/place/that/is/longer/than/a/line/of/this/terminal then try again"}
	for _, args := range []string{"list", "show", "config show", "history", "gc", "messages", "edit ball", "accept ball"} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			f := newFace(t)
			f.env["TERM"] = "dumb"
			f.types("blue")
			f.io.Width = 40
			f.engine.projects, f.engine.view = []koda.Project{wide}, view
			if strings.HasSuffix(args, " ball") {
				f.engine.replies = []reply{{err: refused}}
			}
			f.deps.Collect = func(context.Context, bool) (cli.Collected, error) { return cli.Collected{Cache: "/cache"}, nil }
			f.run(strings.Fields(args)...)
			for line := range strings.Lines(f.out.String() + f.err.String()) {
				line = strings.TrimRight(line, "\n")
				if strings.Contains(line, "/") || strings.HasPrefix(line, "  koda ") {
					continue
				}
				if w := ansi.StringWidth(line); w > 40 {
					t.Errorf("%d columns: %q", w, line)
				}
			}
			if f.out.Len()+f.err.Len() == 0 {
				t.Error("it says nothing")
			}
			if strings.HasPrefix(args, "accept") {
				want := "koda: there is nothing of that name in\n      any of the places koda knows of\n  hint: look into\n        /a/place/that/is/longer/than/a/line/of/this/terminal\n        then try again\n"
				if f.err.String() != want {
					t.Errorf("got:\n%s\nwant:\n%s", f.err.String(), want)
				}
			}
		})
	}
}
