package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm/llmtest"
)

const titleFile = "src/scenes/Title.tsx"

// asModel is the command that begins a project of a model.
var asModel = []string{"new", "a ball drops and a title rises", "--sandbox", "local", "--preset", "square", "--name", "demo", "--yes"}

// edited is an answer that changes a file and then asks to finish.
func edited(path, from, to string) llmtest.Step {
	return uses("edit_file", fields{"path": path, "old_string": from, "new_string": to}, "finish", fields{"summary": "Mended."})
}

// heardAfter are the texts of a request after a mark, with quotes and line ends as they were.
func heardAfter(body []byte, mark string) string {
	text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\\n`, "\n", `\n`, "\n", `\\\"`, `"`, `\"`, `"`).Replace(string(body))
	_, after, _ := strings.Cut(text, mark)
	return after
}

// TestModelRun_mends: a model mends what the page throws, and what it sees on the picture.
// A change later touches only what it must, and the video is made anew.
func TestModelRun_mends(t *testing.T) {
	inModels(t)
	t.Parallel()
	for name, w := range map[string]struct {
		wire    llmtest.Wire
		picture string // as the wire has it
	}{
		"anthropic": {llmtest.Anthropic, `"media_type":"image/jpeg","type":"base64"`},
		"openai":    {llmtest.OpenAI, `"url":"data:image/jpeg;base64,/9j/`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ball := ballAndTitle()
			done := ball[3]
			throws := "if (t > start && t < start + 0.1) throw new Error('the title is not there yet')\n  if (t < start) return null"
			steps := []llmtest.Step{
				ball[0], ball[1],
				uses("edit_file", fields{"path": titleFile, "old_string": "if (t < start) return nothing(", "new_string": throws}, "finish", fields{"summary": "Set up."}),
				edited(titleFile, throws, "if (t < start) return null"), done,
				done, // scene 1
				edited("src/look.ts", "ink: '#f5f3ee'", "ink: '#2a3448'"), // scene 2, hard to read
				edited("src/look.ts", "ink: '#2a3448'", "ink: '#ffe8a3'"), done,
				done, done, // the finish
				edited("src/look.ts", "ball: '#ff6b4a'", "ball: '#4a7bff'"), uses("finish", fields{"summary": "The ball is blue now."}),
			}
			r := newModelRun(t, w.wire, name, steps...)
			out, errs, status := r.koda(asModel...)
			asked := r.server.Asked()
			if status != 0 || len(asked) != len(steps)-2 {
				t.Fatalf("status %d, asked %d times: %s\n%s", status, len(asked), out, errs)
			}
			for n, want := range map[int]string{
				2: "BUILD_FAILED: src/scenes/Title.tsx:8",
				3: "PAGE_FAILED: ",
				4: "The page builds and draws.",
				7: `contrast: "Hello" has 1.4:1 and needs 3.0:1`,
				8: `"Hello" at x `,
			} {
				if text := heardAfter(asked[n], want); text == "" {
					t.Errorf("before request %d the model was not told %s", n, want)
				} else if n == 3 && (!strings.Contains(text[:min(len(text), 600)], "the title is not there yet (Title at src/scenes/Title.tsx:7:43: if (")) {
					t.Errorf("of what the page throws the model was told %.600s", text)
				}
			}
			if !bytes.Contains(asked[4], []byte(w.picture)) || bytes.Contains(asked[3], []byte(w.picture)) {
				t.Errorf("the picture is not as %s wants it", name)
			}
			if out, errs, status = r.koda("edit", "demo", "make the ball blue"); status != 0 || !strings.HasSuffix(out, "demo-v2-square.mp4") {
				t.Fatalf("edit: status %d: %s\n%s", status, out, errs)
			}
			if changed, _, _ := r.koda("diff", "demo", "--json"); strings.Count(changed, `"path":`) != 1 || !strings.Contains(changed, `"path":"src/look.ts"`) {
				t.Errorf("koda diff: %s", changed)
			}
			if said, _, _ := r.koda("messages", "demo"); !strings.Contains(said, "The ball is blue now.") {
				t.Errorf("koda messages: %s", said)
			}
			r.keepsKey()
		})
	}
}

// TestModelRun_heard: what a person says during the work is a todo of its own, which the
// model does after the todos it knew.
func TestModelRun_heard(t *testing.T) {
	inModels(t)
	t.Parallel()
	steps := ballAndTitle()
	hold := make(chan struct{})
	steps[4].Hold = hold
	steps = append(steps, edited("src/look.ts", "ball: '#ff6b4a'", "ball: '#4a7bff'"), uses("finish", fields{"summary": "The ball is blue now."}))
	r := newModelRun(t, llmtest.OpenAI, "openai", steps...)
	cmd := exec.CommandContext(t.Context(), os.Args[0], append(asModel, "--json")...)
	cmd.Dir, cmd.Env = r.dir, r.env
	var errs bytes.Buffer
	cmd.Stderr = &errs
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	events := bufio.NewScanner(stdout)
	events.Buffer(nil, 1<<24)
	var last string
	for said := false; events.Scan(); last = events.Text() {
		if !said && strings.Contains(events.Text(), `"TODO_UPDATE"`) && strings.Contains(events.Text(), `"todoId":"2"`) && strings.Contains(events.Text(), `"active"`) {
			said = true
			if _, errs, status := r.koda("say", "demo", "make the ball blue"); status != 0 {
				t.Errorf("say: status %d: %s", status, errs)
			}
			close(hold)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s\n%s", err, last, errs.String())
	}
	asked := r.server.Asked()
	if n := len(asked); n != len(steps) {
		t.Fatalf("asked %d times", n)
	}
	if text := heardAfter(asked[len(asked)-2], "a change that the person asks for:"); !strings.HasPrefix(text, "\n<wish>\nmake the ball blue\n</wish>") {
		t.Errorf("the model was told %.300s", text)
	}
	look, err := os.ReadFile(filepath.Join(r.dir, "demo", "src", "look.ts"))
	must(t, err)
	if !strings.Contains(string(look), "#4a7bff") || !strings.Contains(last, `"complete"`) {
		t.Errorf("at the end: %s\n%s", look, last)
	}
}

// phaseOf is the phase of the project, and what failed.
func (r *modelRun) phaseOf() (phase, failure string, retry bool) {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, "demo", ".koda", "state.json"))
	must(r.t, err)
	var saved koda.StateFile
	must(r.t, json.Unmarshal(text, &saved))
	if e := saved.NodeState.Error; e != nil {
		return string(saved.NodeState.Phase), e.Message, e.CanRetry
	}
	return string(saved.NodeState.Phase), "", false
}

// TestModelRun_errors goes through the ways in which making an animation fails: what the
// model is told, what the person is told, the status, and that the work goes on from there.
func TestModelRun_errors(t *testing.T) {
	inModels(t)
	t.Parallel()
	ball := ballAndTitle()
	rest := ball[4:] // after the set-up
	bad := uses("sandbox_write_file", fields{"path": titleFile, "content": "export function Title( {"}, "finish", fields{"summary": "Mended."})
	mended := func() llmtest.Step {
		var s llmtest.Step
		for _, p := range ball[1].Response.Parts {
			var in struct{ Path, Content string }
			must(t, json.Unmarshal(p.Use.Input, &in))
			if in.Path == titleFile {
				s = uses("sandbox_write_file", fields{"path": in.Path, "content": strings.Replace(in.Content, "return nothing(", "return null", 1)}, "finish", fields{"summary": "Mended."})
			}
		}
		return s
	}()
	same := func(s llmtest.Step, n int) (all []llmtest.Step) {
		for range n {
			all = append(all, s)
		}
		return all
	}
	decline := uses("decline", fields{"reason": "Nobody can film your street by code.", "suggestion": "a drawn map of it"})
	for name, tt := range map[string]struct {
		steps   []llmtest.Step
		more    []string // arguments
		status  int
		says    []string // to the person
		told    map[int]string
		phase   string
		failure string
		retry   bool
		then    []string // the command that goes on
		ends    int      // its status
	}{
		"a syntax error stays": {
			steps: slices.Concat(ball[:2], same(bad, 4), []llmtest.Step{mended}, ball[3:4], rest), status: 1,
			says:  []string{"the model could not mend the page in 3 tries: src/scenes/Title.tsx:1", "koda resume"},
			told:  map[int]string{3: "BUILD_FAILED: src/scenes/Title.tsx:1"},
			phase: "error", failure: "could not mend", retry: true, then: []string{"resume", "demo"},
		},
		"a command fails": { // there is no shell on this machine
			steps: slices.Concat(ball[:1], []llmtest.Step{uses("sandbox_run_command", fields{"command": "bun run build"})}, ball[1:]),
			told:  map[int]string{2: "COMMAND_BLOCKED"}, phase: "complete",
		},
		"the render fails": { // at a frame that only the final video has
			steps: slices.Concat(ball[:2], []llmtest.Step{
				edited(titleFile, "if (t < start) return nothing(", "if (Math.abs(t - 17 / 30) < 0.001) throw new Error('gone')\n  if (t < start) return null"),
			}, ball[3:4], rest, []llmtest.Step{edited(titleFile, "throw new Error('gone')", "return null"), uses("finish", fields{"summary": "Mended."})}),
			status: 8, says: []string{"Error: gone (Title at src/scenes/Title.tsx:7"}, phase: "error", failure: "gone", retry: true,
			then: []string{"edit", "demo", "mend it"},
		},
		"the time is up": {
			steps: ball, more: []string{"--timeout", "100ms"}, status: 124, says: []string{"the model worked longer than 100ms", "koda resume demo"},
			phase: "error", failure: "longer than", retry: true, // TestModelRun_limits goes on
		},
		"it is unclear": {
			steps: slices.Concat([]llmtest.Step{uses("ask", fields{"text": "Which style?", "options": []fields{{"id": "playful", "label": "Playful"}, {"id": "calm", "label": "Calm"}}})}, ball),
			more:  []string{"--yes=false"}, status: 3, says: []string{"Which style?", "koda answer"}, phase: "question", then: []string{"answer", "demo", "1"}, ends: 3,
		},
		"it is impossible": {
			steps: []llmtest.Step{decline}, status: 3,
			says: []string{"Nobody can film your street by code", "a drawn map of it"}, phase: "idle",
		},
		"the question is impossible": {
			steps: []llmtest.Step{decline}, more: []string{"--yes=false"}, status: 3,
			says: []string{"Nobody can film your street by code", "a drawn map of it"}, phase: "idle",
		},
		"the plan is impossible, and nothing was asked": {
			steps: []llmtest.Step{goOn, decline}, more: []string{"--yes=false"}, status: 3,
			says: []string{"Nobody can film your street by code", "a drawn map of it"}, phase: "idle",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newModelRun(t, llmtest.Anthropic, "anthropic", tt.steps...)
			out, errs, status := r.koda(append(slices.Clone(asModel), tt.more...)...)
			phase, failure, retry := r.phaseOf()
			if status != tt.status || tt.phase != "" && phase != tt.phase || !strings.Contains(failure, tt.failure) || retry != tt.retry {
				t.Errorf("status %d, phase %s, failure %q, retry %t: %s", status, phase, failure, retry, errs)
			}
			for _, want := range tt.says {
				if !strings.Contains(out+errs, want) {
					t.Errorf("koda says %s%s, not %q", out, errs, want)
				}
			}
			for n, want := range tt.told {
				if asked := r.server.Asked(); len(asked) <= n || heardAfter(asked[n], want) == "" {
					t.Errorf("before request %d of %d the model was not told %s", n, len(asked), want)
				}
			}
			if said, _, _ := r.koda("messages", "demo"); !strings.Contains(said, "a ball drops and a title rises") {
				t.Errorf("the wish is lost: %s", said)
			}
			if phase == "idle" {
				if shown, _, _ := r.koda("show", "demo"); !strings.Contains(shown, "declined") || !strings.Contains(shown, "Nobody can film your street") || !strings.Contains(shown, "a drawn map of it") {
					t.Errorf("koda show: %s", shown)
				}
			}
			if tt.then == nil {
				return
			}
			before := len(r.server.Asked())
			out, errs, status = r.koda(tt.then...)
			if phase, failure, _ = r.phaseOf(); status != tt.ends || failure != "" || status == 0 && phase != "complete" {
				t.Errorf("%q: status %d, phase %s, %s: %s\n%s", tt.then, status, phase, failure, out, errs)
			}
			if len(r.server.Asked()) == before && tt.status != 124 {
				t.Errorf("%q asked nothing", tt.then)
			}
		})
	}
}
