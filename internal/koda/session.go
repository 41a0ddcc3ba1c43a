package koda

import "time"

// SessionStatus is where a session stands.
type SessionStatus string

// The life of a session. It is active while there is a sandbox. It is suspended
// once the sandbox was given back or is known to be gone, and active again with the
// next sandbox. Closed is the end: a project that goes on later begins another
// session.
const (
	SessionActive    SessionStatus = "active"
	SessionSuspended SessionStatus = "suspended"
	SessionClosed    SessionStatus = "closed"
)

// CanBecome reports whether a session with status s may get status next. A status
// may be written again; "" is the status of a session that does not exist yet.
func (s SessionStatus) CanBecome(next SessionStatus) bool {
	switch s {
	case "":
		return next == SessionActive
	case SessionActive, SessionSuspended:
		return next == SessionActive || next == SessionSuspended || next == SessionClosed
	case SessionClosed:
		return next == SessionClosed
	}
	return false
}

// Session is a project's use of sandboxes, one after the other.
type Session struct {
	ID             string        `json:"id"`
	NodeID         string        `json:"nodeId"` // equals ProjectID
	UserID         string        `json:"userId"`
	ProjectID      string        `json:"projectId"`
	Status         SessionStatus `json:"status"`
	SandboxID      string        `json:"sandboxId,omitempty"` // while the session is active
	SandboxType    string        `json:"sandboxType"`
	LastCheckpoint time.Time     `json:"lastCheckpoint,omitzero"`
	LastActivity   time.Time     `json:"lastActivity"` // last time the person let koda work on the project
	// IdleMS is how long the sandbox lived without work in it, up to LastActivity. Of a
	// suspended session it is how long nobody had used the sandbox that was stopped for
	// that; 0 if the sandbox ended otherwise.
	IdleMS    int64     `json:"idleMs,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}
