package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/koda-video/koda/internal/koda"
)

const callColumns = `ordinal, answer, digest, name, input_json, err_code, err_text, err_hint, err_details, answered_at`

func callFields(u *unfolder, rec *koda.CallRecord) []any {
	return []any{
		&rec.Key.Ordinal, &rec.Answer, &rec.Digest, &rec.Name, u.json(&rec.Input),
		&rec.ErrCode, &rec.ErrText, &rec.ErrHint, &rec.ErrDetails, timeDest{&rec.At},
	}
}

// Call returns the answer recorded at a place, if there is an answer.
func (db *DB) Call(ctx context.Context, key koda.CallKey) (koda.CallRecord, bool, error) {
	rec := koda.CallRecord{Key: key}
	err := db.read(ctx, "read recorded call", func(u *unfolder) error {
		return u.q.QueryRowContext(ctx, `SELECT `+callColumns+`, output_json FROM calls
			WHERE project_id = ? AND turn_id = ? AND step = ? AND ordinal = ?`, key.ProjectID, key.TurnID, key.Step, key.Ordinal).
			Scan(append(callFields(u, &rec), u.json(&rec.Output))...)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return koda.CallRecord{}, false, nil
	}
	if err != nil {
		return koda.CallRecord{}, false, err
	}
	return rec, true, nil
}

// Answered lists the answers of a step, whatever the ordinal, in the order they
// were given, without their outputs.
func (db *DB) Answered(ctx context.Context, step koda.CallKey) ([]koda.CallRecord, error) {
	return list(ctx, db, "read recorded calls", func(u *unfolder, row scanner) (koda.CallRecord, error) {
		rec := koda.CallRecord{Key: step}
		err := row.Scan(callFields(u, &rec)...)
		return rec, err
	}, `SELECT `+callColumns+` FROM calls WHERE project_id = ? AND turn_id = ? AND step = ? ORDER BY answer`,
		step.ProjectID, step.TurnID, step.Step)
}

// Forget removes the answers of a step from a place on.
func (db *DB) Forget(ctx context.Context, from koda.CallKey) error {
	return db.write(ctx, "forget recorded calls", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM calls WHERE project_id = ? AND turn_id = ? AND step = ? AND ordinal >= ?`,
			from.ProjectID, from.TurnID, from.Step, from.Ordinal)
		return err
	})
}

func recordCall(ctx context.Context, tx *sql.Tx, rec koda.CallRecord) error {
	k := rec.Key
	f := folder{ctx: ctx, tx: tx, project: k.ProjectID}
	input, err1 := f.json(rec.Input)
	output, err2 := f.json(rec.Output)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("record call: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM calls WHERE project_id = ? AND turn_id = ? AND step = ? AND ordinal = ?`,
		k.ProjectID, k.TurnID, k.Step, k.Ordinal); err != nil {
		return fmt.Errorf("forget call: %w", err)
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO calls (project_id, turn_id, step, ordinal, answer, digest, name, input_json, output_json,
			err_code, err_text, err_hint, err_details, answered_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		k.ProjectID, k.TurnID, k.Step, k.Ordinal, rec.Answer, rec.Digest, rec.Name, input, output,
		string(rec.ErrCode), rec.ErrText, rec.ErrHint, rec.ErrDetails, timeArg(rec.At)); err != nil {
		return fmt.Errorf("record call: %w", err)
	}
	return nil
}

const sessionColumns = `id, node_id, user_id, project_id, status, sandbox_id, sandbox_type,
	last_checkpoint, last_activity, created_at, updated_at, idle_ms`

func scanSession(row scanner) (s koda.Session, err error) {
	err = row.Scan(&s.ID, &s.NodeID, &s.UserID, &s.ProjectID, &s.Status, textDest{&s.SandboxID}, &s.SandboxType,
		timeDest{&s.LastCheckpoint}, timeDest{&s.LastActivity}, timeDest{&s.CreatedAt}, timeDest{&s.UpdatedAt}, &s.IdleMS)
	return s, err
}

// Session returns the project's newest session that is not closed; false when there
// is no such session.
func (db *DB) Session(ctx context.Context, projectID string) (koda.Session, bool, error) {
	s, err := scanSession(db.r.QueryRowContext(ctx, `SELECT `+sessionColumns+`
		FROM sessions WHERE project_id = ? AND status <> 'closed' ORDER BY rowid DESC LIMIT 1`, projectID))
	if errors.Is(err, sql.ErrNoRows) {
		return koda.Session{}, false, nil
	}
	if err != nil {
		return koda.Session{}, false, db.fail(ctx, "read session", err)
	}
	return s, true, nil
}

// AllSessions lists the sessions of all projects, the oldest first.
func (db *DB) AllSessions(ctx context.Context) ([]koda.Session, error) {
	all, err := query(ctx, db.r, scanSession, `SELECT `+sessionColumns+` FROM sessions ORDER BY created_at, rowid`)
	return all, db.fail(ctx, "list sessions", err)
}

// SaveSession inserts or updates a session. An empty NodeID stands for the
// project's id, an empty UserID for the local user. A closed session stays closed:
// WRONG_PHASE.
func (db *DB) SaveSession(ctx context.Context, s koda.Session) error {
	if s.NodeID == "" {
		s.NodeID = s.ProjectID
	}
	if s.UserID == "" {
		s.UserID = koda.LocalUser
	}
	return db.write(ctx, "save session", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `INSERT INTO sessions (id, node_id, user_id, project_id, status, sandbox_id, sandbox_type,
				last_checkpoint, last_activity, created_at, updated_at, idle_ms)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET status = excluded.status, sandbox_id = excluded.sandbox_id, sandbox_type = excluded.sandbox_type,
				last_checkpoint = excluded.last_checkpoint, last_activity = excluded.last_activity, updated_at = excluded.updated_at, idle_ms = excluded.idle_ms
			WHERE status <> 'closed' OR excluded.status = 'closed'`,
			s.ID, s.NodeID, s.UserID, s.ProjectID, s.Status, textArg(s.SandboxID), s.SandboxType,
			timeArg(s.LastCheckpoint), timeArg(s.LastActivity), timeArg(s.CreatedAt), timeArg(s.UpdatedAt), s.IdleMS)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, &koda.Error{
				Code: koda.CodeWrongPhase, Op: fmt.Sprintf("save session %s: it is closed", s.ID), Hint: "the project goes on with a new one",
			})
		}
		return nil
	})
}
