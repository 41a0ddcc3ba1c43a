package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// theatrePath is where a project keeps its Theatre.js state.
const theatrePath = "src/theatre/state.json"

// lastTree are the project's files. They are the files of its directory. Before the
// first checkpoint the starter and the manifest are there too.
func (r *run) lastTree() (map[string][]byte, error) {
	last, err := r.e.cfg.Storage.ReadState(r.project.Dir)
	if err != nil && koda.CodeOf(err) != koda.CodeNotFound {
		return nil, fmt.Errorf("read project: %w", err)
	}
	tree := map[string][]byte{}
	if len(last.Files) == 0 { // later, a missing file was deleted
		if tree, err = r.starter(); err != nil {
			return nil, err
		}
	}
	saved, err := r.e.cfg.Storage.Tree(r.project.Dir)
	if err != nil {
		return nil, fmt.Errorf("read project: %w", err)
	}
	for p, data := range saved {
		tree[p] = data
	}
	return tree, nil
}

// fill writes files into a new sandbox.
func fill(ctx context.Context, sb sandbox.Sandbox, tree map[string][]byte) error {
	if err := sandbox.Put(ctx, sb, tree); err != nil {
		return fmt.Errorf("fill sandbox: %w", err)
	}
	return nil
}

// starter is what a project begins with.
func (r *run) starter() (map[string][]byte, error) {
	tree := map[string][]byte{}
	err := fs.WalkDir(r.e.cfg.Starter, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		tree[p], err = fs.ReadFile(r.e.cfg.Starter, p)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read starter project: %w", err)
	}
	tree["koda.json"], err = r.manifest()
	return tree, err
}

// manifest is the koda.json a plan begins with.
func (r *run) manifest() ([]byte, error) {
	m := manifestOf(r.state.Brief, r.state.Node.Plan)
	m.Name = r.project.Name
	return m.Encode()
}

// manifestOf is the page that a brief asks for, with its plan once it has a plan.
func manifestOf(b koda.Brief, p *koda.Plan) koda.Manifest {
	m := koda.Manifest{Schema: koda.SchemaVersion, Width: b.Width, Height: b.Height, FPS: b.FPS, Duration: b.Duration}
	if p != nil {
		m.FPS, m.Duration, m.Scenes = p.FPS, p.TotalDuration, p.Starts()
		if p.Width > 0 {
			m.Width, m.Height = p.Width, p.Height
		}
	}
	return m
}

// absorbEdits carries what the person changed in the project directory into the
// sandbox, where the person's text wins, and checkpoints the sandbox. From then on
// the author builds on it.
func (r *run) absorbEdits(ctx context.Context) error {
	n, err := r.carryEdits(ctx)
	if err != nil || n == 0 {
		return err
	}
	err = r.checkpoint(ctx)
	return err
}

// carryEdits carries what the person changed in the project directory into the
// sandbox, and returns the number of changed files.
func (r *run) carryEdits(ctx context.Context) (int, error) {
	changes, err := r.e.cfg.Storage.Changes(r.project.Dir)
	if err != nil {
		return 0, fmt.Errorf("look for edited files: %w", err)
	}
	if err := r.notice(ctx, changes); err != nil {
		return 0, err
	}
	sb := r.sb
	r.apart(func() {
		for _, c := range changes {
			if c.Deleted {
				err = sb.DeleteFile(ctx, c.Path)
				if koda.CodeOf(err) == koda.CodeFileNotFound {
					err = nil
				}
			} else {
				err = sb.WriteFile(ctx, c.Path, c.Data)
			}
			if err != nil {
				err = fmt.Errorf("bring edited %s into the sandbox: %w", c.Path, err)
				return
			}
		}
	})
	return len(changes), err
}

// notice journals which files the person changed, before koda takes them for its
// own. A todo done again after a crash hears of the same files.
func (r *run) notice(ctx context.Context, changes []koda.FileChange) error {
	var all []string
	for _, c := range changes {
		all = append(all, c.Path)
	}
	return r.noticePaths(ctx, all)
}

func (r *run) noticePaths(ctx context.Context, all []string) error {
	var paths []string
	for _, path := range all {
		if !slices.Contains(r.state.Edited, path) {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	return r.step(ctx, phase.HandEdited{Stamp: r.stamp(), Paths: paths}, with{})
}

// readTree reads the files of a sandbox that a project can have. What commands leave
// elsewhere, such as dist/ or a lock file, stays in the sandbox and is not saved.
func readTree(ctx context.Context, sb sandbox.Sandbox) (map[string][]byte, error) {
	tree, err := sandbox.Get(ctx, sb, nil, readLimits)
	if koda.CodeOf(err) == koda.CodeReadFailed { // there may be less of what a project can have
		var sizes map[string]int64
		if sizes, err = sizesIn(ctx, sb); err == nil {
			maps.DeleteFunc(sizes, func(path string, _ int64) bool { return !savable(path) })
			tree, err = sandbox.Get(ctx, sb, sortedKeys(sizes), readLimits)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read sandbox: %w", err)
	}
	maps.DeleteFunc(tree, func(path string, _ []byte) bool { return !savable(path) })
	return tree, nil
}

var readLimits = sandbox.Limits{Files: projectfs.MaxFiles, File: projectfs.MaxFile, Total: projectfs.MaxTotal}

// savable reports whether a project can have a file of that path.
func savable(path string) bool {
	clean, err := tool.WritablePath(path, nil)
	return err == nil && clean == path
}

// sizesIn are the sizes of the files of a sandbox, by path.
func sizesIn(ctx context.Context, sb sandbox.Sandbox) (map[string]int64, error) {
	entries, err := sb.List(ctx, ".", true)
	if err != nil {
		return nil, err
	}
	sizes := map[string]int64{}
	for _, e := range entries {
		if !e.Dir {
			sizes[e.Path] = e.Size
		}
	}
	return sizes, nil
}

// checkpoint copies the sandbox's files, if there is a sandbox, into the project
// directory. What the person changed there meanwhile stays; the next step absorbs
// the change. The state is free while the files are read.
func (r *run) checkpoint(ctx context.Context) error {
	if r.sb == nil {
		return nil
	}
	_, _, err := r.checkpointNow(ctx, true)
	return err
}

// checkpointNow returns the sandbox's files and makes them the last checkpoint.
// Without again it makes no second checkpoint of the same files. No call changes a
// file meanwhile.
func (r *run) checkpointNow(ctx context.Context, again bool) (tree map[string][]byte, saved bool, err error) {
	r.apart(r.files.Lock)
	defer r.files.Unlock()
	if r.sb == nil { // it was destroyed meanwhile
		return nil, false, noSandboxNow()
	}
	tree, err = r.contents(ctx)
	if err != nil || !again && digestOf(tree) == r.kept {
		return tree, false, err
	}
	return tree, true, r.checkpointFiles(tree, nil)
}

// contents are the sandbox's files. It also makes sure that r.answered is known, as
// a checkpoint notes which calls of the todo in work its files cover. The state is
// free while the files are read.
func (r *run) contents(ctx context.Context) (tree map[string][]byte, err error) {
	if r.answered == (koda.CallMark{}) { // this run did no work of its own
		if _, r.answered, _, err = r.answers(ctx); err != nil {
			return nil, err
		}
	}
	sb := r.sb
	r.apart(func() { tree, err = readTree(ctx, sb) })
	return tree, err
}

// checkpointFiles makes the files of the sandbox the project's last checkpoint.
// When version is set, the files become that version.
func (r *run) checkpointFiles(tree map[string][]byte, version *koda.Version) error {
	covers := r.answered
	failpoint.Hit("engine.checkpoint")
	if err := r.writeCheckpoint(tree, version, &covers); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	r.kept = digestOf(tree)
	if len(r.e.visitors(r.project.ID)) == 0 {
		r.e.disagree(r.project.ID) // what the directory has now is what the sandbox has
	}
	return nil
}

// writeCheckpoint checkpoints files and the current state; with nil files it writes
// the state only. When version is set, the files become that version. Covers marks
// the calls of the todo in work whose results the files hold.
func (r *run) writeCheckpoint(files map[string][]byte, version *koda.Version, covers *koda.CallMark) error {
	cp, err := r.stateFile(files)
	if err != nil {
		return err
	}
	cp.Files, cp.NewVersion, cp.State.LastCheckpoint.Covers = files, version, covers
	_, err = r.e.cfg.Storage.Checkpoint(r.project.Dir, cp)
	return err
}

// stateFile is the state file for the current state. TheatreState is taken from
// tree, if tree has it.
func (r *run) stateFile(tree map[string][]byte) (koda.Checkpoint, error) {
	s := koda.StateFile{
		Schema: koda.SchemaVersion, Project: r.project, Seq: r.project.Seq, Version: r.state.Version,
		LastCheckpoint: koda.CheckpointMark{TodoIndex: r.state.TodosDone(), Timestamp: r.state.Node.UpdatedAt},
	}
	if err := putMachine(&s, r.state); err != nil {
		return koda.Checkpoint{}, err
	}
	if id := r.state.Node.SandboxID; id != "" {
		s.LastCheckpoint.SandboxID = &id
	}
	if theatre := tree[theatrePath]; json.Valid(theatre) {
		s.TheatreState = theatre
	}
	return koda.Checkpoint{State: s}, nil
}

// checkpointInterrupted saves what an interrupted effect has done so far, within a
// time limit.
func (r *run) checkpointInterrupted() error {
	if r.sb == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastMoment)
	defer cancel()
	if err := r.checkpoint(ctx); err != nil {
		return err
	}
	return r.step(ctx, phase.Checkpointed{Stamp: r.stamp()}, with{})
}

func (r *run) stamp() phase.Stamp { return phase.Stamp{At: r.e.now()} }

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
