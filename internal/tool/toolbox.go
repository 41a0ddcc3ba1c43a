package tool

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// Desk is what the engine lends an author for the length of one call: of Clarify,
// of Plan, or of Work. When that call returns, the author has given everything
// back, and nothing of it works any more.
//
// Calls of tools and models are journaled as they are answered, in one count. An
// author that is run again after a crash makes the same calls in the same order
// and is given the same answers, errors included, without the call being made or
// paid again; from the first call that differs on, all are made. So an author
// calls in an order that follows from what it is given: from one goroutine, or
// several tools at once by Calls. An error after which the author gave up is no
// answer: on a retry the call is made again.
//
// What a model's answer took is summed up in the turn and in the version that
// follows; authors need not report it.
type Desk struct {
	Toolbox
	// Model is the model to ask; nil where there is none.
	Model llm.Model
	// Show is where passing text goes for the person to watch; it may be handed
	// to Model.Answer. What passes is stored nowhere.
	Show func(koda.TextDelta)
}

// Toolbox executes tools for an author.
type Toolbox interface {
	// Tools lists the tools on offer here, sorted by name. A tool that cannot
	// work in this sandbox is not in it. While an author asks or plans there is no
	// sandbox.
	Tools() []Tool
	// Call executes a tool. Input and output are JSON objects of the tool's
	// schemas. Failures are *koda.Error with the tool's codes, UNKNOWN_TOOL
	// or INVALID_INPUT.
	Call(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error)
	// Calls executes what an author wants at once, and returns the results in
	// order when all are there. Calls begin in their order. A call of a tool that
	// is Beside goes on while those after it are made; any other is answered
	// before the next begins. So a command builds what was written before it.
	Calls(ctx context.Context, calls []Call) []Result
}

// Call is a call of a tool.
type Call struct {
	Name  string
	Input json.RawMessage
}

// Result is what a call gave: an output or an error.
type Result struct {
	Output json.RawMessage
	Err    error
}

// InOrder does calls, by index, as [Toolbox] says of Calls.
func InOrder(calls []Call, do func(i int) Result) []Result {
	results := make([]Result, len(calls))
	var beside sync.WaitGroup
	for i, c := range calls {
		if e, _ := known(c.Name); e.Beside && i < len(calls)-1 {
			beside.Go(func() { results[i] = do(i) })
			continue
		}
		results[i] = do(i)
	}
	beside.Wait()
	return results
}
