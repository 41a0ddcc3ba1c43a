package koda

import "time"

// NodeState is the state of a project as people and scripts see it. It has one
// shape in `koda show --json`, in STATE_CHANGE events and as "nodeState" in
// .koda/state.json. Only the parts that belong to what has happened so far are
// present.
type NodeState struct {
	NodeID    string     `json:"nodeId"` // equals ProjectID
	UserID    string     `json:"userId"`
	ProjectID string     `json:"projectId"`
	Phase     Phase      `json:"phase"`
	Question  *Asked     `json:"question,omitempty"`
	Plan      *Plan      `json:"plan,omitempty"`
	Execution *Execution `json:"execution,omitempty"`
	Preview   *Preview   `json:"preview,omitempty"`
	Output    *Output    `json:"output,omitempty"`
	Error     *Failure   `json:"error,omitempty"`

	SandboxID      string        `json:"sandboxId,omitempty"`
	SandboxStatus  SandboxStatus `json:"sandboxStatus,omitempty"`
	LastCheckpoint time.Time     `json:"lastCheckpoint,omitzero"`

	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`
	StartedAt   time.Time `json:"startedAt,omitzero"`   // when execution started
	CompletedAt time.Time `json:"completedAt,omitzero"` // when the final video was published
}

// SandboxStatus is the life of a sandbox.
type SandboxStatus string

// The states of a sandbox. A ready sandbox is busy while an author works on a todo.
const (
	SandboxCreating  SandboxStatus = "creating"
	SandboxReady     SandboxStatus = "ready"
	SandboxBusy      SandboxStatus = "busy"
	SandboxDestroyed SandboxStatus = "destroyed"
)

// Asked is a question, with the answer once the person answered.
type Asked struct {
	Question
	SelectedID string `json:"selectedId,omitempty"`
	CustomText string `json:"customText,omitempty"`
}

// Execution is the work on an accepted plan.
type Execution struct {
	Todos []Todo `json:"todos"`
	// Thinking is the current activity of a project at work. Only the working
	// process knows it and tells those who ask; it is stored nowhere.
	Thinking string    `json:"thinking"`
	Messages []Message `json:"messages"`
	Files    []string  `json:"files"` // generated so far, sorted
}

// Preview is the video shown before the final one is made. VideoURL is an
// absolute path.
type Preview struct {
	VideoURL string  `json:"videoUrl"`
	Duration float64 `json:"duration"` // seconds
	Version  int     `json:"version"`
	// Note says in a sentence what was reduced to get the preview done.
	Note string `json:"note,omitempty"`
	// Warnings are the warnings of the preview's render, and what was tried again.
	Warnings []string `json:"warnings,omitempty"`
}

// Output is the final video. Paths are absolute, FileSize is in bytes.
type Output struct {
	VideoURL     string  `json:"videoUrl"`
	ThumbnailURL string  `json:"thumbnailUrl"`
	Duration     float64 `json:"duration"`   // seconds
	Resolution   string  `json:"resolution"` // "1920x1080"
	FPS          FPS     `json:"fps"`
	Frames       int     `json:"frames"`
	FileSize     int64   `json:"fileSize"`
	SHA256       string  `json:"sha256"`
	Version      int     `json:"version"`
	// Copy is where the video was put as well, if the person asked for that.
	Copy string `json:"copy,omitempty"`
	// Others are the final videos of further presets.
	Others []Output `json:"others,omitempty"`
	// Warnings are the warnings of the video's render, and what was tried again.
	Warnings []string `json:"warnings,omitempty"`
}

// Failure is what went wrong, and where a retry goes on.
type Failure struct {
	Message  string `json:"message"`
	Code     Code   `json:"code"`
	CanRetry bool   `json:"canRetry"`
	Details  string `json:"details,omitempty"`
	Hint     string `json:"hint,omitempty"`
	From     Phase  `json:"from"` // the phase that failed
}
