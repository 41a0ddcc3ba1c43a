package recipe

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// looksAlike reports whether the videos of two sets of values are the same: only
// values that keyframes are made from differ, and the keyframes are equal.
func looksAlike(recipe string, a, b values) bool {
	for _, c := range differences(recipe, a, b) {
		if c.param != "speed" && c.param != "bounces" {
			return false
		}
	}
	return movesAlike(recipe, a, b)
}

// movesAlike reports whether two sets of values have equal keyframes.
func movesAlike(recipe string, a, b values) bool {
	one, other := motionOf(recipe, a, koda.FPS{}), motionOf(recipe, b, koda.FPS{})
	return one.length == other.length && slices.EqualFunc(one.tracks, other.tracks, func(s, t track) bool { return slices.Equal(s.keys, t.keys) })
}

// makeTime makes "slower" and "faster" visible when a new speed alone moves
// nothing, because all of the time is taken: the video becomes longer or shorter. A
// duration that was asked for stands. Then a note says why nothing moves otherwise;
// if nothing else changes either, an error says so.
func (v values) makeTime(recipe string, before values, r reading) (notes []string, err error) {
	by := 1.0
	for _, e := range r.edits {
		if e.in == nil && e.param == "speed" && e.op == opTimes {
			by *= e.by
		}
	}
	if by == 1 || !movesAlike(recipe, before, v) {
		return nil, nil
	}
	now := v.num("duration")
	seconds := min(max(math.Round(2*now/by)/2, koda.MinBrief), koda.MaxBrief)
	other := maps.Clone(v)
	other["duration"] = trim(seconds)
	if r.asks("duration") || !fits(recipe, other) || (pulse(recipe, other) > pulse(recipe, v)) != (by < 1) || seconds == now {
		if looksAlike(recipe, before, v) {
			return nil, &koda.Error{
				Code: koda.CodeInvalidInput, Op: "that changes nothing: " + crowded(recipe, v),
				Hint: `give them another length, for example "7 seconds"`,
			}
		}
		return []string{capital(crowded(recipe, v)) + "."}, nil
	}
	v["duration"] = other["duration"]
	return []string{fmt.Sprintf("%s, so the video has %s s now, not %s.", capital(crowded(recipe, before)), trim(seconds), trim(now))}, nil
}

// fits reports whether what is asked for fits into the duration.
func fits(recipe string, v values) bool {
	if recipe != ballRecipe || v["bounces"] == auto {
		return true
	}
	_, most := courseOf(v)
	return int(v.num("bounces")) <= most
}

// pulse is how long one bounce takes, or how long the words take to come, in
// seconds.
func pulse(recipe string, v values) float64 {
	if recipe == ballRecipe {
		c, _ := courseOf(v)
		return c.period
	}
	s := scriptOf(v)
	return s.revealed - s.lead
}

// crowded says what takes all of the time.
func crowded(recipe string, v values) string {
	what := "the words"
	if recipe == ballRecipe {
		c, _ := courseOf(v)
		what = plural(len(c.bounces), "bounce")
		if len(c.bounces) == 1 {
			return fmt.Sprintf("1 bounce takes all of the %s s", v["duration"])
		}
	}
	return fmt.Sprintf("%s take all of the %s s", what, v["duration"])
}
