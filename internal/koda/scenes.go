package koda

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// SceneStart is a scene in koda.json. It lasts until the next scene starts, the
// last scene until the end. So scenes tile the duration, whatever a person changes.
type SceneStart struct {
	Title string  `json:"title,omitempty"`
	Start float64 `json:"start"` // seconds; 0 for the first scene
}

// MaxScenes is how many scenes an animation of a duration in seconds may have.
func MaxScenes(duration float64) int {
	if duration <= 30 {
		return 7
	}
	return 15
}

const scenesHint = `write them like "scenes": [{"title": "Intro", "start": 0}, {"title": "Loop", "start": 1.5}]; each lasts until the next starts`

// CheckScenes refuses scenes that do not rise from 0 within the duration, or are
// too many. No scenes at all are fine. The error is INVALID_INPUT and begins with
// what is wrong.
func CheckScenes(scenes []SceneStart, duration float64) error {
	bad := func(hint, format string, args ...any) error {
		return &Error{Code: CodeInvalidInput, Op: fmt.Sprintf(format, args...), Hint: hint}
	}
	if most := MaxScenes(duration); len(scenes) > most {
		return bad("put scenes together", "%d scenes are too many: %g s have at most %d", len(scenes), duration, most)
	}
	for i, s := range scenes {
		switch {
		case utf8.RuneCountInString(s.Title) > 200 || strings.ContainsAny(s.Title, "\r\n"):
			return bad("a title is one line of at most 200 characters", "the title of scene %d is too long", i+1)
		case i == 0 && s.Start != 0:
			return bad(scenesHint, "the first scene starts at %g s, it must be 0", s.Start)
		case i > 0 && !(s.Start > scenes[i-1].Start):
			return bad(scenesHint, "scene %d starts at %g s, not after scene %d at %g s", i+1, s.Start, i, scenes[i-1].Start)
		case !(s.Start < duration):
			return bad("move or remove the scene, or make the duration longer", "scene %d starts at %g s, and the animation ends at %g s", i+1, s.Start, duration)
		}
	}
	return nil
}

// Starts returns the scenes of a plan in the form of koda.json.
func (p Plan) Starts() []SceneStart {
	var list []SceneStart
	at := 0.0
	for _, s := range p.Scenes {
		list = append(list, SceneStart{Title: s.Title, Start: math.Round(at*1e6) / 1e6})
		at += s.Duration
	}
	return list
}

// Cuts are the seconds at which a scene ends and another scene starts; nil when
// there are no scenes.
func (m Manifest) Cuts() []float64 {
	var cuts []float64
	for _, s := range m.Scenes {
		if s.Start > 0 {
			cuts = append(cuts, s.Start)
		}
	}
	return cuts
}

// Equal reports whether two manifests say the same.
func (m Manifest) Equal(other Manifest) bool {
	return m.Schema == other.Schema && m.Name == other.Name && m.Width == other.Width && m.Height == other.Height &&
		m.FPS == other.FPS && m.Duration == other.Duration && m.Play == other.Play && slices.Equal(m.Scenes, other.Scenes)
}

// SceneAt is the number of the scene that shows at a time in seconds, from 1; 0 if none
// has begun.
func SceneAt(scenes []SceneStart, at float64) int {
	n := 0
	for i, s := range scenes {
		if s.Start <= at+1e-6 { // times of frames are rounded
			n = i + 1
		}
	}
	return n
}
