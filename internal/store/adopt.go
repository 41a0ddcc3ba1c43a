package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/koda-video/koda/internal/koda"
)

// Adopt makes the database agree with the state file of a project's directory
// and returns the project's new row. s.Project.Dir is the directory the file was
// read from; versions are the versions the directory holds.
//
//   - A project the database does not know is inserted with its state, messages
//     and versions. Its turns, blocks, renders and past events are gone.
//   - A state file with a higher sequence than the row replaces row and state:
//     the database is older than the file. Effects that the row had begun are
//     dropped, as the file has overtaken them. The steps are dropped too, as they
//     no longer lead to the state. The caller begins again what the state still
//     wants done.
//   - Otherwise the row stays, except for a changed directory or name.
//
// If the row's directory still holds a living copy, the project at hand is a fork.
// The caller checks that first.
func (db *DB) Adopt(ctx context.Context, s koda.StateFile, versions ...koda.Version) (koda.Project, error) {
	op := fmt.Sprintf("adopt project %q", s.Project.Name)
	p := s.Project
	p.UserID, p.Seq = koda.LocalUser, s.Seq // whoever adopts it: a file says nothing of whose it is
	if p.ID == "" || p.Dir == "" || len(s.Machine) == 0 {
		return koda.Project{}, &koda.Error{
			Code: koda.CodeStorageFailed, Op: op, Err: errors.New("its state file is incomplete"),
			Hint: "delete .koda in its directory and start anew with koda new",
		}
	}
	err := db.write(ctx, op, func(tx *sql.Tx) error {
		if err := db.remember(p.Dir); err != nil {
			return err
		}
		row, err := scanProject(tx.QueryRowContext(ctx, `SELECT `+projectColumns+` FROM projects WHERE id = ?`, p.ID))
		switch {
		case errors.Is(err, sql.ErrNoRows):
			if err := insertProject(ctx, tx, p, s.Machine); err != nil {
				return err
			}
		case err != nil:
			return err
		case row.Seq >= s.Seq:
			row.Name, row.Dir = p.Name, p.Dir
			p = row
			_, err := tx.ExecContext(ctx, `UPDATE projects SET name = ?, dir = ? WHERE id = ?`, p.Name, p.Dir, p.ID)
			return err
		default:
			p.CreatedAt, p.UserID = row.CreatedAt, row.UserID
			if err := updateProject(ctx, tx, p, s.Machine); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM effects WHERE project_id = ? AND done = 0`, p.ID); err != nil {
				return fmt.Errorf("drop overtaken effects: %w", err)
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM steps WHERE project_id = ?`, p.ID); err != nil {
				return fmt.Errorf("drop overtaken steps: %w", err)
			}
		}
		return adoptHistory(ctx, tx, p.ID, s.Messages, versions)
	})
	if err != nil {
		return koda.Project{}, err
	}
	return p, nil
}

func adoptHistory(ctx context.Context, tx *sql.Tx, id string, messages []koda.Message, versions []koda.Version) error {
	f := folder{ctx: ctx, tx: tx, project: id}
	for _, m := range messages {
		if err := f.message("INSERT OR IGNORE", "", m); err != nil {
			return err
		}
	}
	for _, v := range versions {
		if err := f.version(v); err != nil {
			return err
		}
	}
	return nil
}
