package phase

import (
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// Agent is how much is known of the log of a run of an outside agent.
type Agent struct {
	Run    string `json:"run"`
	Taken  int    `json:"taken"`            // steps
	Number int    `json:"number,omitempty"` // of the turn that goes on; 0: none does
	Blocks int    `json:"blocks,omitempty"` // of this turn
	Over   bool   `json:"over,omitempty"`
}

// keptAgents is how many logs are remembered. A log that is over is remembered because its
// last part may come again after a crash.
const keptAgents = 16

// Agent is what is known of a run of an outside agent.
func (s State) Agent(run string) Agent {
	if i := s.agentAt(run); i >= 0 {
		return s.Agents[i]
	}
	return Agent{Run: run}
}

func (s State) agentAt(run string) int {
	return slices.IndexFunc(s.Agents, func(a Agent) bool { return a.Run == run })
}

// log takes down steps of an outside agent. Nothing else of the project changes.
func (s *State) log(ev Logged) error {
	a := s.Agent(ev.Run)
	switch {
	case a.Over:
		return &koda.Error{Code: koda.CodeWrongPhase, Op: "the log of this agent is over"}
	case ev.Begins && (a.Number != 0 || ev.Number != s.Turn+1), !ev.Begins && ev.Number != a.Number:
		return fmt.Errorf("turn %d of an agent, and turn %d goes on", ev.Number, a.Number)
	}
	if ev.Begins {
		s.Turn, s.Aside, s.Inquiries = s.Turn+1, s.Aside+1, s.Inquiries+1
		a.Number, a.Blocks = s.Turn, 0
	}
	a.Taken, a.Blocks, a.Over = a.Taken+ev.Steps, a.Blocks+ev.Blocks, ev.Over
	if ev.Status != "" {
		a.Number, a.Blocks = 0, 0
	}
	if i := s.agentAt(ev.Run); i >= 0 {
		s.Agents[i] = a
	} else {
		s.Agents = append(s.Agents, a)
	}
	s.Agents = s.Agents[max(0, len(s.Agents)-keptAgents):]
	return nil
}
