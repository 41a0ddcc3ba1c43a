package store

import (
	"context"
	"fmt"

	"github.com/koda-video/koda/internal/koda"
)

// Stats counts what the journal holds of a project, all read at one moment. A project that
// is not there has done nothing.
func (db *DB) Stats(ctx context.Context, projectID string) (s koda.Stats, err error) {
	err = db.read(ctx, "count what was done", func(u *unfolder) error {
		s = koda.Stats{}
		if _, err := query(ctx, u.q, func(row scanner) (t koda.Turn, err error) {
			if err = row.Scan(&t.Status, u.json(&t.Cost)); err == nil {
				s.Turns++
				s.Cost = s.Cost.Plus(t.Cost)
			}
			if t.Status == "failed" {
				s.FailedTurns++
			}
			return t, err
		}, `SELECT status, cost_json FROM turns WHERE project_id = ?`, projectID); err != nil {
			return fmt.Errorf("turns: %w", err)
		}
		if err := u.q.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE type = ?), count(*) FILTER (WHERE type = ?) FROM blocks WHERE project_id = ?`,
			string(koda.BlockModel), string(koda.BlockTool), projectID).Scan(&s.ModelCalls, &s.ToolCalls); err != nil {
			return fmt.Errorf("blocks: %w", err)
		}
		_, err := query(ctx, u.q, func(row scanner) (status string, err error) {
			var res *koda.RenderResult
			if err = row.Scan(&status, u.json(&res)); err == nil {
				s.AddRender(status, res)
			}
			return status, err
		}, `SELECT status, result_json FROM renders WHERE project_id = ? AND status <> 'running' ORDER BY rowid`, projectID)
		return err
	})
	return s, err
}
