package recipe

import (
	"math"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// pace is how a style moves words. Times are in seconds.
type pace struct {
	lead   float64 // before the first letter
	reveal float64 // of a short text
	letter float64 // more for every letter
	most   float64 // the most for reveal and letters together
	line   float64 // drawing the line under the words
	sub    float64 // bringing in the subtitle
	exit   float64
	wave   float64 // one run of the accent through the letters
	beat   float64 // from one such run to the next
}

var paces = map[string]pace{
	playful:   {lead: 0.12, reveal: 0.65, letter: 0.035, most: 1.7, line: 0.55, sub: 0.5, exit: 0.75, wave: 0.9, beat: 2.6},
	smooth:    {lead: 0.2, reveal: 0.9, letter: 0.02, most: 1.8, line: 0.8, sub: 0.9, exit: 0.8, wave: 1.3, beat: 4.0},
	cinematic: {lead: 0.5, reveal: 1.4, letter: 0.02, most: 2.2, line: 1.0, sub: 1.0, exit: 1.1, wave: 1.8, beat: 4.4},
}

// script is when words come, move and leave, in seconds from the start.
type script struct {
	lead, revealed float64 // the letters come between these two
	line, drawn    float64
	sub, shown     float64 // zero without a subtitle
	waves          []float64
	wave           float64 // seconds of one wave
	exit, gone     float64
	end            float64
}

// planScript lays words into a duration.
func planScript(manner, text, subtitle string, duration, speed float64) script {
	p := paces[manner]
	reveal := min(p.reveal+p.letter*float64(utf8.RuneCountInString(text)), p.most) / speed
	lead, line, sub, exit := p.lead/math.Sqrt(speed), p.line/speed, p.sub/speed, p.exit/math.Sqrt(speed)
	if subtitle == "" {
		sub = 0
	}
	in := lead + max(reveal, 0.55*reveal+line, 0.7*reveal+sub)
	if k := 0.72 * duration / (in + exit); k < 1 {
		lead, reveal, line, sub, exit = lead*k, reveal*k, line*k, sub*k, exit*k
	}
	s := script{lead: lead, revealed: lead + reveal, end: duration, wave: p.wave}
	s.line = lead + 0.55*reveal
	s.drawn = s.line + line
	if sub > 0 {
		s.sub = lead + 0.7*reveal
		s.shown = s.sub + sub
	}
	s.gone = duration - min(0.08, 0.04*duration)
	s.exit = s.gone - exit
	// The runs of the accent are spread evenly over the rest of the time.
	from := s.ready() + 0.25
	room := s.exit - 0.15 - from
	if n := math.Floor((room + p.beat - p.wave) / p.beat); n >= 1 {
		gap := (room - n*p.wave) / (n + 1)
		for i := range int(n) {
			s.waves = append(s.waves, from+gap+float64(i)*(p.wave+gap))
		}
	}
	return s
}

// ready is when everything is in place.
func (s script) ready() float64 { return max(s.revealed, s.drawn, s.shown) }

// titleMotion is the keyframes of a title. The objects hold progress from 0 to
// 1; the components stagger it over the letters with the easing of the style.
func titleMotion(style, manner string, s script, fps koda.FPS) motion {
	return motion{length: s.end, fps: fps, tracks: []track{
		span("Headline", "reveal", s.lead, s.revealed, linear), span("Headline", "exit", s.exit, s.gone, linear),
		titleWave(s), titleTracking(style, s),
		subtitleTrack("reveal", s.sub, s.shown, linear, s), subtitleTrack("exit", s.exit, s.exit+0.7*(s.gone-s.exit), easeInOutCubic, s),
		span("Accent", "draw", s.line, s.drawn, lineEase(manner)), span("Accent", "exit", s.exit, s.exit+0.8*(s.gone-s.exit), easeInOutCubic),
		titleLight(style, s), titleZoom(style, s), titleBars(style, s),
	}}
}

func lineEase(manner string) ease {
	switch manner {
	case playful:
		return easeInOutCubic
	case smooth:
		return easeOutQuint
	}
	return easeInOutQuart
}

// span is a track that runs from 0 to 1 once.
func span(object, prop string, from, to float64, e ease) track {
	t := track{object: object, prop: prop}
	t.add(0, 0, linear)
	t.add(from, 0, e)
	t.add(to, 1, linear)
	return t
}

func subtitleTrack(prop string, from, to float64, e ease, s script) track {
	if s.shown == 0 {
		t := track{object: "Subtitle", prop: prop}
		t.add(0, 0, linear)
		return t
	}
	return span("Subtitle", prop, from, to, e)
}

func titleWave(s script) track {
	t := track{object: "Headline", prop: "wave"}
	t.add(0, 0, hold)
	for _, at := range s.waves {
		t.add(at, 0, easeInOutSine)
		t.add(at+s.wave, 1, hold)
	}
	return t
}

func titleTracking(style string, s script) track {
	t := track{object: "Headline", prop: "tracking"}
	if style != cinematic {
		t.add(0, 0, linear)
		return t
	}
	t.add(0, -0.05, easeOutSine)
	t.add(s.end, 0.04, linear)
	return t
}

func titleLight(style string, s script) track {
	t := track{object: "Stage", prop: "light"}
	if style != cinematic {
		t.add(0, 1, linear)
		return t
	}
	t.add(0, 0, easeInOutCubic)
	t.add(max(s.lead, 0.2), 1, linear)
	t.add(s.exit+0.3*(s.gone-s.exit), 1, easeInOutCubic)
	t.add(s.gone, 0, linear)
	return t
}

func titleZoom(style string, s script) track {
	t := track{object: "Stage", prop: "zoom"}
	t.add(0, 1, linear)
	if style == cinematic {
		t.add(s.end, 1.07, linear)
	}
	return t
}

func titleBars(style string, s script) track {
	t := track{object: "Stage", prop: "bars"}
	if style != cinematic {
		t.add(0, 0, linear)
		return t
	}
	t.add(0, 0, easeInOutQuart)
	t.add(min(1.2, 0.3*s.end), 1, linear)
	return t
}
