package recipe

import (
	"math"

	"github.com/koda-video/koda/internal/koda"
)

// ballMotion is the keyframes of a bouncing ball. Units are the units that the
// recipe's components expect: height in shares of the full bounce, speed in shares
// of the speed after a fall from that height, squash 1 for the impact of such a
// fall, turns in steps of the shape's symmetry. Flights are exact parabolas and
// speeds their exact derivative, so stretch, squash and shadow follow from the same
// physics.
//
// manner is the style that says how the ball moves. The style itself says how the
// picture comes and goes where that is a matter of light.
func ballMotion(style, manner string, c course, fps koda.FPS) motion {
	come := entrance(style, manner)
	return motion{length: c.end, fps: fps, tracks: []track{
		ballHeight(manner, c), ballSpeed(c), ballSquash(manner, c), ballScale(come, c), ballOpacity(come, c), ballTurn(c),
		dustAge(c), dustPower(c), dustNumber(c),
		stageLight(style, c), stageShadow(), stageZoom(style, c), stageBars(style, c),
	}}
}

// entrance is the style in which the ball comes and goes. On the stage the lamp
// shows and hides the ball; elsewhere the ball must come and go by itself.
func entrance(style, manner string) string {
	switch {
	case style == cinematic:
		return cinematic
	case manner == cinematic:
		return smooth
	}
	return manner
}

func ballHeight(style string, c course) track {
	t := track{object: "Ball", prop: "height"}
	start := map[string]float64{playful: 1, smooth: 0.94, cinematic: 1}[style]
	t.add(0, start, easeOutQuint)
	if style == playful && c.release-c.appear > 0.08 { // the ball gathers itself before it drops
		t.add(c.appear, 1, easeInOutSine)
		t.add((c.appear+c.release)/2, 1.035, easeInOutSine)
	}
	t.add(c.release, 1, fall)
	for _, b := range c.bounces {
		t.add(b.at, 0, linear)
		t.add(b.at+b.contact, 0, rise)
		t.add(b.at+b.contact+b.flight/2, b.height, fall)
	}
	t.add(c.landing.at, 0, linear)
	return t
}

func ballSpeed(c course) track {
	t := track{object: "Ball", prop: "speed"}
	t.add(0, 0, linear)
	t.add(c.release, 0, linear)
	for _, b := range c.bounces {
		t.add(b.at, -math.Sqrt(b.before), linear)
		t.add(b.at+b.contact/2, 0, linear)
		t.add(b.at+b.contact, math.Sqrt(b.height), linear)
	}
	t.add(c.landing.at, -math.Sqrt(c.landing.before), linear)
	t.add(c.landing.at+c.landing.contact/2, 0, linear)
	return t
}

func ballSquash(style string, c course) track {
	t := track{object: "Ball", prop: "squash"}
	t.add(0, 0, linear)
	for _, b := range c.bounces {
		t.add(b.at, 0, easeOutSine)
		t.add(b.at+b.contact/2, math.Sqrt(b.before), easeInSine)
		t.add(b.at+b.contact, 0, linear)
	}
	blow := math.Sqrt(c.landing.before)
	at := c.landing.at
	t.add(at, 0, easeOutSine)
	t.add(at+c.landing.contact/2, blow, easeInOutSine)
	// The ball rings out like a spring: each swing goes the other way, and is
	// weaker.
	swings := map[string][]float64{playful: {-0.55, 0.34, -0.18, 0.08}, smooth: nil, cinematic: {-0.16}}[style]
	swing := min(0.13, 0.9*c.rested()/float64(len(swings)+2))
	at += c.landing.contact / 2
	for _, s := range swings {
		at += swing
		t.add(at, blow*s, easeInOutSine)
	}
	t.add(min(at+max(swing, 0.16), c.exit), 0, linear)
	if style == playful { // a last squeeze before the ball pops away
		t.add(c.exit, 0, easeInOutSine)
		t.add(c.exit+0.45*(c.end-c.exit), 0.32, easeInOutSine)
		t.add(c.exit+0.75*(c.end-c.exit), -0.2, linear)
	}
	return t
}

func ballScale(style string, c course) track {
	t := track{object: "Ball", prop: "scale"}
	switch style {
	case playful:
		t.add(0, 0, easeOutBack)
		t.add(c.appear, 1, linear)
		t.add(c.exit+0.2*(c.end-c.exit), 1, easeInBack)
		t.add(gone(c), 0, linear)
	case smooth:
		t.add(0, 0.86, easeOutQuint)
		t.add(c.appear, 1, linear)
		t.add(c.exit, 1, easeInOutCubic)
		t.add(gone(c), 0.94, linear)
	default:
		t.add(0, 1, linear)
	}
	return t
}

func ballOpacity(style string, c course) track {
	t := track{object: "Ball", prop: "opacity"}
	if style != smooth {
		t.add(0, 1, linear)
		return t
	}
	t.add(0, 0, easeInOutCubic)
	t.add(0.75*c.appear, 1, linear)
	t.add(c.exit, 1, easeInOutCubic)
	t.add(gone(c), 0, linear)
	return t
}

// ballTurn turns shapes with corners by one step of their symmetry in every flight
// that is high enough, so that they land flat.
func ballTurn(c course) track {
	t := track{object: "Ball", prop: "turn"}
	t.add(0, 0, linear)
	steps := 0.0
	for _, b := range c.bounces {
		if b.height < 0.2 {
			continue
		}
		t.add(b.at+b.contact, steps, easeInOutSine)
		steps++
		t.add(b.at+b.contact+b.flight, steps, linear)
	}
	return t
}

// dustAge runs from 0 to 1 after every touch of the floor.
func dustAge(c course) track {
	t := track{object: "Dust", prop: "age"}
	t.add(0, 1, hold)
	touches := append(append([]bounce{}, c.bounces...), c.landing)
	for i, b := range touches {
		life, last := 0.62, c.end
		if i+1 < len(touches) {
			last = touches[i+1].at
		}
		from := b.at + b.contact/4
		to := min(from+life, last-0.001)
		t.add(from, 0, linear)
		t.add(to, (to-from)/life, hold)
	}
	return t
}

// dustPower is how hard the touch was that raised the dust.
func dustPower(c course) track {
	t := track{object: "Dust", prop: "power"}
	t.add(0, 0, hold)
	for _, b := range append(append([]bounce{}, c.bounces...), c.landing) {
		t.add(b.at+b.contact/4, math.Sqrt(b.before), hold)
	}
	return t
}

// dustNumber counts the touches, so that no two clouds look alike.
func dustNumber(c course) track {
	t := track{object: "Dust", prop: "number"}
	t.add(0, 0, hold)
	for i, b := range append(append([]bounce{}, c.bounces...), c.landing) {
		t.add(b.at+b.contact/4, float64(i+1), hold)
	}
	return t
}

func stageLight(style string, c course) track {
	t := track{object: "Stage", prop: "light"}
	if style != cinematic {
		t.add(0, 1, linear)
		return t
	}
	t.add(0, 0, easeInOutQuart)
	t.add(c.appear, 1, linear)
	t.add(c.exit, 1, easeInOutQuart)
	t.add(gone(c), 0, linear)
	return t
}

func stageZoom(style string, c course) track {
	t := track{object: "Stage", prop: "zoom"}
	t.add(0, 1, easeInOutCubic)
	if style == cinematic {
		t.add(c.end, 1.16, linear)
	}
	return t
}

func stageBars(style string, c course) track {
	t := track{object: "Stage", prop: "bars"}
	if style != cinematic {
		t.add(0, 0, linear)
		return t
	}
	t.add(0, 0, easeInOutQuart)
	t.add(max(c.appear, c.end*0.1), 1, linear)
	return t
}

// stageShadow lets the ball cast its shadows.
func stageShadow() track {
	t := track{object: "Stage", prop: "shadow"}
	t.add(0, 1, linear)
	return t
}

// gone is when the ball has left: a moment before the end, so that the last frame
// is empty at any frame rate.
func gone(c course) float64 { return c.end - min(0.06, 0.15*(c.end-c.exit)) }
