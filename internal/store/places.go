package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
)

// placesName is the list, beside the database, of all directories that projects
// were ever in, one quoted path a line. A lost database is rebuilt from it.
func (db *DB) placesName() string { return db.path + ".places" }

// Unsure reports whether projects may be missing: the database is new, or the last
// process that had it open did not close it. [DB.Places] lists where missing
// projects can be.
func (db *DB) Unsure() bool { return db.unsure }

// Places lists the directories that projects were in and that no row names now.
func (db *DB) Places(ctx context.Context) ([]string, error) {
	const op = "read the places of projects"
	places, err := db.places()
	if err != nil {
		return nil, db.fail(ctx, op, err)
	}
	known, err := db.List(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range known {
		seen[p.Dir] = true
	}
	var missing []string
	for _, dir := range places {
		if !seen[dir] {
			missing = append(missing, dir)
		}
		seen[dir] = true
	}
	return missing, nil
}

// places reads the list, without lines that a crash cut off.
func (db *DB) places() ([]string, error) {
	data, err := os.ReadFile(db.placesName())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var dirs []string
	for line := range strings.Lines(string(data)) {
		if dir, err := strconv.Unquote(strings.TrimSpace(line)); err == nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

// remember adds a directory to the list.
func (db *DB) remember(dir string) error {
	places, err := db.places()
	if err != nil {
		return err
	}
	if slices.Contains(places, dir) {
		return nil
	}
	var b strings.Builder
	for _, dir := range append(places, dir) {
		b.WriteString(strconv.Quote(dir) + "\n")
	}
	return atomicfile.Write(db.placesName(), []byte(b.String()), 0o600)
}

// listPlaces begins the list for a database that is older than the list. The list
// is changed within a transaction, so that two processes change it one after the
// other.
func (db *DB) listPlaces(ctx context.Context) error {
	if exists(db.placesName()) {
		return nil
	}
	known, err := db.List(ctx)
	if err != nil || len(known) == 0 {
		return err
	}
	return db.write(ctx, "list the places of projects", func(*sql.Tx) error {
		for _, p := range known {
			if err := db.remember(p.Dir); err != nil {
				return err
			}
		}
		return nil
	})
}
