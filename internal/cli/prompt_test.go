package cli_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// TestEveryLineHasAReply: whatever a person types at a prompt is an order, or a
// wish, or is told what can be typed.
func TestEveryLineHasAReply(t *testing.T) {
	t.Parallel()
	misunderstood := &koda.Error{Code: koda.CodeInvalidInput, Op: "that changes nothing koda understands", Hint: `try "higher"`}
	tests := []struct {
		at    engine.Outcome
		line  string
		reply error  // of the engine
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
		{previewed(), "reject it", nil, "", "a plan is rejected, a video is changed"},
		{previewed(), "no", nil, "", "a plan is rejected, a video is changed"},
		{previewed(), "help", nil, "", "accept       make the final video"},
		{previewed(), "", nil, "", "nothing was said: help tells"},
		{asking(), "9", nil, "", `koda: "9" is no answer to "What style should it have?"`},
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
			f.engine.replies = []reply{{out: tt.at}, {out: tt.at, err: tt.reply}}
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

// cmpEmpty holds no calls and none at all for the same.
var cmpEmpty = cmp.Transformer("calls", func(s []string) string { return strings.Join(s, "\n") })
