package phase_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestTables runs the stories in testdata/*.txt. A line is an event: its name, then
// its JSON body. The indented lines after it say what the machine did.
func TestTables(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("check the difference, then run with -update (-want +got):\n%s", diff)
			}
		})
	}
}

func play(t *testing.T, table string) string {
	t.Helper()
	var out strings.Builder
	var s phase.State
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	lines := bufio.NewScanner(strings.NewReader(table))
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "    ") {
			continue // an expectation: written anew
		}
		out.WriteString(line + "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		ev := event(t, line, at)
		at = at.Add(time.Second)
		next, effects, err := phase.Step(s, ev)
		if err != nil {
			fmt.Fprintf(&out, "    refused: %s: %v\n", koda.CodeOf(err), err)
			if diff := cmp.Diff(s, next); diff != "" {
				t.Errorf("%s: a refused event changed the state: %s", line, diff)
			}
			continue
		}
		s = next
		out.WriteString("    " + summary(s) + "\n")
		for _, e := range effects {
			fmt.Fprintf(&out, "    → %s %s", e.Kind, e.ID)
			if len(s.Agents) > 0 {
				fmt.Fprintf(&out, " of %s", e.TurnID)
			}
			if todo, ok := s.Working(); ok {
				fmt.Fprintf(&out, " on todo %s", todo.ID)
			}
			if e.Attempt > 0 {
				fmt.Fprintf(&out, " attempt %d", e.Attempt)
			}
			out.WriteString("\n")
		}
	}
	return out.String()
}

func event(t *testing.T, line string, at time.Time) phase.Event {
	t.Helper()
	name, body, _ := strings.Cut(line, " ")
	if body == "" {
		body = "{}"
	}
	fields := map[string]any{}
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	fields["at"] = at
	env, err := json.Marshal(map[string]any{"name": name, "body": fields})
	if err != nil {
		t.Fatal(err)
	}
	ev, err := phase.Decode(env)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return ev
}

func summary(s phase.State) string {
	parts := []string{string(s.Node.Phase)}
	if q := s.Node.Question; q != nil {
		parts = append(parts, fmt.Sprintf("question(%s%s)", q.SelectedID, q.CustomText))
	}
	if p := s.Node.Plan; p != nil {
		parts = append(parts, fmt.Sprintf("plan(%s, %d scenes, %gs)", p.Style, len(p.Scenes), p.TotalDuration))
	}
	if s.Revision != nil {
		parts = append(parts, fmt.Sprintf("revision(%s)", s.Revision.Feedback))
	}
	if len(s.Past)+len(s.Ahead) > 0 {
		parts = append(parts, fmt.Sprintf("%d to undo, %d to redo", len(s.Past), len(s.Ahead)))
	}
	if s.Inquiries > 0 {
		parts = append(parts, fmt.Sprintf("%d asked for $%g, held %v", s.Inquiries, s.Inquired.USD, s.Held != nil))
	}
	if len(s.Agents) > 0 {
		parts = append(parts, fmt.Sprintf("turn %d, %d aside, agents %v", s.Turn, s.Aside, s.Agents))
	}
	if x := s.Node.Execution; x != nil {
		var todos []string
		for _, todo := range x.Todos {
			mark := map[koda.TodoStatus]string{koda.TodoPending: " ", koda.TodoActive: "*", koda.TodoDone: "x"}[todo.Status]
			if todo.LeftOut != "" {
				mark = "-"
			}
			todos = append(todos, "["+mark+"]"+todo.Label)
		}
		parts = append(parts, strings.Join(todos, " "))
		if len(x.Files) > 0 {
			parts = append(parts, "files"+fmt.Sprint(x.Files))
		}
	}
	if s.Version > 0 {
		v := fmt.Sprintf("v%d", s.Version)
		if s.Latest() > s.Version {
			v += fmt.Sprintf(" of %d", s.Latest())
		}
		if len(s.Undone) > 0 {
			v += fmt.Sprintf(" undone %v", s.Undone)
		}
		parts = append(parts, v)
	}
	if s.Spent != (koda.Cost{}) {
		parts = append(parts, fmt.Sprintf("%s for $%g, %d and %d tokens", s.Model, s.Spent.USD, s.Spent.InputTokens, s.Spent.OutputTokens))
	}
	if s.Node.Preview != nil {
		parts = append(parts, "preview "+s.Node.Preview.VideoURL)
	}
	if s.Node.Output != nil {
		parts = append(parts, "output "+s.Node.Output.VideoURL)
	}
	if f := s.Node.Error; f != nil {
		parts = append(parts, fmt.Sprintf("error(%s from %s)", f.Code, f.From))
	}
	if f := s.Declined; f != nil {
		parts = append(parts, fmt.Sprintf("declined(%s)", f.Message))
	}
	return strings.Join(parts, " | ")
}

// TestAnswer: with an answer goes what was asked, and what the chosen option says.
func TestAnswer(t *testing.T) {
	t.Parallel()
	s, _, err := phase.Step(phase.State{}, phase.Began{ProjectID: "p", Brief: koda.Brief{Prompt: "gears"}})
	if err != nil {
		t.Fatal(err)
	}
	q := koda.Question{Text: "Which look?", CustomInput: true, Options: []koda.Option{{ID: "a", Label: "Toy", Description: "chunky gears"}, {ID: "b", Label: "Brass"}}}
	if s, _, err = phase.Step(s, phase.Asked{Question: q}); err != nil {
		t.Fatal(err)
	}
	for given, want := range map[koda.Answer]koda.Answer{
		{OptionID: "a"}: {OptionID: "a", Asked: "Which look?", Meaning: "Toy: chunky gears"},
		{OptionID: "b"}: {OptionID: "b", Asked: "Which look?", Meaning: "Brass"},
		{Text: "glass"}: {Text: "glass", Asked: "Which look?"},
	} {
		answered, _, err := phase.Step(s, phase.Answered{Answer: given})
		if err != nil || answered.Answer != want {
			t.Errorf("after %+v the answer is %+v, %v", given, answered.Answer, err)
		}
	}
}

func TestEncodeDecode(t *testing.T) {
	t.Parallel()
	want := phase.Answered{Stamp: phase.Stamp{At: time.Unix(1, 0).UTC(), Auto: true}, Answer: koda.Answer{Text: "bold"}}
	data, err := phase.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := phase.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(phase.Event(want), got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{`{`, `{"name":"Nothing","body":{}}`, `{"name":"Answered","body":[]}`} {
		if _, err := phase.Decode([]byte(bad)); err == nil {
			t.Errorf("%s was decoded", bad)
		}
	}
}

// allowed is the table of possible steps from phase to phase.
var allowed = map[koda.Phase][]koda.Phase{
	"":                  {koda.PhaseIdle, koda.PhaseExecuting},
	koda.PhaseIdle:      {koda.PhaseIdle, koda.PhaseQuestion, koda.PhasePlan, koda.PhaseError},
	koda.PhaseQuestion:  {koda.PhaseQuestion, koda.PhasePlan, koda.PhaseError},
	koda.PhasePlan:      {koda.PhasePlan, koda.PhaseIdle, koda.PhaseQuestion, koda.PhaseExecuting, koda.PhaseError},
	koda.PhaseExecuting: {koda.PhaseExecuting, koda.PhasePreview, koda.PhaseComplete, koda.PhaseError},
	koda.PhasePreview:   {koda.PhasePreview, koda.PhaseComplete, koda.PhaseExecuting, koda.PhaseError},
	koda.PhaseComplete:  {koda.PhaseComplete, koda.PhaseExecuting, koda.PhaseError},
	koda.PhaseError: {
		koda.PhaseError, koda.PhaseIdle, koda.PhaseQuestion, koda.PhasePlan, koda.PhaseExecuting, koda.PhasePreview,
		koda.PhaseComplete,
	},
}

// unheard are the changes that wait to be made in s and are missing in next.
func unheard(s, next phase.State) (lost []koda.Todo) {
	if s.Node.Execution == nil {
		return nil
	}
	for _, todo := range s.Node.Execution.Todos {
		if todo.Status == koda.TodoPending && s.Tasks[todo.ID].Kind == koda.TaskChange &&
			!slices.ContainsFunc(next.Node.Execution.Todos, func(t koda.Todo) bool { return t.ID == todo.ID || next.Tasks[t.ID] == s.Tasks[todo.ID] }) {
			lost = append(lost, todo)
		}
	}
	return lost
}

// TestRandomWalk gives the machine any event at any time. The machine follows the
// table of steps, loses no waiting change and has one effect at a time, and
// replaying its journal leads to its state.
func TestRandomWalk(t *testing.T) {
	t.Parallel()
	plan := koda.Plan{Scenes: []koda.Scene{{Number: 1, Title: "Intro", Duration: 5}}, TotalDuration: 5, Style: "playful"}
	rapid.Check(t, func(t *rapid.T) {
		events := []phase.Event{
			phase.Began{ProjectID: "p", Brief: koda.Brief{Prompt: "ball"}}, phase.Clear{},
			phase.Asked{Question: koda.Question{Options: []koda.Option{{ID: "a", Label: "A"}}, CustomInput: true}},
			phase.Declined{}, phase.Answered{Answer: koda.Answer{OptionID: "a"}}, phase.Answered{Answer: koda.Answer{Text: "x"}},
			phase.Planned{Plan: plan}, phase.Accepted{}, phase.Rejected{}, phase.Rejected{Feedback: "no"}, phase.Modified{Text: "blue"},
			phase.Messaged{Text: "higher"}, phase.Edited{Text: "higher"}, phase.Retried{}, phase.Approved{Yes: true}, phase.Chosen{Presets: []string{"reels"}},
			phase.Saved{Version: 1}, phase.Saved{Version: 2}, phase.Rendered{}, phase.Suspended{}, phase.Undone{}, phase.Redone{}, phase.CheckedOut{Version: 1}, phase.CheckedOut{Version: 2, Undone: []int{1}},
			phase.CheckedOut{Version: 1, Preview: &koda.Preview{Version: 1}, Output: &koda.Output{Version: 1}}, phase.Placed{Version: 1},
			phase.Forked{ProjectID: "f", Of: phase.State{Messages: []koda.Message{{ID: "m1"}}}}, phase.Imported{Version: 1},
			phase.SandboxReady{SandboxID: "s"}, phase.Worked{}, phase.Refused{}, phase.Versioned{Version: 1}, phase.Previewed{},
			phase.Finished{}, phase.Released{}, phase.Failed{Failure: koda.Failure{Code: koda.CodeFailed}},
			phase.TodoMarked{TodoID: "1", Status: koda.TodoDone}, phase.Said{Text: "hi"}, phase.Wrote{Path: "src/App.tsx"}, phase.Called{},
			phase.Checkpointed{}, phase.SandboxLost{Note: "gone"}, phase.SandboxMoved{SandboxID: "t"},
		}
		var s phase.State
		var journal [][]byte
		for range rapid.IntRange(1, 120).Draw(t, "steps") {
			// Outcomes of the pending effect are rare among all events. Half of the
			// time the test takes a possible outcome.
			possible := slices.DeleteFunc(slices.Clone(events), func(ev phase.Event) bool { _, _, err := phase.Step(s, ev); return err != nil })
			from := events
			if len(possible) > 0 && rapid.Bool().Draw(t, "sensible") {
				from = possible
			}
			ev := rapid.SampledFrom(from).Draw(t, "event")
			next, effects, err := phase.Step(s, ev)
			if err != nil {
				continue
			}
			if !slices.Contains(allowed[s.Node.Phase], next.Node.Phase) {
				t.Fatalf("%s led from %q to %q", phase.Name(ev), s.Node.Phase, next.Node.Phase)
			}
			if len(effects) > 1 || (len(effects) == 1 && (next.Pending == nil || next.Pending.ID != effects[0].ID)) {
				t.Fatalf("%s began %v, pending %v", phase.Name(ev), effects, next.Pending)
			}
			if len(effects) == 1 && s.Pending != nil && effects[0].ID == s.Pending.ID {
				t.Fatalf("%s began %s twice", phase.Name(ev), s.Pending.ID)
			}
			if lost := unheard(s, next); len(lost) > 0 && phase.Name(ev) != "CheckedOut" { // which gives them up
				t.Fatalf("%s lost %v", phase.Name(ev), lost)
			}
			data, err := phase.Encode(ev)
			if err != nil {
				t.Fatal(err)
			}
			journal = append(journal, data)
			s = next
		}
		var replayed phase.State
		for _, data := range journal {
			ev, err := phase.Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			if replayed, _, err = phase.Step(replayed, ev); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(s, replayed); diff != "" {
			t.Fatalf("replay differs: %s", diff)
		}
	})
}
