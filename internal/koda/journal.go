package koda

import (
	"encoding/json"
	"time"
)

// Commit is one step of a project, written in one transaction: all of it is
// durable, or nothing.
type Commit struct {
	// Project is the row as it is after the step. Its Seq is ignored: the store
	// numbers Events from Prev+1 and stores the last number.
	Project Project
	// Prev is the number of the last event the writer knows. When the store
	// holds another one, somebody else wrote: IN_USE, and nothing is written.
	Prev   int64
	At     time.Time
	State  json.RawMessage // the whole state of the phase machine
	Events []Event         // durable ones, in order; Seq is filled in by the store
	Begun  []Effect        // effects that follow from the step, begun before they are acted on
	Done   []string        // ids of effects this step is the outcome of
	Turn   *Turn           // inserted or updated
	// Blocks, Messages and Assets are appended.
	Blocks   []Block
	Messages []Message
	Assets   []Asset
	Render   *RenderRecord // inserted or updated
	Version  *Version      // appended
	// Cause is the event of the phase machine this step is made of; it is kept
	// beside the step, in order, so that a journal can be replayed.
	Cause json.RawMessage
	// Call is the answered call whose outcome this step is. It replaces one at
	// the same place.
	Call *CallRecord
}

// Effect is something to do in the world because of a step. It is stored as
// begun with the step; a process that finds a begun effect after a crash does
// it again. Effects are therefore idempotent.
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
	Step      string // StepQuestion, StepPlan, or the id of a todo
	Ordinal   int    // from 0 within the step, one count for tools and models
}

// The steps of an author that are no todos.
const (
	StepQuestion = "question"
	StepPlan     = "plan"
)

// CallModel is the name of a call of a model; the others have that of their tool.
const CallModel = "model"

// CallRecord is an answered call. A later run of the same step that makes the
// same call, by Digest, at the same place is given this answer.
type CallRecord struct {
	Key CallKey
	// Answer numbers the answers of a step in the order they were given in, from
	// 1; calls made at once may be answered in any order. A number is not given
	// again when answers are forgotten.
	Answer     int
	Digest     string // hex SHA-256 of name and input
	Name       string
	Input      json.RawMessage // nil for a model's: its digest is enough
	Output     json.RawMessage // nil when it failed
	ErrCode    Code            // "" when it went well
	ErrText    string
	ErrHint    string
	ErrDetails string
	At         time.Time
}

// Err is the error the call was answered with, whole; nil when it went well.
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
// machine, in the shape people read, and Machine is the rest of that state. Older
// files have those parts in Machine as well.
type StateFile struct {
	Schema    int       `json:"schema"`
	Project   Project   `json:"project"`
	Seq       int64     `json:"seq"` // last durable event it covers
	NodeState NodeState `json:"nodeState"`
	Plan      *Plan     `json:"plan,omitempty"`
	Messages  []Message `json:"messages"`
	// Before counts the messages said before the work on the plan began: those after
	// them are the messages of NodeState.Execution, which has none itself.
	Before         int               `json:"messagesBefore,omitempty"`
	TheatreState   json.RawMessage   `json:"theatreState,omitempty"`
	LastCheckpoint CheckpointMark    `json:"lastCheckpoint"`
	Version        int               `json:"version"` // the version Files belongs to, 0 before the first
	Files          map[string]string `json:"files"`   // slash path → hex SHA-256 as of this checkpoint
	Machine        json.RawMessage   `json:"machine"`
	// Damage is set by the reader: why the last checkpoint cannot be used, when
	// this is the one before it.
	Damage string `json:"-"`
}

// CheckpointMark says where execution goes on.
type CheckpointMark struct {
	TodoIndex int       `json:"todoIndex"` // todos done
	Timestamp time.Time `json:"timestamp"`
	SandboxID *string   `json:"sandboxId"` // null once the sandbox is gone
	// Covers says of which answered calls of the todo in work the files hold what
	// they did.
	// The storage keeps that of the last files when it is nil.
	Covers *CallMark `json:"covers,omitempty"`
}

// CallMark says which answered calls of a step are meant: those up to a number.
type CallMark struct {
	TurnID string `json:"turnId"`
	Step   string `json:"todoId"`
	Calls  int    `json:"calls"` // CallRecord.Answer of the newest
}

// Checkpoint is what is copied out of a sandbox into the project directory.
// Files is the whole generated tree: a file of the last checkpoint that is not
// in it was deleted. Nil Files (not an empty map) leave the files as they are
// and write the state only. State.Files is filled in by the storage.
type Checkpoint struct {
	Files map[string][]byte
	State StateFile
	// NewVersion, when set, records the files as that version; its Files are
	// filled in by the storage.
	NewVersion *Version
}

// FileChange is a file of a project directory that differs from the last
// checkpoint: the person changed it.
type FileChange struct {
	Path    string `json:"path"`
	Deleted bool   `json:"deleted,omitempty"`
	Data    []byte `json:"-"`
}
