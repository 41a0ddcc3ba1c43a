package phase

import "strings"

// Inquiring reports whether a question about the project waits for its answer.
func (s State) Inquiring() bool { return s.Pending != nil && s.Pending.Kind == EffectInquire }

// Without is the state without the question that is pending: what holds for everybody else.
func (s State) Without() State {
	if s.Inquiring() {
		s.Pending, s.Held, s.Inquiry = s.Held, nil, nil
	}
	return s
}

// inquire begins a question. Nothing else changes.
func (s *State) inquire(ev Inquired) (string, error) {
	if s.Node.ProjectID == "" {
		return "", wrong(s, "ask")
	}
	if strings.TrimSpace(ev.Text) == "" {
		return "", empty()
	}
	q := ev.Inquiry
	s.Inquiry, s.Held = &q, s.Pending
	s.Inquiries++
	return EffectInquire, nil
}
