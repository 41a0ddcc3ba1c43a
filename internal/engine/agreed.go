package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
)

// agreed is what a sandbox and the project's directory both held when a visit compared
// them last. It lies in a file beside the sockets, so whoever opens the project after the
// visit, or after its process was killed, knows which of the two changed since.
type agreed struct {
	Sandbox string            `json:"sandbox"`
	Seq     int64             `json:"seq"`   // of the last durable event then
	Files   map[string]string `json:"files"` // digests by path
}

// The files of visits, in the directory of the sockets: PROJECT.agreed, and
// PROJECT.PID.STARTED.visit while a person is in the sandbox of a project.
const (
	agreedMark = ".agreed"
	visitMark  = ".visit"
)

func (e *Engine) agreement(id string) (a agreed, ok bool) {
	if e.cfg.Sockets == "" {
		return a, false
	}
	data, err := projectfs.ReadFile(e.cfg.Sockets, id+agreedMark)
	return a, err == nil && json.Unmarshal(data, &a) == nil
}

func (e *Engine) agree(id string, a agreed) error {
	if e.cfg.Sockets == "" {
		return nil
	}
	data, err := json.Marshal(a)
	if err == nil {
		err = atomicfile.Write(filepath.Join(e.cfg.Sockets, id+agreedMark), data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("note what the sandbox holds: %w", err)
	}
	return nil
}

// disagree forgets an agreement: the last checkpoint says it better, or there is no
// sandbox.
func (e *Engine) disagree(id string) {
	if e.cfg.Sockets != "" {
		_ = os.Remove(filepath.Join(e.cfg.Sockets, id+agreedMark)) //nolint:errcheck // there is usually none
	}
}

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
	return func() { _ = os.Remove(name) }, nil //nolint:errcheck // whoever comes next finds nothing to save
}

// marks are the marks of visits, of a project or with "*" of all.
func (e *Engine) marks(id string) (living, dead []mark) {
	if e.cfg.Sockets == "" {
		return nil, nil
	}
	names, err := filepath.Glob(filepath.Join(e.cfg.Sockets, id+".*.*"+visitMark))
	if err != nil {
		return nil, nil
	}
	for _, name := range names {
		m := mark{file: name}
		parts := strings.SplitN(strings.TrimSuffix(filepath.Base(name), visitMark), ".", 3)
		m.project = parts[0]
		if _, err := fmt.Sscan(parts[1], &m.pid); err == nil && proc.Lives(m.pid, parts[2]) {
			living = append(living, m)
		} else {
			dead = append(dead, m)
		}
	}
	return living, dead
}

type mark struct {
	file, project string
	pid           int
}

// visitors are the processes of the people who are in the sandbox of a project.
func (e *Engine) visitors(id string) (pids []int) {
	living, _ := e.marks(id)
	for _, m := range living {
		pids = append(pids, m.pid)
	}
	return pids
}

// opening is the error of a project that a visit holds while it begins or ends; nil if no
// visit does.
func (e *Engine) opening(p koda.Project) error {
	pids := e.visitors(p.ID)
	if len(pids) == 0 {
		return nil
	}
	return &koda.Error{
		Code: koda.CodeInUse, Op: fmt.Sprintf("a shell of process %d is just being opened or closed on %s", pids[0], p.Name),
		Hint: "it takes a moment: run the command again",
	}
}

// FinishVisits copies into the projects' directories what people changed in sandboxes in
// visits whose processes were killed.
func (e *Engine) FinishVisits(ctx context.Context) {
	_, dead := e.marks("*")
	for _, m := range dead {
		e.finishVisit(ctx, m.project)
	}
}

// finishVisit is FinishVisits for one project. If somebody works on the project, their
// next checkpoint saves the changes.
func (e *Engine) finishVisit(ctx context.Context, id string) {
	if _, dead := e.marks(id); len(dead) == 0 {
		return
	}
	r, err := e.openBy(ctx, id, e.cfg.Storage.Hold) // which does it
	if err == nil {
		_ = r.close() //nolint:errcheck // the project is as it was
	}
}

// unite makes directory and sandbox agree after visits: what was changed in the sandbox
// alone goes into the directory, and the other way round. If both were changed, the
// directory's file wins, and the other is in .koda/conflicts. A failure is told, and leaves
// everything for the next time.
func (r *run) unite(ctx context.Context) {
	id := r.project.ID
	a, known := r.e.agreement(id)
	living, dead := r.e.marks(id)
	if len(living) > 0 || !known && len(dead) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lastMoment)
	defer cancel()
	v := &visit{e: r.e, id: id, base: a.Files, seq: a.Seq}
	err := r.uniteWith(ctx, v, a, known)
	switch {
	case err != nil && len(dead) > 0:
		r.tellVisit("what was changed in a shell that was killed could not be saved yet: %v", err)
		return
	case err != nil:
		r.log("warning: compare sandbox and directory: %v", err)
		return
	}
	if told := v.told(); told != "" && len(dead) > 0 {
		r.tellVisit("of a shell that was killed: %s", told)
	}
	if len(v.brought) > 0 {
		r.tellVisit("what was changed in a shell that was killed is in the project's directory now: %s", someOf(sortedKeys(v.brought)))
	}
	for _, m := range dead {
		_ = os.Remove(m.file) //nolint:errcheck // it is looked at again
	}
}

func (r *run) tellVisit(format string, args ...any) {
	r.log(format, args...)
	r.pass(koda.EventWarning, koda.Warned{Message: fmt.Sprintf(format, args...)})
}

func (r *run) uniteWith(ctx context.Context, v *visit, a agreed, known bool) error {
	session, _, err := r.session(ctx)
	if err != nil {
		return err
	}
	if !known || session.SandboxID != a.Sandbox {
		r.e.disagree(r.project.ID)
		return nil
	}
	v.sb, err = r.connectTo(ctx, a.Sandbox)
	if koda.CodeOf(err) == koda.CodeSandboxNotFound {
		r.e.disagree(r.project.ID)
		return nil
	}
	if err != nil {
		return err
	}
	before := maps.Clone(a.Files)
	r.apart(func() { err = v.save(ctx) })
	if err != nil {
		return err
	}
	return r.renew(ctx, v, before)
}

// renew brings into an idle sandbox what was changed in the directory since before. A
// sandbox with unfinished work gets it when the work goes on.
func (r *run) renew(ctx context.Context, v *visit, before map[string]string) (err error) {
	if r.state.Pending != nil || r.state.Failed != nil {
		return nil
	}
	tree, err := r.e.cfg.Storage.Tree(r.project.Dir)
	if err != nil {
		return err
	}
	in := map[string][]byte{}
	for path, data := range tree {
		if digest := contentDigest(data); digest != v.base[path] && digest != before[path] {
			in[path], v.base[path] = data, digest
		}
	}
	var gone []string
	for path := range v.base {
		if _, there := tree[path]; !there && before[path] != "" {
			gone = append(gone, path)
		}
	}
	r.apart(func() {
		if len(in) > 0 {
			err = sandbox.Put(ctx, v.sb, in)
		}
		for _, path := range gone {
			if err == nil {
				err = v.sb.DeleteFile(ctx, path)
			}
			if koda.CodeOf(err) == koda.CodeFileNotFound {
				err = nil
			}
			delete(v.base, path)
		}
	})
	if err != nil || len(in)+len(gone) == 0 {
		return err
	}
	return v.agree()
}

// authorsSince are the files that an author wrote after an event, and the number of the
// last event.
func (e *Engine) authorsSince(ctx context.Context, id string, seq int64) (paths []string, last int64, err error) {
	events, err := e.cfg.Journal.Events(ctx, id, seq)
	for _, ev := range events {
		seq = max(seq, ev.Seq)
		if w, ok := ev.Payload.(koda.FileWritten); ok && !slices.Contains(paths, w.Path) {
			paths = append(paths, w.Path)
		}
	}
	return paths, seq, err
}
