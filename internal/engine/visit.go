package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/control"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/sandbox"
)

// lookIn is how often a visit saves what the person changed, and prolongs the sandbox's
// life. If looking takes long, the visit looks less often: a share of lookShare of the time.
const (
	lookIn    = 2 * time.Second
	lookShare = 20
)

// lastSave is how long a visit may save at its end, while nobody ends koda.
const lastSave = 2 * time.Minute

// Visit lends a person the sandbox of a project for the length of use. If nobody works on
// the project, the sandbox first gets what was changed in the project's directory. If there
// is no sandbox, Visit makes one of the project's files, and removes it afterwards, unless
// somebody works in it then, or it holds what could not be saved.
//
// What is changed in the sandbox meanwhile, but by the author, is the person's: every few
// seconds, and at the end, it is copied into the project's directory, where it counts as
// edited there. If this process is killed, whoever opens the project next copies the rest.
// Warn tells at the end what was not copied, and why.
//
// COMMAND_BLOCKED: the project's sandboxes run no commands. IN_USE: somebody works on the
// project and has no sandbox yet.
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
	v := &visit{e: e, id: id, leave: func() {}}
	made, err := v.begin(ctx, p)
	defer func() { v.leave() }()
	if err != nil {
		return err
	}
	unsaved, err := v.during(ctx, use)
	if told := v.told(); told != "" {
		warn(told)
	}
	switch {
	case !made:
		return err
	case unsaved:
		warn(fmt.Sprintf("the sandbox stays for a while with what could not be saved: koda shell %s", p.Name))
		return err
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastMoment)
	defer cancel()
	return errors.Join(err, e.vacate(last, id, v.sb.ID()))
}

// visit is a person's time in a sandbox.
type visit struct {
	e     *Engine
	id    string
	sb    sandbox.Sandbox
	leave func()
	base  map[string]string   // digests of the sandbox's files when they were looked at last
	seq   int64               // the last durable event at that time
	odd   map[string]leftOver // what was not kept at the beginning

	brought map[string]bool     // what the person changed, by path
	rivals  map[string]bool     // what was changed in the directory as well
	left    map[string]leftOver // what is not kept
	deaf    error               // why the author may not hear of the changes
}

// begin finds or makes the sandbox. While it does, the visit holds the project. Whoever
// works on the project brings edits into the sandbox: then the visit joins without.
func (v *visit) begin(ctx context.Context, p koda.Project) (made bool, err error) {
	r, err := v.e.openBy(ctx, v.id, v.e.cfg.Storage.Hold)
	busy := koda.CodeOf(err) == koda.CodeInUse
	if err != nil && !busy {
		return false, err
	}
	left, failed := v.e.enter(p)
	if failed == nil {
		v.leave = left
	}
	if busy {
		used, sb, gone := v.e.sandboxOf(ctx, p)
		if failed != nil || gone != nil || used == "" {
			return false, errors.Join(failed, err)
		}
		v.sb = sb
		return false, v.start(ctx)
	}
	defer func() { err = closed(r, err) }()
	if failed != nil {
		return false, failed
	}
	r.visits.Store(true)
	if err := r.connect(ctx); err != nil {
		return false, err
	}
	if r.sb != nil && r.state.Pending == nil && r.outdated(ctx, r.sb, 1) {
		if err := r.suspend(ctx); err != nil {
			return false, err
		}
	}
	if made = r.sb == nil; made {
		session, _, err := r.session(ctx)
		if err == nil {
			r.sb, err = r.createSandbox(ctx, session)
		}
		if err != nil {
			return false, err
		}
	}
	v.sb = r.sb
	r.apart(func() { err = v.start(ctx) })
	if err != nil || made {
		return made, err
	}
	last, err := v.e.cfg.Storage.ReadState(r.project.Dir)
	if err == nil {
		err = r.renew(ctx, v, last.Files)
	}
	return made, err
}

// start looks at the sandbox for the first time.
func (v *visit) start(ctx context.Context) error {
	tree, left, err := v.look(ctx)
	if err != nil {
		return err
	}
	v.base, v.odd = digests(tree), left
	if _, v.seq, err = v.e.authorsSince(ctx, v.id, 0); err != nil {
		return err
	}
	return v.agree()
}

// look reads what of the sandbox the project can have, and what it cannot.
func (v *visit) look(ctx context.Context) (tree map[string][]byte, left map[string]leftOver, err error) {
	tree, left, err = keepable(ctx, v.sb, v.base)
	if err != nil {
		return nil, nil, err
	}
	names, err := v.sb.Unlisted(ctx)
	for _, name := range names {
		left[name] = leftOver{why: leftNoFile}
	}
	if koda.CodeOf(err) == koda.CodeProviderError { // the guest of an older koda
		err = nil
	}
	return tree, left, err
}

func (v *visit) agree() error {
	return v.e.agree(v.id, agreed{Sandbox: v.sb.ID(), Seq: v.seq, Files: v.base})
}

func digests(tree map[string][]byte) map[string]string {
	all := make(map[string]string, len(tree))
	for path, data := range tree {
		all[path] = contentDigest(data)
	}
	return all
}

// vacate removes a sandbox without a checkpoint: what was changed in it is saved. If
// somebody works in the sandbox, it stays.
func (e *Engine) vacate(ctx context.Context, id, sandboxID string) (err error) {
	r, err := e.openBy(ctx, id, e.cfg.Storage.Hold)
	if koda.CodeOf(err) == koda.CodeInUse {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = closed(r, err) }()
	r.visits.Store(true)
	if err := r.connect(ctx); err != nil || r.sb == nil || r.sb.ID() != sandboxID || r.state.Pending != nil || len(e.visitors(id)) > 1 {
		return err
	}
	if err := r.destroySandbox(ctx); err != nil || r.state.Node.SandboxID != sandboxID {
		return err
	}
	return r.step(ctx, phase.Suspended{Stamp: phase.Stamp{At: r.state.Node.UpdatedAt}}, with{})
}

// during lets the person use the sandbox. What they change is saved now and then, and at
// the end. Unsaved: something is left in the sandbox that belongs into the project.
func (v *visit) during(ctx context.Context, use func(context.Context, sandbox.Sandbox) error) (unsaved bool, err error) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for pause := lookIn; ; {
			beat := v.e.alarm(pause)
			select {
			case <-over:
				beat.off()
				return
			case <-beat.c:
			}
			began := v.e.cfg.Now()
			_ = v.sb.Touch(ctx) //nolint:errcheck // the person's next key meets the same error
			_ = v.save(ctx)     //nolint:errcheck // it is tried again, and at the end
			pause = max(lookIn, lookShare*v.e.cfg.Now().Sub(began))
		}
	}()
	err = use(ctx, installing{v.sb, v.e.cfg.Packages})
	close(over)
	<-done
	atMost := lastSave
	if ctx.Err() != nil {
		atMost = lastMoment
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), atMost)
	defer cancel()
	failed := v.save(last)
	for path, l := range v.left {
		if v.odd[path] == l {
			delete(v.left, path)
		} else {
			unsaved = unsaved || l.mine()
		}
	}
	gone := koda.CodeOf(failed) == koda.CodeSandboxNotFound
	if gone {
		failed = &koda.Error{
			Code: koda.CodeSandboxNotFound, Op: "the sandbox ended, and with it what was changed in it in the last seconds", Err: failed,
			Hint: "the next koda shell makes another one, of the project's files",
		}
		if koda.CodeOf(err) == koda.CodeSandboxNotFound { // it says the same
			err = nil
		}
	}
	return unsaved || failed != nil && !gone, errors.Join(err, failed)
}

// save copies what the person changed since the last time into the project's directory.
func (v *visit) save(ctx context.Context) error {
	now, left, err := v.look(ctx)
	if err != nil {
		return err
	}
	v.left = left
	have := digests(now)
	if _, known := v.e.agreement(v.id); known && maps.Equal(have, v.base) {
		return nil
	}
	authors, seq, err := v.e.authorsSince(ctx, v.id, v.seq)
	if err != nil {
		return err
	}
	p, _, err := v.e.cfg.Store.Load(ctx, v.id)
	if err != nil {
		return err
	}
	changes := v.changes(now, have, authors)
	if len(changes) > 0 {
		kept, err := v.e.cfg.Storage.Bring(p.Dir, changes, v.base)
		if err != nil {
			return err
		}
		for _, path := range kept {
			note(&v.rivals, path)
		}
	}
	v.base, v.seq = have, seq
	if err := v.agree(); err != nil || len(changes) == 0 || v.e.cfg.Sockets == "" {
		return err
	}
	// Whoever works in the sandbox may save these files before it looks at the directory.
	paths := make([]string, len(changes))
	for i, c := range changes {
		paths[i] = c.Path
		note(&v.brought, c.Path)
	}
	if err := control.Edited(ctx, v.e.cfg.Sockets, v.id, paths); err != nil && !errors.Is(err, control.ErrNobody) {
		v.deaf = err
	}
	return nil
}

func note(set *map[string]bool, path string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[path] = true
}

// changes are what differs from the base, but for what authors wrote. A file that is
// there and is not kept is not deleted.
func (v *visit) changes(now map[string][]byte, have map[string]string, authors []string) (changes []koda.FileChange) {
	wrote := map[string]bool{}
	for _, path := range authors {
		wrote[path] = true
	}
	for _, path := range sortedKeys(v.base) {
		if _, there := v.left[path]; have[path] == "" && !there && !wrote[path] {
			changes = append(changes, koda.FileChange{Path: path, Deleted: true})
		}
	}
	for _, path := range sortedKeys(have) {
		if have[path] != v.base[path] && !wrote[path] {
			changes = append(changes, koda.FileChange{Path: path, Data: now[path]})
		}
	}
	return changes
}

// told is what the person must know of a visit; "" for nothing.
func (v *visit) told() string {
	var all []string
	if rivals := sortedKeys(v.rivals); len(rivals) > 0 {
		all = append(all, someOf(rivals)+": changed in the project's directory as well, and left as it is there; the sandbox's texts are in .koda/conflicts")
	}
	if left := tellLeft(v.left); left != "" {
		all = append(all, "not kept in the project: "+left)
	}
	if v.deaf != nil {
		all = append(all, fmt.Sprintf("the author may not hear of what you changed: %v", v.deaf))
	}
	return strings.Join(all, "; ")
}
