package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
)

const (
	// keepShown is how large, in bytes, a part of a block may be to outlive the
	// work it shows.
	keepShown = 1 << 10
	// How many free bytes the file may have, and how large a part of it may be
	// free.
	looseBytes = 512 << 10
	loosePart  = 20
)

// Prune drops from the journal of a project what only further work on its last turn
// would need, and returns how many bytes of contents it dropped. It drops the
// answered calls, and the large parts of the blocks that show them. The sizes of
// these parts stay ("output" is then null beside "outputBytes"). Contents that
// nothing refers to are dropped, too. With dryRun Prune only counts. It drops
// nothing if the project has a begun effect, or has not changed since the last
// Prune. The file keeps its size: see [DB.Compact].
func (db *DB) Prune(ctx context.Context, projectID string, dryRun bool) (size int64, err error) {
	const op = "prune journal"
	var idle bool
	err = db.r.QueryRowContext(ctx, `SELECT seq <> pruned_seq AND NOT EXISTS (SELECT 1 FROM effects WHERE project_id = projects.id AND done = 0)
		FROM projects WHERE id = ?`, projectID).Scan(&idle)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !idle {
		return 0, nil
	}
	if err != nil {
		return 0, db.fail(ctx, op, err)
	}
	counted := errors.New("it was only counted")
	err = db.write(ctx, op, func(tx *sql.Tx) error {
		f := folder{ctx: ctx, tx: tx, project: projectID}
		res, err := tx.ExecContext(ctx, `UPDATE projects SET pruned_seq = seq WHERE id = ? AND NOT EXISTS (SELECT 1 FROM effects WHERE project_id = projects.id AND done = 0)`, projectID)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err // somebody works on the project
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM calls WHERE project_id = ?`, projectID); err != nil {
			return fmt.Errorf("drop calls: %w", err)
		}
		if err := f.shortenBlocks(); err != nil {
			return err
		}
		if size, err = f.dropContents(); err == nil && dryRun {
			err = counted
		}
		return err
	})
	if errors.Is(err, counted) {
		err = nil
	}
	return size, err
}

// shortenBlocks replaces the large parts of the blocks of calls by their sizes.
func (f folder) shortenBlocks() error {
	type block struct {
		id    string
		parts map[string]json.RawMessage
	}
	u := newUnfolder(f.ctx, f.tx)
	blocks, err := query(f.ctx, f.tx, func(s scanner) (b block, err error) {
		err = s.Scan(&b.id, u.json(&b.parts))
		return b, err
	}, `SELECT id, content_json FROM blocks WHERE project_id = ? AND type IN (?, ?)`, f.project, string(koda.BlockTool), string(koda.BlockModel))
	if err != nil {
		return fmt.Errorf("read blocks: %w", err)
	}
	for _, b := range blocks {
		short := map[string]any{}
		for name, part := range b.parts {
			short[name] = part
			if len(part) > keepShown {
				short[name], short[name+"Bytes"] = nil, len(part)
			}
		}
		if len(short) == len(b.parts) {
			continue
		}
		content, err := f.json(short)
		if err == nil {
			_, err = f.tx.ExecContext(f.ctx, `UPDATE blocks SET content_json = ? WHERE id = ?`, content, b.id)
		}
		if err != nil {
			return fmt.Errorf("shorten block %s: %w", b.id, err)
		}
	}
	return nil
}

// dropContents deletes the contents of the project that nothing refers to and
// returns their bytes.
func (f folder) dropContents() (size int64, err error) {
	columns, err := query(f.ctx, f.tx, func(s scanner) (c [2]string, err error) {
		err = s.Scan(&c[0], &c[1])
		return c, err
	}, `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name LIKE '%\_json' ESCAPE '\'`)
	if err != nil {
		return 0, fmt.Errorf("list columns: %w", err)
	}
	u, live := newUnfolder(f.ctx, f.tx), map[int64]bool{}
	for _, c := range columns {
		of := "project_id"
		if c[0] == "projects" {
			of = "id"
		}
		texts, err := query(f.ctx, f.tx, func(s scanner) (text string, err error) {
			err = s.Scan(&text)
			return text, err
		}, fmt.Sprintf(`SELECT %[1]s FROM %[2]s WHERE %[1]s IS NOT NULL AND %[3]s = ?`, c[1], c[0], of), f.project)
		for _, text := range texts {
			if err == nil {
				err = u.mark([]byte(text), live)
			}
		}
		if err != nil {
			return 0, fmt.Errorf("read %s of %s: %w", c[1], c[0], err)
		}
	}
	type content struct{ id, size int64 }
	all, err := query(f.ctx, f.tx, func(s scanner) (c content, err error) {
		err = s.Scan(&c.id, &c.size)
		return c, err
	}, `SELECT id, octet_length(body) FROM contents WHERE project_id = ?`, f.project)
	for _, c := range all {
		if err == nil && !live[c.id] {
			size += c.size
			_, err = f.tx.ExecContext(f.ctx, `DELETE FROM contents WHERE id = ?`, c.id)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("drop contents: %w", err)
	}
	return size, nil
}

// Compact gives the space of deleted rows back to the disk, if there is more than a
// little, and returns how many bytes smaller the file became. Meanwhile nobody else
// can write, and the disk needs as much free space as the file has. After an error
// the database is unchanged.
func (db *DB) Compact(ctx context.Context) (freed int64, err error) {
	const op = "compact database"
	var free, page, before, after int64
	err = db.r.QueryRowContext(ctx, `SELECT freelist_count, page_size, page_count * page_size FROM pragma_freelist_count, pragma_page_size, pragma_page_count`).
		Scan(&free, &page, &before)
	if err != nil || free*page <= looseBytes && free*page*loosePart <= before {
		return 0, db.fail(ctx, op, err)
	}
	if err = failpoint.Fail("store.compact"); err == nil {
		err = db.retry(ctx, func() error {
			_, err := db.w.ExecContext(ctx, `VACUUM`)
			return err
		})
	}
	if err == nil {
		// What other processes still read stays in the log until they are done.
		_, err = db.w.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	}
	if err == nil {
		err = db.r.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&after)
	}
	return before - after, db.fail(ctx, op, err)
}
