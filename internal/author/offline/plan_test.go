package offline_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// check holds a plan to the rules of scenes.
func check(t testing.TB, p koda.Plan) {
	t.Helper()
	sum, limit := 0.0, 7
	if p.TotalDuration > 30 {
		limit = 15
	}
	for i, s := range p.Scenes {
		sum += s.Duration
		if s.Number != i+1 || s.Title == "" || len(s.Description) < 10 || s.AnimationNotes == "" {
			t.Errorf("scene %d is incomplete: %+v", i+1, s)
		}
		if s.Duration < 1.5 {
			t.Errorf("scene %d takes %v s", s.Number, s.Duration)
		}
	}
	if math.Abs(sum-p.TotalDuration) > 1e-9 {
		t.Errorf("scenes take %v of %v s", sum, p.TotalDuration)
	}
	if n := len(p.Scenes); n < 1 || n > limit {
		t.Errorf("%d scenes in %v s", n, p.TotalDuration)
	}
}

// TestScenes_tile: whatever is asked for, scenes tile the duration exactly.
func TestScenes_tile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b := brief("video", classic(rapid.SampledFrom([]string{"bouncing-ball", "title"}).Draw(r, "recipe")))
		b.Duration = math.Round(rapid.Float64Range(1.5, 600).Draw(r, "duration")*1000) / 1000
		b.Style = rapid.SampledFrom([]string{"playful", "smooth", "cinematic"}).Draw(r, "style")
		b.Params = map[string]string{"speed": fmt.Sprint(rapid.Float64Range(0.4, 2.5).Draw(r, "speed"))}
		p, err := author().Plan(context.Background(), b, koda.Answer{}, nil, tool.Desk{})
		if err != nil {
			r.Fatal(err)
		}
		check(t, p)
		if t.Failed() {
			r.Fatalf("%+v", p)
		}
	})
}

// TestPlans compares whole plans, words included.
func TestPlans(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, tt := range []struct{ prompt, option string }{
		{"bouncing ball", "playful"}, {"bouncing ball", "smooth"}, {"bouncing ball", "cinematic"},
		{"bouncing ball, red, 3 bounces, 4 seconds", ""}, {"bouncing ball, 2 seconds", "playful"}, {"bouncing star 20 seconds", "smooth"},
		{`title "Hello, world"`, "playful"}, {`title "Hello, world" "from koda"`, "smooth"}, {`title "The End" 12 seconds`, "cinematic"}, {`title "Go" 2 seconds`, "playful"},
	} {
		data, err := json.MarshalIndent(plan(t, brief(tt.prompt, classic(tt.prompt)), koda.Answer{OptionID: tt.option}), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "-- %s / %s --\n%s\n", tt.prompt, tt.option, data)
	}
	golden(t, "plans.golden", b.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), rewrite with -update:\n%s", file, diff)
	}
}

// TestClarify: one question, or none when the prompt is clear.
func TestClarify(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		prompt, style string
		want          string // a part of the question; "" for none
	}{
		{"bouncing ball", "", "What style"},
		{"Create a bouncing ball animation", "", "What style"},
		{"a bouncy ball", "", "What style"},
		{"red bouncing ball, 5 seconds", "", "What style"},
		{`title "Hello"`, "", "What style"},
		{"make a title animation", "", "What should it say"},
		{"bouncing ball, playful or cinematic", "", "playful and cinematic"},
		{"smooth, minimal bouncing ball", "", ""},
		{"bouncing ball like the Stripe website", "", ""},
		{"ball bounces 3 times with easeOutBack, squash on landing", "", ""},
		{"bouncing ball, red, 3 bounces, 4 seconds", "", ""},
		{"bouncing ball", "cinematic", ""},
		{"bouncing ball", "something calm and elegant", ""},
	} {
		q, err := author().Clarify(context.Background(), brief(tt.prompt, func(b *koda.Brief) { b.Style = tt.style }), nil, tool.Desk{})
		if err != nil {
			t.Errorf("%q: %v", tt.prompt, err)
			continue
		}
		switch {
		case (q == nil) != (tt.want == ""):
			t.Errorf("%q: question %+v, want %q", tt.prompt, q, tt.want)
		case q != nil:
			if !strings.Contains(q.Text, tt.want) || !q.CustomInput || len(q.Options) != 3 || q.Options[0].ID != "playful" || q.Options[0].Label != "Playful & bouncy" {
				t.Errorf("%q: %+v", tt.prompt, q)
			}
		}
	}
}

// TestAnswer is what free answers come to.
func TestAnswer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		prompt string
		answer koda.Answer
		want   map[string]string
		note   string
	}{
		{"bouncing ball", koda.Answer{OptionID: "smooth"}, map[string]string{"style": "smooth"}, ""},
		{"bouncing ball", koda.Answer{Text: "2"}, map[string]string{"style": "smooth"}, ""},
		{"bouncing ball", koda.Answer{Text: "Cinematic & dramatic"}, map[string]string{"style": "cinematic"}, ""},
		{"bouncing ball", koda.Answer{Text: "smooth, blue, 8 seconds"}, map[string]string{"style": "smooth", "color": "#2463eb", "duration": "8"}, ""},
		{"bouncing ball", koda.Answer{Text: "steampunk"}, map[string]string{"style": "playful"}, `"steampunk" is not a style`},
		{"bouncing ball", koda.Answer{Text: "the second one"}, map[string]string{"style": "smooth"}, ""},
		{"bouncing ball", koda.Answer{Text: "the last one"}, map[string]string{"style": "cinematic"}, ""},
		{"bouncing ball", koda.Answer{Text: "whatever you think is best"}, map[string]string{"style": "playful"}, "koda's choice"},
		{"bouncing ball", koda.Answer{Text: "egal"}, map[string]string{"style": "playful"}, "koda's choice"},
		{"bouncing ball", koda.Answer{Text: "おまかせ"}, map[string]string{"style": "playful"}, "koda's choice"},
		{"red bouncing ball", koda.Answer{OptionID: "cinematic"}, map[string]string{"style": "cinematic", "color": "#e5343d"}, ""},
		{"make a title animation", koda.Answer{Text: `"Big Sale", cinematic`}, map[string]string{"style": "cinematic", "text": "Big Sale"}, ""},
		{"make a title animation", koda.Answer{Text: "Grand opening"}, map[string]string{"text": "Grand opening"}, ""},
	} {
		p := plan(t, brief(tt.prompt), tt.answer)
		for name, want := range tt.want {
			if p.Data[name] != want {
				t.Errorf("%q answered %+v: %s is %q, want %q", tt.prompt, tt.answer, name, p.Data[name], want)
			}
		}
		if !strings.Contains(strings.Join(p.Notes, "\n"), tt.note) {
			t.Errorf("%q answered %+v: notes %q lack %q", tt.prompt, tt.answer, p.Notes, tt.note)
		}
	}
}

// TestBrought: pictures with blanks in their names are shown, those that nobody brought are not, and only what is not
// shown is said to be kept.
func TestBrought(t *testing.T) {
	t.Parallel()
	b := brief(`slideshow of holiday one.png, nowhere.png and "logo.png", 3 seconds, playful`)
	b.Assets = []koda.Asset{
		{Name: "holiday one.png", Kind: "image", Path: "public/images/holiday-one.png"}, {Name: "logo.png", Kind: "image", Path: "public/images/logo.png"},
		{Name: "spare.png", Kind: "image", Path: "public/images/spare.png"},
	}
	p := plan(t, b, koda.Answer{})
	if want := `[{"picture":"public/images/holiday-one.png"},{"picture":"public/images/logo.png"}]`; p.Data["slides"] != want {
		t.Errorf("the slides are %s, want %s", p.Data["slides"], want)
	}
	said := strings.Join(p.Notes, "\n")
	if !strings.Contains(said, "nowhere.png is left out") || !strings.Contains(said, "spare.png is kept") || strings.Contains(said, "logo.png is kept") {
		t.Errorf("the notes are %q", p.Notes)
	}
}

// TestRevision: what was said of a plan changes what it touches and keeps the
// rest; what is not understood is refused.
// TestRevision_otherKind: a reason that names another kind of video leads to a question, and an
// answer to a plan of that kind, with what the prompt and the reason say.
func TestRevision_otherKind(t *testing.T) {
	t.Parallel()
	a, ctx := author(), context.Background()
	b := brief("red bouncing ball")
	before := plan(t, b, koda.Answer{OptionID: "smooth"})
	for said, want := range map[string]string{
		"no, make it a countdown instead":     "countdown",
		"make it a countdown instead":         "countdown",
		"a countdown from 5 instead, in blue": "countdown",
		"i want a pie chart":                  "pie",
		"no, a line chart please":             "line",
		"I wanted a quote by Einstein":        "quote",
		"rather a birthday greeting for Anna": "greeting",
		"it should be a clock":                "clock",
		"lieber ein Countdown":                "countdown",
		"je veux un compte à rebours":         "countdown",
		"no ball, a logo":                     "logo",
		"too boring":                          "",
		"I don't like it":                     "",
		"slower and with more punch":          "",
		"not what I had in mind":              "",
		"the colours are ugly":                "",
		"more energy please":                  "",
		"make it a star instead":              "",
		"more professional":                   "",
		"too long":                            "",
		"make it for kids":                    "",
		"the ball on a line":                  "",
		"no, a blue ball":                     "",
	} {
		rev := &koda.Revision{Answer: koda.Answer{OptionID: "smooth"}, Plan: &before, Feedback: said}
		q, err := a.Clarify(ctx, b, rev, tool.Desk{})
		got := ""
		if q != nil && len(q.Options) > 0 {
			got = q.Options[0].Recipe
		}
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", said, q, err)
		}
	}
	rev := &koda.Revision{Answer: koda.Answer{OptionID: "smooth"}, Plan: &before, Feedback: "no, a countdown from 5 instead, on navy"}
	for _, ans := range []koda.Answer{{OptionID: "countdown"}, {Text: "Countdown"}} {
		p, err := a.Plan(ctx, b, ans, rev, tool.Desk{})
		if err != nil || p.Data["recipe"] != "countdown" || p.Data["from"] != "5" || p.Data["background"] != "#14225c" || p.Data["color"] != "#e5343d" || p.Style != "smooth" {
			t.Errorf("%+v: %v, %v", ans, p.Data, err)
		}
		next, err := a.Plan(ctx, b, ans, &koda.Revision{Answer: ans, Plan: &p, Feedback: "from 7"}, tool.Desk{})
		if err != nil || next.Data["recipe"] != "countdown" || next.Data["from"] != "7" {
			t.Errorf("changed: %v, %v", next.Data, err)
		}
	}
	if p, err := a.Plan(ctx, b, koda.Answer{OptionID: "bouncing-ball"}, rev, tool.Desk{}); err != nil || cmp.Diff(before, p) != "" {
		t.Errorf("the plan stays: %v, %v", p, err)
	}
	changed := &koda.Revision{Answer: koda.Answer{OptionID: "smooth"}, Plan: &before, Feedback: "make it a countdown"}
	if _, err := a.Plan(ctx, b, changed.Answer, changed, tool.Desk{}); koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(koda.HintOf(err), "`koda reject`") {
		t.Errorf("as a change: %v: %s", err, koda.HintOf(err))
	}
	wanted := &koda.Revision{Answer: koda.Answer{OptionID: "smooth"}, Plan: &before, Feedback: "no, I wanted a pie chart instead: cats 3, dogs 4"}
	if p, err := a.Plan(ctx, b, koda.Answer{OptionID: "pie"}, wanted, tool.Desk{}); err != nil || p.Data["recipe"] != "pie" || strings.Contains(fmt.Sprint(p.Data), "wanted") {
		t.Errorf("the words of the wish are shown: %v, %v", p.Data, err)
	}
	boring := &koda.Revision{Answer: koda.Answer{OptionID: "smooth"}, Plan: &before, Feedback: "too boring"}
	if _, err := a.Plan(ctx, b, koda.Answer{Text: "frobnicate"}, boring, tool.Desk{}); err == nil || !strings.Contains(err.Error(), `"frobnicate" changes nothing`) {
		t.Errorf("after a reason: %v", err)
	}
	if p, err := a.Plan(ctx, b, koda.Answer{Text: "cinematic"}, rev, tool.Desk{}); err != nil || p.Data["recipe"] != "bouncing-ball" || p.Style != "cinematic" {
		t.Errorf("another answer: %v, %v", p, err)
	}
}

func TestRevision(t *testing.T) {
	t.Parallel()
	a, ctx := author(), context.Background()
	b := brief("red bouncing ball")
	before := plan(t, b, koda.Answer{OptionID: "smooth"})
	rev := func(said string) *koda.Revision {
		return &koda.Revision{Answer: koda.Answer{OptionID: "smooth"}, Plan: &before, Feedback: said}
	}
	for said, want := range map[string]map[string]string{
		"make it 8 seconds, blue":   {"duration": "8", "color": "#2463eb"},
		"3 bounces and higher":      {"bounces": "3", "height": "0.99"},
		"cinematic please":          {"style": "cinematic", "squash": "0.2"},
		"I would like a star":       {"shape": "star"},
		"twice as fast":             {"speed": "2"},
		"on a black background":     {"background": "#17181c"},
		"longer and with no squash": {"duration": "7", "squash": "0"},
	} {
		p, err := a.Plan(ctx, b, koda.Answer{OptionID: "smooth"}, rev(said), tool.Desk{})
		if err != nil {
			t.Errorf("%q: %v", said, err)
			continue
		}
		check(t, p)
		for name, v := range p.Data {
			w, asked := want[name]
			if !asked {
				w = before.Data[name]
			}
			if v != w {
				t.Errorf("%q: %s is %q, want %q", said, name, v, w)
			}
		}
	}
	for _, said := range []string{"make it sparkle", "", "2000 seconds", "I don't like it", "900 bounces", "smooth and red"} {
		_, err := a.Plan(ctx, b, koda.Answer{OptionID: "smooth"}, rev(said), tool.Desk{})
		if koda.CodeOf(err) != koda.CodeInvalidInput || koda.HintOf(err) == "" {
			t.Errorf("%q: %v (%v, hint %q), want INVALID_INPUT", said, err, koda.CodeOf(err), koda.HintOf(err))
		}
	}
	// Another answer to the question that was asked again.
	p, err := a.Plan(ctx, b, koda.Answer{OptionID: "playful"}, rev("boring"), tool.Desk{})
	if err != nil || p.Style != "playful" || p.Data["color"] != before.Data["color"] {
		t.Errorf("answered again: %v %+v", err, p.Data)
	}
	q, err := a.Clarify(ctx, b, rev("make it 8 seconds"), tool.Desk{})
	if err != nil || q != nil {
		t.Errorf("the feedback answers, and yet: %+v %v", q, err)
	}
	q, err = a.Clarify(ctx, b, rev("boring"), tool.Desk{})
	if err != nil || q == nil || !strings.Contains(q.Text, `"boring"`) || !strings.Contains(q.Text, "a change, such as") {
		t.Errorf("the feedback says little: %+v %v", q, err)
	}
	// A colour that is the usual one again is told, since the plan tells only the others.
	p, err = a.Plan(ctx, b, koda.Answer{OptionID: "smooth"}, rev("no, the other colour"), tool.Desk{})
	if note := "Color is " + p.Data["color"] + " again, not #e5343d."; err != nil || !slices.Contains(p.Notes, note) {
		t.Errorf("%v: %q lack %q", err, p.Notes, note)
	}
	// What was said on several lines is quoted on one.
	const lines = "dull\nblorp"
	if q, err = a.Clarify(ctx, b, rev(lines), tool.Desk{}); err != nil || !strings.Contains(q.Text, `"dull blorp"`) {
		t.Errorf("%+v %v", q, err)
	}
	if _, err = a.Plan(ctx, b, koda.Answer{OptionID: "smooth"}, rev(lines), tool.Desk{}); !strings.HasPrefix(koda.Sentence(err), `"dull blorp" changes nothing`) {
		t.Error(err)
	}
}

// TestPlan_free: somebody who leaves the choice to koda gets the first style, and is not told off.
func TestPlan_free(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{"bouncing ball", `title "Hello"`} {
		for _, said := range []string{"you choose", "whatever", "whatever you think is best", "surprise me!", "egal", "おまかせ"} {
			notes := strings.Join(plan(t, brief(prompt), koda.Answer{Text: said}).Notes, "\n")
			if !strings.Contains(notes, "Style: playful, koda's choice.") || strings.Contains(notes, "Not used") {
				t.Errorf("%q: %s", said, notes)
			}
		}
	}
	if notes := strings.Join(plan(t, brief("bouncing ball"), koda.Answer{Text: "zebra"}).Notes, "\n"); !strings.Contains(notes, `"zebra" is not a style koda knows`) {
		t.Error(notes)
	}
}
