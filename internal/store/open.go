package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/failpoint"
)

const (
	// busyTimeout is how long to wait for other processes' writes. Writes take
	// milliseconds; only a stuck process uses up the time.
	busyTimeout = 10 * time.Second
	// retryEvery paces the few lock conflicts SQLite reports without waiting:
	// the switch to the write-ahead log and its recovery after a crash.
	retryEvery = 20 * time.Millisecond
	readers    = 4
	// statements is how many prepared statements each reading connection keeps: more than
	// this package has. To prepare a statement takes longer than to run the statement.
	statements = 64
)

// DB is the database of one koda home. Its methods may be called from several
// goroutines, and several processes may have the same file open.
type DB struct {
	path     string
	patience time.Duration // how long to wait for other processes' locks
	unsure   bool          // see Unsure
	w, r     *sql.DB
}

// Open opens the database file at path, and brings its schema up to date. If the
// file (mode 0600) or its directory (mode 0700) does not exist, Open makes it. Open
// opens one connection; the first write opens the writing connection.
//
// STORAGE_FAILED: path cannot be used, is not a database, is damaged
// ([ErrDamaged]), belongs to another program, or was written by a newer koda.
// DISK_FULL: there was no room to create the file.
func Open(ctx context.Context, path string) (*DB, error) {
	return OpenWithin(ctx, path, busyTimeout)
}

// OpenWithin is Open with a patience: how long Open and the methods wait for the
// locks of other processes.
func OpenWithin(ctx context.Context, path string, patience time.Duration) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db := &DB{path: abs, patience: patience}
	if err := prepare(abs); err != nil {
		return nil, db.fail(ctx, "open database", err)
	}
	db.unsure = exists(abs + "-wal")
	if db.w, err = sql.Open("sqlite3", db.dsn("_journal_mode=WAL&_txlock=immediate")); err != nil {
		return nil, db.fail(ctx, "open database", err)
	}
	if db.r, err = sql.Open("sqlite3", db.dsn(fmt.Sprintf("_query_only=1&_stmt_cache_size=%d", statements))); err != nil {
		return nil, errors.Join(db.fail(ctx, "open database", err), db.w.Close())
	}
	db.w.SetMaxOpenConns(1)
	db.r.SetMaxOpenConns(readers)
	db.r.SetMaxIdleConns(readers) // a connection keeps its prepared statements
	if db.unsure || !db.isSound() {
		err = db.retry(ctx, func() error { return db.quickCheck(ctx) })
	}
	if err == nil {
		err = db.upgrade(ctx)
	}
	if err == nil {
		err = db.listPlaces(ctx)
	}
	if err != nil {
		return nil, errors.Join(db.fail(ctx, "open database "+abs, err), db.close())
	}
	return db, nil
}

// dsn is the address of the file, with the settings of every connection. The
// setting synchronous is given in full, as the driver is compiled to sync less in
// WAL mode.
func (db *DB) dsn(extra string) string {
	u := url.URL{Path: db.path}
	return fmt.Sprintf("file:%s?mode=rw&_busy_timeout=%d&_foreign_keys=1&_synchronous=FULL&%s",
		u.EscapedPath(), db.patience.Milliseconds(), extra)
}

// prepare creates the file, so that SQLite gives its log the same mode.
func prepare(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return recognise(path)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// Close closes the database. Methods called later fail.
func (db *DB) Close() error {
	err := db.close()
	if err == nil {
		db.noteSound()
	}
	return err
}

func (db *DB) close() error {
	if err := errors.Join(db.r.Close(), db.w.Close()); err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// IntegrityCheck reads the whole file and reports damage as STORAGE_FAILED.
func (db *DB) IntegrityCheck(ctx context.Context) error {
	const op = "check database"
	rows, err := query(ctx, db.r, func(s scanner) (string, error) {
		var line string
		return line, s.Scan(&line)
	}, `PRAGMA integrity_check(10)`)
	if err != nil {
		return db.fail(ctx, op, err)
	}
	if len(rows) != 1 || rows[0] != "ok" {
		return db.damaged(op, strings.Join(rows, "; "))
	}
	orphans, err := query(ctx, db.r, func(s scanner) (string, error) {
		var table, parent string
		var rowid, fk sql.NullInt64
		err := s.Scan(&table, &rowid, &parent, &fk)
		return fmt.Sprintf("a row of %s refers to a missing one of %s", table, parent), err
	}, `PRAGMA foreign_key_check`)
	if err != nil {
		return db.fail(ctx, op, err)
	}
	if len(orphans) > 0 {
		return db.damaged(op, orphans[0])
	}
	return nil
}

// write runs fn in one transaction. When it returns an error, nothing was written.
func (db *DB) write(ctx context.Context, op string, fn func(*sql.Tx) error) error {
	tx, err := db.begin(ctx)
	if err != nil {
		return db.fail(ctx, op, err)
	}
	if err := fn(tx); err != nil {
		_ = tx.Rollback() //nolint:errcheck // the first error is the one to report
		return db.fail(ctx, op, err)
	}
	if err := failpoint.Fail("store.commit.before"); err != nil {
		_ = tx.Rollback() //nolint:errcheck // the first error is the one to report
		return db.fail(ctx, op, err)
	}
	if err := tx.Commit(); err != nil {
		return db.fail(ctx, op, err)
	}
	failpoint.Hit("store.commit.after")
	return nil
}

func (db *DB) begin(ctx context.Context) (tx *sql.Tx, err error) {
	err = db.retry(ctx, func() error {
		tx, err = db.w.BeginTx(ctx, nil)
		return err
	})
	return tx, err
}

// Ready returns once a write could begin. STORAGE_FAILED: another process kept the
// database locked all the while.
func (db *DB) Ready(ctx context.Context) error {
	return db.write(ctx, "write to the database", func(*sql.Tx) error { return nil })
}

// retry repeats fn while another process holds a lock, until patience runs out.
func (db *DB) retry(ctx context.Context, fn func() error) error {
	deadline := time.NewTimer(db.patience)
	defer deadline.Stop()
	for {
		err := fn()
		if err == nil || !isBusy(err) {
			return err
		}
		pause := time.NewTimer(retryEvery)
		select {
		case <-pause.C:
		case <-deadline.C:
			pause.Stop()
			return err
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		}
	}
}
