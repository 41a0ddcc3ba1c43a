package phase

import (
	"maps"
	"slices"
)

// Names lists the names of all events.
func Names() []string { return slices.Sorted(maps.Keys(kinds)) }
