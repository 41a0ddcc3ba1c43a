package engine

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/koda-video/koda/internal/koda"
)

// maxCompared is the size in bytes from which a file is reported as different
// without a comparison of its text.
const maxCompared = 2 << 20

// Comparison is how the files of a project differ between two versions.
type Comparison struct {
	Project koda.Project
	From    int
	To      int
	// Edited: To is the current version with the changes made in place since.
	Edited bool
	Files  []FileDiff // by path
}

// FileDiff is how a file differs.
type FileDiff struct {
	Path   string `json:"path"`
	Status string `json:"status"`           // "added", "changed" or "deleted"
	Binary bool   `json:"binary,omitempty"` // no text, or too long to compare
	// Added and Deleted count lines.
	Added   int `json:"added"`
	Deleted int `json:"deleted"`
	// OldSize and NewSize are in bytes.
	OldSize int `json:"oldSize"`
	NewSize int `json:"newSize"`
	// Diff is in unified format, as patch and git apply read it. It is empty for a
	// binary file.
	Diff string `json:"diff,omitempty"`
}

// Diff compares two versions. To 0 stands for the files in place. With From 0, too,
// Diff shows the last change: edits by hand since the current version, or else the
// current version against the version it was made from. It takes no lock.
// NOT_FOUND: there is no such version. WRONG_PHASE: there is nothing to compare.
func (r *Reader) Diff(ctx context.Context, id string, from, to int) (Comparison, error) {
	c, inPlace, err := r.compared(ctx, id, from, to)
	if err != nil {
		return c, err
	}
	old, err := r.readVersion(c.Project.Dir, c.From)
	if err != nil {
		return c, err
	}
	next := inPlace
	if next == nil {
		if next, err = r.readVersion(c.Project.Dir, c.To); err != nil {
			return c, err
		}
	}
	c.Files = compareFiles(old, next)
	return c, nil
}

// compared settles the two sides of a comparison. Files are the files in place, nil
// when they are not asked for or belong to a version.
func (r *Reader) compared(ctx context.Context, id string, from, to int) (c Comparison, files map[string][]byte, err error) {
	p, s, err := r.read(ctx, id)
	if err == nil {
		err = r.reach(p)
	}
	if err != nil {
		return c, nil, err
	}
	versions, err := r.journal.Versions(ctx, id)
	if err != nil {
		return c, nil, err
	}
	c = Comparison{Project: p, From: from, To: to}
	current, ok := versionOf(versions, s.Version)
	if !ok {
		return c, nil, &koda.Error{Code: koda.CodeWrongPhase, Op: p.Name + " has no version yet", Hint: "`koda resume " + p.Name + "` goes on with it"}
	}
	for _, n := range []int{from, to} {
		if _, err := knownVersion(p, versions, n); n != 0 && err != nil {
			return c, nil, err
		}
	}
	if to != 0 {
		return c, nil, nil
	}
	c.To = s.Version
	if s.Pending == nil { // with a pending effect, the files are on their way to become a version
		if files, err = r.loose(p.Dir, current); err != nil {
			return c, nil, err
		}
	}
	c.Edited = files != nil
	switch {
	case from != 0:
	case c.Edited:
		c.From = s.Version
	case current.Parent == 0:
		return c, nil, nothingBefore(current)
	default:
		c.From = current.Parent
	}
	return c, files, nil
}

func compareFiles(old, next map[string][]byte) []FileDiff {
	paths := sortedKeys(old)
	for path := range next {
		if _, both := old[path]; !both {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	files := []FileDiff{}
	for _, path := range paths {
		a, before := old[path]
		b, after := next[path]
		if before && after && bytes.Equal(a, b) {
			continue
		}
		files = append(files, compareFile(path, a, b, before, after))
	}
	return files
}

func compareFile(path string, a, b []byte, before, after bool) FileDiff {
	f := FileDiff{Path: path, Status: "changed", OldSize: len(a), NewSize: len(b)}
	oldName, newName := "a/"+path, "b/"+path
	switch {
	case !before:
		f.Status, oldName = "added", "/dev/null"
	case !after:
		f.Status, newName = "deleted", "/dev/null"
	}
	if f.Binary = !isText(a) || !isText(b); f.Binary {
		return f
	}
	text := string(diff.Diff(oldName, a, newName, b))
	_, f.Diff, _ = strings.Cut(text, "\n") // without "diff a/… b/…"
	inHunk := false
	for line := range strings.Lines(f.Diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
			inHunk = true
		case inHunk && line[0] == '+':
			f.Added++
		case inHunk && line[0] == '-':
			f.Deleted++
		}
	}
	return f
}

func isText(data []byte) bool {
	return len(data) <= maxCompared && utf8.Valid(data) && bytes.IndexByte(data, 0) < 0
}
