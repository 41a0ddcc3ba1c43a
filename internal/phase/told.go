package phase

import (
	"fmt"

	"github.com/koda-video/koda/internal/koda"
)

// Told is what an event means to the code that keeps or shows what happens to a
// project. All readers of events read Told: none of them knows events by their
// types.
type Told struct {
	// Detail is what a person wants to know beside the event's name.
	Detail string
	// Events are the durable events that this event makes. A step emits them
	// together with the messages said, the todos that changed and the change of the
	// state. Alone leaves out the todos and the change of the state.
	Events []koda.Event
	Alone  bool
	Todo   string // id of a todo whose status is to be emitted
	Adds   bool   // the event adds todos, which are to be emitted
	Made   int    // number of the version made, to be emitted with its files
	// Saves: the files are safe in the project directory now.
	Saves bool
	// Part: the event changes a part of the state within a phase.
	Part bool
	// Midway: the event is in the middle of an effect. The effect's outcome writes
	// the state into the project directory.
	Midway bool
	// Failure is what went wrong or was refused. Kept: the turn goes on in spite of
	// the failure.
	Failure *koda.Failure
	Kept    bool
	// Cost is what the event adds to the cost of the turn.
	Cost koda.Cost
	// Block is what the event adds to its turn, without id, place and time.
	Block *koda.Block
}

func makes(t koda.EventType, payload any) []koda.Event {
	return []koda.Event{{Type: t, Payload: payload}}
}

func block(t koda.BlockType, content any) *koda.Block { return &koda.Block{Type: t, Content: content} }

func because(f koda.Failure) string { return fmt.Sprintf("%s: %s", f.Code, f.Message) }

// What each event means. An event without Told does not build.

func (ev Began) Told() Told    { return Told{Detail: ev.Brief.Prompt} }
func (ev Forked) Told() Told   { return Told{} }
func (ev Answered) Told() Told { return Told{Detail: ev.Answer.OptionID + ev.Answer.Text} }
func (ev Accepted) Told() Told { return Told{} }
func (ev Rejected) Told() Told { return Told{Detail: ev.Feedback} }
func (ev Modified) Told() Told { return Told{Detail: ev.Text} }
func (ev Edited) Told() Told   { return Told{Detail: ev.Text} }
func (ev Inquired) Told() Told { return Told{Detail: ev.Text} }
func (ev Retried) Told() Told  { return Told{} }

func (ev Undone) Told() Told     { return Told{Part: true} }
func (ev Redone) Told() Told     { return Told{Part: true} }
func (ev CheckedOut) Told() Told { return Told{} }
func (ev Messaged) Told() Told   { return Told{Detail: ev.Text, Part: true, Adds: true} }
func (ev Approved) Told() Told   { return Told{} }
func (ev Chosen) Told() Told     { return Told{Detail: ev.Models.String()} }
func (ev HandEdited) Told() Told { return Told{Alone: true} }
func (ev Suspended) Told() Told  { return Told{Part: true} }
func (ev Rendered) Told() Told   { return Told{Midway: true} }

func (ev Logged) Told() Told {
	return Told{Detail: fmt.Sprintf("%d steps of agent %s", ev.Steps, ev.Run), Alone: true}
}

func (ev Saved) Told() Told {
	return Told{Detail: fmt.Sprintf("v%d", ev.Version), Made: ev.Version, Alone: true}
}

func (ev Unsaved) Told() Told {
	return Told{Detail: because(ev.Failure), Failure: &ev.Failure, Kept: true, Midway: true}
}

func (ev TodoMarked) Told() Told {
	return Told{Detail: fmt.Sprintf("%s %s", ev.TodoID, ev.Status), Todo: ev.TodoID, Alone: true, Midway: true}
}

func (ev Said) Told() Told   { return Told{Detail: ev.Text, Alone: true, Midway: true} }
func (ev Called) Told() Told { return Told{Cost: ev.Cost, Alone: true, Midway: true} }

func (ev Wrote) Told() Told {
	file := koda.FileWritten{Path: ev.Path, Size: ev.Size, Deleted: ev.Deleted}
	detail := fmt.Sprintf("%s (%d bytes)", ev.Path, ev.Size)
	if ev.Deleted {
		detail = ev.Path + " (deleted)"
	}
	return Told{Detail: detail, Events: makes(koda.EventFileWritten, file), Block: block(koda.BlockFile, file), Alone: true, Midway: true}
}

func (ev Checkpointed) Told() Told { return Told{Saves: true, Alone: true, Midway: true} }
func (ev SandboxLost) Told() Told  { return Told{} }
func (ev SandboxMoved) Told() Told { return Told{Detail: ev.SandboxID} }

func (ev Asked) Told() Told { return Told{Part: true, Block: block(koda.BlockQuestion, ev.Question)} }
func (ev Clear) Told() Told { return Told{} }

func (ev Declined) Told() Told     { return Told{Failure: &ev.Failure} }
func (ev Planned) Told() Told      { return Told{Part: true, Block: block(koda.BlockPlan, ev.Plan)} }
func (ev SandboxReady) Told() Told { return Told{Detail: ev.SandboxID} }
func (ev Worked) Told() Told       { return Told{Saves: true} }

func (ev Versioned) Told() Told {
	return Told{Detail: fmt.Sprintf("v%d", ev.Version), Made: ev.Version, Saves: true}
}

func (ev Placed) Told() Told {
	return Told{Events: makes(koda.EventCheckout, koda.CheckedOut{Version: ev.Version})}
}

func (ev Imported) Told() Told { return Told{Made: ev.Version} }

func (ev Previewed) Told() Told {
	return Told{Events: makes(koda.EventPreviewReady, koda.PreviewReady{URL: ev.Preview.VideoURL})}
}

func (ev Finished) Told() (t Told) {
	for _, o := range append([]koda.Output{ev.Output}, ev.Output.Others...) {
		t.Events = append(t.Events, koda.Event{Type: koda.EventOutput, Payload: koda.OutputReady{
			URL: o.VideoURL, Copy: o.Copy, ThumbnailURL: o.ThumbnailURL, SHA256: o.SHA256,
		}})
	}
	return t
}

func (ev Replied) Told() Told {
	return Told{Block: block(koda.BlockMessage, koda.Message{Role: koda.RoleAssistant, Content: ev.Text, Timestamp: ev.At})}
}

func (ev Unanswered) Told() Told {
	return Told{Detail: because(ev.Failure), Failure: &ev.Failure, Block: block(koda.BlockError, ev.Failure)}
}

func (ev Released) Told() Told { return Told{} }

func (ev Refused) Told() Told {
	return Told{Detail: ev.Failure.Message, Failure: &ev.Failure, Part: true, Block: block(koda.BlockError, ev.Failure)}
}

func (ev Failed) Told() Told {
	return Told{Detail: because(ev.Failure), Failure: &ev.Failure, Block: block(koda.BlockError, ev.Failure)}
}
