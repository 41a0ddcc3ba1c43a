package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

const replyKey = `user_id = ? AND bound = ? AND key = ?`

// TakeReply finds what is known of the request with a key. If nothing is known, r is kept as
// a request without an answer, and returned. Replies to requests before old are forgotten.
func (db *DB) TakeReply(ctx context.Context, r koda.Reply, old time.Time) (koda.Reply, error) {
	err := db.write(ctx, "note request", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM replies WHERE at < ?`, timeArg(old)); err != nil {
			return err
		}
		row := tx.QueryRowContext(ctx, `SELECT request, project_id, status, type, body, at FROM replies WHERE `+replyKey, r.UserID, r.Bound, r.Key)
		known := r
		err := row.Scan(&known.Request, textDest{&known.ProjectID}, &known.Status, &known.Type, &known.Body, timeDest{&known.At})
		if !errors.Is(err, sql.ErrNoRows) {
			r = known
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO replies (user_id, bound, key, request, status, type, at) VALUES (?, ?, ?, ?, 0, '', ?)`,
			r.UserID, r.Bound, r.Key, r.Request, timeArg(r.At))
		return err
	})
	return r, err
}

// SaveReply keeps what is known of a request by now. A reply that was forgotten meanwhile
// stays forgotten.
func (db *DB) SaveReply(ctx context.Context, r koda.Reply) error {
	return db.write(ctx, "keep answer", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE replies SET request = ?, project_id = (SELECT id FROM projects WHERE id = ?), status = ?, type = ?, body = ? WHERE `+replyKey,
			r.Request, r.ProjectID, r.Status, r.Type, r.Body, r.UserID, r.Bound, r.Key)
		return err
	})
}

// DropReply forgets a request.
func (db *DB) DropReply(ctx context.Context, r koda.Reply) error {
	return db.write(ctx, "forget request", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM replies WHERE `+replyKey, r.UserID, r.Bound, r.Key)
		return err
	})
}
