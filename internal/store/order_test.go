package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/koda"
)

// TestMessages_InOrder: each project's messages are read in the order in which they
// were said, however the clock runs. A database that lost some or all of them gets
// them back from the state file.
func TestMessages_InOrder(t *testing.T) {
	t.Parallel()
	db, ctx := openAt(t, filepath.Join(atomicfiletest.Dir(t), "koda.db")), t.Context()
	read := func(t *rapid.T, id string) []koda.Message {
		got, err := db.Messages(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	cases := 0
	rapid.Check(t, func(t *rapid.T) {
		cases++
		projects := make([]koda.Project, 2)
		said, seq := make([][]koda.Message, 2), make([]int64, 2)
		for i := range projects {
			projects[i] = project(fmt.Sprintf("p%d-%d", cases, i), "ball")
			if err := db.Create(ctx, first(projects[i])); err != nil {
				t.Fatal(err)
			}
			p, _, err := db.Load(ctx, projects[i].ID)
			if err != nil {
				t.Fatal(err)
			}
			seq[i], said[i] = p.Seq, read(t, p.ID)
		}
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			i := rapid.IntRange(0, 1).Draw(t, "project")
			var batch []koda.Message
			for range rapid.IntRange(0, 4).Draw(t, "messages") {
				batch = append(batch, koda.Message{
					ID: fmt.Sprint("said", len(said[i])+len(batch)), Role: rapid.SampledFrom([]string{koda.RoleUser, koda.RoleAssistant, koda.RoleSystem}).Draw(t, "role"),
					Content: rapid.String().Draw(t, "content"), Timestamp: t0.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "time")) * time.Second),
				})
			}
			events, err := db.Commit(ctx, koda.Commit{
				Project: projects[i], Prev: seq[i], At: t0, State: []byte("{}"), Messages: batch,
				Events: []koda.Event{{Schema: 1, Type: koda.EventStateChange, Payload: koda.StateChange{}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			seq[i] += int64(len(events))
			said[i] = append(said[i], batch...)
		}
		for i, p := range projects {
			if diff := cmp.Diff(said[i], read(t, p.ID)); diff != "" {
				t.Fatalf("project %d (-said +read):\n%s", i, diff)
			}
			lost := rapid.IntRange(0, len(said[i])).Draw(t, "lost")
			if err := db.Exec(ctx, `DELETE FROM messages WHERE project_id = ? AND n NOT IN (SELECT n FROM messages WHERE project_id = ? ORDER BY n LIMIT ?)`,
				p.ID, p.ID, len(said[i])-lost); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Adopt(ctx, koda.StateFile{
				Schema: 1, Project: p, Seq: seq[i] + 1, Machine: []byte("{}"), Messages: said[i],
			}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(said[i], read(t, p.ID)); diff != "" {
				t.Fatalf("project %d after losing %d (-said +read):\n%s", i, lost, diff)
			}
		}
	})
}
