package phase

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// became makes a version that was just made the current one. A branch begins there,
// so there is nothing to redo.
func (s *State) became(version int) {
	s.Newest = max(s.Latest(), version)
	s.Version, s.Undone = version, nil
}

// CanRedo reports whether there is something that a redo comes back to.
func (s State) CanRedo() bool {
	if s.Deciding() {
		n := len(s.Ahead)
		return s.Node.Phase != koda.PhaseError && n > 0 && s.Ahead[n-1].stands()
	}
	return len(s.Undone) > 0
}

// CanGiveUp reports whether an undo or a move to another version may give up the
// pending effect: a change, which then counts as not asked for, or a video of an
// existing version. While the plan becomes the first video there is nothing to go
// back to.
func (s State) CanGiveUp() bool {
	if s.Pending == nil || s.Pending.Kind == EffectPlace || s.Inquiring() {
		return false
	}
	switch s.Node.Phase {
	case koda.PhaseExecuting:
		return s.Before != nil
	case koda.PhasePreview, koda.PhaseComplete:
		return true
	case koda.PhaseQuestion, koda.PhasePlan:
		return len(s.Past) > 0
	case koda.PhaseIdle, koda.PhaseError:
	}
	return false
}

// Changing reports whether a change is pending that has made no version yet.
func (s State) Changing() bool {
	return s.Pending != nil && slices.Contains(changing, s.Pending.Kind)
}

// FailedChange reports whether a change failed before it made a version. It is tried again,
// unless it is given up.
func (s State) FailedChange() bool {
	return s.Failed != nil && s.Before != nil && slices.Contains(changing, s.Failed.Kind)
}

var changing = []string{EffectSandbox, EffectWork, EffectVersion}

// dropChange forgets the pending change: the project stands where the change was
// asked for.
func (s *State) dropChange() {
	s.Pending = nil
	if s.Node.Phase == koda.PhaseExecuting {
		s.restore()
	}
}

// checkOut makes another version the current one. The phase stays: what waited for
// the person still waits, with the files of the other version. When a change is
// given up, the phase is the one before the change. The preview becomes the preview
// of that version; if it has none any more, the preview is drawn again. A change that failed
// is given up by going back to the version it was asked for.
func (s *State) checkOut(ev CheckedOut) (string, error) {
	if ev.Version < 1 || ev.Version > s.Latest() {
		return "", &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is no v%d", ev.Version), Hint: "`koda history` lists the versions"}
	}
	switch s.Node.Phase {
	case koda.PhasePreview, koda.PhaseComplete, koda.PhaseError:
	case koda.PhaseIdle, koda.PhaseQuestion, koda.PhasePlan, koda.PhaseExecuting:
		return "", wrong(s, "change to another version")
	}
	s.Newest = s.Latest()
	if s.FailedChange() && ev.Version == s.Version {
		s.Node.Error, s.Failed = nil, nil
		s.restore()
	}
	s.Version, s.Undone = ev.Version, slices.Clone(ev.Undone)
	if f := s.Failed; f != nil && f.Kind == EffectPlace {
		// An earlier move failed; this one begins anew.
		s.Node.Phase, s.Node.Error, s.Failed = s.Node.Error.From, nil, nil
	} else if f != nil {
		// A retry of the failed effect has these files now. Answers given in a turn
		// with other files do not hold.
		again := *f
		again.TurnID = TurnID(State{Node: s.Node, Turn: s.Turn + 1})
		s.Failed = &again
	}
	if ev.Preview != nil || s.Node.Phase == koda.PhasePreview {
		s.Node.Preview = ev.Preview
	}
	if ev.Output != nil {
		s.Node.Output, s.Node.CompletedAt = ev.Output, ev.CompletedAt
	}
	return EffectPlace, nil
}

// placed drops the sandbox, as the sandbox held other files.
func (s *State) placed(ev Placed) string {
	s.Node.LastCheckpoint = ev.At
	if s.Node.SandboxID != "" {
		s.Node.SandboxID, s.Node.SandboxStatus = "", koda.SandboxDestroyed
	}
	if s.Node.Phase == koda.PhasePreview && s.Node.Preview == nil {
		return EffectPreview
	}
	return ""
}

// fork starts with what the other project had said and planned when the version was
// made. Approvals given to the other project do not hold for this project.
func (s *State) fork(ev Forked) (string, error) {
	if s.Node.ProjectID != "" {
		return "", wrong(s, "fork")
	}
	s.Brief, s.Answer = ev.Of.Brief, ev.Of.Answer
	if origin := ev.Origin; origin.ProjectID != "" { // without an origin it begins with the files that are there
		s.Origin = &origin
	}
	s.Brief.Yes, s.Brief.To = false, nil
	s.Messages = slices.Clone(ev.Of.Messages)
	if i := slices.IndexFunc(s.Messages, func(m koda.Message) bool { return m.Timestamp.After(ev.Until) }); i >= 0 {
		s.Messages = s.Messages[:i]
	}
	s.Turn, s.NextTodo, s.NextEffect = 1, 1, 1
	s.Node = koda.NodeState{
		NodeID: ev.ProjectID, ProjectID: ev.ProjectID, UserID: cmp.Or(ev.UserID, koda.LocalUser), Phase: koda.PhaseExecuting,
		Question: ev.Of.Node.Question, Plan: ev.Of.Node.Plan, CreatedAt: ev.At, UpdatedAt: ev.At, StartedAt: ev.At,
	}
	preview := s.newTodo("Render preview", nil)
	preview.Status = koda.TodoActive
	s.Node.Execution = &koda.Execution{Todos: []koda.Todo{preview}, Messages: slices.Clone(s.Messages)}
	return EffectFork, nil
}
