package store

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/koda-video/koda/internal/koda"
)

var errSkeleton = errors.New("store: not written yet")

// DB is the database of one koda home.
type DB struct{ path string }

// Open opens or creates the database file at path.
func Open(ctx context.Context, path string) (*DB, error) { return nil, errSkeleton }

// Close closes the database.
func (db *DB) Close() error { return errSkeleton }

// IntegrityCheck reports damage.
func (db *DB) IntegrityCheck(ctx context.Context) error { return errSkeleton }

// Create inserts the project of the commit and writes its first step.
func (db *DB) Create(ctx context.Context, c koda.Commit) error { return errSkeleton }

// Commit writes one step.
func (db *DB) Commit(ctx context.Context, c koda.Commit) ([]koda.Event, error) {
	return nil, errSkeleton
}

// Load returns a project and the state of its machine, or NOT_FOUND.
func (db *DB) Load(ctx context.Context, id string) (koda.Project, json.RawMessage, error) {
	return koda.Project{}, nil, errSkeleton
}

// List returns all projects, the most recently updated first.
func (db *DB) List(ctx context.Context) ([]koda.Project, error) { return nil, errSkeleton }

// Delete removes every row of a project.
func (db *DB) Delete(ctx context.Context, id string) error { return errSkeleton }

// FindProject finds the one project meant by ref: id, name, directory or the
// beginning of an id.
func (db *DB) FindProject(ctx context.Context, ref string) (koda.Project, error) {
	return koda.Project{}, errSkeleton
}

// Adopt brings a project's row up to what its state file says and returns the
// row as it stands. s.Project.Dir is the directory the file was read from.
func (db *DB) Adopt(ctx context.Context, s koda.StateFile, versions ...koda.Version) (koda.Project, error) {
	return koda.Project{}, errSkeleton
}

// Begun lists the effects begun and not done.
func (db *DB) Begun(ctx context.Context, projectID string) ([]koda.Effect, error) {
	return nil, errSkeleton
}

// Events lists durable events numbered above after.
func (db *DB) Events(ctx context.Context, projectID string, after int64) ([]koda.Event, error) {
	return nil, errSkeleton
}

// Turns lists a project's turns in order.
func (db *DB) Turns(ctx context.Context, projectID string) ([]koda.Turn, error) {
	return nil, errSkeleton
}

// Blocks lists a turn's blocks in order.
func (db *DB) Blocks(ctx context.Context, turnID string) ([]koda.Block, error) {
	return nil, errSkeleton
}

// Renders lists a project's renders, oldest first.
func (db *DB) Renders(ctx context.Context, projectID string) ([]koda.RenderRecord, error) {
	return nil, errSkeleton
}

// Versions lists a project's versions in order.
func (db *DB) Versions(ctx context.Context, projectID string) ([]koda.Version, error) {
	return nil, errSkeleton
}

// Call returns the answer recorded at that place, if there is one.
func (db *DB) Call(ctx context.Context, key koda.CallKey) (koda.CallRecord, bool, error) {
	return koda.CallRecord{}, false, errSkeleton
}

// Record stores an answer.
func (db *DB) Record(ctx context.Context, rec koda.CallRecord) error { return errSkeleton }

// Session returns the project's newest session that is not closed.
func (db *DB) Session(ctx context.Context, projectID string) (koda.Session, bool, error) {
	return koda.Session{}, false, errSkeleton
}

// SaveSession inserts or updates a session.
func (db *DB) SaveSession(ctx context.Context, s koda.Session) error { return errSkeleton }
