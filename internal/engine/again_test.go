package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// listing are commanding sandboxes that a sweep finds.
type listing struct{ *commanding }

func (p listing) All(ctx context.Context) ([]sandbox.Meta, error) {
	return p.Provider.(sandbox.Lister).All(ctx)
}

// TestAgain: the person hears once that the sandbox they come back to had been stopped
// because nobody used it, and what the new sandbox begins with. Who follows hears each
// state of a sandbox.
func TestAgain(t *testing.T) {
	t.Parallel()
	b, p := newCommandBench(t)
	b.limits.Idle, b.limits.Life = 5*time.Minute, time.Hour
	before := b.tweak
	b.tweak = func(cfg *engine.Config) {
		before(cfg)
		cfg.Sandboxes[sandbox.Local] = listing{p}
	}
	b.open()
	out := b.untilPreview()
	edit := func(text string) (states, notes []string) {
		b.forget()
		b.must(b.engine.Edit(t.Context(), out.Project.ID, koda.Seen{}, text))
		for _, ev := range b.events() {
			switch p := ev.Payload.(type) {
			case koda.SandboxChanged:
				if states = append(states, string(p.Status)); p.Note != "" {
					notes = append(notes, p.Note)
				}
			case koda.MessageAdded:
				if p.Role == koda.RoleSystem {
					notes = append(notes, p.Content)
				}
			}
		}
		return states, notes
	}
	if states, notes := edit("make it blue"); len(notes) != 0 || !slices.Equal(states, []string{"busy", "ready"}) {
		t.Errorf("at once: %q, %q", states, notes)
	}

	b.clock.jump(30 * time.Minute)
	if s := b.sweeps(); len(s.Sandboxes) != 1 {
		t.Fatalf("swept %+v", s.Sandboxes)
	}
	states, notes := edit("make it red")
	if want := "The sandbox had been stopped after 30 min without use; koda started it again from the checkpoint of v2"; len(notes) != 1 || notes[0] != want {
		t.Errorf("after a sweep: %q, want %q", notes, want)
	}
	if !slices.Equal(states, []string{"busy", "ready"}) {
		t.Errorf("after a sweep: %q", states)
	}

	// Its guest ended it, as no koda was there.
	b.clock.jump(2 * time.Hour)
	sb, err := p.Connect(t.Context(), b.sandboxes()[0])
	if err == nil {
		err = sb.Destroy(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, notes := edit("make it green"); len(notes) != 1 || !strings.HasPrefix(notes[0], "The sandbox had been stopped after 120 min without use. Its files come back") {
		t.Errorf("after the end of its lease: %q", notes)
	}
	if _, notes := edit("make it black"); len(notes) != 0 {
		t.Errorf("said again: %q", notes)
	}
}
