package model

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/tool"
)

// The rules of plans.
const (
	minScene = 1.5 // seconds, unless the video is too short for two
	maxTodos = 30
	maxLabel = 80 // characters

	mostWrong = 10 // violations that are told at once
)

// designKey is the key in a plan's data for the model's own build plan.
const designKey = "design"

type planInput struct {
	Style    string      `json:"style" desc:"playful, smooth, cinematic, or in a few words of your own."`
	Duration float64     `json:"duration" desc:"Seconds of the whole video."`
	Width    int         `json:"width,omitempty" desc:"CSS pixels, even; only if the words ask for another shape than that of the brief: 1080 for vertical."`
	Height   int         `json:"height,omitempty" desc:"Likewise: 1920 for vertical."`
	Scenes   []planScene `json:"scenes"`
	Todos    []planTodo  `json:"todos,omitempty"`
	Notes    []string    `json:"notes,omitempty" desc:"Sentences for the person: what was understood otherwise, or is left out."`
	Design   design      `json:"design,omitempty" desc:"Your own build plan."`
}

type planScene struct {
	Title        string  `json:"title" desc:"Two or three words."`
	Duration     float64 `json:"duration" desc:"Seconds."`
	Description  string  `json:"description" desc:"What is seen."`
	Enter        string  `json:"enter" desc:"How its elements come in, with the easing."`
	EnterSeconds float64 `json:"enter_seconds"`
	Hold         string  `json:"hold" desc:"What is seen, and moves a little, meanwhile."`
	Exit         string  `json:"exit" desc:"How it ends: what leaves, or hands over; the last scene may rest."`
	ExitSeconds  float64 `json:"exit_seconds"`
}

type planTodo struct {
	Label string `json:"label" desc:"For the person, one line."`
	Task  string `json:"task" desc:"For you: what to do."`
	Scene int    `json:"scene" desc:"Number of its scene from 1; 0 for several."`
}

type design struct {
	Intent     string       `json:"intent"`
	Palette    []string     `json:"palette" desc:"Hex colours, the background first."`
	Typography string       `json:"typography"`
	Layout     string       `json:"layout"`
	Files      []designFile `json:"files"`
}

type designFile struct {
	Path  string `json:"path"`
	About string `json:"about"`
}

// Plan asks the model for a plan, and for another one as long as a plan breaks a rule.
// With a revision the model is given the plan before and what the person said of it.
func (a *Author) Plan(ctx context.Context, b koda.Brief, ans koda.Answer, rev *koda.Revision, desk tool.Desk) (koda.Plan, error) {
	var plan koda.Plan
	say := aboutBrief(b) + aboutAnswer(b, ans) + aboutRevision(rev) + "\n\nPropose the plan: call propose_plan."
	code := koda.CodeNotAnimation
	if rev != nil && rev.Plan != nil {
		code = koda.CodeInvalidInput // the plan before stands
	}
	err := settle(ctx, desk, a.told(talkTexts, desk.Texts), say, talkTools, func(u llm.ToolUse) (err error) {
		switch u.Name {
		case namePlan:
			plan, err = planOf(b, u.Input)
			return err
		case nameDecline:
			return declined(u.Input, code)
		}
		return broken("call %s now", namePlan)
	})
	return plan, err
}

// planOf reads a plan and checks its rules. A design that cannot be read is left out.
func planOf(b koda.Brief, input json.RawMessage) (koda.Plan, error) {
	var in planInput
	var parts map[string]json.RawMessage
	if err := decode(input, &parts); err != nil {
		return koda.Plan{}, err
	}
	if missing := slices.DeleteFunc([]string{"style", "duration", "scenes"}, func(name string) bool { return parts[name] != nil }); len(missing) > 0 {
		about := strings.Join(missing, ", ")
		if len(parts) > 0 {
			about += ", but " + clip(strings.Join(slices.Sorted(maps.Keys(parts)), ", "), 200)
		}
		return koda.Plan{}, broken("the input has no %s", about)
	}
	var own design
	if json.Unmarshal(parts["design"], &own) != nil {
		own = design{}
	}
	delete(parts, "design")
	rest, err := json.Marshal(parts)
	if err != nil {
		return koda.Plan{}, fmt.Errorf("encode plan: %w", err)
	}
	if err := decode(rest, &in); err != nil {
		return koda.Plan{}, err
	}
	if err := in.check(b); err != nil {
		return koda.Plan{}, err
	}
	return in.plan(b, own), nil
}

// check refuses a plan that breaks a rule. The violation names the rules it breaks.
func (in *planInput) check(b koda.Brief) error {
	var wrong []string
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if b.Duration > 0 && math.Abs(in.Duration-b.Duration) > 1e-3 {
		bad("the person wants %g s, duration is %g", b.Duration, in.Duration)
	}
	if !(in.Duration >= koda.MinBrief && in.Duration <= koda.MaxDuration) {
		bad("duration is %g; it must be from %g to %d s", in.Duration, koda.MinBrief, koda.MaxDuration)
	}
	if n, most := len(in.Scenes), koda.MaxScenes(in.Duration); n == 0 || n > most {
		bad("there are %d scenes; %g s have 1 to %d", n, in.Duration, most)
	}
	if w, h := in.Width, in.Height; w != 0 || h != 0 {
		if w < 16 || h < 16 || w > 7680 || h > 7680 || w%2+h%2 != 0 {
			bad("%d × %d is no size of a video; give both sides, even, or none", w, h)
		}
	}
	if strings.TrimSpace(in.Style) == "" {
		bad("style is empty")
	}
	sum := 0.0
	for i, s := range in.Scenes {
		s.check(i+1, len(in.Scenes) > 1, bad)
		sum += s.Duration
	}
	if len(in.Scenes) > 0 && math.Abs(sum-in.Duration) > 0.01*float64(len(in.Scenes)) {
		bad("the scenes take %g s together, duration is %g; they must tile it", math.Round(sum*1000)/1000, in.Duration)
	} else if n := len(in.Scenes); n > 1 && sum > in.Duration+1e-6 && in.Scenes[n-1].Duration-(sum-in.Duration) < minScene-1e-6 {
		bad("the last scene ends %.3g s after the video", sum-in.Duration) // which would make it too short
	}
	if len(in.Todos) > maxTodos {
		bad("%d todos are more than %d", len(in.Todos), maxTodos)
	}
	for i, t := range in.Todos {
		if n := len([]rune(oneLine(t.Label))); n == 0 || n > maxLabel {
			bad("the label of todo %d has %d characters; it must have 1 to %d", i+1, n, maxLabel)
		}
		if t.Scene < 0 || t.Scene > len(in.Scenes) {
			bad("todo %d is about scene %d, which is not there", i+1, t.Scene)
		}
	}
	if n := len(wrong); n > mostWrong {
		wrong = append(wrong[:mostWrong], fmt.Sprintf("and %d more", n-mostWrong))
	}
	if wrong != nil {
		return broken("%s", strings.Join(wrong, "; "))
	}
	return nil
}

func (s planScene) check(n int, several bool, bad func(string, ...any)) {
	if several && !(s.Duration >= minScene) {
		bad("scene %d takes %g s; a scene takes at least %g", n, s.Duration, minScene)
	}
	if strings.TrimSpace(s.Title) == "" || strings.TrimSpace(s.Description) == "" {
		bad("scene %d needs a title and a description", n)
	}
	if strings.TrimSpace(s.Enter) == "" || strings.TrimSpace(s.Hold) == "" || strings.TrimSpace(s.Exit) == "" {
		bad("scene %d needs enter, hold and exit", n)
	}
	if s.EnterSeconds < 0 || s.ExitSeconds < 0 || s.EnterSeconds+s.ExitSeconds >= s.Duration {
		bad("scene %d enters for %g s and exits for %g s of %g s; nothing is left to hold", n, s.EnterSeconds, s.ExitSeconds, s.Duration)
	}
}

// plan is a plan that was checked. The last scene ends where the video ends.
func (in *planInput) plan(b koda.Brief, own design) koda.Plan {
	p := koda.Plan{TotalDuration: in.Duration, Style: oneLine(in.Style), FPS: b.FPS}
	if b.Preset == "" { // a preset has its own size
		p.Width, p.Height = in.Width, in.Height
	}
	left := in.Duration
	for i, s := range in.Scenes {
		length := s.Duration
		if i == len(in.Scenes)-1 {
			length = math.Round(left*1e6) / 1e6
		}
		left -= length
		p.Scenes = append(p.Scenes, koda.Scene{
			Number: i + 1, Title: clip(oneLine(s.Title), 60), Duration: length, Description: oneLine(s.Description),
			AnimationNotes: fmt.Sprintf("Enters (%g s): %s Holds: %s Exits (%g s): %s", s.EnterSeconds, sentence(s.Enter), sentence(s.Hold), s.ExitSeconds, sentence(s.Exit)),
		})
	}
	for _, t := range in.Todos {
		p.Todos = append(p.Todos, koda.PlanTodo{Label: oneLine(t.Label), Task: t.Task, Scene: t.Scene})
	}
	for _, n := range in.Notes {
		if n = oneLine(n); n != "" {
			p.Notes = append(p.Notes, n)
		}
	}
	if text, err := json.Marshal(own); err == nil && own.Intent != "" {
		p.Data = map[string]string{designKey: string(text)}
	}
	return p
}

// sentence ends a text with a full stop.
func sentence(text string) string {
	if text = oneLine(text); !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
