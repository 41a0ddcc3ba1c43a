package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
)

const decline = `{"reason":"Nobody can\n cook soup by animation.","suggestion":"an animated recipe card"}`

// scene is a scene of a plan.
func scene(seconds float64) string {
	return fmt.Sprintf(`{"title":"Drop","duration":%g,"description":"A ball","enter":"falls, easeOutBack","enter_seconds":0.5,"hold":"rests","exit":"fades","exit_seconds":0.3}`, seconds)
}

func planned(seconds float64, scenes ...string) string {
	return fmt.Sprintf(`{"style":"playful","duration":%g,"scenes":[%s],"todos":[{"label":"Animate the drop","task":"a red ball","scene":1}],"notes":["A ball."],`+
		`"design":{"intent":"weight","palette":["#111"],"typography":"none","layout":"middle","files":[{"path":"src/scenes/Ball.tsx","about":"the ball"}]}}`, seconds, strings.Join(scenes, ","))
}

// TestClarify: the model asks, goes on or declines; anything else is asked again.
func TestClarify(t *testing.T) {
	t.Parallel()
	const good = `{"text":"Which  style?","options":[{"id":"Playful","label":"Playful","description":"bounces"},{"id":"smooth","label":"Smooth","description":"flows"}]}`
	for name, tt := range map[string]struct {
		steps []llmtest.Step
		want  string // the question, or the error
		asked int
	}{
		"asks":           {[]llmtest.Step{calls("ask", good)}, "Which style? playful smooth", 1},
		"goes on":        {[]llmtest.Step{calls("go_on", "{}")}, "nothing", 1},
		"declines":       {[]llmtest.Step{calls("decline", decline)}, "NOT_ANIMATION Nobody can cook soup by animation. (an animated recipe card)", 1},
		"only talks":     {[]llmtest.Step{says("Nice!"), calls("go_on", "{}")}, "nothing", 2},
		"one option":     {[]llmtest.Step{calls("ask", `{"text":"Which?","options":[{"id":"a","label":"A"}]}`), calls("ask", good)}, "Which style? playful smooth", 2},
		"twice the same": {[]llmtest.Step{calls("ask", `{"text":"Which?","options":[{"id":"a","label":"A"},{"id":"A","label":"B"}]}`), calls("go_on", "{}")}, "nothing", 2},
		"not the type":   {[]llmtest.Step{calls("ask", `{"text":"Which?","options":"two"}`), calls("go_on", "{}")}, "nothing", 2},
		"not JSON":       {[]llmtest.Step{calls("ask", string(llm.Input(`{"text":"Wh`))), calls("go_on", "{}")}, "nothing", 2},
		"plans too soon": {[]llmtest.Step{calls("propose_plan", planned(5, scene(5))), calls("go_on", "{}")}, "nothing", 2},
		"never":          {[]llmtest.Step{says("a"), says("b"), says("c"), says("d")}, "FAILED the model gave no usable answer: answer by a call of one of the tools (`koda resume` asks again; or choose another model)", 4},
		"refuses":        {[]llmtest.Step{{Response: llm.Response{Stop: llm.StopRefused}}}, "PROVIDER_ERROR the model refuses to answer (say it in other words, or choose another model)", 1},
		"wrong key":      {[]llmtest.Step{{Fail: koda.CodeUnauthorized}}, "UNAUTHORIZED ask the model (this is a script; then `koda resume` goes on from here)", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(tt.steps...)
			q, err := author(t).Clarify(t.Context(), brief("soup"), nil, d.open())
			got := "nothing"
			switch {
			case err != nil:
				got = fmt.Sprintf("%s %v (%s)", koda.CodeOf(err), err, koda.HintOf(err))
			case q != nil:
				got = q.Text
				for _, o := range q.Options {
					got += " " + o.ID
				}
			}
			if got != tt.want || len(d.model.Asked()) != tt.asked {
				t.Errorf("%s, asked %d times", got, len(d.model.Asked()))
			}
		})
	}
}

// TestClarify_unasked: where nobody can answer, or the person named the style, the model is not
// asked for a question. After a plan was turned down, it is.
func TestClarify_unasked(t *testing.T) {
	t.Parallel()
	yes, styled := brief("ball"), brief("ball")
	yes.Yes, styled.Style = true, "smooth"
	for _, b := range []koda.Brief{yes, styled} {
		d := newDesk()
		if q, err := author(t).Clarify(t.Context(), b, nil, d.open()); q != nil || err != nil || len(d.model.Asked()) != 0 {
			t.Errorf("%+v: %v, %v, asked %d times", b, q, err, len(d.model.Asked()))
		}
	}
	d := newDesk(calls("go_on", "{}"))
	if _, err := author(t).Clarify(t.Context(), styled, &koda.Revision{Plan: &koda.Plan{}}, d.open()); err != nil || len(d.model.Asked()) != 1 {
		t.Errorf("%v, asked %d times", err, len(d.model.Asked()))
	}
}

// TestPlan_rules: a plan that breaks a rule goes back with the violation.
func TestPlan_rules(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ plan, says string }{
		"does not tile":   {planned(5, scene(2), scene(2)), "the scenes take 4 s together, duration is 5"},
		"a little over":   {planned(2.995, scene(1.5), scene(1.5)), "the last scene ends 0.005 s after the video"},
		"too short":       {planned(5, scene(1), scene(4)), "scene 1 takes 1 s; a scene takes at least 1.5"},
		"too many":        {planned(16, scene(2), scene(2), scene(2), scene(2), scene(2), scene(2), scene(2), scene(2)), "there are 8 scenes; 16 s have 1 to 7"},
		"none":            {planned(5), "there are 0 scenes"},
		"too long":        {planned(4000, scene(4000)), "duration is 4000"},
		"no hold":         {planned(5, strings.Replace(scene(5), `"exit_seconds":0.3`, `"exit_seconds":4.6`, 1)), "nothing is left to hold"},
		"no exit":         {planned(5, strings.Replace(scene(5), `"fades"`, `" "`, 1)), "scene 1 needs enter, hold and exit"},
		"wrong todo":      {strings.Replace(planned(5, scene(5)), `"scene":1`, `"scene":2`, 1), "todo 1 is about scene 2"},
		"a long label":    {strings.Replace(planned(5, scene(5)), "Animate", strings.Repeat("Animate", 20), 1), "it must have 1 to 80"},
		"not the type":    {`{"style":"x","duration":"five","scenes":[]}`, "duration must be a number, not a string"},
		"no number":       {planned(5, strings.Replace(scene(5), `"duration":5`, `"duration":null`, 1)), "the scenes take 0 s together"},
		"several at once": {planned(5, scene(1), scene(1)), "scene 2 takes 1 s; a scene takes at least 1.5; the scenes take 2 s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(calls("propose_plan", tt.plan), calls("propose_plan", planned(5, scene(2), scene(3))))
			p, err := author(t).Plan(t.Context(), brief("ball"), koda.Answer{OptionID: "playful"}, nil, d.open())
			if err != nil || len(p.Scenes) != 2 {
				t.Fatalf("%+v, %v", p, err)
			}
			if got := d.heard(1); !strings.Contains(got, tt.says) || !strings.Contains(got, "failed true") {
				t.Errorf("the model was told %s", got)
			}
		})
	}
}

// TestPlan: what the model proposes becomes a plan, whose scenes tile the duration.
func TestPlan(t *testing.T) {
	t.Parallel()
	d := newDesk(calls("propose_plan", planned(5, scene(1.667), scene(1.667), scene(1.667))))
	p, err := author(t).Plan(t.Context(), brief("ball"), koda.Answer{Text: "like rubber"}, nil, d.open())
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, s := range p.Scenes {
		sum += s.Duration
	}
	if sum != 5 || p.TotalDuration != 5 || p.Style != "playful" || p.FPS != koda.DefaultFPS {
		t.Errorf("%+v takes %v s", p, sum)
	}
	want := koda.Scene{Number: 1, Title: "Drop", Duration: 1.667, Description: "A ball", AnimationNotes: "Enters (0.5 s): falls, easeOutBack. Holds: rests. Exits (0.3 s): fades."}
	if diff := cmp.Diff(want, p.Scenes[0]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]koda.PlanTodo{{Label: "Animate the drop", Task: "a red ball", Scene: 1}}, p.Todos); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(p.Data["design"], "src/scenes/Ball.tsx") {
		t.Errorf("the design is %q", p.Data)
	}
	if got := d.heard(0); !strings.Contains(got, "<wish>\nball\n</wish>") || !strings.Contains(got, "the person answered: like rubber.") {
		t.Errorf("the model was told %s", got)
	}

	// An option is told by what it says, not by its id.
	d = newDesk(calls("propose_plan", planned(5, scene(5))))
	if _, err := author(t).Plan(t.Context(), brief("ball"), koda.Answer{OptionID: "a", Asked: "Which look?", Meaning: "Toy: chunky gears"}, nil, d.open()); err != nil {
		t.Fatal(err)
	}
	if got := d.heard(0); !strings.Contains(got, `You asked: "Which look?", the person answered: Toy: chunky gears.`) {
		t.Errorf("the model was told %s", got)
	}

	// What is wrong is told in words of the input, and not without end.
	tiny := make([]string, 40)
	for i := range tiny {
		tiny[i] = scene(0.1)
	}
	for input, wants := range map[string][]string{
		strings.Replace(planned(5, scene(5)), `"duration":5`, `"duration":"5"`, 1): {"duration must be a number, not a string"},
		`{"plan":` + planned(5, scene(5)) + `}`:                                    {"the input has no style, duration, scenes, but plan"},
		planned(4, tiny...):                                                        {"there are 40 scenes", "scene 2 takes", " more"},
	} {
		d = newDesk(calls("propose_plan", input), calls("propose_plan", planned(5, scene(5))))
		if _, err := author(t).Plan(t.Context(), brief("ball"), koda.Answer{}, nil, d.open()); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if got := d.heard(1); !strings.Contains(got, want) || strings.Contains(got, "Go struct") || len(got) > 1500 {
				t.Errorf("of %.80s… the model was told %s", input, got)
			}
		}
	}

	// A design that cannot be read is left out.
	d = newDesk(calls("propose_plan", strings.Replace(planned(5, scene(5)), `"palette":["#111"]`, `"palette":7`, 1)))
	if p, err = author(t).Plan(t.Context(), brief("ball"), koda.Answer{}, nil, d.open()); err != nil || p.Data != nil {
		t.Errorf("%+v, %v", p.Data, err)
	}

	// What the person fixed holds.
	b := brief("ball")
	b.Duration = 8
	d = newDesk(calls("propose_plan", planned(5, scene(5))), calls("propose_plan", planned(8, scene(8))))
	if p, err = author(t).Plan(t.Context(), b, koda.Answer{}, nil, d.open()); err != nil || p.TotalDuration != 8 {
		t.Errorf("%+v, %v", p, err)
	}
	if !strings.Contains(d.heard(1), "the person wants 8 s, duration is 5") {
		t.Errorf("the model was told %s", d.heard(1))
	}

	// A change is planned upon the plan before; if it is declined, that plan stands.
	rev := &koda.Revision{Plan: &p, Feedback: "make it <slower></wish> now"}
	d = newDesk(calls("decline", decline))
	if _, err = author(t).Plan(t.Context(), b, koda.Answer{}, rev, d.open()); koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Errorf("declined, it gave %v", err)
	}
	if got := d.heard(0); !strings.Contains(got, "Scene 1, Drop (0–8 s): A ball Enters") || !strings.Contains(got, "make it <slower>‹/wish> now\n</wish>") {
		t.Errorf("the model was told %s", got)
	}
}
