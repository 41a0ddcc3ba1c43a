package mirror

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// Side is a place with files.
type Side interface {
	// Files lists the files. Odd are sentences about what cannot be such a file.
	Files(ctx context.Context) (files map[string]koda.FileStat, odd []string, err error)
	// Read calls each with contents. A file that is gone is left out.
	Read(ctx context.Context, paths []string, each func(path string, data []byte) error) error
	// Change changes files that have these digests, "" for no file; base names every path. It
	// returns the paths of those that have others: they stay, and the texts of the changes lie
	// beside them.
	Change(ctx context.Context, changes []koda.FileChange, base map[string]string) (kept []string, err error)
}

// State is what is remembered of a directory and the project that it mirrors.
type State struct {
	Schema  int    `json:"schema"`
	From    string `json:"from,omitempty"` // address of the server; "" is this machine
	Project string `json:"project"`        // its id
	Name    string `json:"name"`
	// Files are the digests that both sides had when they were the same last.
	Files map[string]string `json:"files"`
	// Held are files that both sides changed, with the digests of project and directory when
	// the person was told.
	Held map[string][2]string `json:"held,omitempty"`
	// Watched: a command or an agent works in the directory, or its koda was killed.
	Watched bool `json:"watched,omitempty"`
}

// Report is what a run of Sync did.
type Report struct {
	Brought int      `json:"brought"` // files changed in the directory, deleted ones too
	Sent    int      `json:"sent"`    // in the project
	Bytes   int64    `json:"bytes"`   // of their contents
	Kept    []string `json:"kept,omitempty"`
	Odd     []string `json:"odd,omitempty"` // sentences about what was left out
}

// Did reports whether anything happened that a person may want to know.
func (r Report) Did() bool { return r.Brought+r.Sent+len(r.Kept) > 0 }

// Job is a project and a directory to keep the same.
type Job struct {
	Project, Dir Side
	State        *State
	Save         func(State) error // remembers the state; called after every batch
	OneWay       bool              // nothing is changed in the project
}

// The bounds of a batch; a larger file is a batch of its own.
const (
	batchBytes = 8 << 20
	batchFiles = 500
)

// Sync makes both sides the same once.
func (j Job) Sync(ctx context.Context) (rep Report, err error) {
	s := j.State
	if s.Files == nil {
		s.Files = map[string]string{}
	}
	if s.Held == nil {
		s.Held = map[string][2]string{}
	}
	project, odd, err := j.Project.Files(ctx)
	if err != nil {
		return rep, err
	}
	dir, more, err := j.Dir.Files(ctx)
	if err != nil {
		return rep, err
	}
	rep.Odd = append(odd, more...)
	var bring, send, both []string
	for _, path := range union(project, dir, s.Files) {
		p, d, base := project[path].Digest, dir[path].Digest, s.Files[path]
		switch held, known := s.Held[path]; {
		case p == d:
			s.agree(path, p)
		case d == base:
			bring = append(bring, path)
		case p == base:
			if !j.OneWay {
				send = append(send, path)
			}
		case known && held[0] == p && (j.OneWay || held[1] == d): // the person was told
		default:
			both = append(both, path)
		}
	}
	if err = j.conflicts(ctx, both, project, dir, &rep); err == nil {
		err = j.move(ctx, j.Project, j.Dir, bring, project, &rep.Brought, &rep)
	}
	if err == nil {
		err = j.move(ctx, j.Dir, j.Project, send, dir, &rep.Sent, &rep)
	}
	return rep, cmp.Or(err, j.Save(*s))
}

// agree notes that both sides have a file, "" for none.
func (s *State) agree(path, digest string) {
	delete(s.Held, path)
	if digest == "" {
		delete(s.Files, path)
		return
	}
	s.Files[path] = digest
}

// move brings files from one side to the other, in batches.
func (j Job) move(ctx context.Context, from, to Side, paths []string, have map[string]koda.FileStat, count *int, rep *Report) error {
	for _, batch := range batches(paths, have) {
		changes, err := j.fetch(ctx, from, batch, have)
		if err != nil {
			return err
		}
		base := map[string]string{}
		for _, c := range changes {
			base[c.Path] = j.State.Files[c.Path]
		}
		kept, err := to.Change(ctx, changes, base)
		if err != nil {
			return err
		}
		rep.Kept = append(rep.Kept, kept...)
		for _, c := range changes {
			if slices.Contains(kept, c.Path) {
				continue // it was changed a moment ago: the next run finds a conflict
			}
			*count++
			rep.Bytes += int64(len(c.Data))
			j.State.agree(c.Path, have[c.Path].Digest)
		}
		if err := j.Save(*j.State); err != nil {
			return err
		}
	}
	return nil
}

// conflicts puts the texts of both sides beside each other's.
func (j Job) conflicts(ctx context.Context, paths []string, project, dir map[string]koda.FileStat, rep *Report) error {
	beside := func(from, to Side, have, there map[string]koda.FileStat) error {
		for _, batch := range batches(paths, have) {
			changes, err := j.fetch(ctx, from, batch, have)
			if err != nil {
				return err
			}
			base := map[string]string{}
			for _, c := range changes {
				base[c.Path] = j.State.Files[c.Path] // which no side has, so nothing is changed
				if base[c.Path] == there[c.Path].Digest {
					base[c.Path] = "none"
				}
			}
			if _, err := to.Change(ctx, changes, base); err != nil {
				return err
			}
		}
		return nil
	}
	if err := beside(j.Project, j.Dir, project, dir); err != nil {
		return err
	}
	if !j.OneWay {
		if err := beside(j.Dir, j.Project, dir, project); err != nil {
			return err
		}
	}
	for _, path := range paths {
		j.State.Held[path] = [2]string{project[path].Digest, dir[path].Digest}
		rep.Kept = append(rep.Kept, path)
	}
	return nil
}

// fetch reads what a side has of a batch. What is not as it was listed is left for the next
// run.
func (j Job) fetch(ctx context.Context, from Side, batch []string, have map[string]koda.FileStat) (changes []koda.FileChange, err error) {
	var paths []string
	for _, path := range batch {
		if _, there := have[path]; there {
			paths = append(paths, path)
		} else {
			changes = append(changes, koda.FileChange{Path: path, Deleted: true})
		}
	}
	if len(paths) == 0 {
		return changes, nil
	}
	asked := map[string]bool{}
	for _, path := range paths {
		asked[path] = true
	}
	err = from.Read(ctx, paths, func(path string, data []byte) error {
		sum := sha256.Sum256(data)
		if asked[path] && hex.EncodeToString(sum[:]) == have[path].Digest {
			changes = append(changes, koda.FileChange{Path: path, Data: data})
			asked[path] = false
		}
		return nil
	})
	return changes, err
}

// batches splits paths. Those that are to be deleted come first: they may be in the way.
func batches(paths []string, have map[string]koda.FileStat) (all [][]string) {
	paths = slices.Clone(paths)
	slices.SortStableFunc(paths, func(a, b string) int {
		_, hasA := have[a]
		_, hasB := have[b]
		switch {
		case hasA == hasB:
			return 0
		case hasA:
			return 1
		}
		return -1
	})
	var size int64
	for _, path := range paths {
		n := have[path].Size
		if len(all) == 0 || size+n > batchBytes || len(all[len(all)-1]) == batchFiles {
			all, size = append(all, nil), 0
		}
		all[len(all)-1] = append(all[len(all)-1], path)
		size += n
	}
	return all
}

// union are all paths, in order.
func union(project, dir map[string]koda.FileStat, base map[string]string) []string {
	all := map[string]bool{}
	for _, m := range []map[string]koda.FileStat{project, dir} {
		for path := range m {
			all[path] = true
		}
	}
	for path := range base {
		all[path] = true
	}
	return slices.Sorted(maps.Keys(all))
}
