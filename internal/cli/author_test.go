package cli_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// keyed makes a face on which a key stands in the environment and nobody chose an author.
func keyed(t *testing.T) *face {
	t.Helper()
	f := newFace(t)
	f.deps.Offers["author"] = []string{"recipe", "model"}
	f.deps.Choose = func() (koda.Models, string, error) { return koda.Models{Model: "one/big"}, "ONE_API_KEY", nil }
	return f
}

// TestAuthor_asked: at a terminal a key is asked about once, and the answer is kept.
func TestAuthor_asked(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{"m": "model", "perhaps\nrecipes": "recipe", "model": "model"} {
		f := keyed(t)
		stopped := reply{out: engine.Outcome{Project: koda.Project{ID: "1", Name: "ball"}}}
		f.engine.replies = []reply{stopped, stopped}
		f.types(strings.Split(said, "\n")...)
		f.run("new", "ball", "--plain", "--plan-only")
		if text := f.err.String(); strings.Count(text, "ONE_API_KEY is set. Who shall think videos up") != 1 || f.engine.requests[0].Brief.Author != want {
			t.Errorf("%q: %s gets the brief: %s", said, f.engine.requests[0].Brief.Author, text)
		}
		f.types()
		f.run("new", "ball", "--plain", "--plan-only")
		if text := f.err.String(); strings.Contains(text, "Who shall") || f.engine.requests[1].Brief.Author != want {
			t.Errorf("%q: asked again: %s", said, text)
		}
		if m := f.engine.requests[1].Brief.Models.Model; (m == "one/big") != (want == "model") {
			t.Errorf("%q: the model is %q", said, m)
		}
	}
}

// TestAuthor_notAsked: who was told, by a flag, an approval or a setting, or who is no
// person, is not asked.
func TestAuthor_notAsked(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"new ball --plain --author model": "model", "new ball --plain --author recipe": "recipe", "new ball --plain --recipe ball": "recipe",
		"new ball --plain --model two/small": "model", "new ball --plain --yes": "recipe", "new ball --json": "recipe", "new ball --quiet": "recipe",
	} {
		f := keyed(t)
		f.deps.Give = func(string, string) {}
		f.engine.replies = []reply{{out: engine.Outcome{Project: koda.Project{ID: "1", Name: "ball"}}}}
		f.types("model")
		f.run(strings.Fields(args)...)
		if text := f.err.String(); strings.Contains(text, "Who shall") || f.engine.requests[0].Brief.Author != want {
			t.Errorf("%s: %s gets the brief: %s", args, f.engine.requests[0].Brief.Author, text)
		}
	}
}

// TestAuthor_noModel: an author without a model is missed before a project is made.
func TestAuthor_noModel(t *testing.T) {
	t.Parallel()
	f := keyed(t)
	f.deps.Choose = func() (koda.Models, string, error) { return koda.Models{}, "", nil }
	if got := f.run("new", "ball", "--author", "model"); got != 2 || !strings.Contains(f.err.String(), "koda: no model is chosen\n  hint: give --model PROVIDER/NAME") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
}

// TestNew_from turns a project over to a model: a fork, then the change.
func TestNew_from(t *testing.T) {
	t.Parallel()
	f := keyed(t)
	f.engine.projects = []koda.Project{{ID: "1", Name: "ball"}}
	f.engine.view = engine.View{Project: f.engine.projects[0], Version: 2}
	out := reply{out: engine.Outcome{Project: koda.Project{ID: "2", Name: "ball-model"}}}
	f.engine.replies = []reply{out, out}
	f.run("new", "let", "it", "rain", "--author", "model", "--from", "ball")
	if text := strings.Join(f.engine.calls, "\n"); !strings.Contains(text, "ball-model") || !strings.Contains(text, "let it rain") {
		t.Errorf("called %s: %s", text, f.err.String())
	}
	if !strings.Contains(f.err.String(), "ball-model begins with v2 of ball, and one/big goes on with it") {
		t.Errorf("said %s", f.err.String())
	}
}
