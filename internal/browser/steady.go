package browser

import (
	"bytes"
	"context"

	"github.com/koda-video/koda/internal/koda"
)

// Most pages draw a time when they are told it. Some draw when the browser asks
// for an animation frame, by a loop that was registered before the one that
// brings its data: after one round of callbacks they show the time before. So a
// page that asks for animation frames is given further rounds at the same time
// until its picture is steady: drawn twice with a round between, it is the same.
//
// To compare each frame would cost a drawing more for each. How many rounds a page
// needs hardly ever changes, so a tab that captures frames in a row learns it: it
// compares each frame until some that showed something new were steady, and from
// then on each eighth, and each that shows nothing new, where a step could be
// late. A frame that needs more rounds than those before it ends the capture, and
// the next begins with as many. All of this follows from the pictures, so equal
// pages have equal frames.

const (
	// mostRounds is how often animation frame callbacks run at one time.
	mostRounds = 8
	// proofs is how many frames that show something new must be steady before
	// frames are captured without a comparison.
	proofs = 3
	// sample is that each frame of so many is compared from then on.
	sample = 8
)

// pace is what a tab knows of the rounds its page needs.
type pace struct {
	rounds  int  // that each frame gets
	asks    bool // callbacks wait for a further round of the frame shown
	proven  int  // frames that showed something new and were steady
	since   int  // frames captured since the last comparison
	trusted bool // a frame was captured without a comparison
	never   bool // the page is never steady
}

// newPace is that of a tab for these options.
func newPace(o *Options) pace {
	return pace{rounds: max(o.Viewport.Rounds, 1), never: o.Viewport.Rounds == koda.RoundsNever}
}

// compares reports whether a frame whose callbacks ask for a further round is to
// be compared with what it then shows.
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

// steady runs further rounds of animation frame callbacks until the picture of a
// frame is steady, and returns that. Shown is what the rounds so far drew, before
// the picture of the frame before. The first frame of a tab, and one that is
// captured for itself, must stay the same for two rounds: what goes through
// several hands may show nothing new in the first.
func (t *Tab) steady(ctx context.Context, frame int, before []byte, shown drawing) (drawing, error) {
	wanted := 1
	if before == nil || t.opts.Viewport.Rounds == 0 {
		wanted = 2
	}
	needed := t.pace.rounds
	for rounds := needed; rounds < mostRounds && rounds < needed+wanted && t.pace.asks; {
		t.still = true // it mostly is, which is found out without a picture
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

// again is a further round at the time of the frame shown, and its picture.
func (t *Tab) again(ctx context.Context, frame int) (drawing, error) {
	if err := t.settle(ctx, "__koda.again()"); err != nil {
		return drawing{}, err
	}
	return t.shoot(ctx, frame)
}

// learn takes note of a frame that was steady after so many rounds.
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

// mishaps says of a page that is never steady that it is not.
func (p *pace) mishaps() []koda.Mishap {
	if !p.never {
		return nil
	}
	return []koda.Mishap{{
		What: "the page draws something else each time requestAnimationFrame runs at the same time, so its frames are not exact: " +
			`it counts frames; say "play": true in koda.json`, Times: 1,
	}}
}
