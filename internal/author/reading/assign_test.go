package reading_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/koda"
)

// An assignment gives a parameter its value exactly, whatever words the value has.
func TestReader_assigns(t *testing.T) {
	t.Parallel()
	r, library := reader(t)
	m, known := library.Manifest("title"), reading.Known{}
	v := m.Defaults("minimal")
	for name, c := range map[string]struct {
		said string
		want map[string]string // values that differ
		code koda.Code
	}{
		"a number":         {"set duration = 7", map[string]string{"duration": "7"}, ""},
		"a colour by name": {"set background = navy", map[string]string{"background": "#14225c"}, ""},
		"words":            {reading.Assignment("text", "make it bigger = \"better\""), map[string]string{"text": `make it bigger = "better"`}, ""},
		"several":          {"set duration = 7\nset background = navy\n", map[string]string{"duration": "7", "background": "#14225c"}, ""},
		"no parameter":     {"set bounce = 7", nil, koda.CodeInvalidInput},
		"no value of it":   {"set duration = long", nil, koda.CodeInvalidInput},
		"out of range":     {"set duration = 1e9", nil, koda.CodeInvalidInput},
	} {
		got, err := r.Change(m, v, known, c.said)
		if koda.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %q", name, err, c.code)
			continue
		}
		differ := map[string]string{}
		for param, value := range got.Values {
			if value != v[param] {
				differ[param] = value
			}
		}
		if c.code == "" && cmp.Diff(c.want, differ) != "" {
			t.Errorf("%s: %s", name, cmp.Diff(c.want, differ))
		}
	}
}

// TestRead_pictures: pictures that the person brought and that the prompt does not name are shown, in their order.
func TestRead_pictures(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	assets := []koda.Asset{{Kind: "image", Name: "sea.jpg", Path: "public/images/sea.jpg"}, {Kind: "audio", Name: "a.mp3", Path: "public/audio/a.mp3"}, {Kind: "image", Name: "hill.jpg", Path: "public/images/hill.jpg"}}
	for prompt, want := range map[string]string{
		"slideshow with the 2 pictures in my folder, 3 seconds each": `[{"picture":"public/images/sea.jpg"},{"picture":"public/images/hill.jpg"}]`,
		"a slideshow of hill.jpg":                                    `[{"picture":"public/images/hill.jpg"}]`,
	} {
		q := r.Read(reading.Brief{Prompt: prompt, Assets: assets})
		if q.Recipe == nil || q.Missing != "" || !slices.ContainsFunc(q.Edits, func(e reading.Edit) bool { return e.Param == "slides" && e.Value == want }) {
			t.Errorf("%s: %v, missing %q", prompt, q.Edits, q.Missing)
		}
	}
}
