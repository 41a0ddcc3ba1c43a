package cli_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
)

func TestModels(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	yes, no := true, false
	all := []cli.ModelService{
		{Provider: "one", Address: "https://one.example", Default: "big", Models: []llm.Info{
			{ID: "big", Context: 1_000_000, Pictures: &yes, Tools: &yes, Parallel: &yes}, {ID: "small\x1b[2J", Context: 8192, Pictures: &no, Tools: &no, Ends: "2027-04-01"},
		}},
		{Provider: "two", Address: "https://two.example", Err: &koda.Error{Code: koda.CodeUnauthorized, Op: "two does not accept the key", Hint: "check TWO_API_KEY"}},
		{Provider: "three", Address: "http://localhost:1/v1"},
	}
	given := map[string]string{}
	f.deps.Give = func(name, value string) { given[name] = value }
	f.deps.Models = func(context.Context) ([]cli.ModelService, error) { return all, nil }
	if status := f.run("models", "--model", "one/big", "--base-url", "https://x.example"); status != 0 || given["model"] != "one/big" || given["base-url"] != "https://x.example" {
		t.Errorf("status %d, given %v", status, given)
	}
	want := "one/big    1M tokens     pictures, tools, several at once, default\none/small  8.19k tokens  no tools, ends 2027-04-01\n"
	if f.out.String() != want {
		t.Errorf("printed %q", f.out.String())
	}
	if said := f.err.String(); !strings.Contains(said, "two: two does not accept the key: check TWO_API_KEY\n") || !strings.Contains(said, "three answers at http://localhost:1/v1 and has no models.\n") {
		t.Errorf("said %q", said)
	}
	if f.run("models", "medium"); !strings.Contains(f.err.String(), `No model that answers has "medium" in its name.`) {
		t.Errorf("said %q", f.err.String())
	}
	// What the person chose must answer.
	all[1].Chosen = true
	if status := f.run("models", "big"); status != 4 || strings.Count(f.err.String(), "does not accept") != 1 || strings.Contains(f.out.String(), "small") {
		t.Errorf("status %d: %s%s", status, f.out.String(), f.err.String())
	}
	f.run("models", "--json")
	if services, ok := f.result()["services"].([]any); !ok || len(services) != 3 {
		t.Errorf("%v", f.result())
	}
}

func TestModelsTry(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.deps.Now = func() time.Time { return now }
	step := llmtest.Step{Response: llm.Response{Parts: []llm.Part{{Text: "blue"}}, Stop: llm.StopEnd, Usage: llm.Usage{Input: 9, Output: 1, USD: 0.002}}}
	f.deps.Model = func() (llm.Model, string, error) {
		return llmtest.New(llmtest.Step{Fail: koda.CodeInvalidInput}, step), "one/big", nil
	}
	if status := f.run("models", "try"); status != 0 || !strings.Contains(f.out.String(), "9 tokens read, 1 written, $0.0020") || strings.Count(f.out.String(), "no\n") != 2 || !strings.Contains(f.out.String(), "no: ask the model\n") {
		t.Errorf("status %d: %s%s", status, f.out.String(), f.err.String())
	}
	f.deps.Model = func() (llm.Model, string, error) {
		return llmtest.New(llmtest.Step{Fail: koda.CodeUnauthorized}), "one/big", nil
	}
	if status := f.run("models", "try"); status != 4 {
		t.Errorf("status %d: %s", status, f.err.String())
	}
}
