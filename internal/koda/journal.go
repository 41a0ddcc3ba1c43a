package koda

import (
	"encoding/json"
	"time"
)

// Commit is one step of a project. One transaction writes it: all of it is durable,
// or nothing.
type Commit struct {
	// Project is the row after the step. Its Seq is ignored: the store numbers
	// Events from Prev+1 and stores the last number.
	Project Project
	// Prev is the number of the last event the writer knows. If the store holds
	// another number, somebody else wrote: IN_USE, and nothing is written.
	Prev   int64
	At     time.Time
	State  json.RawMessage // the whole state of the phase machine
	Events []Event         // durable events, in order; the store fills in Seq
	Begun  []Effect        // effects that follow from the step; they are stored as begun before anybody acts on them
	Done   []string        // ids of the effects whose outcome this step is
	Turn   *Turn           // inserted or updated
	// Blocks and Messages are appended.
	Blocks   []Block
	Messages []Message
	Render   *RenderRecord // inserted or updated
	Version  *Version      // appended
	// Cause is the event of the phase machine behind this step. It is kept beside
	// the step, in order, so that a journal can be replayed.
	Cause json.RawMessage
	// Call is the answered call whose outcome this step is. It replaces a call at
	// the same place.
	Call *CallRecord
}

// Effect is something to do in the world because of a step. It is stored as begun
// with the step. A process that finds a begun effect after a crash does the effect
// again. Effects are therefore idempotent.
type Effect struct {
	ID      string          `json:"id"` // unique in the project
	Kind    string          `json:"kind"`
	Payload json.RawMessage `json:"payload,omitempty"`
	Attempt int             `json:"attempt"`
	TurnID  string          `json:"turnId,omitempty"`
}

// CallKey places a call of a tool or a model in the work of an author.
type CallKey struct {
	ProjectID string
	TurnID    string
	Step      string // StepQuestion, StepPlan, StepInquiry, or the id of a todo
	Ordinal   int    // from 0 within the step, one count for tools and models
}

// The steps of an author that are not todos.
const (
	StepQuestion = "question"
	StepPlan     = "plan"
	StepInquiry  = "inquiry"
)

// CallModel is the name of a call of a model; any other call has the name of its
// tool.
const CallModel = "model"

// CallRecord is an answered call. When a later run of the same step makes the same
// call, by Digest, at the same place, it gets this answer.
type CallRecord struct {
	Key CallKey
	// Answer numbers the answers of a step in the order they were given, from 1;
	// calls made at once may be answered in any order. When answers are forgotten,
	// their numbers are not used again.
	Answer     int
	Digest     string // hex SHA-256 of name and input
	Name       string
	Input      json.RawMessage // nil for a call of a model: its digest is enough
	Output     json.RawMessage // nil when the call failed
	ErrCode    Code            // "" when the call succeeded
	ErrText    string
	ErrHint    string
	ErrDetails string
	At         time.Time
}

// Err is the whole error with which the call was answered; nil when the call
// succeeded.
func (r CallRecord) Err() error {
	if r.ErrCode == "" {
		return nil
	}
	return &Error{Code: r.ErrCode, Op: r.ErrText, Hint: r.ErrHint, Details: r.ErrDetails}
}

// RenderRecord is a render in the history of a project.
type RenderRecord struct {
	ID        string        `json:"id"`
	ProjectID string        `json:"projectId"`
	Version   int           `json:"version"`
	Kind      RenderKind    `json:"kind"`
	Status    string        `json:"status"` // "running", "done", "failed"
	Spec      RenderSpec    `json:"spec"`
	Result    *RenderResult `json:"result,omitempty"`
	Error     string        `json:"error,omitempty"`
	CreatedAt time.Time     `json:"createdAt"`
	UpdatedAt time.Time     `json:"updatedAt"`
}

// StateFile is .koda/state.json, the checkpoint of a project: enough to go on
// without the database. NodeState and Messages are parts of the state of the phase
// machine, in the shape people read. Machine is the rest of that state. In older
// files Machine has those parts as well.
type StateFile struct {
	Schema    int       `json:"schema"`
	Project   Project   `json:"project"`
	Seq       int64     `json:"seq"` // the last durable event the checkpoint covers
	NodeState NodeState `json:"nodeState"`
	Plan      *Plan     `json:"plan,omitempty"`
	Messages  []Message `json:"messages"`
	// Before counts the messages said before the work on the plan began. The
	// messages after them belong to NodeState.Execution, which holds no messages
	// itself.
	Before         int               `json:"messagesBefore,omitempty"`
	TheatreState   json.RawMessage   `json:"theatreState,omitempty"`
	LastCheckpoint CheckpointMark    `json:"lastCheckpoint"`
	Version        int               `json:"version"` // the version Files belongs to, 0 before the first
	Files          map[string]string `json:"files"`   // slash path → hex SHA-256 as of this checkpoint
	Machine        json.RawMessage   `json:"machine"`
	// The reader sets Damage: why the last checkpoint cannot be used, when this is
	// the checkpoint before it.
	Damage string `json:"-"`
}

// CheckpointMark says where execution goes on.
type CheckpointMark struct {
	TodoIndex int       `json:"todoIndex"` // todos done
	Timestamp time.Time `json:"timestamp"`
	SandboxID *string   `json:"sandboxId"` // null once the sandbox is gone
	// Covers marks the answered calls of the todo in work whose results the files
	// hold. When Covers is nil, the storage keeps the mark of the last files.
	Covers *CallMark `json:"covers,omitempty"`
}

// CallMark marks the answered calls of a step up to a number.
type CallMark struct {
	TurnID string `json:"turnId"`
	Step   string `json:"todoId"`
	Calls  int    `json:"calls"` // CallRecord.Answer of the newest call
}

// Checkpoint is what is copied out of a sandbox into the project directory. Files
// is the whole generated tree: a file of the last checkpoint that is missing in
// Files was deleted. Nil Files (not an empty map) leave the files as they are; only
// the state is written. The storage fills in State.Files.
type Checkpoint struct {
	Files map[string][]byte
	State StateFile
	// NewVersion, when set, records the files as that version; the storage fills in
	// its Files.
	NewVersion *Version
}

// FileStat is what is known of a file before it is read.
type FileStat struct {
	Digest string `json:"digest"` // hex SHA-256 of the content
	Size   int64  `json:"size"`   // bytes
}

// FileChange is a file of a project directory that differs from the last
// checkpoint: the person changed it.
type FileChange struct {
	Path    string `json:"path"`
	Deleted bool   `json:"deleted,omitempty"`
	Data    []byte `json:"-"`
}
