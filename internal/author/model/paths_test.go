package model_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/author/model"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

func TestAlignPath(t *testing.T) {
	t.Parallel()
	paths := []string{"index.html", "src/App.tsx", "src/scenes/Ball.tsx", "src/scenes/ball.tsx"}
	for given, want := range map[string]string{
		"src/App.tsx":                      "src/App.tsx",
		"src/app.tsx":                      "src/App.tsx",
		"./src/App.tsx":                    "src/App.tsx",
		"./src/app.tsx":                    "src/App.tsx",
		"/src/App.tsx":                     "src/App.tsx",
		"/project/src/App.tsx":             "src/App.tsx",
		"/home/user/project/src/App.tsx":   "src/App.tsx",
		"project/src/App.tsx":              "src/App.tsx",
		"Project/SRC/app.tsx":              "src/App.tsx",
		"app/index.html":                   "index.html",
		"src/scenes/ball.tsx":              "src/scenes/ball.tsx",
		"src/scenes/BALL.tsx":              "src/scenes/Ball.tsx",
		"src/index.html":                   "src/index.html", // another file
		"a/b/src/App.tsx":                  "a/b/src/App.tsx",
		"node_modules/src/App.tsx":         "node_modules/src/App.tsx",
		"/x/node_modules/a/src/App.tsx":    "/x/node_modules/a/src/App.tsx",
		".git/src/App.tsx":                 ".git/src/App.tsx",
		"../src/App.tsx":                   "../src/App.tsx",
		"/project/../../etc/src/App.tsx":   "/project/../../etc/src/App.tsx",
		"/etc/passwd":                      "/etc/passwd",
		"":                                 "",
		"/":                                "/",
		"src\\App.tsx":                     "src\\App.tsx",
		"/project/src/New.tsx":             "/project/src/New.tsx",
		strings.Repeat("/", 600) + "a.tsx": strings.Repeat("/", 600) + "a.tsx",
	} {
		if got := model.AlignPath(given, paths); got != want {
			t.Errorf("%q means %q, not %q", given, got, want)
		}
	}
}

// TestWork_paths: a file is written where the design has it, finish comes last, and of a
// call that cannot be read nothing is done.
func TestWork_paths(t *testing.T) {
	t.Parallel()
	d := newDesk(
		calls("finish", finish, "sandbox_write_file", write("/project/src/scenes/drop.tsx", "new"), "edit_file", `{"path":"/project/src/app.tsx","old_string":"return null","new_string":"return 1"}`),
		calls("finish", `{"INVALID_FORM":"<summary> is not closed by </summary>"}`, "check", string(llm.Input("{"))),
		calls("finish", finish),
	)
	work := task(koda.TaskTodo)
	work.Plan.Data = map[string]string{"design": `{"intent":"x","files":[{"path":"./src/scenes/Drop.tsx"}]}`}
	if err := author(t).Work(t.Context(), work, d.open()); err != nil {
		t.Fatal(err)
	}
	if got := d.heard(1); string(d.files["src/scenes/Drop.tsx"]) != "new" || !strings.Contains(string(d.files[app]), "return 1") || !strings.HasSuffix(got, "call finish again; else mend it first.}") {
		t.Errorf("files %q, told %s", d.files, got)
	}
	if got := d.heard(2); !strings.Contains(got, "nothing of it was done: <summary> is not closed by </summary>. Write") || strings.Count(got, "failed true") != 2 {
		t.Errorf("told %s", got)
	}
	if len(d.model.Asked()) != 3 {
		t.Errorf("asked %d times", len(d.model.Asked()))
	}
}

// TestClarify_unread: nothing follows from a call that cannot be read.
func TestClarify_unread(t *testing.T) {
	t.Parallel()
	d := newDesk(calls("go_on", `{"INVALID_FORM":"<style> is not closed by </style>"}`), calls("decline", decline))
	_, err := author(t).Clarify(t.Context(), brief("ball"), nil, d.open())
	if koda.CodeOf(err) != koda.CodeNotAnimation || !strings.Contains(d.heard(1), "<style> is not closed") {
		t.Errorf("%v, told %s", err, d.heard(1))
	}
}
