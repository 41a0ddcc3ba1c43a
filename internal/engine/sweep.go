package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
)

// How long what nobody needs is kept.
const (
	previewAge  = 24 * time.Hour
	sessionAge  = 30 * 24 * time.Hour
	strangerAge = 24 * time.Hour // for a sandbox of a project nobody knows
	// keptAge is the age for the sandbox of a complete project, when no limit ends
	// sandboxes in the person's absence.
	keptAge = 5 * time.Minute
)

// Swept is what a sweep put away, or would put away.
type Swept struct {
	Sandboxes []SweptSandbox  `json:"sandboxes"`
	Previews  []SweptPreview  `json:"previews"`
	Sessions  int             `json:"sessions"` // closed now, or forgotten long after they were closed
	Contents  []SweptContents `json:"contents"`
	Journals  []SweptJournal  `json:"journals"`
	// NotDone are sentences about work left for the next sweep.
	NotDone []string `json:"notDone,omitempty"`
}

// SweptJournal is what was dropped from the journal of a finished project: only
// further work on the last turn would have needed it.
type SweptJournal struct {
	Project string `json:"project"` // name
	Size    int64  `json:"size"`    // bytes
}

// SweptContents are stored contents of files that are in no version of the project.
type SweptContents struct {
	Project string `json:"project"` // name
	Files   int    `json:"files"`
	Size    int64  `json:"size"` // bytes
}

// SweptSandbox is a sandbox that was destroyed. Everything in it that mattered was
// saved before.
type SweptSandbox struct {
	ID      string `json:"id"`
	Project string `json:"project,omitempty"` // name; "" when nobody knows it
	Why     string `json:"why"`
}

// SweptPreview is a preview video that was removed.
type SweptPreview struct {
	Path string `json:"path"`
	Size int64  `json:"size"` // bytes
}

// Sweep puts away what no project needs any more: sandboxes that nobody uses;
// sandboxes whose person is away (saved first); previews older than a day that no
// project waits with; stored contents that nothing needs; sessions older than a
// month; and the parts of the journals of finished projects that only a resume
// needed. Sweep removes only what koda made and can tell from what people put in
// its place, and never anything that a living process uses. With dryRun it only
// says what it would put away.
func (h *Housekeeper) Sweep(ctx context.Context, dryRun bool) (Swept, error) {
	s := sweep{h: h, dryRun: dryRun, now: h.now(), projects: map[string]koda.Project{}, users: map[string]koda.Session{}, alive: map[sandbox.Kind]map[string]bool{}}
	s.out = Swept{Sandboxes: []SweptSandbox{}, Previews: []SweptPreview{}, Contents: []SweptContents{}, Journals: []SweptJournal{}}
	projects, err := h.reader.index.List(ctx)
	if err != nil {
		return s.out, err
	}
	sessions, err := h.sessions.AllSessions(ctx)
	if err != nil {
		return s.out, err
	}
	for _, p := range projects {
		s.projects[p.ID] = p
	}
	for _, one := range sessions {
		if one.Status == koda.SessionActive && one.SandboxID != "" {
			s.users[one.SandboxID] = one
		}
	}
	errs := []error{s.sandboxes(ctx)}
	for _, p := range projects {
		errs = append(errs, ctx.Err(), s.previews(ctx, p), s.contents(p), s.journal(ctx, p))
	}
	return s.out, errors.Join(append(errs, s.sessions(ctx, sessions))...)
}

// sweep is one Sweep.
type sweep struct {
	h        *Housekeeper
	dryRun   bool
	now      time.Time
	projects map[string]koda.Project // by id
	users    map[string]koda.Session // by the sandbox they use
	// alive are the existing sandboxes of each kind that could be listed.
	alive map[sandbox.Kind]map[string]bool
	stuck bool // a journal could not be made smaller
	out   Swept
}

// sandboxes destroys the sandboxes that nobody uses, and saves and destroys those
// whose person is away.
func (s *sweep) sandboxes(ctx context.Context) error {
	var errs []error
	for _, kind := range slices.Sorted(maps.Keys(s.h.reader.sandboxes)) {
		lister, ok := s.h.reader.sandboxes[kind].(sandbox.Lister)
		if !ok {
			continue
		}
		all, err := lister.All(ctx)
		if kind == sandbox.Local || koda.CodeOf(err) != koda.CodeProviderError {
			errs = append(errs, err)
		} else {
			s.unreached(kind, err)
		}
		if err == nil {
			s.alive[kind] = map[string]bool{}
		}
		for _, m := range all {
			if err == nil {
				s.alive[kind][m.ID] = true
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			errs = append(errs, s.sandbox(ctx, kind, m))
		}
	}
	return errors.Join(errs...)
}

// unreached notes that the sandboxes of a kind are left to the next sweep, as their engine
// does not answer. Who has no project of that kind need not know.
func (s *sweep) unreached(kind sandbox.Kind, err error) {
	for _, p := range s.projects {
		if p.SandboxType == string(kind) {
			s.out.NotDone = append(s.out.NotDone, fmt.Sprintf("the sandboxes of kind %s could not be looked at: %v", kind, err))
			return
		}
	}
}

func (s *sweep) sandbox(ctx context.Context, kind sandbox.Kind, m sandbox.Meta) error {
	p, known := s.projects[m.ProjectID]
	session, used := s.users[m.ID]
	swept := SweptSandbox{ID: m.ID, Project: p.Name}
	var end func() error
	switch {
	case used && known:
		idle := s.h.idle
		if idle <= 0 {
			idle = sessionAge
			if p.Phase == koda.PhaseComplete {
				idle = keptAge
			}
		}
		if s.now.Sub(session.LastActivity) <= idle || gone(p) || s.h.reader.shelf.InUse(p.Dir) {
			return nil
		}
		swept.Why = "nobody came back to it"
		end = func() error { return s.h.suspend(ctx, p.ID) }
	case m.Orphan && (known || s.now.Sub(m.Created) > strangerAge):
		swept.Why = "no project uses it"
		end = func() error { return s.h.reader.sandboxes[kind].Remove(ctx, m.ID) }
	default:
		return nil
	}
	if !s.dryRun {
		switch err := end(); koda.CodeOf(err) {
		case "":
		case koda.CodeInUse, koda.CodeSandboxNotFound, koda.CodeNotFound:
			return nil // somebody came, or was faster, or the project was moved
		case koda.CodeProviderError: // it does not answer, as one that was paused
			s.out.NotDone = append(s.out.NotDone, fmt.Sprintf("the sandbox %s of %s was not put away: %v", m.ID, p.Name, err))
			return nil
		default:
			return fmt.Errorf("put sandbox %s away: %w", m.ID, err)
		}
	}
	s.out.Sandboxes = append(s.out.Sandboxes, swept)
	return nil
}

// previews removes a project's old previews, except those it may come back to. A
// file is koda's while its content is what koda rendered.
func (s *sweep) previews(ctx context.Context, p koda.Project) error {
	if gone(p) {
		return nil
	}
	renders, err := s.h.reader.journal.Renders(ctx, p.ID)
	if err != nil {
		return err
	}
	var old []koda.RenderRecord
	for _, r := range renders {
		if r.Kind == koda.RenderPreview && r.Result != nil && s.now.Sub(r.UpdatedAt) > previewAge {
			old = append(old, r)
		}
	}
	if len(old) == 0 {
		return nil
	}
	needed, err := s.needed(ctx, p)
	if err != nil {
		return err
	}
	if projectfs.NoLinks(p.Dir, "previews") != nil {
		return nil //nolint:nilerr // what lies there does not belong to this project
	}
	done := map[string]bool{}
	for _, r := range old {
		path := filepath.Join(p.Dir, "previews", filepath.Base(r.Result.Video))
		if filepath.Base(filepath.Dir(r.Result.Video)) != "previews" || needed[path] || done[path] {
			continue
		}
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() || s.now.Sub(info.ModTime()) <= previewAge || !hasDigest(r.Result.SHA256, path) {
			continue
		}
		done[path] = true
		// The strip first: after a crash in between, the video leads here again.
		files := []SweptPreview{{Path: path, Size: info.Size()}}
		strip := filepath.Join(filepath.Dir(path), filepath.Base(r.Result.Strip))
		if info, err := os.Lstat(strip); r.Result.Strip != "" && err == nil && info.Mode().IsRegular() {
			files = append([]SweptPreview{{Path: strip, Size: info.Size()}}, files...)
		}
		for _, f := range files {
			if err := s.removePreview(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// removePreview removes a file of an old preview.
func (s *sweep) removePreview(f SweptPreview) error {
	if !s.dryRun {
		if err := os.Remove(f.Path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return &koda.Error{Code: koda.CodeStorageFailed, Op: "remove old preview", Err: err}
		}
	}
	s.out.Previews = append(s.out.Previews, f)
	return nil
}

// contents removes a project's stored contents that nothing needs any more. There
// are few, as every version removes them too, so contents first looks without the
// lock.
func (s *sweep) contents(p koda.Project) error {
	if gone(p) || s.h.reader.shelf.InUse(p.Dir) {
		return nil
	}
	if files, _, err := s.h.leavings.Collect(p.Dir, true); err != nil || files == 0 {
		return err
	}
	return s.holding(p, func() error {
		files, size, err := s.h.leavings.Collect(p.Dir, s.dryRun)
		if err == nil && files > 0 {
			s.out.Contents = append(s.out.Contents, SweptContents{Project: p.Name, Files: files, Size: size})
		}
		return err
	})
}

// holding does f while a project is held, unless somebody uses the project: then f
// waits for the next sweep. A dry run holds nothing, and what is gone cannot be held.
func (s *sweep) holding(p koda.Project, f func() error) error {
	switch {
	case gone(p):
		return f()
	case s.h.reader.shelf.InUse(p.Dir):
		return nil
	case s.dryRun:
		return f()
	}
	release, err := s.h.owners.Hold(p.Dir)
	if err != nil {
		return nil //nolint:nilerr // somebody uses the project since a moment ago
	}
	return errors.Join(f(), release())
}

// journal prunes the journal of a finished project.
func (s *sweep) journal(ctx context.Context, p koda.Project) error {
	if p.Phase != koda.PhaseComplete || s.stuck {
		return nil
	}
	size, err := s.h.rows.Prune(ctx, p.ID, s.dryRun)
	if size > 0 {
		s.out.Journals = append(s.out.Journals, SweptJournal{Project: p.Name, Size: size})
	}
	if err != nil && ctx.Err() == nil { // the journal is as it was: others write, or the disk is full
		s.stuck = true
		s.out.NotDone = append(s.out.NotDone, fmt.Sprintf("the journals could not be made smaller: %v", err))
		return nil
	}
	return err
}

// needed are the previews a project waits with, or may fall back to.
func (s *sweep) needed(ctx context.Context, p koda.Project) (map[string]bool, error) {
	_, m, err := s.h.reader.read(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	needed := map[string]bool{}
	if m.Node.Phase != koda.PhaseComplete {
		if m.Before == nil {
			m.Before = &phase.Standing{}
		}
		for _, preview := range []*koda.Preview{m.Node.Preview, m.Before.Preview} {
			if preview != nil {
				needed[atHome(p.Dir, preview.VideoURL)] = true
			}
		}
	}
	return needed, nil
}

// sessions closes the sessions that have no sandbox, or no directory, and were not
// used for a month. It closes the sessions whose sandbox is gone at once. It
// forgets the sessions that have been closed for a month.
func (s *sweep) sessions(ctx context.Context, all []koda.Session) error {
	before := s.now.Add(-sessionAge)
	forget := 0
	var errs []error
	for _, one := range all {
		switch {
		case one.Status == koda.SessionClosed:
			if one.UpdatedAt.Before(before) {
				forget++
			}
		case s.lost(one), one.LastActivity.Before(before) && (one.SandboxID == "" || gone(s.projects[one.ProjectID])):
			errs = append(errs, s.holding(s.projects[one.ProjectID], func() error { return s.close(ctx, one) }))
		}
	}
	if forget > 0 && !s.dryRun {
		errs = append(errs, s.h.sessions.DeleteSessions(ctx, before))
	}
	s.out.Sessions += forget
	return errors.Join(errs...)
}

// lost reports whether a session's sandbox is certainly gone.
func (s *sweep) lost(one koda.Session) bool {
	alive, looked := s.alive[sandbox.Kind(one.SandboxType)]
	return looked && one.SandboxID != "" && !alive[one.SandboxID]
}

// close closes a session, unless somebody just went on with the project.
func (s *sweep) close(ctx context.Context, one koda.Session) error {
	now, open, err := s.h.sessions.Session(ctx, one.ProjectID)
	if err != nil || !open || now.ID != one.ID || now.SandboxID != one.SandboxID {
		return err
	}
	if !s.dryRun {
		now.Status, now.SandboxID, now.UpdatedAt = koda.SessionClosed, "", s.now
		if err := s.h.sessions.SaveSession(ctx, now); err != nil {
			return err
		}
	}
	s.out.Sessions++
	return nil
}
