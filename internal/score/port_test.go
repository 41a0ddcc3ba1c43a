package score_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/theatre"
)

// TestClassic: the bouncing ball and the title, which are folders now, come to what they
// came to when they were Go, to the last byte.
func TestClassic(t *testing.T) {
	t.Parallel()
	lib, err := recipe.Load(os.DirFS(filepath.Join("..", "..", "templates", "recipes")))
	if err != nil {
		t.Fatal(err)
	}
	goldens, err := filepath.Glob(filepath.Join("..", "recipe", "testdata", "port", "*.json"))
	if err != nil || len(goldens) < 20 {
		t.Fatalf("%d goldens, %v", len(goldens), err)
	}
	scripts := map[string]string{}
	for _, name := range []string{"bouncing-ball", "title"} {
		scripts[name] = compiled(t, lib, name)
	}
	for _, name := range goldens {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var brief ported
			if err := json.Unmarshal(data, &brief); err != nil {
				t.Fatal(err)
			}
			m := lib.Manifest(brief.Recipe)
			if d := cmp.Diff(brief.Want, played(t, m, scripts[brief.Recipe], brief)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// ported is a golden.
type ported struct {
	Recipe        string            `json:"recipe"`
	Set           map[string]string `json:"set"`
	FPS           koda.FPS          `json:"fps"`
	Width, Height int
	Params        json.RawMessage `json:"params"`
	Want          outcome         `json:"want"`
}

type outcome struct {
	Duration float64
	Scenes   []struct {
		Title              string
		Seconds            float64
		Description, Notes string
	}
	Said          []string
	Errors        []recipe.Refusal
	Params, State string
}

func compiled(t *testing.T, lib *recipe.Library, name string) string {
	t.Helper()
	code, err := lib.Manifest(name).Files()
	if err != nil {
		t.Fatal(err)
	}
	script, err := runner.Compile(t.Context(), recipe.FS(code))
	if err != nil {
		t.Fatal(err)
	}
	return script
}

func played(t *testing.T, m *recipe.Manifest, script string, brief ported) (got outcome) {
	t.Helper()
	defaults := m.Defaults(brief.Set["style"])
	p, err := m.DecodeParams(string(brief.Params), defaults, hex{})
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range p.Values {
		if brief.Set[name] == "" && brief.Set["text"] == "" && defaults[name] != value && len(brief.Want.Errors) == 0 {
			t.Errorf("%s is %q where nothing is asked for, and its default %q", name, value, defaults[name])
		}
	}
	env := recipe.Env{FPS: float64(brief.FPS.Num) / float64(brief.FPS.Den), Width: brief.Width, Height: brief.Height}
	s, err := runner.Run(t.Context(), script, m.ScoreParams(p.Values), env, true)
	if err != nil {
		t.Fatal(err)
	}
	got.Errors = s.Refused
	if len(s.Refused) > 0 {
		return got
	}
	got.Duration, got.Said = s.Duration, s.Said
	if len(s.Said) == 0 {
		got.Said = nil
	}
	for _, scene := range s.Scenes {
		got.Scenes = append(got.Scenes, struct {
			Title              string
			Seconds            float64
			Description, Notes string
		}{scene.Title, scene.Seconds, scene.Description, scene.Notes})
	}
	got.State = theatre.New(s.Motion, brief.FPS).Encode()
	then := *m // without the parameters that came later
	then.Params = slices.DeleteFunc(slices.Clone(m.Params), func(later recipe.Param) bool { return !p.Has(later.Name) })
	got.Params = then.EncodeParams(p.Values, nil, recipe.Digest(got.State))
	return got
}

// hex reads colours as a project holds them.
type hex struct{}

func (hex) Colour(s string) (string, bool) { return s, len(s) == 7 }
func (hex) Names() []string                { return nil }
