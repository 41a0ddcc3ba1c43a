package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// ErrDamaged is in every error that says that the file is not a sound database.
// Such a file is of no use any more; see [SetAside].
var ErrDamaged = errors.New("the database is damaged")

// checkFor is how long opening looks for damage: long enough for the journals of a
// few hundred projects. IntegrityCheck looks at the rest.
const checkFor = 250 * time.Millisecond

// quickCheck looks for damage in the file's structure, as far as the time permits.
func (db *DB) quickCheck(ctx context.Context) error {
	short, cancel := context.WithTimeout(ctx, checkFor)
	defer cancel()
	var found string
	err := db.r.QueryRowContext(short, `PRAGMA quick_check(1)`).Scan(&found)
	switch {
	case short.Err() != nil:
		return ctx.Err() // the time is up, and no damage was found
	case err != nil:
		return fmt.Errorf("look for damage: %w", err)
	case found != "ok":
		return db.damaged("open database", found)
	}
	return nil
}

// soundName is the file in which the last process to close the database noted the
// database's size and time. As long as they are the same, only SQLite wrote the
// database since it was last checked. Opening it then costs the same however large
// it is.
func (db *DB) soundName() string { return db.path + ".sound" }

// now tells one state of the file from another; "" while the file is in use, or
// when it was not closed.
func (db *DB) now() string {
	info, err := os.Stat(db.path)
	if err != nil || exists(db.path+"-wal") {
		return ""
	}
	return fmt.Sprintf("%d bytes at %d\n", info.Size(), info.ModTime().UnixNano())
}

func (db *DB) isSound() bool {
	noted, err := os.ReadFile(db.soundName())
	return err == nil && string(noted) == db.now()
}

// noteSound only saves time: if the note fails, the next opening checks the
// database again.
func (db *DB) noteSound() {
	if now := db.now(); now != "" && !db.isSound() {
		_ = atomicfile.Write(db.soundName(), []byte(now), 0o600) //nolint:errcheck // see above
	}
}

// damaged is the error of a file in which a check found something.
func (db *DB) damaged(op, found string) error {
	found = strings.ReplaceAll(strings.TrimPrefix(found, "*** in database main ***\n"), "\n", "; ")
	return &koda.Error{
		Code: koda.CodeStorageFailed, Op: op + " " + db.path, Err: fmt.Errorf("%w: %s", ErrDamaged, found), Hint: db.damagedHint(),
	}
}

// SetAside renames the damaged database at path, and the log beside it. It returns
// the new name: path with ".corrupt-" and the time. The next Open makes a new
// database. If the head of the file does not say that the file is koda's, SetAside
// leaves the file alone and returns the error of Open. If another process was
// faster, it returns "". A process that still has the old file open goes on writing
// there. Its work is also in its project's directory, from where the new database
// adopts it.
func SetAside(ctx context.Context, path string, at time.Time) (aside string, err error) {
	const op = "set the damaged database aside"
	if !ours(path) {
		db, err := Open(ctx, path)
		if err == nil {
			err = db.Close()
		}
		return "", err
	}
	guard, err := os.OpenFile(path+".guard", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", fmt.Errorf("%s: %w", op, err)
	}
	defer func() { err = errors.Join(err, guard.Close()) }()
	if err := syscall.Flock(int(guard.Fd()), syscall.LOCK_EX); err != nil {
		return "", fmt.Errorf("%s: %w", op, err)
	}
	db, err := Open(ctx, path)
	if err == nil {
		return "", db.Close()
	}
	if !errors.Is(err, ErrDamaged) {
		return "", err
	}
	aside = path + ".corrupt-" + at.UTC().Format("20060102T150405")
	for n := 2; exists(aside); n++ {
		aside = fmt.Sprintf("%s.corrupt-%s-%d", path, at.UTC().Format("20060102T150405"), n)
	}
	// The log goes first: beside a new database it would be taken for the new
	// database's own log.
	for _, end := range []string{"-wal", "-shm", ""} {
		if err := atomicfile.Publish(path+end, aside+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", &koda.Error{
				Code: koda.CodeStorageFailed, Op: op, Err: err,
				Hint: fmt.Sprintf("move %s away; koda takes projects in again from their directories", filepath.Base(path)),
			}
		}
	}
	return aside, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
