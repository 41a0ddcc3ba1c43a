package reading_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// TestChange_elsewhere: changes of the corpora, asked of one video of every recipe, come to values that the recipe takes, or to
// an error of bad input.
func TestChange_elsewhere(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	type video struct {
		m *recipe.Manifest
		v recipe.Values
	}
	var videos []video
	seen, prompts := map[string]bool{}, map[string]bool{}
	var changes []string
	for _, c := range cases(t, "edits.txt") {
		prompt, said, _ := strings.Cut(c[0], " => ")
		changes = append(changes, said)
		if prompts[prompt] {
			continue
		}
		prompts[prompt] = true
		q := r.Read(reading.Brief{Prompt: prompt})
		if q.Recipe == nil || seen[q.Recipe.Name] {
			continue
		}
		v, _, err := r.Apply(q.Recipe, q.Recipe.Defaults(q.Recipe.StyleIDs()[0]), q.Edits, known)
		if err != nil {
			t.Fatal(err)
		}
		seen[q.Recipe.Name] = true
		videos = append(videos, video{q.Recipe, v})
	}
	every := 12
	switch {
	case testing.Short():
		every = 96
	case os.Getenv("KODA_WIDE") != "":
		every = 3
	}
	for i, said := range changes {
		for k, x := range videos {
			if (i+k)%every > 0 {
				continue
			}
			c, err := r.Change(x.m, x.v, known, said)
			if e := (*koda.Error)(nil); err != nil && !errors.As(err, &e) {
				t.Errorf("%s: %q: %v", x.m.Name, said, err)
			}
			for name, value := range c.Values {
				if p := x.m.Param(name); p != nil && value != x.v[name] {
					if _, err := p.Parse(value, r); err != nil {
						t.Errorf("%s: %q makes %s %q: %v", x.m.Name, said, name, value, err)
					}
				}
			}
		}
	}
}
