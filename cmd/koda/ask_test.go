package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/needs"
)

// asked is the result of koda ask --json.
type asked struct {
	Payload struct {
		OK       bool
		ExitCode int
		Answer   string
		Turn     int
		Cost     koda.Cost
		Copy     struct{ Dir, Commit string }
		Error    struct{ Code, Hint string }
	}
}

func resultOf(t *testing.T, out string) (a asked) {
	t.Helper()
	lines := strings.Split(out, "\n")
	must(t, json.Unmarshal([]byte(lines[len(lines)-1]), &a))
	return a
}

func answers(text string) llmtest.Step {
	return llmtest.Step{Response: llm.Response{Parts: []llm.Part{{Text: text}}, Stop: llm.StopEnd, Model: llmtest.Name, Usage: llm.Usage{Input: 1000, Output: 50}}}
}

// TestAsk: a model answers a question about a project of a recipe. It reads files and
// history, and can write nothing; the question is a turn, and changes nothing else.
func TestAsk(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	r := newModelRun(t, llmtest.OpenAI, "openai",
		uses("sandbox_read_file", fields{"path": "src/theatre/params.json"}, "sandbox_read_file", fields{"path": "history/v2.diff"},
			"sandbox_write_file", fields{"path": "src/App.tsx", "content": "x"}, "sandbox_read_file", fields{"path": "../../../etc/passwd"},
			"sandbox_run_command", fields{"command": "id"}, "finish", fields{"summary": "done"}),
		llmtest.Step{Response: llm.Response{Stop: llm.StopEnd, Model: llmtest.Name}}, // nothing at all
		answers("The ball is #1fa34a since v2: src/theatre/params.json:4."),
		llmtest.Step{Fail: koda.CodeUnauthorized},
		answers("It was red."),
		uses("sandbox_read_file", fields{"path": "koda.json"}), answers("Square."), // killed between the two
		uses("sandbox_read_file", fields{"path": "koda.json"}), answers("Six."), // killed, and not asked again
		answers("Still here."))
	env := r.env
	r.env = append(env, "KODA_MODEL=")
	for _, args := range [][]string{{"new", "bouncing ball", "--name", "ball", "--preset", "square", "--duration", "1.5"}, {"answer", "ball", "1"}, {"accept", "ball"}, {"code", "-p", "ball", "make it green"}} {
		if out, errs, status := r.koda(args...); status != 0 && status != 3 {
			t.Fatalf("%q: %d: %s%s", args, status, out, errs)
		}
	}
	r.env = env
	dir := filepath.Join(r.dir, "ball")
	state := func() string { return treeOf(t, dir, "/.koda/") }
	before := state()
	out, errs, status := r.koda("ask", "what", "colour is the ball?", "-p", "ball")
	if status != 0 || out != "The ball is #1fa34a since v2: src/theatre/params.json:4." || !strings.Contains(errs, "1100 tokens read, 70 written") {
		t.Errorf("status %d: %q\n%s", status, out, errs)
	}
	var told []string
	for _, req := range r.server.Asked() {
		told = append(told, string(req))
	}
	if len(told) != 3 {
		t.Fatalf("asked %d times", len(told))
	}
	for _, want := range []string{"what colour is the ball?", "bouncing ball", "v2 from v1", "make it green", "history/v2.diff", "src/theatre/params.json", "sandbox_read_file", "sandbox_list_files"} {
		if !strings.Contains(told[0], want) {
			t.Errorf("the model was not told %q", want)
		}
	}
	for _, not := range []string{"sandbox_write_file", "edit_file", "sandbox_delete_file", "sandbox_run_command"} {
		if strings.Contains(told[0], `"name":"`+not) {
			t.Errorf("the model was offered %s", not)
		}
	}
	if !strings.Contains(told[1], `1fa34a`) || !strings.Contains(told[1], "You can only read here") || strings.Contains(told[1], "root:") || !strings.Contains(told[2], "You gave no answer") {
		t.Error("the model was not told what its calls came to")
	}
	if state() != before {
		t.Error("a question changed files")
	}
	// A failure of the service is no failure of the project.
	out, _, status = r.koda("ask", "-p", "ball", "--json", "and before?")
	if res := resultOf(t, out); status != 4 || res.Payload.Error.Code != "UNAUTHORIZED" || strings.Contains(res.Payload.Error.Hint, "resume") {
		t.Errorf("status %d: %+v", status, res)
	}
	if res := resultOf(t, first2(r.koda("ask", "-p", "ball", "--json", "and before?"))); res.Payload.Answer != "It was red." || !res.Payload.OK || res.Payload.Cost.OutputTokens != 50 {
		t.Errorf("%+v", res)
	}
	out, _, _ = r.koda("show", "ball", "--json")
	if strings.Count(out, `"kind":"ask"`) != 3 || !strings.Contains(out, `"waiting":"preview"`) || !strings.Contains(out, `"inputTokens":2100`) {
		t.Errorf("show: %s", out)
	}
	askAndDie(t, r)
	if out, errs, status := r.koda("undo", "ball"); status != 0 || !strings.Contains(out+errs, "v1") {
		t.Errorf("undo after questions: %d, %s%s", status, out, errs)
	}
	askOfCommit(t, r)
}

// askAndDie kills koda after the first answer to a question. The same question pays no
// answer twice; anything else that is done with the project drops the question.
func askAndDie(t *testing.T, r *modelRun) {
	t.Helper()
	env := r.env
	asked := len(r.server.Asked())
	r.env = append(env, "KODA_FAILPOINT=engine.model:2")
	if _, _, status := r.koda("ask", "-p", "ball", "which shape?"); status != -1 {
		t.Fatalf("status %d, and not killed", status)
	}
	if out, _, _ := r.koda("show", "ball", "--json"); !strings.Contains(out, `"waiting":"preview"`) {
		t.Errorf("while a question is pending: %s", out)
	}
	r.env = env
	if out, errs, status := r.koda("ask", "-p", "ball", "which shape?"); status != 0 || out != "Square." || len(r.server.Asked()) != asked+2 {
		t.Errorf("asked %d times: %d, %s%s", len(r.server.Asked())-asked, status, out, errs)
	}
	r.env = append(env, "KODA_FAILPOINT=engine.model:2")
	r.koda("ask", "-p", "ball", "how many?")
	r.env = env
	if out, errs, status := r.koda("accept", "ball"); status != 0 || !strings.HasSuffix(out, ".mp4") {
		t.Errorf("accept after a question that was killed: %d, %s%s", status, out, errs)
	}
	if out, _, status := r.koda("ask", "-p", "ball", "how many?"); status != 0 || out != "Six." {
		t.Errorf("%d, %s", status, out)
	}
}

// askOfCommit asks about a commit of a repository that holds another state of the project.
func askOfCommit(t *testing.T, r *modelRun) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "ball"}, {"-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "the red ball"}} {
		git := exec.CommandContext(t.Context(), "git", args...)
		git.Dir = r.dir
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	must(t, os.RemoveAll(filepath.Join(r.dir, "ball", "src")))
	before := treeOf(t, r.dir, "/.koda")
	out, errs, status := r.koda("ask", "-p", "ball", "--ref", "HEAD", "--json", "what is there?")
	res := resultOf(t, out)
	if status != 0 || res.Payload.Answer != "Still here." || len(res.Payload.Copy.Commit) != 40 || !strings.HasPrefix(res.Payload.Copy.Dir, filepath.Join(r.dir, ".koda-home", "commits")) {
		t.Errorf("status %d: %+v\n%s", status, res, errs)
	}
	if got := treeOf(t, r.dir, "/.koda"); got != before {
		t.Error("the repository or the project was written to")
	}
	all := r.server.Asked()
	if last := string(all[len(all)-1]); !strings.Contains(last, "A: the red ball") || !strings.Contains(last, "MainScene.tsx") {
		t.Error("the model was not told of the commit")
	}
}

func first2(out, _ string, _ int) string { return out }

// treeOf has every file below a directory with its content, but for paths that have a text.
func treeOf(t *testing.T, dir, without string) string {
	t.Helper()
	var s strings.Builder
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path[len(dir):], without) {
			return err
		}
		data, err := os.ReadFile(path)
		s.WriteString(path + "\n" + string(data) + "\n")
		return err
	}))
	return s.String()
}
