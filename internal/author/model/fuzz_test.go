package model_test

import (
	"encoding/json"
	"math"
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
	a, err := model.New(templates.Prompts(), templates.StarterGuide())
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
	a, err := model.New(templates.Prompts(), templates.StarterGuide())
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
