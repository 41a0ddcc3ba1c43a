package store

import (
	"context"
	"database/sql"

	"github.com/koda-video/koda/internal/koda"
)

// Exec runs SQL on the writing connection.
func (db *DB) Exec(ctx context.Context, stmt string, args ...any) error {
	_, err := db.w.ExecContext(ctx, stmt, args...)
	return err
}

// Int reads one number on the writing connection.
func (db *DB) Int(ctx context.Context, stmt string, args ...any) (n int, err error) {
	err = db.w.QueryRowContext(ctx, stmt, args...).Scan(&n)
	return n, err
}

// Texts reads one column of text.
func (db *DB) Texts(ctx context.Context, stmt string) ([]string, error) {
	return query(ctx, db.w, func(s scanner) (t string, err error) {
		err = s.Scan(&t)
		return t, err
	}, stmt)
}

// Record stores an answer and replaces any answer at the same place.
func (db *DB) Record(ctx context.Context, rec koda.CallRecord) error {
	return db.write(ctx, "record call of "+rec.Name, func(tx *sql.Tx) error { return recordCall(ctx, tx, rec) })
}

// Begun lists the effects that have begun and are not done, in the order of their
// begin.
func (db *DB) Begun(ctx context.Context, projectID string) ([]koda.Effect, error) {
	return list(ctx, db, "read journal", func(u *unfolder, s scanner) (e koda.Effect, err error) {
		err = s.Scan(&e.ID, &e.Kind, u.json(&e.Payload), &e.Attempt, &e.TurnID)
		return e, err
	}, `SELECT id, kind, payload_json, attempt, turn_id FROM effects WHERE project_id = ? AND done = 0 ORDER BY n`, projectID)
}
