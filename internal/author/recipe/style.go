package recipe

import (
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// The ids of the styles.
const (
	playful   = "playful"
	smooth    = "smooth"
	cinematic = "cinematic"
)

// Style is one look and one way of moving.
type Style struct {
	ID, Label, Description string
	// Easing, Motion and Timing describe the movement, for plans and help texts.
	Easing, Motion, Timing string
}

// Styles lists the styles in the order people are offered them.
func Styles() []Style {
	return []Style{
		{
			playful, "Playful & bouncy", "Bright colours, overshoot, squash and stretch; fast and snappy",
			"easeOutBack, easeOutElastic", "overshoot, squash and stretch", "fast, snappy",
		},
		{
			smooth, "Smooth & minimal", "Quiet colours, subtle flowing motion; slower and deliberate",
			"easeInOutCubic, easeOutQuint", "subtle, flowing", "slower, deliberate",
		},
		{
			cinematic, "Cinematic & dramatic", "Dark stage, spotlight, camera moves and depth; building tension",
			"easeInOutQuart, custom curves", "camera moves, depth", "building tension",
		},
	}
}

// styleIDs lists the ids of the styles, in the order of Styles.
func styleIDs() []string { return []string{playful, smooth, cinematic} }

// styleWords are the words that name a style.
var styleWords = map[string]string{
	"playful": playful, "bouncy": playful, "fun": playful, "funny": playful, "cheerful": playful, "cartoon": playful, "cartoony": playful, "cartoonish": playful,
	"happy": playful, "energetic": playful, "lively": playful, "cute": playful, "kids": playful, "kid": playful, "children": playful, "childish": playful,
	"silly": playful, "whimsical": playful, "bubbly": playful, "quirky": playful, "goofy": playful, "springy": playful, "elastic": playful, "joyful": playful,
	"colorful": playful, "colourful": playful, "pixar": playful, "toon": playful, "easeoutback": playful, "easeoutelastic": playful, "easeinoutback": playful,
	"overshoot": playful,

	"smooth": smooth, "smoothly": smooth, "minimal": smooth, "minimalist": smooth, "minimalistic": smooth, "clean": smooth, "elegant": smooth, "calm": smooth,
	"subtle": smooth, "gentle": smooth, "gently": smooth, "modern": smooth, "sleek": smooth, "quiet": smooth, "flowing": smooth, "corporate": smooth,
	"professional": smooth, "serene": smooth, "zen": smooth, "stripe": smooth, "apple": smooth, "muted": smooth, "relaxed": smooth, "relaxing": smooth,
	"peaceful": smooth, "easeinoutcubic": smooth, "easeoutquint": smooth, "easeoutcubic": smooth,

	"cinematic": cinematic, "cinematically": cinematic, "dramatic": cinematic, "dramatically": cinematic, "epic": cinematic, "moody": cinematic, "noir": cinematic, "suspense": cinematic,
	"suspenseful": cinematic, "intense": cinematic, "hollywood": cinematic, "trailer": cinematic, "blockbuster": cinematic, "spotlight": cinematic,
	"atmospheric": cinematic, "theatrical": cinematic, "tense": cinematic, "film": cinematic, "filmic": cinematic, "movie": cinematic, "mysterious": cinematic,
	"easeinoutquart": cinematic,
}

// manners are comparatives that change how things move and leave the colours.
var manners = map[string]string{
	"smoother": smooth, "calmer": smooth, "gentler": smooth, "softer": smooth, "flowier": smooth,
	"bouncier": playful, "snappier": playful, "springier": playful, "livelier": playful, "punchier": playful,
	"heavier": cinematic, "weightier": cinematic,
}

// readStyles finds the styles a text names, in order, without repeats. more is
// true for "more playful" and the like.
func (w *words) readStyles() (found []string, more bool) {
	for i := range w.list {
		id, ok := styleWords[w.at(i)]
		switch {
		case !ok || w.used(i):
			continue
		case w.is(i, "bouncy", "bouncing") && w.is(w.skip(i+1, 1, between...), actors...) && !w.is(i-1, "and", "very", "really"):
			continue // "a bouncy ball" is a toy, not a style
		case w.is(i, "film", "movie") && w.is(i-1, "a", "an", "the", "short") && !w.is(i+1, "style", "look", "like"):
			continue // "make a movie about" asks for a video
		case w.is(i, "happy") && w.opensText(i+1):
			continue // "happy birthday" is the text of a title
		case w.is(i-1, "not", "less", "no", "without") || w.is(i-1, "too"):
			continue
		}
		w.claim(i, i+1)
		more = more || w.is(i-1, "more", "even", "extra", "super", "very", "really", "most")
		for j := i + 1; w.is(j, "style", "styled", "look", "feel", "vibe", "mood", "way", "manner"); j++ {
			w.claim(j, j+1)
		}
		if !slices.Contains(found, id) {
			found = append(found, id)
		}
	}
	return found, more
}

// opensText reports whether the word at i can begin a text: nothing used the word yet, and it
// is not a word that goes with a style.
func (w *words) opensText(i int) bool {
	return w.at(i) != "" && !w.used(i) && !fillers[w.at(i)] && styleWords[w.at(i)] == "" && !w.is(i, actors...) && !w.is(i, between...)
}

// styleOf finds the style that an id, a label, the number of an option or free text
// means; "" if the text names no style.
func styleOf(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	for i, st := range Styles() {
		if s == st.ID || s == strings.ToLower(st.Label) || s == string(rune('1'+i)) {
			return st.ID
		}
	}
	if found, _ := newWords(s).readStyles(); len(found) > 0 {
		return found[0]
	}
	return ""
}

// briefStyle is the style that the brief names. Free text that names no style is refused
// like a misspelt id, because koda never replaces a style that was named.
func briefStyle(s string) (string, error) {
	if strings.TrimSpace(s) == "" {
		return "", nil
	}
	if id := styleOf(s); id != "" {
		return id, nil
	}
	hint := "styles are " + strings.Join(styleIDs(), ", ")
	if near := koda.Nearest(s, styleIDs()); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return "", &koda.Error{Code: koda.CodeUsage, Op: "unknown style " + quote(s), Hint: hint}
}

// quote puts text in quotation marks, shortened to what fits on a line.
func quote(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		s = string(r[:59]) + "…"
	}
	return `"` + s + `"`
}
