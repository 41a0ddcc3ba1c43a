package engine

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// History is the tree of a project's versions.
type History struct {
	Project koda.Project
	Current int // the version that is current, 0 before the first
	// Loose: the files in place are not the files of the current version. They
	// become a version with the next render, undo, redo or checkout.
	Loose    bool
	Versions []Past      // v1 first
	Agents   []koda.Turn // of outside agents
	Cost     koda.Cost   // of the models asked so far
}

// Past is a version and its videos.
type Past struct {
	koda.Version
	// Added, Changed and Deleted are the paths that differ from the parent version.
	Added   []string `json:"added"`
	Changed []string `json:"changed"`
	Deleted []string `json:"deleted"`
	// Absolute paths of files that exist; "" where there is no file.
	Thumbnail string `json:"thumbnail,omitempty"`
	Preview   string `json:"preview,omitempty"`
	Video     string `json:"video,omitempty"`
}

// History reads all versions of a project; it takes no lock and starts nothing.
func (r *Reader) History(ctx context.Context, id string) (History, error) {
	p, s, err := r.read(ctx, id)
	if err != nil {
		return History{}, err
	}
	versions, err := r.journal.Versions(ctx, id)
	if err != nil {
		return History{}, err
	}
	renders, err := r.journal.Renders(ctx, id)
	if err != nil {
		return History{}, err
	}
	turns, err := r.journal.Turns(ctx, id)
	if err != nil {
		return History{}, err
	}
	turns = slices.DeleteFunc(turns, func(t koda.Turn) bool { return t.Kind != TurnAgent })
	h := History{Project: p, Current: s.Version, Agents: turns, Cost: spentOn(s, versions)}
	for _, v := range versions {
		past := Past{Version: v}
		parent, _ := versionOf(versions, v.Parent)
		past.Added, past.Changed, past.Deleted = differences(parent.Files, v.Files)
		past.draw(p, renders)
		h.Versions = append(h.Versions, past)
	}
	if current, ok := versionOf(versions, s.Version); ok && s.Pending == nil {
		// The commands that need the directory report that it cannot be read.
		tree, err := r.loose(p.Dir, current)
		h.Loose = err == nil && tree != nil
	}
	return h, nil
}

// differences lists the paths that are only in next, the paths in both with other
// contents, and the paths only in old.
func differences(old, next map[string]string) (added, changed, deleted []string) {
	added, changed, deleted = []string{}, []string{}, []string{}
	for path, digest := range next {
		switch was, known := old[path]; {
		case !known:
			added = append(added, path)
		case was != digest:
			changed = append(changed, path)
		}
	}
	for path := range old {
		if _, kept := next[path]; !kept {
			deleted = append(deleted, path)
		}
	}
	for _, paths := range [][]string{added, changed, deleted} {
		slices.Sort(paths)
	}
	return added, changed, deleted
}

// draw finds the newest videos of the version that still exist. If the records of
// renders are gone, as in an adopted directory, draw goes by the names koda gives
// its files.
func (p *Past) draw(of koda.Project, renders []koda.RenderRecord) {
	small := filepath.Join(of.Dir, "previews", fmt.Sprintf("%s-v%d.jpg", of.Name, p.Number))
	if !isFile(small) {
		small = ""
	}
	for _, rec := range slices.Backward(renders) {
		if rec.Version != p.Number || rec.Status != "done" || rec.Result == nil {
			continue
		}
		video, thumbnail := whereNow(of.Dir, rec.Result.Video), whereNow(of.Dir, rec.Result.Thumbnail)
		if !isFile(video) {
			continue
		}
		if !isFile(thumbnail) {
			thumbnail = ""
		}
		if rec.Kind == koda.RenderPreview {
			p.Preview, small = cmp.Or(p.Preview, video), cmp.Or(thumbnail, small)
			continue
		}
		p.Video, p.Thumbnail = cmp.Or(p.Video, video), cmp.Or(p.Thumbnail, thumbnail)
	}
	p.Thumbnail = cmp.Or(p.Thumbnail, small)
}
