package cli_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// A person who comes back after their project was put away goes on as if they had
// not been away. If the project could not be saved, they are told.
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

// koda tidies up beside a command that works, and only there. The command does not
// depend on the outcome.
func TestTidy(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects = []koda.Project{ball}
	var tidied atomic.Int32
	begun := make(chan struct{})
	f.deps.Tidy = func(ctx context.Context) {
		tidied.Add(1)
		close(begun)
		<-ctx.Done() // the command does not wait for the sweep
		panic("a mistake")
	}
	f.engine.replies = []reply{{out: complete(), during: func() { <-begun }}}
	if got := f.run("accept", "ball"); got != 0 || tidied.Load() != 1 || f.engine.closed != 1 {
		t.Errorf("exit status %d, tidied %d times: %s", got, tidied.Load(), f.err.String())
	}
	for _, args := range []string{"list", "show ball", "version", "help json", "presets", "nonsense"} {
		f.run(strings.Fields(args)...)
	}
	if tidied.Load() != 1 {
		t.Error("tidied beside a command that does no work")
	}
}
