package offline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// ported is a brief for the bouncing ball or for the title, and all that follows from it.
// The files of these recipes' first projects must stay as they are: older projects are
// edited against them.
type ported struct {
	Recipe string            `json:"recipe"`
	Set    map[string]string `json:"set"` // as --set takes it
	FPS    koda.FPS          `json:"fps"`
	Width  int               `json:"width"`
	Height int               `json:"height"`
	// Params are the parameters of params.json, without the recipe and the digest.
	Params json.RawMessage `json:"params"`
	Want   struct {
		Duration float64       `json:"duration,omitempty"`
		Scenes   []portedScene `json:"scenes,omitempty"`
		Said     []string      `json:"said,omitempty"`
		Errors   []portedError `json:"errors,omitempty"`
		Params   string        `json:"params,omitempty"` // params.json
		State    string        `json:"state,omitempty"`  // state.json
	} `json:"want"`
}

type portedScene struct {
	Title       string  `json:"title"`
	Seconds     float64 `json:"seconds"`
	Description string  `json:"description"`
	Notes       string  `json:"notes"`
}

type portedError struct {
	Param   string `json:"param"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// TestPort makes each project of the goldens anew: parameters, keyframes, scenes, notes
// and refusals are equal to the last byte.
func TestPort(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "recipe", "testdata", "port", "*.json"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d goldens, %v", len(files), err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var want ported
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			got := remade(t, want)
			var text bytes.Buffer
			e := json.NewEncoder(&text)
			e.SetEscapeHTML(false)
			e.SetIndent("", " ")
			if err := e.Encode(got); err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(data), text.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// remade is a golden with what this koda makes of its brief.
func remade(t *testing.T, p ported) ported {
	t.Helper()
	b := brief("video", func(b *koda.Brief) {
		b.Recipe, b.Params, b.FPS, b.Width, b.Height = p.Recipe, p.Set, p.FPS, p.Width, p.Height
	})
	made := ported{Recipe: p.Recipe, Set: p.Set, FPS: p.FPS, Width: p.Width, Height: p.Height, Params: p.Params}
	pl, err := author().Plan(context.Background(), b, koda.Answer{}, nil, tool.Desk{})
	if err != nil { // the parameters of a refused brief are written by hand
		var e *koda.Error
		if !errors.As(err, &e) || len(p.Want.Errors) == 0 {
			t.Fatal(err)
		}
		made.Want.Errors = []portedError{{p.Want.Errors[0].Param, e.Op, e.Hint}}
		return made
	}
	made.Want.Duration = pl.TotalDuration
	for _, note := range pl.Notes {
		if !strings.HasPrefix(note, "Also set: ") { // which the plan says, and no score
			made.Want.Said = append(made.Want.Said, note)
		}
	}
	for _, s := range pl.Scenes {
		made.Want.Scenes = append(made.Want.Scenes, portedScene{s.Title, s.Duration, s.Description, s.AnimationNotes})
	}
	project := newProject(t)
	for _, task := range tasks(b, pl) {
		project.work(t, task)
	}
	made.Want.Params, made.Want.State = project.files[paramsPath], project.files[statePath]
	d := json.NewDecoder(bytes.NewReader([]byte(made.Want.Params)))
	var params bytes.Buffer
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		if name != "recipe" && name != "stateDigest" {
			fmt.Fprintf(&params, ", %q: %s", name, value)
		}
	}
	made.Params = json.RawMessage("{" + params.String()[2:] + "}")
	return made
}
