package main

import (
	"context"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// The live view of a sandbox without commands is the page of its files as they are now.
func TestOpenLivePage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := machineOf(config.Config{Home: dir, Cache: dir}, hostos.At(dir))
	digest, text := "1", "document.title = 'first'"
	view, err := m.openLivePage(func(context.Context) (fs.FS, string, error) {
		return fstest.MapFS{
			"koda.json":  {Data: []byte(`{"schema": 1, "name": "a", "width": 64, "height": 48, "fps": 5, "duration": 1}`)},
			"index.html": {Data: []byte(`<!doctype html><script type="module" src="/src/a.ts"></script>`)},
			"src/a.ts":   {Data: []byte(text)},
		}, digest, nil
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	get := func(path string) string {
		t.Helper()
		resp, err := http.Get(view.URL() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	states := map[string]bool{}
	for _, c := range []struct{ digest, text, want string }{
		{"1", "document.title = 'first'", "<script"}, {"2", "document.title = ", "<pre>"}, {"1", "document.title = 'first'", "<script"}, {"3", "document.title = 'third'", "<script"},
	} {
		digest, text = c.digest, c.text
		if got := get(""); !strings.Contains(got, c.want) || (c.want == "<pre>") != strings.Contains(got, "<pre>") {
			t.Errorf("%s: %s", c.digest, got)
		}
		states[get("_koda/live")] = true
	}
	if len(states) != 3 {
		t.Errorf("states %v", states)
	}
}
