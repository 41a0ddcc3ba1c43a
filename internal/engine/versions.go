package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// newVersion describes the next version, which follows the current one.
func (r *run) newVersion(prompt string) (*koda.Version, error) {
	digest, err := r.promptDigest()
	if err != nil {
		return nil, err
	}
	return &koda.Version{
		Number: r.state.Latest() + 1, Parent: r.state.Version, TurnID: r.turn.ID, Prompt: prompt,
		Author: r.project.Author, Phase: r.state.Node.Phase, CreatedAt: r.e.now(),
		PromptDigest: digest, RuntimeDigest: r.e.cfg.Runtime,
	}, nil
}

// promptDigest is the digest of everything the author is given.
func (r *run) promptDigest() (string, error) {
	brief := r.state.Brief
	brief.Yes, brief.Models = false, koda.Models{}   // neither speed nor the reader is content
	said := make([][2]string, len(r.state.Messages)) // nor do the times of messages
	for i, m := range r.state.Messages {
		said[i] = [2]string{m.Role, m.Content}
	}
	data, err := json.Marshal([]any{r.project.Author, brief, r.state.Answer, r.state.Node.Plan, said})
	if err != nil {
		return "", fmt.Errorf("encode prompt: %w", err)
	}
	return contentDigest(data), nil
}

func contentDigest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// damagedVersion is the error of a version that is known and cannot be read: not at
// all, or not the file at path.
func damagedVersion(n int, path string, err error) error {
	op := fmt.Sprintf("v%d cannot be read", n)
	if path != "" {
		op = fmt.Sprintf("v%d cannot be read: its %s is damaged", n, path)
		if content := (*koda.Error)(nil); errors.As(err, &content) && content.Err != nil {
			err = content.Err
		}
	}
	return &koda.Error{
		Code: koda.CodeStorageFailed, Op: op, Err: err,
		Hint: "restore .koda/versions from a backup; nothing was changed",
	}
}

// changedNothing reports whether a change left all files as they are in the current
// version.
func (r *run) changedNothing(ctx context.Context) (bool, error) {
	if r.state.Version == 0 {
		return false, nil
	}
	if err := r.checkpoint(ctx); err != nil {
		return false, err
	}
	versions, err := r.e.cfg.Journal.Versions(ctx, r.project.ID)
	if err != nil {
		return false, err
	}
	current, known := versionOf(versions, r.state.Version)
	tree, err := r.e.loose(r.project.Dir, current)
	return known && tree == nil, err
}

// versionOf finds a version by its number.
func versionOf(versions []koda.Version, n int) (koda.Version, bool) {
	for _, v := range versions {
		if v.Number == n {
			return v, true
		}
	}
	return koda.Version{}, false
}

// keepLoose makes loose files the version v. The directory stays as it is, with the
// unfinished work of a todo that was cut short.
func (r *run) keepLoose(ctx context.Context, tree map[string][]byte, v *koda.Version) error {
	last, err := r.e.cfg.Storage.ReadState(r.project.Dir)
	if err != nil {
		return fmt.Errorf("read project: %w", err)
	}
	if err := r.writeCheckpoint(tree, v, last.LastCheckpoint.Covers); err != nil {
		return fmt.Errorf("keep edited files: %w", err)
	}
	failpoint.Hit("engine.kept")
	return r.step(ctx, phase.Saved{Stamp: r.stamp(), Version: v.Number}, with{version: v})
}

// looseVersion describes the version that loose files become, and whose they are.
func (r *run) looseVersion(tree map[string][]byte) (*koda.Version, error) {
	// A crash can come between directory and journal. Then the version is in the
	// directory, and only the journal does not know it.
	if files, err := r.e.cfg.Storage.Version(r.project.Dir, r.state.Latest()+1); err == nil && holds(files, tree) {
		versions, err := r.e.cfg.Storage.Versions(r.project.Dir)
		if err != nil {
			return nil, err
		}
		if v, ok := versionOf(versions, r.state.Latest()+1); ok {
			return &v, nil
		}
	}
	changes, err := r.e.cfg.Storage.Changes(r.project.Dir)
	if err != nil {
		return nil, fmt.Errorf("look for edited files: %w", err)
	}
	if len(changes) == 0 {
		return r.newVersion("unfinished: " + r.turn.Input)
	}
	v, err := r.newVersion("edited by hand")
	if err == nil {
		v.Author, v.PromptDigest = koda.AuthorPerson, ""
	}
	return v, err
}

// holds reports whether a version has exactly these files.
func holds(files fs.FS, tree map[string][]byte) bool {
	n := 0
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		data, err := fs.ReadFile(files, path)
		if want, ok := tree[path]; err == nil && (!ok || !bytes.Equal(data, want)) {
			n = -1
			return fs.SkipAll
		}
		return err
	})
	return err == nil && n == len(tree)
}

// check makes sure that files build, before they become a version. Then is the
// command to use once the files are mended.
func (r *run) check(ctx context.Context, tree map[string][]byte, then string) error {
	files := inMemory(tree)
	if tree["koda.json"] == nil {
		_, err := readManifest(files, r.project.Name)
		return err
	}
	var err error
	r.apart(func() { err = r.e.rendererOf(r.project).Check(ctx, files) })
	if koda.CodeOf(err) != koda.CodeBuildFailed {
		return err
	}
	hint := fmt.Sprintf("mend it in %s; then: %s", r.project.Dir, then)
	if h := koda.HintOf(err); h != "" {
		hint = h + "; " + hint
	}
	if r.state.Version > 0 {
		hint += fmt.Sprintf("; or go back to v%d: koda undo %s", r.state.Version, r.project.Name)
	}
	return &koda.Error{Code: koda.CodeBuildFailed, Op: "build the animation", Err: err, Hint: hint, Details: koda.DetailsOf(err)}
}

// keepEdits makes a version of what the person edited. Before a render the files must
// build: a render draws what is safe. Files that are about to be overwritten are kept as
// they are.
func (r *run) keepEdits(ctx context.Context, build bool) error {
	if r.state.Version == 0 || r.state.Pending != nil {
		return nil
	}
	versions, err := r.e.cfg.Journal.Versions(ctx, r.project.ID)
	if err != nil {
		return err
	}
	current, _ := versionOf(versions, r.state.Version)
	tree, err := r.e.loose(r.project.Dir, current)
	if err != nil || tree == nil {
		return err
	}
	v, err := r.looseVersion(tree)
	if err != nil || v.Author != koda.AuthorPerson {
		return err
	}
	if build {
		if err := r.check(ctx, tree, "run the command again"); err != nil {
			return err
		}
	}
	if err := r.connect(ctx); err != nil {
		return err
	}
	if r.sb != nil {
		// A sandbox that lives on must have the edits, too.
		if _, err := r.carryEdits(ctx); err != nil {
			return err
		}
	}
	return r.keepLoose(ctx, tree, v)
}
