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
	"github.com/koda-video/koda/internal/sandbox"
)

// theatrePath is where a project keeps its Theatre.js state.
const theatrePath = "src/theatre/state.json"

// lastTree are the project's files: those of its directory, and before the first
// checkpoint the starter and the manifest with what the person brought.
func (r *run) lastTree() (map[string][]byte, error) {
	last, err := r.e.cfg.Storage.ReadState(r.project.Dir)
	if err != nil && koda.CodeOf(err) != koda.CodeNotFound {
		return nil, fmt.Errorf("read project: %w", err)
	}
	tree := map[string][]byte{}
	if len(last.Files) == 0 { // else what is missing was deleted
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

// fill writes the project's files into a new sandbox.
func (r *run) fill(ctx context.Context, sb sandbox.Sandbox) error {
	tree, err := r.lastTree()
	if err != nil {
		return err
	}
	for _, p := range sortedKeys(tree) {
		if err := sb.WriteFile(ctx, p, tree[p]); err != nil {
			return fmt.Errorf("fill sandbox: %w", err)
		}
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

// manifestOf is the page that a brief asks for, with its plan once there is one.
func manifestOf(b koda.Brief, p *koda.Plan) koda.Manifest {
	m := koda.Manifest{Schema: koda.SchemaVersion, Width: b.Width, Height: b.Height, FPS: b.FPS, Duration: b.Duration}
	if p != nil {
		m.FPS, m.Duration, m.Scenes = p.FPS, p.TotalDuration, p.Starts()
	}
	return m
}

// absorbEdits carries what the person changed in the project directory into the
// sandbox, where it wins, and checkpoints it: from then on it is what the author
// builds on.
func (r *run) absorbEdits(ctx context.Context) error {
	n, err := r.carryEdits(ctx)
	if err != nil || n == 0 {
		return err
	}
	err = r.checkpoint(ctx)
	return err
}

// carryEdits carries what the person changed in the project directory into the
// sandbox, and says how many files that are.
func (r *run) carryEdits(ctx context.Context) (int, error) {
	changes, err := r.e.cfg.Storage.Changes(r.project.Dir)
	if err != nil {
		return 0, fmt.Errorf("look for edited files: %w", err)
	}
	if err := r.notice(ctx, changes); err != nil {
		return 0, err
	}
	for _, c := range changes {
		if c.Deleted {
			err = r.sb.DeleteFile(ctx, c.Path)
			if koda.CodeOf(err) == koda.CodeFileNotFound {
				err = nil
			}
		} else {
			err = r.sb.WriteFile(ctx, c.Path, c.Data)
		}
		if err != nil {
			return 0, fmt.Errorf("bring edited %s into the sandbox: %w", c.Path, err)
		}
	}
	return len(changes), nil
}

// notice journals which files the person changed, before they are taken for
// koda's own: a todo done again after a crash is told of them again.
func (r *run) notice(ctx context.Context, changes []koda.FileChange) error {
	var paths []string
	for _, c := range changes {
		if !slices.Contains(r.state.Edited, c.Path) {
			paths = append(paths, c.Path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	return r.step(ctx, phase.HandEdited{Stamp: r.stamp(), Paths: paths}, with{})
}

// tree reads all files of the sandbox.
func (r *run) tree(ctx context.Context) (map[string][]byte, error) {
	entries, err := r.sb.List(ctx, ".", true)
	if err != nil {
		return nil, fmt.Errorf("list sandbox: %w", err)
	}
	tree := make(map[string][]byte, len(entries))
	for _, en := range entries {
		if en.Dir {
			continue
		}
		data, err := r.sb.ReadFile(ctx, en.Path)
		if err != nil {
			return nil, fmt.Errorf("read sandbox: %w", err)
		}
		tree[en.Path] = data
	}
	return tree, nil
}

// checkpoint copies the sandbox's files into the project directory. What the person
// changed there meanwhile stays; the next step absorbs it.
func (r *run) checkpoint(ctx context.Context) error {
	if r.sb == nil {
		return nil
	}
	tree, err := r.contents(ctx)
	if err != nil {
		return err
	}
	return r.keep(tree, nil)
}

// contents are the sandbox's files, as a checkpoint needs them: it is known what is
// in them of the todo in work.
func (r *run) contents(ctx context.Context) (map[string][]byte, error) {
	if r.answered == (koda.CallMark{}) { // a run that did no work of its own
		var err error
		if r.answered, err = r.countAnswered(ctx); err != nil {
			return nil, err
		}
	}
	return r.tree(ctx)
}

// keep makes the files of the sandbox the project's last checkpoint; version, when
// set, is what they become.
func (r *run) keep(tree map[string][]byte, version *koda.Version) error {
	covers := r.answered
	failpoint.Hit("engine.checkpoint")
	if err := r.put(tree, version, &covers); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	r.kept = digestOf(tree)
	return nil
}

// put checkpoints files, with the state as of now; nil files are the state only.
// Version, when set, is what the files become, and covers what is in them of the
// todo in work.
func (r *run) put(files map[string][]byte, version *koda.Version, covers *koda.CallMark) error {
	cp, err := r.checkpointState(files)
	if err != nil {
		return err
	}
	cp.Files, cp.NewVersion, cp.State.LastCheckpoint.Covers = files, version, covers
	_, err = r.e.cfg.Storage.Checkpoint(r.project.Dir, cp)
	return err
}

// checkpointState is the state file as of now. TheatreState is taken from tree
// when there is one.
func (r *run) checkpointState(tree map[string][]byte) (koda.Checkpoint, error) {
	machine, err := json.Marshal(r.state)
	if err != nil {
		return koda.Checkpoint{}, fmt.Errorf("encode state: %w", err)
	}
	s := koda.StateFile{
		Schema: koda.SchemaVersion, Project: r.project, Seq: r.project.Seq, NodeState: r.state.Node, Plan: r.state.Node.Plan,
		Messages: r.state.Messages, Version: r.state.Version, Machine: machine,
		LastCheckpoint: koda.CheckpointMark{TodoIndex: r.state.TodosDone(), Timestamp: r.state.Node.UpdatedAt},
	}
	if id := r.state.Node.SandboxID; id != "" {
		s.LastCheckpoint.SandboxID = &id
	}
	if theatre := tree[theatrePath]; json.Valid(theatre) {
		s.TheatreState = theatre
	}
	return koda.Checkpoint{State: s}, nil
}

// park saves what an interrupted effect has done so far, within a bound.
func (r *run) park() error {
	if r.sb == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), parkTime)
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
