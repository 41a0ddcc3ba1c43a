package model_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/koda-video/koda/internal/author/model"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/templates"
)

// FuzzPlan gives the author whatever a model may propose. What comes of it is a plan that
// keeps the rules, or an error.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{
		planned(5, scene(5)), planned(5, scene(2), scene(3)), planned(31, scene(15), scene(16)), "{}", "[]", `{"scenes":[null]}`, `{"design":[]}`, `{"INVALID_JSON":"{"}`,
	} {
		f.Add(seed)
	}
	a, err := model.New(templates.Prompts(), templates.Starter(), templates.StarterGuide(), model.Kit{Files: templates.Kit(), Guide: templates.KitGuide()})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, input string) {
		step := llmtest.Step{Response: llm.Response{Stop: llm.StopTools, Parts: []llm.Part{
			{Use: &llm.ToolUse{ID: "1", Name: "propose_plan", Input: llm.Input(input)}},
		}}}
		p, err := a.Plan(t.Context(), brief("ball"), koda.Answer{}, nil, newDesk(step, step, step, step).open())
		if err != nil {
			if koda.CodeOf(err) != koda.CodeFailed {
				t.Fatal(err)
			}
			return
		}
		sum := 0.0
		for i, s := range p.Scenes {
			if s.Number != i+1 || s.Title == "" || len(p.Scenes) > 1 && s.Duration < 1.5 {
				t.Errorf("scene %+v", s)
			}
			sum += s.Duration
		}
		if len(p.Scenes) == 0 || len(p.Scenes) > koda.MaxScenes(p.TotalDuration) || math.Abs(sum-p.TotalDuration) > 1e-6 {
			t.Errorf("%d scenes take %v s of %v s", len(p.Scenes), sum, p.TotalDuration)
		}
		if err := koda.CheckScenes(p.Starts(), p.TotalDuration); err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(p); err != nil {
			t.Error(err)
		}
	})
}

// FuzzWork gives the author whatever tool a model may use, with whatever input.
func FuzzWork(f *testing.F) {
	f.Add("check", `{"times":[1e308,-1,0]}`)
	f.Add("finish", `{"summary":7}`)
	f.Add("sandbox_write_file", `{"path":"../x","content":"x"}`)
	f.Add("decline", `{}`)
	f.Add("", ``)
	a, err := model.New(templates.Prompts(), templates.Starter(), templates.StarterGuide(), model.Kit{Files: templates.Kit(), Guide: templates.KitGuide()})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name, input string) {
		use := llmtest.Step{Response: llm.Response{Stop: llm.StopTools, Parts: []llm.Part{{Use: &llm.ToolUse{ID: "1", Name: name, Input: llm.Input(input)}}}}}
		d := newDesk(use, calls("check", "{}"), calls("finish", finish), calls("finish", finish))
		if err := a.Work(t.Context(), task(koda.TaskTodo), d.open()); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzQuestion gives the author whatever a model may ask. What comes of it is a question that
// can be answered, or none, or an error.
func FuzzQuestion(f *testing.F) {
	f.Add("ask", `{"text":"Which?","options":[{"id":"a","label":"A"},{"id":"b","label":"B"}]}`)
	f.Add("ask", `{"text":"Which?","options":[{"id":"A ","label":"A"},{"id":"a","label":"B"}]}`)
	f.Add("go_on", `{"style":1}`)
	f.Add("decline", `{"reason":"soup"}`)
	f.Add("ask", `{"INVALID_FORM":[]}`)
	a, err := model.New(templates.Prompts(), templates.Starter(), templates.StarterGuide(), model.Kit{Files: templates.Kit(), Guide: templates.KitGuide()})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name, input string) {
		step := llmtest.Step{Response: llm.Response{Stop: llm.StopTools, Parts: []llm.Part{{Use: &llm.ToolUse{ID: "1", Name: name, Input: llm.Input(input)}}}}}
		q, err := a.Clarify(t.Context(), brief("ball"), nil, newDesk(step, step, step, step).open())
		if err != nil {
			if code := koda.CodeOf(err); code != koda.CodeFailed && code != koda.CodeNotAnimation {
				t.Fatal(err)
			}
			return
		}
		if q == nil {
			return
		}
		ids := map[string]bool{}
		for _, o := range q.Options {
			if ids[o.ID] || o.ID == "" || o.Label == "" {
				t.Errorf("option %+v", o)
			}
			ids[o.ID] = true
		}
		if q.Text == "" || len(ids) < 2 {
			t.Errorf("question %+v", q)
		}
	})
}

// FuzzAlignPath: a path means itself, or one of the project's.
func FuzzAlignPath(f *testing.F) {
	for _, p := range []string{"/project/src/App.tsx", "SRC/app.tsx", "../src/App.tsx", "//", "a/koda.json"} {
		f.Add(p)
	}
	paths := []string{"koda.json", "src/App.tsx", "", "src/scenes/Ball.tsx"}
	f.Fuzz(func(t *testing.T, p string) {
		if got := model.AlignPath(p, paths); got != p && (got == "" || !slices.Contains(paths, got)) {
			t.Errorf("%q means %q", p, got)
		}
	})
}
