package recipe

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// scenesKey is the key in params.json for the values of single scenes.
const scenesKey = "scenes"

// ownName names a parameter of one scene in values, in plans and for --set:
// "scene3.background".
func ownName(scene int, param string) string { return fmt.Sprintf("scene%d.%s", scene, param) }

// parseOwn takes a name of ownName apart. Scenes are counted from 1.
func parseOwn(name string) (scene int, param string, ok bool) {
	rest, ok := strings.CutPrefix(name, "scene")
	if !ok {
		return 0, "", false
	}
	number, param, ok := strings.Cut(rest, ".")
	scene, valid := sceneNumber(number)
	return scene, param, ok && valid
}

func sceneNumber(s string) (n int, ok bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0 && strconv.Itoa(n) == s
}

// own is a parameter of one scene.
type own struct {
	scene int
	param Param
	value string
}

// owns lists the values of single scenes: scene by scene, in the order of the
// recipe's parameters.
func (v values) owns(recipe string) []own {
	var list []own
	for name, value := range v {
		if scene, param, ok := parseOwn(name); ok {
			p, _ := findParam(recipe, param) // values hold no other
			list = append(list, own{scene, p, value})
		}
	}
	order := paramNames(recipe)
	slices.SortFunc(list, func(a, b own) int {
		if a.scene != b.scene {
			return a.scene - b.scene
		}
		return slices.Index(order, a.param.Name) - slices.Index(order, b.param.Name)
	})
	return list
}

// in returns the values that hold in a scene.
func (v values) in(scene int) values {
	mine := maps.Clone(v)
	for name, value := range v {
		if n, param, ok := parseOwn(name); ok && n == scene {
			mine[param] = value
		}
	}
	return mine
}

// setOwn gives a scene a value of its own; if the value is the whole's, the scene
// has none.
func (v values) setOwn(scene int, param, value string) {
	if name := ownName(scene, param); value == v[param] {
		delete(v, name)
	} else {
		v[name] = value
	}
}

// sceneParam finds a parameter that a scene can have of its own.
func sceneParam(recipe string, scene int, name string) (Param, error) {
	p, ok := findParam(recipe, name)
	if !ok || !p.byScene {
		err := fmt.Errorf("scene %d cannot have its own %s: it can have %s", scene, name, join(sceneParams(recipe)))
		if near := koda.Nearest(name, sceneParams(recipe)); near != "" {
			err = fmt.Errorf("%w; did you mean %s?", err, near)
		}
		return p, err
	}
	return p, nil
}

// sceneParams are the parameters that can differ from scene to scene.
func sceneParams(recipe string) []string {
	var names []string
	for _, p := range paramsOf(recipe) {
		if p.byScene {
			names = append(names, p.Name)
		}
	}
	return names
}

// follow changes the scenes when a parameter is changed for the whole. If the
// parameter is set, scenes lose their own value of it; if it is the background,
// they also lose their own shade. If the parameter is made more or less, it is made
// so in every scene.
func (v values) follow(recipe string, p Param, e edit) {
	for _, o := range v.owns(recipe) {
		switch set := e.op == opSet || e.op == opReset; {
		case set && (o.param.Name == p.Name || p.Name == "background" && o.param.Name == "shade"):
			delete(v, ownName(o.scene, o.param.Name))
		case !set && o.param.Name == p.Name:
			mine := v.in(o.scene)
			relative(recipe, mine, p, e)
			v[ownName(o.scene, p.Name)] = mine[p.Name]
		}
	}
}

// layout returns the scenes of a video with a duration in seconds.
type layout func(duration float64) []koda.SceneStart

// planned is the layout of the recipe's own plans.
func planned(recipe string) layout {
	return func(duration float64) []koda.SceneStart {
		list, _ := scenesOf(recipe, duration)
		return koda.Plan{Scenes: list}.Starts()
	}
}

// sceneRef is a scene as people name it.
type sceneRef struct {
	number int    // from 1, or back from the last, -1; 0 for no number
	name   string // in lower case; "" when the person gave a number
	said   string
	reach  reach
}

// reach says which other scenes a mention of a scene covers.
type reach int

const (
	itself reach = iota
	onwards
	after
	upTo
	before
)

// span is the range [from, to) of the n scenes.
func (r reach) span(scenes []int, n int) (from, to int) {
	first, last := slices.Min(scenes), slices.Max(scenes)
	switch r {
	case onwards:
		return first, n + 1
	case after:
		return last + 1, n + 1
	case upTo:
		return 1, last + 1
	}
	return 1, first
}

// find returns the numbers of the scenes that are meant, in the order of time. If a
// scene does not exist, the error is USAGE and lists the scenes.
func find(refs []sceneRef, scenes []koda.SceneStart, end float64) ([]int, error) {
	var found []int
	for _, r := range refs {
		var mine []int
		switch {
		case r.name != "":
			mine = named(r.name, scenes)
		case r.number < 0 && -r.number <= len(scenes):
			mine = []int{len(scenes) + 1 + r.number}
		case r.number > 0 && r.number <= len(scenes):
			mine = []int{r.number}
		}
		if len(mine) == 0 {
			return nil, &koda.Error{Code: koda.CodeUsage, Op: "there is no " + r.said, Hint: sceneHint(scenes, end)}
		}
		if r.reach == itself {
			found = append(found, mine...)
			continue
		}
		from, to := r.reach.span(mine, len(scenes))
		if from >= to {
			return nil, &koda.Error{Code: koda.CodeUsage, Op: "there is nothing there: " + quote(r.said), Hint: sceneHint(scenes, end)}
		}
		for n := from; n < to; n++ {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// named returns the scenes with a title: "loop" means all of Loop 1, Loop 2, …. The
// first and the last scene have other names as well, whatever their titles.
func named(name string, scenes []koda.SceneStart) (found []int) {
	for i, s := range scenes {
		title := strings.ToLower(s.Title)
		if rest, ok := strings.CutPrefix(title, name+" "); title == name || ok && isNumber(rest) {
			found = append(found, i+1)
		}
	}
	if len(found) > 0 || len(scenes) == 0 {
		return found
	}
	switch name {
	case "intro", "opening":
		return []int{1}
	case "outro", "ending":
		return []int{len(scenes)}
	}
	return nil
}

func isNumber(s string) bool { _, ok := sceneNumber(s); return ok }

func sceneHint(scenes []koda.SceneStart, end float64) string {
	if len(scenes) == 0 {
		return `koda.json tells of no scenes; write them like "scenes": [{"title": "Intro", "start": 0}, {"title": "Loop", "start": 1.5}]`
	}
	var list []string
	for i, s := range scenes {
		to := end
		if i+1 < len(scenes) {
			to = scenes[i+1].Start
		}
		list = append(list, strings.TrimSpace(fmt.Sprintf("%d %s", i+1, s.Title))+fmt.Sprintf(" (%s–%s s)", trim(s.Start), trim(to)))
	}
	if len(list) == 1 {
		return "there is one, " + list[0]
	}
	return "the scenes are " + strings.Join(list, ", ")
}

// applyScenes applies the edits that are meant for single scenes. An edit that is
// only possible for the whole is not applied, with a note.
func applyScenes(recipe string, v values, edits []edit, scenes []koda.SceneStart) (notes []string, err error) {
	for _, e := range edits {
		if e.in == nil {
			continue
		}
		numbers, err := find(e.in, scenes, v.num("duration"))
		if err != nil {
			return nil, err
		}
		p, ok := findParam(recipe, e.param)
		switch {
		case !ok:
			notes = append(notes, noSuch(recipe, e))
			continue
		case !p.byScene:
			notes = append(notes, capital(wholeOnly(e.param))+": that is not changed.")
			continue
		}
		for _, n := range numbers {
			mine := v.in(n)
			note, err := mine.do(recipe, p, e, v[p.Name])
			if err != nil {
				return nil, err
			}
			v.setOwn(n, p.Name, mine[p.Name])
			if note != "" {
				notes = append(notes, fmt.Sprintf("Scene %d: %s", n, note))
			}
		}
	}
	slices.Sort(notes)
	return slices.Compact(notes), nil
}

// wholeOnly says that a parameter cannot differ from scene to scene.
func wholeOnly(param string) string {
	return "one scene cannot have its own " + param
}

// dropGone forgets the values of scenes that no longer exist.
func (v values) dropGone(recipe string, scenes []koda.SceneStart) (notes []string) {
	for _, o := range v.owns(recipe) {
		if o.scene > len(scenes) {
			delete(v, ownName(o.scene, o.param.Name))
			notes = append(notes, fmt.Sprintf("Scene %d is gone, and with it its own %s.", o.scene, o.param.Name))
		}
	}
	return notes
}

// encodeOwns is the form of the values of single scenes in params.json; "" for
// none.
func (v values) encodeOwns(recipe string) string {
	var b strings.Builder
	last := 0
	for _, o := range v.owns(recipe) {
		switch {
		case o.scene == last:
			b.WriteString(", ")
		case last == 0:
			fmt.Fprintf(&b, `{"%d": {`, o.scene)
		default:
			fmt.Fprintf(&b, `}, "%d": {`, o.scene)
		}
		last = o.scene
		fmt.Fprintf(&b, "%s: %s", compact(o.param.Name), o.param.json(o.value))
	}
	if last == 0 {
		return ""
	}
	return b.String() + "}}"
}
