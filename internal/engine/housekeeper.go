package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
)

// Housekeeper removes what nobody needs any more. It does no work and changes no
// state: it looks through a Reader, and its ports can only remove. It owns a project
// while it removes something of the project.
type Housekeeper struct {
	reader   *Reader
	rows     Rows
	sessions Sessions
	owners   Owners
	leavings Leavings
	idle     time.Duration // see Limits
	now      func() time.Time
	suspend  func(ctx context.Context, id string) error // saves a project and destroys its sandbox
}

// Delete removes everything of a project: its rows, its sandbox, and what koda made
// in its directory. It returns the files it left because the person put them there.
// If the directory is gone, or belongs to another project, Delete removes the rest.
// A state that cannot be read does not keep a project from being deleted.
func (h *Housekeeper) Delete(ctx context.Context, id string) (left []string, err error) {
	p, _, err := h.reader.index.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	there := h.reader.reach(p) == nil
	if there {
		release, err := h.owners.Lock(p.Dir)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, release()) }()
	}
	if err := h.reader.removeSandbox(ctx, p); err != nil && p.SandboxType == string(sandbox.Local) {
		return nil, fmt.Errorf("destroy sandbox: %w", err)
	} else if ctx.Err() != nil {
		return nil, ctx.Err()
	} // a sandbox behind an engine that does not answer ends by itself
	if there {
		if left, err = h.leavings.Remove(p.Dir); err != nil {
			return left, err
		}
	}
	// Rows last: a crash in between leaves a project that can be deleted again.
	return left, h.rows.Delete(ctx, id)
}

// Housed is a project whose session has a sandbox.
type Housed struct {
	Project koda.Project
	Busy    bool // an author works in it now
}

// Housed are the sandboxes that projects use, or come back to, by their ids.
func (h *Housekeeper) Housed(ctx context.Context) (map[string]Housed, error) {
	projects, err := h.reader.index.List(ctx)
	if err != nil {
		return nil, err
	}
	sessions, err := h.sessions.AllSessions(ctx)
	if err != nil {
		return nil, err
	}
	all := map[string]Housed{}
	for _, s := range sessions {
		i := slices.IndexFunc(projects, func(p koda.Project) bool { return p.ID == s.ProjectID })
		if s.Status == koda.SessionActive && s.SandboxID != "" && i >= 0 {
			p := projects[i]
			all[s.SandboxID] = Housed{Project: p, Busy: p.Phase == koda.PhaseExecuting && h.reader.shelf.InUse(p.Dir)}
		}
	}
	return all, nil
}

// DeletedRender is what became of a render that was deleted.
type DeletedRender struct {
	Render  koda.RenderRecord `json:"render"`
	Removed []string          `json:"removed"` // files
	// Left are files that stay: somebody changed them, or another render uses the
	// same file.
	Left []string `json:"left"`
}

// DeleteRender removes one render of a project: its video, its thumbnail, its strip and
// its row. Ref is the render's id, or the part of it after the project's id.
// WRONG_PHASE: the render is the preview the project waits with.
func (h *Housekeeper) DeleteRender(ctx context.Context, id, ref string) (out DeletedRender, err error) {
	p, _, err := h.reader.index.Load(ctx, id)
	if err == nil {
		err = h.reader.reach(p)
	}
	if err != nil {
		return out, err
	}
	release, err := h.owners.Lock(p.Dir)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, release()) }()
	_, s, err := h.reader.read(ctx, id) // only under the lock is the state sure to be current
	renders, failed := h.reader.journal.Renders(ctx, id)
	if err = errors.Join(err, failed); err != nil {
		return out, err
	}
	at := slices.IndexFunc(renders, func(rec koda.RenderRecord) bool { return rec.ID == ref || rec.ID == id+"-"+ref })
	if at < 0 {
		return out, noRender(p, ref, renders)
	}
	out = DeletedRender{Render: renders[at], Removed: []string{}, Left: []string{}}
	res := out.Render.Result
	relocate(&s, p.Dir)
	if shown := s.Node.Preview; res != nil && shown != nil && s.Node.Phase == koda.PhasePreview && shown.VideoURL == whereNow(p.Dir, res.Video) {
		return out, &koda.Error{
			Code: koda.CodeWrongPhase, Op: "the project waits with this preview",
			Hint: fmt.Sprintf("`koda accept %s` or `koda edit %s` first", p.Name, p.Name),
		}
	}
	if res != nil {
		shared := slices.ContainsFunc(renders, func(o koda.RenderRecord) bool {
			return o.ID != out.Render.ID && o.Result != nil && o.Result.Video == res.Video
		})
		if err := removeVideo(p.Dir, *res, shared, &out); err != nil {
			return out, err
		}
	}
	return out, h.rows.DeleteRender(ctx, id, out.Render.ID)
}

func noRender(p koda.Project, ref string, renders []koda.RenderRecord) error {
	ids := make([]string, len(renders))
	for i, rec := range renders {
		ids[i] = strings.TrimPrefix(rec.ID, p.ID+"-")
	}
	hint := "`koda show " + p.Name + "` lists them"
	if near := koda.Nearest(ref, ids); near != "" {
		hint = fmt.Sprintf("did you mean %s? %s", near, hint)
	}
	return &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("project %q has no render %q", p.Name, ref), Hint: hint}
}

// removeVideo removes the files of a render, if they are still what koda rendered
// and no other render shares them.
func removeVideo(dir string, res koda.RenderResult, shared bool, out *DeletedRender) error {
	video := whereNow(dir, res.Video)
	files, ours := renderedFiles(video, res.SHA256)
	// What lies behind a link in the project is not koda's.
	ours = ours && projectfs.NoLinksTo(dir, video) == nil
	for _, beside := range []string{whereNow(dir, res.Thumbnail), whereNow(dir, res.Strip)} {
		ours = ours && projectfs.NoLinksTo(dir, beside) == nil
		if info, err := os.Lstat(beside); err == nil && info.Mode().IsRegular() {
			files = append(files, beside)
		}
	}
	if shared || !ours {
		out.Left = append(out.Left, files...)
		return nil
	}
	for _, path := range files {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &koda.Error{Code: koda.CodeStorageFailed, Op: "remove the render", Err: err, Hint: "make its directory writable"}
		}
		out.Removed = append(out.Removed, path)
	}
	if info, err := os.Lstat(video); err == nil && info.IsDir() {
		_ = os.Remove(video) //nolint:errcheck // other files in the directory keep it there
	}
	return nil
}

// renderedFiles lists the files of a video, or of a directory of pictures, and
// reports whether they still have the digest they were rendered with. A video that
// is gone has no files, and counts as koda's own.
func renderedFiles(video, sum string) (files []string, ours bool) {
	info, err := os.Lstat(video)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, true
	case err != nil:
		return nil, false
	case info.Mode().IsRegular():
		return []string{video}, hasDigest(sum, video)
	case !info.IsDir():
		return []string{video}, false
	}
	escape := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)
	pictures, err := filepath.Glob(filepath.Join(escape.Replace(video), "frame_*.png"))
	if err != nil || len(pictures) == 0 || !hasDigest(sum, pictures...) {
		return []string{video}, false
	}
	return pictures, true
}

// hasDigest reports whether the contents of files, joined in order, have the
// SHA-256 sum.
func hasDigest(sum string, paths ...string) bool {
	h := sha256.New()
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return false
		}
		_, err = io.Copy(h, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return false
		}
	}
	return hex.EncodeToString(h.Sum(nil)) == sum
}
