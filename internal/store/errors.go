//go:build cgo

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/mattn/go-sqlite3"

	"github.com/koda-video/koda/internal/koda"
)

// fail turns err into what a person can act on. Errors that already are pass
// unchanged; cancelling stays recognisable as such.
func (db *DB) fail(ctx context.Context, op string, err error) error {
	var known *koda.Error
	var s sqlite3.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", op, ctx.Err())
	case isFull(err):
		return &koda.Error{
			Code: koda.CodeDiskFull, Op: op, Err: err,
			Hint: fmt.Sprintf("free space on the disk that holds %s, then run the same command again", filepath.Dir(db.path)),
		}
	case errors.As(err, &s):
		return &koda.Error{Code: koda.CodeStorageFailed, Op: op, Err: err, Hint: db.hint(s.Code)}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &koda.Error{Code: koda.CodeStorageFailed, Op: op, Err: err, Hint: db.readOnlyHint()}
	}
	return &koda.Error{Code: koda.CodeStorageFailed, Op: op, Err: err, Hint: db.elsewhereHint()}
}

func (db *DB) hint(code sqlite3.ErrNo) string {
	switch code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrProtocol:
		return fmt.Sprintf("another program holds %s locked; end it and try again", db.path)
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrFormat:
		return db.damagedHint()
	case sqlite3.ErrPerm, sqlite3.ErrReadonly, sqlite3.ErrCantOpen, sqlite3.ErrAuth:
		return db.readOnlyHint()
	case sqlite3.ErrIoErr:
		return fmt.Sprintf("the disk that holds %s reported an error; check it", db.path)
	}
	return ""
}

func (db *DB) damagedHint() string {
	return fmt.Sprintf("move %s away; koda takes projects in again from their directories", db.path)
}

func (db *DB) readOnlyHint() string {
	return fmt.Sprintf("make %s writable, or set KODA_HOME or DATABASE_PATH to a place that is", filepath.Dir(db.path))
}

func (db *DB) elsewhereHint() string {
	return "set KODA_HOME or DATABASE_PATH to another place"
}

func isBusy(err error) bool {
	var s sqlite3.Error
	return errors.As(err, &s) && (s.Code == sqlite3.ErrBusy || s.Code == sqlite3.ErrLocked || s.Code == sqlite3.ErrProtocol)
}

// isFull recognises a full disk and an exhausted quota. SQLite says "full" for
// most writes and an I/O error with the system's reason for the others.
func isFull(err error) bool {
	var s sqlite3.Error
	if errors.As(err, &s) {
		return s.Code == sqlite3.ErrFull || s.SystemErrno == syscall.ENOSPC || s.SystemErrno == syscall.EDQUOT
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
