package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"

	"github.com/koda-video/koda/internal/control"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/sandbox"
)

// Reader looks at projects. It takes no lock, writes nothing and starts nothing:
// its ports have no way to. What it reads may be a step behind a process that
// works.
type Reader struct {
	index     Index
	journal   Journal
	shelf     Shelf
	sandboxes map[sandbox.Kind]sandbox.Provider
	session   func(ctx context.Context, id string) (koda.Session, bool, error) // see Sessions
	thinking  func(context.Context, koda.Project) (string, error)              // the line that shows now
	counted   counted
}

// working reports whether a process works on a project, and the line that it shows now.
// Who only holds the lock, as a process that was killed on another machine may seem to,
// keeps a person from unfinished work alone: nobody but its owner goes on with that.
func (r *Reader) working(ctx context.Context, p koda.Project, s phase.State) (busy bool, thinking string) {
	if !r.shelf.InUse(p.Dir) {
		return false, ""
	}
	thinking, err := r.thinking(ctx, p)
	return waiting(s) == WaitingRetry || !errors.Is(err, control.ErrNobody), thinking
}

// read reads a project's row and state as they are journaled; it takes no lock.
func (r *Reader) read(ctx context.Context, id string) (p koda.Project, s phase.State, err error) {
	p, machine, err := r.index.Load(ctx, id)
	if err != nil {
		return p, s, err
	}
	if err := json.Unmarshal(machine, &s); err != nil {
		return p, s, fmt.Errorf("decode state: %w", err)
	}
	return p, s, nil
}

// reach is Present, and also the error of a project whose directory belongs to
// another project by now. Nothing of the project may be read or written there.
func (r *Reader) reach(p koda.Project) error {
	_, err := r.stateAt(p)
	return err
}

// stateAt is reach, with the last checkpoint if a checkpoint can be read.
func (r *Reader) stateAt(p koda.Project) (koda.StateFile, error) {
	if err := Present(p); err != nil {
		return koda.StateFile{}, err
	}
	s, err := r.shelf.ReadState(p.Dir)
	if err == nil && s.Project.ID != p.ID {
		return s, elsewhere(p)
	}
	return s, nil
}

// readVersion reads all files of a version in dir, so that a damaged version is
// found before anything is changed.
func (r *Reader) readVersion(dir string, n int) (map[string][]byte, error) {
	files, err := r.shelf.Version(dir, n)
	if err != nil {
		return nil, damagedVersion(n, "", err)
	}
	tree := map[string][]byte{}
	err = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if tree[path], err = fs.ReadFile(files, path); err != nil {
			return damagedVersion(n, path, err)
		}
		return nil
	})
	return tree, err
}

// loose reads the files of a project's directory when they differ from the files of
// the current version; nil when they do not. The person edited them, or work on
// them was cut short.
func (r *Reader) loose(dir string, current koda.Version) (map[string][]byte, error) {
	tree, err := r.shelf.Tree(dir)
	if err != nil {
		return nil, fmt.Errorf("read project: %w", err)
	}
	if maps.EqualFunc(tree, current.Files, func(data []byte, digest string) bool { return contentDigest(data) == digest }) {
		return nil, nil
	}
	return tree, nil
}

// sandboxOf connects to the sandbox that a project remembers; id "" is none.
func (r *Reader) sandboxOf(ctx context.Context, p koda.Project) (id string, sb sandbox.Sandbox, err error) {
	session, _, err := r.session(ctx, p.ID)
	if err != nil || session.SandboxID == "" {
		return "", nil, err
	}
	provider, err := providerOf(r.sandboxes, p)
	if err == nil {
		sb, err = provider.Connect(ctx, session.SandboxID)
	}
	return session.SandboxID, sb, err
}

// removeSandbox destroys the sandbox that a project remembers, whatever state it is in.
func (r *Reader) removeSandbox(ctx context.Context, p koda.Project) error {
	session, _, err := r.session(ctx, p.ID)
	if err != nil || session.SandboxID == "" {
		return err
	}
	provider, err := providerOf(r.sandboxes, p)
	if err != nil {
		return err
	}
	return provider.Remove(ctx, session.SandboxID)
}

// holds reports whether dir is the living directory of the project.
func (r *Reader) holds(dir, id string) bool {
	s, err := r.shelf.ReadState(dir)
	return err == nil && s.Project.ID == id
}
