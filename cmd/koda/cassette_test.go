package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/llm/llmtest"
)

// TestCassette makes a project from recorded answers of a model: offline, without a key and
// free. It fails when a prompt or the contract of a tool changed; -update then gives the
// recorded answers the keys of the new requests.
func TestCassette(t *testing.T) {
	t.Parallel()
	kept, err := filepath.Abs(filepath.Join("..", "..", "testdata", "cassette"))
	must(t, err)
	next := filepath.Join(t.TempDir(), "next")
	r := newModelRun(t, llmtest.OpenAI, "openai")
	for i, text := range r.env {
		if strings.HasPrefix(text, "OPENAI_API_KEY=") {
			r.env[i] = "KODA_RECORD="
		}
	}
	r.env = append(r.env, "KODA_BASE_URL=", "KODA_MODEL=replay/"+kept)
	args := []string{"new", "a ball drops and a title rises", "--sandbox", "local", "--preset", "square", "--name", "demo", "--yes"}
	if *update {
		r.env = append(r.env, "KODA_RECORD="+next)
	}
	_, errs, status := r.koda(args...)
	if status != 0 {
		t.Fatalf("status %d: %s\nIf a prompt or a tool was meant to change: go test ./cmd/koda -run TestCassette -update", status, errs)
	}
	if *update {
		must(t, os.RemoveAll(kept))
		must(t, os.CopyFS(kept, os.DirFS(next)))
		return
	}
	if n := len(r.server.Asked()); n > 0 || !strings.Contains(errs, "costs nothing") {
		t.Errorf("a service was asked %d times: %s", n, errs)
	}
	want, err := os.ReadFile(filepath.Join(r.dir, "demo", "src", "scenes", "Title.tsx"))
	must(t, err)
	if !strings.Contains(string(want), "return null") {
		t.Errorf("the mistake was not mended: %s", want)
	}
	if shown, _, _ := r.koda("show", "demo", "--json"); !strings.Contains(shown, `"usd":0,"inputTokens":800`) {
		t.Errorf("koda show: %s", shown)
	}
}
