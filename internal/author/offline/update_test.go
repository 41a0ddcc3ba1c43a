package offline_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// newer is the kite of a later koda: it has no parameter dives but loops, it wags its
// tail, and its page code has other files.
func newer() (recipes map[string]string, manifest, play string) {
	manifest = strings.NewReplacer(`"name": "dives"`, `"name": "loops"`, `"dives"`, `"loops"`, `"5 dives"`, `"5 loops"`).Replace(kiteManifest)
	play = strings.NewReplacer("dives", "loops", `{ object: 'Kite', prop: 'turn', keys: [[0, 0], [p.duration, n]] }`,
		`{ object: 'Kite', prop: 'turn', keys: [[0, 0], [p.duration, 10 * n]] }, { object: 'Tail', prop: 'wag', keys: [[0, 1], [p.duration, 2]] }`).Replace(kiteScore)
	return map[string]string{"wind/src/App.tsx": "export default () => 'newer'\n", "wind/src/tail.ts": "export {}\n"}, manifest, play
}

// An update replaces manifest, score and page code, and keeps the parameters, what is a
// person's own, and the keyframes that a person changed.
func TestUpdate(t *testing.T) {
	t.Parallel()
	old := kite(kiteManifest, kiteScore)
	old["wind/src/gone.ts"] = old["wind/src/App.tsx"]
	old["wind/src/brand.json"] = old["wind/src/App.tsx"]
	before := authorOf(t, old)
	b := brief("a red kite, 3 dives, 6 seconds, stormy")
	p, pl := made(t, before, b)
	p.files["src/brand.json"] = `{"mine": true}`
	p.files[paramsPath] = strings.Replace(p.files[paramsPath], "{\n", "{\n  \"mine\": [1],\n", 1)

	u, err := before.CheckUpdate(p.tree())
	if err != nil || !u.Newest || len(u.Edited) > 0 || u.Recipe != "kite" {
		t.Errorf("the recipe it was made of: %+v, %v", u, err)
	}
	files, manifest, play := newer()
	recipes := kite(manifest, play)
	recipes["wind/src/brand.json"] = old["wind/src/brand.json"]
	for name, text := range files {
		recipes[name] = kite(text, "")["kite/recipe.json"]
	}
	a := authorOf(t, recipes)
	u, err = a.CheckUpdate(p.tree())
	if err != nil || u.Newest || len(u.Edited) > 0 {
		t.Errorf("a newer recipe: %+v, %v", u, err)
	}
	p.files["src/App.tsx"] = "export default () => 'mine'\n"
	p.files["src/tail.ts"] = "export const mine = 1\n"
	p.files["src/other.ts"] = "export const mine = 2\n"
	if u, err = a.CheckUpdate(p.tree()); err != nil || !slices.Equal(u.Edited, []string{"src/App.tsx", "src/tail.ts"}) {
		t.Errorf("files changed by hand: %+v, %v", u, err)
	}
	unsure := p.snapshot()
	p.files[recipe.ManifestPath] = withoutFiles(t, p.files[recipe.ManifestPath])
	if u, err = a.CheckUpdate(p.tree()); err != nil || !slices.Equal(u.Edited, []string{"src/App.tsx", recipe.ScorePath, "src/tail.ts"}) {
		t.Errorf("a koda that noted no digests: %+v, %v", u, err)
	}
	p.files = unsure

	// A person moved the last keyframe.
	p.files[statePath] = strings.Replace(p.files[statePath], `"value":3`, `"value":2.5`, 1)
	task := koda.Task{Kind: koda.TaskUpdate, Message: "update the recipe", Brief: b, Plan: pl, HandEdited: []string{"src/App.tsx", statePath}}
	if err := a.Work(t.Context(), task, p.box()); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"src/App.tsx": files["wind/src/App.tsx"], "src/tail.ts": files["wind/src/tail.ts"], "src/other.ts": "export const mine = 2\n",
		"src/brand.json": `{"mine": true}`, recipe.ScorePath: play, "src/gone.ts": "",
	}
	got := map[string]string{}
	for name := range want {
		got[name] = p.files[name]
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	params, state := p.files[paramsPath], p.files[statePath]
	if strings.Contains(params, "dives") || !strings.Contains(params, `"loops": "auto"`) || !strings.Contains(params, `"mine": [1]`) ||
		!strings.Contains(params, `"color": "#e5343d"`) || !strings.Contains(params, `"duration": 6`) {
		t.Errorf("parameters:\n%s", params)
	}
	if !strings.Contains(state, `"value":2.5`) || !strings.Contains(state, "Tail") {
		t.Errorf("keyframes:\n%s", state)
	}
	said := p.said[len(p.said)-1]
	for _, part := range []string{"The recipe kite is that of this koda now", "The recipe has no dives any more.", "Keyframes you edited by hand were kept: Kite.turn."} {
		if !strings.Contains(said, part) {
			t.Errorf("said %q", said)
		}
	}
	// Now the project is that of the newer koda, and changes by its words.
	if u, err = a.CheckUpdate(p.tree()); err != nil || !u.Newest || len(u.Edited) > 0 {
		t.Errorf("after the update: %+v, %v", u, err)
	}
	task.Kind, task.Message, task.HandEdited = koda.TaskChange, "7 dives", nil
	if err := a.Work(t.Context(), task, p.box()); err != nil || !strings.Contains(p.files[paramsPath], `"loops": 7`) {
		t.Errorf("a change after the update: %v\n%s", err, p.files[paramsPath])
	}
}

// withoutFiles is a carried manifest of a koda that noted no digests of files.
func withoutFiles(t *testing.T, text string) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "files")
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A project that carries no recipe, or a recipe that this koda lacks, or values that the
// new recipe cannot draw, is not updated, and nothing is written.
func TestUpdate_refused(t *testing.T) {
	t.Parallel()
	a := authorOf(t, kite(kiteManifest, kiteScore))
	b := brief("a kite, 3 dives, 6 seconds")
	p, pl := made(t, a, b)
	if _, err := author().CheckUpdate(p.tree()); koda.CodeOf(err) != koda.CodeUsage || !strings.Contains(koda.HintOf(err), "--recipe-path") {
		t.Errorf("a recipe that this koda lacks: %v (%s)", err, koda.HintOf(err))
	}
	narrow := authorOf(t, kite(kiteManifest, strings.Replace(kiteScore, "n > 4 * p.duration", "n > 0", 1)))
	before := p.snapshot()
	err := narrow.Work(t.Context(), koda.Task{Kind: koda.TaskUpdate, Brief: b, Plan: pl}, p.box())
	if koda.CodeOf(err) != koda.CodeInvalidInput || koda.HintOf(err) != "ask for fewer" || len(p.changed(before)) > 0 {
		t.Errorf("values that the recipe cannot draw: %v (%s), changed %q", err, koda.HintOf(err), p.changed(before))
	}
	delete(p.files, recipe.ManifestPath)
	if _, err := a.CheckUpdate(p.tree()); koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
		t.Errorf("no recipe: %v", err)
	}
}
