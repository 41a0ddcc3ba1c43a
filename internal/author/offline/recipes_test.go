package offline_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/author/offline"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/score"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/templates"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == score.ChildArg {
		if score.Child() != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// kite is a set of recipes that nobody ships: one recipe, of which no code can know.
func kite(manifest, play string) fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"wind/base.json": file(`{"schema": 1, "rowsMove": true, "styles": [{"id": "breeze", "label": "Breeze", "description": "Light", "words": {"en": ["breezy"]}}, {"id": "gale", "label": "Gale", "description": "Hard", "words": {"en": ["stormy"]}}],
 "params": [{"name": "style", "type": "choice", "choices": {"breeze": {}, "gale": {}}, "default": "breeze", "help": "the wind"},
 {"name": "duration", "type": "number", "min": 1, "max": 60, "default": 4, "words": {"en": ["length"]}, "more": {"en": ["longer"]}, "help": "seconds"}]}`),
		"wind/src/App.tsx": file("export default () => null\n"),
		"kite/recipe.json": file(manifest), "kite/score.ts": file(play),
	}
}

const (
	kiteManifest = `{"schema": 1, "name": "kite", "title": "Kite", "about": "A kite climbs.", "base": "wind", "examples": ["a kite, 6 seconds"], "subjects": {"en": ["kite"]},
 "params": [{"name": "dives", "type": "integer", "auto": true, "min": 1, "max": 20, "default": "auto", "takes": ["count"], "units": {"en": ["dive"]}, "words": {"en": ["dive"]}, "help": "how often it turns"},
 {"name": "color", "type": "color", "default": {"breeze": "#3366cc", "gale": "#cc3333"}, "takes": ["color"], "words": {"en": ["kite"]}, "help": "its colour"}], "edits": ["5 dives", "red"]}`
	kiteScore = `export default function score(p: { duration: number; dives: number | 'auto' }) {
  const n = p.dives === 'auto' ? Math.round(p.duration) : p.dives
  if (n > 4 * p.duration) return { duration: p.duration, scenes: [], sheets: {}, errors: [{ param: 'dives', message: n + ' dives are too many', hint: 'ask for fewer' }] }
  return {
    duration: p.duration, scenes: [{ id: 'climb', title: 'Climb', seconds: p.duration, description: 'The kite turns ' + n + ' times.', notes: '' }],
    sheets: { climb: { length: p.duration, tracks: [{ object: 'Kite', prop: 'turn', keys: [[0, 0], [p.duration, n]] }] } }, auto: { dives: n },
  }
}
`
)

// authorOf is the author with other recipes.
func authorOf(t *testing.T, recipes fs.FS) *offline.Author {
	t.Helper()
	library, err := recipe.Load(recipes)
	if err != nil {
		t.Fatal(err)
	}
	a, err := offline.New(library, templates.Words(), score.NewRunner(bundler().Score, proc.Self(score.ChildArg)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// made is a project that an author makes of a brief.
func made(t *testing.T, a *offline.Author, b koda.Brief) (*project, koda.Plan) {
	t.Helper()
	pl, err := a.Plan(t.Context(), b, koda.Answer{}, nil, tool.Desk{})
	if err != nil {
		t.Fatalf("Plan(%q, %s): %v", b.Prompt, b.Recipe, err)
	}
	p := newProject(t)
	for _, task := range tasks(b, pl) {
		if err := a.Work(t.Context(), task, p.box()); err != nil {
			t.Fatalf("Work(%s): %v", task.Kind, err)
		}
	}
	return p, pl
}

// The author works with a recipe that is invented here, and with nothing else.
func TestInvented(t *testing.T) {
	t.Parallel()
	a := authorOf(t, kite(kiteManifest, kiteScore))
	b := brief("a red kite, 3 dives, 6 seconds, stormy")
	p, pl := made(t, a, b)
	if pl.Data["dives"] != "3" || pl.Data["duration"] != "6" || pl.Style != "gale" || pl.Data["color"] != "#e5343d" || pl.Scenes[0].Description != "The kite turns 3 times." {
		t.Errorf("the plan is %+v", pl)
	}
	if got := p.state(t).Sheets["climb"].Sequence.Length; got != 6 {
		t.Errorf("the sheet is %v s long", got)
	}
	task := koda.Task{Kind: koda.TaskChange, Message: "5 dives", Brief: b, Plan: pl}
	if err := a.Work(t.Context(), task, p.box()); err != nil || !strings.Contains(p.files[paramsPath], `"dives": 5`) {
		t.Errorf("5 dives: %v\n%s", err, p.files[paramsPath])
	}
	before := p.snapshot()
	task.Message = "20 dives, 2 seconds"
	if err := a.Work(t.Context(), task, p.box()); koda.CodeOf(err) != koda.CodeInvalidInput || koda.HintOf(err) != "ask for fewer" || len(p.changed(before)) > 0 {
		t.Errorf("20 dives in 2 s: %v (%s), changed %q", err, koda.HintOf(err), p.changed(before))
	}
	if _, err := a.Plan(t.Context(), brief("bouncing ball"), koda.Answer{}, nil, tool.Desk{}); koda.CodeOf(err) != koda.CodeNotAnimation {
		t.Errorf("a ball where there are only kites: %v", err)
	}
	row, err := a.Row(t.Context(), p.tree(), json.RawMessage(`{"dives": 2, "color": "#00ff00"}`), nil)
	if err != nil || !strings.Contains(string(row), "kodaState") || !strings.Contains(string(row), `"color":"#00ff00"`) {
		t.Errorf("a row that moves: %s, %v", row, err)
	}
	if _, err := a.Row(t.Context(), p.tree(), json.RawMessage(`{"duration": 3}`), nil); koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Errorf("a row of another length: %v", err)
	}
}

// No code knows the name of a recipe: under other names all do the same.
func TestRenamed(t *testing.T) {
	t.Parallel()
	shipped, err := recipe.Load(templates.Recipes())
	if err != nil {
		t.Fatal(err)
	}
	renamed := fstest.MapFS{}
	err = fs.WalkDir(templates.Recipes(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(templates.Recipes(), name)
		folder, rest, _ := strings.Cut(name, "/")
		if shipped.Manifest(folder) != nil {
			folder += "-x"
			if rest == "recipe.json" {
				text := strings.Replace(string(data), `"name": "`+strings.TrimSuffix(folder, "-x")+`"`, `"name": "`+folder+`"`, 1)
				for _, m := range shipped.Manifests() { // a story names the recipes of its beats
					text = strings.ReplaceAll(text, `"`+m.Name+`": {"scene"`, `"`+m.Name+`-x": {"scene"`)
				}
				data = []byte(text)
			}
		}
		renamed[path.Join(folder, rest)] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	a := authorOf(t, renamed)
	for _, m := range needs.Some(shipped.Manifests()) {
		if m.Retired {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			for _, prompt := range m.Examples {
				b := brief("", sized(1280, 720))
				b.Prompt = prompt
				if _, err := author().Plan(t.Context(), b, koda.Answer{}, nil, tool.Desk{}); err != nil {
					if _, errx := a.Plan(t.Context(), b, koda.Answer{}, nil, tool.Desk{}); koda.CodeOf(errx) != koda.CodeOf(err) {
						t.Errorf("%q: %v, and before %v", prompt, errx, err)
					}
					continue // it needs a file, or data
				}
				was, pl := made(t, author(), b)
				is, plx := made(t, a, b)
				if plx.Data["recipe"] != pl.Data["recipe"]+"-x" {
					t.Fatalf("%q is taken for %s, and before for %s", prompt, plx.Data["recipe"], pl.Data["recipe"])
				}
				was.files, is.files = maps.Clone(was.files), maps.Clone(is.files)
				for _, p := range []*project{was, is} {
					delete(p.files, recipe.ManifestPath)
					p.files[paramsPath] = strings.Replace(p.files[paramsPath], `-x",`, `",`, 1)
				}
				if d := cmp.Diff(was.files, is.files); d != "" {
					t.Errorf("%q (-shipped +renamed):\n%s", prompt, d)
				}
			}
		})
	}
}

// A project is changed by the manifest and the score that it carries, whoever wrote them.
func TestCarried(t *testing.T) {
	t.Parallel()
	a := authorOf(t, kite(kiteManifest, kiteScore))
	b := brief("a kite, 3 dives, 6 seconds")
	change := func(p *project, pl koda.Plan, said string, hand ...string) error {
		return a.Work(t.Context(), koda.Task{Kind: koda.TaskChange, Message: said, Brief: b, Plan: pl, HandEdited: hand}, p.box())
	}
	p, pl := made(t, a, b)
	p.files[recipe.ScorePath] = strings.ReplaceAll(kiteScore, "[p.duration, n]", "[p.duration, 100 * n]")
	for i, want := range []string{`"value":500`, `"value":600`} {
		if err := change(p, pl, fmt.Sprint(5+i, " dives"), []string{recipe.ScorePath}[:1-i]...); err != nil { // the next change knows it
			t.Fatal(err)
		}
		if !strings.Contains(p.files[statePath], want) {
			t.Errorf("the score of the project was not run:\n%s", p.files[statePath])
		}
	}
	p.files[recipe.ManifestPath] = strings.Replace(p.files[recipe.ManifestPath], `"max": 20`, `"max": 10`, 1)
	if err := change(p, pl, "12 dives"); koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), "1 to 10") {
		t.Errorf("more dives than the project's manifest takes: %v", err)
	}
	for name, broken := range map[string]string{
		"mistake": "export default (", "for ever": "export default () => { for (;;); }", "throws": "export default () => { throw new Error('no wind') }",
	} {
		p, pl := made(t, a, b)
		p.files[recipe.ScorePath] = broken
		before := p.snapshot()
		err := change(p, pl, "5 dives", recipe.ScorePath)
		if code := koda.CodeOf(err); code != koda.CodeInvalidInput && code != koda.CodeBuildFailed || koda.HintOf(err) == "" || before[statePath] != p.files[statePath] || before[paramsPath] != p.files[paramsPath] {
			t.Errorf("%s: %v (%s), changed %q", name, err, koda.HintOf(err), p.changed(before))
		}
	}
}

func TestLint(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ old, new, want string }{
		{"", "", ""},
		{`"examples": ["a kite, 6 seconds"]`, `"examples": ["a unicorn"]`, `the example "a unicorn" fits no recipe`},
		{`"examples": ["a kite, 6 seconds"]`, `"examples": ["bouncing ball"]`, "is taken for the recipe bouncing-ball"},
		{`"edits": ["5 dives", "red"]`, `"edits": ["sparkle"]`, `the edit "sparkle" is not understood`},
		{"n > 4 * p.duration", "n > 0", "4 dives are too many"},
		{"[p.duration, n]", "[-1, n]", "goes back"},
	} {
		files := kite(strings.Replace(kiteManifest, test.old, test.new, 1), strings.Replace(kiteScore, test.old, test.new, 1))
		_, err := author().Lint(t.Context(), templates.Recipes(), templates.Words(), files)
		if (err == nil) != (test.want == "") || err != nil && (!strings.Contains(err.Error(), test.want) || koda.HintOf(err) == "") {
			t.Errorf("%s: %v, want %q", test.new, err, test.want)
		}
	}
}
