package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/templates"
)

// exampleFile is a file in the worked example that models are told.
var exampleFile = regexp.MustCompile("(?ms)^```[a-z]+ (\\S+)$\n(.*?)^```$")

// modelRun is a home with the service of a scripted model.
type modelRun struct {
	t      *testing.T
	dir    string
	server *llmtest.Server
	env    []string
}

func newModelRun(t *testing.T, w llmtest.Wire, provider string, steps ...llmtest.Step) *modelRun {
	t.Helper()
	needs.FFmpeg(t)
	r := &modelRun{t: t, dir: t.TempDir()}
	home := filepath.Join(r.dir, ".home")
	must(t, os.MkdirAll(home, 0o755))
	r.env = append(os.Environ(), asKoda+"=1", "HOME="+home, "KODA_HOME="+filepath.Join(r.dir, ".koda-home"), "XDG_CONFIG_HOME=", "XDG_DATA_HOME=",
		"KODA_MODEL="+provider+"/"+llmtest.Name, strings.ToUpper(provider)+"_API_KEY="+llmtest.Key)
	r.serve(w, steps...)
	return r
}

// serve has another service from now on. A project that has a model goes on with it by the
// flags of there.
func (r *modelRun) serve(w llmtest.Wire, steps ...llmtest.Step) {
	r.t.Helper()
	r.server = llmtest.Serve(r.t, w, steps...)
	r.env = append(r.env, "KODA_BASE_URL="+r.server.URL)
}

// there are the flags of the service.
func (r *modelRun) there() []string {
	return []string{"--model", "openai/" + llmtest.Name, "--base-url", r.server.URL}
}

// koda runs a command and returns its output, its messages and its status.
func (r *modelRun) koda(args ...string) (out, errs string, status int) {
	r.t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(r.t.Context(), os.Args[0], args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.dir, r.env, &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	return strings.TrimSpace(stdout.String()), stderr.String(), cmd.ProcessState.ExitCode()
}

// inModels leaves a test to `make models`, which runs all ways in which a model makes videos;
// the short form has the plain way.
func inModels(t *testing.T) {
	t.Helper()
	if os.Getenv("KODA_MODELS") != "all" {
		t.Skip("make models runs it")
	}
}

// inServers leaves a test to `make servers`, which runs a server in every way; the short form has
// the plain way.
func inServers(t *testing.T) {
	t.Helper()
	if os.Getenv("KODA_SERVERS") != "all" && os.Getenv("KODA_CRASH") != "all" {
		t.Skip("make servers runs it")
	}
}

// uses is an answer that uses tools: name and input in turn.
func uses(nameAndInput ...any) llmtest.Step {
	s := llmtest.Step{Thinking: "Let me see.", Response: llm.Response{Stop: llm.StopTools, Model: llmtest.Name, Usage: llm.Usage{Input: 100, Output: 20}}}
	for i := 0; i < len(nameAndInput); i += 2 {
		raw, err := json.Marshal(nameAndInput[i+1])
		if err != nil {
			panic(err)
		}
		s.Response.Parts = append(s.Response.Parts, llm.Part{Use: &llm.ToolUse{
			ID: "use_" + string(rune('a'+i)), Name: nameAndInput[i].(string), Input: raw,
		}})
	}
	return s
}

type fields = map[string]any

// goOn is the answer of a model that has nothing to ask.
var goOn = uses("go_on", fields{})

// ballAndTitle is a project of the worked example in which nobody is asked: plan, a set-up with
// a mistake that is mended, two scenes, and the finish.
func ballAndTitle() []llmtest.Step {
	scene := func(title string) fields {
		return fields{"title": title, "duration": 2, "description": title, "enter": "drops", "enter_seconds": 0.6, "hold": "rests", "exit": "rolls away", "exit_seconds": 0.4}
	}
	done := uses("finish", fields{"summary": "A ball drops, and a title rises."})
	text, err := templates.Prompts().Open("example.md")
	if err != nil {
		panic(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(text); err != nil {
		panic(err)
	}
	setup := uses()
	for _, m := range exampleFile.FindAllStringSubmatch(b.String(), -1) {
		content := m[2]
		if m[1] == "src/scenes/Title.tsx" {
			content = strings.Replace(content, "return null", "return nothing(", 1)
		}
		setup.Response.Parts = append(setup.Response.Parts, uses("sandbox_write_file", fields{"path": m[1], "content": content}).Response.Parts...)
	}
	setup.Response.Parts = append(setup.Response.Parts, uses("finish", fields{"summary": "All is set up."}).Response.Parts...)
	for i := range setup.Response.Parts {
		setup.Response.Parts[i].Use.ID = "use_" + string(rune('a'+i))
	}
	mended := uses("edit_file", fields{"path": "src/scenes/Title.tsx", "old_string": "\tif (t < start) return nothing(", "new_string": "\tif (t < start) return null"},
		"sandbox_write_file", fields{"path": "../outside.ts", "content": "x"},
		"sandbox_delete_file", fields{"path": "src/scenes/MainScene.tsx"}, "sandbox_delete_file", fields{"path": "src/components/Disc.tsx"}, "check", fields{})
	return []llmtest.Step{
		uses("propose_plan", fields{"style": "playful", "duration": 4, "scenes": []fields{scene("Ball"), scene("Title")}}),
		setup, mended, done, // the set-up
		done, done, // the scenes, which the set-up has drawn
		uses("check", fields{"times": []float64{1, 3}}), done, // the finish
	}
}

// TestModelRun makes a video by a model, on both wires: what it writes, what koda tells it
// of a mistake, and what it cost.
func TestModelRun(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]llmtest.Wire{"anthropic": llmtest.Anthropic, "openai": llmtest.OpenAI} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			steps := ballAndTitle()
			r := newModelRun(t, w, name, steps...)
			must(t, os.WriteFile(filepath.Join(r.dir, "mine.md"), []byte("# Design\nMind the golden ratio.\n"), 0o644))
			r.koda("prompts", "edit", "design", "mine.md")
			out, errs, status := r.koda("new", "a ball drops and a title rises", "--sandbox", "local", "--preset", "square", "--name", "demo", "--yes")
			if status != 0 || !strings.HasSuffix(out, filepath.Join("demo", "renders", "demo-v1-square.mp4")) {
				t.Fatalf("status %d: %s\n%s", status, out, errs)
			}
			if !strings.Contains(errs, "without a sandbox of its own") && os.Getuid() == 0 {
				t.Errorf("as root koda said %s", errs)
			}
			if n := len(r.server.Asked()); n != len(steps) {
				t.Errorf("the model was asked %d times, not %d", n, len(steps))
			}
			told := string(r.server.Asked()[2])
			if _, told, _ = strings.Cut(told, "BUILD_FAILED"); !strings.Contains(told, "src/scenes/Title.tsx:8") {
				t.Errorf("of the mistake the model was told %.600s", told)
			}
			told = string(r.server.Asked()[3]) // the edit was quoted with a tab, and nothing lies outside of the project
			if !strings.Contains(told, `\"matched\":\"indentation-flexible\"`) || !strings.Contains(told, "INVALID_PATH") {
				t.Errorf("of the edits the model was told %.3000s", told)
			}
			shown, _, _ := r.koda("show", "demo", "--json")
			if !strings.Contains(shown, `"author":"model"`) || !strings.Contains(shown, `"model":"scripted"`) {
				t.Errorf("koda show: %s", shown)
			}
			past, _, _ := r.koda("history", "demo")
			if !strings.Contains(string(r.server.Asked()[2]), "Mind the golden ratio.") || !strings.Contains(past, "told by your design") {
				t.Errorf("koda history: %s", past)
			}
			state, err := os.ReadFile(filepath.Join(r.dir, "demo", ".koda", "state.json"))
			must(t, err)
			var saved koda.StateFile
			must(t, json.Unmarshal(state, &saved))
			if o := saved.NodeState.Output; o == nil || o.Duration != 4 {
				t.Errorf("the video is %+v", saved.NodeState.Output)
			}
			r.keepsKey()
		})
	}
}

// keepsKey: the key is in no file.
func (r *modelRun) keepsKey() {
	r.t.Helper()
	err := filepath.WalkDir(r.dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(p)
		if bytes.Contains(data, []byte(llmtest.Key)) {
			r.t.Errorf("%s has the key", p)
		}
		return err
	})
	must(r.t, err)
}

func tail(text string, n int) string { return text[max(0, len(text)-n):] }

// TestModelRun_failures: each failure has its status and says what to do. What was answered
// is not asked again.
func TestModelRun_failures(t *testing.T) {
	inModels(t)
	t.Parallel()
	steps := ballAndTitle()
	for name, tt := range map[string]struct {
		steps  []llmtest.Step
		status int
		says   string
	}{
		"not an animation": {[]llmtest.Step{uses("decline", fields{"reason": "This is a recipe for soup.", "suggestion": "an animated recipe card"})}, 3, "This is a recipe for soup"},
		"wrong key":        {[]llmtest.Step{{Fail: koda.CodeUnauthorized}}, 4, "OPENAI_API_KEY"},
		"no network":       {[]llmtest.Step{steps[0], {Fail: koda.CodeNetwork}}, 6, "koda resume"},
		"to pay":           {[]llmtest.Step{steps[0], {Fail: koda.CodeLimitReached}}, 7, "koda resume"},
		"no plan":          {[]llmtest.Step{uses("propose_plan", fields{"style": "x", "duration": 4})}, 1, "gave no usable answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newModelRun(t, llmtest.OpenAI, "openai", tt.steps...)
			_, errs, status := r.koda("new", "a ball", "--sandbox", "local", "--name", "demo", "--yes")
			if status != tt.status || !strings.Contains(errs, tt.says) {
				t.Errorf("status %d: %s", status, errs)
			}
			if slices.Contains([]int{6, 7}, tt.status) {
				asked := len(r.server.Asked())
				if _, errs, status = r.koda("resume", "demo"); status != tt.status {
					t.Errorf("resumed, status %d: %s", status, errs)
				}
				for _, body := range r.server.Asked()[asked:] {
					if !bytes.Equal(body, r.server.Asked()[asked-1]) {
						t.Errorf("asked anew: %s", tail(string(body), 300))
					}
				}
			}
		})
	}
}

// TestModelRun_killed kills koda before every call of the model, those for question and plan
// too: the service is asked once for each answer. A change that follows is built upon the
// video.
func TestModelRun_killed(t *testing.T) {
	inModels(t)
	t.Parallel()
	steps := append([]llmtest.Step{goOn}, ballAndTitle()...)
	last := len(steps)
	steps = append(steps,
		uses("edit_file", fields{"path": "src/look.ts", "old_string": "#ff6b4a", "new_string": "#4a7bff"}, "finish", fields{"summary": "The ball is blue."}),
		uses("finish", fields{"summary": "The ball is blue now."}),
		uses("decline", fields{"reason": "A ball has no voice.", "suggestion": "a speech bubble"}))
	r := newModelRun(t, llmtest.Anthropic, "anthropic", steps...)
	env := r.env
	args := []string{"new", "a ball drops and a title rises", "--sandbox", "local", "--preset", "square", "--name", "demo"}
	for n := range last {
		r.env = append(env[:len(env):len(env)], fmt.Sprintf("KODA_FAILPOINT=engine.model:%d", min(n, 1)+1))
		if out, errs, status := r.koda(args...); status != -1 || len(r.server.Asked()) != n {
			t.Fatalf("status %d, asked %d times: %s%s", status, len(r.server.Asked()), out, errs)
		}
		args = []string{"resume", "demo"}
		if n > 0 { // the question is behind it
			args = append(args, "--yes")
		}
	}
	r.env = env
	out, errs, status := r.koda(args...)
	if status != 0 || !strings.HasSuffix(out, "demo-v1-square.mp4") || len(r.server.Asked()) != last {
		t.Fatalf("status %d, asked %d times: %s\n%s", status, len(r.server.Asked()), out, errs)
	}

	if out, errs, status = r.koda("edit", "demo", "make the ball blue"); status != 3 && status != 0 {
		t.Fatalf("edit: status %d: %s\n%s", status, out, errs)
	}
	told := string(r.server.Asked()[last])
	if !strings.Contains(told, "make the ball blue") || !strings.Contains(told, `src/look.ts\"`) || !strings.Contains(told, "#ff6b4a") {
		t.Errorf("of the change the model was told %.3000s", told)
	}
	if said, _, _ := r.koda("messages", "demo"); !strings.Contains(said, "The ball is blue now.") {
		t.Errorf("koda messages: %s", said)
	}
	// A change that the model declines changes nothing, and says why.
	if _, errs, status = r.koda("edit", "demo", "give it a voice"); status != 2 || !strings.Contains(errs, "A ball has no voice.") || !strings.Contains(errs, "a speech bubble") {
		t.Errorf("declined: status %d: %s", status, errs)
	}
}

// TestModelRun_Docker makes the video in a container, where the model has a shell, on both
// wires. A command that fails is told, and another one follows.
func TestModelRun_Docker(t *testing.T) {
	t.Parallel()
	base := needs.Docker(t)
	for name, w := range map[string]llmtest.Wire{"anthropic": llmtest.Anthropic, "openai": llmtest.OpenAI} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ball := ballAndTitle()
			run := func(command string) llmtest.Step {
				return uses("sandbox_run_command", fields{"command": command}, "finish", fields{"summary": "Counted."})
			}
			steps := slices.Concat(ball[:4], []llmtest.Step{run("env; wc -c src/none.ts; exit 7"), run("wc -c src/look.ts")}, ball[4:])
			r := newModelRun(t, w, name, steps...)
			r.env = append(r.env, "KODA_SANDBOX_BASE="+base, "KODA_SANDBOX_MAX=none")
			out, errs, status := r.koda("new", "a ball drops and a title rises", "--sandbox", "docker", "--preset", "square", "--name", "demo", "--yes")
			if status != 0 || !strings.HasSuffix(out, filepath.Join("demo", "renders", "demo-v1-square.mp4")) || len(r.server.Asked()) != len(steps) {
				t.Fatalf("status %d, asked %d times: %s\n%s", status, len(r.server.Asked()), out, errs)
			}
			for n, want := range map[int][]string{5: {`"exit_code":7`, "PATH=", "src/none.ts: No such file"}, 6: {`"exit_code":0`, " src/look.ts"}} {
				for _, text := range want {
					if heardAfter(r.server.Asked()[n], text) == "" || bytes.Contains(r.server.Asked()[n], []byte(llmtest.Key)) {
						t.Errorf("before request %d the model was not told %s: %s", n, text, tail(string(r.server.Asked()[n]), 1500))
					}
				}
			}
			if _, errs, status = r.koda("delete", "demo", "--yes"); status != 0 {
				t.Errorf("delete: status %d: %s", status, errs)
			}
		})
	}
}
