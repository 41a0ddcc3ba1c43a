package koda_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestParseManifest(t *testing.T) {
	t.Parallel()
	good := `{"schema": 1, "name": "ball", "width": 1920, "height": 1080, "fps": "30000/1001", "duration": 5}`
	m, err := koda.ParseManifest([]byte(good))
	if err != nil || m.FPS != (koda.FPS{Num: 30000, Den: 1001}) || m.Width != 1920 {
		t.Fatalf("ParseManifest = %+v, %v", m, err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"1920", "1921", "use 1922"},
		{"1920", "0", "width is 0"},
		{"1080", "8000", "height is 8000"},
		{`"schema": 1`, `"schema": 2`, "schema is 2"},
		{`"schema": 1, `, ``, "koda.json: schema is missing"},
		{`"ball"`, `" "`, "name"},
		{`"duration": 5`, `"duration": 0`, "duration is 0"},
		{`"duration": 5`, `"duration": 3601`, "at most 3600"},
		{`"duration": 5`, `"duraton": 5`, `koda.json: unknown field "duraton"`},
		{`, "duration": 5`, ``, "duration is 0"},
		{`"fps": "30000/1001", `, ``, "fps is missing"},
		{`"30000/1001"`, `"fast"`, "frame rate"},
		{`"30000/1001"`, `1000`, "frame rate"},
		{`1920`, `"wide"`, "width cannot be this: string"},
		{`1920`, `1920.5`, "width cannot be this: number 1920.5"},
		{`5}`, `5} {}`, "follows"},
		{good, `[]`, "it holds no object: array"},
		{good, ``, "it is empty"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Fatalf("%q is not in the good manifest", c.old)
		}
		_, err := koda.ParseManifest([]byte(text))
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want something with %q", text, err, c.want)
		}
	}
}

func TestScenes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 201)
	for scenes, want := range map[string]string{
		`[]`: "",
		`[{"title": "Intro", "start": 0}, {"title": "Loop", "start": 1.5}]`: "",
		`[{"start": 0}, {"start": 0.001}, {"start": 4.999}]`:                "",
		`[{"start": 1}]`:                             "the first scene starts at 1 s",
		`[{"start": -1}]`:                            "the first scene starts at -1 s",
		`[{"start": 0}, {"start": 0}]`:               "scene 2 starts at 0 s, not after scene 1",
		`[{"start": 0}, {"start": 3}, {"start": 2}]`: "scene 3 starts at 2 s, not after scene 2 at 3 s",
		`[{"start": 0}, {"start": 5}]`:               "scene 2 starts at 5 s, and the animation ends at 5 s",
		`[{"title": "` + long + `", "start": 0}]`:    "title of scene 1",
		`[{"title": "a\nb", "start": 0}]`:            "title of scene 1",
		`[0, 1.5]`:                                   "scenes cannot be this: number",
		`{"Intro": 0}`:                               "scenes cannot be this: object",
		`[{"start": "0"}]`:                           "scenes.start cannot be this: string",
		`[{"begin": 0}]`:                             "begin",
		`[` + strings.Repeat(`{"start": 0}, `, 7) + `{"start": 0}]`: "8 scenes are too many: 5 s have at most 7",
	} {
		text := `{"schema": 1, "name": "ball", "width": 1920, "height": 1080, "fps": 60, "duration": 5, "scenes": ` + scenes + `}`
		m, err := koda.ParseManifest([]byte(text))
		if want == "" {
			data, encErr := m.Encode()
			again, parseErr := koda.ParseManifest(data)
			if err != nil || encErr != nil || parseErr != nil || !again.Equal(m) {
				t.Errorf("%s: %v, %v, %v, and then %+v", scenes, err, encErr, parseErr, again)
			}
			continue
		}
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "koda.json: ") || koda.HintOf(err) == "" {
			t.Errorf("%s: got %v (%s), want something with %q", scenes, err, koda.HintOf(err), want)
		}
	}
	if koda.MaxScenes(30) != 7 || koda.MaxScenes(30.1) != 15 {
		t.Error("limits of scenes")
	}
}

func TestManifestEncode(t *testing.T) {
	t.Parallel()
	p := koda.Plan{Scenes: []koda.Scene{{Title: "Intro", Duration: 0.1}, {Title: "Loop", Duration: 0.2}, {Title: "Outro", Duration: 1.7}}}
	m := koda.Manifest{Schema: 1, Name: "ball", Width: 640, Height: 360, FPS: koda.FPS{Num: 30000, Den: 1001}, Duration: 2, Scenes: p.Starts()}
	data, err := m.Encode()
	want := `{
  "schema": 1,
  "name": "ball",
  "width": 640,
  "height": 360,
  "fps": "30000/1001",
  "duration": 2,
  "scenes": [
    {"title":"Intro","start":0},
    {"title":"Loop","start":0.1},
    {"title":"Outro","start":0.3}
  ]
}
`
	if err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
	if cuts := m.Cuts(); !slices.Equal(cuts, []float64{0.1, 0.3}) {
		t.Errorf("cuts %v", cuts)
	}
	other := m
	other.Scenes = slices.Clone(m.Scenes)
	if !m.Equal(other) {
		t.Error("equal manifests differ")
	}
	other.Scenes[1].Start = 0.2
	if m.Equal(other) {
		t.Error("manifests with other scenes are equal")
	}
}
