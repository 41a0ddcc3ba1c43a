package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/control"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
)

// lookIn is how often a visit saves what the person changed, and prolongs the sandbox's
// life.
const lookIn = 15 * time.Second

// Visit lends a person the sandbox of a project for the length of use. A sandbox that runs
// is joined without a lock, whoever works in it. If none runs, Visit makes one of the
// project's files, and removes it afterwards, unless somebody works in it then.
//
// What is changed in the sandbox meanwhile, but by the author, is the person's: it is
// copied into the project's directory, where it counts as edited there. Warn tells what
// could not be copied.
//
// COMMAND_BLOCKED: the project's sandboxes run no commands.
func (e *Engine) Visit(ctx context.Context, id string, warn func(string), use func(context.Context, sandbox.Sandbox) error) error {
	p, _, err := e.cfg.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	if sandbox.Kind(p.SandboxType) == sandbox.Local {
		return &koda.Error{
			Code: koda.CodeCommandBlocked, Op: fmt.Sprintf("%s lives on this machine and has no shell of its own", p.Name), Hint: "its files are yours to edit: cd " + p.Dir,
		}
	}
	left, err := e.enter(p)
	if err != nil {
		return err
	}
	defer left()
	sandboxID, sb, err := e.sandboxOf(ctx, p)
	made := sandboxID == "" || koda.CodeOf(err) == koda.CodeSandboxNotFound
	if made {
		sb, err = e.furnish(ctx, id)
	}
	if err != nil {
		return err
	}
	v := &visit{e: e, id: id, sb: sb, warn: warn, told: true}
	var saved map[string][]byte
	if !made {
		saved, err = e.meet(ctx, id, sandboxID)
	}
	if err == nil {
		v.base, err = v.look(ctx)
	}
	if err == nil {
		v.unsaved(saved)
		v.stray, v.told = v.strays(ctx), false
		v.seq, err = e.newest(ctx, id)
	}
	if err == nil {
		err = v.during(ctx, use)
	}
	if !made {
		return err
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastMoment)
	defer cancel()
	return errors.Join(err, e.vacate(last, id, sb.ID()))
}

// newest is the number of the project's last durable event.
func (e *Engine) newest(ctx context.Context, id string) (int64, error) {
	p, _, err := e.cfg.Store.Load(ctx, id)
	return p.Seq, err
}

// furnish makes a sandbox of the project's files, which the session remembers. The project
// is free again when it returns, and stands where it stood.
func (e *Engine) furnish(ctx context.Context, id string) (sb sandbox.Sandbox, err error) {
	r, err := e.open(ctx, id)
	if err != nil {
		return nil, err
	}
	defer func() { err = closed(r, err) }()
	session, _, err := r.session(ctx)
	if err != nil {
		return nil, err
	}
	return r.createSandbox(ctx, session)
}

// meet brings what the person edited in the project's directory into a sandbox in which
// nobody works, and returns the files of the directory. If somebody works in it, or work was
// begun in it, the result is nil: they bring the edits.
func (e *Engine) meet(ctx context.Context, id, sandboxID string) (saved map[string][]byte, err error) {
	r, err := e.open(ctx, id)
	if koda.CodeOf(err) == koda.CodeInUse {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = closed(r, err) }()
	if err := r.connect(ctx); err != nil || r.sb == nil || r.sb.ID() != sandboxID || r.state.Pending != nil {
		return nil, err
	}
	if _, err := r.carryEdits(ctx); err != nil {
		return nil, err
	}
	return r.lastTree()
}

// vacate removes a sandbox without a checkpoint: what was changed in it is saved. If
// somebody works in the sandbox, it stays.
func (e *Engine) vacate(ctx context.Context, id, sandboxID string) (err error) {
	r, err := e.open(ctx, id)
	if koda.CodeOf(err) == koda.CodeInUse {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = closed(r, err) }()
	if err := r.connect(ctx); err != nil || r.sb == nil || r.sb.ID() != sandboxID || r.state.Pending != nil {
		return err
	}
	if err := r.destroySandbox(ctx); err != nil || r.state.Node.SandboxID != sandboxID {
		return err
	}
	return r.step(ctx, phase.Suspended{Stamp: phase.Stamp{At: r.state.Node.UpdatedAt}}, with{})
}

// visit is a person's time in a sandbox.
type visit struct {
	e    *Engine
	id   string
	sb   sandbox.Sandbox
	warn func(string)
	base map[string][]byte // the sandbox's files when they were looked at last
	seq  int64             // the last durable event at that time

	stray []string // files at the beginning that are no project's
	told  bool     // that files are left out
}

// unsaved takes what is in the sandbox and not in the directory's files for changes of the
// person: a visit before may have been killed. What the sandbox lacks is no change.
func (v *visit) unsaved(saved map[string][]byte) {
	if saved == nil {
		return
	}
	for path, data := range v.base {
		if old, ok := saved[path]; !ok {
			delete(v.base, path)
		} else if !bytes.Equal(old, data) {
			v.base[path] = old
		}
	}
}

// during lets the person use the sandbox. What they change is saved now and then, and at
// the end.
func (v *visit) during(ctx context.Context, use func(context.Context, sandbox.Sandbox) error) error {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			beat := v.e.alarm(lookIn)
			select {
			case <-over:
				beat.off()
				return
			case <-beat.c:
			}
			_ = v.sb.Touch(ctx) //nolint:errcheck // the person's next key meets the same error
			_ = v.save(ctx)     //nolint:errcheck // it is tried again, and at the end
		}
	}()
	err := use(ctx, v.sb)
	close(over)
	<-done
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastMoment)
	defer cancel()
	failed := v.save(last)
	v.tellStrays(last)
	if koda.CodeOf(failed) == koda.CodeSandboxNotFound {
		failed = &koda.Error{Code: koda.CodeSandboxNotFound, Op: "the sandbox ended, and with it what was changed in it in the last seconds", Err: failed}
	}
	return errors.Join(err, failed)
}

// save copies what the person changed since the last time into the project's directory.
func (v *visit) save(ctx context.Context) error {
	events, err := v.e.cfg.Journal.Events(ctx, v.id, v.seq)
	if err != nil {
		return err
	}
	p, _, err := v.e.cfg.Store.Load(ctx, v.id)
	if err != nil {
		return err
	}
	now, err := v.look(ctx)
	if err != nil {
		return err
	}
	var authors []string
	for _, ev := range events {
		v.seq = max(v.seq, ev.Seq)
		if w, ok := ev.Payload.(koda.FileWritten); ok {
			authors = append(authors, w.Path)
		}
	}
	var changes []koda.FileChange
	for _, path := range sortedKeys(now) {
		if old, ok := v.base[path]; !slices.Contains(authors, path) && !(ok && bytes.Equal(old, now[path])) {
			changes = append(changes, koda.FileChange{Path: path, Data: now[path]})
		}
	}
	for _, path := range sortedKeys(v.base) {
		if _, ok := now[path]; !ok && !slices.Contains(authors, path) {
			changes = append(changes, koda.FileChange{Path: path, Deleted: true})
		}
	}
	if len(changes) > 0 {
		kept, err := v.e.cfg.Storage.Bring(p.Dir, v.base, changes)
		if err != nil {
			return err
		}
		for _, path := range kept {
			v.warn(fmt.Sprintf("%s was changed in the project's directory as well, and stays as it is there; the sandbox's text is in .koda/conflicts", path))
		}
	}
	v.base = now
	if len(changes) == 0 || v.e.cfg.Sockets == "" {
		return nil
	}
	// Whoever works in the sandbox may save these files before it looks at the directory.
	paths := make([]string, len(changes))
	for i, c := range changes {
		paths[i] = c.Path
	}
	if err := control.Edited(ctx, v.e.cfg.Sockets, v.id, paths); err != nil && !errors.Is(err, control.ErrNobody) {
		v.warn(fmt.Sprintf("the author may not hear of what you changed: %v", err))
	}
	return nil
}

// visitMark is the end of the names of files that say that a person is in a sandbox:
// PROJECT.PID.STARTED.visit, in the directory of the sockets.
const visitMark = ".visit"

// enter says that a person is in the sandbox of a project, so that nobody puts it away.
func (e *Engine) enter(p koda.Project) (leave func(), err error) {
	if e.cfg.Sockets == "" {
		return func() {}, nil
	}
	if err := os.MkdirAll(e.cfg.Sockets, 0o700); err != nil {
		return nil, fmt.Errorf("note the visit: %w", err)
	}
	name := filepath.Join(e.cfg.Sockets, fmt.Sprintf("%s.%d.%s%s", p.ID, os.Getpid(), proc.Started(os.Getpid()), visitMark))
	if err := atomicfile.Write(name, nil, 0o600); err != nil {
		return nil, fmt.Errorf("note the visit: %w", err)
	}
	return func() { _ = os.Remove(name) }, nil //nolint:errcheck // without its process it means nothing
}

// visited reports whether a person is in the sandbox of a project.
func (e *Engine) visited(id string) bool {
	names, err := filepath.Glob(filepath.Join(e.cfg.Sockets, id+".*"+visitMark))
	if err != nil || e.cfg.Sockets == "" {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool {
		var pid int
		rest := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), id+"."), visitMark)
		number, started, _ := strings.Cut(rest, ".")
		if _, err := fmt.Sscan(number, &pid); err == nil && proc.Lives(pid, started) {
			return true
		}
		_ = os.Remove(name) //nolint:errcheck // its process is gone
		return false
	})
}
