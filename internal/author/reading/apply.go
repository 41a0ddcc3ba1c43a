package reading

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// Edit is one thing a text asks of a parameter.
type Edit struct {
	Param string
	Value string // the value that is set, "" if the edit does not set one

	op   operation
	by   float64 // factor or summand
	said string  // the words that the edit comes from
	in   []wish.Scene
	list *wish.Wish // what is to be done with the items of a list
	from int        // where the words stand, for what is joined to them
}

// Factor is what the edit multiplies the value by; 1 if it does something else.
func (e Edit) Factor() float64 {
	if e.op == times && len(e.in) == 0 {
		return e.by
	}
	return 1
}

type operation int

const (
	assign  operation = iota
	times             // multiply by
	plus              // add
	back              // to the default
	denied            // any value but this one
	further           // more of the style Value
	listed            // change the items of a list
)

// Scenes reports whether the edit is meant for single scenes.
func (e *Edit) Scenes() bool { return e.in != nil }

// Known is what a reader may know of a video beside its parameters.
type Known struct {
	// Scenes are the scenes of the video that values make; nil if nothing is known of scenes.
	Scenes func(recipe.Values) ([]koda.SceneStart, error)
	Auto   map[string]string // what numbers and colours that were left to the recipe came to
	Assets []koda.Asset      // files of the project
	Side   int               // the short side of the picture in pixels; 0 if nothing is known of it
}

// scenes are the scenes that values make; none if nothing is known of them.
func (k Known) scenes(v recipe.Values) (scenes, error) {
	if k.Scenes == nil {
		return scenes{}, nil
	}
	list, err := k.Scenes(v)
	end, _ := strconv.ParseFloat(v[durationParam], 64) //nolint:errcheck // canonical
	return scenes{list, end}, err
}

// scenes are scenes and the second at which the last ends.
type scenes struct {
	list []koda.SceneStart
	end  float64
}

// Apply applies edits to values, in their order, those of the whole before those of single scenes. A
// value that a factor takes beyond its range stops at the end of the range, with a note.
// If a value is set that a parameter cannot have, or a scene does not exist, the error is USAGE.
// A value of the whole replaces those of single scenes. Scenes are those of the values that the edits
// of the whole make.
func (r *Reader) Apply(m *recipe.Manifest, v recipe.Values, edits []Edit, known Known) (next recipe.Values, notes []string, err error) {
	next = maps.Clone(v)
	for _, e := range edits {
		if e.Scenes() {
			continue
		}
		more, err := r.whole(m, next, e, known)
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, more...)
	}
	if !slices.ContainsFunc(edits, func(e Edit) bool { return e.Scenes() }) {
		return next, slices.Compact(notes), nil
	}
	there, err := known.scenes(next)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range edits {
		if !e.Scenes() {
			continue
		}
		more, err := r.single(m, next, e, known, there)
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, more...)
	}
	return next, slices.Compact(notes), nil
}

// whole applies an edit of the whole video.
func (r *Reader) whole(m *recipe.Manifest, v recipe.Values, e Edit, known Known) (notes []string, err error) {
	if e.op == further {
		for _, name := range slices.Sorted(maps.Keys(m.Further[e.Value])) {
			if p := m.Param(name); p != nil && v[styleParam] == e.Value {
				notes = append(notes, r.do(m, v, p, Edit{Param: name, op: times, by: m.Further[e.Value][name]}, known)...)
			}
		}
		return notes, nil
	}
	p := m.Param(e.Param)
	if e.op == denied && p == nil {
		p = holder(m, v, e.Value)
	}
	if p == nil {
		if e.op == back {
			return r.like(m, v, 0), nil
		}
		return nil, nil
	}
	if err := r.check(m, p, &e); err != nil {
		return nil, err
	}
	notes = r.do(m, v, p, e, known)
	for n, own := range v.Owns() { // the scenes follow
		set := e.op == assign || e.op == back || e.op == denied
		for name := range own {
			switch {
			case set && (name == p.Name || p.Name == backgroundParam && shade(m, name)):
				delete(v, recipe.Own(n, name))
			case !set && name == p.Name:
				mine := in(v, n)
				r.do(m, mine, p, e, known)
				v[recipe.Own(n, name)] = mine[name]
			}
		}
	}
	return notes, nil
}

// shade reports whether a parameter shades the background: a number that goes to both sides of 0.
func shade(m *recipe.Manifest, name string) bool {
	p := m.Param(name)
	return p != nil && summed(p) && p.Type == recipe.Number
}

// summed reports whether a parameter is made more or less by adding: a number around 0, or a colour.
func summed(p *recipe.Param) bool {
	return p.Type == recipe.Color || p.Min != nil && *p.Min < 0 && p.Default.For("") == "0"
}

// in are the values that hold in a scene.
func in(v recipe.Values, n int) recipe.Values {
	mine := maps.Clone(v)
	for name, value := range v.Owns()[n] {
		mine[name] = value
	}
	return mine
}

// single applies an edit of single scenes. What concerns the whole is not changed, with a note.
func (r *Reader) single(m *recipe.Manifest, v recipe.Values, e Edit, known Known, there scenes) (notes []string, err error) {
	numbers, err := there.find(e.in)
	if err != nil {
		return nil, err
	}
	p := m.Param(e.Param)
	if p == nil && e.op == back { // "scene 3 like the rest"
		for _, n := range numbers {
			r.like(m, v, n)
		}
		return nil, nil
	}
	if p == nil {
		return nil, nil
	}
	if !p.Scene && p.Name == durationParam && lasts(m, v, e, numbers, there) {
		return nil, nil
	}
	if !p.Scene {
		return []string{capital(wholeOnly(p)) + ": that is not changed."}, nil
	}
	if err := r.check(m, p, &e); err != nil {
		return nil, err
	}
	for _, n := range numbers {
		mine := in(v, n)
		if e.op == back {
			mine[p.Name] = v[p.Name]
		} else {
			for _, note := range r.do(m, mine, p, e, known) {
				notes = append(notes, fmt.Sprintf("Scene %d: %s", n, note))
			}
		}
		if name := recipe.Own(n, p.Name); mine[p.Name] == v[p.Name] {
			delete(v, name)
		} else {
			v[name] = mine[p.Name]
		}
	}
	return notes, nil
}

// like takes the values of its own from a scene, or from all scenes for 0.
func (r *Reader) like(_ *recipe.Manifest, v recipe.Values, scene int) []string {
	for n, own := range v.Owns() {
		for name := range own {
			if n == scene || scene == 0 {
				delete(v, recipe.Own(n, name))
			}
		}
	}
	return nil
}

// wholeOnly says that a parameter cannot differ from scene to scene.
func wholeOnly(p *recipe.Param) string { return "one scene cannot have its own " + Spoken(p) }

// check reads the value that an edit sets.
func (r *Reader) check(m *recipe.Manifest, p *recipe.Param, e *Edit) error {
	if e.op != assign {
		return nil
	}
	value, err := p.Parse(e.Value, r)
	if err != nil {
		hint := p.Name + ": " + p.Help
		if p.Type != recipe.Text {
			hint += "; " + p.Range()
		}
		return &koda.Error{Code: koda.CodeUsage, Op: "read " + koda.Quote(strings.Trim(e.said, `"`)), Err: err, Hint: hint}
	}
	e.Value = value
	return nil
}

// do gives a parameter the value that a checked edit asks for.
func (r *Reader) do(m *recipe.Manifest, v recipe.Values, p *recipe.Param, e Edit, known Known) (notes []string) {
	standard := p.Default.For(v[styleParam])
	switch e.op {
	case assign:
		v[p.Name] = r.kinded(m, p, e.Value)
	case back:
		v[p.Name] = standard
	case denied:
		v[p.Name] = r.another(m, p, v, e.Value)
	case listed:
		notes = r.items(p, v, e)
		v[p.Name] = r.kinded(m, p, v[p.Name])
	case times, plus:
		return relative(v, p, e, known)
	case further:
	}
	return notes
}

// relative changes a value by a factor or a summand, within its range.
func relative(v recipe.Values, p *recipe.Param, e Edit, known Known) (notes []string) {
	by, value := e.by, v[p.Name]
	if value == recipe.Auto || value == "" {
		value = known.Auto[p.Name]
	}
	if p.Type == recipe.Color {
		if value == "" {
			return []string{fmt.Sprintf("The colour follows from the others; say which %s there shall be.", p.Name)}
		}
		v[p.Name] = wish.Shade(value, by)
		return nil
	}
	now, err := strconv.ParseFloat(value, 64)
	if v[p.Name] == recipe.Auto && now == 0 {
		return []string{fmt.Sprintf("%s follows from the rest; say a number.", capital(p.Name))}
	}
	if err != nil {
		return nil
	}
	if summed(p) && e.op == times { // "lighter" adds
		by = math.Copysign(p.Step, by-1) * min(max(math.Abs(math.Log(by)/math.Log(max(p.Step, 1.25))), 0.4), 3)
		e.op = plus
	}
	to := now * by
	if e.op == plus {
		to = now + by
	}
	switch {
	case p.Name == durationParam && e.op == times:
		to = math.Round(to*2) / 2
	case p.Type == recipe.Integer:
		if to = math.Round(to); to == now && by != 1 && e.op == times {
			to += math.Copysign(1, by-1)
		}
	}
	to = math.Round(to*100) / 100
	limited := to + 0 // not -0
	if p.Min != nil {
		limited = max(limited, *p.Min)
	}
	if p.Max != nil {
		limited = min(limited, *p.Max)
	}
	if limited != to {
		notes = append(notes, fmt.Sprintf("%s goes from %s: it is %s.", capital(p.Name), p.Range(), recipe.Trim(limited)))
	}
	v[p.Name] = recipe.Trim(limited)
	return notes
}

// holder is the parameter whose colour is the one that is not wanted.
func holder(m *recipe.Manifest, v recipe.Values, hex string) *recipe.Param {
	for i := range m.Params {
		if p := &m.Params[i]; p.Type == recipe.Color && strings.HasPrefix(v[p.Name], "#") && strings.HasPrefix(hex, "#") && wish.Near(v[p.Name], hex) {
			return p
		}
	}
	return nil
}

// another is a value other than the one that is not wanted: the present one if it is another, else the
// default, else that of another style, else the next choice.
func (r *Reader) another(m *recipe.Manifest, p *recipe.Param, v recipe.Values, not string) string {
	same := func(value string) bool {
		if strings.HasPrefix(value, "#") && strings.HasPrefix(not, "#") {
			return wish.Near(value, not)
		}
		return value == not
	}
	if not == recipe.Auto {
		return v[p.Name]
	}
	if none := "none"; (v[p.Name] == recipe.Auto || same(v[p.Name])) && slices.Contains(p.Choices.IDs(), none) { // what the recipe chooses may be the very one
		return none
	}
	options := []string{v[p.Name], p.Default.For(v[styleParam])}
	for _, s := range m.StyleIDs() {
		options = append(options, p.Default.For(s))
	}
	options = append(options, p.Choices.IDs()...)
	for i := range m.Params { // a colour that goes with the rest
		if q := &m.Params[i]; p.Type == recipe.Color && q.Type == recipe.Color && q.Name != backgroundParam {
			for _, s := range m.StyleIDs() {
				options = append(options, q.Default.For(s))
			}
		}
	}
	for _, o := range options {
		if o != "" && !same(o) {
			return o
		}
	}
	if strings.HasPrefix(not, "#") {
		return wish.Opposite(not)
	}
	return v[p.Name]
}

// find returns the numbers of the scenes that are meant, in the order of time.
func (t scenes) find(refs []wish.Scene) ([]int, error) {
	var found []int
	for _, s := range refs {
		var mine []int
		switch {
		case s.Name != "":
			mine = t.called(s.Name)
		case s.Number < 0 && -s.Number <= len(t.list):
			mine = []int{len(t.list) + 1 + s.Number}
		case s.Number > 0 && s.Number <= len(t.list):
			mine = []int{s.Number}
		}
		if s.Name != "" && len(mine) == 0 && s.Number != 0 && len(t.list) > 0 {
			mine = []int{map[bool]int{true: 1, false: len(t.list)}[s.Number > 0]}
		}
		if len(mine) == 0 {
			return nil, &koda.Error{Code: koda.CodeUsage, Op: "there is no " + name(s), Hint: t.hint()}
		}
		from, to := mine[0], mine[len(mine)-1]
		switch s.Reach {
		case wish.Onwards:
			to = len(t.list)
		case wish.After:
			from, to = to+1, len(t.list)
		case wish.UpTo:
			from = 1
		case wish.Before:
			from, to = 1, from-1
		case wish.Itself:
		}
		if from > to {
			return nil, &koda.Error{Code: koda.CodeUsage, Op: "there is nothing there: " + koda.Quote(s.Said), Hint: t.hint()}
		}
		for n := from; n <= to; n++ {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

func name(s wish.Scene) string {
	switch {
	case s.Name != "":
		return "scene " + koda.Quote(s.Name)
	case s.Word != "":
		return s.Word
	}
	return "scene " + strconv.Itoa(s.Number)
}

// called are the scenes with a title: "loop" means all of Loop 1, Loop 2, ….
func (t scenes) called(name string) (found []int) {
	for i, s := range t.list {
		title := strings.ToLower(s.Title)
		rest, ok := strings.CutPrefix(title, name+" ")
		if title == name || ok && whole(rest) > 0 {
			found = append(found, i+1)
		}
	}
	return found
}

// hint lists the scenes with their times.
func (t scenes) hint() string {
	var list []string
	for i, s := range t.list {
		to := t.end
		if i+1 < len(t.list) {
			to = t.list[i+1].Start
		}
		times := fmt.Sprintf(" (%s–%s s)", recipe.Trim(s.Start), recipe.Trim(to))
		if to <= s.Start { // the length is left to the recipe
			times = fmt.Sprintf(" (from %s s)", recipe.Trim(s.Start))
		}
		list = append(list, strings.TrimSpace(fmt.Sprintf("%d %s", i+1, s.Title))+times)
	}
	switch len(list) {
	case 0:
		return `koda.json tells of no scenes; write them like "scenes": [{"title": "Intro", "start": 0}, {"title": "Loop", "start": 1.5}]`
	case 1:
		return "there is one, " + list[0]
	}
	return "the scenes are " + strings.Join(list, ", ")
}

// String is what the edit does, for tests and logs.
func (e Edit) String() string {
	s := e.Value
	switch e.op {
	case times:
		s = "*" + recipe.Trim(math.Round(e.by*100)/100)
	case plus:
		s = fmt.Sprintf("%+g", e.by)
	case back:
		s = "default"
	case denied:
		s = "not " + e.Value
	case further:
		s = "more " + e.Value
	case listed:
		s = string(e.list.Kind)
	case assign:
	}
	for i, n := range e.in {
		s += map[bool]string{true: "@", false: ","}[i == 0] + name(n)
	}
	return s
}
