package offline_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// owns is what scenes have of their own in params.json, as it is written there.
func (p *project) owns(t testing.TB) string {
	t.Helper()
	var params struct {
		Scenes json.RawMessage `json:"scenes"`
	}
	if err := json.Unmarshal([]byte(p.files[paramsPath]), &params); err != nil {
		t.Fatal(err)
	}
	return string(params.Scenes)
}

// classic names the recipe of the prompts here, which have scenes with values of their own.
func classic(prompt string) func(*koda.Brief) {
	return func(b *koda.Brief) {
		b.Recipe = map[bool]string{true: "bouncing-ball", false: "title"}[strings.Contains(prompt, "bounc")]
	}
}

// five is a project of five scenes: 0–2.5, –6, –9, –12.5, –15 s.
func five(t testing.TB, prompt string) (*project, koda.Brief, koda.Plan) {
	t.Helper()
	b := brief(prompt+", 15 seconds", classic(prompt))
	pl := plan(t, b, koda.Answer{OptionID: "smooth"})
	made, _ := fives.LoadOrStore(prompt, sync.OnceValue(func() map[string]string { return build(t, b, koda.Answer{OptionID: "smooth"}).files }))
	return &project{files: maps.Clone(made.(func() map[string]string)())}, b, pl //nolint:errcheck // it holds nothing else
}

// fives holds the files of projects of five, by prompt.
var fives sync.Map

const (
	ballOf5  = "bouncing ball"
	titleOf5 = `title "Hi" "you"`
)

// TestScenes_said is how scenes are named, and what is meant for which.
func TestScenes_said(t *testing.T) {
	t.Parallel()
	const navy, green, red, white, black = "#14225c", "#1fa34a", "#e5343d", "#ffffff", "#17181c"
	replace := strings.NewReplacer("NAVY", navy, "GREEN", green, "RED", red, "WHITE", white, "BLACK", black)
	for prompt, list := range map[string][][2]string{
		ballOf5: {
			// By number, by name, several.
			{"navy background in the outro", `{"5": {"background": "NAVY"}}`},
			{"make the ball green in scene 2", `{"2": {"color": "GREEN"}}`},
			{"scene 3: darker background", `{"3": {"shade": -0.14}}`},
			{"turn scene three navy", `{"3": {"background": "NAVY"}}`},
			{"gold accent in the 2nd scene", `{"2": {"accent": "#d9a53a"}}`},
			{"accent gold in the 2nd scene", `{"2": {"accent": "#d9a53a"}}`},
			{"white background in the last two scenes", `{"4": {"background": "WHITE"}, "5": {"background": "WHITE"}}`},
			{"navy background in scenes 1, 2 and 4", `{"1": {"background": "NAVY"}, "2": {"background": "NAVY"}, "4": {"background": "NAVY"}}`},
			{"darker background in the intro and the outro", `{"1": {"shade": -0.14}, "5": {"shade": -0.14}}`},
			{"darker background in the intro and in the outro", `{"1": {"shade": -0.14}, "5": {"shade": -0.14}}`},
			{"make the ball green in loop 2", `{"3": {"color": "GREEN"}}`},
			{"make the ball green in the loop", `{"2": {"color": "GREEN"}, "3": {"color": "GREEN"}, "4": {"color": "GREEN"}}`},
			{"a star in scene 2", `{"2": {"shape": "star"}}`},
			{"blue in scene 2 only", `{"2": {"color": "#2463eb"}}`},
			{"green ball from scene 4 on", `{"4": {"color": "GREEN"}, "5": {"color": "GREEN"}}`},
			{"green ball starting with loop 3", `{"4": {"color": "GREEN"}, "5": {"color": "GREEN"}}`},
			{"navy background after the third scene", `{"4": {"background": "NAVY"}, "5": {"background": "NAVY"}}`},
			{"navy background before scene 3", `{"1": {"background": "NAVY"}, "2": {"background": "NAVY"}}`},
			{"navy background until scene 2", `{"1": {"background": "NAVY"}, "2": {"background": "NAVY"}}`},
			{"navy background from scene 2 to 3", `{"2": {"background": "NAVY"}, "3": {"background": "NAVY"}}`},
			{"navy background before the loop", `{"1": {"background": "NAVY"}}`},
			// The scene itself is what is coloured.
			{"make the second scene navy", `{"2": {"background": "NAVY"}}`},
			{"make scene 2 green and scene 3 red", `{"2": {"background": "GREEN"}, "3": {"background": "RED"}}`},
			{"darker outro", `{"5": {"shade": -0.14}}`},
			{"darken the outro", `{"5": {"shade": -0.14}}`},
			{"white intro background", `{"1": {"background": "WHITE"}}`},
			{"outro white", `{"5": {"background": "WHITE"}}`},
			{"intro and outro darker", `{"1": {"shade": -0.14}, "5": {"shade": -0.14}}`},
			{"outro should be white", `{"5": {"background": "WHITE"}}`},
			// What belongs to which of several.
			{"make the ball green in scene 2 and red in scene 3", `{"2": {"color": "GREEN"}, "3": {"color": "RED"}}`},
			{"make the background navy in scene 2 and black in scene 3", `{"2": {"background": "NAVY"}, "3": {"background": "BLACK"}}`},
			{"in scene 2, green ball and navy background", `{"2": {"color": "GREEN", "background": "NAVY"}}`},
			{"white background in scene 3 and black elsewhere", `{"3": {"background": "WHITE"}}`},
			// No scene.
			{"navy background", ""},
			{"make the scene darker", ""},
			{"navy background in the second half", ""},
		},
		titleOf5: {
			{"white text in the second scene", `{"2": {"color": "WHITE"}}`},
			{"navy background in the exit", `{"5": {"background": "NAVY"}}`},
			{"navy background in the outro", `{"5": {"background": "NAVY"}}`},
			{"the title is white in the hold", `{"2": {"color": "WHITE"}, "3": {"color": "WHITE"}, "4": {"color": "WHITE"}}`},
			{"white text in scene 2, navy background in scene 3", `{"2": {"color": "WHITE"}, "3": {"background": "NAVY"}}`},
			{"change the text to Hold the line", ""},
			{"change the text to “In scene 2”", ""},
			{"the title white", ""},
		},
	} {
		for _, tt := range list {
			p, b, pl := five(t, prompt)
			if err := p.change(b, pl, tt[0]); err != nil {
				t.Errorf("%q: %v\n%s", tt[0], err, koda.HintOf(err))
			} else if diff := cmp.Diff(replace.Replace(tt[1]), p.owns(t)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt[0], diff)
			}
		}
	}
}

// TestScenes_report tells what was changed where, and what cannot differ by
// scene; that is never done to the whole.
func TestScenes_report(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ said, want string }{
		{"navy background in scene 3", "Scene 3 background auto → #14225c."},
		{"faster, navy background in scene 3", "Speed 1 → 1.4, scene 3 background auto → #14225c."},
		{"navy background in scene 3. Faster", "Speed 1 → 1.4, scene 3 background auto → #14225c."},
		{"faster and navy background in scene 3", "Scene 3 background auto → #14225c. One scene cannot have its own speed: that is not changed."},
		{"in scene 3 navy background, 4 bounces", "Scene 3 background auto → #14225c. One scene cannot have its own bounce: that is not changed."},
		{"blue background in scene 3", "Scene 3 background auto → #2463eb."},
	} {
		p, b, pl := five(t, ballOf5)
		if err := p.change(b, pl, tt.said); err != nil {
			t.Errorf("%q: %v", tt.said, err)
		} else if got := strings.Join(p.said, " "); !strings.Contains(got, tt.want) {
			t.Errorf("%q: %s, want %s", tt.said, got, tt.want)
		}
	}
}

// TestScenes_refused changes nothing and says what there is.
func TestScenes_refused(t *testing.T) {
	t.Parallel()
	const scenes = "the scenes are 1 Intro (0–2.5 s), 2 Loop 1 (2.5–6 s), 3 Loop 2 (6–9 s), 4 Loop 3 (9–12.5 s), 5 Outro (12.5–15 s)"
	const whole = "it can have its own shape, color, background, accent and shade"
	p, b, pl := five(t, ballOf5)
	before := p.snapshot()
	for _, tt := range []struct{ said, op, hint string }{
		{"navy background in scene 7", "there is no scene 7", scenes},
		{"navy background in scene 2 and 7", "there is no scene 7", scenes},
		{"navy background in scene 0", "there is no scene 0", scenes},
		{"navy background in loop 4", `there is no scene "loop 4"`, scenes},
		{"make it 4 seconds; navy background in scene 3", "there is no scene 3", "the scenes are 1 Intro (0–2 s), 2 Outro (2–4 s)"},
		{"faster in scene 2", "one scene cannot have its own speed", whole},
		{"make scene 2 7 seconds long", "one scene cannot have its own duration", whole},
		{"snappier in scene 2", "one scene cannot have its own motion", whole},
		{"navy background before scene 1", "there is nothing there", scenes},
		{"navy background after the outro", "there is nothing there", scenes},
		{"sparkle in scene 2", "changes nothing koda understands", "in scene 2"},
		{"undo that", "it asks for the version before", "koda undo"},
	} {
		err := p.change(b, pl, tt.said)
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), tt.op) || !strings.Contains(koda.HintOf(err), tt.hint) {
			t.Errorf("%q: %v (%v): %s", tt.said, err, koda.CodeOf(err), koda.HintOf(err))
		}
	}
	if diff := p.changed(before); len(diff) > 0 {
		t.Errorf("refused changes changed %q", diff)
	}
}

// TestScenes_whole is what becomes of single scenes when the whole is changed.
func TestScenes_whole(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		said []string
		want string
		says string
	}{
		// What is set for the whole is set in every scene.
		{[]string{"darker background in scene 3", "make the background white"}, "", "scene 3 shade a little darker → as the rest"},
		{[]string{"white background", "navy background in scene 3", "white background"}, "", "Scene 3 background #14225c → as the rest."},
		// More and less are in every scene.
		{[]string{"darker background in scene 3", "lighter background"}, `{"3": {"shade": 0}}`, "Shade usual → a little lighter, scene 3 shade a little darker → usual."},
		{[]string{"white background in scene 3", "cinematic"}, `{"3": {"background": "#ffffff"}}`, "style smooth → cinematic"},
		// Back to the rest.
		{[]string{"navy background and green ball in scene 3", "scene 3 like the rest"}, "", "Scene 3 color #1fa34a → as the rest, scene 3 background #14225c → as the rest."},
		{[]string{"darker background in scene 3", "lighter background in scene 3"}, "", "Scene 3 shade a little darker → as the rest."},
		// By number, whatever is there: see Loop 1, Loop 2, Loop 3 and Outro.
		{[]string{"navy background in scene 3", "4 seconds", "15 seconds"}, "", "Duration 4 → 15."},
		{[]string{"navy background in scene 3", "20 seconds"}, `{"3": {"background": "#14225c"}}`, "Duration 15 → 20."},
	} {
		p, b, pl := five(t, ballOf5)
		for _, said := range tt.said {
			p.said = nil
			if err := p.change(b, pl, said); err != nil {
				t.Errorf("%q: %v", said, err)
			}
		}
		if got := p.owns(t); got != tt.want {
			t.Errorf("%q: scenes are %s, want %s", tt.said, got, tt.want)
		}
		if got := strings.Join(p.said, " "); !strings.Contains(got, tt.says) {
			t.Errorf("%q: %s, want %s", tt.said, got, tt.says)
		}
	}
}

// Without anything of their own scenes are not in params.json, and a project
// that had something is again as one that never had.
func TestScenes_none(t *testing.T) {
	t.Parallel()
	p, b, pl := five(t, titleOf5)
	before := p.snapshot()
	if strings.Contains(before[paramsPath], "scenes") {
		t.Errorf("%s of a new project: %s", paramsPath, before[paramsPath])
	}
	for _, said := range []string{"white text in scene 3", "scene 3 as the others"} {
		if err := p.change(b, pl, said); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(before, p.files); diff != "" {
		t.Errorf("there and back (-before +after):\n%s", diff)
	}
}

// TestScenes_plan: scenes may be told apart before there is a project: in the
// prompt, with --set, and of a plan.
func TestScenes_plan(t *testing.T) {
	t.Parallel()
	set := func(name, value string) func(*koda.Brief) {
		return func(b *koda.Brief) { b.Params = map[string]string{name: value} }
	}
	const navy2 = `{"2": {"background": "#14225c"}}`
	for _, tt := range []struct {
		b    koda.Brief
		want string
	}{
		{brief("red bouncing ball, 3 bounces, navy background in scene 2"), navy2},
		{brief("bouncing ball, 15 seconds, green in scenes 2, 3 and 5"), `{"2": {"color": "#1fa34a"}, "3": {"color": "#1fa34a"}, "5": {"color": "#1fa34a"}}`},
		{brief("3 bounces and a navy background in scene 2"), navy2},
		{brief(`title "Hi", white text in scene 2`, classic("title")), `{"2": {"color": "#ffffff"}}`},
		{brief(`title "Hi", navy background in the outro`, classic("title")), `{"3": {"background": "#14225c"}}`},
		{brief(`title "Hi" for the intro of my channel, navy background`, classic("title")), ""},
		{brief(`title Live in the outro, navy background`, classic("title")), ""},
		{brief("bouncing ball", set("scene2.background", "Navy")), navy2},
		{brief("bouncing ball, white background in scene 2", set("scene2.background", "navy")), navy2},
		{brief("bouncing ball", set("scene2.shade", "0")), ""},
	} {
		p := build(t, tt.b, koda.Answer{OptionID: "playful"})
		if got := p.owns(t); got != tt.want {
			t.Errorf("%s %v: scenes are %s, want %s", tt.b.Prompt, tt.b.Params, got, tt.want)
		}
	}
	if pl := plan(t, brief("3 bounces and a navy background in scene 2"), koda.Answer{OptionID: "playful"}); pl.Data["bounces"] != "3" || !strings.HasSuffix(pl.Scenes[1].Description, "Background #14225c.") {
		t.Errorf("%v: %+v", pl.Data, pl.Scenes[1])
	}
	for name, value := range map[string]string{"scene9.background": "navy", "scene2.speed": "2", "scene2.color": "reddish", "scene0.color": "red", "scene2": "red"} {
		_, err := author().Check(t.Context(), brief("bouncing ball", set(name, value)))
		if koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
			t.Errorf("--set %s=%s: %v", name, value, err)
		}
	}
}

// TestScenes_revision: a plan is changed like what it becomes, and a later
// change is not undone by the plan.
func TestScenes_revision(t *testing.T) {
	t.Parallel()
	b := brief("bouncing ball, 15 seconds")
	pl := plan(t, b, koda.Answer{OptionID: "playful"})
	for _, said := range []string{"navy background in the outro", "green ball in scene 2"} {
		next, err := author().Plan(context.Background(), b, koda.Answer{OptionID: "playful"}, &koda.Revision{Plan: &pl, Answer: koda.Answer{OptionID: "playful"}, Feedback: said}, tool.Desk{})
		if err != nil {
			t.Fatal(err)
		}
		pl = next
	}
	if got := pl.Scenes[4].Description; !strings.HasSuffix(got, " Background #14225c.") {
		t.Errorf("the outro is told as %s", got)
	}
	p := newProject(t)
	for _, task := range tasks(b, pl) {
		p.work(t, task)
	}
	if got, want := p.owns(t), `{"2": {"color": "#1fa34a"}, "5": {"background": "#14225c"}}`; got != want {
		t.Errorf("scenes are %s, want %s", got, want)
	}
	for _, said := range []string{"outro like the rest", "bigger"} {
		if err := p.change(b, pl, said); err != nil {
			t.Fatalf("%q: %v", said, err)
		}
	}
	if got, want := p.owns(t), `{"2": {"color": "#1fa34a"}}`; got != want {
		t.Errorf("after changes scenes are %s, want %s", got, want)
	}
	_, err := author().Plan(context.Background(), b, koda.Answer{OptionID: "playful"}, &koda.Revision{Plan: &pl, Feedback: "navy background in scene 8"}, tool.Desk{})
	if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(koda.HintOf(err), "5 Outro") {
		t.Errorf("a scene the plan has not: %v: %s", err, koda.HintOf(err))
	}
}

// TestScenes_byHand: what the person wrote of scenes is read, checked and kept.
func TestScenes_byHand(t *testing.T) {
	t.Parallel()
	write := func(p *project, scenes string) {
		p.files[paramsPath] = strings.Replace(p.files[paramsPath], `"size": 1`, `"scenes": `+scenes+`, "size": 1`, 1)
	}
	p, b, pl := five(t, ballOf5)
	write(p, `{"4": {"shade": 0.1, "background": "Navy"}, "12": {"color": "red"}}`)
	if err := p.change(b, pl, "bigger; green ball in scene 2", paramsPath); err != nil {
		t.Fatal(err)
	}
	if got, want := p.owns(t), `{"2": {"color": "#1fa34a"}, "4": {"background": "#14225c", "shade": 0.1}}`; got != want {
		t.Errorf("scenes are %s, want %s", got, want)
	}
	if got := strings.Join(p.said, " "); !strings.Contains(got, "Scene 12 is gone") {
		t.Errorf("said %s", got)
	}
	if i, j := strings.Index(p.files[paramsPath], `"scenes"`), strings.Index(p.files[paramsPath], `"size"`); i > j {
		t.Errorf("the person's order is lost:\n%s", p.files[paramsPath])
	}
	for scenes, want := range map[string]string{
		`3`:                         "scenes is written like",
		`[]`:                        "scenes is written like",
		`{"two": {"shade": 0}}`:     `"two" is not the number of a scene`,
		`{"02": {"shade": 0}}`:      `"02" is not the number of a scene`,
		`{"2": {"speed": 2}}`:       "speed concerns the whole video; a scene of its own can have shape, color, background, accent, shade",
		`{"2": {"colour": "red"}}`:  "colour is no parameter of a scene; did you mean color?",
		`{"2": {"color": "rde"}}`:   `scene 2: color cannot be "rde"`,
		`{"2": {"shade": 4}}`:       `scene 2: shade cannot be "4": it takes -0.7 to 0.7`,
		`{"2": {"shade": null}}`:    `scene 2: shade cannot be "null"`,
		`{"2": "navy"}`:             "scenes is written like",
		`{"2": {"background": {}}}`: `scene 2: background cannot be "{}"`,
	} {
		p, b, pl := five(t, ballOf5)
		write(p, scenes)
		mine := p.files[paramsPath]
		err := p.change(b, pl, "bigger", paramsPath)
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), want) || koda.HintOf(err) == "" {
			t.Errorf("%s: %v, want %s", scenes, err, want)
		}
		if p.files[paramsPath] != mine {
			t.Errorf("%s was overwritten", scenes)
		}
	}
}

// TestScenes_ofManifest: scenes are those of koda.json, as the person calls them.
func TestScenes_ofManifest(t *testing.T) {
	t.Parallel()
	p, b, pl := five(t, ballOf5)
	p.manifest(t, func(m *koda.Manifest) {
		m.Scenes = []koda.SceneStart{{Title: "Kick-off", Start: 0}, {Start: 4}, {Title: "The End", Start: 11}}
	})
	for _, said := range []string{"navy background in the kick-off", "green ball and white background in the end", "make the ball red in scene 2"} {
		if err := p.change(b, pl, said); err != nil {
			t.Errorf("%q: %v", said, err)
		}
	}
	if got, want := p.owns(t), `{"1": {"background": "#14225c"}, "2": {"color": "#e5343d"}, "3": {"color": "#1fa34a", "background": "#ffffff"}}`; got != want {
		t.Errorf("scenes are %s, want %s", got, want)
	}
	err := p.change(b, pl, "navy background in scene 4")
	if want := "the scenes are 1 Kick-off (0–4 s), 2 (4–11 s), 3 The End (11–15 s)"; koda.CodeOf(err) != koda.CodeInvalidInput || koda.HintOf(err) != want {
		t.Errorf("scene 4: %v: %s", err, koda.HintOf(err))
	}
	// The longer video has as many scenes; the shorter one has those of the recipe.
	if err := p.change(b, pl, "18 seconds"); err != nil || !strings.Contains(p.owns(t), `"3"`) {
		t.Errorf("18 s: %v: %s", err, p.owns(t))
	}
	if err := p.change(b, pl, "4 seconds"); err != nil || strings.Contains(p.owns(t), `"3"`) {
		t.Errorf("4 s: %v: %s", err, p.owns(t))
	}
	p.manifest(t, func(m *koda.Manifest) { m.Scenes = nil })
	err = p.change(b, pl, "white background in scene 1")
	if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(koda.HintOf(err), "koda.json tells of no scenes") {
		t.Errorf("without scenes: %v: %s", err, koda.HintOf(err))
	}
}

// TestScenes_olderCode: the code of a project stays what it was when koda made
// it; where it cannot show what is asked for, that is said.
func TestScenes_olderCode(t *testing.T) {
	t.Parallel()
	p, b, pl := five(t, titleOf5)
	for name := range p.files {
		if strings.HasPrefix(name, "src/recipe/") || name == "src/theatre/scenes.ts" {
			delete(p.files, name)
		}
	}
	before := p.snapshot()
	err := p.change(b, pl, "navy background in scene 2")
	if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), "older koda") || koda.HintOf(err) == "" {
		t.Error(err)
	}
	if diff := p.changed(before); len(diff) > 0 {
		t.Errorf("the refused change changed %q", diff)
	}
	if err := p.change(b, pl, "navy background"); err != nil || !slices.Equal(p.changed(before), []string{paramsPath}) {
		t.Errorf("a change of the whole: %v, changed %q", err, p.changed(before))
	}
}
