package bundle_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/koda"
)

func noArchive() ([]byte, string, bool) { return nil, "", false }

// What the program carries holds nothing under the AGPL, names every package,
// and is a tar archive to everybody else.
func TestRuntimeCarriesNoStudio(t *testing.T) {
	t.Parallel()
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
		"@fontsource-variable/inter 5", "SIL OPEN FONT LICENSE",
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
		t.Errorf("error = %v, want one that names the cache", err)
	}
	if _, _, err := bundler(filepath.Join(file, "cache")).Build(t.Context(), starter(nil)); err != nil {
		t.Errorf("a koda with a runtime needs no cache: %v", err)
	}
}
