package tool

import (
	"context"
	"encoding/json"
)

// Toolbox executes tools for an author. The engine's toolbox journals every
// call, so that a todo resumed after a crash gets the recorded answers of the
// calls it makes again.
type Toolbox interface {
	// Tools lists the tools on offer here, sorted by name. A tool that cannot
	// work in this sandbox is not in it.
	Tools() []Tool
	// Call executes a tool. Input and output are JSON objects of the tool's
	// schemas. Failures are *koda.Error with the tool's codes, UNKNOWN_TOOL
	// or INVALID_INPUT.
	Call(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error)
}
