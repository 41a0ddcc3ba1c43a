package offline

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// recipeKey is the key in a plan's data that names the recipe; the other keys are its
// parameters.
const recipeKey = "recipe"

// newPlan tells a score as a plan. Left are the words that were not understood; one of the
// notes says them.
func newPlan(m *recipe.Manifest, v recipe.Values, s recipe.Score, fps koda.FPS, notes, left []string) koda.Plan {
	p := koda.Plan{TotalDuration: s.Duration, Style: v["style"], FPS: fps, Notes: notes, Data: map[string]string{recipeKey: m.Name}}
	maps.Copy(p.Data, v)
	for i, scene := range s.Scenes {
		p.Scenes = append(p.Scenes, koda.Scene{
			Number: i + 1, Title: scene.Title, Duration: scene.Seconds, Description: scene.Description, AnimationNotes: scene.Notes,
			Colors: ownColors(v, i+1),
		})
	}
	if len(left) > 0 {
		p.Unused = unused(left)
	}
	return p
}

// ownColors are the colours that a scene has of its own.
func ownColors(v recipe.Values, scene int) (colors []string) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		n, param, own := recipe.ParseOwn(name)
		switch {
		case !own || n != scene || !strings.HasPrefix(v[name], "#"):
		case param == "background":
			colors = slices.Insert(colors, 0, v[name])
		default:
			colors = append(colors, v[name])
		}
	}
	return colors
}

// planValues reads the parameters back out of a plan. The values of a plan that the
// recipe of this koda does not take are an error.
func (a *Author) planValues(p koda.Plan) (*recipe.Manifest, recipe.Values, error) {
	m, v, err := a.readPlan(p, nil)
	if m == nil || err == nil {
		return m, v, err
	}
	return nil, nil, fmt.Errorf("read plan: %w", err)
}

// readPlan is planValues that goes on: what cannot be read keeps its default, and err is
// the first such failure. A project lives on with the manifest that it carries, where there is no such recipe any more. Without a
// recipe the manifest is nil.
func (a *Author) readPlan(p koda.Plan, carried *recipe.Manifest) (_ *recipe.Manifest, _ recipe.Values, failed error) {
	m := cmp.Or(a.library.Manifest(p.Data[recipeKey]), carried)
	if m == nil || m.Name != p.Data[recipeKey] {
		return nil, nil, &koda.Error{
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("the plan is of the recipe %q, which this koda does not have", p.Data[recipeKey]),
			Hint: "koda recipes lists the recipes that there are; --recipe-path names a directory with others",
		}
	}
	v := m.Defaults(m.Styles[0].ID)
	for _, name := range slices.Sorted(maps.Keys(p.Data)) {
		param, err := m.Param(name), error(nil)
		if _, of, own := recipe.ParseOwn(name); own {
			param, err = m.SceneParam(of)
		} else if param == nil || p.Data[name] == "" {
			continue // of another koda
		}
		value := ""
		if err == nil {
			value, err = param.Parse(p.Data[name], a.reader)
		}
		if err == nil {
			v[name] = value
		} else if failed == nil {
			failed = err
		}
	}
	return m, v, failed
}

// replan changes the plan before by the feedback, and by the answer if a question was
// asked again.
func (a *Author) replan(ctx context.Context, d *draft, ans koda.Answer, rev *koda.Revision) (koda.Plan, error) {
	m, before, err := a.planValues(*rev.Plan)
	if err != nil {
		return koda.Plan{}, err
	}
	env := d.env()
	if rev.Plan.Width > 0 {
		env.Width, env.Height = rev.Plan.Width, rev.Plan.Height
	}
	fps := d.brief.FPS
	if !rev.Plan.FPS.IsZero() {
		fps, env.FPS = rev.Plan.FPS, rate(rev.Plan.FPS)
	}
	c := changing{a: a, recipe: m, env: &env, run: func(v recipe.Values) (recipe.Score, error) { return a.scored(ctx, m, v, env) }}
	c.there = func(path string) bool {
		return slices.ContainsFunc(d.brief.Assets, func(a koda.Asset) bool { return a.Path == path })
	}
	c.values = before
	if c.score, err = c.run(before); err != nil {
		return koda.Plan{}, err
	}
	said, text := rev.Feedback, "" // text is the answer: the question quoted the reason already
	next, err := c.by(said)
	if err == nil && ans != rev.Answer && ans != (koda.Answer{}) {
		text = ans.OptionID + ans.Text
		said = strings.TrimSpace(said + "\n" + text)
		next, err = c.by(said)
	}
	if err != nil {
		return koda.Plan{}, err
	}
	switch same := c.alike(next); {
	case same && next.undo && rev.Before != nil:
		return *rev.Before, nil
	case same && next.undo:
		hint := "say what to change, or accept the plan"
		if rev.Answer != (koda.Answer{}) {
			hint = "`koda undo` goes back to the question; or " + hint
		}
		return koda.Plan{}, &koda.Error{Code: koda.CodeInvalidInput, Op: "there is no plan before this one", Hint: hint}
	case same:
		return koda.Plan{}, c.nothing(cmp.Or(text, said), next)
	}
	if len(next.left) > 0 {
		next.notes = append(next.notes, unused(next.left))
	}
	usual := m.Defaults(next.values["style"])
	for _, d := range differences(m, before, next.values) { // the plan tells only colours that are not the usual ones
		if d.param.Type == recipe.Color && d.to == usual[d.name] && before["style"] == next.values["style"] {
			next.notes = append(next.notes, capital(fmt.Sprintf("%s is %s again, not %s.", d.name, d.to, d.from)))
		}
	}
	all := append(next.notes, next.score.Said...)
	notes, err := a.lettersOf(ctx, next.values, append(all, a.settings(m, next.values, next.score, all)...))
	if !next.fps.IsZero() {
		fps = next.fps
	}
	p := newPlan(m, next.values, next.score, fps, notes, next.left)
	if env.Width != d.brief.Width || env.Height != d.brief.Height {
		p.Width, p.Height = env.Width, env.Height
	}
	return p, err
}

// named is the recipe that an answer names; nil if it names none.
func (a *Author) named(ans koda.Answer) *recipe.Manifest {
	said := strings.TrimSpace(ans.OptionID + ans.Text)
	for _, m := range a.library.Manifests() {
		if !m.Retired && (strings.EqualFold(said, m.Name) || strings.EqualFold(said, m.Title)) {
			return m
		}
	}
	return nil
}

// turn is the draft of a plan of another recipe than the plan that was rejected. It shows what
// the prompt and the reason say, in the style of the plan before.
func (a *Author) turn(b koda.Brief, to *recipe.Manifest, rev *koda.Revision) (*draft, error) {
	b.Recipe, b.Params = to.Name, nil // these are of the recipe before
	why := b
	why.Prompt = rev.Feedback
	said, err := a.draft(why)
	if err != nil {
		return nil, err
	}
	d, err := a.draft(b)
	if err != nil {
		return nil, err
	}
	d.req.Edits = append(d.req.Edits, said.req.Edits...)
	d.req.Notes, d.req.Left, d.taken = said.req.Notes, said.req.Left, true
	if said.req.Missing == "" {
		d.req.Missing = ""
	}
	if d.style = rev.Plan.Style; len(said.req.Styles) > 0 {
		d.style = said.req.Styles[0]
	}
	return d, nil
}

// lettersOf adds to the notes of a plan which characters no font has.
func (a *Author) lettersOf(ctx context.Context, v recipe.Values, notes []string) ([]string, error) {
	if a.Letters == nil {
		return notes, nil
	}
	var texts strings.Builder
	for _, name := range slices.Sorted(maps.Keys(v)) {
		texts.WriteString(v[name] + " ")
	}
	said, err := a.Letters(ctx, texts.String())
	if said != "" {
		notes = append(notes, said)
	}
	return notes, err
}

// scored runs the score of a recipe of this koda.
func (a *Author) scored(ctx context.Context, m *recipe.Manifest, v recipe.Values, env recipe.Env) (recipe.Score, error) {
	a.mu.Lock()
	script, ok := a.compiled[m.Name]
	a.mu.Unlock()
	if !ok {
		files, err := m.Files()
		if err != nil {
			return recipe.Score{}, err
		}
		if script, err = a.scorer.Compile(ctx, recipe.FS(files)); err != nil {
			return recipe.Score{}, ofRecipe(m, err)
		}
		a.mu.Lock()
		a.compiled[m.Name] = script
		a.mu.Unlock()
	}
	s, err := a.scorer.Run(ctx, script, m.ScoreParams(v), env, m.Ours())
	return s, ofRecipe(m, err)
}

// carried runs the score that a project carries; script is the compiled score, once there is one.
func (a *Author) carried(ctx context.Context, m *recipe.Manifest, files fs.FS, script *string, v recipe.Values, env recipe.Env) (s recipe.Score, err error) {
	if *script == "" {
		if *script, err = a.scorer.Compile(ctx, files); err != nil {
			return s, ofRecipe(m, err)
		}
	}
	s, err = a.scorer.Run(ctx, *script, m.ScoreParams(v), env, false)
	return s, ofRecipe(m, err)
}

// ofRecipe names the recipe whose score fails. A recipe that a person wrote is INVALID_INPUT.
func ofRecipe(m *recipe.Manifest, err error) error {
	if koda.CodeOf(err) != koda.CodeBuildFailed {
		return err
	}
	code := koda.CodeInvalidInput
	if m.Ours() {
		code = koda.CodeBuildFailed
	}
	return &koda.Error{Code: code, Op: "the recipe " + m.Name, Err: err, Hint: koda.HintOf(err), Details: koda.DetailsOf(err)}
}

// settings says which values of a plan nothing else of the plan tells: what a command answers, a theme, a
// loop. It is one note, or none if all is told.
func (a *Author) settings(m *recipe.Manifest, v recipe.Values, s recipe.Score, notes []string) []string {
	told := strings.ToLower(strings.Join(notes, "\n"))
	for _, scene := range s.Scenes {
		told += "\n" + strings.ToLower(scene.Title+"\n"+scene.Description+"\n"+scene.Notes)
	}
	usual := m.Defaults(v["style"])
	var list []string
	for i := range m.Params {
		p := &m.Params[i]
		if v[p.Name] != usual[p.Name] && !p.Spread && !slices.Contains([]string{"style", "duration", "locale"}, p.Name) {
			list = append(list, a.untold(p, reading.Spoken(p), v[p.Name], told)...)
		}
	}
	own := v.Owns()
	for _, n := range slices.Sorted(maps.Keys(own)) {
		for i := range m.Params {
			if p := &m.Params[i]; own[n][p.Name] != "" {
				list = append(list, a.untold(p, fmt.Sprintf("scene %d %s", n, reading.Spoken(p)), own[n][p.Name], told)...)
			}
		}
	}
	if list == nil {
		return nil
	}
	return []string{"Also set: " + strings.Join(list, ", ") + "."}
}

// untold is the value of a parameter, under a name, unless a text tells it; of rows it is their colours.
func (a *Author) untold(p *recipe.Param, name, value, told string) []string {
	name = strings.ReplaceAll(name, "_", " ")
	switch p.Type {
	case recipe.Text:
		shown, _, _ := strings.Cut(value, "\n")
		shown = strings.ToLower(strings.TrimSuffix(clip(shown, 20), "…"))
		if len(shown) < 4 {
			shown = `"` + shown
		}
		if !strings.Contains(told, shown) {
			return []string{name + " " + strconv.Quote(clip(strings.Join(strings.Fields(value), " "), 40))}
		}
	case recipe.Flag:
		if !strings.Contains(told, name) {
			return []string{name + " " + map[string]string{"true": "on", "false": "off"}[value]}
		}
	case recipe.Color:
		if !strings.Contains(told, strings.ToLower(value)) {
			return []string{strings.TrimSpace(name+" "+a.reader.Called(value)) + " " + value}
		}
	case recipe.Choice:
		if said := chosen(p, value); !strings.Contains(told, strings.ToLower(said)) && !strings.Contains(told, strings.ToLower(value)) {
			if len(p.Words["en"]) == 0 || strings.HasSuffix(said, " "+reading.Spoken(p)) { // "light theme", "bursting at the end"
				name = strings.TrimSuffix(name, reading.Spoken(p))
			}
			return []string{strings.TrimSpace(name + " " + said)}
		}
	case recipe.Number, recipe.Integer:
		if !strings.Contains(told, strings.ToLower(value)) {
			return []string{name + " " + degree(p, value)}
		}
	case recipe.Rows:
		return a.rowColours(p, value)
	case recipe.Texts, recipe.File, recipe.Sign:
	}
	return nil
}

// chosen is the value of a choice as people say it: "new year" for newyear.
func chosen(p *recipe.Param, value string) string {
	for _, c := range p.Choices {
		if words := c.Words["en"]; c.ID == value && len(words) > 0 && !slices.Contains(words, value) {
			return words[0]
		}
	}
	return value
}

// rowColours are the colours that single rows have: "actual green".
func (a *Author) rowColours(p *recipe.Param, value string) (list []string) {
	var rows []map[string]any
	if json.Unmarshal([]byte(value), &rows) != nil {
		return nil
	}
	label, colour := "", ""
	for _, c := range p.Columns {
		switch {
		case c.Type == recipe.Text && label == "":
			label = c.Name
		case c.Type == recipe.Color && colour == "":
			colour = c.Name
		}
	}
	for _, row := range rows {
		if hex, _ := row[colour].(string); hex != "" {
			list = append(list, fmt.Sprintf("%v %s", row[label], cmp.Or(a.reader.Called(hex), hex)))
		}
	}
	return list
}
