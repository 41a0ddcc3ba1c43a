package templates_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/templates"
)

func imageFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(templates.SandboxImage(), name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func imageLock(t *testing.T) lockfile {
	t.Helper()
	var lock lockfile
	if err := json.Unmarshal(imageFile(t, "package-lock.json"), &lock); err != nil {
		t.Fatal(err)
	}
	return lock
}

// In a sandbox, a project finds the packages that its package.json names.
func TestImageHasThePackagesOfTheStarter(t *testing.T) {
	type manifest struct{ Dependencies, DevDependencies map[string]string }
	var starter, image manifest
	data, err := fs.ReadFile(templates.Starter(), "package.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &starter); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(imageFile(t, "package.json"), &image); err != nil {
		t.Fatal(err)
	}
	want := maps.Clone(starter.Dependencies)
	maps.Copy(want, starter.DevDependencies)
	if diff := cmp.Diff(want, image.Dependencies); diff != "" {
		t.Errorf("dependencies differ (-starter +image):\n%s", diff)
	}
	lock := imageLock(t)
	for name, version := range image.Dependencies {
		if got := lock.Packages["node_modules/"+name].Version; got != version {
			t.Errorf("%s: package.json says %s, the lockfile %s", name, version, got)
		}
	}
}

// The live view and the bundle are drawn with the same packages, to the last of them.
func TestImageAndRuntimeAgreeOnVersions(t *testing.T) {
	image := imageLock(t)
	for name, p := range readLock(t).Packages {
		if got := image.Packages[name].Version; name != "" && got != p.Version {
			t.Errorf("%s: the runtime has %s, the image %q", name, p.Version, got)
		}
	}
}

// Each line is a package, its version and the SHA-512 of its archive; the Dockerfile
// reads them so.
func TestProgramsOfTheImage(t *testing.T) {
	line := regexp.MustCompile(`^(\S+) \d+\.\d+\.\d+ [0-9a-f]{128}\n$`)
	dockerfile := string(imageFile(t, "Dockerfile"))
	for l := range strings.Lines(string(imageFile(t, "programs.txt"))) {
		m := line.FindStringSubmatch(l)
		if m == nil {
			t.Errorf("programs.txt holds %q", l)
		} else if !strings.Contains(dockerfile, m[1]) {
			t.Errorf("the Dockerfile does not install %s", m[1])
		}
	}
}
