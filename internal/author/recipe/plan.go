package recipe

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// recipeKey is the key in a plan's data that names the recipe; the other keys are
// its parameters.
const recipeKey = "recipe"

// newPlan describes the video that follows from values.
func newPlan(recipe string, v values, fps koda.FPS, notes []string) koda.Plan {
	p := koda.Plan{TotalDuration: v.num("duration"), Style: v["style"], FPS: fps, Notes: notes, Data: map[string]string{recipeKey: recipe}}
	maps.Copy(p.Data, v)
	if recipe == ballRecipe {
		p.Scenes = ballScenes(v)
	} else {
		p.Scenes = titleScenes(v)
	}
	var told []string
	for i := range p.Scenes {
		told = told[:0]
		for _, o := range v.owns(recipe) {
			if o.scene == p.Scenes[i].Number {
				told = append(told, o.param.Name+" "+o.value)
			}
		}
		if len(told) > 0 {
			p.Scenes[i].Description += " " + sentence(told...) + "."
		}
	}
	return p
}

// planValues reads the parameters back out of a plan.
func planValues(p koda.Plan) (recipe string, v values, err error) {
	recipe = p.Data[recipeKey]
	if Params(recipe) == nil {
		return "", nil, &koda.Error{Code: koda.CodeInvalidInput, Op: "the plan was not made by a recipe", Hint: "use the author that made it: --author model"}
	}
	v = defaults(recipe, playful)
	for _, param := range paramsOf(recipe) {
		value, err := param.parse(p.Data[param.Name])
		if err != nil {
			return "", nil, fmt.Errorf("read plan: %w", err)
		}
		v[param.Name] = value
	}
	for name, said := range p.Data {
		n, param, ok := parseOwn(name)
		if !ok {
			continue
		}
		p, err := sceneParam(recipe, n, param)
		if err == nil {
			v[name], err = p.parse(said)
		}
		if err != nil {
			return "", nil, fmt.Errorf("read plan: %w", err)
		}
	}
	return recipe, v, nil
}

// replan changes the plan before by the feedback, and by the answer if a question
// was asked again.
func (u understood) replan(ans koda.Answer, rev *koda.Revision) (koda.Plan, error) {
	recipe, before, err := planValues(*rev.Plan)
	if err != nil {
		return koda.Plan{}, err
	}
	r := readChange(rev.Feedback, recipe)
	if ans != rev.Answer && ans != (koda.Answer{}) {
		said := ans.OptionID
		if said == "" {
			said = ans.Text
			more := readChange(said, recipe)
			r.edits, r.notes = append(r.edits, more.edits...), append(r.notes, more.notes...)
		}
		if id := styleOf(said); id != "" {
			r.styles = []string{id}
		}
	}
	next, notes, err := r.changed(recipe, before, planned(recipe))
	if err != nil {
		return koda.Plan{}, refused(err)
	}
	if looksAlike(recipe, before, next) {
		return koda.Plan{}, notUnderstood(recipe, rev.Feedback, r, notes)
	}
	if len(r.unused) > 0 {
		notes = append(notes, unusedNote(r.unused))
	}
	return newPlan(recipe, next, u.brief.FPS, notes), nil
}

// refused turns a failure over a change of something that exists into
// INVALID_INPUT: nothing was changed.
func refused(err error) error {
	return &koda.Error{Code: koda.CodeInvalidInput, Err: err, Hint: koda.HintOf(err)}
}

// sceneNames are the names of scenes: for the only scene of a short video, the first
// scene, scenes in between, and the last scene.
var sceneNames = map[string]struct{ only, first, between, last string }{
	ballRecipe:  {"Bounce", "Intro", "Loop", "Outro"},
	titleRecipe: {"Title", "Reveal", "Hold", "Exit"},
}

// scenesOf names and tiles the scenes of a video. at are the seconds at which the
// scenes start, and the end. Both follow from the duration alone.
func scenesOf(recipe string, duration float64) (scenes []koda.Scene, at []float64) {
	durations := tile(duration, sceneCount(duration))
	names := sceneNames[recipe]
	for i, d := range durations {
		title := names.between
		switch {
		case len(durations) == 1:
			title = names.only
		case i == 0:
			title = names.first
		case i == len(durations)-1:
			title = names.last
		case len(durations) > 3:
			title = fmt.Sprintf("%s %d", names.between, i)
		}
		scenes = append(scenes, koda.Scene{Number: i + 1, Title: title, Duration: d})
	}
	return scenes, starts(durations)
}

// ballScenes describes the bouncing ball scene by scene. Every number comes from
// the motion that will be drawn.
func ballScenes(v values) []koda.Scene {
	c, _ := courseOf(v)
	scenes, at := scenesOf(ballRecipe, c.end)
	for i := range scenes {
		scenes[i].Description, scenes[i].AnimationNotes = ballScene(v, c, at[i], at[i+1])
	}
	return scenes
}

func ballScene(v values, c course, from, to float64) (description, notes string) {
	in := func(t float64) bool { return t >= from && t < to }
	name, come := v["shape"], entrance(v["style"], v.motion())
	var story, how []string
	if from == 0 {
		enter := map[string]string{
			playful: "pops in at the top of its bounce", smooth: "fades in at the top of its bounce", cinematic: "is found by a spotlight",
		}
		eased := map[string]string{playful: "easeOutBack", smooth: "easeOutQuint", cinematic: "easeInOutQuart"}
		story = append(story, "The "+name+" "+enter[come])
		how = append(how, fmt.Sprintf("Enters in %s s (%s)", sec(c.appear), eased[come]))
	}
	if in(c.release) {
		story = append(story, "drops")
		how = append(how, "free fall, y = 4p(1−p)")
	}
	n, highest := c.touching(from, to)
	if n > 0 {
		s := "bounces " + times(n)
		if n > 1 && highest < 0.7 {
			s += ", low"
		}
		if from > 0 && len(story) == 0 {
			s = "The " + name + " " + s
		}
		story = append(story, s)
		how = append(how, fmt.Sprintf("squash and stretch up to %d%% from its speed, shadow from its height", int(math.Round(100*(1-math.Exp(-v.num("squash")))))))
		if n > 1 {
			how = append(how, fmt.Sprintf("a full bounce takes %s s", sec(c.period)))
		}
	}
	if in(c.landing.at) {
		settle := map[string]string{playful: "lands with a wobble", smooth: "lands softly", cinematic: "lands heavily"}[v.motion()]
		if len(story) == 0 {
			settle = "The " + name + " " + settle
		}
		story = append(story, settle)
		if v.motion() == playful {
			how = append(how, "the wobble rings out like a spring")
		}
	}
	if in(c.exit) || c.exit >= from && to >= c.end {
		leave := map[string]string{playful: "pops away", smooth: "fades out", cinematic: "vanishes with the light"}[come]
		story = append(story, leave)
		how = append(how, fmt.Sprintf("leaves in the last %s s", sec(c.end-c.exit)))
	}
	if len(story) == 0 {
		story, how = []string{"The " + name + " lies still"}, []string{"hold"}
	}
	if v["style"] == cinematic {
		how = append(how, "the camera comes closer")
	}
	return told(story) + ".", sentence(how...) + "."
}

// titleScenes describes the title scene by scene.
func titleScenes(v values) []koda.Scene {
	s := scriptOf(v)
	scenes, at := scenesOf(titleRecipe, s.end)
	for i := range scenes {
		scenes[i].Description, scenes[i].AnimationNotes = titleScene(v, s, at[i], at[i+1])
	}
	return scenes
}

func titleScene(v values, s script, from, to float64) (description, notes string) {
	in := func(t float64) bool { return t >= from && t < to }
	manner := v.motion()
	var story, how []string
	if in(s.lead) {
		come := map[string]string{playful: "drops in letter by letter", smooth: "rises word by word out of its lines", cinematic: "comes out of the dark letter by letter, from the middle"}[manner]
		story = append(story, quote(v["text"])+" "+come)
		eased := map[string]string{playful: "easeOutBack", smooth: "easeOutQuint", cinematic: "easeInOutQuart"}[manner]
		how = append(how, fmt.Sprintf("Staggered over %s s (%s)", sec(s.revealed-s.lead), eased))
	}
	if in(s.line) {
		line := map[string]string{playful: "a squiggle is drawn below, shapes pop up around", smooth: "a line grows below", cinematic: "a hairline opens below"}[v["style"]]
		story = append(story, line)
	}
	if s.shown > 0 && in(s.sub) {
		story = append(story, quote(v["subtitle"])+" follows")
	}
	waves := 0
	for _, at := range s.waves {
		if in(at) {
			waves++
		}
	}
	if waves > 0 {
		run := map[string]string{playful: "a wave runs through the letters", smooth: "the accent colour runs through the letters", cinematic: "a gleam runs through the letters"}[v["style"]]
		if waves > 1 {
			run += " " + times(waves)
		}
		if len(story) == 0 {
			story = append(story, "the words stand")
		}
		story = append(story, run)
		how = append(how, fmt.Sprintf("each run takes %s s (easeInOutSine)", sec(s.wave)))
	}
	if in(s.exit) {
		leave := map[string]string{playful: "the letters pop away one after another", smooth: "the words leave upwards", cinematic: "the letters and the light fade"}[manner]
		story = append(story, leave)
		how = append(how, fmt.Sprintf("leaves in the last %s s", sec(s.end-s.exit)))
	}
	if len(story) == 0 {
		story, how = []string{"The words stand"}, []string{"hold"}
	}
	if v["style"] == cinematic {
		how = append(how, "letters drift apart while the camera comes closer")
	}
	for i := range story {
		story[i] = capital(story[i])
	}
	return strings.Join(story, ". ") + ".", sentence(how...) + "."
}

// told strings the parts of a story together: "drops, bounces twice and lands".
func told(parts []string) string {
	if n := len(parts); n > 1 {
		parts = append(slices.Clone(parts[:n-2]), parts[n-2]+" and "+parts[n-1])
	}
	return sentence(parts...)
}

// sec writes seconds for people.
func sec(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprint(n) + " times"
}
