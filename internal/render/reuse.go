package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// A page may have a digest of its code and frame keys. A segment of such a page is
// kept under a name made of these, whatever else the page is made of. A file
// PAGE.ref holds the name, so that the digest of the whole page finds it. So the
// same page finds the segment without a browser, and a page whose data changed
// finds it by its keys.

// find reports whether the store has a segment that this very page drew, and
// settles the segment's name.
func (j *job) find(i int) bool {
	if j.there(i) {
		return true
	}
	if seg := j.plan.segments[i]; seg.shots || !j.segments.distrusted(seg.page) || j.byShots(i) != nil {
		return false
	}
	return j.there(i)
}

// there is find for one way of drawing a segment.
func (j *job) there(i int) bool {
	seg := &j.plan.segments[i]
	if seg.code != "" {
		if name, ok := j.segments.note(j.segments.ref(*seg)); ok && len(name) == len(seg.page) {
			seg.key = name
		}
	}
	if j.segments.has(*seg, j.plan.spec) {
		return true
	}
	seg.key = seg.page
	return false
}

// findByKeys finds segments by the names their frame keys give, drawn by another
// version of the page. It opens the page only if such a segment was ever drawn. For
// pages without keys it finds nothing.
func (j *job) findByKeys(ctx context.Context, todo []int) (rest []int, err error) {
	if len(todo) == 0 || j.plan.page.Code == "" || !j.segments.knows(j.plan.page.Code) {
		return todo, nil
	}
	spans := make([]koda.Span, len(todo))
	for k, i := range todo {
		spans[k] = j.plan.segments[i].Span
	}
	seen, err := j.cfg.Drawer.Inspect(ctx, koda.InspectJob{Page: j.plan.page, View: j.plan.view, Facts: j.plan.facts, Keys: spans})
	if err != nil {
		return todo, ctx.Err() // drawing will report what is wrong
	}
	for k, i := range todo {
		if !j.named(i, seen.Keys[k]) {
			rest = append(rest, i)
			continue
		}
		j.byKeys[i] = true
		j.segments.remember(j.plan.segments[i])
	}
	return rest, nil
}

// nameBy names the content of a segment by its code and the keys of all its frames;
// false when the page has no keys.
func (s segment) nameBy(keys string) (string, bool) {
	if keys == "" || s.code == "" {
		return "", false
	}
	sum := sha256.Sum256([]byte(s.code + " " + keys))
	return hex.EncodeToString(sum[:]), true
}

// named reports whether the store has a segment under the name its keys give it.
func (j *job) named(i int, keys string) bool {
	seg := j.plan.segments[i]
	name, ok := seg.nameBy(keys)
	if !ok {
		return false
	}
	if seg.key = name; j.segments.has(seg, j.plan.spec) {
		j.plan.segments[i] = seg
		return true
	}
	return !seg.shots && j.segments.distrusted(name) && j.byShots(i) == nil && j.named(i, keys)
}

// keep publishes the finished file of a segment under the segment's name.
func (j *job) keep(file string, i int, drawn koda.Drawn) error {
	seg := j.plan.segments[i]
	name, named := seg.nameBy(drawn.Keys)
	if named {
		seg.key = name
	}
	if err := j.segments.publish(j.host, file, seg, j.plan.spec, drawn.Aside); err != nil {
		return err
	}
	if named {
		j.segments.remember(seg)
		j.segments.know(j.plan.page.Code)
	}
	j.plan.segments[i] = seg
	j.noteShot(seg)
	return nil
}

// Files beside the segments: names and marks. They are small, and a wrong or
// missing file only costs a look at the page.
const (
	refExt  = ".ref"
	codeExt = ".code"
	lastExt = ".last"
	seenExt = ".alpha"
	shotExt = ".shots"
)

func isNote(name string) bool {
	switch filepath.Ext(name) {
	case refExt, codeExt, lastExt, seenExt, shotExt:
		return true
	}
	return false
}

// note reads a name or a mark, and counts it as used now.
func (s store) note(file string) (string, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", false
	}
	now := s.now()
	_ = os.Chtimes(file, now, now) //nolint:errcheck // it only looks unused for longer
	return string(text), true
}

func (s store) ref(seg segment) string { return filepath.Join(s.dir, seg.page+refExt) }

// remember notes the name of a segment's content under the digest of its page.
func (s store) remember(seg segment) {
	// If the note is missing, the segment is found by its keys.
	_ = atomicfile.Write(s.ref(seg), []byte(seg.key), 0o644) //nolint:errcheck // see above
}

// known is the file that says that segments of a page's code exist.
func (s store) known(code string) string {
	sum := sha256.Sum256([]byte(code))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:])+codeExt)
}

func (s store) knows(code string) bool {
	text, ok := s.note(s.known(code))
	return ok && text == code
}

func (s store) know(code string) {
	if !s.knows(code) {
		_ = atomicfile.Write(s.known(code), []byte(code), 0o644) //nolint:errcheck // the next render of the code draws everything
	}
}
