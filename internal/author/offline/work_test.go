package offline_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

const (
	paramsPath = "src/theatre/params.json"
	statePath  = "src/theatre/state.json"
)

// state is what a test reads of a Theatre.js state.
type state struct {
	Sheets map[string]struct {
		Sequence struct {
			Length float64 `json:"length"`
			Tracks map[string]struct {
				Paths map[string]string `json:"trackIdByPropPath"`
				Data  map[string]struct {
					Keys []keyframe `json:"keyframes"`
				} `json:"trackData"`
			} `json:"tracksByObject"`
		} `json:"sequence"`
	} `json:"sheetsById"`
	Version string `json:"definitionVersion"`
}

type keyframe struct {
	ID        string     `json:"id"`
	Position  float64    `json:"position"`
	Connected bool       `json:"connectedRight"`
	Handles   [4]float64 `json:"handles"`
	Type      string     `json:"type"`
	Value     float64    `json:"value"`
}

func (p *project) state(t testing.TB) state {
	t.Helper()
	var s state
	if err := json.Unmarshal([]byte(p.files[statePath]), &s); err != nil {
		t.Fatalf("%s: %v", statePath, err)
	}
	if s.Version != "0.4.0" {
		t.Errorf("definitionVersion %q", s.Version)
	}
	return s
}

func (p *project) track(t testing.TB, object, prop string) []keyframe {
	t.Helper()
	obj := p.state(t).Sheets["Main"].Sequence.Tracks[object]
	return obj.Data[obj.Paths[`["`+prop+`"]`]].Keys
}

func TestWork_files(t *testing.T) {
	t.Parallel()
	b := brief("bouncing ball, 4 seconds")
	pl := plan(t, b, koda.Answer{OptionID: "playful"})
	p := newProject(t)
	list := tasks(b, pl)

	p.work(t, list[0])
	got := p.written()
	want := []string{
		"koda.json", recipe.ManifestPath, recipe.ScorePath, "src/theatre/project.ts", "src/theatre/scenes.ts", paramsPath, statePath, "src/utils/colour.ts", "src/utils/paint.ts", "src/components/Backdrop.tsx", "src/components/Ball.tsx", "src/components/Caption.tsx",
		"src/components/Dust.tsx", "src/components/Letterbox.tsx", "src/components/Shadow.tsx", "src/components/layout.ts", "src/components/look.ts", "src/components/outlines.ts",
		"src/scenes/MainScene.tsx", "src/App.tsx", "src/classic/score.ts", "src/scene.css",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("set-up writes (-want +got):\n%s", diff)
	}
	if m, err := koda.ParseManifest([]byte(p.files["koda.json"])); err != nil || m.Duration != 4 || m.Width != 1920 {
		t.Errorf("koda.json: %+v %v", m, err)
	}
	if n := len(p.track(t, "Ball", "height")); n != 0 {
		t.Errorf("set-up made %d keyframes", n)
	}

	cut := pl.Scenes[0].Duration
	p.work(t, list[1])
	for _, k := range p.track(t, "Ball", "height") {
		if k.Position >= cut {
			t.Errorf("scene 1 has a keyframe at %v, it ends at %v", k.Position, cut)
		}
	}
	p.work(t, list[2])
	if diff := cmp.Diff([]string{paramsPath, statePath, paramsPath, statePath}, p.written()); diff != "" {
		t.Errorf("scenes write (-want +got):\n%s", diff)
	}
	p.work(t, list[3])
	for _, prop := range []string{"light", "shadow", "zoom", "bars"} {
		if len(p.track(t, "Stage", prop)) == 0 {
			t.Errorf("the finish adds no Stage.%s", prop)
		}
	}

	// An unchanged duration leaves koda.json alone.
	same := newProject(t)
	b = brief("bouncing ball")
	pl = plan(t, b, koda.Answer{})
	same.manifest(t, func(m *koda.Manifest) { m.Scenes = pl.Starts() })
	same.work(t, tasks(b, pl)[0])
	if slices.Contains(same.written(), "koda.json") {
		t.Error("koda.json was written although nothing in it changes")
	}
}

// manifest reads koda.json, and writes it back where edit changes it.
func (p *project) manifest(t testing.TB, edit func(*koda.Manifest)) koda.Manifest {
	t.Helper()
	m, err := koda.ParseManifest([]byte(p.files["koda.json"]))
	if err != nil {
		t.Fatal(err)
	}
	before := m
	edit(&m)
	if !m.Equal(before) {
		data, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		p.files["koda.json"] = string(data)
	}
	return m
}

// The scenes of koda.json are those of the plan, and follow the duration; those
// a person wrote stand while they fit.
func TestWork_scenes(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{"bouncing ball, 16 seconds", `title "Hello", 16 seconds`} {
		b := brief(prompt)
		pl := plan(t, b, koda.Answer{OptionID: "playful"})
		p := newProject(t)
		for _, task := range tasks(b, pl) {
			p.work(t, task)
		}
		scenes := func() []koda.SceneStart { return p.manifest(t, func(*koda.Manifest) {}).Scenes }
		change := func(said string) {
			t.Helper()
			if err := p.change(b, pl, said); err != nil {
				t.Fatal(err)
			}
		}
		if got := scenes(); len(got) != 5 || !slices.Equal(got, pl.Starts()) {
			t.Errorf("%s: scenes %v, the plan has %v", prompt, got, pl.Starts())
		}
		change("faster")
		if got := scenes(); !slices.Equal(got, pl.Starts()) {
			t.Errorf("%s, faster: scenes %v", prompt, got)
		}
		change("make it 20 seconds")
		longer := plan(t, brief(strings.Replace(prompt, "16", "20", 1)), koda.Answer{OptionID: "playful"})
		if got := scenes(); len(got) != 6 || !slices.Equal(got, longer.Starts()) {
			t.Errorf("%s, then 20: scenes %v, want %v", prompt, got, longer.Starts())
		}
		mine := []koda.SceneStart{{Title: "Mine", Start: 0}, {Start: 11}}
		p.manifest(t, func(m *koda.Manifest) { m.Scenes = mine })
		change("make it 18 seconds")
		if got := scenes(); !slices.Equal(got, mine) {
			t.Errorf("%s: the person's scenes became %v", prompt, got)
		}
		change("make it 10 seconds")
		if got := scenes(); len(got) != 3 || got[2].Start >= 10 {
			t.Errorf("%s: scenes of 18 s are kept in 10: %v", prompt, got)
		}
	}
}

// TestWork_builds: the page builds after every todo, not only after the last.
func TestWork_builds(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{"bouncing ball", `title "Hi" "you"`} {
		b := brief(prompt)
		p := newProject(t)
		for _, task := range tasks(b, plan(t, b, koda.Answer{OptionID: "cinematic"})) {
			p.work(t, task)
			if _, _, err := bundler().Build(context.Background(), p.tree()); err != nil {
				t.Fatalf("%s after %s %d: %v\n%s", prompt, task.Kind, task.Scene, err, koda.DetailsOf(err))
			}
		}
	}
}

// TestWork_same: the same work makes the same calls and the same bytes.
func TestWork_same(t *testing.T) {
	t.Parallel()
	for _, prompt := range []string{"red bouncing ball, 7 seconds", `title "Hi" "you"`} {
		a, b := build(t, brief(prompt), koda.Answer{OptionID: "smooth"}), build(t, brief(prompt), koda.Answer{OptionID: "smooth"})
		if diff := cmp.Diff(a.calls, b.calls); diff != "" {
			t.Errorf("%s: calls differ:\n%s", prompt, diff)
		}
		if diff := cmp.Diff(a.files, b.files); diff != "" {
			t.Errorf("%s: files differ:\n%s", prompt, diff)
		}
		// A todo done again, as after a crash, changes nothing.
		before := a.snapshot()
		for _, task := range tasks(brief(prompt), plan(t, brief(prompt), koda.Answer{OptionID: "smooth"})) {
			if task.Kind != koda.TaskSetup {
				a.work(t, task)
			}
		}
		if diff := a.changed(before); len(diff) > 0 {
			t.Errorf("%s: doing todos again changed %q", prompt, diff)
		}
	}
}

// TestChange is what changes write, and what they leave alone.
func TestChange(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		prompt, said string
		files        []string
		says         string
	}{
		{"bouncing ball", "make the bounce higher", []string{paramsPath}, "Height 0.66 → 0.99"},
		{"bouncing ball", "make it blue", []string{paramsPath}, "→ #2463eb"},
		{"bouncing ball", "4 bounces", []string{paramsPath, statePath}, "Bounces auto → 4"},
		{"bouncing ball", "7 seconds", []string{"koda.json", paramsPath, statePath}, "Duration 5 → 7"},
		{"bouncing ball", "Make it faster but also smoother", []string{paramsPath, statePath}, "Speed 1 → 1.4, motion auto → smooth."},
		{"bouncing ball", "darker background", []string{paramsPath}, "Shade usual → a little darker."},
		{"bouncing ball", "a bit bigger, please", []string{paramsPath}, "Size 1 → 1.14"},
		{"bouncing ball", "more playful", []string{paramsPath, statePath}, "Squash"},
		{"bouncing ball", "cinematic", []string{paramsPath, statePath}, "style playful → cinematic"},
		{"bouncing ball", "make it purple with a dinosaur", []string{paramsPath}, "Not used, because the recipe does not know the words: dinosaur"},
		{"bouncing ball, 3 bounces, 4 seconds", "slower", []string{"koda.json", paramsPath, statePath}, "3 bounces take all of the 4 s, so the video has 5.5 s now, not 4."},
		{"bouncing ball, 7 bounces, 4 seconds", "faster", []string{"koda.json", paramsPath, statePath}, "so the video has 3 s now, not 4."},
		{"bouncing ball, 3 bounces, 4 seconds", "slower and blue, 4 seconds", []string{paramsPath}, "3 bounces take all of the 4 s."},
		{`title "Hi"`, "change the text to “Good bye”", []string{paramsPath, statePath}, `Text "Hi" → "Good bye"`},
		{`title "Hi"`, "change the text to Blue Monday, red", []string{paramsPath, statePath}, `"Blue Monday"`},
		{`title "Hi"`, "add the subtitle 'there'", []string{paramsPath, statePath}, `Subtitle "" → "there"`},
		{`title "Hi"`, "white text on black", []string{paramsPath}, "background auto → #17181c"},
		{"bouncing ball", "change the color to blue and add a dinosaur", []string{paramsPath}, "2463eb. Not used, because the recipe does not know the words: dinosaur."},
	} {
		b := brief(tt.prompt)
		p := build(t, b, koda.Answer{OptionID: "playful"})
		before := p.snapshot()
		if err := p.change(b, plan(t, b, koda.Answer{OptionID: "playful"}), tt.said); err != nil {
			t.Errorf("%q: %v", tt.said, err)
			continue
		}
		if diff := cmp.Diff(tt.files, p.changed(before)); diff != "" {
			t.Errorf("%q changed (-want +got):\n%s", tt.said, diff)
		}
		if len(p.said) != 1 || !strings.Contains(p.said[0], tt.says) {
			t.Errorf("%q: said %q, want %q in it", tt.said, p.said, tt.says)
		}
	}
}

// TestChange_follows: a second change goes on from the first, and what stands
// after a change is what a new project with these parameters would hold.
func TestChange_follows(t *testing.T) {
	t.Parallel()
	b := brief("bouncing ball")
	pl := plan(t, b, koda.Answer{OptionID: "playful"})
	p := build(t, b, koda.Answer{OptionID: "playful"})
	for _, said := range []string{"3 bounces", "one more bounce", "8 seconds", "bigger", "bigger"} {
		if err := p.change(b, pl, said); err != nil {
			t.Fatalf("%q: %v", said, err)
		}
	}
	fresh := build(t, brief("bouncing ball, 4 bounces, 8 seconds", func(b *koda.Brief) { b.Params = map[string]string{"size": "1.82"} }), koda.Answer{OptionID: "playful"})
	if diff := cmp.Diff(fresh.files, p.files); diff != "" {
		t.Errorf("changed project differs from a new one (-new +changed):\n%s", diff)
	}
}

func TestChange_refused(t *testing.T) {
	t.Parallel()
	b := brief("bouncing ball")
	pl := plan(t, b, koda.Answer{OptionID: "playful"})
	p := build(t, b, koda.Answer{OptionID: "playful"})
	before := p.snapshot()
	for _, said := range []string{"make it sparkle", "", "2000 seconds", "900 bounces", "size 7", "what is the weather", "playful", "set the colour to brightish"} {
		err := p.change(b, pl, said)
		if koda.CodeOf(err) != koda.CodeInvalidInput || koda.HintOf(err) == "" {
			t.Errorf("%q: %v (%v)", said, err, koda.CodeOf(err))
		}
	}
	if diff := p.changed(before); len(diff) > 0 {
		t.Errorf("refused changes changed %q", diff)
	}
	pl.Data = nil
	if err := p.change(b, pl, "blue"); koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Errorf("a plan of another author: %v", err)
	}
}

// TestHandEdited: what the person wrote is built on.
func TestHandEdited(t *testing.T) {
	t.Parallel()
	b := brief("bouncing ball")
	pl := plan(t, b, koda.Answer{OptionID: "playful"})
	made := func() *project { return build(t, b, koda.Answer{OptionID: "playful"}) }
	replace := func(p *project, file, from, to string) {
		t.Helper()
		if !strings.Contains(p.files[file], from) {
			t.Fatalf("%s holds no %q:\n%s", file, from, p.files[file])
		}
		p.files[file] = strings.Replace(p.files[file], from, to, 1)
	}

	t.Run("parameters", func(t *testing.T) {
		p := made()
		replace(p, paramsPath, `"size": 1`, `"mine": [1, 2], "size": 1.2`)
		replace(p, paramsPath, `"bounces": "auto"`, `"bounces": 2`)
		if err := p.change(b, pl, "bigger", paramsPath); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"size": 1.62`, `"mine": [1, 2]`, `"bounces": 2`} {
			if !strings.Contains(p.files[paramsPath], want) {
				t.Errorf("no %s in\n%s", want, p.files[paramsPath])
			}
		}
		var turns int
		for _, k := range p.track(t, "Ball", "height") {
			if k.Value > 0 && k.Position > 1 {
				turns++
			}
		}
		if turns != 2 {
			t.Errorf("%d flights after the person asked for 2 in params.json", turns)
		}
	})

	t.Run("broken parameters", func(t *testing.T) {
		for _, bad := range []string{"{", "[]", `{"size": 99}`, `{"size": "big"}`, `{"color": "reddish"}`, `{"bounces": 500}`, `{"size": {}}`} {
			p := made()
			p.files[paramsPath] = bad
			err := p.change(b, pl, "bigger", paramsPath)
			if koda.CodeOf(err) == koda.CodeFailed || err == nil || koda.HintOf(err) == "" {
				t.Errorf("%s: %v", bad, err)
			}
			if p.files[paramsPath] != bad {
				t.Errorf("%s was overwritten", bad)
			}
		}
	})

	t.Run("keyframes", func(t *testing.T) {
		p := made()
		scale := p.track(t, "Ball", "scale")
		id := `"position":` + number(scale[1].Position) + `,"connectedRight":true,"handles":[0.64,1`
		replace(p, statePath, id, strings.Replace(id, number(scale[1].Position), "0.3", 1))
		if err := p.change(b, pl, "cinematic", statePath); err != nil {
			t.Fatal(err)
		}
		if got := p.track(t, "Ball", "scale"); got[1].Position != 0.3 {
			t.Errorf("the edited track was replaced: %+v", got)
		}
		if got := p.track(t, "Stage", "bars"); got[len(got)-1].Value != 1 {
			t.Errorf("an unedited track was not brought along: %+v", got)
		}
		if !strings.Contains(p.said[0], "Ball.scale") {
			t.Errorf("said %q, nothing about the kept track", p.said)
		}
		// The next change knows it still.
		if err := p.change(b, pl, "7 seconds"); err != nil {
			t.Fatal(err)
		}
		if got := p.track(t, "Ball", "scale"); got[1].Position != 0.3 {
			t.Errorf("a later change replaced the edited track: %+v", got)
		}
	})

	t.Run("code", func(t *testing.T) {
		p := made()
		replace(p, "src/components/Ball.tsx", "export function Ball", "// mine\nexport function Ball")
		mine := p.files["src/components/Ball.tsx"]
		if err := p.change(b, pl, "blue, 8 seconds and cinematic", "src/components/Ball.tsx"); err != nil {
			t.Fatal(err)
		}
		if p.files["src/components/Ball.tsx"] != mine {
			t.Error("a change overwrote code of the person")
		}
		setup := tasks(b, pl)[0]
		setup.HandEdited = []string{"src/components/Ball.tsx"}
		p.work(t, setup)
		if p.files["src/components/Ball.tsx"] != mine {
			t.Error("set-up overwrote code of the person")
		}
	})

	t.Run("deleted", func(t *testing.T) {
		p := made()
		want := p.snapshot()
		delete(p.files, statePath)
		delete(p.files, paramsPath)
		if err := p.change(b, pl, "bigger"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Replace(want[paramsPath], `"size": 1`, `"size": 1.35`, 1), p.files[paramsPath]); diff != "" {
			t.Errorf("params.json written anew differs:\n%s", diff)
		}
		if diff := cmp.Diff(want[statePath], p.files[statePath]); diff != "" {
			t.Errorf("state.json written anew differs:\n%s", diff)
		}
	})

	t.Run("manifest", func(t *testing.T) {
		p := newProject(t)
		p.files["koda.json"] = `{"schema": 1, "name": "mine", "width": 800, "height": 800, "fps": 25, "duration": 9}`
		for _, task := range tasks(b, pl) {
			task.HandEdited = []string{"koda.json"}
			p.work(t, task)
		}
		if m, err := koda.ParseManifest([]byte(p.files["koda.json"])); err != nil || m.Width != 800 || m.Duration != 9 {
			t.Errorf("koda.json of the person: %+v %v", m, err)
		}
		if got := p.state(t).Sheets["Main"].Sequence.Length; got != 9 {
			t.Errorf("the sequence is %v s long, koda.json says 9", got)
		}
	})
}

// TestChange_midway: a message while todos are still to be done changes the
// parameters, and the rest is made by them.
func TestChange_midway(t *testing.T) {
	t.Parallel()
	b := brief("bouncing ball")
	pl := plan(t, b, koda.Answer{OptionID: "playful"})
	p := newProject(t)
	for i, task := range tasks(b, pl) {
		p.work(t, task)
		if i == 1 {
			if err := p.change(b, pl, "blue, 2 seconds"); err != nil {
				t.Fatal(err)
			}
		}
	}
	fresh := build(t, brief("blue bouncing ball, 2 seconds"), koda.Answer{OptionID: "playful"})
	if diff := cmp.Diff(fresh.files, p.files); diff != "" {
		t.Errorf("differs from one made so at once (-once +midway):\n%s", diff)
	}
}

func TestWork_unknownTask(t *testing.T) {
	t.Parallel()
	b := brief("bouncing ball")
	err := author().Work(context.Background(), koda.Task{Kind: "dance", Brief: b, Plan: plan(t, b, koda.Answer{})}, newProject(t).box())
	if koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Error(err)
	}
}

func number(v float64) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// TestLongest: the longest video is still written in files of a sane size.
func TestLongest(t *testing.T) {
	t.Parallel()
	b := brief("fast bouncing ball", func(b *koda.Brief) { b.Duration = 600 })
	p := build(t, b, koda.Answer{OptionID: "playful"})
	if n := len(p.files[statePath]); n > 6<<20 {
		t.Errorf("state.json has %d KB", n>>10)
	}
	keys := p.track(t, "Ball", "height")
	if last := keys[len(keys)-1]; last.Position > 600 || last.Position < 595 {
		t.Errorf("the last touch is at %v s", last.Position)
	}
}
