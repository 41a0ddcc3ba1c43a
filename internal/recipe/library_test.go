package recipe_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// base and pebble are the least that a base and a recipe hold.
const (
	base = `{"schema": 1, "styles": [{"id": "plain", "label": "Plain", "description": "Plain", "words": {"en": ["plain"]}}], "params": [
 {"name": "style", "type": "choice", "choices": {"plain": {}}, "default": "plain", "help": "the look"},
 {"name": "duration", "type": "number", "min": 1, "max": 9, "default": 2, "help": "seconds"}],
 "means": [{"words": {"en": ["rain"]}, "say": "It never rains."}]}`
	pebble = `{"schema": 1, "name": "pebble", "title": "Pebble", "about": "A pebble lies there.", "base": "beach", "examples": ["a pebble"],
 "subjects": {"en": ["pebble"]}, "hints": {"en": ["stone"]}, "params": [{"name": "color", "type": "color", "default": "#808080", "help": "its colour", "scene": true}],
 "means": [{"words": {"en": ["coal"]}, "set": {"color": "#101010"}}], "further": {"plain": {"duration": 1.5}}}`
)

// beach is a set of recipes with one recipe.
func beach(manifest string) fs.FS {
	return fstest.MapFS{
		"beach/base.json": {Data: []byte(base)}, "beach/src/App.tsx": {Data: []byte("base")}, "beach/src/sea.ts": {Data: []byte("sea")},
		"pebble/recipe.json": {Data: []byte(manifest)}, "pebble/score.ts": {Data: []byte("score")}, "pebble/src/App.tsx": {Data: []byte("own")},
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	lib, err := recipe.Load(beach(pebble))
	if err != nil {
		t.Fatal(err)
	}
	m := lib.Manifest("pebble")
	if d := cmp.Diff([]string{"color", "style", "duration"}, m.ParamNames()); d != "" {
		t.Errorf("parameters (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]recipe.Meaning{
		{Words: recipe.Words{"en": {"coal"}}, Set: map[string]string{"color": "#101010"}}, {Words: recipe.Words{"en": {"rain"}}, Say: "It never rains."},
	}, m.Means); d != "" {
		t.Errorf("meanings (-want +got):\n%s", d)
	}
	code, err := m.Files()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"src/App.tsx": "own", "src/sea.ts": "sea", recipe.ScorePath: "score", recipe.ManifestPath: string([]byte(m.Source(false)))}
	if d := cmp.Diff(want, code); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
}

func TestLoad_mistakes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ old, new, want string }{
		{`"schema": 1`, `"schema": 2`, "schema is 2"},
		{`"name": "pebble"`, `"name": "rock"`, `its name is "rock"`},
		{`"about"`, `"abuot"`, "abuot"},
		{`"examples": ["a pebble"],`, `"examples": ["a pebble"]`, "line 2"},
		{`"base": "beach"`, `"base": "moon"`, `base "moon" has no base.json`},
		{`"base": "beach"`, `"base": "../beach"`, "it is the name of a folder"},
		{`"type": "color"`, `"type": "colour"`, `type is "colour"`},
		{`"default": "#808080"`, `"default": "grey"`, "its default"},
		{`"default": "#808080"`, `"default": {"plains": "#808080"}`, "did you mean plain?"},
		{`"name": "color"`, `"name": "style"`, "style"},
		{`{"color": "#101010"}`, `{"colour": "#101010"}`, "did you mean color?"},
		{`{"color": "#101010"}`, `{"color": "black"}`, "means: color cannot be"},
		{`"set": {"color": "#101010"}`, `"pick": {"color": "coal"}`, "no parameter of rows"},
		{`{"plain": {"duration": 1.5}}`, `{"plan": {}}`, "did you mean plain?"},
		{`{"plain": {"duration": 1.5}}`, `{"plain": {"durations": 1.5}}`, "did you mean duration?"},
		{`"examples": ["a pebble"]`, `"examples": []`, "examples"},
		{`"hints"`, `"fits": ["row"], "hints"`, "did you mean rows?"},
	} {
		_, err := recipe.Load(beach(strings.Replace(pebble, test.old, test.new, 1)))
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "pebble/recipe.json") {
			t.Errorf("%s: the error is %v, want one of pebble/recipe.json with %q", test.new, err, test.want)
		}
	}
}

// A project carries its manifest: what is read from there is what the library has.
func TestParse(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "templates", "recipes")
	lib, err := recipe.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range lib.Manifests() {
		carried, err := recipe.Parse([]byte(m.Source(false)))
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		for _, style := range m.StyleIDs() {
			if d := cmp.Diff(m.Defaults(style), carried.Defaults(style)); d != "" {
				t.Errorf("%s: defaults (-want +got):\n%s", m.Name, d)
			}
		}
		if d := cmp.Diff([]any{m.Styles, m.Means, m.Hints, m.Further, m.ParamNames()}, []any{carried.Styles, carried.Means, carried.Hints, carried.Further, carried.ParamNames()}); d != "" {
			t.Errorf("%s (-want +got):\n%s", m.Name, d)
		}
		if again, err := recipe.Parse([]byte(carried.Source(true))); err != nil || path.Base(again.Base) != m.Base {
			t.Errorf("%s is not read again: %v", m.Name, err)
		}
	}
}
