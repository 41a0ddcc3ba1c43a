package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// Finding is the result of one check of a project.
type Finding struct {
	Name   string // "journal", "directory", "versions" or "sandbox"
	Bad    bool
	Detail string
	Fix    string // what to do, when Bad
}

// Examine checks whether everything of a project is there and fits together: the
// journal can be read and leads to the state, the directory holds the state, every
// file of every version is as it was, and the project's sandbox answers. It changes
// nothing and takes no lock. If another process works on the project meanwhile,
// Examine looks again.
func (r *Reader) Examine(ctx context.Context, id string) ([]Finding, error) {
	for attempt := 0; ; attempt++ {
		p, machine, err := r.index.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		findings := []Finding{
			r.examineJournal(ctx, id, machine), r.examineDirectory(p), r.examineVersions(ctx, p), r.examineSandbox(ctx, p),
		}
		if _, after, err := r.index.Load(ctx, id); attempt == 4 || (err == nil && bytes.Equal(machine, after)) {
			return findings, nil
		}
	}
}

func bad(name, fix, format string, args ...any) Finding {
	return Finding{Name: name, Bad: true, Detail: fmt.Sprintf(format, args...), Fix: fix}
}

// examineJournal replays all that the phase machine was told. If the replay leads
// to another state, nothing is lost, as the project goes on from its stored state:
// the machines of other versions of koda may take other ways.
func (r *Reader) examineJournal(ctx context.Context, id string, machine json.RawMessage) Finding {
	const name = "journal"
	journal, err := r.journal.Causes(ctx, id)
	if err != nil {
		return bad(name, koda.HintOf(err), "it cannot be read: %v", err)
	}
	if !phase.Begins(journal) {
		return Finding{Name: name, Detail: fmt.Sprintf("taken in from its directory, steps since then: %d", len(journal))}
	}
	s, err := phase.Replay(journal)
	if got, encErr := json.Marshal(s); err != nil || encErr != nil || !bytes.Equal(got, machine) {
		return Finding{Name: name, Detail: fmt.Sprintf("%d steps, some of another version of koda", len(journal))}
	}
	return Finding{Name: name, Detail: fmt.Sprintf("%d steps lead to the state it is in", len(journal))}
}

// examineDirectory checks the state file.
func (r *Reader) examineDirectory(p koda.Project) Finding {
	const name = "directory"
	if err := Present(p); err != nil {
		return bad(name, koda.HintOf(err), "%v", err)
	}
	s, err := r.shelf.ReadState(p.Dir)
	switch {
	case err != nil:
		return bad(name, koda.HintOf(err), "%s: %v", p.Dir, err)
	case s.Project.ID != p.ID:
		return bad(name, "name the directory this project was moved to", "%s holds another project", p.Dir)
	case s.Damage != "":
		return bad(name, "`koda resume` goes on from the checkpoint before", "%s", s.Damage)
	}
	changes, err := r.shelf.Changes(p.Dir)
	if err != nil {
		return bad(name, koda.HintOf(err), "its files cannot be read: %v", err)
	}
	return Finding{Name: name, Detail: fmt.Sprintf("%d files at step %d, %d of them changed by hand", len(s.Files), s.Seq, len(changes))}
}

// examineVersions reads every file of every version; the storage checks each
// against its digest.
func (r *Reader) examineVersions(ctx context.Context, p koda.Project) Finding {
	const name, fix = "versions", "restore .koda/versions from a backup; the other versions are whole"
	versions, err := r.shelf.Versions(p.Dir)
	if err != nil {
		return bad(name, koda.HintOf(err), "%v", err)
	}
	journaled, err := r.journal.Versions(ctx, p.ID)
	if err != nil {
		return bad(name, koda.HintOf(err), "the journal's cannot be read: %v", err)
	}
	for _, v := range journaled {
		if _, ok := versionOf(versions, v.Number); !ok {
			return bad(name, fix, "version %d is missing from .koda/versions", v.Number)
		}
	}
	for _, v := range versions {
		if err := ctx.Err(); err != nil {
			return bad(name, "", "%v", err)
		}
		files, err := r.shelf.Version(p.Dir, v.Number)
		if err != nil {
			return bad(name, fix, "version %d: %v", v.Number, err)
		}
		for _, path := range sortedKeys(v.Files) {
			if _, err := fs.ReadFile(files, path); err != nil {
				return bad(name, fix, "version %d: %v", v.Number, err)
			}
		}
	}
	return Finding{Name: name, Detail: fmt.Sprintf("%d, every file as it was", len(versions))}
}

// examineSandbox asks for the sandbox the session remembers.
func (r *Reader) examineSandbox(ctx context.Context, p koda.Project) Finding {
	const name = "sandbox"
	id, _, err := r.sandboxOf(ctx, p)
	switch {
	case id == "" && err != nil:
		return bad(name, koda.HintOf(err), "%v", err)
	case id == "":
		return Finding{Name: name, Detail: "none; the next work makes one"}
	case koda.CodeOf(err) == koda.CodeSandboxNotFound:
		return Finding{Name: name, Detail: id + " is gone; the next work makes one from the last checkpoint"}
	case err != nil:
		return bad(name, koda.HintOf(err), "%s does not answer: %v", id, err)
	}
	return Finding{Name: name, Detail: id + " is alive"}
}
