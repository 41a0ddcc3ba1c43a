package recipe

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// Param documents a parameter of a recipe, as --set takes it.
type Param struct {
	Name    string
	Range   string // of values, for people: "0.1 to 1", "auto or a colour"
	Default string
	Help    string

	kind     paramKind
	min, max float64
	choices  []string
	// static says that the page reads the parameter from params.json; other
	// parameters are laid into keyframes.
	static bool
	// byScene says that a scene can have a value of its own, because the parameter
	// moves nothing.
	byScene bool
}

type paramKind int

const (
	numeric    paramKind = iota
	whole                // an integer
	wholeAuto            // an integer or "auto"
	colour               // a colour
	colourAuto           // a colour or "auto"
	choice
	freeText
)

// auto leaves the choice of a value to the recipe.
const auto = "auto"

// maxText is the longest title in characters, and the longest subtitle.
const maxText = 200

// shared are the parameters of every recipe.
func shared() []Param {
	return []Param{
		{Name: "style", Default: playful, Help: "look and manner of moving", kind: choice, choices: styleIDs(), static: true},
		{Name: "duration", Default: trim(koda.DefaultDuration), Help: "length of the video in seconds", kind: numeric, min: koda.MinBrief, max: koda.MaxBrief},
		{Name: "background", Default: auto, Help: "colour behind everything", kind: colourAuto, static: true, byScene: true},
		{Name: "accent", Default: auto, Help: "second colour, of what decorates", kind: colourAuto, static: true, byScene: true},
		{Name: "shade", Default: "0", Help: "background darker (below 0) or lighter (above)", kind: numeric, min: -0.7, max: 0.7, static: true, byScene: true},
		{Name: "size", Default: "1", Help: "size of the ball or of the letters", kind: numeric, min: 0.4, max: 2, static: true},
		{Name: "speed", Default: "1", Help: "pace of the movements; the duration stays", kind: numeric, min: 0.4, max: 2.5},
		{Name: "motion", Default: auto, Help: "manner of moving of another style", kind: choice, choices: append([]string{auto}, styleIDs()...), static: true},
	}
}

// paramsOf lists the parameters of a recipe: its own, then the shared ones.
func paramsOf(recipe string) []Param {
	var own []Param
	switch recipe {
	case ballRecipe:
		own = []Param{
			{Name: "shape", Default: "ball", Help: "what bounces", kind: choice, choices: []string{"ball", "box", "star", "heart", "triangle", "hexagon"}, static: true, byScene: true},
			{Name: "color", Default: "by style", Help: "colour of the ball", kind: colour, static: true, byScene: true},
			{Name: "bounces", Default: auto, Help: "how often it leaves the floor after the first fall; auto: as often as fits", kind: wholeAuto, min: 1, max: 2000},
			{Name: "height", Default: "0.66", Help: "height of a full bounce, 1 is the top of the picture", kind: numeric, min: 0.1, max: 1, static: true},
			{Name: "squash", Default: "by style", Help: "how far a full bounce flattens it; 0 is a stone", kind: numeric, min: 0, max: 0.8, static: true},
		}
	case titleRecipe:
		own = []Param{
			{Name: "text", Default: defaultText, Help: "the words, up to " + strconv.Itoa(maxText) + " characters", kind: freeText, static: true},
			{Name: "subtitle", Default: "", Help: "a smaller line below", kind: freeText, static: true},
			{Name: "color", Default: auto, Help: "colour of the words", kind: colourAuto, static: true, byScene: true},
		}
	}
	list := append(own, shared()...)
	for i := range list {
		list[i].Range = list[i].rangeText()
	}
	return list
}

func (p Param) rangeText() string {
	span := trim(p.min) + " to " + trim(p.max)
	switch p.kind {
	case numeric, whole:
		return span
	case wholeAuto:
		return "auto or " + span
	case colour:
		return "a colour name or #rrggbb"
	case colourAuto:
		return "auto, a colour name or #rrggbb"
	case choice:
		return strings.Join(p.choices, ", ")
	}
	return "text"
}

// about says what a parameter is and which values it takes.
func (p Param) about() string {
	if p.kind == freeText {
		return p.Name + ": " + p.Help
	}
	return p.Name + ": " + p.Help + "; " + p.rangeText()
}

// Names lists the recipes.
func Names() []string { return []string{ballRecipe, titleRecipe} }

// Params documents the parameters of a recipe; nil for an unknown one.
func Params(recipe string) []Param {
	if !slices.Contains(Names(), recipe) {
		return nil
	}
	return paramsOf(recipe)
}

func paramNames(recipe string) []string {
	var names []string
	for _, p := range paramsOf(recipe) {
		names = append(names, p.Name)
	}
	return names
}

func findParam(recipe, name string) (Param, bool) {
	list := paramsOf(recipe)
	i := slices.IndexFunc(list, func(p Param) bool { return p.Name == name })
	if i < 0 {
		return Param{}, false
	}
	return list[i], true
}

// parse returns the canonical form of a value, or says what is wrong with it.
func (p Param) parse(s string) (string, error) {
	s = strings.TrimSpace(s)
	bad := func() error { return fmt.Errorf("%s cannot be %s: it takes %s", p.Name, quote(s), p.rangeText()) }
	switch p.kind {
	case wholeAuto, colourAuto:
		if strings.EqualFold(s, auto) {
			return auto, nil
		}
	case choice:
		low := strings.ToLower(s)
		if slices.Contains(p.choices, low) {
			return low, nil
		}
		if near := koda.Nearest(low, p.choices); near != "" {
			return "", fmt.Errorf("%w; did you mean %s?", bad(), near)
		}
		return "", bad()
	case freeText:
		s = strings.Map(func(r rune) rune { // no font draws control characters
			if unicode.IsControl(r) && !unicode.IsSpace(r) {
				return -1
			}
			return r
		}, s)
		if utf8.RuneCountInString(s) > maxText {
			return "", fmt.Errorf("%s has %d characters: it takes at most %d", p.Name, utf8.RuneCountInString(s), maxText)
		}
		return s, nil
	}
	if p.kind == colour || p.kind == colourAuto {
		if v, ok := parseColour(s); ok {
			return v, nil
		}
		if near := koda.Nearest(s, colourNames()); near != "" {
			return "", fmt.Errorf("%w; did you mean %s?", bad(), near)
		}
		return "", bad()
	}
	percent := strings.HasSuffix(s, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(s, "%")), 64)
	if percent {
		v /= 100
	}
	if err != nil || math.IsNaN(v) || v < p.min || v > p.max || (p.kind == whole || p.kind == wholeAuto) && v != math.Trunc(v) {
		return "", bad()
	}
	return trim(v), nil
}

// json is the form of a canonical value in params.json.
func (p Param) json(value string) json.RawMessage {
	if value != auto && (p.kind == numeric || p.kind == whole || p.kind == wholeAuto) {
		return json.RawMessage(value)
	}
	return raw(value)
}

// values are the parameters of a project, in canonical form: all parameters of its
// recipe, and the parameters of single scenes, named by [ownName].
type values map[string]string

func (v values) num(name string) float64 {
	f, err := strconv.ParseFloat(v[name], 64)
	if err != nil {
		panic("recipe: parameter " + name + " is " + v[name]) // values are canonical
	}
	return f
}

// motion is the style that says how things move.
func (v values) motion() string {
	if v["motion"] != auto {
		return v["motion"]
	}
	return v["style"]
}

// defaults are the values of a recipe in a style.
func defaults(recipe, style string) values {
	v := values{}
	for _, p := range paramsOf(recipe) {
		v[p.Name] = p.Default
	}
	v["style"] = style
	if recipe == ballRecipe {
		v["color"] = map[string]string{playful: "#f0444e", smooth: "#5b7fb5", cinematic: "#ff8a3d"}[style]
		v["squash"] = map[string]string{playful: "0.42", smooth: "0.2", cinematic: "0.2"}[style]
	}
	return v
}

// restyle moves values to another style: values that were the old style's choice
// become the new style's, values that were asked for stay.
func (v values) restyle(recipe, style string) {
	before, after := defaults(recipe, v["style"]), defaults(recipe, style)
	for name, value := range before {
		if v[name] == value {
			v[name] = after[name]
		}
	}
	v["style"] = style
}
