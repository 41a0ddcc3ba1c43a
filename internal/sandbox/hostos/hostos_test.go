package hostos_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// printed starts a program on the host and returns its output.
func printed(t *testing.T, h *hostos.Host, p sandbox.Program) string {
	t.Helper()
	child, err := h.Start(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Stdin().Close(); err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(child.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SECRET_API_KEY", "hush")
	t.Setenv("HOME", "/home/somebody")
	root := t.TempDir()
	h := hostos.New(root)
	env, err := h.LookPath("env")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for line := range strings.Lines(printed(t, h, sandbox.Program{Path: env, Env: []string{"A=1", "A=2", "LANG=", "B=x=y"}})) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		got[name] = value
	}
	want := map[string]string{"PATH": os.Getenv("PATH"), "HOME": "/home/somebody", "TMPDIR": root, "A": "2", "B": "x=y"}
	for _, name := range []string{"LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"} {
		if v := os.Getenv(name); v != "" {
			want[name] = v
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

func TestStart(t *testing.T) {
	t.Parallel()
	h := hostos.New(t.TempDir())
	sh, err := h.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	child, err := h.Start(t.Context(), sandbox.Program{
		Path: sh, Args: []string{"-c", `read x <&3; echo "got $x" >&4; pwd; exit 7`}, Dir: dir, Pipe: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(child.Stdin(), "hello")
	out, err := io.ReadAll(child.Stdout())
	if err != nil || string(out) != "got hello\n" {
		t.Errorf("%q, %v", out, err)
	}
	if err := child.Wait(); err == nil || !strings.Contains(err.Error(), "exit status 7") {
		t.Errorf("wait: %v", err)
	}
	if !strings.Contains(child.StderrTail(), filepath.Base(dir)) {
		t.Errorf("standard output went to %q", child.StderrTail())
	}
	for _, p := range []string{"relative", filepath.Join(dir, "missing")} {
		if child, err := h.Start(t.Context(), sandbox.Program{Path: p}); err == nil || child != nil {
			t.Errorf("%s: %v, %v", p, child, err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if child, err := h.Start(gone, sandbox.Program{Path: sh}); err == nil || child != nil {
		t.Errorf("cancelled: %v, %v", child, err)
	}
}

func TestLookPath(t *testing.T) {
	t.Parallel()
	h := hostos.New(t.TempDir())
	for _, name := range []string{"ffmpeg-that-is-not", "ffmpeg/there/is/none"} {
		_, err := h.LookPath(name)
		if koda.CodeOf(err) != koda.CodeMissingTool || koda.HintOf(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	sh, err := h.LookPath("sh")
	if err != nil || !filepath.IsAbs(sh) {
		t.Errorf("%q, %v", sh, err)
	}
	if again, err := h.LookPath(sh); err != nil || again != sh {
		t.Errorf("%q, %v", again, err)
	}
}

func TestTemporary(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "new", "root")
	h := hostos.New(root)
	dir, err := h.MkdirTemp("frames")
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(dir) != root || !strings.Contains(filepath.Base(dir), fmt.Sprint(os.Getpid())) {
		t.Errorf("made %s", dir)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := h.Open(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(f); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	precious := t.TempDir()
	for _, path := range []string{precious, root, filepath.Join(dir, "..", "..", filepath.Base(precious)), "/", ""} {
		if err := h.RemoveAll(path); err == nil {
			t.Errorf("removed %q", path)
		}
	}
	for range 2 {
		if err := h.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}
