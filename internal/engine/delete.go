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

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// Delete removes everything of a project: its rows, its sandbox, and what koda made
// in its directory. It returns the files it left because the person put them there.
// If the directory is gone, Delete removes the rest.
func (e *Engine) Delete(ctx context.Context, id string) (left []string, err error) {
	p, _, err := e.cfg.Store.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	r := e.newRun()
	r.project = p
	if e.reach(p) != nil {
		return nil, r.deleteRows(ctx)
	}
	// A state that cannot be read must not keep a project from being deleted.
	if r.release, err = e.cfg.Storage.Lock(p.Dir); err != nil {
		return nil, err
	}
	defer func() { err = closed(r, err) }()
	if err := r.destroyForGood(ctx); err != nil {
		return nil, err
	}
	// Rows last: a crash in between leaves a project that can be deleted
	// again.
	if left, err = e.cfg.Storage.Remove(r.project.Dir); err != nil {
		return left, err
	}
	return left, e.cfg.Store.Delete(ctx, id)
}

// deleteRows removes what is left of a project whose directory is gone, or belongs
// to another project. If the directory is there but cannot be read, the project
// stays.
func (r *run) deleteRows(ctx context.Context) error {
	if err := r.destroyForGood(ctx); err != nil {
		return err
	}
	return r.e.cfg.Store.Delete(ctx, r.project.ID)
}

// destroyForGood destroys the sandbox of a project that is deleted, if it answers.
func (r *run) destroyForGood(ctx context.Context) error {
	if err := r.connect(ctx); err == nil && r.sb != nil {
		if err := r.sb.Destroy(ctx); err != nil {
			return fmt.Errorf("destroy sandbox: %w", err)
		}
	}
	return nil
}

// DeletedRender is what became of a render that was deleted.
type DeletedRender struct {
	Render  koda.RenderRecord `json:"render"`
	Removed []string          `json:"removed"` // files
	// Left are files that stay: somebody changed them, or another render uses the
	// same file.
	Left []string `json:"left"`
}

// DeleteRender removes one render of a project: its video, its thumbnail and its
// row. Ref is the render's id, or the part of it after the project's id.
// WRONG_PHASE: the render is the preview the project waits with.
func (e *Engine) DeleteRender(ctx context.Context, id, ref string) (out DeletedRender, err error) {
	r, err := e.open(ctx, id)
	if err != nil {
		return out, err
	}
	defer func() { err = closed(r, err) }()
	renders, err := e.cfg.Journal.Renders(ctx, id)
	if err != nil {
		return out, err
	}
	at := slices.IndexFunc(renders, func(rec koda.RenderRecord) bool { return rec.ID == ref || rec.ID == id+"-"+ref })
	if at < 0 {
		return out, r.noRender(ref, renders)
	}
	out = DeletedRender{Render: renders[at], Removed: []string{}, Left: []string{}}
	res := out.Render.Result
	if p := r.state.Node.Preview; res != nil && p != nil && r.state.Node.Phase == koda.PhasePreview && p.VideoURL == r.whereNow(res.Video) {
		return out, &koda.Error{
			Code: koda.CodeWrongPhase, Op: "the project waits with this preview",
			Hint: fmt.Sprintf("`koda accept %s` or `koda edit %s` first", r.project.Name, r.project.Name),
		}
	}
	if res != nil {
		others := slices.Delete(slices.Clone(renders), at, at+1)
		if err := r.removeVideo(*res, others, &out); err != nil {
			return out, err
		}
	}
	return out, e.cfg.Store.DeleteRender(ctx, id, out.Render.ID)
}

func (r *run) noRender(ref string, renders []koda.RenderRecord) error {
	ids := make([]string, len(renders))
	for i, rec := range renders {
		ids[i] = strings.TrimPrefix(rec.ID, r.project.ID+"-")
	}
	hint := "`koda show " + r.project.Name + "` lists them"
	if near := koda.Nearest(ref, ids); near != "" {
		hint = fmt.Sprintf("did you mean %s? %s", near, hint)
	}
	return &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("project %q has no render %q", r.project.Name, ref), Hint: hint}
}

// removeVideo removes the files of a render, if they are still what koda rendered.
func (r *run) removeVideo(res koda.RenderResult, others []koda.RenderRecord, out *DeletedRender) error {
	shared := slices.ContainsFunc(others, func(o koda.RenderRecord) bool { return o.Result != nil && o.Result.Video == res.Video })
	video, thumbnail := r.whereNow(res.Video), r.whereNow(res.Thumbnail)
	files, ours := renderedFiles(video, res.SHA256)
	for _, file := range []string{video, thumbnail} {
		// What lies behind a link in the project is not koda's.
		ours = ours && projectfs.NoLinksTo(r.project.Dir, file) == nil
	}
	if thumbnail != "" && isRegular(thumbnail) {
		files = append(files, thumbnail)
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
	pictures, err := filepath.Glob(filepath.Join(escapeGlob(video), "frame_*.png"))
	if err != nil || len(pictures) == 0 || !hasDigest(sum, pictures...) {
		return []string{video}, false
	}
	return pictures, true
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func isRegular(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
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
