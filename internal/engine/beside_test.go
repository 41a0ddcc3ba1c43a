package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// TestCalls_beside: a long command holds up no other call, no checkpoint and no
// message. After an interruption only that command is run again.
func TestCalls_beside(t *testing.T) {
	t.Parallel()
	b, p := newSandboxBench(t)
	b.limits.Checkpoint = time.Minute
	b.open()
	running, runs := make(chan struct{}, 2), 0
	free, writes, edited := make(chan struct{}), 0, make(chan (<-chan struct{}), 1)
	p.write = func(path string) error {
		if path == "src/a.ts" {
			if writes++; writes == 2 {
				edited <- b.next(koda.EventFileWritten)
			}
		}
		return nil
	}
	p.run = func(ctx context.Context) {
		runs++
		running <- struct{}{}
		select {
		case <-free:
		case <-ctx.Done():
		}
	}
	call := func(name, input string) tool.Call { return tool.Call{Name: name, Input: json.RawMessage(input)} }
	batch := []tool.Call{
		call(tool.NameSandboxWriteFile, `{"path":"src/a.ts","content":"x"}`),
		call(tool.NameSandboxRunCommand, `{"command":"make"}`),
		call(tool.NameEditFile, `{"path":"src/a.ts","old_string":"x","new_string":"ax"}`),
		call(tool.NameSandboxReadFile, `{"path":"src/a.ts"}`),
	}
	var results []tool.Result
	second := make(chan error, 2)
	b.author.work = func(ctx context.Context, task koda.Task, desk tool.Desk) error {
		if task.Kind != koda.TaskSetup {
			return nil
		}
		go func() {
			<-running
			if runs == 1 { // the command runs, and the edit is made
				for range 100 {
					desk.Show(koda.TextDelta{Text: "meanwhile"})
				}
				if err := tool.Think(ctx, desk, "Waiting"); err != nil {
					second <- err
					return
				}
				second <- tool.Say(ctx, desk, "meanwhile")
			}
		}()
		results = desk.Calls(ctx, batch)
		if err := ctx.Err(); err != nil {
			return err
		}
		if runs == 2 {
			return tool.Say(ctx, desk, "meanwhile")
		}
		return nil
	}
	done := make(chan error, 1)
	go func() {
		req := b.request("bouncing ball", true)
		req.Brief.Style = "playful"
		_, err := b.engine.New(t.Context(), req)
		done <- err
	}()
	if err := until(t, second, done); err != nil {
		t.Fatalf("a second call: %v", err)
	}
	<-<-edited
	projects, err := b.engine.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	id, dir := projects[0].ID, projects[0].Dir
	saved := b.next(koda.EventCheckpoint)
	b.clock.ring(time.Minute)
	<-saved
	if got := b.read(dir, "src", "a.ts"); got != "ax" {
		t.Errorf("saved %q while the command runs", got)
	}
	if _, err := b.engine.Say(t.Context(), id, "make it blue"); err != nil {
		t.Errorf("a message: %v", err)
	}
	if err := b.other.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := <-done; koda.CodeOf(err) != koda.CodeInterrupted {
		t.Fatal(err)
	}
	b.lose()
	b.open()
	close(free)
	out := b.must(b.engine.Resume(t.Context(), id, false))
	// The two writes and the message are in the journal. The read may be there, too.
	if out.State.Phase != koda.PhaseComplete || runs != 2 || out.Saved.Calls < 3 {
		t.Errorf("phase %s after %d runs, %d calls were answered from the journal", out.State.Phase, runs, out.Saved.Calls)
	}
	if got := b.read(dir, "src", "a.ts"); got != "ax" || !strings.Contains(string(results[3].Output), `"content":"ax"`) {
		t.Errorf("the file is %q, the author read %s", got, results[3].Output)
	}
}
