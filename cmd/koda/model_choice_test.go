package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/llm/llmtest"
)

// unset removes variables from the environment of a run.
func (r *modelRun) unset(names ...string) {
	r.env = slices.DeleteFunc(slices.Clone(r.env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(names, name)
	})
}

// asked is the name of the model in each request.
func (r *modelRun) asked() (names []string) {
	for _, body := range r.server.Asked() {
		_, rest, _ := bytes.Cut(body, []byte(`"model":"`))
		name, _, _ := bytes.Cut(rest, []byte(`"`))
		names = append(names, string(name))
	}
	return names
}

// TestModelChoice: a project goes on with its model, its planner and their address. A flag
// changes them, and a copy of the project has none of them.
func TestModelChoice(t *testing.T) {
	t.Parallel()
	steps := ballAndTitle()
	plan := steps[0]
	r := newModelRun(t, llmtest.OpenAI, "openai", goOn, plan, plan, plan, plan, plan)
	if out, errs, status := r.koda("new", "a ball drops", "--sandbox", "local", "--name", "demo", "--plan-only", "--planner-model", "openai/scripted-planner"); status != 0 {
		t.Fatalf("new: status %d: %s\n%s", status, out, errs)
	}
	base := r.server.URL
	r.unset("KODA_MODEL", "KODA_BASE_URL")
	says := func(want string) {
		t.Helper()
		if shown, _, _ := r.koda("show", "demo"); !strings.Contains(strings.Join(strings.Fields(shown), " "), want) {
			t.Errorf("koda show does not say %q: %s", want, shown)
		}
	}
	says("openai/scripted at " + base + ", planned by openai/scripted-planner")
	edit := func(project string, want int, flags ...string) string {
		t.Helper()
		_, errs, status := r.koda(append([]string{"edit", project, "slower"}, flags...)...)
		if status != want {
			t.Fatalf("edit %q: status %d: %s", flags, status, errs)
		}
		return errs
	}
	edit("demo", 3)
	edit("demo", 3, "--planner-model", "openai/scripted-other")
	says("planned by openai/scripted-other")
	edit("demo", 3)
	if got := fmt.Sprint(r.asked()); got != "[scripted-planner scripted-planner scripted-planner scripted-other scripted-other]" {
		t.Errorf("asked were %s", got)
	}
	edit("demo", 6, "--base-url", "http://127.0.0.1:1/v1")
	says("openai/scripted at http://127.0.0.1:1/v1")

	// Somebody else's project names no model here, whatever its files say.
	r.unset("KODA_HOME")
	r.env = append(r.env, "KODA_HOME="+filepath.Join(r.dir, "other-home"))
	asked := len(r.server.Asked())
	if _, errs, status := r.koda("resume", filepath.Join(r.dir, "demo")); status != 2 || !strings.Contains(errs, "no model is chosen\n  hint: give --model openai/scripted, as where the project came from") || len(r.server.Asked()) != asked {
		t.Errorf("of a project from elsewhere koda says, with %d: %s", status, errs)
	}
	says("model openai/scripted where it came from; none is chosen here")
	r.keepsKey()
}
