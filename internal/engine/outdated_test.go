package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
)

// renewing are sandboxes of which some were made with other settings.
type renewing struct {
	listing
	old map[string]bool
}

func (p renewing) Outdated(_ context.Context, id string) (bool, error) { return p.old[id], nil }

// TestOutdated: a sandbox that was made with other settings is replaced by the next work
// and by the next visit, with all that the person did in it, and the person hears of it
// once. While a person is in it, it stays.
func TestOutdated(t *testing.T) {
	t.Parallel()
	b, made := newVisitBench(t)
	old := map[string]bool{}
	before := b.tweak
	b.tweak = func(cfg *engine.Config) {
		before(cfg)
		for kind, p := range cfg.Sandboxes {
			cfg.Sandboxes[kind] = renewing{p.(listing), old}
		}
	}
	b.open()
	p := made
	edit := func(text string) (notes []string) {
		b.forget()
		b.must(b.engine.Edit(t.Context(), p.ID, koda.Seen{}, text))
		for _, ev := range b.events() {
			if s, ok := ev.Payload.(koda.SandboxChanged); ok && s.Note != "" {
				notes = append(notes, s.Note)
			}
		}
		return notes
	}
	if notes := edit("make it blue"); len(notes) != 0 {
		t.Errorf("told %q", notes)
	}
	first := b.sandboxes()
	if len(first) != 1 {
		t.Fatal(first)
	}
	b.quiet(p.ID, "echo mine >src/mine.ts")

	old[first[0]] = true
	err := b.other.Visit(t.Context(), p.ID, func(string) {}, func(ctx context.Context, sb sandbox.Sandbox) error {
		if sb.ID() == first[0] {
			t.Error("the visit is in the old sandbox")
		}
		mine, err := sb.ReadFile(ctx, "src/mine.ts")
		if string(mine) != "mine\n" || err != nil {
			t.Errorf("the new sandbox has %q, %v", mine, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}

	edit("make it red")
	second := b.sandboxes()
	if len(second) != 1 || second[0] == first[0] {
		t.Fatal(first, second)
	}
	old[second[0]] = true
	other := os.Getppid()
	mark := filepath.Join(b.home, "run", fmt.Sprintf("%s.%d.%s.visit", p.ID, other, proc.Started(other)))
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	edit("make it grey")
	b.quiet(p.ID, "true")
	if now := b.sandboxes(); !slices.Equal(second, now) {
		t.Errorf("%q, then %q: replaced while somebody was in it", second, now)
	}
	if err := os.Remove(mark); err != nil {
		t.Fatal(err)
	}
	if notes := edit("make it green"); len(notes) != 1 || !strings.HasPrefix(notes[0], "The settings of sandboxes were changed") {
		t.Errorf("told %q", notes)
	}
	if third := b.sandboxes(); len(third) != 1 || slices.Equal(second, third) {
		t.Errorf("%q, then %q", second, third)
	}
	if got := b.read(p.Dir, "src/mine.ts"); got != "mine\n" {
		t.Errorf("saved: %q", got)
	}
}
