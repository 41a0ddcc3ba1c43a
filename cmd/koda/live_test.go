package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// The live view of a sandbox without commands is the page of its files as they are now.
func TestOpenLivePage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := machineOf(config.Config{Home: dir, Cache: dir}, hostos.At(dir))
	var mu sync.Mutex
	digest, text := "1", "document.title = 'first'"
	set := func(d, code string) {
		mu.Lock()
		defer mu.Unlock()
		digest, text = d, code
	}
	view, err := m.openLivePage(func(context.Context) (fs.FS, string, error) {
		mu.Lock()
		defer mu.Unlock()
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
	resp, err := http.Get(strings.Replace(view.URL(), "?", "_koda/view/events?", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	type state struct {
		Digest  string
		Frames  int
		Problem *struct{ Text string }
	}
	next := func() (s state) {
		t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				if err := json.Unmarshal([]byte(data), &s); err != nil {
					t.Fatal(err)
				}
				return s
			}
		}
		t.Fatal("the events ended")
		return s
	}
	first := next()
	if first.Digest == "" || first.Frames != 5 || first.Problem != nil {
		t.Errorf("%+v", first)
	}
	set("2", "document.title = ")
	if s := next(); s.Problem == nil || !strings.Contains(s.Problem.Text, "src/a.ts") || s.Digest != first.Digest {
		t.Errorf("%+v", s)
	}
	set("3", "document.title = 'third'")
	if s := next(); s.Problem != nil || s.Digest == first.Digest {
		t.Errorf("%+v", s)
	}
}

// A bundler in haste has a process wait, which reads the sources of the next build. Bad code
// ends this process only: the build after it has another one.
func TestBundler_Hasten(t *testing.T) {
	t.Parallel()
	b := bundle.New(bundle.Config{CacheDir: t.TempDir(), Trial: proc.Self(bundle.TrialArg)})
	b.Hasten(t.Context())
	for i, code := range []string{"a = 1", strings.Repeat("(", 4_000_000), "a = 2", "a = 2", "a = 3"} {
		_, _, err := b.BuildToShow(t.Context(), fstest.MapFS{
			"koda.json":  {Data: []byte(`{"schema": 1, "name": "a", "width": 64, "height": 48, "fps": 5, "duration": 1}`)},
			"index.html": {Data: []byte(`<!doctype html><script type="module" src="/src/a.ts"></script>`)},
			"src/a.ts":   {Data: []byte(code)},
		})
		if (err != nil) != (i == 1) {
			t.Errorf("build %d: %v", i, err)
		}
	}
}
