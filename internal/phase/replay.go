package phase

import (
	"encoding/json"
	"fmt"
)

// Replay returns the state a journal leads to. The journal holds the encoded events
// of all steps; the first event is Began or Forked. An event that is not possible
// at its place is an error that names the event.
func Replay(journal []json.RawMessage) (State, error) {
	var s State
	for i, data := range journal {
		ev, err := Decode(data)
		if err != nil {
			return s, fmt.Errorf("step %d: %w", i+1, err)
		}
		if s, _, err = Step(s, ev); err != nil {
			return s, fmt.Errorf("step %d, %s: %w", i+1, Name(ev), err)
		}
	}
	return s, nil
}

// Begins reports whether a journal begins where its project began. If the project
// was adopted from its directory, the journal does not.
func Begins(journal []json.RawMessage) bool {
	if len(journal) == 0 {
		return false
	}
	ev, err := Decode(journal[0])
	if err != nil {
		return false
	}
	return kinds[Name(ev)].class == beginning
}
