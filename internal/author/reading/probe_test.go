package reading_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/recipe"
)

func TestProbe(t *testing.T) {
	name := os.Getenv("PROBE")
	if name == "" {
		t.Skip()
	}
	l, err := recipe.Load(os.DirFS("../../../templates/recipes"))
	if os.Getenv("STUB") != "" {
		l, err = recipe.Load(os.DirFS("testdata/recipes"))
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := reading.New(os.DirFS("../../../templates/recipes/words"), l.Manifests())
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		prompt, want, _ := strings.Cut(line, " | ")
		q := r.Read(reading.Brief{Prompt: prompt})
		got := "unfit"
		if q.Recipe != nil {
			got = q.Recipe.Name
		}
		if q.NotAnimation != "" {
			got = "none: " + q.NotAnimation
		}
		for _, e := range q.Edits {
			got += fmt.Sprintf(" %s=%s", e.Param, e)
		}
		fmt.Printf("%s\n   want %s\n   got  %s %v %dx%d %v %s l=%v t=%v missing=%s notes=%q LEFT %q\n", prompt, want, got, q.Styles, q.Width, q.Height, q.FPS, q.Format, q.Loop, q.Transparent, q.Missing, q.Notes, q.Left)
	}
}
