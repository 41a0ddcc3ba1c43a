package engine_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// TestLog: the log of a project tells a person what was done by which process.
func TestLog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := b.untilPreview()
	ctx, cancel := context.WithCancel(t.Context())
	b.author.before = func(int, koda.Task) error {
		cancel()
		return ctx.Err()
	}
	if _, err := b.engine.Edit(ctx, out.Project.ID, koda.Seen{}, "make it\nblue"); koda.CodeOf(err) != koda.CodeInterrupted {
		t.Fatal(err)
	}
	log := b.read(out.Project.Dir, ".koda", "log")
	for _, want := range []string{
		`began bouncing ball; begins clarify`,
		`asked; idle → question`,
		`opened in phase question`,
		`answered smooth; question → plan; begins plan`,
		`sandboxready local-\w+; begins work on todo 1, Set up Theatre.js project`,
		`wrote src/todo1-0.ts \(\d+ bytes\)`,
		`worked; begins version`,
		`versioned v1; begins preview`,
		`previewed done .*/previews/bouncing-ball-v1.mp4; executing → preview`,
		`edited make it blue; preview → executing; begins sandbox`,
		`checkpointed`,
		`interrupted: context canceled; the work so far is saved`,
	} {
		if !regexp.MustCompile(`(?m)^\S+ \S+ \[\d+ test\] ` + want + `$`).MatchString(log) {
			t.Errorf("no line %q in the log:\n%s", want, log)
		}
	}
}
