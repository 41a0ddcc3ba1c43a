package bundle_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/koda"
)

func noArchive() ([]byte, string, bool) { return nil, "", false }

// runtimeFiles is the content of the archive, read without package bundle.
func runtimeFiles(t *testing.T) map[string]string {
	t.Helper()
	data, _, _ := packed()
	z, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := map[string]string{}
	for r := tar.NewReader(z); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name] = string(content)
	}
	return files
}

// The runtime in the program holds nothing under the AGPL, names every package, and
// is a plain tar archive.
func TestRuntimeCarriesNoStudio(t *testing.T) {
	t.Parallel()
	files := runtimeFiles(t)
	for name, content := range files {
		// Theatre's core names its editor in messages; the editor's own code
		// has its interface's root element.
		for _, word := range []string{"studio", "theatre-r3f", "theatre/r3f"} {
			if strings.Contains(name, word) {
				t.Errorf("the runtime holds %s", name)
			}
		}
		for _, word := range []string{"theatrejs-studio-root", "GNU AFFERO GENERAL", "GNU GENERAL PUBLIC"} {
			if strings.Contains(content, word) {
				t.Errorf("%s contains %q", name, word)
			}
		}
	}
	for _, word := range []string{
		"react 1", "three 0", "@theatre/core 0.7.2 (Apache-2.0)", "lucide-react 1", "recharts 3",
		"d3-shape 3", "highlight.js 11", "@xterm/headless 6", "@fontsource-variable/inter 5", "SIL OPEN FONT LICENSE",
	} {
		if !strings.Contains(files["THIRD_PARTY.txt"], word) {
			t.Errorf("the licences lack %q", word)
		}
	}
	for _, name := range []string{"runtime.json", "page/react.js", "page/three.js", "page/@theatre/core.js"} {
		if files[name] == "" {
			t.Errorf("the runtime lacks %s", name)
		}
	}
}

// Not parallel: it changes PATH.
func TestWithoutRuntimeAndNpm(t *testing.T) {
	data, _, _ := packed()
	cache := t.TempDir()
	t.Setenv("PATH", t.TempDir())
	build := func() error {
		_, _, err := bundle.New(bundle.Config{CacheDir: cache, Archive: noArchive}).Build(t.Context(), starter(nil))
		return err
	}
	missing := func(when string) {
		t.Helper()
		err := build()
		if koda.CodeOf(err) != koda.CodeMissingTool {
			t.Fatalf("%s: error = %v, want MISSING_TOOL", when, err)
		}
		if hint := koda.HintOf(err); !strings.Contains(hint, "make") || !strings.Contains(hint, "npm") {
			t.Errorf("%s: hint = %q, want how to get the runtime", when, hint)
		}
	}
	left := filepath.Join(cache, "runtime", ".work-999999999-x")
	if err := os.MkdirAll(left, 0o755); err != nil {
		t.Fatal(err)
	}
	missing("nothing is there")
	if entries, err := os.ReadDir(filepath.Join(cache, "runtime")); err != nil || len(entries) > 0 {
		t.Errorf("left in the cache: %v (%v)", entries, err)
	}
	for _, size := range []int{0, 5, 100, len(data) / 2} {
		if err := os.WriteFile(installedName(cache), data[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		missing("a damaged runtime is there")
	}
	if err := os.WriteFile(installedName(cache), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := build(); err != nil {
		t.Errorf("with the runtime of an earlier install: %v", err)
	}
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := bundle.New(bundle.Config{CacheDir: filepath.Join(file, "cache"), Archive: noArchive}).Build(t.Context(), starter(nil))
	if err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error = %v, want an error that names the cache", err)
	}
	if _, _, err := bundler(filepath.Join(file, "cache")).Build(t.Context(), starter(nil)); err != nil {
		t.Errorf("a koda with a runtime needs no cache: %v", err)
	}
}

// Every module of the runtime can be imported and runs in Chromium.
func TestEveryModuleOfTheRuntimeLoads(t *testing.T) {
	t.Parallel()
	files := runtimeFiles(t)
	specs := []string{"react", "react-dom", "react-dom/client", "react/jsx-runtime", "three", "@react-three/fiber", "@react-three/drei", "@theatre/core", "lucide-react", "recharts", "d3-scale", "d3-shape", "highlight.js/lib/common", "@xterm/headless", "@xterm/addon-unicode11"}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if addon, ok := strings.CutPrefix(name, "source/three/addons/"); ok {
			specs = append(specs, "three/addons/"+addon)
		}
	}
	var source strings.Builder
	for i, spec := range specs {
		fmt.Fprintf(&source, "import * as m%d from %q\nsizes[%q] = Object.keys(m%d).length\n", i, spec, spec, i)
	}
	page := build(t, fsOf(map[string]string{
		"koda.json":  `{"schema": 1, "width": 640, "height": 360, "fps": 30, "duration": 1}`,
		"index.html": `<pre id="sizes"></pre><script type="module" src="all.ts"></script>`,
		"all.ts": "import { sizes } from './sizes'\n" + source.String() + `
			window.__exportSeekTo = () => { document.getElementById('sizes').textContent = JSON.stringify(sizes) }
			window.__exportReady = true`,
		"sizes.ts": `export const sizes: Record<string, number> = {}`,
	}))
	seen, problems := visit(t, page, "{}", 0)
	if len(problems) > 0 {
		t.Fatalf("problems: %q", problems)
	}
	for spec, least := range map[string]int{"react": 40, "react-dom/client": 3, "three": 400, "@react-three/drei": 200, "@theatre/core": 6, "lucide-react": 3000, "recharts": 60} {
		match := regexp.MustCompile(regexp.QuoteMeta(`"`+spec+`":`) + `(\d+)`).FindStringSubmatch(seen[0].Markup)
		if match == nil {
			t.Errorf("%s was not loaded", spec)
		} else if n, err := strconv.Atoi(match[1]); err != nil || n < least {
			t.Errorf("%s has %s exports, want at least %d", spec, match[1], least)
		}
	}
	t.Logf("%d modules, page of %d files", len(specs), len(page.Files))
}
