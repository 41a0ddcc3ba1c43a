package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/koda-video/koda/internal/koda"
)

// Result codes of SQLite (sqlite.org/rescode.html).
const (
	sqlitePerm     = 3
	sqliteBusy     = 5
	sqliteLocked   = 6
	sqliteReadonly = 8
	sqliteIOErr    = 10
	sqliteCorrupt  = 11
	sqliteFull     = 13
	sqliteCantOpen = 14
	sqliteProtocol = 15
	sqliteFormat   = 24
	sqliteNotADB   = 26
)

// sqliteFailure is SQLite's account of a failure.
type sqliteFailure struct {
	code   int
	system syscall.Errno // the operating system's reason, if there was one
}

// fail turns err into an error that a person can act on. An error that a person can
// act on already passes unchanged; a cancelled context stays recognisable.
func (db *DB) fail(ctx context.Context, op string, err error) error {
	var known *koda.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", op, ctx.Err())
	}
	if full := koda.DiskFull(op, reason(err), fmt.Sprintf("free space on the disk that holds %s, then go on", filepath.Dir(db.path))); full != nil {
		return full
	}
	hint := db.hint(err)
	if isDamage(err) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return &koda.Error{Code: koda.CodeStorageFailed, Op: op, Err: err, Hint: hint}
}

func isDamage(err error) bool {
	failure, ok := asSQLite(err)
	return ok && (failure.code == sqliteCorrupt || failure.code == sqliteNotADB || failure.code == sqliteFormat)
}

func (db *DB) hint(err error) string {
	writable := fmt.Sprintf("make %s writable, or set KODA_HOME or DATABASE_PATH to a place that is", filepath.Dir(db.path))
	failure, ok := asSQLite(err)
	switch {
	case !ok && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		return writable
	case !ok:
		return "set KODA_HOME or DATABASE_PATH to another place"
	}
	switch failure.code {
	case sqliteBusy, sqliteLocked, sqliteProtocol:
		return fmt.Sprintf("another program holds %s locked; end it and try again", db.path)
	case sqliteCorrupt, sqliteNotADB, sqliteFormat:
		return db.damagedHint()
	case sqlitePerm, sqliteReadonly, sqliteCantOpen:
		return writable
	case sqliteIOErr:
		return fmt.Sprintf("the disk that holds %s reported an error; check it", db.path)
	}
	return ""
}

func (db *DB) damagedHint() string {
	if !ours(db.path) {
		return fmt.Sprintf("it does not say that it is koda's: move %s away, or set DATABASE_PATH to another file", db.path)
	}
	return fmt.Sprintf("`koda list` sets it aside and takes the projects in again from their directories; or move %s away yourself", db.path)
}

func isBusy(err error) bool {
	failure, ok := asSQLite(err)
	return ok && (failure.code == sqliteBusy || failure.code == sqliteLocked || failure.code == sqliteProtocol)
}

// reason is the operating system's reason for a failure. SQLite reports "full" for
// most writes to a full disk, and an I/O error with the reason for the others.
func reason(err error) error {
	switch failure, ok := asSQLite(err); {
	case !ok:
		return err
	case failure.code == sqliteFull:
		return syscall.ENOSPC
	default:
		return failure.system
	}
}
