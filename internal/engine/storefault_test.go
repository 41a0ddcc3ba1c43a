package engine_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// faulty is a database that takes a number of writes. The write after them fails, and
// if full is set all writes that follow fail too.
type faulty struct {
	engine.Store
	engine.Sessions
	left atomic.Int64
	full bool
}

func (s *faulty) fail() error {
	if n := s.left.Add(-1); n == -1 || n < -1 && s.full {
		return &koda.Error{Code: koda.CodeDiskFull, Op: "save project", Err: syscall.ENOSPC}
	}
	return nil
}

func (s *faulty) Create(ctx context.Context, c koda.Commit) error {
	if err := s.fail(); err != nil {
		return err
	}
	return s.Store.Create(ctx, c)
}

func (s *faulty) Commit(ctx context.Context, c koda.Commit) ([]koda.Event, error) {
	if err := s.fail(); err != nil {
		return nil, err
	}
	return s.Store.Commit(ctx, c)
}

func (s *faulty) SaveSession(ctx context.Context, session koda.Session) error {
	if err := s.fail(); err != nil {
		return err
	}
	return s.Sessions.SaveSession(ctx, session)
}

// TestStore_Fails: whichever write fails, the command ends with the error, and a
// command that follows goes on to the same video. A heartbeat that cannot be journaled
// holds up nobody.
func TestStore_Fails(t *testing.T) {
	t.Parallel()
	for _, full := range []bool{false, true} {
		t.Run(fmt.Sprintf("full %v", full), func(t *testing.T) {
			t.Parallel()
			failed := true
			for writes := int64(0); failed; writes += 3 {
				failed = failsAfter(t, writes, full)
			}
		})
	}
}

// failsAfter makes a project with a store that takes a number of writes, and reports
// whether a write failed.
func failsAfter(t *testing.T, writes int64, full bool) bool {
	t.Helper()
	b := newBench(t)
	b.limits.Checkpoint = 30 * time.Second
	disk := &faulty{full: full}
	b.tweak = func(cfg *engine.Config) {
		disk.Store, disk.Sessions = cfg.Store, cfg.Sessions
		cfg.Store, cfg.Sessions = disk, disk
	}
	b.open()
	b.author.before = func(n int, _ koda.Task) error {
		if n == 2 {
			b.clock.ring(30 * time.Second)
		}
		return nil
	}
	disk.left.Store(writes)
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
	failed := disk.left.Load() < 0
	if err == nil && out.State.Phase != koda.PhaseComplete || err != nil && (!failed || koda.CodeOf(err) != koda.CodeDiskFull) {
		t.Errorf("write %d failed %v: phase %s, %v", writes, failed, out.State.Phase, err)
	}
	if failed && err != nil && out.State.Phase != "" && koda.HintOf(err) == "" && out.State.Phase != koda.PhaseError {
		t.Errorf("write %d: no hint: %v", writes, err)
	}
	b.author.before = nil
	b.tweak = nil
	b.open()
	projects, err := b.engine.List(t.Context())
	if err != nil || len(projects) > 1 || len(projects) == 0 && writes > 0 {
		t.Fatalf("write %d: %d projects, %v", writes, len(projects), err)
	}
	for _, p := range projects {
		out = b.must(b.engine.Resume(t.Context(), p.ID, true))
		if out.State.Phase != koda.PhaseComplete || b.read(out.State.Output.VideoURL) != "video" {
			t.Errorf("write %d: phase %s", writes, out.State.Phase)
		}
		if got := b.read(p.Dir, "src", "todo2-1.ts"); got != "// Create Scene 1 (Intro) keyframes" {
			t.Errorf("write %d: the file holds %q", writes, got)
		}
	}
	return failed
}

// TestStore_FailsCall: an author that goes on although a call's answer could not be
// journaled makes no further call, and its step fails. A resume does the step again.
func TestStore_FailsCall(t *testing.T) {
	t.Parallel()
	b, _ := newSandboxBench(t)
	disk := &faulty{}
	disk.left.Store(1 << 20)
	b.tweak = func(cfg *engine.Config) {
		disk.Store, disk.Sessions = cfg.Store, cfg.Sessions
		cfg.Store, cfg.Sessions = disk, disk
	}
	b.open()
	var first, second error
	plain := b.author.work
	b.author.work = func(ctx context.Context, task koda.Task, desk tool.Desk) error {
		if task.Kind == koda.TaskSetup {
			return tool.WriteFile(ctx, desk, "src/old.ts", "x")
		}
		disk.left.Store(0)
		first = tool.WriteFile(ctx, desk, "src/first.ts", "1")
		second = tool.WriteFile(ctx, desk, "src/second.ts", "2")
		return nil
	}
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeDiskFull || koda.CodeOf(first) != koda.CodeDiskFull || koda.CodeOf(second) != koda.CodeDiskFull {
		t.Fatalf("the calls ended with %v and %v, the command with %v", first, second, err)
	}
	b.author.work = plain
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, true))
	if out.State.Phase != koda.PhaseComplete {
		t.Errorf("phase %s", out.State.Phase)
	}
	if _, made := b.tree(out.Project.Dir)["src/second.ts"]; made {
		t.Error("a call was made after the lost one")
	}
}
