package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// saved is koda, with all its output in a file of the directory.
func (r *modelRun) saved(args ...string) (out, errs string, status int) {
	r.t.Helper()
	out, errs, status = r.koda(args...)
	file := filepath.Join(r.dir, "said-"+strings.Join(args[:1], "-")+".txt")
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(r.t, err)
	_, err = fmt.Fprintln(f, out, errs)
	must(r.t, err)
	must(r.t, f.Close())
	return out, errs, status
}

// TestModelRun_keys: the keys of services are in no file of a whole project, in nothing
// that koda says, in no recorded answer, and in the environment or the arguments of no
// program that koda starts, from which browsers start theirs. What the service repeats of a wrong key is not told either.
func TestModelRun_keys(t *testing.T) {
	t.Parallel()
	steps := ballAndTitle()
	steps[1].Response.Parts = append(steps[1].Response.Parts, uses("add_message", fields{"content": "The key is not mine."}).Response.Parts...)
	steps[1].Response.Parts[len(steps[1].Response.Parts)-1].Use.ID = "use_said"
	r := newModelRun(t, llmtest.Anthropic, "anthropic", steps...)
	ffmpeg, err := exec.LookPath("ffmpeg")
	must(t, err)
	chromium, err := browser.Find(t.Context(), hostos.New(r.dir), "")
	must(t, err)
	for name, real := range map[string]string{"ffmpeg": ffmpeg, "chrome": chromium} {
		wrapper := filepath.Join(r.dir, name)
		must(t, os.WriteFile(wrapper, []byte("#!/bin/sh\n{ tr '\\0' '\\n' </proc/$$/environ; echo \"$@\"; } >>'"+r.dir+"/started-"+name+".txt'\nexec \"$(cat \"$0.real\")\" \"$@\"\n"), 0o700))
		must(t, os.WriteFile(wrapper+".real", []byte(real), 0o600))
		r.env = append(r.env, "KODA_"+strings.ToUpper(name)+"="+wrapper)
	}
	r.env = append(r.env, "KODA_RECORD="+filepath.Join(r.dir, "recorded"),
		"OPENAI_API_KEY="+llmtest.Key, "OPENROUTER_API_KEY="+llmtest.Key, "MARK=of-this-run")
	if out, errs, status := r.saved(append(asModel, "--json")...); status != 0 {
		t.Fatalf("status %d: %s\n%s", status, tail(out, 2000), errs)
	}
	for _, args := range [][]string{
		{"show", "demo", "--json"}, {"messages", "demo", "--told"}, {"history", "demo"}, {"doctor"}, {"config", "show"}, {"config", "get", "anthropic-api-key"}, {"models"},
	} {
		r.saved(args...)
	}
	for name, want := range map[string]string{"started-ffmpeg.txt": "libx264", "started-chrome.txt": "--remote-debugging-pipe", "recorded/0001.json": "propose_plan", "said-show.txt": `"author":"model"`} {
		if data, err := os.ReadFile(filepath.Join(r.dir, name)); err != nil || !bytes.Contains(data, []byte(want)) {
			t.Errorf("%s does not have %q: %v", name, want, err)
		}
	}
	for _, body := range r.server.Asked() {
		if bytes.Contains(body, []byte(llmtest.Key)) {
			t.Error("the key is in what the model is told")
		}
		if bytes.Contains(body, []byte(`"name":"sandbox_run_command"`)) || bytes.Contains(body, []byte(`"name":"create_new_shell"`)) {
			t.Error("on this machine a shell is on offer")
		}
	}
	r.keepsKey()

	wrong := newModelRun(t, llmtest.OpenAI, "openai", llmtest.Step{Fail: koda.CodeUnauthorized})
	if _, errs, status := wrong.saved(asModel...); status != 4 {
		t.Errorf("status %d: %s", status, errs)
	}
	wrong.saved("show", "demo", "--json")
	wrong.keepsKey()
}

// TestModelRun_unguarded: where nothing is around the code of a model, neither a container
// nor Chromium's own sandbox, it runs only if the person says so, and is warned of.
func TestModelRun_unguarded(t *testing.T) {
	inModels(t)
	t.Parallel()
	r := newModelRun(t, llmtest.OpenAI, "openai", uses("decline", fields{"reason": "This is soup.", "suggestion": "a recipe card"}))
	r.env = append(r.env, "KODA_BROWSER_SANDBOX=off", "DOCKER_HOST=unix://"+filepath.Join(r.dir, "none.sock"), "PATH="+os.Getenv("PATH"))
	_, errs, status := r.koda("new", "a ball", "--name", "demo", "--yes")
	if status != 3 || !strings.Contains(errs, "nothing would keep the code of a model from this machine") || !strings.Contains(errs, "--sandbox local") || len(r.server.Asked()) != 0 {
		t.Errorf("status %d, asked %d times: %s", status, len(r.server.Asked()), errs)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "demo")); !os.IsNotExist(err) {
		t.Errorf("a project was made: %v", err)
	}
	_, errs, status = r.koda("new", "a ball", "--name", "demo", "--yes", "--sandbox", "local")
	if status != 3 || !strings.Contains(errs, "warning: what the model writes runs in a browser without a sandbox of its own") || !strings.Contains(errs, "This is soup.") {
		t.Errorf("status %d: %s", status, errs)
	}
}
