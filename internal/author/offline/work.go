package offline

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/theatre"
	"github.com/koda-video/koda/internal/tool"
)

// The files that hold a project's data.
const (
	manifestPath = "koda.json"
	paramsPath   = "src/theatre/params.json"
	statePath    = "src/theatre/state.json"
)

// starterOnly are files of the starter that no recipe uses.
var starterOnly = []string{"src/components/Disc.tsx", "src/scenes/MainScene.tsx"}

// work is one task on one project.
type work struct {
	a    *Author
	task koda.Task
	box  tool.Toolbox

	recipe  *recipe.Manifest // that of the project
	ours    bool             // the project's score is that of this koda
	carried bool             // the project carries its manifest
	script  string           // the project's score, if it is another
	fps     koda.FPS
	env     recipe.Env

	values recipe.Values
	params *recipe.Params // as read; nil if there is no file
	score  recipe.Score   // of values
	state  *theatre.State
	mine   bool // state.json is as koda wrote it
	// read holds files as they are in the sandbox, so that only differing files are
	// written.
	read map[string]string
}

func (a *Author) open(ctx context.Context, t koda.Task, box tool.Toolbox) (*work, error) {
	var carried *recipe.Manifest
	if a.library.Manifest(t.Plan.Data[recipeKey]) == nil {
		if text, err := tool.ReadFile(ctx, box, recipe.ManifestPath); err == nil {
			if carried, err = recipe.Parse([]byte(text)); err != nil {
				return nil, broken(recipe.ManifestPath, err)
			}
		}
	}
	m, v, err := a.readPlan(t.Plan, carried)
	if err != nil && (m == nil || t.Kind != koda.TaskChange && t.Kind != koda.TaskUpdate) { // later, params.json counts
		return nil, fmt.Errorf("read plan: %w", err)
	}
	w := &work{a: a, task: t, box: box, recipe: m, ours: true, fps: t.Plan.FPS, values: v, mine: true, read: map[string]string{}}
	if w.fps.IsZero() {
		w.fps = t.Brief.FPS
	}
	w.env = recipe.Env{FPS: rate(w.fps), Width: cmp.Or(t.Plan.Width, t.Brief.Width), Height: cmp.Or(t.Plan.Height, t.Brief.Height)}
	return w, nil
}

// run runs the score of the project with values.
func (w *work) run(ctx context.Context, v recipe.Values) (recipe.Score, error) {
	if w.ours {
		return w.a.scored(ctx, w.recipe, v, w.env)
	}
	return w.a.carried(ctx, w.recipe, boxFS{ctx, w.box}, &w.script, v, w.env)
}

// setup writes the code of the recipe, its parameters, and a state without keyframes: a
// page that builds and stands still.
func (w *work) setup(ctx context.Context) error {
	if err := w.takeDuration(ctx); err != nil {
		return err
	}
	var err error
	if w.score, err = w.run(ctx, w.values); err != nil {
		return err
	}
	if err := w.page(ctx, w.score, true); err != nil {
		return err
	}
	w.state = theatre.Empty(w.score.Motion, w.fps)
	code, err := w.recipe.Files()
	if err != nil {
		return err
	}
	for _, name := range order(code) {
		text, ok := code[name]
		switch {
		case name == paramsPath && w.byHand(name):
			err = w.load(ctx)
		case name == paramsPath:
			err = w.write(ctx, name, w.encodeParams())
		case name == statePath:
			err = w.write(ctx, name, w.state.Encode())
		case ok:
			err = w.write(ctx, name, text)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range starterOnly {
		if _, used := code[name]; !used {
			if err := w.discard(ctx, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// order lists what set-up writes, in the order in which people read a project.
func order(code map[string]string) []string {
	rank := []string{"src/recipe/", "src/theatre/project.ts", "src/theatre/scenes.ts", paramsPath, statePath, "src/stage/", "src/utils/", "src/components/", "src/scenes/", "src/App.tsx"}
	of := func(name string) int {
		i := slices.IndexFunc(rank, func(p string) bool { return strings.HasPrefix(name, p) })
		if i < 0 {
			return len(rank)
		}
		return i
	}
	list := slices.AppendSeq([]string{paramsPath, statePath}, maps.Keys(code))
	slices.SortFunc(list, func(a, b string) int {
		if d := of(a) - of(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(list)
}

// scene adds the keyframes of one scene of the plan: those of its sheet, or, where one
// sheet spans the video, those at its time.
func (w *work) scene(ctx context.Context, number int) error {
	if err := w.load(ctx); err != nil {
		return err
	}
	if number < 1 || number > len(w.score.Scenes) {
		// A change made the video shorter meanwhile, so nothing is left to do.
		return w.think(ctx, "Nothing left to animate here")
	}
	from := 0.0
	for _, s := range w.score.Scenes[:number-1] {
		from += s.Seconds
	}
	scene := w.score.Scenes[number-1]
	to := from + scene.Seconds
	if err := w.think(ctx, fmt.Sprintf("Writing keyframes %s–%s s", seconds(from), seconds(to))); err != nil {
		return err
	}
	if number == 1 {
		from = math.Inf(-1)
	}
	if number == len(w.score.Scenes) {
		to = math.Inf(1)
	}
	own := slices.ContainsFunc(w.score.Motion, func(s theatre.Sheet) bool { return s.ID == scene.ID })
	for _, sheet := range w.score.Motion {
		for _, t := range sheet.Tracks {
			if !own {
				w.state.Put(sheet.ID, t, from, to)
			} else if sheet.ID == scene.ID {
				w.state.Put(sheet.ID, t, math.Inf(-1), math.Inf(1))
			}
		}
	}
	return w.save(ctx)
}

// finish adds the keyframes that are still missing.
func (w *work) finish(ctx context.Context) error {
	if err := w.load(ctx); err != nil {
		return err
	}
	if err := w.think(ctx, "Putting everything together"); err != nil {
		return err
	}
	if w.mine {
		w.state = theatre.New(w.score.Motion, w.fps)
	} else {
		w.state.Merge(w.score.Motion, w.score.Motion, w.fps)
	}
	return w.save(ctx)
}

// change edits an existing project: its parameters, and the keyframes that follow from
// them. If the words are not understood, the error is INVALID_INPUT and says what can be
// changed, and nothing is written.
func (w *work) change(ctx context.Context, said string) error {
	if err := w.load(ctx); err != nil {
		return err
	}
	page, err := w.manifest(ctx)
	if err != nil {
		return err
	}
	c := changing{
		a: w.a, recipe: w.recipe, page: page, values: w.values, score: w.score, env: &w.env,
		run: func(v recipe.Values) (recipe.Score, error) { return w.run(ctx, v) },
		there: func(path string) bool {
			_, err := tool.ReadFile(ctx, w.box, path)
			return koda.CodeOf(err) != koda.CodeFileNotFound
		},
	}
	next, err := c.by(said)
	if err != nil {
		return err
	}
	if next.other != nil && w.turns(next.other) {
		diff := differences(w.recipe, w.values, next.values)
		w.values = next.values
		return w.turn(ctx, next.other, diff)
	}
	if c.alike(next) {
		return c.nothing(said, next)
	}
	if err := w.showsScenes(ctx, next.values); err != nil {
		return err
	}
	diff := differences(w.recipe, w.values, next.values)
	if err := w.think(ctx, "Changing "+join(names(diff))); err != nil {
		return err
	}
	kept, err := w.store(ctx, next)
	if err != nil {
		return err
	}
	return tool.Say(ctx, w.box, report(diff, next, kept))
}

// showsScenes refuses values of single scenes in a project whose code is of an older koda
// and lacks the file that shows them.
func (w *work) showsScenes(ctx context.Context, v recipe.Values) error {
	if w.carried || len(v.Owns()) == 0 {
		return nil
	}
	code, err := w.recipe.Files()
	if err != nil {
		return err
	}
	for _, name := range order(code) {
		if path.Dir(name) != path.Dir(paramsPath) || path.Ext(name) != ".ts" {
			continue
		}
		if _, err := w.readFile(ctx, name); koda.CodeOf(err) == koda.CodeFileNotFound {
			return &koda.Error{
				Code: koda.CodeInvalidInput, Op: "this project was made by an older koda: its code cannot show one scene other than the rest",
				Hint: "say it of the whole video, or make the project anew with koda new",
			}
		} else if err != nil {
			return err
		}
	}
	return nil
}

// store writes new values and the keyframes that follow from them. It returns the
// tracks that stay as the person edited them.
func (w *work) store(ctx context.Context, c change) (kept []string, err error) {
	if w.mine {
		w.state = w.state.Again(w.score.Motion, c.score.Motion, w.fps)
	} else {
		kept = w.state.Merge(w.score.Motion, c.score.Motion, w.fps)
	}
	if !c.fps.IsZero() {
		w.fps = c.fps
	}
	again := c.sized || w.score.Duration != c.score.Duration || !slices.Equal(w.score.Starts(), c.score.Starts())
	before := w.score
	w.values, w.score = c.values, c.score
	if again {
		if err := w.pageAfter(ctx, before); err != nil {
			return nil, err
		}
	}
	return kept, w.save(ctx)
}

// save writes params.json and state.json if they differ from the files in the sandbox.
func (w *work) save(ctx context.Context) error {
	if err := w.write(ctx, paramsPath, w.encodeParams()); err != nil {
		return err
	}
	return w.write(ctx, statePath, w.state.Encode())
}

func (w *work) encodeParams() string {
	state := ""
	if w.mine {
		state = recipe.Digest(w.state.Encode())
	} else if w.params != nil {
		state = w.params.StateDigest()
	}
	m := w.recipe
	if !w.carried && w.params != nil { // an older koda wrote the page: it knows no later parameters
		old, usual := *m, m.Defaults(w.values["style"])
		old.Params = slices.DeleteFunc(slices.Clone(m.Params), func(p recipe.Param) bool {
			return !w.params.Has(p.Name) && w.values[p.Name] == usual[p.Name]
		})
		m = &old
	}
	return m.EncodeParams(w.values, w.params, state)
}

// load reads manifest, parameters and keyframes back, as people edit them.
func (w *work) load(ctx context.Context) error {
	if err := w.origin(ctx); err != nil {
		return err
	}
	text, err := w.readFile(ctx, paramsPath)
	switch {
	case koda.CodeOf(err) == koda.CodeFileNotFound:
		w.params = nil
	case err != nil:
		return err
	default:
		if w.params, err = w.recipe.DecodeParams(text, w.values, w.a.reader); err != nil {
			return broken(paramsPath, err)
		}
		w.values = w.params.Values
	}
	if page, err := w.manifest(ctx); err == nil && page.Width > 0 { // of an earlier change, or by hand
		w.fps = page.FPS
		w.env = recipe.Env{FPS: rate(page.FPS), Width: page.Width, Height: page.Height}
	}
	if w.score, err = w.run(ctx, w.values); err == nil {
		err = w.score.Err()
	}
	if err != nil {
		return broken(paramsPath, err)
	}
	text, err = w.readFile(ctx, statePath)
	switch {
	case koda.CodeOf(err) == koda.CodeFileNotFound:
		w.state, w.mine = theatre.New(w.score.Motion, w.fps), true
		return nil
	case err != nil:
		return err
	}
	w.mine = w.params == nil || w.params.StateDigest() == "" || w.params.StateDigest() == recipe.Digest(text)
	if w.state, err = theatre.Decode(text, w.score.Motion, w.fps); err != nil {
		return broken(statePath, err)
	}
	return nil
}

// broken is the error of a file that a person edited.
func broken(name string, err error) error {
	hint := koda.HintOf(err)
	if hint == "" {
		hint = "put the file right, or delete it: koda then writes it anew"
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Op: "read " + name, Err: err, Hint: hint}
}

// origin finds what made the project: the manifest and the score that it carries. A
// project of an older koda carries neither and uses the recipe of this koda.
func (w *work) origin(ctx context.Context) error {
	text, err := tool.ReadFile(ctx, w.box, recipe.ManifestPath)
	if koda.CodeOf(err) == koda.CodeFileNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	w.carried = true
	if text == w.recipe.Source(false) {
		if !slices.ContainsFunc(w.task.HandEdited, recipe.OfScore) {
			return nil
		}
		w.ours = false
		return w.write(ctx, recipe.ManifestPath, w.recipe.Source(true))
	}
	w.ours = false
	m, err := recipe.Parse([]byte(text))
	if err != nil {
		return broken(recipe.ManifestPath, err)
	}
	if m.Name != w.recipe.Name { // it was turned into another kind of video
		w.values = m.Defaults(m.StyleIDs()[0])
		if now := w.a.library.Manifest(m.Name); now != nil && text == now.Source(false) && !slices.ContainsFunc(w.task.HandEdited, recipe.OfScore) {
			m, w.ours = now, true
		}
	}
	w.recipe = m
	return nil
}
