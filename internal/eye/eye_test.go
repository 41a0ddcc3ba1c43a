package eye_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/eye"
)

// TestCauses: the lines that make a frame depend on more than its time are named, the
// likeliest first; comments, koda's own files and other files are not looked at.
func TestCauses(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"src/Ball.tsx":      {Data: []byte("// Math.random() is bad\nuseFrame((state, delta) => {\n  mesh.current.rotation.y += delta\n})\nconst at = Date.now()\n")},
		"src/a/Dust.tsx":    {Data: []byte("const xs = useMemo(() => [Math.random()], [])\n")},
		"src/koda/clock.ts": {Data: []byte("let now = performance.now()\n")},
		"src/a.json":        {Data: []byte("Math.random()")},
		"public/b.js":       {Data: []byte("Math.random()")},
	}
	var got []string
	for _, cause := range eye.Causes(files) {
		place, _, _ := strings.Cut(cause, ": ")
		got = append(got, place)
	}
	if diff := cmp.Diff([]string{"src/a/Dust.tsx:1", "src/Ball.tsx:5", "src/Ball.tsx:2", "src/Ball.tsx:3"}, got); diff != "" {
		t.Error(diff)
	}
	if got := eye.Causes(fstest.MapFS{}); got != nil {
		t.Errorf("of nothing it tells %q", got)
	}
}

// FuzzReadView: whatever a page tells of itself, what is read of it is bounded.
func FuzzReadView(f *testing.F) {
	f.Add(`{"texts":[{"text":"a","ink":{"left":1}}],"width":640,"height":360}`)
	f.Add(`{"texts":[{"text":7}]}`)
	f.Add(`{"width":1e400}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, told string) {
		v, err := eye.ReadView(told)
		if err != nil {
			return
		}
		if len(v.Texts) > 400 || v.Width < 1 || v.Height < 1 {
			t.Errorf("%d texts, %g × %g", len(v.Texts), v.Width, v.Height)
		}
		for _, text := range v.Texts {
			if len([]rune(text.Text)) > 60 || strings.Contains(text.Text, "\n") {
				t.Errorf("a text of %q", text.Text)
			}
		}
	})
}
