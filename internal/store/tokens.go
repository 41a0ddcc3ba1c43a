package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

const tokenColumns = `id, user_id, project_id, session_id, note, may_write, created_at, expires_at`

func scanToken(row scanner) (t koda.Token, err error) {
	err = row.Scan(&t.ID, &t.UserID, textDest{&t.ProjectID}, textDest{&t.SessionID}, &t.Note, &t.Write, timeDest{&t.CreatedAt}, timeDest{&t.ExpiresAt})
	return t, err
}

// SaveToken keeps a token whose secret is given; of the secret only a digest is kept.
// NOT_FOUND: there is no such user, project or session, or the project is not the user's.
func (db *DB) SaveToken(ctx context.Context, t koda.Token, secret string) error {
	digest := sha256.Sum256([]byte(secret))
	return db.write(ctx, "save token", func(tx *sql.Tx) error {
		for _, need := range []struct {
			what, id, query string
			args            []any
		}{
			{"user", t.UserID, `SELECT 1 FROM users WHERE id = ?`, []any{t.UserID}},
			{"project", t.ProjectID, `SELECT 1 FROM projects WHERE id = ? AND user_id = ?`, []any{t.ProjectID, t.UserID}},
			{"session", t.SessionID, `SELECT 1 FROM sessions WHERE id = ? AND project_id = ? AND status <> 'closed'`, []any{t.SessionID, t.ProjectID}},
		} {
			var one int
			if need.id == "" && need.what != "user" {
				continue
			}
			err := tx.QueryRowContext(ctx, need.query, need.args...).Scan(&one)
			if errors.Is(err, sql.ErrNoRows) {
				return &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is no %s %q", need.what, need.id)}
			}
			if err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO tokens (id, digest, user_id, project_id, session_id, note, may_write, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			t.ID, digest[:], t.UserID, textArg(t.ProjectID), textArg(t.SessionID), t.Note, t.Write, timeArg(t.CreatedAt), timeArg(t.ExpiresAt))
		return err
	})
}

// TokenOf finds the token that a secret proves. NOT_FOUND: there is none, or it expired
// before now, or the session to which it was bound is closed.
func (db *DB) TokenOf(ctx context.Context, secret string, now time.Time) (koda.Token, error) {
	digest := sha256.Sum256([]byte(secret))
	t, err := scanToken(db.r.QueryRowContext(ctx, `SELECT `+tokenColumns+` FROM tokens WHERE digest = ? AND expires_at > ?
		AND (session_id IS NULL OR session_id IN (SELECT id FROM sessions WHERE status <> 'closed'))`, digest[:], timeArg(now)))
	if errors.Is(err, sql.ErrNoRows) {
		return koda.Token{}, &koda.Error{Code: koda.CodeNotFound, Op: "the token is unknown, or it has expired"}
	}
	return t, db.fail(ctx, "read token", err)
}

// Tokens lists the tokens that are valid at now, the oldest first.
func (db *DB) Tokens(ctx context.Context, now time.Time) ([]koda.Token, error) {
	all, err := query(ctx, db.r, scanToken, `SELECT `+tokenColumns+` FROM tokens WHERE expires_at > ?
		AND (session_id IS NULL OR session_id IN (SELECT id FROM sessions WHERE status <> 'closed')) ORDER BY created_at, id`, timeArg(now))
	return all, db.fail(ctx, "list tokens", err)
}

// DeleteToken ends a token at once. With it, tokens that expired before now are forgotten.
// NOT_FOUND: there is no such token.
func (db *DB) DeleteToken(ctx context.Context, id string, now time.Time) error {
	return db.write(ctx, "revoke token", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM tokens WHERE id = ?`, id)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is no token %s", id), Hint: "koda token list"})
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM tokens WHERE expires_at <= ?`, timeArg(now))
		return err
	})
}

func scanUser(row scanner) (u koda.User, err error) {
	err = row.Scan(&u.ID, &u.Name)
	return u, err
}

// Users lists all users by id.
func (db *DB) Users(ctx context.Context) ([]koda.User, error) {
	all, err := query(ctx, db.r, scanUser, `SELECT id, name FROM users ORDER BY id`)
	return all, db.fail(ctx, "list users", err)
}

// AddUser makes a user. EXISTS: the id is taken.
func (db *DB) AddUser(ctx context.Context, u koda.User) error {
	return db.write(ctx, "add user", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `INSERT INTO users (id, name) VALUES (?, ?) ON CONFLICT DO NOTHING`, u.ID, u.Name)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, &koda.Error{Code: koda.CodeExists, Op: fmt.Sprintf("there is a user %s already", u.ID), Hint: "koda user list"})
		}
		return nil
	})
}

// DeleteUser removes a user with all their tokens. Their projects must be deleted before:
// WRONG_PHASE. The local user stays: USAGE. NOT_FOUND: there is no such user.
func (db *DB) DeleteUser(ctx context.Context, id string) error {
	if id == koda.LocalUser {
		return &koda.Error{Code: koda.CodeUsage, Op: "the local user cannot be deleted", Hint: "koda delete removes single projects"}
	}
	return db.write(ctx, "delete user", func(tx *sql.Tx) error {
		var projects int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM projects WHERE user_id = ?`, id).Scan(&projects); err != nil {
			return err
		}
		if projects > 0 {
			return &koda.Error{Code: koda.CodeWrongPhase, Op: fmt.Sprintf("user %s has %d projects", id, projects), Hint: "delete them first"}
		}
		res, err := tx.ExecContext(ctx, `DELETE FROM users WHERE id = ?`, id)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is no user %s", id), Hint: "koda user list"})
		}
		return nil
	})
}

// Serve notes that a server works on a project: on that render, or on something else if
// render is nil.
func (db *DB) Serve(ctx context.Context, project string, render []byte) error {
	return db.write(ctx, "note work of the server", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO served (project_id, render_json) VALUES (?, ?)`, project, textArg(string(render)))
		return err
	})
}

// Unserve notes that a server does not work on a project any more.
func (db *DB) Unserve(ctx context.Context, project string) error {
	return db.write(ctx, "note the end of the server's work", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM served WHERE project_id = ?`, project)
		return err
	})
}

// Served are the projects that a server worked on when it ended, with the render it made.
func (db *DB) Served(ctx context.Context) (map[string][]byte, error) {
	all := map[string][]byte{}
	_, err := query(ctx, db.r, func(row scanner) (struct{}, error) {
		var id, render string
		err := row.Scan(&id, textDest{&render})
		if all[id] = nil; render != "" {
			all[id] = []byte(render)
		}
		return struct{}{}, err
	}, `SELECT project_id, render_json FROM served`)
	return all, db.fail(ctx, "list work of the server", err)
}
