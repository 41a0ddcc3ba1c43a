//go:build cgo

package store

import (
	"errors"

	"github.com/mattn/go-sqlite3"
)

// asSQLite finds SQLite's own error in err's chain.
func asSQLite(err error) (sqliteFailure, bool) {
	var s sqlite3.Error
	if !errors.As(err, &s) {
		return sqliteFailure{}, false
	}
	return sqliteFailure{code: int(s.Code), system: s.SystemErrno}, true
}
