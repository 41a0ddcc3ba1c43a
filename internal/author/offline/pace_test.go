package offline_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// A change after which the video would be the same, frame by frame, is refused and
// says why: it would become a version that nobody can tell from the one before.
func TestChange_samePicture(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ prompt, said, why string }{
		{"bouncing ball, 3 bounces, 4 seconds", "slower, 4 seconds", "changes nothing: 3 bounces take all of the 4 s"},
		{"bouncing ball, 5 bounces, 2.5 seconds", "much faster", "changes nothing: 5 bounces take all of the 2.5 s"},
		{"bouncing ball, 4 seconds", "3 bounces", "it is like that already"},
		{`title "Hello", 600 seconds, speed 0.4`, "slower", "changes nothing"},
	} {
		b := brief(tt.prompt)
		pl := plan(t, b, koda.Answer{OptionID: "playful"})
		p := build(t, b, koda.Answer{OptionID: "playful"})
		before := p.snapshot()
		err := p.change(b, pl, tt.said)
		if koda.CodeOf(err) != koda.CodeInvalidInput || koda.HintOf(err) == "" || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%q, %q: %v", tt.prompt, tt.said, err)
		}
		if diff := p.changed(before); len(diff) > 0 {
			t.Errorf("%q, %q changed %q", tt.prompt, tt.said, diff)
		}
		_, err = author().Plan(t.Context(), b, koda.Answer{OptionID: "playful"}, &koda.Revision{Plan: &pl, Feedback: tt.said, Answer: koda.Answer{OptionID: "playful"}}, tool.Desk{})
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("the plan of %q, %q: %v", tt.prompt, tt.said, err)
		}
	}
}

// A ball told to be slower, again and again, is slower every time, until the
// video is as long as it may be.
func TestChange_slowerEachTime(t *testing.T) {
	t.Parallel()
	b := brief("bouncing ball, 3 bounces, 4 seconds")
	pl := plan(t, b, koda.Answer{OptionID: "smooth"})
	p := build(t, b, koda.Answer{OptionID: "smooth"})
	fallen := func() float64 { return p.track(t, "Ball", "height")[3].Position }
	for range 4 {
		before := fallen()
		if err := p.change(b, pl, "slower"); err != nil {
			t.Fatal(err)
		}
		if now := fallen(); now < 1.2*before {
			t.Errorf("told to be slower, the ball bounces at %g s, before at %g s", now, before)
		}
	}
}
