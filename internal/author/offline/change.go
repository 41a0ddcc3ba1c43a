package offline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// changing is what there is to change: the parameters of a plan or of a project.
type changing struct {
	a      *Author
	recipe *recipe.Manifest
	page   koda.Manifest // of a project; a person may have written its scenes
	values recipe.Values
	score  recipe.Score // of values
	env    *recipe.Env  // of the score; changes with the size and the rate
	was    *recipe.Env  // before the change
	run    func(recipe.Values) (recipe.Score, error)
	there  func(path string) bool // a file of the project
}

// change is what some words make of parameters.
type change struct {
	values      recipe.Values
	score       recipe.Score
	notes, left []string
	understood  bool
	already     bool // all that was understood is as asked for
	refused     string
	other       *recipe.Manifest // the kind of video that is asked for instead
	ofScene     bool             // what is refused is asked of one scene
	which       []string         // what to say instead of what is refused
	undo        bool
	fps         koda.FPS // 0 if it stays
	sized       bool     // the picture has another size or rate
	timed       bool     // a length was asked for
	pace        float64  // by which the speed was asked to change
}

// by applies words and runs the score. A failure is INVALID_INPUT: nothing was changed.
func (c *changing) by(said string) (change, error) {
	r, err := c.a.reader.Change(c.recipe, c.values, reading.Known{Scenes: c.scenes, Auto: c.score.Auto, Side: min(c.env.Width, c.env.Height)}, said)
	if err != nil {
		return change{}, refused(err)
	}
	if c.was == nil {
		c.was = &recipe.Env{FPS: c.env.FPS, Width: c.env.Width, Height: c.env.Height}
	}
	c.env.FPS, c.env.Width, c.env.Height = c.was.FPS, c.was.Width, c.was.Height
	if r.Width > 0 {
		c.env.Width, c.env.Height = r.Width, r.Height
	}
	if !r.FPS.IsZero() {
		c.env.FPS = rate(r.FPS)
	}
	next := change{values: r.Values, notes: r.Notes, left: r.Left, understood: r.Understood, already: r.Already, refused: r.Refused, other: r.Other, which: r.Which, undo: r.Undo}
	next.ofScene = len(r.Which) == 0
	next.pace, next.fps, next.sized = 1, r.FPS, c.was.Width != c.env.Width || c.was.Height != c.env.Height || c.was.FPS != c.env.FPS
	if next.sized {
		next.notes = append(next.notes, fmt.Sprintf("The picture has %d×%d pixels now, and %s frames a second.", c.env.Width, c.env.Height, recipe.Trim(c.env.FPS)))
	}
	if r.Format != "" {
		next.notes = append(next.notes, fmt.Sprintf("What is drawn can go into a %s: `koda render --preset %[1]s` makes the file.", r.Format))
	}
	for _, e := range r.Edits {
		switch e.Param {
		case "duration":
			next.timed = true
		case "speed":
			next.pace *= e.Factor()
		}
	}
	if gone := c.a.filed(c.recipe, c.values, next.values, func(name string) string { return inProject(name, c.there) }); gone != "" {
		return change{}, noPicture(gone)
	}
	if next.score, err = c.run(next.values); err == nil {
		err = next.score.Err()
	}
	if err == nil {
		err = c.makeTime(&next)
	}
	if err != nil {
		return change{}, refused(err)
	}
	next.dropGone(len(c.fitting(next.score)))
	if from, to := c.score.Auto[ground], next.score.Auto[ground]; from != "" && to != "" && from != to && c.grounded(next) {
		next.notes = append(next.notes, fmt.Sprintf("The background goes from %s to %s, so that all can be seen on it.", from, to))
	}
	return next, nil
}

// ground is the parameter for the colour behind everything.
const ground = "background"

// grounded reports whether the background is left to the recipe, and all of what was asked for is a colour of something else.
func (c *changing) grounded(next change) bool {
	diff := differences(c.recipe, c.values, next.values)
	return len(diff) > 0 && c.values[ground] == recipe.Auto && !slices.ContainsFunc(diff, func(d difference) bool {
		return d.name == ground || d.param.Type == recipe.Choice || d.param.Type == recipe.Integer || d.name == "tint"
	})
}

// scenes are the scenes that values make.
func (c *changing) scenes(v recipe.Values) ([]koda.SceneStart, error) {
	s, err := c.run(v)
	if err == nil {
		err = s.Err()
	}
	return c.fitting(s), err
}

// fitting are the scenes of a score, unless a person wrote others and they fit.
func (c *changing) fitting(s recipe.Score) []koda.SceneStart {
	if c.page.Width > 0 && stands(c.page.Scenes, c.score, s) {
		return c.page.Scenes
	}
	return s.Starts()
}

// stands reports whether scenes in koda.json are a person's and still fit after a change.
// Where each scene has a sheet, there must be as many scenes as sheets.
func stands(scenes []koda.SceneStart, before, after recipe.Score) bool {
	sheets := len(after.Motion) > 1 && len(scenes) != len(after.Scenes)
	return !slices.Equal(scenes, before.Starts()) && !sheets && koda.CheckScenes(scenes, after.Duration) == nil
}

// dropGone drops the values of scenes beyond the last, with a note.
func (c *change) dropGone(last int) {
	owns := c.values.Owns()
	for _, n := range slices.Sorted(maps.Keys(owns)) {
		if n <= last {
			continue
		}
		params := slices.Sorted(maps.Keys(owns[n]))
		for _, param := range params {
			delete(c.values, recipe.Own(n, param))
		}
		c.notes = append(c.notes, fmt.Sprintf("Scene %d is gone, and with it its own %s.", n, join(params)))
	}
}

// alike reports whether a change shows nowhere: no value differs, or only numbers that
// were left to the recipe and came to the same, or a pace that moves nothing.
func (c *changing) alike(next change) bool {
	if next.sized {
		return false
	}
	for _, d := range differences(c.recipe, c.values, next.values) {
		auto, known := c.score.Auto[d.name]
		switch {
		case known && d.from == recipe.Auto && d.to == auto && c.score.Motion.Equal(next.score.Motion):
		case d.name == "speed" && c.score.Pace != nil && c.score.Motion.Equal(next.score.Motion):
		default:
			return false
		}
	}
	return true
}

// makeTime makes "slower" and "faster" visible where the pace alone moves nothing,
// because movements take all of the time: the video becomes longer or shorter. A length
// that was asked for stands. Then a note says why nothing moves otherwise; if nothing
// else changes either, an error says so.
func (c *changing) makeTime(next *change) error {
	by, pace := next.pace, c.score.Pace
	if pace == nil || by == 1 || !c.score.Motion.Equal(next.score.Motion) {
		return nil
	}
	now := num(next.values["duration"])
	seconds := min(max(math.Round(2*now/by)/2, koda.MinBrief), koda.MaxDuration)
	other := maps.Clone(next.values)
	other["duration"] = recipe.Trim(seconds)
	s, err := c.run(other)
	fits := err == nil && len(s.Refused) == 0 && s.Pace != nil && (s.Pace.Beat > pace.Beat) == (by < 1)
	switch {
	case fits && seconds != now && !next.timed:
		next.notes = append(next.notes, fmt.Sprintf("%s, so the video has %s s now, not %s.", capital(pace.Full), recipe.Trim(seconds), recipe.Trim(now)))
		next.values, next.score = other, s
		return nil
	case c.alike(*next):
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "that changes nothing: " + pace.Full, Hint: `give them another length, for example "7 seconds"`}
	}
	next.notes = append(next.notes, capital(pace.Full)+".")
	return nil
}

// num is a canonical number; NaN for anything else.
func num(value string) float64 {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// refused turns a failure over a change of something that exists into INVALID_INPUT. What was
// interrupted did not fail.
func refused(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Err: err, Hint: koda.HintOf(err)}
}

// nothing is the error for words that change nothing.
func (c *changing) nothing(said string, next change) error {
	e := &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("%s changes nothing koda understands", koda.Quote(said)), Details: strings.Join(next.notes, "\n")}
	switch {
	case strings.TrimSpace(said) == "":
		e.Op = "nothing was said to change"
	case next.refused != "":
		e.Op = next.refused
	case len(next.notes) > 0 && len(next.left) == 0 && !next.undo:
		e.Op, e.Details = fmt.Sprintf("%s changes nothing: %s", koda.Quote(said), strings.TrimSuffix(strings.Join(next.notes, " "), ".")), ""
	case len(next.left) > 0 && next.understood:
		e.Op = fmt.Sprintf("%s changes nothing: koda does not understand %s here", koda.Quote(said), clipped(next.left))
	case next.already && !next.undo:
		e.Op = fmt.Sprintf("%s changes nothing: it is like that already", koda.Quote(said))
	}
	e.Hint = "try " + quoted(c.a.reader.Suggest(c.recipe, c.values))
	if named := c.a.reader.Named(said); !next.understood && len(next.which)+len(next.notes) == 0 && len(named) > 0 && !slices.Contains(named, c.recipe) {
		e.Op = fmt.Sprintf("%s names another kind of video: %s", koda.Quote(said), named[0].Title)
		e.Hint = "`koda reject` with these words leads to it; or " + e.Hint
		if c.page.Width > 0 {
			e.Hint = "`koda new` makes another video"
		}
		return e
	}
	switch {
	case next.refused != "" && next.ofScene:
		e.Hint = "it can have its own " + join(c.recipe.SceneParams()) + "; without the scene it is said of the whole video"
	case next.refused != "":
		e.Hint = "say which: " + quoted(next.which)
	case next.undo && c.page.Width > 0:
		e.Op, e.Err, e.Details = koda.Quote(said), koda.ErrUndo, ""
		e.Hint = "koda undo goes back to the version before; or " + e.Hint
	case next.undo:
		e.Op, e.Hint = "a plan keeps nothing of what it was before", "say what it shall be: "+e.Hint
	}
	return e
}

func quoted(list []string) string {
	quotes := slices.Clone(list)
	for i := range quotes {
		quotes[i] = strconv.Quote(quotes[i])
	}
	return strings.Join(quotes, ", ")
}
