package koda

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// EventType names an event.
type EventType string

// The eight event types of the specification.
const (
	EventStateChange    EventType = "STATE_CHANGE"
	EventTodoUpdate     EventType = "TODO_UPDATE"
	EventThinking       EventType = "THINKING"
	EventMessage        EventType = "MESSAGE"
	EventFileWritten    EventType = "FILE_WRITTEN"
	EventPreviewReady   EventType = "PREVIEW_READY"
	EventRenderProgress EventType = "RENDER_PROGRESS"
	EventError          EventType = "ERROR"
)

// Further durable events of koda.
const (
	EventCheckpoint EventType = "CHECKPOINT"
	EventVersion    EventType = "VERSION"
	EventOutput     EventType = "OUTPUT_READY"
	EventCheckout   EventType = "CHECKOUT"
	EventTurn       EventType = "TURN_UPDATE"
)

// EventRow is a passing event of koda: how a row of a batch is doing.
const EventRow EventType = "ROW_UPDATE"

// EventBuild is a passing event of koda: a step of building the image of sandboxes.
const EventBuild EventType = "IMAGE_BUILD"

// EventWarning is a passing event of koda: something is wrong, and the work goes
// on.
const EventWarning EventType = "WARNING"

// EventText is a passing event of koda: the text of a model, as it arrives.
const EventText EventType = "TEXT_DELTA"

// EventTool is a passing event of koda: a tool that an author used, and EventUsage
// what an answer of a model used up.
const (
	EventTool  EventType = "TOOL_USED"
	EventUsage EventType = "USAGE"
)

// EventCommand is a passing event of koda: what a command of an author writes, as it
// comes.
const EventCommand EventType = "COMMAND_OUTPUT"

// EventSandbox is a passing event of koda: the life of a project's sandbox.
const EventSandbox EventType = "SANDBOX_STATUS"

// EventGlimpse is a passing event of koda: a small picture of a frame that was just
// drawn. Only who asks for glimpses gets them; no stream of JSON has them.
const EventGlimpse EventType = "GLIMPSE"

// eventTypes says of every type whether its events pass, and how their payload is
// read; nil where the payload stays JSON.
var eventTypes = map[EventType]struct {
	passes  bool
	payload func(json.RawMessage) (any, error)
}{
	EventStateChange:    {payload: payloadOf[StateChange]},
	EventTodoUpdate:     {payload: payloadOf[TodoUpdate]},
	EventThinking:       {payload: payloadOf[Thinking], passes: true},
	EventMessage:        {payload: payloadOf[MessageAdded]},
	EventFileWritten:    {payload: payloadOf[FileWritten]},
	EventPreviewReady:   {payload: payloadOf[PreviewReady]},
	EventRenderProgress: {payload: payloadOf[Progress], passes: true},
	EventError:          {payload: payloadOf[ErrorRaised]},
	EventCheckpoint:     {payload: payloadOf[Checkpointed]},
	EventVersion:        {payload: payloadOf[Versioned]},
	EventOutput:         {payload: payloadOf[OutputReady]},
	EventCheckout:       {payload: payloadOf[CheckedOut]},
	EventTurn:           {payload: payloadOf[TurnUpdated]},
	EventRow:            {passes: true},
	EventBuild:          {payload: payloadOf[BuildStep], passes: true},
	EventText:           {payload: payloadOf[TextDelta], passes: true},
	EventWarning:        {payload: payloadOf[Warned], passes: true},
	EventTool:           {payload: payloadOf[ToolUsed], passes: true},
	EventUsage:          {payload: payloadOf[Usage], passes: true},
	EventCommand:        {payload: payloadOf[CommandOutput], passes: true},
	EventSandbox:        {payload: payloadOf[SandboxChanged], passes: true},
	EventGlimpse:        {payload: payloadOf[Glimpse], passes: true},
}

func payloadOf[T any](raw json.RawMessage) (any, error) {
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, fmt.Errorf("decode %T: %w", v, err)
	}
	return v, nil
}

// EventTypes lists all types of events, in the order of their names.
func EventTypes() []EventType { return slices.Sorted(maps.Keys(eventTypes)) }

// Durable reports whether events of this type are numbered and stored. The
// others pass: they may be dropped and are never stored.
func (t EventType) Durable() bool { return !eventTypes[t].passes }

// Payload reads the payload of an event of this type. If this koda does not know
// the type, the payload stays JSON.
func (t EventType) Payload(raw json.RawMessage) (any, error) {
	if read := eventTypes[t].payload; read != nil {
		return read(raw)
	}
	return raw, nil
}

// Event is what every face consumes: the terminal UI, the plain lines and --json.
// Seq counts the durable events of one project from 1; passing events have 0.
// Project is the project's id; it is empty when an event is about no project.
type Event struct {
	Schema  int       `json:"schema"`
	Project string    `json:"project,omitempty"`
	At      time.Time `json:"at,omitzero"`
	Seq     int64     `json:"seq,omitempty"`
	Type    EventType `json:"type"`
	Payload any       `json:"payload"`
}

// UnmarshalJSON gives the payload the type with which it was written.
func (e *Event) UnmarshalJSON(data []byte) error {
	type plain Event
	var payload json.RawMessage
	read := (*plain)(e)
	read.Payload = &payload
	err := json.Unmarshal(data, read)
	if err == nil {
		e.Payload, err = e.Type.Payload(payload)
	}
	return err
}

// StateChange is the payload of STATE_CHANGE.
type StateChange struct {
	Phase Phase     `json:"phase"`
	State NodeState `json:"state"`
}

// TodoUpdate is the payload of TODO_UPDATE.
type TodoUpdate struct {
	TodoID  string     `json:"todoId"`
	Status  TodoStatus `json:"status"`
	Label   string     `json:"label,omitempty"`
	LeftOut string     `json:"leftOut,omitempty"`
}

// Thinking is the payload of THINKING.
type Thinking struct {
	Message string `json:"message"`
}

// TextDelta is the payload of TEXT_DELTA. One field is set. The parts of an answer
// that last come as MESSAGE, FILE_WRITTEN and the like.
type TextDelta struct {
	Text     string `json:"text,omitempty"`     // the next text of the answer
	Thinking string `json:"thinking,omitempty"` // the next text of the thought before it
	Tool     string `json:"tool,omitempty"`     // the tool that is about to be used
	Again    bool   `json:"again,omitempty"`    // the answer begins anew: the text so far is void
}

// ToolUsed is the payload of TOOL_USED.
type ToolUsed struct {
	Tool  string `json:"tool"`
	About string `json:"about,omitempty"` // its path or its command, on one line
	// Detail is what a person may want to read of it: the text that was written, what
	// was replaced by what as lines that begin with - and +, what a command printed. A
	// long text is cut.
	Detail string `json:"detail,omitempty"`
	Error  string `json:"error,omitempty"` // why it failed
}

// CommandOutput is the payload of COMMAND_OUTPUT.
type CommandOutput struct {
	Stream string `json:"stream,omitempty"` // "stderr"; the standard output has no word
	Text   string `json:"text"`
}

// Usage is the payload of USAGE.
type Usage struct {
	Model string `json:"model"`
	Cost
}

// BuildStep is the payload of IMAGE_BUILD: one step of building an image. Image says for
// people which image it is, and how long it takes. Text says what the step does; "" if it
// is done at once.
type BuildStep struct {
	Image string `json:"image"`
	Step  int    `json:"step"` // from 1
	Steps int    `json:"steps"`
	Text  string `json:"text"`
}

// String gives the step for people; "" if it is done at once.
func (s BuildStep) String() string {
	if s.Text == "" {
		return ""
	}
	return fmt.Sprintf("step %d of %d: %s", s.Step, s.Steps, s.Text)
}

// Warned is the payload of WARNING.
type Warned struct {
	Message string `json:"message"`
}

// MessageAdded is the payload of MESSAGE.
type MessageAdded struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// FileWritten is the payload of FILE_WRITTEN. A deleted file has Deleted set
// and Size 0.
type FileWritten struct {
	Path    string `json:"path"`
	Size    int64  `json:"size"` // bytes
	Deleted bool   `json:"deleted,omitempty"`
}

// PreviewReady is the payload of PREVIEW_READY. URL is an absolute path.
type PreviewReady struct {
	URL string `json:"url"`
}

// OutputReady is the payload of OUTPUT_READY. Copy is where the video was put as
// well, if the person asked for that.
type OutputReady struct {
	URL          string `json:"url"`
	Copy         string `json:"copy,omitempty"`
	ThumbnailURL string `json:"thumbnailUrl,omitempty"`
	SHA256       string `json:"sha256"`
}

// Checkpointed is the payload of CHECKPOINT.
type Checkpointed struct {
	TodoIndex int `json:"todoIndex"` // todos done
	Files     int `json:"files"`
}

// Versioned is the payload of VERSION.
type Versioned struct {
	Version int `json:"version"`
	Files   int `json:"files"`
	// Model is the models that were asked for it, and Cost what they cost.
	Model string `json:"model,omitempty"`
	Cost  Cost   `json:"cost,omitzero"`
}

// SandboxChanged is the payload of SANDBOX_STATUS. Note is a sentence about a new sandbox
// that takes the place of one koda had stopped; else it is "".
type SandboxChanged struct {
	ID     string        `json:"sandboxId,omitempty"`
	Status SandboxStatus `json:"status"`
	Note   string        `json:"note,omitempty"`
}

// CheckedOut is the payload of CHECKOUT: from now on the project's files are the
// files of that version.
type CheckedOut struct {
	Version int `json:"version"`
}

// TurnUpdated is the payload of TURN_UPDATE: a turn of an outside agent began, has more
// blocks, or ended.
type TurnUpdated struct {
	TurnID string `json:"turnId"`
	Number int    `json:"number"`
	Kind   string `json:"kind"`
	Status string `json:"status"` // "running", "completed", "failed"
	Blocks int    `json:"blocks"` // so far
}

// ErrorRaised is the payload of ERROR.
type ErrorRaised struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}
