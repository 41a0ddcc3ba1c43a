package widget

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
)

// wideEnough is the least width at which a plan is a table. In a narrower plan each
// scene's text stands under its title.
const wideEnough = 64

// Plan is the table of scenes with their times, for the person to accept:
//
//	Plan: 5 s at 60 fps, 1080 × 1920 (vertical), mp4, playful, 3 scenes
//
//	 1  Intro  0:00–0:02  Ball fades in from the center, soft bounce
//	                      easeOutBack
//	 2  Loop   0:02–0:05  …
//
//	 • a note
func Plan(th theme.Theme, p koda.Plan, width int) string {
	lines := hang("", styled(th.Title.Render, Wrap(planTitle(th, p), width)))
	lines = append(lines, "")
	if width >= wideEnough {
		lines = append(lines, planTable(th, p.Scenes, width)...)
	} else {
		lines = append(lines, planStack(th, p.Scenes, width)...)
	}
	if len(p.Notes) > 0 {
		lines = append(lines, "")
	}
	for _, note := range p.Notes {
		head := " " + th.Glyphs.Bullet + " "
		lines = append(lines, hang(th.Warn.Render(head), Wrap(Line(note), width-ansi.StringWidth(head)))...)
	}
	return join(lines)
}

func planTitle(th theme.Theme, p koda.Plan) string {
	facts, fps := []string{number(p.TotalDuration) + " s"}, p.FPS
	if v := p.Video; v != nil {
		facts, fps = append(facts, fmt.Sprintf("%d %s %d (%s)", v.Width, th.Glyphs.Times, v.Height, v.Shape()), Line(v.Format)), v.FPS
	}
	if !fps.IsZero() {
		facts[0] += " at " + fps.String() + " fps"
	}
	if style := Line(p.Style); style != "" {
		facts = append(facts, style)
	}
	scenes := fmt.Sprintf("%d scenes", len(p.Scenes))
	if len(p.Scenes) == 1 {
		scenes = "1 scene"
	}
	return "Plan: " + strings.Join(append(facts, scenes), ", ")
}

// times are the start and end of every scene: scenes follow each other.
func times(th theme.Theme, scenes []koda.Scene) []string {
	out := make([]string, len(scenes))
	at := 0.0
	for i, s := range scenes {
		out[i] = Clock(at) + th.Glyphs.Range + Clock(at+s.Duration)
		at += s.Duration
	}
	return out
}

func planTable(th theme.Theme, scenes []koda.Scene, width int) []string {
	spans := times(th, scenes)
	var numbers, titles, stretch int
	for i, s := range scenes {
		numbers = max(numbers, len(fmt.Sprint(s.Number)))
		titles = max(titles, ansi.StringWidth(Line(s.Title)))
		stretch = max(stretch, ansi.StringWidth(spans[i]))
	}
	titles = min(titles, width/4)
	var lines []string
	for i, s := range scenes {
		head := fmt.Sprintf(" %*d  ", numbers, s.Number)
		title := pad(Cut(Line(s.Title), titles, th.Glyphs.Ellipsis), titles)
		span := pad(spans[i], stretch)
		room := width - len(head) - titles - stretch - 4
		text := sceneText(th, s, room)
		lines = append(lines, hang(th.Muted.Render(head)+th.Accent.Render(title)+"  "+span+"  ", text)...)
	}
	return lines
}

func planStack(th theme.Theme, scenes []koda.Scene, width int) []string {
	spans := times(th, scenes)
	var lines []string
	for i, s := range scenes {
		head := fmt.Sprintf("%d ", s.Number)
		room := width - len(head) - ansi.StringWidth(spans[i]) - 1
		title := Cut(Line(s.Title), room, th.Glyphs.Ellipsis)
		lines = append(lines, th.Muted.Render(head)+th.Accent.Render(title)+" "+spans[i])
		indent := strings.Repeat(" ", len(head))
		lines = append(lines, hang(indent, sceneText(th, s, width-len(head)))...)
	}
	return lines
}

// sceneText is the description, followed by the animation notes.
func sceneText(th theme.Theme, s koda.Scene, width int) []string {
	lines := Wrap(Line(s.Description), width)
	return append(lines, styled(th.Muted.Render, Wrap(Line(s.AnimationNotes), width))...)
}

func styled(render func(string) string, lines []string) []string {
	for i, l := range lines {
		lines[i] = render(l)
	}
	return lines
}
