package recipe

import (
	"fmt"
	"math"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/theatre"
)

// Env is what a score knows besides the parameters.
type Env struct {
	FPS    float64 `json:"fps"`
	Width  int     `json:"width"`  // CSS pixels of the page
	Height int     `json:"height"` // likewise
	// Lengths are seconds of the scenes that the score is to keep to, if it has as many
	// scenes; nil leaves them to the score.
	Lengths []float64 `json:"lengths,omitempty"`
}

// Wanted is what a prompt asks of the video file. Zero fields were not asked for.
type Wanted struct {
	Width, Height int // pixels
	FPS           koda.FPS
	Format        string // "gif", "webm"
	Recipe        string // the recipe that draws all of it; "" if none does
	// Seconds is how long the video becomes; 0 if a model or an answer decides.
	Seconds float64
}

// Update says what an update of a project to the recipe of this koda meets.
type Update struct {
	Recipe string
	Newest bool     // the project carries the recipe of this koda already
	Edited []string // files of the recipe that a person changed
}

// Score is what follows from the parameters of a recipe.
type Score struct {
	Duration float64 // seconds
	Scenes   []Scene // they tile the duration
	Motion   theatre.Motion
	Said     []string  // sentences for the plan
	Refused  []Refusal // values that do not fit together; then the rest is empty
	// Auto is what numbers and colours that were left to the recipe came to.
	Auto map[string]string
	Pace *Pace // nil if the recipe does not say
}

// Pace is how fast a video moves: the seconds of one movement, and a sentence for when
// movements take all of the time, such as "7 bounces take all of the 5 s".
type Pace struct {
	Beat float64
	Full string
}

// Scene is a scene of a score.
type Scene struct {
	ID, Title, Description, Notes string
	Seconds                       float64
}

// Refusal says why values do not fit together.
type Refusal struct {
	Param, Message, Hint string
}

// Err is the first refusal as USAGE, or that scenes are too short; nil if there is none.
func (s Score) Err() error {
	if len(s.Refused) == 0 {
		for _, scene := range s.Scenes {
			if scene.Seconds < koda.MinBrief-1e-6 && len(s.Scenes) > 1 {
				return &koda.Error{
					Code: koda.CodeUsage, Op: fmt.Sprintf("%d scenes do not fit into %s s", len(s.Scenes), Trim(math.Round(s.Duration*100)/100)),
					Hint: fmt.Sprintf("a scene takes at least %v s: give the video %s s or more, or leave the length out", koda.MinBrief, Trim(koda.MinBrief*float64(len(s.Scenes)))),
				}
			}
		}
		return nil
	}
	r := s.Refused[0]
	return &koda.Error{Code: koda.CodeUsage, Op: r.Message, Hint: r.Hint}
}

// Check finds what a score must not be: without a length or sheets, or with scenes that
// do not tile the length.
func (s Score) Check() error {
	var sum float64
	for _, scene := range s.Scenes {
		if scene.Seconds <= 0 {
			return fmt.Errorf("the scene %q has no length", scene.Title)
		}
		sum += scene.Seconds
	}
	switch {
	case s.Duration <= 0 || s.Duration > koda.MaxDuration:
		return fmt.Errorf("the video is %v s long: it must be up to %d s", s.Duration, koda.MaxDuration)
	case len(s.Scenes) == 0:
		return fmt.Errorf("it has no scenes")
	case sum-s.Duration > 1e-3 || s.Duration-sum > 1e-3:
		return fmt.Errorf("its scenes last %v s, and the video %v s", sum, s.Duration)
	case len(s.Motion) == 0:
		return fmt.Errorf("it has no sheets")
	}
	return nil
}

// Starts is when the scenes start, as koda.json says it. A video of one scene has no
// cuts to tell.
func (s Score) Starts() []koda.SceneStart {
	starts := make([]koda.SceneStart, len(s.Scenes))
	at := 0.0
	for i, scene := range s.Scenes {
		starts[i] = koda.SceneStart{Title: scene.Title, Start: math.Round(at*1e6) / 1e6}
		at += scene.Seconds
	}
	return starts
}
