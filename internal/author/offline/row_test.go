package offline_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/templates"
)

// projectOf is a project of a recipe, as far as rows are concerned.
func projectOf(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	library, err := recipe.Load(templates.Recipes())
	if err != nil {
		t.Fatal(err)
	}
	code, err := library.Manifest(name).Files()
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{
		"src/theatre/params.json": {Data: []byte(`{"recipe": "` + name + `"}`)},
		"koda.json":               {Data: []byte(`{"schema": 1, "name": "x", "width": 640, "height": 360, "fps": 30, "duration": 5}`)},
	}
	for path, text := range code {
		files[path] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// A row has parameters the pictures read, in the form they read them in.
func TestRow(t *testing.T) {
	t.Parallel()
	ball := projectOf(t, "bouncing-ball")
	for row, want := range map[string]string{
		`{}`:                                   `{}`,
		`{"color": "Red", "size": "50%"}`:      `{"color":"#e5343d","size":0.5}`,
		`{"height": 1, "background": "AUTO"}`:  `{"background":"auto","height":1}`,
		`{"who": "Ann", "shape": "Star"}`:      `{"shape":"star","who":"Ann"}`,
		`{"color": "#0080ff", "squash": 0.30}`: `{"color":"#0080ff","squash":0.3}`,
	} {
		got, err := author().Row(t.Context(), ball, json.RawMessage(row), []string{"who", "index"})
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", row, got, err, want)
		}
	}
	for row, want := range map[string]string{
		`{"colour": "red"}`:      `"colour" is not a parameter of the recipe bouncing-ball: did you mean color?`,
		`{"subtitle": "Hello"}`:  `"subtitle" is not a parameter`,
		`{"bounces": 3}`:         "the row changes how things move",
		`{"duration": 3}`:        "the row makes a video of 3 s",
		`{"size": 99}`:           `size cannot be "99": it takes 0.4 to 2`,
		`{"size": true}`:         `size cannot be "true": it takes 0.4 to 2`,
		`{"size": null}`:         `size cannot be "null"`,
		`{"color": ["red"]}`:     "color cannot be",
		`{"color": "rde"}`:       "color cannot be",
		`{"shape": "dodecagon"}`: "shape cannot be",
		`[]`:                     "read the parameters",
	} {
		_, err := author().Row(t.Context(), ball, json.RawMessage(row), nil)
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error()+": "+koda.HintOf(err), want) {
			t.Errorf("%s: %v: %s", row, err, koda.HintOf(err))
		}
	}
}

// Who changed the components, or wrote another page, knows what it reads.
func TestRowOfAnotherPage(t *testing.T) {
	t.Parallel()
	changed := projectOf(t, "title")
	changed["src/components/look.ts"] = &fstest.MapFile{Data: []byte("export const mine = 1")}
	for name, files := range map[string]fstest.MapFS{"changed": changed, "another": {"index.html": {}}, "unknown": {"src/theatre/params.json": {Data: []byte(`{"recipe": "nothing"}`)}}} {
		const row = `{ "anything": [1, 2] }`
		if got, err := author().Row(t.Context(), files, json.RawMessage(row), nil); err != nil || string(got) != row {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}
