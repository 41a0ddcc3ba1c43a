package bundle_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

func TestHandWrittenPage(t *testing.T) {
	t.Parallel()
	page, manifest, err := shared().Build(t.Context(), fsOf(archive(t, "inline.txtar")))
	if err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	want := koda.Manifest{Schema: 1, Width: 640, Height: 360, FPS: koda.FPS{Num: 30000, Den: 1001}, Duration: 1.5}
	if diff := cmp.Diff(want, manifest); diff != "" {
		t.Errorf("manifest (-want +got):\n%s", diff)
	}
	if page.WebGL {
		t.Error("the page draws no WebGL")
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(page.Files)) {
		if !strings.HasPrefix(name, "/_koda/assets/") {
			names = append(names, name)
		}
	}
	wantNames := []string{"/_koda/inline-0.css", "/_koda/inline-1.js", "/dot.svg", "/images/dot.svg", "/index.html", "/lib/public.js", "/start.js"}
	if diff := cmp.Diff(wantNames, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	seen, problems := visit(t, page, "{}", 0, 7)
	if len(problems) > 0 || len(seen) != 2 {
		t.Fatalf("problems: %q", problems)
	}
	for _, text := range []string{"at 1 yesalso /_koda/assets/dot-", ",/images/dot.svg,a note"} {
		if !strings.Contains(seen[1].Markup, text) {
			t.Errorf("at 7 seconds the page lacks %q:\n%s", text, seen[1].Markup)
		}
	}
}

func TestPlainThreePage(t *testing.T) {
	t.Parallel()
	page := build(t, fsOf(archive(t, "plain3d.txtar")))
	if !page.WebGL {
		t.Error("the page draws WebGL, and says it does not")
	}
	if _, ok := page.Files["/_koda/runtime/react.js"]; ok {
		t.Error("a page without react carries react")
	}
	checkStateless(t, page)
}

func TestPropsAndFrameKeyReachThePage(t *testing.T) {
	t.Parallel()
	page := build(t, starter(map[string]string{"src/App.tsx": `
		import { keyFramesBy, sheetKey, useKodaProps, useSheetObject } from './koda'
		import { disc } from './theatre/project'
		const key = sheetKey(disc)
		keyFramesBy(key)
		export default function App() {
			const { word } = useKodaProps({ word: 'default' })
			return <p>{word} {JSON.stringify(useSheetObject(disc))}</p>
		}`}))
	seen, problems := visit(t, page, `{"word": "given"}`, 0, 4.999, 1.5, 0)
	if len(problems) > 0 {
		t.Fatalf("problems: %q", problems)
	}
	if !strings.Contains(seen[0].Markup, "given") {
		t.Errorf("the parameter is not shown: %s", seen[0].Markup)
	}
	if seen[0].Key == "" || seen[0].Key != seen[3].Key || seen[0].Key == seen[2].Key {
		t.Errorf("frame keys at 0, 1.5 and 0: %q, %q, %q", seen[0].Key, seen[2].Key, seen[3].Key)
	}
}

// WebGL decides between compositors. It may be true for a page without WebGL, but
// never false for a page with WebGL.
func TestWebGLIsFound(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]bool{
		`c.getContext('2d')`: false, `c.getContext("2d", { alpha: false })`: false, "c.getContext(`2d`)": false,
		`c.getContext('webgl')`: true, `c.getContext("webgl2")`: true, `c.getContext(kind)`: true, `c['getContext']('webgl')`: true,
		`console.log('webgl')`: false,
	} {
		page := build(t, fsOf(map[string]string{
			"koda.json":  `{"schema": 1, "width": 640, "height": 360, "fps": 30, "duration": 1}`,
			"index.html": "<canvas></canvas><script>const c = document.querySelector('canvas'), kind = 'webgl'; " + source + "</script>",
		}))
		if page.WebGL != want {
			t.Errorf("%s: WebGL = %v, want %v", source, page.WebGL, want)
		}
	}
}

// The digests cover whether a page plays by itself, because this decides how frames
// are reached.
func TestPagesThatPlayAreFound(t *testing.T) {
	t.Parallel()
	made := func(manifest, source string) koda.Page {
		return build(t, fsOf(map[string]string{
			"koda.json":  `{"schema": 1, "width": 640, "height": 360, "fps": 30, "duration": 1` + manifest + `}`,
			"index.html": `<script type="module" src="main.ts"></script>`,
			"main.ts":    "import state from './state.json?keyed'\n" + source + "\ndocument.title = JSON.stringify(state)",
			"state.json": `{}`,
		}))
	}
	seek, ready := "window.__exportSeekTo = () => {}", "window.__exportReady = true"
	for _, c := range []struct {
		manifest, source string
		plays, signals   bool
	}{
		{"", seek + "\n" + ready, false, true},
		{`, "play": false`, seek, false, false},
		{`, "play": true`, seek + "\n" + ready, true, true},
		{"", ready, true, true},
		{"", "// " + seek + "\n// " + ready, true, false},
	} {
		page := made(c.manifest, c.source)
		if page.Plays != c.plays || page.Signals != c.signals {
			t.Errorf("%s %q: plays %v, signals %v", c.manifest, c.source, page.Plays, page.Signals)
		}
	}
	driven, plays := made("", seek), made(`, "play": true`, seek)
	if driven.Digest == plays.Digest || driven.Code == plays.Code || plays.Code == "" {
		t.Errorf("digests %s %s, code %s %s", driven.Digest, plays.Digest, driven.Code, plays.Code)
	}
}

// The same project elsewhere, with another cache and another number of
// processors, is the same page.
func TestSamePageEverywhere(t *testing.T) {
	t.Parallel()
	over := archive(t, "stage.txtar")
	first := build(t, starter(over))

	dir, cache := t.TempDir(), t.TempDir()
	for name, file := range starter(over) {
		path := filepath.Join(dir, "some", "where", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	second, _, err := bundler(cache).Build(t.Context(), os.DirFS(filepath.Join(dir, "some", "where")))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the page differs (-first +second):\n%s", diff)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range second.Files {
		for _, path := range []string{dir, cache, testCache(), root, os.TempDir() + "/"} {
			if bytes.Contains(file.Body, []byte(path)) {
				t.Errorf("%s contains the path %s of this machine", name, path)
			}
		}
	}
	changed := starter(over)
	changed["public/images/a.txt"] = starter(over)["koda.json"]
	if build(t, changed).Digest == first.Digest {
		t.Error("a page with another file has the same digest")
	}
}

func TestBuildStopsWhenCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := shared().Build(ctx, starter(nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context.Canceled", err)
	}
}

func TestOneBundlerForManyBuilds(t *testing.T) {
	t.Parallel()
	b := bundler(t.TempDir())
	digests := make([]string, 8)
	var wg sync.WaitGroup
	for i := range digests {
		wg.Go(func() {
			page, _, err := b.Build(t.Context(), starter(nil))
			if err != nil {
				t.Error(err)
			}
			digests[i] = page.Digest
		})
	}
	wg.Wait()
	if len(slices.Compact(digests)) != 1 {
		t.Errorf("digests differ: %q", digests)
	}
}

// A file imported with ?keyed is on the page, but not in the digest of its code.
// The same file imported without ?keyed is in both.
func TestKeyedFiles(t *testing.T) {
	t.Parallel()
	made := func(state, main string) koda.Page {
		t.Helper()
		page, _, err := shared().Build(t.Context(), fstest.MapFS{
			"koda.json":      {Data: []byte(`{"schema": 1, "name": "keyed", "width": 320, "height": 180, "fps": 30, "duration": 1}`)},
			"index.html":     {Data: []byte(`<script type="module" src="/src/main.js"></script>`)},
			"src/main.js":    {Data: []byte(main)},
			"src/state.json": {Data: []byte(state)},
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
		}
		return page
	}
	const keyed = "import s from './state.json?keyed'\ndocument.title = JSON.stringify(s)"
	one, two := made(`{"a": 1}`, keyed), made(`{"a": 2, "b": [3]}`, keyed)
	if one.Digest == two.Digest || one.Code == "" || one.Code != two.Code || one.Code == one.Digest {
		t.Errorf("digests %s %s, code %s %s", one.Digest, two.Digest, one.Code, two.Code)
	}
	if !strings.Contains(string(two.Files["/_koda/src/main.js"].Body), "b: [3]") {
		t.Errorf("the page has no state: %s", two.Files["/_koda/src/main.js"].Body)
	}
	if other := made(`{"a": 1}`, keyed+"\nalert()"); other.Code == one.Code {
		t.Error("another page has the same code")
	}
	const both = keyed + "\nimport plain from './state.json'\ndocument.body.id = plain.a"
	if made(`{"a": 1}`, both).Code == made(`{"a": 2}`, both).Code {
		t.Error("a file imported without ?keyed is not in the digest of the code")
	}
	if plain := made(`{"a": 1}`, "import s from './state.json'\ndocument.title = s"); plain.Code != "" {
		t.Errorf("a page without keyed files has code %s", plain.Code)
	}
}
