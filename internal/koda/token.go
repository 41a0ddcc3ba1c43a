package koda

import "time"

// User is somebody whose projects a server keeps apart from those of others. LocalUser
// always exists.
type User struct {
	ID   string `json:"id"` // what the person is called; unique
	Name string `json:"name"`
}

// Token is what a program may do over HTTP. The secret that proves it is told once, when it
// is made, and kept nowhere.
type Token struct {
	ID        string    `json:"id"`
	UserID    string    `json:"userId"`
	ProjectID string    `json:"projectId,omitempty"` // "": all projects of the user
	SessionID string    `json:"sessionId,omitempty"` // the token ends with this session of the project
	Note      string    `json:"note,omitempty"`      // what it is for, in the person's words
	Write     bool      `json:"write"`               // else it only reads
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// Reply is the answer of a server to a request that carried an idempotency key.
type Reply struct {
	UserID, Bound, Key string    // who asked; Bound is the project to which the token is bound
	Request            []byte    // digest of the request
	ProjectID          string    // the project whose work the request began; "" for none so far
	Status             int       // of HTTP; 0: there is no answer yet
	Type               string    // of the body
	Body               []byte    // what was answered
	At                 time.Time // when the request came
}

// Hook is an address that a server tells of videos that are done, and of work that failed.
type Hook struct {
	URL    string
	Secret string // signs what is told
	Once   bool   // it is told of one end of work only
}

// Delivery is something that is still to be told to a hook.
type Delivery struct {
	Hook
	ID        string
	ProjectID string
	Body      []byte // JSON
	Tries     int    // that failed
	Due       time.Time
}
