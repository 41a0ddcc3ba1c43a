package tool

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// Desk is what the engine lends an author for the length of one call of Clarify,
// Plan or Work. When the call returns, the author has given everything back, and
// nothing of the desk works any more.
//
// Calls of tools and models are journaled as they are answered, in one count. An
// author that runs again after a crash makes the same calls in the same order. It
// gets the same answers, errors included, and no call is made or paid again. From
// the first call that differs, all calls are made. So the order of an author's
// calls must follow from what the author is given: calls from one goroutine, or
// several tools at once by Calls. If the author gave up after an error, the error
// is no answer: on a retry the call is made again.
//
// The turn and the version that follows sum up what a model's answers cost; authors
// need not report it.
type Desk struct {
	Toolbox
	// Model is the model to ask; nil where there is no model.
	Model llm.Model
	// Texts are those of the author's own texts for models that the person replaced, by
	// name.
	Texts map[string]string
	// Show shows passing text to the person; it may be handed to Model.Answer.
	// Passing text is stored nowhere.
	Show func(koda.TextDelta)
}

// Toolbox executes tools for an author.
type Toolbox interface {
	// Tools lists the tools on offer here, sorted by name. A tool that cannot work
	// in this sandbox is not on offer. While an author asks or plans there is no
	// sandbox.
	Tools() []Tool
	// Call executes a tool. Input and output are JSON objects of the tool's
	// schemas. Failures are *koda.Error with a code of the tool, UNKNOWN_TOOL or
	// INVALID_INPUT.
	Call(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error)
	// Calls executes several calls at once, and returns the results in order when
	// all results are there. Calls begin in their order. While a call of a tool
	// with Beside goes on, the next calls are made; while one of a tool that Reads goes on,
	// the next of such a tool; any other call is answered before the next call begins.
	// So a command builds what was written before it, and no read sees what comes after it.
	Calls(ctx context.Context, calls []Call) []Result
}

// Call is a call of a tool.
type Call struct {
	Name  string
	Input json.RawMessage
}

// Result is the result of a call: an output or an error.
type Result struct {
	Output json.RawMessage
	Err    error
}

// InOrder does calls, by index, in the order that [Toolbox.Calls] promises.
func InOrder(calls []Call, do func(i int) Result) []Result {
	results := make([]Result, len(calls))
	var beside, reads sync.WaitGroup
	for i, c := range calls {
		e, _ := known(c.Name)
		if !e.Reads {
			reads.Wait()
		}
		switch {
		case e.Reads:
			reads.Go(func() { results[i] = do(i) })
		case e.Beside:
			beside.Go(func() { results[i] = do(i) })
		default:
			results[i] = do(i)
		}
	}
	reads.Wait()
	beside.Wait()
	return results
}
