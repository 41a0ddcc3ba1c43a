package phase

import (
	"encoding/json"
	"fmt"
)

// Replay gives the state a journal leads to: the encoded events of all steps,
// the first of them Began or Forked. An event that is not possible where it stands is an
// error that names it.
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

// Begins reports whether a journal begins where its project began. That of a
// project taken in from its directory does not.
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
