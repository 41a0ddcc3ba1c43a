package recipe

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/templates"
)

// The files that hold a project's data.
const (
	manifestPath = "koda.json"
	paramsPath   = "src/theatre/params.json"
	statePath    = "src/theatre/state.json"
)

// digestKey is the key in params.json for the digest of the state.json that koda
// wrote. It tells keyframes edited by hand from koda's own.
const digestKey = "stateDigest"

// work is one task on one project.
type work struct {
	task   koda.Task
	box    tool.Toolbox
	recipe string
	fps    koda.FPS

	params values
	extra  []member // members of params.json in order, unknown ones included
	state  *projectState
	mine   bool // state.json is as koda wrote it
	// read holds files as they are in the sandbox, so that only differing files are
	// written.
	read map[string]string
}

func newWork(t koda.Task, box tool.Toolbox) (*work, error) {
	recipe, v, err := planValues(t.Plan)
	if err != nil {
		return nil, err
	}
	fps := t.Plan.FPS
	if fps.IsZero() {
		fps = t.Brief.FPS
	}
	return &work{task: t, box: box, recipe: recipe, fps: fps, params: v, mine: true, read: map[string]string{}}, nil
}

// setup writes the code of the recipe, its parameters, and a state without
// keyframes: a page that builds and stands still.
func (w *work) setup(ctx context.Context) error {
	if err := w.manifest(ctx); err != nil {
		return err
	}
	empty := motionOf(w.recipe, w.params, w.fps)
	empty.tracks = nil
	w.state = stateOf(empty)
	code := templates.Recipe(w.recipe)
	for _, name := range files(code) {
		switch name {
		case paramsPath:
			if w.byHand(name) {
				if err := w.load(ctx); err != nil {
					return err
				}
				continue
			}
			if err := w.write(ctx, name, w.encodeParams()); err != nil {
				return err
			}
		case statePath:
			if err := w.write(ctx, name, w.state.encode()); err != nil {
				return err
			}
		default:
			if err := w.write(ctx, name, code[name]); err != nil {
				return err
			}
		}
	}
	return w.discard(ctx, "src/components/Disc.tsx")
}

// files lists what set-up writes, in the order in which people read a project: the
// Theatre project and its scenes with their data, utilities, components, scenes,
// the app.
func files(code map[string]string) []string {
	rank := []string{"src/theatre/project.ts", "src/theatre/scenes.ts", paramsPath, statePath, "src/utils/", "src/components/", "src/scenes/", "src/App.tsx"}
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
	return list
}

// scene adds the keyframes of one scene of the plan.
func (w *work) scene(ctx context.Context, number int) error {
	if err := w.load(ctx); err != nil {
		return err
	}
	at := w.cuts()
	if number < 1 || number >= len(at) {
		// A change made the video shorter meanwhile, so nothing is left to do.
		return w.think(ctx, "Nothing left to animate here")
	}
	from, to := at[number-1], at[number]
	if number == 1 {
		from = math.Inf(-1)
	}
	if number == len(at)-1 {
		to = math.Inf(1)
	}
	if err := w.think(ctx, fmt.Sprintf("Writing keyframes %s–%s s", trim(at[number-1]), trim(at[number]))); err != nil {
		return err
	}
	return w.keyframes(ctx, from, to, func(t track) bool { return !backstage(t.object) })
}

// finish adds what surrounds the actor: shadow, light, dust, camera.
func (w *work) finish(ctx context.Context) error {
	if err := w.load(ctx); err != nil {
		return err
	}
	doing := "Adding line, light and camera"
	if w.recipe == ballRecipe {
		doing = "Adding shadow, light and dust"
	}
	if err := w.think(ctx, doing); err != nil {
		return err
	}
	return w.keyframes(ctx, math.Inf(-1), math.Inf(1), func(t track) bool { return backstage(t.object) })
}

// backstage names the objects that belong to no scene: the finishing touches.
func backstage(object string) bool {
	return object == "Dust" || object == "Stage" || object == "Accent"
}

// keyframes puts the chosen tracks' keyframes of [from, to) into the state.
func (w *work) keyframes(ctx context.Context, from, to float64, chosen func(track) bool) error {
	m := motionOf(w.recipe, w.params, w.fps)
	for _, t := range m.tracks {
		if chosen(t) {
			w.state.put(t, from, to)
		}
	}
	w.state.Sheets[sheetName].Sequence.Length = m.length
	return w.save(ctx)
}

// cuts returns the seconds at which the scenes begin, and the end.
func (w *work) cuts() []float64 {
	_, at := scenesOf(w.recipe, w.params.num("duration"))
	return at
}

// store writes new values and the keyframes that follow from them. It returns the
// names of the tracks that stay as the person edited them.
func (w *work) store(ctx context.Context, next values) (kept []string, err error) {
	before, after := motionOf(w.recipe, w.params, w.fps), motionOf(w.recipe, next, w.fps)
	if w.mine {
		// Tracks that are not in the state yet belong to later todos.
		s := newState(after)
		for _, t := range after.tracks {
			if w.state.data(t) != nil {
				s.put(t, math.Inf(-1), math.Inf(1))
			}
		}
		w.state = s
	} else {
		kept = w.state.merge(before, after)
	}
	longer := w.params["duration"] != next["duration"]
	w.params = next
	if longer {
		if err := w.manifest(ctx); err != nil {
			return nil, err
		}
	}
	return kept, w.save(ctx)
}

// save writes params.json and state.json if they differ from the files in the
// sandbox.
func (w *work) save(ctx context.Context) error {
	if err := w.write(ctx, paramsPath, w.encodeParams()); err != nil {
		return err
	}
	return w.write(ctx, statePath, w.state.encode())
}

// load reads parameters and keyframes back, as people edit them.
func (w *work) load(ctx context.Context) error {
	text, err := w.readFile(ctx, paramsPath)
	if koda.CodeOf(err) == koda.CodeFileNotFound {
		w.extra = nil
		err = nil
	} else if err == nil {
		err = w.decodeParams(text)
	}
	if err != nil {
		return err
	}
	text, err = w.readFile(ctx, statePath)
	switch {
	case koda.CodeOf(err) == koda.CodeFileNotFound:
		w.state, w.mine = stateOf(motionOf(w.recipe, w.params, w.fps)), true
		return nil
	case err != nil:
		return err
	}
	w.mine = w.digest() == "" || w.digest() == digest(text)
	if w.state, err = decodeState(text); err != nil {
		return &koda.Error{Code: koda.CodeInvalidInput, Err: err, Hint: "put the file right, or delete it: koda then writes it anew"}
	}
	return nil
}

// manifest gives koda.json the duration of the parameters and, at set-up, the size
// and rate of the brief; the scenes follow the duration. What the person set there
// by hand stands, and the parameters follow.
func (w *work) manifest(ctx context.Context) error {
	text, err := w.readFile(ctx, manifestPath)
	m := koda.Manifest{Schema: koda.SchemaVersion, Name: w.recipe}
	switch {
	case koda.CodeOf(err) == koda.CodeFileNotFound:
	case err != nil:
		return err
	default:
		if m, err = koda.ParseManifest([]byte(text)); err != nil {
			return err
		}
	}
	want := m
	scenes := planned(w.recipe)
	duration := w.params.num("duration")
	switch {
	case w.task.Kind == koda.TaskSetup && w.byHand(manifestPath) && m.Width > 0:
		if err := checkDuration(m.Duration); err != nil {
			return refused(err)
		}
		w.params["duration"] = trim(m.Duration)
		_, err := settle(w.recipe, w.params)
		return err
	case w.task.Kind == koda.TaskSetup || m.Width == 0:
		want.Width, want.Height, want.FPS = w.task.Brief.Width, w.task.Brief.Height, w.fps
		want.Scenes = scenes(duration)
	default:
		want.Scenes = w.scenesAfter(m)(duration)
	}
	want.Duration = duration
	if want.Equal(m) {
		return nil
	}
	data, err := want.Encode()
	if err != nil {
		return err
	}
	return w.write(ctx, manifestPath, string(data))
}

// scenesAfter is the layout of a project with a manifest once its duration changes:
// scenes the person wrote stand while they fit.
func (w *work) scenesAfter(m koda.Manifest) layout {
	ours := planned(w.recipe)
	return func(duration float64) []koda.SceneStart {
		if slices.Equal(m.Scenes, ours(m.Duration)) || koda.CheckScenes(m.Scenes, duration) != nil {
			return ours(duration)
		}
		return m.Scenes
	}
}

// layout returns how a change finds scenes, with their current titles.
func (w *work) layout(ctx context.Context) (scenes layout, titles []string, err error) {
	text, err := w.readFile(ctx, manifestPath)
	if koda.CodeOf(err) == koda.CodeFileNotFound {
		return planned(w.recipe), nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	m, err := koda.ParseManifest([]byte(text))
	if err != nil {
		return nil, nil, err
	}
	return w.scenesAfter(m), titlesOf(m.Scenes), nil
}

// readsScenes refuses values of single scenes in a project whose code is of an
// older koda and would not show them. Code that is not written yet will show them.
func (w *work) readsScenes(ctx context.Context, v values) error {
	if len(v.owns(w.recipe)) == 0 {
		return nil
	}
	_, err := w.readFile(ctx, "src/theatre/scenes.ts")
	if koda.CodeOf(err) != koda.CodeFileNotFound {
		return err
	}
	if _, err = w.readFile(ctx, "src/theatre/project.ts"); err != nil {
		return nil //nolint:nilerr // set-up is still to come
	}
	return &koda.Error{
		Code: koda.CodeInvalidInput, Op: "this project was made by an older koda: its code cannot show one scene other than the rest",
		Hint: "say it of the whole video, or make the project anew with koda new",
	}
}

// byHand reports whether the person changed a file since the last checkpoint.
func (w *work) byHand(name string) bool { return slices.Contains(w.task.HandEdited, name) }

// write writes a file unless the file has that content already. Code the person
// changed stays as it is.
func (w *work) write(ctx context.Context, name, content string) error {
	if w.read[name] == content && content != "" {
		return nil
	}
	if w.byHand(name) && path.Ext(name) != ".json" {
		return tool.Say(ctx, w.box, fmt.Sprintf("You changed %s; it stays as it is.", name))
	}
	if err := w.think(ctx, "Writing "+path.Base(name)); err != nil {
		return err
	}
	w.read[name] = content
	return tool.WriteFile(ctx, w.box, name, content)
}

// think says what koda does at the moment, within the length that the tool allows.
func (w *work) think(ctx context.Context, what string) error {
	if r := []rune(what); len(r) > 48 {
		what = string(r[:47]) + "…"
	}
	return tool.Think(ctx, w.box, what)
}

func (w *work) readFile(ctx context.Context, name string) (string, error) {
	text, err := tool.ReadFile(ctx, w.box, name)
	if err == nil {
		w.read[name] = text
	}
	return text, err
}

// discard removes a file of the starter that nothing uses any more.
func (w *work) discard(ctx context.Context, name string) error {
	if w.byHand(name) {
		return nil
	}
	err := tool.DeleteFile(ctx, w.box, name)
	if koda.CodeOf(err) == koda.CodeFileNotFound {
		return nil
	}
	return err
}
