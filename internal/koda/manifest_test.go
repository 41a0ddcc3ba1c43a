package koda_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		{"1920", "1921", "koda.json:1:40: width is 1921, it must be even: use 1922"},
		{"1920", "0", "koda.json:1:40: width is 0"},
		{"1080", "8000", "height is 8000"},
		{`"schema": 1`, `"schema": 2`, "koda.json:1:12: schema is 2"},
		{`"schema": 1, `, ``, "koda.json: schema is missing"},
		{`"ball"`, `" "`, "name"},
		{`"duration": 5`, `"duration": 0`, "duration is 0"},
		{`"duration": 5`, `"duration": 3601`, "at most 3600"},
		{`"duration": 5`, `"duraton": 5`, "koda.json:1:83: a field koda does not know: duraton; did you mean duration?"},
		{`"duration": 5`, `"duration": 5, "speed": 2`, "koda.json:1:98: a field koda does not know: speed"},
		{`"width"`, `"Width"`, "Width; did you mean width?"},
		{`, "duration": 5`, ``, "koda.json: duration is missing"},
		{`"fps": "30000/1001", `, ``, "koda.json: fps is missing"},
		{`"30000/1001"`, `0`, "koda.json:1:69: fps is 0, it must be 1 to 240"},
		{`"30000/1001"`, `"fast"`, `fps is "fast": frame rate`},
		{`"30000/1001"`, `1000`, "fps is 1000: frame rate"},
		{`"30000/1001"`, `[60]`, "fps must be a rate from 1 to 240"},
		{`5}`, `5, "play": 1}`, "play must be true or false, not 1"},
		{`1920`, `"wide"`, "koda.json:1:40: width must be a whole number, not a text"},
		{`1920`, `1920.5`, "width must be a whole number, not 1920.5"},
		{`1920`, `null`, "width must be a whole number, not null"},
		{`1920`, `{}`, "width must be a whole number, not an object"},
		{`"ball"`, `7`, "name must be a text, not 7"},
		{`5}`, `"5"}`, "duration must be a number of seconds, not a text"},
		{`5}`, `5} {}`, "something follows the object"},
		{good, `[]`, "koda.json:1:1: it must be an object, not a list"},
		{good, ``, "koda.json: it is empty"},
		{good, "{\n  \"schema\": 1,\n  \"width\": 1920,,\n}", "koda.json:3:17: there is a comma too many"},
		{good, "{\n  \"schema\": 1,\n}", "koda.json:2:14: there is a comma too many before }"},
		{good, "{\n  \"schema\": 1\n  \"width\": 2}", "koda.json:3:3: a comma is missing before this"},
		{good, "{\n  // a page\n}", "koda.json:2:3: JSON has no comments"},
		{good, "{schema: 1}", "koda.json:1:2: names and texts stand between double quotes"},
		{good, `{"schema": 1,`, "koda.json: it ends too early"},
		{good, `{"schema": 0x1}`, "koda.json:1:13: "},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Fatalf("%q is not in the good manifest", c.old)
		}
		_, err := koda.ParseManifest([]byte(text))
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.HasPrefix(fmt.Sprint(err), "koda.json:") || !strings.Contains(err.Error(), c.want) || koda.HintOf(err) == "" {
			t.Errorf("%s: got %v (%s), want something with %q", text, err, koda.HintOf(err), c.want)
		}
	}
	if _, err := koda.ParseManifest([]byte("\ufeff" + strings.Replace(good, `"name": "ball", `, "", 1))); err != nil {
		t.Errorf("without a name, behind a byte order mark: %v", err)
	}
}

// All mistakes are reported at once in the order of the file, followed by missing
// fields.
func TestParseManifest_several(t *testing.T) {
	t.Parallel()
	_, err := koda.ParseManifest([]byte("{\n  \"schema\": 2,\n  \"widht\": 1921, \"height\": 8\n}"))
	want := `koda.json:2:13: schema is 2, this koda reads 1
koda.json:3:3: a field koda does not know: widht; did you mean width?
koda.json:3:28: height is 8, it must be 16 to 7680
koda.json: fps is missing
koda.json: duration is missing`
	if diff := cmp.Diff(want, koda.DetailsOf(err)); diff != "" || !strings.HasSuffix(fmt.Sprint(err), "this koda reads 1 (and 4 more)") {
		t.Errorf("%v (-want +got):\n%s", err, diff)
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
		`[0, 1.5]`:                                   "scene 1 must be an object, not 0",
		`{"Intro": 0}`:                               "scenes must be a list of objects, not an object",
		`[{"start": "0"}]`:                           "the start of scene 1 must be a number of seconds, not a text",
		`[{"begin": 0}]`:                             "scene 1 has a field koda does not know: begin",
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
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "koda.json:1:") || koda.HintOf(err) == "" {
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
	played := m
	played.Play = true
	if data, err := played.Encode(); err != nil || string(data) != strings.Replace(want, "2,\n", "2,\n  \"play\": true,\n", 1) {
		t.Errorf("%s, %v", data, err)
	}
	if played.Equal(m) {
		t.Error("a manifest that plays equals a manifest that does not")
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
