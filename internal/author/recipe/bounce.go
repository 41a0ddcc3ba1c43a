package recipe

import (
	"math"
)

// tempo is how a style moves a ball. Times are in seconds; period is the time of a
// full bounce, floor to floor, at its natural speed.
type tempo struct {
	enter, hang, rest, exit float64
	period, contact         float64
	heights                 func(n int) []float64
}

var tempos = map[string]tempo{
	playful:   {enter: 0.45, hang: 0.15, rest: 0.55, exit: 0.40, period: 0.66, contact: 0.10, heights: lively},
	smooth:    {enter: 0.80, hang: 0.10, rest: 0.50, exit: 0.80, period: 1.00, contact: 0.13, heights: gentle},
	cinematic: {enter: 0.90, hang: 0.35, rest: 0.45, exit: 0.90, period: 1.04, contact: 0.09, heights: heavy},
}

// shortest is the period below which bounces are a blur, in seconds.
const shortest = 0.2

// longestStretch is how much slower than natural a bounce may be to fill the time;
// in the time left over the ball rests.
const longestStretch = 1.5

// lively is full bounces, then three that die away. Every second run of three full
// bounces is a little lower, so that a long video does not tick like a clock.
func lively(n int) []float64 {
	return tail(n, []float64{0.52, 0.27, 0.14}, func(i, body int) float64 {
		if body > 6 && i%6 >= 3 {
			return 0.62
		}
		return 1
	})
}

// gentle is equal bounces, then two that fade.
func gentle(n int) []float64 {
	return tail(n, []float64{0.55, 0.24}, func(int, int) float64 { return 1 })
}

// heavy loses a fixed share with every bounce, as a real ball does. In a long video
// the ball first gathers height, for tension.
func heavy(n int) []float64 {
	const kept = 0.64
	if n <= 6 {
		out := make([]float64, n)
		for i := range out {
			out[i] = 0.8 * math.Pow(kept, float64(i))
		}
		return out
	}
	return tail(n, []float64{0.64, 0.41, 0.26}, func(i, body int) float64 { return 0.45 + 0.55*float64(i+1)/float64(body) })
}

// tail is n heights: first the body, then the end of last. The body has at least
// half of the bounces.
func tail(n int, last []float64, body func(i, body int) float64) []float64 {
	k := min(len(last), n/2)
	out := make([]float64, 0, n)
	for i := range n - k {
		out = append(out, body(i, n-k))
	}
	return append(out, last[:k]...)
}

// bounce is one touch of the floor and the flight after it. Heights are shares of
// the full height; flight is the whole flight, up and down.
type bounce struct {
	at, contact    float64 // seconds
	before, height float64
	flight         float64 // seconds; 0 when the ball stays down
}

// course is everything a ball does, in seconds from the start.
type course struct {
	appear  float64 // from 0 until the ball is there
	release float64 // the ball begins to fall from height 1
	period  float64 // of a full bounce
	bounces []bounce
	landing bounce  // the last touch; after it the ball rests
	exit    float64 // the ball begins to leave
	end     float64
}

// planCourse lays n bounces into a duration; with n = 0 it takes as many as fit at
// the natural period. All flights obey one gravity: a flight to height h takes
// period × √h. most is the greatest n that fits.
func planCourse(t tempo, duration, speed float64, n int) (c course, most int) {
	fixed := t.enter + t.hang + t.rest + t.exit
	scale := min(1, 0.45*duration/fixed)
	enter, hang, exit := t.enter*scale, t.hang*scale, t.exit*scale
	window := duration - fixed*scale

	// flights is the time in the air in units of the period, with the drop.
	flights := func(n int) float64 {
		sum := 0.5
		for _, h := range t.heights(n) {
			sum += math.Sqrt(h)
		}
		return sum
	}
	contact := func(period float64) float64 { return min(t.contact, 0.3*period) }
	needs := func(n int, period float64) float64 { return period*flights(n) + float64(n)*contact(period) }
	fit := func(period float64) int {
		k := 0
		for needs(k+1, period) <= window {
			k++
		}
		return k
	}
	most = fit(shortest)
	natural := max(shortest, t.period/speed)
	// filling is the period that makes n bounces fill the window: needs solved
	// for it, on either side of the contact's knee.
	filling := func(n int) float64 {
		period := (window - float64(n)*t.contact) / flights(n)
		if 0.3*period < t.contact {
			period = window / (flights(n) + 0.3*float64(n))
		}
		return period
	}
	if n == 0 {
		n = max(1, fit(natural))
		if filling(n+1) > 0.88*natural { // a little quicker is closer to natural than much slower
			n++
		}
	}
	period := min(filling(n), natural*longestStretch)
	left := window - needs(n, period)
	hang += 0.25 * left // in the rest of the time left over the ball lies still

	c = course{appear: enter, release: enter + hang, period: period, end: duration, exit: duration - exit}
	at, before := c.release+period/2, 1.0
	for _, h := range t.heights(n) {
		b := bounce{at: at, contact: contact(period), before: before, height: h, flight: period * math.Sqrt(h)}
		c.bounces = append(c.bounces, b)
		at += b.contact + b.flight
		before = h
	}
	c.landing = bounce{at: at, contact: contact(period), before: before}
	return c, most
}

// rested is how long the ball lies still before it leaves, in seconds.
func (c course) rested() float64 { return c.exit - c.landing.at }

// touching counts the bounces that begin in [from, to).
func (c course) touching(from, to float64) (n int, highest float64) {
	for _, b := range c.bounces {
		if b.at >= from && b.at < to {
			n++
			highest = max(highest, b.height)
		}
	}
	return n, highest
}
