package archtest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/needs"
)

var expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)

// job plays the part of GitHub's runner: it runs the steps of the action in their order,
// but for those that use other actions.
type job struct {
	t      *testing.T
	action action
	dir    string            // working directory: the checkout of the person
	temp   string            // RUNNER_TEMP
	inputs map[string]string // those of the action, defaults included
	github map[string]string // the context of that name
	env    []string
	steps  map[string]map[string]string // outputs by step
	used   []string                     // other actions: name and what they are given
	log    string
}

func newJob(t *testing.T, inputs map[string]string) *job {
	t.Helper()
	j := &job{t: t, action: readAction(t), dir: t.TempDir(), temp: t.TempDir(), inputs: map[string]string{},
		github: map[string]string{"action_ref": "", "action_repository": ""}, steps: map[string]map[string]string{}}
	for name, in := range j.action.Inputs {
		j.inputs[name] = in.Default
	}
	maps.Copy(j.inputs, inputs)
	return j
}

// expand replaces the expressions in a text.
func (j *job) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(m string) string {
		return j.value(expression.FindStringSubmatch(m)[1])
	})
}

// value is the value of the few expressions that action.yml uses.
func (j *job) value(e string) string {
	j.t.Helper()
	path := strings.Split(e, ".")
	switch {
	case e == "toJSON(inputs)":
		text, err := json.Marshal(j.inputs)
		if err != nil {
			j.t.Fatal(err)
		}
		return string(text)
	case len(path) == 2 && path[0] == "inputs":
		if v, ok := j.inputs[path[1]]; ok {
			return v
		}
	case len(path) == 2 && path[0] == "github":
		if v, ok := j.github[path[1]]; ok {
			return v
		}
	case len(path) == 4 && path[0] == "steps" && path[2] == "outputs":
		if v, ok := j.steps[path[1]][path[3]]; ok {
			return v
		}
	}
	j.t.Fatalf("the expression %q has no value", e)
	return ""
}

// wanted says whether a step runs. Its condition is empty or compares with a text.
func (j *job) wanted(s actionStep) bool {
	if s.If == "" {
		return true
	}
	left, right, ok := strings.Cut(s.If, " == ")
	if !ok {
		j.t.Fatalf("%s: the condition %q is not of the kind these tests know", s.Name, s.If)
	}
	return j.value(left) == strings.Trim(right, "'")
}

// run runs the steps whose names are given, or all. It ends at the first that fails.
func (j *job) run(only ...string) error {
	j.t.Helper()
	for _, s := range j.action.Runs.Steps {
		if len(only) > 0 && !slices.Contains(only, s.Name) || !j.wanted(s) {
			continue
		}
		if s.Uses != "" {
			with := map[string]string{}
			for k, v := range s.With {
				with[k] = j.expand(v)
			}
			j.used = append(j.used, fmt.Sprint(s.Uses, " ", with))
			continue
		}
		if err := j.script(s); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

func (j *job) script(s actionStep) error {
	outputs := filepath.Join(j.temp, "outputs")
	if err := os.WriteFile(outputs, nil, 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(j.t.Context(), "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", s.Run)
	cmd.Dir = j.dir
	cmd.Env = append(os.Environ(), "GITHUB_ACTION_PATH="+moduleRoot(j.t), "RUNNER_TEMP="+j.temp, "KODA_HOME="+filepath.Join(j.temp, "home"),
		"GITHUB_OUTPUT="+outputs, "GITHUB_STEP_SUMMARY="+filepath.Join(j.temp, "summary"))
	cmd.Env = append(cmd.Env, j.env...)
	for k, v := range s.Env {
		cmd.Env = append(cmd.Env, k+"="+j.expand(v))
	}
	log, err := cmd.CombinedOutput()
	j.log += string(log)
	text, readErr := os.ReadFile(outputs)
	if readErr != nil {
		return readErr
	}
	if s.ID != "" {
		j.steps[s.ID] = parseOutputs(j.t, string(text))
	}
	return err
}

// parseOutputs reads NAME<<END, the lines of the value, END, as the runner does.
func parseOutputs(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for text != "" {
		head, rest, _ := strings.Cut(text, "\n")
		name, end, ok := strings.Cut(head, "<<")
		value, after, found := strings.Cut(rest, "\n"+end+"\n")
		if !ok || !found {
			t.Fatalf("not an output: %q", text)
		}
		all[name], text = value, after
	}
	return all
}

// koda puts a program in koda's place. It writes down its arguments, one a line, and
// prints what is given.
func (j *job) koda(prints string, status int) {
	j.t.Helper()
	dir := filepath.Join(j.temp, "koda")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		j.t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\nprintf '<%%s>\\n' \"$@\" >%q\ncat <<'END'\n%s\nEND\nexit %d\n", filepath.Join(dir, "said"), prints, status)
	if err := os.WriteFile(filepath.Join(dir, "koda"), []byte(script), 0o700); err != nil {
		j.t.Fatal(err)
	}
}

const actionVideo = "Make the video"

// needsAction names the programs that the scripts of the action need.
func needsAction(t *testing.T) {
	t.Helper()
	needs.Program(t, "jq", "sudo apt-get install jq")
	needs.Program(t, "curl", "sudo apt-get install curl")
}
