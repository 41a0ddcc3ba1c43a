package model_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/templates"
)

const (
	finish = `{"summary":"A ball drops."}`
	app    = "src/App.tsx"
)

func task(kind koda.TaskKind) koda.Task {
	return koda.Task{
		Kind: kind, Todo: koda.Todo{ID: "1", Label: "Animate the drop"}, Brief: brief("ball"), Message: "a red ball",
		Plan: koda.Plan{TotalDuration: 4, Style: "playful", FPS: koda.DefaultFPS, Scenes: []koda.Scene{
			{Number: 1, Title: "Drop", Duration: 2, Description: "A ball"}, {Number: 2, Title: "Rest", Duration: 2, Description: "A title"},
		}},
	}
}

// broken is a page that is broken as long as its App has the text "wrong".
func broken(files map[string][]byte) ([]koda.Finding, error) {
	if strings.Contains(string(files[app]), "wrong") {
		return nil, &koda.Error{Code: koda.CodeBuildFailed, Op: "src/App.tsx:1:8: Expected \"}\"", Details: "1 │ wrong", Hint: "mend it"}
	}
	return nil, nil
}

// TestWork: the model writes a broken page, is told where, mends it, looks, and finishes.
func TestWork(t *testing.T) {
	t.Parallel()
	d := newDesk(
		calls("sandbox_write_file", write(app, "wrong"), "sandbox_read_file", `{"path":"src/nothing.ts"}`, "finish", finish),
		calls("edit_file", string(llm.Input(`{"path": "src`)), "write_file", write(app, "x"), "sandbox_write_file", write("src/main.tsx", "x"), "update_todo", `{}`),
		calls("check", `{"times":[1]}`, "edit_file", `{"path":"src/App.tsx","old_string":"wrong","new_string":"right"}`),
		says("It is done."),
		calls("finish", finish),
	)
	d.page = broken
	if err := author(t).Work(t.Context(), task(koda.TaskSetup), d.open()); err != nil {
		t.Fatal(err)
	}
	for n, wants := range [][]string{
		{"The files of the project:\n<files>\nkoda.json (", `<file path="src/App.tsx">`, "Your todo: the set-up", "Scene 2, Rest (2–4 s)"},
		{`{failed false: <tool_output>` + "\n" + `{"success":true,"path":"src/App.tsx"`, "{failed true: <tool_output>\nFILE_NOT_FOUND: ", "BUILD_FAILED: src/App.tsx:1:8: Expected \"}\"\n1 │ wrong\nHint: mend it"},
		{"is not valid JSON of one object, so nothing was done", "did you mean sandbox_write_file?\nHint: the tools are add_message, edit_file, sandbox_delete_file, sandbox_list_files, sandbox_read_file, sandbox_write_file, take_kit, check, finish, decline\n", "belongs to the starter", "koda does that by itself"},
		{"The page builds and draws.", `1.00 s: colours #101010; "Hello" at x 10–90 %, y 40–60 %`, "</page>[picture]", `"line":1`},
		{"You called no tool."},
	} {
		for _, want := range wants {
			if !strings.Contains(d.heard(n), want) {
				t.Errorf("before request %d the model was told %s, not %q", n, d.heard(n), want)
			}
		}
	}
	if got := string(d.files[app]); got != "right" || len(d.said) != 1 || d.said[0] != "A ball drops." {
		t.Errorf("App.tsx is %q, said %q", got, d.said)
	}
	m, err := koda.ParseManifest(d.files["koda.json"])
	if err != nil || m.Duration != 4 || len(m.Scenes) != 2 || m.Name != "ball" {
		t.Errorf("koda.json is %+v, %v", m, err)
	}
	// What comes first in a request never changes.
	asked := d.model.Asked()
	for _, req := range asked {
		if !req.Cache || req.System != asked[0].System || len(req.Tools) != len(asked[0].Tools) {
			t.Error("the beginning of a request changed")
		}
	}
}

// TestWork_looks: a todo is done only after the model has seen the page as it is.
func TestWork_looks(t *testing.T) {
	t.Parallel()
	d := newDesk(
		calls("sandbox_write_file", write(app, "good"), "finish", finish),
		calls("sandbox_write_file", write(app, "better"), "finish", finish),
		calls("finish", finish),
	)
	work := task(koda.TaskTodo)
	if err := author(t).Work(t.Context(), work, d.open()); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2} {
		if got := d.heard(n); strings.Count(got, "[picture]") != 1 || !strings.Contains(got, "call finish again") {
			t.Errorf("before request %d the model was told %s", n, got)
		}
	}
	if !strings.Contains(d.heard(0), "Your todo: Animate the drop.\na red ball") {
		t.Errorf("the model was told %s", d.heard(0))
	}
}

// TestWork_failed: a todo does not end in an answer whose other calls failed, which the model has
// not seen, even if nothing changed since it saw the page.
func TestWork_failed(t *testing.T) {
	t.Parallel()
	d := newDesk(
		calls("sandbox_write_file", write(app, "good"), "check", `{}`),
		calls("edit_file", `{"path":"src/App.tsx","search":"good","replace":"better"}`, "finish", finish),
		calls("edit_file", `{"path":"src/App.tsx","old_string":"good","new_string":"better"}`, "finish", finish),
		calls("finish", finish),
	)
	if err := author(t).Work(t.Context(), task(koda.TaskTodo), d.open()); err != nil {
		t.Fatal(err)
	}
	if got := d.heard(2); !strings.Contains(got, "{failed true: <tool_output>\nanother call of this answer failed") {
		t.Errorf("the model was told %s", got)
	}
	if got := string(d.files[app]); got != "better" || len(d.said) != 1 {
		t.Errorf("App.tsx is %q, said %q", got, d.said)
	}
}

// TestWork_demonstration: the starter's demonstration is no animation. A model that writes none has
// failed.
func TestWork_demonstration(t *testing.T) {
	t.Parallel()
	fresh := func(steps ...llmtest.Step) *desk {
		d := newDesk(steps...)
		for _, name := range []string{app, "src/scenes/MainScene.tsx"} {
			text, err := fs.ReadFile(templates.Starter(), name)
			if err != nil {
				t.Fatal(err)
			}
			d.files[name] = text
		}
		return d
	}
	end := calls("finish", finish)
	d := fresh(end, end, calls("sandbox_write_file", write("src/scenes/MainScene.tsx", "a ball")), end, end)
	if err := author(t).Work(t.Context(), task(koda.TaskSetup), d.open()); err != nil {
		t.Fatal(err)
	}
	if got := d.heard(2); !strings.Contains(got, "the starter's demonstration still: nothing of the plan is shown") {
		t.Errorf("the model was told %s", got)
	}
	d = fresh(end, end, end, end, end, end)
	if err := author(t).Work(t.Context(), task(koda.TaskSetup), d.open()); koda.CodeOf(err) != koda.CodeFailed || len(d.said) != 0 || !strings.Contains(err.Error(), "wrote no animation") {
		t.Errorf("a model that writes nothing: %v, said %q", err, d.said)
	}
}

// TestWork_nothing: if one todo did the work of the next, and the page is as the model saw it, one
// answer ends the next. Who changes nothing of what the person asks for is urged to, once.
func TestWork_nothing(t *testing.T) {
	t.Parallel()
	small := koda.Finding{Kind: koda.FindingOutside, About: "a title"}
	for name, tt := range map[string]struct {
		kind   koda.TaskKind
		edited []string
		found  []koda.Finding
		want   int // requests
	}{
		"a scene": {kind: koda.TaskScene, want: 1}, "a todo of the plan": {kind: koda.TaskTodo, want: 1},
		"the set-up": {kind: koda.TaskSetup, want: 2}, "the finish": {kind: koda.TaskFinish, want: 2}, "a change": {kind: koda.TaskChange, want: 3},
		"edited by hand":      {kind: koda.TaskScene, edited: []string{"src/App.tsx"}, want: 2},
		"something seems odd": {kind: koda.TaskScene, found: []koda.Finding{small}, want: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(calls("finish", finish), calls("finish", finish), calls("finish", finish))
			d.page = func(map[string][]byte) ([]koda.Finding, error) { return tt.found, nil }
			work := task(tt.kind)
			work.HandEdited = tt.edited
			if err := author(t).Work(t.Context(), work, d.open()); err != nil {
				t.Fatal(err)
			}
			if n := len(d.model.Asked()); n != tt.want || d.drawn != 1 || len(d.said) != 1 {
				t.Errorf("asked %d times, drawn %d times, said %q", n, d.drawn, d.said)
			}
		})
	}
}

// TestWork_ends: whatever a model does, a todo ends.
func TestWork_ends(t *testing.T) {
	t.Parallel()
	again := func(step llmtest.Step) func(int, llm.Request) llmtest.Step {
		return func(int, llm.Request) llmtest.Step { return step }
	}
	for name, tt := range map[string]struct {
		kind   koda.TaskKind
		script func(int, llm.Request) llmtest.Step
		want   string
		most   int // requests
	}{
		"broken for ever": {koda.TaskTodo, func(n int, _ llm.Request) llmtest.Step {
			return calls("sandbox_write_file", write(app, fmt.Sprint("wrong ", n)), "finish", finish)
		}, "FAILED the model could not mend the page in 3 tries: src/App.tsx:1:8", 4},
		"only talks": {koda.TaskTodo, again(says("soon")), "FAILED the model repeats itself", 6},
		"in circles": {koda.TaskTodo, again(calls("sandbox_read_file", `{"path":"src/App.tsx"}`)), "FAILED the model repeats itself", 6},
		"never done": {koda.TaskTodo, func(n int, _ llm.Request) llmtest.Step {
			return calls("sandbox_write_file", write(fmt.Sprintf("src/%d.ts", n), "x"))
		}, "LIMIT_REACHED the model was asked as often as one step may", 40},
		"declines a change": {koda.TaskChange, again(calls("decline", decline)), "INVALID_INPUT Nobody can cook soup", 1},
		"declines a todo":   {koda.TaskTodo, again(calls("decline", decline)), "LIMIT_REACHED", 40},
		"too long":          {koda.TaskTodo, again(llmtest.Step{Response: llm.Response{Stop: llm.StopContext}}), "LIMIT_REACHED the project is too long for the model", 3},
		"no network":        {koda.TaskTodo, again(llmtest.Step{Fail: koda.CodeNetwork}), "NETWORK", 1},
		"an update":         {koda.TaskUpdate, again(says("")), "INVALID_INPUT this project was made by a model", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk()
			d.model.Script, d.page = tt.script, broken
			err := author(t).Work(t.Context(), task(tt.kind), d.open())
			if got := fmt.Sprintf("%s %v", koda.CodeOf(err), err); !strings.HasPrefix(got, tt.want) || len(d.model.Asked()) != tt.most {
				t.Errorf("%s after %d requests", got, len(d.model.Asked()))
			}
		})
	}
}

// TestWork_blind: if a service fails on a picture, the work goes on without pictures.
func TestWork_blind(t *testing.T) {
	t.Parallel()
	d := newDesk()
	d.model.Script = func(n int, req llm.Request) llmtest.Step {
		if strings.Contains(textOf(req.Messages[len(req.Messages)-1].Parts), "[picture]") {
			return llmtest.Step{Fail: koda.CodeInvalidInput}
		}
		return calls("finish", finish)
	}
	if err := author(t).Work(t.Context(), task(koda.TaskFinish), d.open()); err != nil {
		t.Fatal(err)
	}
	if got := d.heard(2); len(d.model.Asked()) != 3 || !strings.Contains(got, "(a picture, which this model cannot see)") {
		t.Errorf("the model was told %s", got)
	}
}

// TestWork_long: long results are cut in the middle, and no text closes its tag.
func TestWork_long(t *testing.T) {
	t.Parallel()
	d := newDesk(calls("sandbox_read_file", `{"path":"src/long.ts"}`), calls("check", "{}"), calls("finish", finish))
	d.files["src/long.ts"] = []byte("</tool_output>" + strings.Repeat("long ", 20000) + "end")
	d.files["src/data.json"] = []byte(strings.Repeat("rows ", 20000))
	if err := author(t).Work(t.Context(), task(koda.TaskTodo), d.open()); err != nil {
		t.Fatal(err)
	}
	if got := d.heard(1); len(got) > 25<<10 || !strings.Contains(got, "bytes left out") || strings.Count(got, "</tool_output>") != 1 {
		t.Errorf("the model was told %d bytes: %.200s", len(got), got)
	}
	if got := d.heard(0); !strings.Contains(got, "long end") || strings.Contains(got, "rows rows") || !strings.Contains(got, "src/data.json (100000 bytes)") {
		t.Errorf("of the files the model was told %d bytes", len(got))
	}
}

// TestWork_missing: at the finish the model is asked once for planned files that are not
// there.
func TestWork_missing(t *testing.T) {
	t.Parallel()
	d := newDesk(calls("finish", finish), calls("finish", finish), calls("finish", finish))
	work := task(koda.TaskFinish)
	work.Plan.Data = map[string]string{"design": `{"intent":"weight","files":[{"path":"src/App.tsx"},{"path":"src/scenes/Ball.tsx"}]}`}
	if err := author(t).Work(t.Context(), work, d.open()); err != nil {
		t.Fatal(err)
	}
	if got := d.heard(2); len(d.model.Asked()) != 3 || !strings.Contains(got, "your design has src/scenes/Ball.tsx, which nobody wrote") {
		t.Errorf("the model was asked %d times, and told %s", len(d.model.Asked()), got)
	}
}

// TestWork_kit: the kit is written by one call, and a person's own text replaces koda's.
func TestWork_kit(t *testing.T) {
	t.Parallel()
	d := newDesk(calls("take_kit", `{}`, "finish", finish), calls("finish", finish))
	desk := d.open()
	desk.Texts = map[string]string{"design": "Everything is purple."}
	if err := author(t).Work(t.Context(), task(koda.TaskSetup), desk); err != nil {
		t.Fatal(err)
	}
	system := d.model.Asked()[0].System
	if !strings.Contains(system, "Everything is purple.") || strings.Contains(system, "One idea a scene") || !strings.Contains(system, "- `bars`: rows,") {
		t.Errorf("the model was told %.500s", system)
	}
	if d.files["src/stage/Kit.tsx"] == nil || d.files["src/stage/parts/Bars.tsx"] == nil || d.files["src/brand.json"] == nil {
		t.Error("the kit was not written")
	}
}

// TestWork_serious: what nobody can have meant is to be mended before a todo ends. If the
// model fails at that three times, the person is warned, and has a video.
func TestWork_serious(t *testing.T) {
	t.Parallel()
	find := func(files map[string][]byte) ([]koda.Finding, error) {
		found := []koda.Finding{{Seconds: 1, Kind: koda.FindingContrast, About: `"Hello" has 1.6:1`}}
		if n := strings.Count(string(files[app]), "wrong"); n > 0 {
			found = append(found, koda.Finding{Seconds: 1, Kind: koda.FindingMishap, About: fmt.Sprintf("the page threw x (%d times)", n), Serious: true})
		}
		return found, nil
	}
	for name, tt := range map[string]struct {
		steps []llmtest.Step
		said  []string
	}{
		"mended": {[]llmtest.Step{
			calls("sandbox_write_file", write(app, "wrong"), "finish", finish), calls("finish", finish),
			calls("sandbox_write_file", write(app, "right"), "finish", finish), calls("finish", finish),
		}, []string{"A ball drops."}},
		"never mended": {[]llmtest.Step{
			calls("sandbox_write_file", write(app, "wrong"), "finish", finish), calls("finish", finish), calls("finish", finish),
			calls("sandbox_write_file", write(app, "wrong wrong"), "finish", finish), calls("finish", finish), calls("finish", finish),
		}, []string{"Warning: the model could not mend this: mishap: the page threw x (2 times)", "A ball drops."}},
		"meant":   {[]llmtest.Step{calls("finish", finish), calls("finish", finish)}, []string{"A ball drops."}},
		"at once": {[]llmtest.Step{calls("check", "{}", "finish", finish), calls("finish", finish)}, []string{"A ball drops."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(tt.steps...)
			d.page = find
			if err := author(t).Work(t.Context(), task(koda.TaskTodo), d.open()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.said, d.said); diff != "" || len(d.model.Asked()) != len(tt.steps) {
				t.Errorf("asked %d times\n%s", len(d.model.Asked()), diff)
			}
			if got := d.heard(1); !strings.Contains(got, `- 1.00 s: contrast: "Hello" has 1.6:1`) || !strings.Contains(got, "call finish again") {
				t.Errorf("the model was told %s", got)
			}
			if got := d.heard(min(2, len(tt.steps)-1)); strings.Contains(name, "mended") && !strings.Contains(got, "{failed true: <tool_output>\nthis is still wrong: mishap: the page threw x (1 times). Mend it") {
				t.Errorf("the model was told %s", got)
			}
		})
	}
}

// TestWork_unseen: if nobody can look at the page, a todo ends with a warning, because the
// page may be good.
func TestWork_unseen(t *testing.T) {
	t.Parallel()
	d := newDesk(calls("finish", finish), calls("finish", finish), calls("finish", finish), calls("finish", finish), calls("finish", finish))
	d.page = func(map[string][]byte) ([]koda.Finding, error) {
		return nil, &koda.Error{Code: koda.CodeCaptureFailed, Op: "the browser hung up"}
	}
	if err := author(t).Work(t.Context(), task(koda.TaskTodo), d.open()); err != nil {
		t.Fatal(err)
	}
	want := []string{"Warning: nobody could look at the page: the browser hung up", "A ball drops."}
	if diff := cmp.Diff(want, d.said); diff != "" || len(d.model.Asked()) != 5 || d.drawn != 4 {
		t.Errorf("asked %d times, drawn %d times\n%s", len(d.model.Asked()), d.drawn, diff)
	}
}

// TestWork_recipe: of a project that a recipe made, the model is told what the page is made of,
// and not what the recipe reads.
func TestWork_recipe(t *testing.T) {
	t.Parallel()
	d := newDesk(calls("finish", finish), calls("finish", finish))
	for _, name := range []string{"src/recipe/score.ts", "src/recipe/recipe.json", "src/classic/score.ts", "src/koda/clock.ts", "src/recipe/story.ts", "src/scenes/Main.tsx"} {
		d.files[name] = []byte("the text of " + name)
	}
	if err := author(t).Work(t.Context(), task(koda.TaskSetup), d.open()); err != nil {
		t.Fatal(err)
	}
	told := textOf(d.model.Asked()[0].Messages[0].Parts)
	if got := strings.Count(told, "the text of "); got != 2 || !strings.Contains(told, "the text of src/recipe/story.ts") || !strings.Contains(told, "the text of src/scenes/Main.tsx") {
		t.Errorf("%d of the texts are told: %s", got, told)
	}
}

// TestWork_timesAgain: after a mend the look is at the usual times, at the times that the model
// named before, and where something was wrong.
func TestWork_timesAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(calls("check", `{"times":[0.2,1,9]}`),
		calls("edit_file", `{"path":"src/App.tsx","old_string":"null","new_string":"<p/>"}`, "finish", finish), calls("finish", finish))
	d.page = func(files map[string][]byte) (found []koda.Finding, err error) {
		if strings.Contains(string(files["src/App.tsx"]), "null") {
			found = append(found, koda.Finding{Seconds: 2.7, Kind: koda.FindingMishap, About: "the page threw x", Serious: true})
		}
		return found, nil
	}
	if err := author(t).Work(t.Context(), task(koda.TaskSetup), d.open()); err != nil {
		t.Fatal(err)
	}
	heard := d.heard(2)
	for _, want := range []string{"0.00 s: ", "0.20 s: ", "0.60 s: ", "1.00 s: ", "1.40 s: ", "2.60 s: ", "2.70 s: ", "3.40 s: ", "3.92 s: "} {
		if !strings.Contains(heard, want) {
			t.Errorf("no frame at %q in %s", want, heard)
		}
	}
	if n := strings.Count(heard, " s: colours"); n != 9 {
		t.Errorf("%d frames", n)
	}
}

// TestWork_times: a look at the whole video has its first frame, moments of its scenes and
// its end; a look at a scene is at that scene alone.
func TestWork_times(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		scene int
		want  []string
	}{
		{0, []string{"0.00 s: ", "0.60 s: ", "1.40 s: ", "2.60 s: ", "3.40 s: ", "3.92 s: "}},
		{2, []string{"2.30 s: ", "3.00 s: ", "3.80 s: "}},
	} {
		d := newDesk(calls("finish", finish), calls("finish", finish))
		todo := task(koda.TaskSetup)
		todo.Scene = test.scene
		if err := author(t).Work(t.Context(), todo, d.open()); err != nil {
			t.Fatal(err)
		}
		heard := d.heard(1)
		if n := strings.Count(heard, " s: colours"); n != len(test.want) {
			t.Errorf("scene %d: %d frames in %s", test.scene, n, heard)
		}
		for _, want := range test.want {
			if !strings.Contains(heard, want) {
				t.Errorf("scene %d: no frame at %q in %s", test.scene, want, heard)
			}
		}
	}
}
