package archtest_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxText is the size above which a file counts as data, not as text that people
// wrote.
const maxText = 1 << 20

// machinePath finds paths that exist only on one machine. It is put together here
// so that it does not find itself.
var machinePath = regexp.MustCompile(`(^|[^A-Za-z0-9_.~-])/(wor` + `k|roo` + `t)/[A-Za-z0-9_.-]`)

// registryURL finds addresses from which packages are downloaded. Lock files name
// versions and digests; each machine chooses where the bytes come from.
var registryURL = regexp.MustCompile(`https?://[^\s"'` + "`" + `<>)]*(registry|npmjs|artifactory|nexus|verdaccio|goproxy|proxy\.golang|pypi|pythonhosted)[^\s"'` + "`" + `<>)]*`)

// checkText finds machine paths and registry addresses in a file, and download
// addresses in a lock file.
func checkText(name string, text []byte) []finding {
	if len(text) > maxText || bytes.IndexByte(text, 0) >= 0 {
		return nil
	}
	var out []finding
	lock := path.Base(name) == "package-lock.json"
	for i, line := range bytes.Split(text, []byte("\n")) {
		if m := machinePath.Find(line); m != nil {
			out = append(out, finding{name, i + 1, "names a path of one machine: " + strings.TrimSpace(string(m)) + "…"})
		}
		if m := registryURL.Find(line); m != nil {
			out = append(out, finding{name, i + 1, "names a package registry: " + string(m)})
		}
		if lock && bytes.Contains(line, []byte(`"resolved"`)) {
			out = append(out, finding{name, i + 1, "a lock file holds no download addresses: npm's omit-lockfile-registry-resolved leaves them out"})
			break
		}
	}
	return out
}

func TestText(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	for _, name := range repoFiles(t, root) {
		file := filepath.Join(root, name)
		info, err := os.Lstat(file)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxText {
			continue // a build may make and remove files meanwhile
		}
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for _, f := range checkText(name, text) {
			t.Error(f)
		}
	}
}

func TestText_finds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"see /wor" + "k/main for it": "machine",
		`"/roo` + `t/x"`:             "machine",
		"src/wor" + "k/a.ts, /etc/x, /roo" + "t, /home/me/koda": "",
		"https://regis" + "try.npmjs.org/x":                     "registry",
		"https://example.com/npmj" + "s/a.tgz":                  "registry",
		"https://docs.docker.com/engine/install/":               "",
		"/wor" + "k/main\x00":                                   "",
	} {
		found := checkText("a.md", []byte(text))
		if want == "" && len(found) > 0 || want != "" && (len(found) != 1 || !strings.Contains(found[0].text, want)) {
			t.Errorf("%q: found %v, want %q", text, found, want)
		}
	}
	lock := []byte("{\n \"resolved\": \"x\",\n \"resolved\": \"y\"\n}")
	if found := checkText("a/package-lock.json", lock); len(found) != 1 || found[0].line != 2 {
		t.Errorf("a lock file with addresses: %v", found)
	}
}

// guides are the files whose backquoted paths must exist.
var guides = []string{
	"README.md", "AGENTS.md", "docs/layout.md", "docs/models.md", "docs/pages.md", "docs/preview.md", "docs/projects.md", "docs/recipes.md", "docs/sandbox.md",
	"docs/scripts.md", "docs/server.md", "docs/studio.md",
}

var (
	backquoted = regexp.MustCompile("`([^`\n]+)`")
	link       = regexp.MustCompile(`\]\(([^)#\s]*)[^)]*\)`)
	pathLike   = regexp.MustCompile(`^[A-Za-z0-9_.][A-Za-z0-9_.*/-]*$`)
)

// missingPaths are the backquoted words of a guide that look like a path of this
// repository and match none of its files. A word looks like a path if its first
// part is a name at the root, or if it is a Go package or file.
func missingPaths(guide string, files []string) []string {
	exists := map[string]bool{}
	for _, f := range files {
		for d := f; d != "."; d = path.Dir(d) {
			exists[d] = true
		}
	}
	var out []string
	fenced := false
	for line := range strings.Lines(guide) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced {
			continue
		}
		for _, m := range backquoted.FindAllStringSubmatch(line, -1) {
			word := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(m[1], "./"), "/..."), "/")
			first, _, nested := strings.Cut(word, "/")
			ours := exists[first] || slices.Contains([]string{"internal", "cmd", "tui", "templates", "testdata"}, first)
			if !pathLike.MatchString(word) || slices.Contains(notOurs, first) || !ours || !nested && !exists[first] {
				continue
			}
			if exists[word] || strings.Contains(word, "*") && globs(exists, word) {
				continue
			}
			out = append(out, word)
		}
	}
	return out
}

func globs(exists map[string]bool, pattern string) bool {
	for f := range exists {
		if ok, err := path.Match(pattern, f); ok && err == nil {
			return true
		}
	}
	return false
}

func TestGuides(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	files := repoFiles(t, root)
	for _, g := range guides {
		text, err := os.ReadFile(filepath.Join(root, g))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a missing guide promises nothing
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range missingPaths(string(text), files) {
			t.Errorf("%s names `%s`, which is not there", g, word)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if to := path.Join(path.Dir(g), m[1]); m[1] != "" && !strings.Contains(m[1], ":") && !slices.Contains(files, to) {
				t.Errorf("%s leads to %s, which is not there", g, to)
			}
		}
	}
}

func TestGuides_finds(t *testing.T) {
	t.Parallel()
	files := []string{"go.mod", "internal/tool/doc.go", "testdata/script/a.txtar", ".ci/run"}
	guide := "see `internal/tool`, `internal/gone`, `internal/tool/doc.go`, `testdata/script/*.txtar`, `testdata/*.png`, `.ci/run`, `.ci/walk`,\n" +
		"`bin/koda`, `src/App.tsx`, `go test ./...`, `./internal/tool/...`, `internal/tool/`, `cmd/koda`, `koda.json`, `go.mod`, `a/b`\n" +
		"```\n`internal/example`\n```\n`tui/x.go`"
	want := []string{"internal/gone", "testdata/*.png", ".ci/walk", "cmd/koda", "tui/x.go"}
	if got := missingPaths(guide, files); !slices.Equal(got, want) {
		t.Errorf("missing: %v, want %v", got, want)
	}
}
