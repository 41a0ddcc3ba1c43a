package koda

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
)

// EventRow tells how a row of a batch fares; it passes.
const EventRow EventType = "ROW_UPDATE"

// EventWarning is a passing event of koda: something is not as it should be,
// and the work goes on.
const EventWarning EventType = "WARNING"

// EventText is a passing event of koda: what a model says, as it comes.
const EventText EventType = "TEXT_DELTA"

// Durable reports whether events of this type are numbered and stored. The
// others pass: they may be dropped and are never stored.
func (t EventType) Durable() bool {
	return t != EventThinking && t != EventRenderProgress && t != EventRow && t != EventWarning && t != EventText
}

// Event is what every face consumes: the terminal UI, the plain lines and
// --json. Seq counts the durable events of one project from 1; passing events
// carry 0.
type Event struct {
	Schema  int       `json:"schema"`
	Seq     int64     `json:"seq,omitempty"`
	Type    EventType `json:"type"`
	Payload any       `json:"payload"`
}

// StateChange is the payload of STATE_CHANGE.
type StateChange struct {
	Phase Phase     `json:"phase"`
	State NodeState `json:"state"`
}

// TodoUpdate is the payload of TODO_UPDATE.
type TodoUpdate struct {
	TodoID string     `json:"todoId"`
	Status TodoStatus `json:"status"`
	Label  string     `json:"label,omitempty"`
}

// Thinking is the payload of THINKING.
type Thinking struct {
	Message string `json:"message"`
}

// TextDelta is the payload of TEXT_DELTA. One field is set. What stays of an
// answer comes as MESSAGE, FILE_WRITTEN and the like.
type TextDelta struct {
	Text     string `json:"text,omitempty"`     // what follows in the answer
	Thinking string `json:"thinking,omitempty"` // what follows in the thought before it
	Tool     string `json:"tool,omitempty"`     // the tool that is about to be used
	Again    bool   `json:"again,omitempty"`    // the answer begins anew: what passed of it is void
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
// well, if that was asked for.
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
}

// CheckedOut is the payload of CHECKOUT: from now on the project's files are
// those of that version.
type CheckedOut struct {
	Version int `json:"version"`
}

// ErrorRaised is the payload of ERROR.
type ErrorRaised struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}
