package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// querier is what *sql.DB and *sql.Tx share.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

type scanner interface{ Scan(dest ...any) error }

// query collects the rows of a SELECT.
func query[T any](ctx context.Context, q querier, scan func(scanner) (T, error), stmt string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, stmt, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // Err below reports failures
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// list collects the rows of a SELECT with folded JSON in them, all read at one
// moment.
func list[T any](ctx context.Context, db *DB, op string, scan func(*unfolder, scanner) (T, error), stmt string, args ...any) (all []T, err error) {
	err = db.read(ctx, op, func(u *unfolder) error {
		all, err = query(ctx, u.q, func(s scanner) (T, error) { return scan(u, s) }, stmt, args...)
		return err
	})
	return all, err
}

// read runs fn on the database at one moment: the rows and the contents they refer
// to.
func (db *DB) read(ctx context.Context, op string, fn func(*unfolder) error) error {
	tx, err := db.r.BeginTx(ctx, nil)
	if err == nil {
		err = fn(newUnfolder(ctx, tx))
		_ = tx.Rollback() //nolint:errcheck // nothing was written
	}
	return db.fail(ctx, op, err)
}

// timeFormat has a fixed width, so that text order is time order.
const timeFormat = "2006-01-02T15:04:05.000000000Z"

// timeArg is the stored form of t; nil for the zero time.
func timeArg(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(timeFormat)
}

// timeDest scans what timeArg stored.
type timeDest struct{ t *time.Time }

func (d timeDest) Scan(src any) error {
	*d.t = time.Time{}
	if src == nil {
		return nil
	}
	s, ok := src.(string)
	if !ok {
		return fmt.Errorf("time is stored as %T", src)
	}
	t, err := time.Parse(timeFormat, s)
	if err != nil {
		return fmt.Errorf("read time: %w", err)
	}
	*d.t = t
	return nil
}

// textArg stores an empty text as NULL, in columns where a text may be absent.
func textArg(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// textDest scans what textArg stored.
type textDest struct{ s *string }

func (d textDest) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*d.s = ""
	case string:
		*d.s = v
	default:
		return fmt.Errorf("text is stored as %T", src)
	}
	return nil
}
