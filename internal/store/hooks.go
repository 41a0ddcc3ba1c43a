package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// SaveHook keeps a hook of a project. A hook of the same address is replaced; what it was told
// of, it is not told again.
func (db *DB) SaveHook(ctx context.Context, project string, h koda.Hook) error {
	return db.write(ctx, "keep webhook", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO hooks (project_id, url, secret, once, seq) VALUES (?, ?, ?, ?, 0)
			ON CONFLICT DO UPDATE SET secret = excluded.secret, once = excluded.once`, project, h.URL, h.Secret, h.Once)
		return err
	})
}

// TellHooks makes deliveries of a body for all hooks of a project, and for further ones, that
// were not told of what the project's event seq ended. The deliveries are due at now. Id names
// them. It returns how many it made.
func (db *DB) TellHooks(ctx context.Context, project string, seq int64, further []koda.Hook, id string, body []byte, now time.Time) (n int, err error) {
	err = db.write(ctx, "note what webhooks are told", func(tx *sql.Tx) error {
		for _, h := range further {
			if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO hooks (project_id, url, secret, once, seq) VALUES (?, ?, ?, 0, 0)`, project, h.URL, h.Secret); err != nil {
				return fmt.Errorf("keep webhook: %w", err)
			}
		}
		hooks, err := query(ctx, tx, func(row scanner) (h koda.Hook, err error) {
			err = row.Scan(&h.URL, &h.Secret)
			return h, err
		}, `SELECT url, secret FROM hooks WHERE project_id = ? AND seq < ? ORDER BY url`, project, seq)
		for i, h := range hooks {
			if err == nil {
				_, err = tx.ExecContext(ctx, `INSERT INTO deliveries (id, project_id, url, secret, body, tries, due) VALUES (?, ?, ?, ?, ?, 0, ?)`,
					fmt.Sprintf("%s-%d", id, i+1), project, h.URL, h.Secret, body, timeArg(now))
			}
		}
		for _, end := range []string{`DELETE FROM hooks WHERE project_id = ?1 AND seq < ?2 AND once = 1`, `UPDATE hooks SET seq = ?2 WHERE project_id = ?1 AND seq < ?2`} {
			if err == nil {
				_, err = tx.ExecContext(ctx, end, project, seq)
			}
		}
		n = len(hooks)
		return err
	})
	return n, err
}

// Deliveries are those due at now, at most some, the longest due first.
func (db *DB) Deliveries(ctx context.Context, now time.Time, most int) ([]koda.Delivery, error) {
	all, err := query(ctx, db.r, func(row scanner) (d koda.Delivery, err error) {
		err = row.Scan(&d.ID, &d.ProjectID, &d.URL, &d.Secret, &d.Body, &d.Tries, timeDest{&d.Due})
		return d, err
	}, `SELECT id, project_id, url, secret, body, tries, due FROM deliveries WHERE due <= ? ORDER BY due, id LIMIT ?`, timeArg(now), most)
	return all, db.fail(ctx, "read what webhooks are told", err)
}

// Postpone notes a try that failed, and when the next is due.
func (db *DB) Postpone(ctx context.Context, id string, due time.Time) error {
	return db.write(ctx, "postpone webhook", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE deliveries SET tries = tries + 1, due = ? WHERE id = ?`, timeArg(due), id)
		return err
	})
}

// EndDelivery forgets a delivery: it was told, or given up.
func (db *DB) EndDelivery(ctx context.Context, id string) error {
	return db.write(ctx, "end webhook", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM deliveries WHERE id = ?`, id)
		return err
	})
}
