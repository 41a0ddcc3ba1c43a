package browser

import (
	"bytes"
	"context"

	"github.com/koda-video/koda/internal/koda"
)

// Most pages draw a time as soon as koda tells them the time. Some pages draw when the
// browser asks for an animation frame. If their drawing loop was registered before the
// loop that brings its data, one round of callbacks shows the time before. So a page that
// asks for animation frames gets further rounds at the same time, until its picture is
// steady: two drawings with a round between them are equal.
//
// A comparison costs a further drawing. But the number of rounds that a page needs hardly
// ever changes, so a tab that captures frames in a row learns the number. At first the
// tab compares each frame, until some frames that showed something new were steady. From
// then on it compares every eighth frame, and each frame that shows nothing new, where a
// step could be late. A frame that needs more rounds than the frames before ends the
// capture, and the next capture begins with that number. All of this follows from the
// pictures, so equal pages have equal frames.

const (
	// mostRounds is how often animation frame callbacks run at one time.
	mostRounds = 8
	// proofs is how many frames that show something new must be steady before frames are
	// captured without a comparison.
	proofs = 3
	// sample: from then on, one frame in so many is compared.
	sample = 8
)

// pace is what a tab knows about the rounds that its page needs.
type pace struct {
	rounds  int  // for each frame
	asks    bool // callbacks wait for a further round at the frame shown
	proven  int  // frames that showed something new and were steady
	since   int  // frames captured since the last comparison
	trusted bool // a frame was captured without a comparison
	never   bool // the page is never steady
}

// newPace is the pace of a new tab.
func newPace(o *Options) pace {
	return pace{rounds: max(o.Viewport.Rounds, 1), never: o.Viewport.Rounds == koda.RoundsNever}
}

// compares reports whether a frame is compared with its picture after a further round.
// Only frames whose callbacks ask for a further round are compared.
func (t *Tab) compares(f drawing) bool {
	p := &t.pace
	if !p.asks || p.never || t.opts.Page.Plays {
		return false
	}
	if t.opts.Viewport.Rounds == 0 || p.proven < proofs || !f.changed || p.since == sample-1 {
		p.since = 0
		return true
	}
	p.since++
	p.trusted = true
	return false
}

// steady runs further rounds of animation frame callbacks until the picture of a frame is
// steady, and returns the steady picture. Shown is the picture after the rounds so far,
// before is the picture of the frame before. The first frame of a tab, and a frame that
// is captured alone, must stay the same for two rounds: data that goes through several
// callbacks may change nothing in the first round.
func (t *Tab) steady(ctx context.Context, frame int, before []byte, shown drawing) (drawing, error) {
	wanted := 1
	if before == nil || t.opts.Viewport.Rounds == 0 {
		wanted = 2
	}
	needed := t.pace.rounds
	for rounds := needed; rounds < mostRounds && rounds < needed+wanted && t.pace.asks; {
		t.still = true // usually true; the next drawing finds out without a picture
		next, err := t.again(ctx, frame)
		if err != nil {
			return drawing{}, err
		}
		if rounds++; next.changed {
			shown, needed = next, rounds
		}
	}
	if shown.changed = !bytes.Equal(before, shown.picture); needed == mostRounds && t.pace.asks {
		t.still, t.pace.never = false, true
		if t.opts.Viewport.Rounds != 0 {
			return drawing{}, &koda.RoundsError{Rounds: koda.RoundsNever}
		}
		return shown, nil
	}
	t.still = !shown.changed
	return shown, t.learn(needed, shown.changed && before != nil)
}

// again runs a further round at the time of the frame shown, and takes its picture.
func (t *Tab) again(ctx context.Context, frame int) (drawing, error) {
	if err := t.settle(ctx, "__koda.again()"); err != nil {
		return drawing{}, err
	}
	return t.shoot(ctx, frame)
}

// learn takes note of a frame that was steady after a number of rounds.
func (t *Tab) learn(rounds int, news bool) error {
	p := &t.pace
	switch {
	case rounds == p.rounds && news:
		p.proven++
	case rounds == p.rounds:
	case p.trusted:
		return &koda.RoundsError{Rounds: rounds}
	default:
		p.rounds, p.proven = rounds, 0
	}
	return nil
}

// mishaps names a page that is never steady.
func (p *pace) mishaps() []koda.Mishap {
	if !p.never {
		return nil
	}
	return []koda.Mishap{{
		What: "the page draws something else each time requestAnimationFrame runs at the same time, so its frames are not exact: " +
			`it counts frames; say "play": true in koda.json`, Times: 1,
	}}
}
