package offline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/theatre"
)

// stateKey is the member of a row that holds the keyframes of the row, for the page.
const stateKey = "kodaState"

var errNoRecipe = errors.New("no recipe made these files")

// project is what a project's files say.
type project struct {
	recipe *recipe.Manifest
	values recipe.Values
	params *recipe.Params
	page   koda.Manifest
	edited bool // the code is not this koda's, and may read what the recipe does not know
	score  func(ctx context.Context, v recipe.Values, lengths ...float64) (recipe.Score, error)
}

// read finds what made some files. The error is errNoRecipe if no recipe did.
func (a *Author) read(files fs.FS) (*project, error) {
	text, err := fs.ReadFile(files, paramsPath)
	if err != nil {
		return nil, errNoRecipe
	}
	name := recipe.RecipeOf(text)
	m, ours := a.library.Manifest(name), true
	carried, err := fs.ReadFile(files, recipe.ManifestPath)
	if err == nil && (m == nil || string(carried) != m.Source(false) || !a.same(files, m, recipe.OfScore)) {
		ours = false
		if m, err = recipe.Parse(carried); err != nil {
			return nil, broken(recipe.ManifestPath, err)
		}
	}
	if name == "" || m == nil {
		return nil, errNoRecipe
	}
	p := &project{recipe: m, edited: !a.same(files, m, func(string) bool { return true })}
	if p.params, err = m.DecodeParams(string(text), m.Defaults(m.Styles[0].ID), a.reader); err != nil {
		return nil, broken(paramsPath, err)
	}
	p.values = p.params.Values
	data, err := fs.ReadFile(files, manifestPath)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", manifestPath, err)
	}
	if p.page, err = koda.ParseManifest(data); err != nil {
		return nil, err
	}
	script := ""
	p.score = func(ctx context.Context, v recipe.Values, lengths ...float64) (recipe.Score, error) {
		env := recipe.Env{FPS: rate(p.page.FPS), Width: p.page.Width, Height: p.page.Height, Lengths: lengths}
		if ours {
			return a.scored(ctx, m, v, env)
		}
		return a.carried(ctx, m, files, &script, v, env)
	}
	return p, nil
}

// Params are the recipe that made a project, and the values of its parameters. If no
// recipe made the project, the recipe is nil.
func (a *Author) Params(files fs.FS) (*recipe.Manifest, recipe.Values, error) {
	p, err := a.read(files)
	if err == errNoRecipe { //nolint:errorlint // read returns it as it is
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return p.recipe, p.values, nil
}

// CheckParams refuses parameters of a project that a person edited to what the recipe does not take: INVALID_INPUT. Strange are
// the members of the file that are no parameters. Code that a person changed may read whatever it likes, and so may a page that
// no recipe made.
func (a *Author) CheckParams(files fs.FS) (strange []string, err error) {
	text, err := fs.ReadFile(files, paramsPath)
	if err != nil {
		return nil, nil //nolint:nilerr // no recipe made it
	}
	carried, err := fs.ReadFile(files, recipe.ManifestPath)
	if err != nil {
		return nil, nil //nolint:nilerr // likewise
	}
	m, err := recipe.Parse(carried)
	if err != nil {
		return nil, broken(recipe.ManifestPath, err)
	}
	written := m.Written()
	for name, digest := range written {
		if code, err := fs.ReadFile(files, name); path.Ext(name) != ".json" && (err != nil || recipe.Digest(string(code)) != digest) {
			return nil, nil //nolint:nilerr // the person's own code
		}
	}
	if len(written) == 0 {
		return nil, nil
	}
	p, err := m.DecodeParams(string(text), m.Defaults(m.Styles[0].ID), a.reader)
	if err != nil {
		return nil, broken(paramsPath, err)
	}
	return m.Strange(p), nil
}

// same reports whether the chosen files of a project are as this koda writes them.
func (a *Author) same(files fs.FS, m *recipe.Manifest, chosen func(name string) bool) bool {
	m = a.library.Manifest(m.Name)
	if m == nil {
		return false
	}
	code, err := m.Files()
	if err != nil {
		return false
	}
	for name, want := range code {
		if got, err := fs.ReadFile(files, name); path.Ext(name) != ".json" && chosen(name) && (err != nil || string(got) != want) {
			return false
		}
	}
	return true
}

// Row returns the parameters of one render of a project, a JSON object, in the form that
// the page reads: "Red" becomes #ff0000. The score runs with the values of the row, and
// the keyframes that follow travel with the row. Fields in others are not for the page
// and stay. INVALID_INPUT: the recipe has no such parameter, a value is out of range, or
// the row makes a video of another length. If no recipe made the project, the row passes
// as it is, because the page knows what it reads.
func (a *Author) Row(ctx context.Context, files fs.FS, row json.RawMessage, others []string) (json.RawMessage, error) {
	p, err := a.read(files)
	if err == errNoRecipe { //nolint:errorlint // read returns it as it is
		return row, nil
	}
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(row, &fields); err != nil {
		return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: "read the parameters", Err: err, Hint: "give a JSON object"}
	}
	next, known := maps.Clone(p.values), 0
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		param := p.recipe.Param(name)
		if param == nil {
			if slices.Contains(others, name) || p.edited {
				continue
			}
			return nil, unknownField(p.recipe, name)
		}
		if next[name], err = param.Read(fields[name], a.reader); err != nil {
			return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: err.Error(), Hint: name + ": " + param.Help}
		}
		known++
	}
	if known == 0 {
		return row, nil
	}
	there := func(path string) bool { _, err := fs.Stat(files, path); return err == nil }
	if gone := a.filed(p.recipe, p.values, next, func(name string) string { return inProject(name, there) }); gone != "" {
		return nil, noPicture(gone)
	}
	for name := range fields {
		if param := p.recipe.Param(name); param != nil {
			fields[name] = param.JSON(next[name])
		}
	}
	if maps.Equal(next, p.values) {
		return json.Marshal(fields)
	}
	was, err := p.score(ctx, p.values)
	if err != nil {
		return nil, err
	}
	now, err := p.score(ctx, next)
	if err == nil {
		err = now.Err()
	}
	if err != nil {
		return nil, refused(err)
	}
	if now.Duration != was.Duration {
		return nil, &koda.Error{
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("the row makes a video of %s s, and the project has %s s", seconds(now.Duration), seconds(was.Duration)),
			Hint: "the rows of a batch share one length: leave out what changes the length, or set duration",
		}
	}
	if lengths := inStep(was, now); lengths != nil {
		if again, err := p.score(ctx, next, lengths...); err == nil && again.Err() == nil && again.Duration == was.Duration {
			now = again
		}
	}
	if !now.Motion.Equal(was.Motion) {
		if fields[stateKey], err = p.rowState(files, was, now); err != nil {
			return nil, err
		}
	}
	return json.Marshal(fields)
}

// inStep returns the lengths of a project's scenes if a row's scenes are of nearly these
// lengths: then the row keeps to them, and draws no scene again that it does not change.
// Nil: the row has other scenes, or scenes that need other times.
func inStep(was, now recipe.Score) []float64 {
	if len(was.Scenes) < 2 || len(was.Scenes) != len(now.Scenes) || len(was.Motion) != len(was.Scenes) || len(now.Motion) != len(was.Scenes) {
		return nil
	}
	lengths := make([]float64, len(was.Scenes))
	for i, scene := range was.Scenes {
		if ratio := now.Scenes[i].Seconds / scene.Seconds; scene.ID != now.Scenes[i].ID || ratio < 0.75 || ratio > 1/0.75 {
			return nil
		}
		lengths[i] = scene.Seconds
	}
	return lengths
}

// rowState is the keyframes of a row: those of the project, with what the row changes.
func (p *project) rowState(files fs.FS, was, now recipe.Score) (json.RawMessage, error) {
	if !p.recipe.RowsMove {
		return nil, &koda.Error{
			Code: koda.CodeInvalidInput, Op: "the row changes how things move, and this project reads its keyframes from a file",
			Hint: "leave out what moves things, or change it for all rows with koda edit",
		}
	}
	text, err := fs.ReadFile(files, statePath)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", statePath, err)
	}
	state, err := theatre.Decode(string(text), was.Motion, p.page.FPS)
	if err != nil {
		return nil, broken(statePath, err)
	}
	state.Merge(was.Motion, now.Motion, p.page.FPS)
	return json.RawMessage(state.Encode()), nil
}

func unknownField(m *recipe.Manifest, name string) error {
	hint := "there are " + strings.Join(m.ParamNames(), ", ")
	if near := koda.Nearest(name, m.ParamNames()); near != "" {
		hint = fmt.Sprintf("did you mean %s? There are %s", near, strings.Join(m.ParamNames(), ", "))
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("%q is not a parameter of the recipe %s", name, m.Name), Hint: hint}
}

// Reread returns the plan that follows from the parameters in a project's files. It
// serves projects that were copied without their .koda. NOT_FOUND: no recipe made these
// files. INVALID_INPUT: the parameters make no sense.
func (a *Author) Reread(files map[string][]byte) (koda.Plan, error) {
	texts := map[string]string{}
	for name, data := range files {
		texts[name] = string(data)
	}
	p, err := a.read(recipe.FS(texts))
	if err == errNoRecipe { //nolint:errorlint // read returns it as it is
		return koda.Plan{}, &koda.Error{Code: koda.CodeNotFound, Op: "no recipe of koda made these files", Hint: "koda render draws any page"}
	}
	if err != nil {
		return koda.Plan{}, err
	}
	s, err := p.score(context.Background(), p.values)
	if err == nil {
		err = s.Err()
	}
	if err != nil {
		return koda.Plan{}, broken(paramsPath, err)
	}
	return newPlan(p.recipe, p.values, s, p.page.FPS, nil, nil), nil
}

// Check refuses a brief for this author before a project is made for it: USAGE or
// INVALID_INPUT, with the nearest name as hint, if a recipe, style or parameter does not
// exist, or a value is out of range; NOT_ANIMATION if no recipe fits and there is nothing
// to ask. Assets need no path yet. Check says what the prompt asks of the video file, and how long the video becomes.
func (a *Author) Check(ctx context.Context, b koda.Brief) (recipe.Wanted, error) {
	b.Assets = slices.Clone(b.Assets)
	for i := range b.Assets {
		b.Assets[i].Path = cmp.Or(b.Assets[i].Path, "public/"+b.Assets[i].Name)
	}
	length := 0.0
	d, err := a.draft(b)
	if err == nil && d.req.Recipe == nil && d.offer() == nil {
		err = d.unfit()
	}
	if err == nil && d.req.Recipe != nil {
		var s recipe.Score
		d, _, s, err = a.scoreAny(ctx, d, koda.Answer{})
		length = s.Duration
	}
	if err != nil {
		return recipe.Wanted{}, err
	}
	w := recipe.Wanted{Width: d.req.Width, Height: d.req.Height, FPS: d.req.FPS, Format: d.req.Format, Seconds: length}
	if d.req.Recipe != nil && !d.missing() && len(d.req.Left) == 0 {
		w.Recipe = d.req.Recipe.Name
	}
	return w, nil
}
