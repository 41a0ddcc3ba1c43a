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

// When a project is complete, or its change was refused, its sandbox is given back or
// kept until it is put away. If the journal does not say which, it is given back.
func TestSandboxKept(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{false, true} {
		s := phase.State{Pending: &koda.Effect{ID: "e1", Kind: phase.EffectFinal}}
		s.Node = koda.NodeState{ProjectID: "p", Phase: koda.PhasePreview, SandboxID: "s1", SandboxStatus: koda.SandboxReady, Execution: &koda.Execution{}}
		next, effects, err := phase.Step(s, phase.Finished{Keep: keep})
		if err != nil || next.Node.Phase != koda.PhaseComplete || (len(effects) == 0) != keep || next.Node.SandboxID != "s1" {
			t.Errorf("keep %v: %v, %v, %+v", keep, effects, err, next.Node)
		}
		s.Pending.Kind, s.Node.Phase = phase.EffectWork, koda.PhaseExecuting
		s.Before = &phase.Standing{Phase: koda.PhaseComplete}
		next, effects, err = phase.Step(s, phase.Refused{Keep: keep})
		if err != nil || next.Node.Phase != koda.PhaseComplete || (len(effects) == 0) != keep || next.Node.SandboxID != "s1" {
			t.Errorf("refused, keep %v: %v, %v, %+v", keep, effects, err, next.Node)
		}
	}
}
