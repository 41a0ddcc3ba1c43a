package eye_test

import (
	"image"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/eye"
	"github.com/koda-video/koda/internal/koda"
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

// TestTell: all texts of a frame are told, those of one block too; letters are told as a word, layers of
// one text once; and what is left out is counted.
func TestTell(t *testing.T) {
	t.Parallel()
	at := func(text string, block int, left float64) eye.Text {
		box := eye.Rect{Left: left, Top: 10, Right: left + 10, Bottom: 20}
		return eye.Text{Text: text, Ink: box, Seen: box, Opacity: 1, Block: block}
	}
	view := eye.View{Width: 100, Height: 100, Texts: []eye.Text{
		at("get", 1, 0), at("value", 1, 50), at("get", 1, 5), at("H", 2, 20), at("i", 2, 30), at("7", 3, 60), at("gone", 4, 200),
	}}
	told := eye.Tell(eye.Sight{Picture: image.NewNRGBA(image.Rect(0, 0, 9, 9)), View: view}, nil)
	want := []koda.SeenText{
		{Text: "get", Right: 15, Top: 10, Bottom: 20}, {Text: "value", Left: 50, Right: 60, Top: 10, Bottom: 20},
		{Text: "Hi", Left: 20, Right: 40, Top: 10, Bottom: 20}, {Text: "7", Left: 60, Right: 70, Top: 10, Bottom: 20},
	}
	if diff := cmp.Diff(want, told.Texts); diff != "" || told.More != 0 {
		t.Errorf("%d more\n%s", told.More, diff)
	}
	for i := range 30 {
		view.Texts = append(view.Texts, at("word", 10+i, 0))
	}
	if told := eye.Tell(eye.Sight{Picture: image.NewNRGBA(image.Rect(0, 0, 9, 9)), View: view}, nil); len(told.Texts)+told.More != 34 || told.More < 5 {
		t.Errorf("told %d texts, and %d more", len(told.Texts), told.More)
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
