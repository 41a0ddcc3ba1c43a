package store_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/store"
)

// child is the work of a re-executed test binary.
func child(mode, path, id string) error {
	ctx := context.Background()
	db, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // the process ends
	switch mode {
	case "open":
		return nil
	case "loop": // until killed
		for {
			seq, err := advance(ctx, db, id)
			if err != nil {
				return err
			}
			fmt.Println(seq)
		}
	case "contend": // a project of its own and a project shared with others
		if err := db.Create(ctx, first(project(id, id))); err != nil {
			return err
		}
		if err := db.Create(ctx, first(project("shared", "shared"))); err != nil && koda.CodeOf(err) != koda.CodeExists {
			return err
		}
		for range 15 {
			if _, err := advance(ctx, db, id); err != nil {
				return err
			}
			for {
				_, err := advance(ctx, db, "shared")
				if err == nil {
					break
				}
				if koda.CodeOf(err) != koda.CodeInUse {
					return err
				}
			}
		}
		return nil
	}
	return fmt.Errorf("unknown mode %q", mode)
}

// advance makes one step that touches many tables: two events, an effect that
// begins, the effect before it that is done, a message and a block, all derived
// from seq.
func advance(ctx context.Context, db *store.DB, id string) (int64, error) {
	p, _, err := db.Load(ctx, id)
	if err != nil {
		return 0, err
	}
	n := p.Seq
	c := koda.Commit{
		Project: p, Prev: n, At: t0, State: json.RawMessage(strconv.FormatInt(n+2, 10)),
		Events: []koda.Event{
			{Type: koda.EventMessage, Payload: koda.MessageAdded{Content: fmt.Sprint(n)}},
			{Type: koda.EventTodoUpdate, Payload: koda.TodoUpdate{TodoID: fmt.Sprint(n)}},
		},
		Begun:    []koda.Effect{{ID: fmt.Sprint("e", n+2)}},
		Done:     []string{fmt.Sprint("e", n)},
		Blocks:   []koda.Block{{ID: fmt.Sprint(id, n), TurnID: id, Number: int(n), Content: n}},
		Messages: []koda.Message{{ID: fmt.Sprint(n)}},
	}
	if _, err := db.Commit(ctx, c); err != nil {
		return 0, err
	}
	return n + 2, nil
}

// consistent checks the invariants of every step and returns the last sequence.
func consistent(t *testing.T, db *store.DB, id string) int64 {
	t.Helper()
	ctx := t.Context()
	p, state, err := db.Load(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	steps := (p.Seq - 1) / 2
	if steps > 0 && string(state) != strconv.FormatInt(p.Seq, 10) {
		t.Errorf("state %s at event %d", state, p.Seq)
	}
	events, err := db.Events(ctx, id, 0)
	if err != nil || int64(len(events)) != p.Seq {
		t.Errorf("%d events, %v, want %d", len(events), err, p.Seq)
	}
	for i, e := range events {
		if e.Seq != int64(i)+1 {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
	}
	begun, err := db.Begun(ctx, id)
	if err != nil || len(begun) != int(min(steps, 1)) || (len(begun) == 1 && begun[0].ID != fmt.Sprint("e", p.Seq)) {
		t.Errorf("begun at event %d: %v, %v", p.Seq, begun, err)
	}
	blocks, err1 := db.Blocks(ctx, id)
	messages, err2 := db.Messages(ctx, id)
	if err1 != nil || err2 != nil || int64(len(blocks)) != steps || int64(len(messages)) != steps {
		t.Errorf("%d blocks, %d messages, %v %v, want %d each", len(blocks), len(messages), err1, err2, steps)
	}
	if err := db.IntegrityCheck(ctx); err != nil {
		t.Error(err)
	}
	return p.Seq
}

func start(t *testing.T, mode, path, id, failAt string) (*exec.Cmd, *bufio.Scanner, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STORE_CHILD="+mode, "STORE_PATH="+path, "STORE_PROJECT="+id, "KODA_FAILPOINT="+failAt)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out), &stderr
}

// TestDB_Killed kills a committing process again and again, before and after a
// commit and at random moments, and checks the database it leaves.
func TestDB_Killed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "koda.db")
	db := openAt(t, path)
	create(t, db, project("p1", "ball"))
	last := int64(1)
	for _, kill := range []struct {
		failAt string  // named crash point
		after  int     // otherwise: kill after this many acknowledged commits
		beyond []int64 // how many events may be there beyond the acknowledged events
	}{
		{failAt: "store.commit.before", beyond: []int64{0}},
		{failAt: "store.commit.after", beyond: []int64{2}},
		{failAt: "store.commit.before:5", beyond: []int64{0}},
		{failAt: "store.commit.after:5", beyond: []int64{2}},
		{after: 1}, {after: 2}, {after: 4}, {after: 7}, {after: 11}, {after: 16},
	} {
		cmd, lines, stderr := start(t, "loop", path, "p1", kill.failAt)
		acked, commits := last, 0
		for lines.Scan() {
			n, err := strconv.ParseInt(lines.Text(), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			acked = n
			if commits++; commits == kill.after {
				_ = cmd.Process.Kill() // its end shows in Wait
			}
		}
		_ = cmd.Wait() // ends by signal, checked next
		if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || ws.Signal() != syscall.SIGKILL {
			t.Fatalf("%+v: child ended with %v: %s", kill, cmd.ProcessState, stderr)
		}
		last = consistent(t, openAt(t, path), "p1")
		if n := last - acked; n != 0 && n != 2 || len(kill.beyond) > 0 && n != kill.beyond[0] {
			t.Errorf("%+v: acknowledged %d, found %d", kill, acked, last)
		}
	}
}

// TestDB_Processes opens one new database from several processes at once.
func TestDB_Processes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "koda.db")
	const n = 4
	cmds := make([]*exec.Cmd, n)
	errs := make([]*bytes.Buffer, n)
	for i := range n {
		cmds[i], _, errs[i] = start(t, "contend", path, fmt.Sprint("p", i), "")
	}
	db := openAt(t, path)
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process %d: %v: %s", i, err, errs[i])
		}
		if got := consistent(t, db, fmt.Sprint("p", i)); got != 31 {
			t.Errorf("process %d wrote up to event %d, want 31", i, got)
		}
	}
	if got := consistent(t, db, "shared"); got != 1+2*15*n {
		t.Errorf("the shared project stands at event %d, want %d", got, 1+2*15*n)
	}
}

func TestDB_Goroutines(t *testing.T) {
	t.Parallel()
	db := open(t)
	create(t, db, project("shared", "shared"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for done := 0; done < 5; {
				_, err := advance(t.Context(), db, "shared")
				switch {
				case err == nil:
					done++
				case koda.CodeOf(err) != koda.CodeInUse:
					t.Error(err)
					return
				}
				if _, err := db.List(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := consistent(t, db, "shared"); got != 41 {
		t.Errorf("stands at event %d, want 41", got)
	}
}
