package offline

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/dataset"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// draft is what the author reads in a brief.
type draft struct {
	brief koda.Brief
	req   reading.Request
	style string       // the style that the brief names
	data  *dataset.Set // nil if the person brought none
	// If no recipe fits: the nearest, filled up to three with those that show anything,
	// and a hint that names them.
	offers []*recipe.Manifest
	hint   string
	taken  bool // the recipe is one of the offers
}

// longPrompt is the length of a prompt, in bytes, of which some word is used if it means anything.
const longPrompt = 1000

// draft reads a brief.
func (a *Author) draft(b koda.Brief) (*draft, error) {
	prompt := strings.TrimSpace(b.Prompt)
	switch {
	case prompt == "" && b.Recipe == "":
		return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: "the prompt is empty", Hint: `say what the video shows: koda new "bouncing ball"`}
	case len(prompt) > maxPrompt:
		return nil, &koda.Error{
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("the prompt is %d KB long", len(prompt)>>10),
			Hint: fmt.Sprintf("at most %d KB are read; a sentence is enough", maxPrompt>>10),
		}
	}
	name := strings.TrimSpace(b.Recipe)
	if names := a.library.Names(); name != "" && a.library.Manifest(name) == nil {
		hint := "there are " + join(names)
		if near := koda.Nearest(strings.ToLower(name), names); near != "" {
			hint = fmt.Sprintf("did you mean %s? There are %s", near, join(names))
		}
		return nil, &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("there is no recipe %q", name), Hint: hint}
	}
	d := &draft{brief: b}
	if b.Data != "" {
		var err error
		if d.data, err = dataset.Decode(b.Data); err != nil {
			return nil, err
		}
	}
	a.understand(d, name)
	d.brought()
	if d.req.NotAnimation != "" && name == "" {
		return nil, &koda.Error{
			Code: koda.CodeNotAnimation, Op: fmt.Sprintf("%s asks for no animation: %s", koda.Quote(prompt), d.req.NotAnimation),
			Hint: `koda makes short animated videos: try koda new "bouncing ball", or koda new 'title "Hello, world"'`,
		}
	}
	if d.data == nil && name == "" && len(prompt) > longPrompt && d.req.Recipe != nil && len(d.req.Edits) == 0 && len(d.req.Left) > 0 && len(a.reader.Named(prompt)) == 0 {
		return nil, &koda.Error{
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("the prompt has %d characters, and none of its words says what to show", len([]rune(prompt))),
			Hint: `say in a sentence what the video shows, or put the words to show into quotation marks: koda new 'title "Hello, world"'`,
		}
	}
	if d.req.Recipe != nil {
		return d, a.styleOf(d, d.req.Recipe)
	}
	a.offers(d)
	if len(d.offers) > 0 {
		return d, a.styleOf(d, d.offers[0])
	}
	return d, nil
}

// offers settles what to offer where no recipe fits. If none is near, koda names those
// that show any words, points and numbers: for each shape of a prompt, the first recipe
// that fits it.
func (a *Author) offers(d *draft) {
	var near, shows []string
	for _, m := range d.req.Nearest {
		near = append(near, m.Name)
	}
	d.offers = slices.Clone(d.req.Nearest)
	for _, of := range []struct{ shape, what string }{{"text", "words"}, {"list", "points"}, {"rows", "numbers"}} {
		i := slices.IndexFunc(a.library.Manifests(), func(m *recipe.Manifest) bool { return !m.Retired && slices.Contains(m.Fits, of.shape) })
		if i < 0 {
			continue
		}
		m := a.library.Manifests()[i]
		shows = append(shows, m.Name+" shows "+of.what)
		if len(d.offers) < 3 && !slices.Contains(d.offers, m) {
			d.offers = append(d.offers, m)
		}
	}
	switch {
	case len(near) > 0:
		d.hint = "the nearest recipes are " + join(near) + ": take one with --recipe; "
	case len(shows) > 0:
		d.hint = join(shows) + ": take one with --recipe; "
	}
	d.hint += "words in quotation marks are shown as they are; `koda recipes` lists all; a model draws more: --author model"
}

// styleOf settles which style the brief names: --style, or --set style.
func (a *Author) styleOf(d *draft, m *recipe.Manifest) error {
	p := m.Param("style")
	for _, said := range []struct{ flag, value string }{{"--style", d.brief.Style}, {"--set style", d.brief.Params["style"]}} {
		if strings.TrimSpace(said.value) == "" || d.style != "" {
			continue
		}
		if id := a.styleFrom(m, said.value); id != "" {
			d.style = id
			continue
		}
		_, err := p.Parse(said.value, a.reader)
		return &koda.Error{Code: koda.CodeUsage, Op: said.flag, Err: err, Hint: p.Help}
	}
	return nil
}

// styleFrom is the style that some words name; "" if they name none.
func (a *Author) styleFrom(m *recipe.Manifest, said string) string {
	if id, err := m.Param("style").Parse(said, a.reader); err == nil {
		return id
	}
	for i, s := range m.Styles {
		if strings.EqualFold(said, s.Label) || said == strconv.Itoa(i+1) {
			return s.ID
		}
	}
	if n, _ := a.reader.Which(said); n != 0 && n >= -1 && n <= len(m.Styles) { // "the second one"
		return m.Styles[(n+len(m.Styles))%(len(m.Styles)+1)].ID
	}
	if c, err := a.reader.Change(m, m.Defaults(""), reading.Known{}, said); err == nil && slices.Contains(m.StyleIDs(), c.Values["style"]) {
		return c.Values["style"]
	}
	return ""
}

// missing reports whether a text that the recipe needs is not given.
func (d *draft) missing() bool {
	return d.req.Missing != "" && d.brief.Params[d.req.Missing] == ""
}

// offer is the question which of the nearest recipes to take; nil if there is none, or
// if nobody answers.
func (d *draft) offer() *koda.Question {
	if d.brief.Yes || len(d.offers) == 0 {
		return nil
	}
	what := "The nearest are below"
	if len(d.req.Nearest) == 0 {
		what = "These show any words, points or numbers"
	}
	q := &koda.Question{Text: "No recipe draws this. " + what + "; you can add a style, such as smooth or cinematic.", CustomInput: true}
	for _, m := range d.offers {
		q.Options = append(q.Options, koda.Option{ID: m.Name, Label: m.Title, Description: m.About, Recipe: m.Name})
	}
	return q
}

// unfit is the refusal of a prompt that no recipe fits.
func (d *draft) unfit() error {
	return &koda.Error{Code: koda.CodeNotAnimation, Op: "no recipe draws " + koda.Quote(d.brief.Prompt), Hint: d.hint}
}

// take takes the recipe that an answer names by its name or title, or first by its number:
// one of those that were offered, or any other. An answer that names none is read as another prompt,
// and nothing of it is left to be read as an answer.
func (a *Author) take(d *draft, ans koda.Answer) (koda.Answer, error) {
	said := " " + strings.Join(strings.FieldsFunc(strings.ToLower(ans.OptionID+" "+ans.Text), func(r rune) bool {
		return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ") + " "
	for i, m := range append(slices.Clone(d.offers), a.Recipes()...) {
		numbered := i < len(d.offers) && strings.HasPrefix(strings.TrimSpace(said)+" ", strconv.Itoa(i+1)+" ")
		if numbered || strings.Contains(said, " "+m.Name+" ") || strings.Contains(said, " "+strings.ToLower(m.Title)+" ") {
			a.understand(d, m.Name)
			d.brought()
			d.style, d.taken = "", true
			return ans, a.styleOf(d, m)
		}
	}
	b := d.brief
	b.Prompt = ans.Text
	if other, err := a.draft(b); err == nil && other.req.Recipe != nil && !other.missing() {
		*d = *other
		return koda.Answer{}, nil
	}
	return ans, &koda.Error{
		Code: koda.CodeNotAnimation, Op: "no recipe draws " + koda.Quote(ans.Text) + " either",
		Hint: "take one of these, or name a recipe: there are " + join(a.library.Names()),
	}
}

// filled are the parameters of a new project, with the notes of its plan.
type filled struct {
	values recipe.Values
	notes  []string
}

// score fills the parameters and runs the score. The later source wins: first the
// prompt, then the answer, then the data, then the flags.
func (a *Author) score(ctx context.Context, d *draft, ans koda.Answer) (filled, recipe.Score, error) {
	m := d.req.Recipe
	style, why := a.chosenStyle(d, ans)
	f := filled{values: m.Defaults(style), notes: slices.Clone(d.req.Notes)}
	if why != "" {
		f.notes = append(f.notes, why)
	}
	for _, p := range m.Params {
		if p.Spread && strings.TrimSpace(d.brief.Prompt) != "" {
			f.values[p.Name] = spread(p, d.brief.Prompt)
		}
	}
	known := reading.Known{Scenes: a.planned(ctx, d)}
	next, notes, err := a.reader.Apply(m, f.values, d.req.Edits, known)
	if err != nil {
		return f, recipe.Score{}, err
	}
	f.values, f.notes = next, append(f.notes, notes...)
	if ans.OptionID == "" && strings.TrimSpace(ans.Text) != "" {
		if err := a.answer(d, &f, ans.Text, known); err != nil {
			return f, recipe.Score{}, err
		}
	}
	if err := a.fill(d, &f); err != nil {
		return f, recipe.Score{}, err
	}
	if err := a.flags(d, f.values); err != nil {
		return f, recipe.Score{}, err
	}
	if err := a.place(d, f.values); err != nil {
		return f, recipe.Score{}, err
	}
	s, err := a.scored(ctx, m, f.values, d.env())
	if err == nil && d.taken && len(s.Refused) > 0 && a.example(m, &f, s.Refused[0].Param, known) {
		s, err = a.scored(ctx, m, f.values, d.env())
	}
	if err == nil {
		err = s.Err()
	}
	if err == nil {
		err = ownScenes(f.values, s)
	}
	f.notes = append(f.notes, s.Said...)
	return f, s, err
}

// scoreAny is score, with another recipe where the one that was read cannot show what the prompt does not say: a result without
// sides. The recipe stands where the prompt names it, or gives the parameter that was refused.
func (a *Author) scoreAny(ctx context.Context, d *draft, ans koda.Answer) (*draft, filled, recipe.Score, error) {
	f, s, err := a.score(ctx, d, ans)
	if err == nil || len(s.Refused) == 0 || d.brief.Recipe != "" || d.data != nil || d.taken || d.missing() {
		return d, f, s, err
	}
	given := slices.ContainsFunc(d.req.Edits, func(e reading.Edit) bool { return e.Param == s.Refused[0].Param })
	if given || slices.Contains(a.reader.Named(d.brief.Prompt), d.req.Recipe) {
		return d, f, s, err
	}
	other := *d
	other.req = a.reader.Read(reading.Brief{Prompt: d.brief.Prompt, Assets: d.brief.Assets, Not: []string{d.req.Recipe.Name}})
	if other.brought(); other.req.Recipe == nil || other.missing() {
		return d, f, s, err
	}
	if g, t, failed := a.score(ctx, &other, ans); failed == nil {
		return &other, g, t, nil
	}
	return d, f, s, err
}

// example sets a parameter that a prompt gives no value to what the recipe's first example
// shows. Somebody who took an offered recipe sees so what the recipe does.
func (a *Author) example(m *recipe.Manifest, f *filled, param string, known reading.Known) bool {
	edits := a.reader.Read(reading.Brief{Prompt: m.Examples[0], Recipe: m.Name}).Edits
	v, _, err := a.reader.Apply(m, m.Defaults(f.values["style"]), edits, known)
	if err != nil || v[param] == f.values[param] {
		return false
	}
	f.values[param] = v[param]
	f.notes = append(f.notes, "What it shows is an example: change it by saying what to show.")
	return true
}

func (d *draft) env() recipe.Env {
	return recipe.Env{FPS: rate(d.brief.FPS), Width: d.brief.Width, Height: d.brief.Height}
}

// spread is a number of a parameter that belongs to a prompt, the same on every machine.
func spread(p recipe.Param, prompt string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(strings.Join(strings.Fields(strings.ToLower(prompt)), " "))) //nolint:errcheck // a hash takes everything
	low, high := 0, 0
	if p.Min != nil && p.Max != nil {
		low, high = int(*p.Min), int(*p.Max)
	}
	return strconv.Itoa(low + int(h.Sum32()>>3)%(high-low+1))
}

// planned returns how scenes follow from values under the flags.
func (a *Author) planned(ctx context.Context, d *draft) func(recipe.Values) ([]koda.SceneStart, error) {
	return func(v recipe.Values) ([]koda.SceneStart, error) {
		v = maps.Clone(v)
		if err := a.flags(d, v); err != nil {
			return nil, err
		}
		s, err := a.scored(ctx, d.req.Recipe, v, d.env())
		if err == nil {
			err = s.Err()
		}
		return s.Starts(), err
	}
}

// ownScenes refuses values of scenes that there are not.
func ownScenes(v recipe.Values, s recipe.Score) error {
	for _, n := range slices.Sorted(maps.Keys(v.Owns())) {
		if n > len(s.Scenes) {
			var list []string
			for i, scene := range s.Scenes {
				list = append(list, fmt.Sprintf("%d %s", i+1, scene.Title))
			}
			return &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("there is no scene %d", n), Hint: "the scenes are " + join(list)}
		}
	}
	return nil
}

// answer applies a free answer. If a text is missing, an answer with no other meaning is
// that text.
func (a *Author) answer(d *draft, f *filled, said string, known reading.Known) error {
	m := d.req.Recipe
	c, err := a.reader.Change(m, f.values, known, said)
	if err != nil {
		return err
	}
	if !c.Understood && d.missing() {
		f.values[d.req.Missing] = strings.TrimSpace(said)
		return nil
	}
	style := f.values["style"]
	f.values, f.notes = c.Values, append(f.notes, c.Notes...)
	f.values["style"] = style // the style is settled already
	if len(c.Left) > 0 && c.Understood {
		f.notes = append(f.notes, unused(c.Left))
	}
	return nil
}

// flags applies what the flags say: --duration and --set.
func (a *Author) flags(d *draft, v recipe.Values) error {
	m := d.req.Recipe
	if d.brief.Duration != 0 {
		value, err := m.Param("duration").Parse(recipe.Trim(d.brief.Duration), a.reader)
		if err != nil {
			return &koda.Error{Code: koda.CodeUsage, Op: "--duration", Err: err, Hint: "give seconds within the range"}
		}
		v["duration"] = value
	}
	for _, name := range slices.Sorted(maps.Keys(d.brief.Params)) {
		scene, param, own := recipe.ParseOwn(name)
		p := m.Param(name)
		var err error
		if own {
			p, err = m.SceneParam(param)
		}
		if err != nil {
			return &koda.Error{Code: koda.CodeUsage, Op: "--set " + name, Err: err, Hint: "for example --set scene2.background=navy"}
		}
		if p == nil {
			hint := "it has " + strings.Join(m.ParamNames(), ", ")
			if near := koda.Nearest(name, m.ParamNames()); near != "" {
				hint = "did you mean " + near + "? " + hint
			}
			return &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("the recipe %s has no parameter %q", m.Name, name), Hint: hint}
		}
		value, err := p.Parse(d.brief.Params[name], a.reader)
		if err != nil {
			if name == "style" {
				continue // the style is settled already
			}
			return &koda.Error{Code: koda.CodeUsage, Op: "--set " + name, Err: err, Hint: p.Name + ": " + p.Help}
		}
		if own {
			name = recipe.Own(scene, param)
		}
		if own && value == v[param] {
			delete(v, name) // it is as the rest
		} else if name != "style" {
			v[name] = value
		}
	}
	return nil
}

// chosenStyle settles the style: the style of the answer, else that of the brief, else
// the prompt's, else the first. why explains a style that koda chose.
func (a *Author) chosenStyle(d *draft, ans koda.Answer) (id, why string) {
	m := d.req.Recipe
	said := strings.TrimSpace(ans.OptionID + ans.Text)
	if said != "" {
		if id := a.styleFrom(m, said); id != "" {
			return id, ""
		}
	}
	switch {
	case d.style != "":
		return d.style, ""
	case len(d.req.Styles) > 0:
		return d.req.Styles[0], ""
	}
	ids := m.StyleIDs()
	if len(ids) < 2 {
		return ids[0], ""
	}
	_, whichever := a.reader.Which(said)
	if c, err := a.reader.Change(m, m.Defaults(ids[0]), reading.Known{}, said); said != "" && !whichever && !d.missing() && err == nil && !c.Understood && len(c.Left) > 0 {
		return ids[0], fmt.Sprintf("%s is not a style koda knows; it is %s. Others: %s.", koda.Quote(said), ids[0], join(ids[1:]))
	}
	return ids[0], fmt.Sprintf("Style: %s, koda's choice. Others: %s.", ids[0], join(ids[1:]))
}

// remarks are the last notes of a new plan: what koda made of words it could not use,
// and of the files that the person brought.
func (d *draft) remarks(v recipe.Values) (notes []string) {
	if d.missing() {
		notes = append(notes, "No words were given. Put yours in quotation marks.")
	}
	if len(d.req.Left) > 0 {
		notes = append(notes, unused(d.req.Left))
	}
	shown := map[string]bool{}
	for _, value := range v {
		for _, asset := range d.brief.Assets {
			shown[asset.Path] = shown[asset.Path] || strings.Contains(value, asset.Path)
		}
	}
	sound := ""
	for _, asset := range d.brief.Assets {
		if asset.Kind == "audio" && (sound == "" || asset.Path < sound) {
			sound = asset.Path
		}
	}
	for _, asset := range d.brief.Assets {
		note := "%s is kept in the project, but the recipe does not show it."
		switch {
		case shown[asset.Path], d.data != nil && asset.Kind == "data" && asset.Name == d.data.Name:
			continue
		case asset.Path == sound:
			note = "%s is the sound of the final video."
		case asset.Kind == "data":
			note = "%s is kept in the project, but the recipe does not show it: --data brings data."
		case asset.Kind == "audio":
			note = "%s is kept in the project; the final video has one sound."
		}
		notes = append(notes, fmt.Sprintf(note, asset.Path))
	}
	return notes
}

// unused says which words were not understood.
func unused(left []string) string {
	return "Not used, because the recipe does not know the words: " + clipped(left) + "."
}

func rate(f koda.FPS) float64 {
	if f.IsZero() {
		f = koda.DefaultFPS
	}
	return float64(f.Num) / float64(max(1, f.Den))
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
