package store_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// TestReplay takes two projects in one database on random ways through the phase
// machine. Replaying each journal leads to the project's state, and the effect that the
// state waits for has begun and is not done.
func TestReplay(t *testing.T) {
	t.Parallel()
	path, ctx := filepath.Join(atomicfiletest.Dir(t), "koda.db"), t.Context()
	db := openAt(t, path)
	plan := koda.Plan{Scenes: []koda.Scene{{Number: 1, Title: "Intro", Duration: 5}}, TotalDuration: 5, FPS: koda.FPS{Num: 30, Den: 1}}
	pool := []phase.Event{
		phase.Clear{}, phase.Asked{Question: koda.Question{Options: []koda.Option{{ID: "a", Label: "A"}}, CustomInput: true}}, phase.Declined{},
		phase.Answered{Answer: koda.Answer{OptionID: "a"}}, phase.Answered{Answer: koda.Answer{Text: "x"}}, phase.Planned{Plan: plan},
		phase.Accepted{}, phase.Rejected{Feedback: "no"}, phase.Modified{Text: "blue"}, phase.Messaged{Text: "higher"}, phase.Edited{Text: "higher"},
		phase.Retried{}, phase.Approved{Yes: true}, phase.Saved{Version: 1}, phase.Rendered{}, phase.Suspended{}, phase.Imported{Version: 1},
		phase.CheckedOut{Version: 1}, phase.CheckedOut{Version: 2, Undone: []int{1}}, phase.Placed{Version: 1}, phase.SandboxReady{SandboxID: "s"},
		phase.SandboxLost{Note: "gone"}, phase.SandboxMoved{SandboxID: "t"}, phase.Worked{}, phase.Refused{}, phase.Versioned{Version: 1},
		phase.Previewed{}, phase.Finished{}, phase.Released{}, phase.Failed{Failure: koda.Failure{Code: koda.CodeFailed}},
		phase.TodoMarked{TodoID: "1", Status: koda.TodoDone}, phase.Said{Text: "hi <b>"}, phase.Wrote{Path: "src/App.tsx"}, phase.Called{}, phase.Checkpointed{},
	}
	type walk struct {
		project koda.Project
		state   phase.State
	}
	cases := 0
	rapid.Check(t, func(t *rapid.T) {
		cases++
		walks := make([]walk, 2)
		for n := range rapid.IntRange(2, 40).Draw(t, "steps") {
			w := &walks[n%2]
			ev := phase.Event(phase.Began{ProjectID: fmt.Sprintf("w%d-%d", cases, n), Brief: koda.Brief{Prompt: "ball"}, Stamp: phase.Stamp{At: t0}})
			if w.project.ID != "" {
				possible := slices.DeleteFunc(slices.Clone(pool), func(ev phase.Event) bool { _, _, err := phase.Step(w.state, ev); return err != nil })
				if len(possible) == 0 {
					continue
				}
				ev = rapid.SampledFrom(possible).Draw(t, "event")
			} else {
				w.project = project(ev.(phase.Began).ProjectID, "ball")
			}
			next, begun, err := phase.Step(w.state, ev)
			if err != nil {
				t.Fatal(err)
			}
			machine, err1 := json.Marshal(next)
			cause, err2 := phase.Encode(ev)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			c := koda.Commit{
				Project: w.project, Prev: w.project.Seq, At: t0.Add(time.Duration(n) * time.Second), State: machine, Cause: cause, Begun: begun,
				Events: []koda.Event{{Schema: 1, Type: koda.EventStateChange, Payload: koda.StateChange{Phase: next.Node.Phase}}},
			}
			if p := w.state.Pending; p != nil && (next.Pending == nil || next.Pending.ID != p.ID) {
				c.Done = []string{p.ID}
			}
			if w.state.Node.ProjectID == "" {
				err = db.Create(ctx, c)
			} else {
				_, err = db.Commit(ctx, c)
			}
			if err != nil {
				t.Fatal(err)
			}
			w.project.Seq++
			w.state = next
		}
		for _, w := range walks {
			journal, err := db.Causes(ctx, w.project.ID)
			if err != nil || !phase.Begins(journal) {
				t.Fatal(journal, err)
			}
			replayed, err := phase.Replay(journal)
			if err != nil {
				t.Fatal(err)
			}
			_, stored, err := db.Load(ctx, w.project.ID)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(replayed)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(stored), string(got)); diff != "" {
				t.Fatalf("replay (-stored +replayed):\n%s", diff)
			}
			var want []koda.Effect
			if w.state.Pending != nil {
				want = []koda.Effect{*w.state.Pending}
			}
			effects, err := db.Begun(ctx, w.project.ID)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, effects); diff != "" {
				t.Fatalf("begun (-want +got):\n%s", diff)
			}
		}
	})
}
