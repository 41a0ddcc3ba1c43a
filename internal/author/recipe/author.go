package recipe

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// maxPrompt is the length of the longest prompt that is read, in bytes.
const maxPrompt = 64 << 10

// Author is the offline author. It holds no state: everything follows from the
// arguments, so the zero value works and may be shared.
type Author struct{}

// New returns the offline author.
func New() *Author { return &Author{} }

// Clarify asks for the style, or for the words if a title has no words. It asks nothing
// if the prompt names a style, if the prompt is so specific that a default is no
// surprise, or if the feedback on a rejected plan says what to change. NOT_ANIMATION: the
// prompt asks for no animation. INVALID_INPUT: the prompt is empty or too long. USAGE: a
// value is out of range.
func (a *Author) Clarify(_ context.Context, b koda.Brief, rev *koda.Revision, _ tool.Desk) (*koda.Question, error) {
	u, err := understand(b)
	if err != nil {
		return nil, err
	}
	if _, _, err := u.values(koda.Answer{}); err != nil {
		return nil, err
	}
	if rev != nil {
		return u.askAgain(rev), nil
	}
	styles := u.read.styles
	switch {
	case u.wordless():
		return question(`What should the title say, and in which style? Answer with the words in quotation marks, or take a style and the words "` + defaultText + `".`), nil
	case u.style != "" || len(styles) == 1:
		return nil, nil
	case len(styles) > 1:
		return question(fmt.Sprintf("You named %s. Which style leads?", join(styles))), nil
	case u.specific() >= 4:
		return nil, nil
	}
	return question("What style should the animation have?"), nil
}

func question(text string) *koda.Question {
	q := &koda.Question{Text: text, CustomInput: true}
	for _, s := range Styles() {
		q.Options = append(q.Options, koda.Option{ID: s.ID, Label: s.Label, Description: s.Description})
	}
	return q
}

// askAgain asks after a plan was rejected: nothing if the feedback says what to
// change, else which way to go.
func (u understood) askAgain(rev *koda.Revision) *koda.Question {
	feedback := strings.TrimSpace(rev.Feedback)
	if feedback == "" {
		return question("What should the new plan be like?")
	}
	if r := readChange(feedback, u.recipe); len(r.edits)+len(r.styles) > 0 {
		return nil
	}
	return question(fmt.Sprintf("You said %s. Which way should the new plan go?", quote(feedback)))
}

// Plan fills a recipe's parameters and tells the scenes that follow from them. With
// a revision, it changes the plan before by what the person said and keeps the
// rest. Words that change nothing are INVALID_INPUT, and the plan before still
// holds.
func (a *Author) Plan(_ context.Context, b koda.Brief, ans koda.Answer, rev *koda.Revision, _ tool.Desk) (koda.Plan, error) {
	u, err := understand(b)
	if err != nil {
		return koda.Plan{}, err
	}
	if rev != nil && rev.Plan != nil {
		return u.replan(ans, rev)
	}
	v, notes, err := u.values(ans)
	if err != nil {
		return koda.Plan{}, err
	}
	return newPlan(u.recipe, v, b.FPS, notes), nil
}

// Work writes the project. The set-up writes the code and the parameters, each
// scene its keyframes, and the finish everything around the actor. A change edits
// parameters and keyframes only.
func (a *Author) Work(ctx context.Context, t koda.Task, desk tool.Desk) error {
	w, err := newWork(t, desk)
	if err != nil {
		return err
	}
	switch t.Kind {
	case koda.TaskSetup:
		return w.setup(ctx)
	case koda.TaskScene:
		return w.scene(ctx, t.Scene)
	case koda.TaskFinish:
		return w.finish(ctx)
	case koda.TaskChange:
		return w.change(ctx, t.Message)
	case koda.TaskTodo: // a recipe's plans have no todos of their own
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("unknown kind of task %q", t.Kind)}
}

// understood is what the author reads in a brief.
type understood struct {
	brief  koda.Brief
	recipe string
	style  string // the style that the brief names
	read   reading
	text   string // the text of a title
	how    string // how the text was found: see words.title
}

// understand reads a brief: which recipe it means, and what its prompt asks of the
// recipe.
func understand(b koda.Brief) (understood, error) {
	u := understood{brief: b}
	prompt := strings.TrimSpace(b.Prompt)
	switch {
	case prompt == "":
		return u, &koda.Error{Code: koda.CodeInvalidInput, Op: "the prompt is empty", Hint: `say what the video shows: koda new "bouncing ball"`}
	case len(prompt) > maxPrompt:
		return u, &koda.Error{
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("the prompt is %d KB long", len(prompt)>>10),
			Hint: fmt.Sprintf("at most %d KB are read; a sentence is enough", maxPrompt>>10),
		}
	}
	var err error
	if u.recipe, err = briefRecipe(b); err != nil {
		return u, err
	}
	if u.style, err = briefStyle(b.Style); err != nil {
		return u, err
	}
	if u.style == "" && b.Params["style"] != "" {
		p, _ := findParam(ballRecipe, "style") // the same in every recipe
		if u.style, err = p.parse(b.Params["style"]); err != nil {
			return u, &koda.Error{Code: koda.CodeUsage, Op: "--set style", Err: err, Hint: p.Help}
		}
	}
	w := newWords(prompt)
	known := u.recipe != ""
	if !known {
		name, score := w.subjectOf()
		if why := w.notAnimation(name); why != "" {
			return u, &koda.Error{
				Code: koda.CodeNotAnimation, Op: fmt.Sprintf("%s asks for no animation: %s", quote(prompt), why),
				Hint: `koda makes short animated videos: try koda new "bouncing ball", or koda new 'title "Hello, world"'`,
			}
		}
		u.recipe, known = name, score >= 2
		if !known {
			u.recipe = titleRecipe
		}
	}
	scenes, w := w.promptByScene(u.recipe)
	cued := ""
	if u.recipe == titleRecipe {
		cued = w.cueText()
	}
	u.read = readText(w, u.recipe)
	outside := len(u.read.unused)
	u.read.readScenes(scenes, u.recipe)
	u.read.settleScenes(u.recipe)
	if u.recipe == titleRecipe {
		inScenes := u.read.unused[outside:]
		u.text, u.how = w.title(&u.read, cued, known)
		u.read.unused = slices.Concat(w.untitled(), inScenes)
	}
	return u, nil
}

// wordless reports whether the words of a title are missing.
func (u understood) wordless() bool { return u.recipe == titleRecipe && u.text == "" }

// specific counts what a prompt settles; words about motion count twice.
func (u understood) specific() int {
	n := 0
	seen := map[string]bool{}
	for _, e := range u.read.edits {
		if seen[e.param] || e.param == "text" {
			continue
		}
		seen[e.param] = true
		n++
		if slices.Contains([]string{"bounces", "height", "squash", "speed", "motion"}, e.param) {
			n++
		}
	}
	for name := range u.brief.Params {
		if !seen[name] {
			n++
		}
	}
	return n
}

// values are the parameters of a new project, with the notes of its plan. The later
// source wins: first the prompt, then the answer, then the flags.
func (u understood) values(ans koda.Answer) (values, []string, error) {
	notes := slices.Clone(u.read.notes)
	style, why := u.styleFor(ans)
	v := defaults(u.recipe, style)
	if why != "" {
		notes = append(notes, why)
	}
	edits := slices.Clone(u.read.edits)
	switch u.how {
	case "typed", "subject":
		edits = append(edits, edit{param: "text", set: u.text, said: u.text})
	case "":
		if u.recipe == titleRecipe {
			edits = append(edits, edit{param: "text", set: defaultText})
		}
	}
	if ans.OptionID == "" && ans.Text != "" {
		r := readAnswer(ans.Text, u.recipe, u.wordless())
		r.settleScenes(u.recipe)
		edits = append(edits, r.edits...)
		notes = append(notes, r.notes...)
		if len(r.unused) > 0 && r.any() {
			notes = append(notes, unusedNote(r.unused))
		}
	}
	next, more, err := apply(u.recipe, v, edits)
	if err != nil {
		return nil, nil, err
	}
	notes = append(notes, more...)
	if err := u.flags(next); err != nil {
		return nil, nil, err
	}
	if more, err = u.ofScenes(next, edits); err != nil {
		return nil, nil, err
	}
	notes = append(notes, more...)
	more, err = settle(u.recipe, next)
	if err != nil {
		return nil, nil, err
	}
	notes = append(notes, more...)
	return next, append(notes, u.remarks(next)...), nil
}

// ofScenes applies what is meant for single scenes: edits, then --set.
func (u understood) ofScenes(v values, edits []edit) (notes []string, err error) {
	scenes := planned(u.recipe)(v.num("duration"))
	if notes, err = applyScenes(u.recipe, v, edits, scenes); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(u.brief.Params)) {
		n, param, ok := parseOwn(name)
		if !ok {
			continue
		}
		bad := func(err error, hint string) error {
			return &koda.Error{Code: koda.CodeUsage, Op: "--set " + name, Err: err, Hint: hint}
		}
		p, err := sceneParam(u.recipe, n, param)
		if err != nil {
			return nil, bad(err, "for example --set scene2.background=navy")
		}
		if n > len(scenes) {
			return nil, bad(fmt.Errorf("there is no scene %d", n), sceneHint(scenes, v.num("duration")))
		}
		value, err := p.parse(u.brief.Params[name])
		if err != nil {
			return nil, bad(err, p.Name+": "+p.Help)
		}
		v.setOwn(n, param, value)
	}
	return notes, nil
}

// flags applies what the flags say about the whole: --duration and --set.
func (u understood) flags(v values) error {
	if d := u.brief.Duration; d != 0 {
		if err := checkDuration(d); err != nil {
			return err
		}
		v["duration"] = trim(d)
	}
	for _, name := range slices.Sorted(maps.Keys(u.brief.Params)) {
		if _, _, ok := parseOwn(name); ok {
			continue
		}
		p, ok := findParam(u.recipe, name)
		if !ok {
			hint := "it has " + strings.Join(paramNames(u.recipe), ", ") + ", and for one scene " + strings.Join(sceneParams(u.recipe), ", ") + " like scene2.background"
			if near := koda.Nearest(name, paramNames(u.recipe)); near != "" {
				hint = "did you mean " + near + "? " + hint
			}
			return &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("the recipe %s has no parameter %s", u.recipe, quote(name)), Hint: hint}
		}
		value, err := p.parse(u.brief.Params[name])
		if err != nil {
			return &koda.Error{Code: koda.CodeUsage, Op: "--set " + name, Err: err, Hint: p.Name + ": " + p.Help}
		}
		if name != "style" { // the style is settled already
			v[name] = value
		}
	}
	return nil
}

// styleFor settles the style: the style of the answer, else the style the brief
// names, else the prompt's, else the recipe's own. why explains a style that koda
// chose.
func (u understood) styleFor(ans koda.Answer) (id, why string) {
	said := ans.OptionID
	if said == "" {
		said = ans.Text
	}
	switch {
	case said != "" && styleOf(said) != "":
		return styleOf(said), ""
	case u.style != "":
		return u.style, ""
	case len(u.read.styles) > 0:
		return u.read.styles[0], ""
	}
	if said != "" && len(readAnswer(said, u.recipe, u.wordless()).edits) == 0 {
		why = fmt.Sprintf("%s is not a style koda knows; it is %s. Others: %s.", quote(said), playful, join(styleIDs()[1:]))
	} else {
		why = fmt.Sprintf("Style: %s, koda's choice. Others: %s.", playful, join(styleIDs()[1:]))
	}
	return playful, why
}

// remarks are the last notes of a new plan: what koda made of words it could not
// use.
func (u understood) remarks(v values) (notes []string) {
	switch u.how {
	case "subject":
		notes = append(notes, fmt.Sprintf("The built-in recipes draw bouncing shapes and titles; they cannot draw %s: the video shows these words as a title, and nothing of what they mean.", quote(u.text)))
	case "":
		if u.recipe == titleRecipe && v["text"] == defaultText {
			notes = append(notes, fmt.Sprintf("No words were given, so the title says %s. Put yours in quotation marks.", quote(defaultText)))
		}
	}
	if len(u.read.unused) > 0 {
		note := unusedNote(u.read.unused)
		if u.recipe == titleRecipe && u.how != "quoted" {
			note += " Put quotation marks around what the title should say."
		}
		notes = append(notes, note)
	}
	sound := ""
	for _, a := range u.brief.Assets {
		if a.Kind == "audio" && (sound == "" || a.Path < sound) {
			sound = a.Path
		}
	}
	for _, a := range u.brief.Assets {
		note := "%s is kept in the project, but the recipe does not show it."
		switch {
		case a.Path == sound:
			note = "%s is the sound of the final video."
		case a.Kind == "audio":
			note = "%s is kept in the project; the final video has one sound."
		}
		notes = append(notes, fmt.Sprintf(note, a.Path))
	}
	return notes
}

// unusedNote says which words were not understood.
func unusedNote(unused []string) string {
	return "Not used, because the recipe does not know the words: " + clipped(unused) + "."
}

func clipped(list []string) string {
	if len(list) > 8 {
		return strings.Join(list[:8], ", ") + " and others"
	}
	return strings.Join(list, ", ")
}

// join writes a list as people do: "a, b and c".
func join(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
