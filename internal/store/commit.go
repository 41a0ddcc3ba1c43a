package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Create inserts the project of the commit and writes its first step; Prev is
// ignored. EXISTS: a project with the id exists already.
func (db *DB) Create(ctx context.Context, c koda.Commit) error {
	op := fmt.Sprintf("create project %q", c.Project.Name)
	return db.write(ctx, op, func(tx *sql.Tx) error {
		_, err := seqOf(ctx, tx, c.Project.ID)
		switch {
		case err == nil:
			return &koda.Error{Code: koda.CodeExists, Op: op, Err: fmt.Errorf("there is a project with id %s", c.Project.ID)}
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		if err := db.remember(c.Project.Dir); err != nil {
			return err
		}
		c.Project.Seq = 0
		if err := insertProject(ctx, tx, c.Project, c.State); err != nil {
			return err
		}
		c.Prev = 0
		_, err = folder{ctx: ctx, tx: tx, project: c.Project.ID}.step(c)
		return err
	})
}

// Commit writes one step in one transaction, and returns the events with their
// numbers. NOT_FOUND: there is no such project. IN_USE: somebody else wrote after
// event c.Prev.
//
// An unknown effect in c.Done is not an error: a project adopted from its directory
// goes on with effects that this database never saw.
func (db *DB) Commit(ctx context.Context, c koda.Commit) ([]koda.Event, error) {
	op := fmt.Sprintf("save project %q", c.Project.Name)
	var events []koda.Event
	err := db.write(ctx, op, func(tx *sql.Tx) error {
		seq, err := seqOf(ctx, tx, c.Project.ID)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return notFound(op, c.Project.ID)
		case err != nil:
			return err
		case seq != c.Prev:
			return &koda.Error{
				Code: koda.CodeInUse, Op: op,
				Err:  fmt.Errorf("another process went on with it (event %d is written, this process knows %d)", seq, c.Prev),
				Hint: fmt.Sprintf("koda resume %s continues from there", c.Project.Name),
			}
		}
		events, err = folder{ctx: ctx, tx: tx, project: c.Project.ID}.step(c)
		return err
	})
	if err != nil {
		return nil, err
	}
	return events, nil
}

// step writes all of c and returns its events numbered from c.Prev+1. The state
// comes last: it refers to the contents that the other parts stored.
func (f folder) step(c koda.Commit) ([]koda.Event, error) {
	events, err := f.events(c)
	if err != nil {
		return nil, err
	}
	c.Project.Seq = c.Prev + int64(len(events))
	if err := f.effects(c); err != nil {
		return nil, err
	}
	if len(c.Cause) > 0 {
		cause, err := f.json(c.Cause)
		if err == nil {
			_, err = f.tx.ExecContext(f.ctx, `INSERT INTO steps (project_id, seq, cause_json, created_at) VALUES (?, ?, ?, ?)`,
				f.project, c.Project.Seq, cause, timeArg(c.At))
		}
		if err != nil {
			return nil, fmt.Errorf("write step: %w", err)
		}
	}
	if c.Call != nil {
		if err := recordCall(f.ctx, f.tx, *c.Call); err != nil {
			return nil, err
		}
	}
	turnID := ""
	if c.Turn != nil {
		turnID = c.Turn.ID
		if err := f.turn(*c.Turn); err != nil {
			return nil, err
		}
	}
	if err := f.talk(c, turnID); err != nil {
		return nil, err
	}
	if c.Version != nil {
		if err := f.version(*c.Version); err != nil {
			return nil, err
		}
	}
	if c.Render != nil {
		if err := f.render(*c.Render); err != nil {
			return nil, err
		}
	}
	return events, updateProject(f.ctx, f.tx, c.Project, c.State)
}

// effects marks effects as done and begins others. An effect that failed and is
// tried again begins under its old id.
func (f folder) effects(c koda.Commit) error {
	for _, id := range c.Done {
		if _, err := f.tx.ExecContext(f.ctx, `UPDATE effects SET done = 1, done_at = ? WHERE project_id = ? AND id = ? AND done = 0`,
			timeArg(c.At), f.project, id); err != nil {
			return fmt.Errorf("mark effect %s done: %w", id, err)
		}
	}
	for _, e := range c.Begun {
		payload, err := f.json(e.Payload)
		if err != nil {
			return fmt.Errorf("begin effect %s: %w", e.ID, err)
		}
		res, err := f.tx.ExecContext(f.ctx, `INSERT INTO effects (project_id, id, kind, payload_json, attempt, turn_id, begun_at) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (project_id, id) DO UPDATE SET n = (SELECT max(n) + 1 FROM effects), payload_json = excluded.payload_json, attempt = excluded.attempt,
				turn_id = excluded.turn_id, begun_at = excluded.begun_at, done = 0, done_at = NULL WHERE done = 1`,
			f.project, e.ID, e.Kind, payload, e.Attempt, e.TurnID, timeArg(c.At))
		if err != nil {
			return fmt.Errorf("begin effect %s: %w", e.ID, err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(fmt.Errorf("begin effect %s: it is begun and not done", e.ID), err)
		}
	}
	return nil
}

func (f folder) events(c koda.Commit) ([]koda.Event, error) {
	events := make([]koda.Event, len(c.Events))
	for i, e := range c.Events {
		if !e.Type.Durable() {
			return nil, fmt.Errorf("write event: %s events are not stored", e.Type)
		}
		e.Schema, e.Project, e.At, e.Seq = koda.SchemaVersion, f.project, c.At, c.Prev+int64(i)+1
		payload, err := f.json(e.Payload)
		if err == nil {
			_, err = f.tx.ExecContext(f.ctx, `INSERT INTO events (project_id, seq, schema, type, payload_json, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
				f.project, e.Seq, e.Schema, string(e.Type), payload, timeArg(c.At))
		}
		if err != nil {
			return nil, fmt.Errorf("write event %d: %w", e.Seq, err)
		}
		events[i] = e
	}
	return events, nil
}

func (f folder) talk(c koda.Commit, turnID string) error {
	for _, b := range c.Blocks {
		content, err := f.json(b.Content)
		if err == nil {
			_, err = f.tx.ExecContext(f.ctx, `INSERT INTO blocks (id, project_id, turn_id, number, type, content_json, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
				b.ID, f.project, b.TurnID, b.Number, string(b.Type), content, timeArg(b.CreatedAt))
		}
		if err != nil {
			return fmt.Errorf("write block %s: %w", b.ID, err)
		}
	}
	for _, m := range c.Messages {
		if err := f.message("INSERT", turnID, m); err != nil {
			return err
		}
	}
	return nil
}

func (f folder) message(verb, turnID string, m koda.Message) error {
	plain, folded, err := f.text(m.Content)
	if err == nil {
		_, err = f.tx.ExecContext(f.ctx, verb+` INTO messages (project_id, id, turn_id, role, content, content_json, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			f.project, m.ID, textArg(turnID), m.Role, plain, folded, timeArg(m.Timestamp))
	}
	if err != nil {
		return fmt.Errorf("write message %s: %w", m.ID, err)
	}
	return nil
}

// turn inserts or updates a turn. If an earlier turn was cut short and still counts
// as running, it ended when the next turn began. Turns of outside agents go on beside all
// others.
func (f folder) turn(t koda.Turn) error {
	var failure, cost any
	plain, folded, err := f.text(t.Input)
	if err == nil && t.Cost != (koda.Cost{}) {
		cost, err = f.json(t.Cost)
	}
	if err == nil && t.Error != nil {
		failure, err = f.json(t.Error)
	}
	if err != nil {
		return fmt.Errorf("write turn %d: %w", t.Number, err)
	}
	_, err = f.tx.ExecContext(f.ctx, `INSERT INTO turns (id, project_id, number, kind, input, input_json, status, started_at, ended_at, error_json, cost_json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, input = excluded.input, input_json = excluded.input_json, status = excluded.status,
			started_at = excluded.started_at, ended_at = excluded.ended_at, error_json = excluded.error_json, cost_json = excluded.cost_json`,
		t.ID, f.project, t.Number, t.Kind, plain, folded, t.Status, timeArg(t.StartedAt), timeArg(t.EndedAt), failure, cost)
	if err != nil {
		return fmt.Errorf("write turn %d: %w", t.Number, err)
	}
	_, err = f.tx.ExecContext(f.ctx, `UPDATE turns SET status = 'failed', ended_at = ? WHERE project_id = ? AND number < ? AND status = 'running' AND kind <> 'agent' AND ? <> 'agent'`,
		timeArg(t.StartedAt), f.project, t.Number, t.Kind)
	if err != nil {
		return fmt.Errorf("end the turns before %d: %w", t.Number, err)
	}
	return nil
}

// versionFacts says how a version was made; it is the column made_json.
type versionFacts struct {
	Model         string       `json:"model,omitempty"`
	Own           []string     `json:"own,omitempty"`
	PromptDigest  string       `json:"promptDigest,omitempty"`
	RuntimeDigest string       `json:"runtimeDigest,omitempty"`
	Cost          koda.Cost    `json:"cost"`
	Origin        *koda.Origin `json:"origin,omitempty"`
}

// version replaces a version of the same number: a crash between the
// directory and the database lets the same version be recorded twice.
func (f folder) version(v koda.Version) error {
	plain, folded, err1 := f.text(v.Prompt)
	files, err2 := f.json(v.Files)
	made, err3 := f.json(versionFacts{v.Model, v.Own, v.PromptDigest, v.RuntimeDigest, v.Cost, v.Origin})
	if err := errors.Join(err1, err2, err3); err != nil {
		return fmt.Errorf("write version %d: %w", v.Number, err)
	}
	_, err := f.tx.ExecContext(f.ctx, `INSERT OR REPLACE INTO versions (project_id, number, parent, turn_id, prompt, prompt_json, author, phase, files_json, created_at, made_json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		f.project, v.Number, v.Parent, v.TurnID, plain, folded, v.Author, string(v.Phase), files, timeArg(v.CreatedAt), made)
	if err != nil {
		return fmt.Errorf("write version %d: %w", v.Number, err)
	}
	return nil
}

func (f folder) render(r koda.RenderRecord) error {
	var result any
	spec, err := f.json(r.Spec)
	if err == nil && r.Result != nil {
		result, err = f.json(r.Result)
	}
	if err != nil {
		return fmt.Errorf("write render %s: %w", r.ID, err)
	}
	_, err = f.tx.ExecContext(f.ctx, `INSERT INTO renders (id, project_id, version, kind, status, spec_json, result_json, error, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET status = excluded.status, spec_json = excluded.spec_json, result_json = excluded.result_json,
			error = excluded.error, updated_at = excluded.updated_at`,
		r.ID, f.project, r.Version, string(r.Kind), r.Status, spec, result, r.Error, timeArg(r.CreatedAt), timeArg(r.UpdatedAt))
	if err != nil {
		return fmt.Errorf("write render %s: %w", r.ID, err)
	}
	return nil
}

// seqOf is the number of a project's last event, or sql.ErrNoRows.
func seqOf(ctx context.Context, tx *sql.Tx, id string) (seq int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT seq FROM projects WHERE id = ?`, id).Scan(&seq)
	return seq, err
}

func userOf(p koda.Project) string {
	if p.UserID == "" {
		return koda.LocalUser
	}
	return p.UserID
}

func insertProject(ctx context.Context, tx *sql.Tx, p koda.Project, state []byte) error {
	if p.ID == "" || p.CreatedAt.IsZero() || p.UpdatedAt.IsZero() {
		return errors.New("write project: it has no id or no times")
	}
	folded, err := foldState(ctx, tx, p.ID, state)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO projects (id, user_id, name, dir, phase, prompt, author, sandbox_type, seq, created_at, updated_at, state_json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		p.ID, userOf(p), p.Name, p.Dir, string(p.Phase), p.Prompt, p.Author, p.SandboxType, p.Seq, timeArg(p.CreatedAt), timeArg(p.UpdatedAt), folded)
	if err != nil {
		return fmt.Errorf("write project: %w", err)
	}
	return nil
}

func updateProject(ctx context.Context, tx *sql.Tx, p koda.Project, state []byte) error {
	if p.UpdatedAt.IsZero() {
		return errors.New("write project: it has no time of change")
	}
	folded, err := foldState(ctx, tx, p.ID, state)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE projects SET name = ?, dir = ?, phase = ?, prompt = ?, author = ?, sandbox_type = ?, seq = ?, updated_at = ?, state_json = ? WHERE id = ?`,
		p.Name, p.Dir, string(p.Phase), p.Prompt, p.Author, p.SandboxType, p.Seq, timeArg(p.UpdatedAt), folded, p.ID)
	if err != nil {
		return fmt.Errorf("write project: %w", err)
	}
	return nil
}

// foldState is the stored form of a state, JSON null where there is no state. A
// state changes with every step, so texts that only occur in a state are not stored
// as contents.
func foldState(ctx context.Context, tx *sql.Tx, id string, state []byte) (any, error) {
	if len(state) == 0 {
		return "null", nil
	}
	folded, err := folder{ctx: ctx, tx: tx, project: id, refer: true}.json(json.RawMessage(state))
	if err != nil {
		return nil, fmt.Errorf("write state: %w", err)
	}
	return folded, nil
}

func notFound(op, id string) error {
	return &koda.Error{
		Code: koda.CodeNotFound, Op: op, Err: fmt.Errorf("there is no project with id %s", id),
		Hint: "koda list shows all projects",
	}
}

// Delete removes every row of a project. NOT_FOUND: there is no such project.
func (db *DB) Delete(ctx context.Context, id string) error {
	const op = "delete project"
	return db.write(ctx, op, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM projects WHERE id = ?`, id)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, notFound(op, id))
		}
		return nil
	})
}

// DeleteRender removes a render's row. NOT_FOUND: there is no such render.
func (db *DB) DeleteRender(ctx context.Context, projectID, id string) error {
	const op = "delete render"
	return db.write(ctx, op, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM renders WHERE project_id = ? AND id = ?`, projectID, id)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("%s: there is no %s", op, id)})
		}
		return nil
	})
}

// DeleteSessions removes the closed sessions last changed before that time.
func (db *DB) DeleteSessions(ctx context.Context, before time.Time) error {
	return db.write(ctx, "clean up sessions", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM sessions WHERE status = 'closed' AND updated_at < ?`, timeArg(before))
		return err
	})
}
