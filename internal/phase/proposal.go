package phase

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// Proposal is a question or a plan that stood before the person, with all that the
// next answer or plan follows from.
type Proposal struct {
	Question *koda.Asked    `json:"question,omitempty"`
	Answer   koda.Answer    `json:"answer,omitzero"`
	Plan     *koda.Plan     `json:"plan,omitempty"` // nil: the question stood
	Revision *koda.Revision `json:"revision,omitempty"`
}

// maxPast is how many proposals an undo can go back through.
const maxPast = 50

// Deciding reports whether there is no accepted plan yet: an undo goes back to a
// question or a plan, not to a version.
func (s State) Deciding() bool {
	at := s.Node.Phase
	if at == koda.PhaseError && s.Node.Error != nil {
		at = s.Node.Error.From
	}
	return at == koda.PhaseQuestion || at == koda.PhasePlan
}

// PlanBefore is the plan that stood before the plan that is being changed; nil if
// there is none.
func (s State) PlanBefore() *koda.Plan {
	if i := lastPlan(s.Past); i >= 0 {
		if i = lastPlan(s.Past[:i]); i >= 0 {
			return s.Past[i].Plan
		}
	}
	return nil
}

// lastPlan is the index of the last plan among proposals; -1 if there is none.
func lastPlan(all []Proposal) int {
	for i, p := range slices.Backward(all) {
		if p.Plan != nil {
			return i
		}
	}
	return -1
}

// proposal is what stands before the person now.
func (s *State) proposal() Proposal {
	return Proposal{Question: s.Node.Question, Answer: s.Answer, Plan: s.Node.Plan, Revision: s.Revision}
}

// propose lets a proposal stand before the person.
func (s *State) propose(p Proposal) {
	s.Node.Phase = koda.PhaseQuestion
	if p.Plan != nil {
		s.Node.Phase = koda.PhasePlan
	}
	s.Node.Question, s.Answer, s.Node.Plan, s.Revision = p.Question, p.Answer, p.Plan, p.Revision
	s.Node.Error, s.Failed, s.Pending = nil, nil, nil
}

// remember keeps what stands now for an undo.
func (s *State) remember() {
	s.Past = append(slices.Clip(s.Past), s.proposal())
	s.Past = s.Past[max(len(s.Past)-maxPast, 0):]
}

// fallBack forgets the change of a plan that was refused: the plan stands again.
func (s *State) fallBack() {
	if i := lastPlan(s.Past); i >= 0 {
		s.propose(s.Past[i])
		s.Past = s.Past[:i]
	}
}

// planned takes a new plan in. If the new plan is the plan before the plan that was
// changed, the person asked in words to go back: that is an undo.
func (s *State) planned(p koda.Plan) error {
	n := len(s.Past)
	if before := s.PlanBefore(); before != nil && s.Past[n-1].Plan != nil && s.Past[n-2].Plan != nil {
		same, err := equal(*before, p)
		if err != nil {
			return err
		}
		if same {
			changed := s.Past[n-1]
			s.propose(s.Past[n-2])
			s.Past, s.Ahead = s.Past[:n-2], append(slices.Clip(s.Ahead), changed)
			return nil
		}
	}
	s.Node.Phase, s.Node.Plan, s.Revision = koda.PhasePlan, &p, nil
	s.Ahead = nil
	return nil
}

// equal reports whether two plans say the same.
func equal(a, b koda.Plan) (bool, error) {
	one, err := json.Marshal(a)
	if err != nil {
		return false, fmt.Errorf("encode plan: %w", err)
	}
	other, err := json.Marshal(b)
	if err != nil {
		return false, fmt.Errorf("encode plan: %w", err)
	}
	return bytes.Equal(one, other), nil
}

// undo goes back to the proposal before. What is pending or failed is given up, and a
// redo does not come back to it.
func (s *State) undo(at Stamp) error {
	if !s.Deciding() || len(s.Past) == 0 && s.Node.Phase == koda.PhaseError {
		return wrong(s, "undo")
	}
	n := len(s.Past)
	if n == 0 || !s.Past[n-1].stands() {
		err := wrong(s, "undo")
		err.Op = fmt.Sprintf("there is nothing before the %s", s.Node.Phase)
		return err
	}
	if s.Pending == nil && s.Failed == nil {
		s.Ahead = append(slices.Clip(s.Ahead), s.proposal())
	}
	s.propose(s.Past[n-1])
	s.Past = s.Past[:n-1]
	s.say(koda.RoleUser, "undo", at)
	return nil
}

// redo comes back from an undo.
func (s *State) redo(at Stamp) error {
	if !s.Deciding() || s.Node.Phase == koda.PhaseError {
		return wrong(s, "redo")
	}
	n := len(s.Ahead)
	if n == 0 || !s.Ahead[n-1].stands() {
		err := wrong(s, "redo")
		err.Op = "there is nothing to redo"
		return err
	}
	s.remember()
	s.propose(s.Ahead[n-1])
	s.Ahead = s.Ahead[:n-1]
	s.say(koda.RoleUser, "redo", at)
	return nil
}

// stands reports whether there is anything to decide on; a state file that was edited
// may hold anything.
func (p Proposal) stands() bool { return p.Plan != nil || p.Question != nil }
