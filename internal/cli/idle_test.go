package cli_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
)

// A person who comes back after their project was put away goes on as if they
// had not been away; that it could not be saved is told.
func TestPrompt_Away(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.types()
	in, person := io.Pipe()
	f.io.In = in
	var times atomic.Int32
	f.engine.idle = func(id string) error {
		if id != ball.ID {
			t.Errorf("%q is away from", id)
		}
		if times.Add(1) == 1 {
			go fmt.Fprintln(person, "1") // only now do they answer
			return errors.New("the disk is full")
		}
		go func() { _ = person.Close() }()
		return nil
	}
	f.engine.replies = []reply{{out: asking()}, {out: planned()}}
	if got := f.run("new", "bouncing ball"); got != 3 {
		t.Errorf("exit status %d: %s", got, f.err.String())
	}
	if got := strings.Join(f.engine.calls, "; "); got != `new bouncing ball; answer `+ball.ID+` option="playful" text=""` {
		t.Errorf("calls: %s", got)
	}
	if text := f.err.String(); times.Load() != 2 || !strings.Contains(text, "koda: save while you were away: the disk is full") {
		t.Errorf("away %d times:\n%s", times.Load(), text)
	}
}
