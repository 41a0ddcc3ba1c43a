package engine

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// machineRest is a machine without the parts that a state file stores beside it.
type machineRest struct {
	phase.State
	Node     *struct{} `json:"node,omitempty"`
	Messages *struct{} `json:"messages,omitempty"`
}

// putMachine puts the state of the machine into a state file, each part once.
func putMachine(s *koda.StateFile, m phase.State) (err error) {
	if s.Machine, err = json.Marshal(machineRest{State: m}); err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	s.NodeState, s.Plan, s.Messages, s.Before = m.Node, m.Node.Plan, m.Messages, 0
	if x := m.Node.Execution; x != nil {
		before := len(m.Messages) - len(x.Messages)
		if before < 0 || !slices.Equal(m.Messages[before:], x.Messages) {
			// The state is of an older koda, or was edited by hand.
			s.Machine, err = json.Marshal(m)
			return err
		}
		work := *x
		work.Messages = nil
		s.NodeState.Execution, s.Before = &work, before
	}
	return nil
}

// machineIn decodes the state of the machine in the state file of dir. A state that
// does not belong to the project must not get into the database: STORAGE_FAILED.
func machineIn(s koda.StateFile, dir string) (phase.State, error) {
	var m phase.State
	err := json.Unmarshal(s.Machine, &m)
	if err == nil && m.Node.ProjectID == "" && m.Turn > 0 {
		m.Node, m.Messages = s.NodeState, s.Messages
		if s.Before < 0 || s.Before > len(s.Messages) {
			err = fmt.Errorf("there are no %d messages", s.Before)
		} else if x := m.Node.Execution; x != nil {
			work := *x
			work.Messages = s.Messages[s.Before:]
			m.Node.Execution = &work
		}
	}
	if err == nil && m.Node.ProjectID != s.Project.ID {
		err = fmt.Errorf("its machine is not that of project %q", s.Project.ID)
	}
	if err != nil {
		path := filepath.Join(dir, ".koda", "state.json")
		return m, &koda.Error{
			Code: koda.CodeStorageFailed, Op: "read project", Err: fmt.Errorf("%s is damaged: %w", path, err),
			Hint: "restore it from a backup; or move " + path + " away to go on from the journal, or from the checkpoint before",
		}
	}
	return m, nil
}

// forked gives a copied project an identity of its own. The copy starts with the
// last checkpoint: the sandbox stays with the original.
func forked(s koda.StateFile, dir, id string) (koda.StateFile, error) {
	m, err := machineIn(s, dir)
	if err != nil {
		return s, err
	}
	m.Node.NodeID, m.Node.ProjectID, m.Node.SandboxID = id, id, ""
	s.Project.ID, s.Project.Dir, s.Project.Name = id, dir, filepath.Base(dir)
	s.LastCheckpoint.SandboxID = nil
	return s, putMachine(&s, m)
}
