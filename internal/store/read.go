package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/koda-video/koda/internal/koda"
)

const projectColumns = `id, user_id, name, dir, phase, prompt, author, sandbox_type, seq, created_at, updated_at`

func projectDest(p *koda.Project) []any {
	return []any{
		&p.ID, &p.UserID, &p.Name, &p.Dir, &p.Phase, &p.Prompt, &p.Author, &p.SandboxType, &p.Seq,
		timeDest{&p.CreatedAt}, timeDest{&p.UpdatedAt},
	}
}

func scanProject(s scanner) (p koda.Project, err error) {
	err = s.Scan(projectDest(&p)...)
	return p, err
}

// Project reads a project's row. NOT_FOUND: there is no such project.
func (db *DB) Project(ctx context.Context, id string) (koda.Project, error) {
	p, err := scanProject(db.r.QueryRowContext(ctx, `SELECT `+projectColumns+` FROM projects WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		err = notFound("load project", id)
	}
	return p, db.fail(ctx, "load project", err)
}

// Load returns a project and the state of its machine, or NOT_FOUND.
func (db *DB) Load(ctx context.Context, id string) (koda.Project, json.RawMessage, error) {
	const op = "load project"
	var p koda.Project
	var state json.RawMessage
	err := db.read(ctx, op, func(u *unfolder) error {
		err := u.q.QueryRowContext(ctx, `SELECT `+projectColumns+`, state_json FROM projects WHERE id = ?`, id).
			Scan(append(projectDest(&p), u.json(&state))...)
		if errors.Is(err, sql.ErrNoRows) {
			return notFound(op, id)
		}
		return err
	})
	if err != nil {
		return koda.Project{}, nil, err
	}
	return p, state, nil
}

// List returns all projects, the most recently updated first. It reads no
// state.
func (db *DB) List(ctx context.Context) ([]koda.Project, error) {
	all, err := query(ctx, db.r, scanProject, `SELECT `+projectColumns+` FROM projects ORDER BY updated_at DESC, id`)
	return all, db.fail(ctx, "list projects", err)
}

// Events lists durable events numbered above after, in order. Payloads have the
// types they were written with; if this koda does not know the type of an event,
// its payload is json.RawMessage.
func (db *DB) Events(ctx context.Context, projectID string, after int64) ([]koda.Event, error) {
	return list(ctx, db, "read journal", func(u *unfolder, s scanner) (e koda.Event, err error) {
		var payload json.RawMessage
		e.Project = projectID
		if err := s.Scan(&e.Seq, &e.Schema, &e.Type, u.json(&payload), timeDest{&e.At}); err != nil {
			return e, err
		}
		e.Payload, err = e.Type.Payload(payload)
		return e, err
	}, `SELECT seq, schema, type, payload_json, created_at FROM events WHERE project_id = ? AND seq > ? ORDER BY seq`, projectID, after)
}

// Causes lists what the phase machine was told, in order. For an adopted project
// the list begins after the adoption.
func (db *DB) Causes(ctx context.Context, projectID string) ([]json.RawMessage, error) {
	return list(ctx, db, "read journal", func(u *unfolder, s scanner) (raw json.RawMessage, err error) {
		err = s.Scan(u.json(&raw))
		return raw, err
	}, `SELECT cause_json FROM steps WHERE project_id = ? ORDER BY n`, projectID)
}

// Turns lists a project's turns in order.
func (db *DB) Turns(ctx context.Context, projectID string) ([]koda.Turn, error) {
	return list(ctx, db, "read turns", func(u *unfolder, s scanner) (t koda.Turn, err error) {
		err = s.Scan(&t.ID, &t.ProjectID, &t.Number, &t.Kind, &t.Input, u.json(&t.Input), &t.Status, timeDest{&t.StartedAt}, timeDest{&t.EndedAt}, u.json(&t.Error), u.json(&t.Cost))
		return t, err
	}, `SELECT id, project_id, number, kind, input, input_json, status, started_at, ended_at, error_json, cost_json FROM turns WHERE project_id = ? ORDER BY number`, projectID)
}

// Blocks lists a turn's blocks in order. Content is json.RawMessage.
func (db *DB) Blocks(ctx context.Context, turnID string) ([]koda.Block, error) {
	return list(ctx, db, "read blocks", func(u *unfolder, s scanner) (b koda.Block, err error) {
		var content json.RawMessage
		err = s.Scan(&b.ID, &b.TurnID, &b.Number, &b.Type, u.json(&content), timeDest{&b.CreatedAt})
		b.Content = content
		return b, err
	}, `SELECT id, turn_id, number, type, content_json, created_at FROM blocks WHERE turn_id = ? ORDER BY number`, turnID)
}

// Messages lists a project's conversation, oldest first.
func (db *DB) Messages(ctx context.Context, projectID string) ([]koda.Message, error) {
	return list(ctx, db, "read messages", func(u *unfolder, s scanner) (m koda.Message, err error) {
		err = s.Scan(&m.ID, &m.Role, &m.Content, u.json(&m.Content), timeDest{&m.Timestamp})
		return m, err
	}, `SELECT id, role, content, content_json, created_at FROM messages WHERE project_id = ? ORDER BY n`, projectID)
}

// Versions lists a project's versions, v1 first.
func (db *DB) Versions(ctx context.Context, projectID string) ([]koda.Version, error) {
	return list(ctx, db, "read versions", func(u *unfolder, s scanner) (v koda.Version, err error) {
		var made versionFacts
		err = s.Scan(&v.Number, &v.Parent, &v.TurnID, &v.Prompt, u.json(&v.Prompt), &v.Author, &v.Phase, u.json(&v.Files), timeDest{&v.CreatedAt}, u.json(&made))
		v.Model, v.Own, v.PromptDigest, v.RuntimeDigest, v.Cost, v.Origin = made.Model, made.Own, made.PromptDigest, made.RuntimeDigest, made.Cost, made.Origin
		return v, err
	}, `SELECT number, parent, turn_id, prompt, prompt_json, author, phase, files_json, created_at, made_json FROM versions WHERE project_id = ? ORDER BY number`, projectID)
}

// Renders lists a project's renders in the order they were begun.
func (db *DB) Renders(ctx context.Context, projectID string) ([]koda.RenderRecord, error) {
	return list(ctx, db, "read renders", func(u *unfolder, s scanner) (r koda.RenderRecord, err error) {
		err = s.Scan(&r.ID, &r.ProjectID, &r.Version, &r.Kind, &r.Status, u.json(&r.Spec), u.json(&r.Result), &r.Error,
			timeDest{&r.CreatedAt}, timeDest{&r.UpdatedAt})
		return r, err
	}, `SELECT id, project_id, version, kind, status, spec_json, result_json, error, created_at, updated_at FROM renders WHERE project_id = ? ORDER BY rowid`, projectID)
}
