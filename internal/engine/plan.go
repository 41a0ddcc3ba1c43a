package engine

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// The limits of a plan's own todos.
const (
	maxTodos = 30
	maxLabel = 80 // characters of a label
)

// minScene is the shortest scene of a plan, whoever made it.
const minScene = 1.5 // seconds

// checkPlan refuses a plan whose scenes do not tile its duration, are too short or
// too many, or whose todos cannot be shown or done. A video too short for two
// scenes has one scene.
func checkPlan(p koda.Plan) error {
	bad := func(format string, args ...any) error {
		return &koda.Error{Code: koda.CodeFailed, Op: "the author's plan is not usable: " + fmt.Sprintf(format, args...), Hint: "`koda resume` asks again"}
	}
	switch {
	case len(p.Scenes) == 0:
		return bad("it has no scenes")
	case len(p.Scenes) > koda.MaxScenes(p.TotalDuration):
		return bad("%d scenes are too many for %g s", len(p.Scenes), p.TotalDuration)
	case p.FPS.IsZero():
		return bad("it has no frame rate")
	}
	sum := 0.0
	for i, s := range p.Scenes {
		if s.Number != i+1 {
			return bad("scene %d is numbered %d", i+1, s.Number)
		}
		if s.Duration < minScene && len(p.Scenes) > 1 {
			return bad("scene %d is shorter than %g s", s.Number, minScene)
		}
		sum += s.Duration
	}
	if math.Abs(sum-p.TotalDuration) > 1e-6 {
		return bad("its scenes take %g s of %g s", sum, p.TotalDuration)
	}
	if len(p.Todos) > maxTodos {
		return bad("%d todos are too many", len(p.Todos))
	}
	for i, t := range p.Todos {
		switch n := utf8.RuneCountInString(t.Label); {
		case n == 0 || n > maxLabel || strings.ContainsAny(t.Label, "\r\n"):
			return bad("the label of todo %d is not one line of 1 to %d characters", i+1, maxLabel)
		case t.Scene < 0 || t.Scene > len(p.Scenes):
			return bad("todo %d is about scene %d, which is not in the plan", i+1, t.Scene)
		}
	}
	return nil
}
