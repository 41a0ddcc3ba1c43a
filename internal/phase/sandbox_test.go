package phase_test

import (
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// A sandbox is put away at any time, and nothing else changes with it.
func TestSandbox(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	step := func(s phase.State, ev phase.Event) phase.State {
		t.Helper()
		next, effects, err := phase.Step(s, ev)
		if err != nil || len(effects) != 0 && len(s.Messages) > 0 {
			t.Fatalf("%s: %v, %v", phase.Name(ev), effects, err)
		}
		return next
	}
	begun := step(phase.State{}, phase.Began{Stamp: phase.Stamp{At: at}, ProjectID: "p", Brief: koda.Brief{Prompt: "ball"}})

	housed := begun
	housed.Node.SandboxID, housed.Node.SandboxStatus = "s1", koda.SandboxReady
	away := step(housed, phase.Suspended{Stamp: phase.Stamp{At: at.Add(time.Hour)}})
	if away.Node.SandboxID != "" || away.Node.SandboxStatus != koda.SandboxDestroyed || !away.Node.LastCheckpoint.Equal(at.Add(time.Hour)) || away.Pending == nil {
		t.Errorf("suspended: %+v", away.Node)
	}
	if len(away.Messages) != 1 {
		t.Errorf("nothing was lost, yet: %+v", away.Messages)
	}
	if _, _, err := phase.Step(phase.State{}, phase.Suspended{}); koda.CodeOf(err) != koda.CodeWrongPhase {
		t.Errorf("before the beginning: %v", err)
	}
}
