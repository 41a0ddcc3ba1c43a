package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// clone is a face in a directory whose .env names a place and holds escape sequences.
func clone(t *testing.T) (f *face, dir string) {
	t.Helper()
	f = newFace(t)
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte("STORAGE_PATH='./a\x1b[2Jb'\nANTHROPIC_API_KEY=sk-hush\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sources, err := f.deps.Settings()
	if err != nil {
		t.Fatal(err)
	}
	sources.Dir = dir
	f.deps.Settings = settings(sources)
	return f, dir
}

// A person at a terminal sees the file's settings and is asked about them; only a yes
// counts.
func TestTrustAsks(t *testing.T) {
	t.Parallel()
	f, dir := clone(t)
	f.types("n", "", "maybe", "yes")
	for _, no := range []string{"n", "", "maybe"} {
		if got := f.run("trust"); got != 3 || !strings.Contains(f.err.String(), "nothing was done") {
			t.Errorf("%q: status %d: %s", no, got, f.err.String())
		}
	}
	if text := f.out.String(); !strings.Contains(text, "storage-path") || !strings.Contains(text, "anthropic-api-key  set") || strings.ContainsAny(text, "\x1b") || strings.Contains(text, "hush") {
		t.Errorf("shown as %q", text)
	}
	if f.run("trust", "--list"); f.out.Len() > 0 {
		t.Errorf("trusted after a no: %q", f.out.String())
	}
	if got := f.run("trust", dir); got != 0 || !strings.Contains(f.err.String(), "trusted: "+dir+"/.env") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if got := f.run("trust"); got != 0 || !strings.Contains(f.err.String(), "there is nothing to trust") {
		t.Errorf("again: status %d: %s", got, f.err.String())
	}
	f.run("trust", "--list", "--json")
	if files, ok := f.result()["files"].([]any); !ok || len(files) != 1 {
		t.Errorf("listed as %s", f.out.String())
	}
	f.run("trust", "--remove", "--json")
	if gone, ok := f.result()["removed"].([]any); !ok || len(gone) != 1 {
		t.Errorf("removed as %s", f.out.String())
	}
	for args, want := range map[string]int{
		"trust --list --remove": 2, "trust --list x": 2, "trust a b": 2, "trust nowhere": 2, "trust " + t.TempDir(): 10, "trust --remove nowhere": 0,
	} {
		if got := f.run(strings.Fields(args)...); got != want {
			t.Errorf("%s: status %d, want %d: %s", args, got, want, f.err.String())
		}
	}
}

// Every command that reads settings says once which settings of the file it ignores.
func TestUntrustedIsTold(t *testing.T) {
	t.Parallel()
	f, dir := clone(t)
	f.engine.replies = []reply{{out: complete()}, {out: complete()}}
	f.engine.projects = append(f.engine.projects, ball)
	want := "warning: " + dir + "/.env says STORAGE_PATH and ANTHROPIC_API_KEY; left out, as you have not trusted that file: `koda trust` shows it and asks\n"
	for _, args := range []string{"new ball", "resume", "list", "config get storage-path", "show"} {
		f.run(strings.Fields(args)...)
		if strings.Count(f.err.String(), want) != 1 {
			t.Errorf("%s: %s", args, f.err.String())
		}
		f.run(strings.Fields("list --json")...)
		if warnings, ok := f.result()["warnings"].([]any); !ok || len(warnings) != 1 || f.err.Len() > 0 {
			t.Errorf("%s: %s%s", args, f.out.String(), f.err.String())
		}
	}
	for _, args := range []string{"version", "help new", "completion bash", "presets", "__complete show"} {
		f.run(append(strings.Fields(args), "")[:len(strings.Fields(args))]...)
		if strings.Contains(f.err.String(), "left out") {
			t.Errorf("%s: %s", args, f.err.String())
		}
	}
}
