package templates_test

import (
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/templates"
)

func TestStarterFulfilsThePageContract(t *testing.T) {
	for _, name := range []string{"koda.json", "index.html", "src/main.tsx", "src/App.tsx", "src/theatre/project.ts", "src/theatre/state.json", "src/utils/easing.ts"} {
		if _, err := fs.Stat(templates.Starter(), name); err != nil {
			t.Errorf("the starter lacks %s: %v", name, err)
		}
	}
}

func TestProtectedPatternsMatchFilesOfTheStarter(t *testing.T) {
	for _, pattern := range templates.Protected() {
		if pattern == "scripts/*" {
			continue // reserved; the starter has no scripts
		}
		matches, err := fs.Glob(templates.Starter(), pattern)
		if err != nil || len(matches) == 0 {
			t.Errorf("pattern %q matches no file of the starter (%v)", pattern, err)
		}
	}
	for _, own := range []string{"src/App.tsx", "src/theatre/project.ts", "koda.json"} {
		for _, pattern := range templates.Protected() {
			if ok, _ := path.Match(pattern, own); ok { //nolint:errcheck // patterns are checked above
				t.Errorf("%s is for the author to write, but pattern %q protects it", own, pattern)
			}
		}
	}
}

type lockfile struct {
	Packages map[string]struct {
		Version  string `json:"version"`
		Resolved string `json:"resolved"`
		License  string `json:"license"`
	} `json:"packages"`
}

func readLock(t *testing.T) lockfile {
	t.Helper()
	_, data := templates.RuntimeLock()
	var lock lockfile
	if err := json.Unmarshal(data, &lock); err != nil {
		t.Fatal(err)
	}
	return lock
}

// locks are the lock files of what koda carries or installs.
func locks(t *testing.T) map[string]lockfile {
	return map[string]lockfile{"runtime": readLock(t), "image of sandboxes": imageLock(t)}
}

func TestLocksNameNoAddress(t *testing.T) {
	_, data := templates.RuntimeLock()
	if strings.Contains(string(data)+string(imageFile(t, "package-lock.json")), "http") {
		t.Error("a package-lock.json contains an address")
	}
	for of, lock := range locks(t) {
		for name, p := range lock.Packages {
			if p.Resolved != "" {
				t.Errorf("%s: %s: resolved is %q, want none", of, name, p.Resolved)
			}
		}
	}
}

func TestLocksHaveNoCopyleftPackage(t *testing.T) {
	for of, lock := range locks(t) {
		for name, p := range lock.Packages {
			if strings.Contains(name, "@theatre/studio") || strings.Contains(name, "@theatre/r3f") {
				t.Errorf("%s must not be in the %s", name, of)
			}
			if strings.Contains(p.License, "GPL") {
				t.Errorf("%s of the %s is licensed under %s", name, of, p.License)
			}
		}
	}
}

// The live view and the bundle are drawn with the same packages.
func TestStarterAndRuntimeAgreeOnVersions(t *testing.T) {
	type manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	var runtime, starter manifest
	data, _ := templates.RuntimeLock()
	if err := json.Unmarshal(data, &runtime); err != nil {
		t.Fatal(err)
	}
	data, err := fs.ReadFile(templates.Starter(), "package.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &starter); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(runtime, starter); diff != "" {
		t.Errorf("dependencies differ (-runtime +starter):\n%s", diff)
	}
	lock := readLock(t)
	for name, version := range runtime.Dependencies {
		if got := lock.Packages["node_modules/"+name].Version; got != version {
			t.Errorf("%s: package.json says %s, the lockfile %s", name, version, got)
		}
	}
}
