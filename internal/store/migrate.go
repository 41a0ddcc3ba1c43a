package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one file NNNN_name.sql. Numbers count from 1 without holes.
type migration struct {
	number int
	name   string
	sql    string
}

func migrations() ([]migration, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	all := make([]migration, 0, len(names))
	for i, path := range names {
		name := strings.TrimPrefix(path, "migrations/")
		digits, _, _ := strings.Cut(name, "_")
		number, err := strconv.Atoi(digits)
		if err != nil || number != i+1 {
			return nil, fmt.Errorf("migration %s does not follow number %d", name, i)
		}
		body, err := migrationFiles.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		all = append(all, migration{number, name, string(body)})
	}
	return all, nil
}

// upgrade runs the migrations this database has not seen.
func (db *DB) upgrade(ctx context.Context) error {
	all, err := migrations()
	if err != nil {
		return err
	}
	var have int
	if err := db.retry(ctx, func() error {
		have, err = schemaOf(ctx, db.r)
		return err
	}); err != nil {
		return err
	}
	if have > len(all) {
		return db.newer(have, len(all))
	}
	db.unsure = db.unsure || have == 0
	for _, m := range all[have:] {
		if err := db.migrate(ctx, m, len(all)); err != nil {
			return fmt.Errorf("migration %s: %w", m.name, err)
		}
	}
	return nil
}

// migrate runs m unless another process just did.
func (db *DB) migrate(ctx context.Context, m migration, latest int) error {
	return db.write(ctx, "upgrade database "+db.path, func(tx *sql.Tx) error {
		have, err := schemaOf(ctx, tx)
		switch {
		case err != nil:
			return err
		case have > latest:
			return db.newer(have, latest)
		case have >= m.number:
			return nil
		}
		if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)`); err != nil {
			return fmt.Errorf("create table migrations: %w", err)
		}
		if _, err := tx.ExecContext(ctx, m.sql); err != nil {
			return fmt.Errorf("run %s: %w", m.name, err)
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO migrations (number, name) VALUES (?, ?)`, m.number, m.name); err != nil {
			return fmt.Errorf("record %s: %w", m.name, err)
		}
		return nil
	})
}

// schemaOf is the number of the last migration run, 0 for an empty file.
func schemaOf(ctx context.Context, q querier) (int, error) {
	var tables, ours int
	err := q.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(name = 'migrations'), 0) FROM sqlite_master WHERE type = 'table'`).Scan(&tables, &ours)
	if err != nil {
		return 0, fmt.Errorf("read schema: %w", err)
	}
	if tables == 0 {
		return 0, nil
	}
	var app int
	if err := q.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&app); err != nil {
		return 0, fmt.Errorf("read schema: %w", err)
	}
	if ours == 0 || app != applicationID {
		return 0, &koda.Error{
			Code: koda.CodeStorageFailed, Op: "open database", Err: fmt.Errorf("the file is the database of another program"),
			Hint: "set DATABASE_PATH to a file of koda's own",
		}
	}
	var have int
	if err := q.QueryRowContext(ctx, `SELECT coalesce(max(number), 0) FROM migrations`).Scan(&have); err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	return have, nil
}

// applicationID marks the file as koda's; the first migration writes it.
const applicationID = 0x6b6f6461

func (db *DB) newer(have, latest int) error {
	return &koda.Error{
		Code: koda.CodeStorageFailed, Op: "open database " + db.path,
		Err:  fmt.Errorf("it was written by a newer koda (schema %d, this one knows %d)", have, latest),
		Hint: "update koda, or set KODA_HOME to a directory for this version",
	}
}
