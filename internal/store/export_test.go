package store

import (
	"context"
	"time"
)

// OpenImpatient opens a database that waits for locks only so long.
func OpenImpatient(ctx context.Context, path string, patience time.Duration) (*DB, error) {
	return open(ctx, path, patience)
}

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
