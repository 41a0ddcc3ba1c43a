package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/strip"
)

// stripEnding ends the name of a strip, which lies beside its video.
const stripEnding = ".strip"

// Strip is a preview that can be shown without ffmpeg.
type Strip struct {
	Project koda.Project
	Version int
	Path    string            // of the strip; see package strip
	Video   string            // of the preview; "" if the video is gone
	Scenes  []koda.SceneStart // none if the version's koda.json cannot be read
}

// Strip finds the strip of a version's preview; it takes no lock and starts nothing.
// Version 0 means the current version if that has a preview with a strip, else the
// newest preview that has one.
//
// NOT_FOUND: there is no strip. Then Video is still the preview, if there is one.
func (r *Reader) Strip(ctx context.Context, id string, version int) (Strip, error) {
	p, s, err := r.read(ctx, id)
	if err == nil {
		err = r.reach(p)
	}
	if err != nil {
		return Strip{}, err
	}
	renders, err := r.journal.Renders(ctx, id)
	if err != nil {
		return Strip{}, err
	}
	found := previewOn(p, renders, func(v int) bool { return v == cmp.Or(version, s.Version) })
	if found.Path == "" && version == 0 {
		// Without any strip, the current version's preview is still the one to name.
		if newest := previewOn(p, renders, func(int) bool { return true }); newest.Path != "" || found.Video == "" {
			found = newest
		}
	}
	if found.Path == "" && found.Video == "" { // the records are gone, as in an adopted directory
		found = previewNamed(p, cmp.Or(version, s.Version))
	}
	found.Project = p
	if found.Path == "" {
		return found, noStrip(p, s.Version, version)
	}
	if files, err := r.shelf.Version(p.Dir, found.Version); err == nil {
		if m, err := readManifest(files, p.Name); err == nil {
			found.Scenes = m.Scenes
		}
	}
	return found, nil
}

// previewOn is the newest preview of a version that counts: one with a strip, else one
// whose video is there.
func previewOn(p koda.Project, renders []koda.RenderRecord, counts func(version int) bool) (found Strip) {
	later := map[string]bool{} // videos that a later render wrote over
	for _, rec := range slices.Backward(renders) {
		if rec.Kind != koda.RenderPreview || rec.Status != "done" || rec.Result == nil {
			continue
		}
		path, video := atHome(p.Dir, rec.Result.Strip), whereNow(p.Dir, rec.Result.Video)
		stale := later[video]
		if later[video] = true; stale || !counts(rec.Version) {
			continue
		}
		here := Strip{Version: rec.Version}
		if isFile(video) {
			here.Video = video
		}
		if path != "" && isFile(path) {
			here.Path = path
			return here
		}
		if found.Video == "" {
			found = here
		}
	}
	return found
}

// previewNamed is the preview of a version by the name that koda gives its files.
func previewNamed(p koda.Project, version int) Strip {
	base := filepath.Join(p.Dir, "previews", fmt.Sprintf("%s-v%d", p.Name, version))
	found := Strip{Version: version}
	if isFile(base + ".mp4") {
		found.Video = base + ".mp4"
	}
	if isFile(base + stripEnding) {
		found.Path = base + stripEnding
	}
	return found
}

func noStrip(p koda.Project, current, version int) error {
	e := &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("project %q has no preview that can be shown", p.Name), Hint: "draw the preview again: " + strip.Again(p.Name)}
	switch {
	case current == 0:
		e.Hint = "`koda resume " + p.Name + "` goes on with it"
	case version != 0 && version != current:
		e.Op = fmt.Sprintf("v%d of project %q has no preview that can be shown", version, p.Name)
		e.Hint = fmt.Sprintf("draw it: koda checkout %s v%d, then %s", p.Name, version, strip.Again(p.Name))
	}
	return e
}

// Open opens the strip. The caller calls close after the last use of the stills.
// NOT_FOUND: it is gone or damaged. INVALID_PATH: a link is on the way to it.
func (s Strip) Open() (pictures *strip.Strip, close func() error, err error) {
	again := func(err error) error {
		if err == nil || koda.CodeOf(err) == koda.CodeInvalidPath {
			return err
		}
		return &koda.Error{Code: koda.CodeNotFound, Op: "open " + s.Path, Err: err, Hint: "draw the preview again: " + strip.Again(s.Project.Name)}
	}
	name, err := filepath.Rel(s.Project.Dir, s.Path)
	if err != nil {
		return nil, nil, again(err)
	}
	files, err := projectfs.Open(s.Project.Dir)
	if err != nil {
		return nil, nil, again(err)
	}
	f, err := files.Open(filepath.ToSlash(name))
	if err := errors.Join(err, files.Close()); err != nil {
		return nil, nil, again(err)
	}
	info, err := f.Stat()
	at, ok := f.(io.ReaderAt)
	if err == nil && !ok {
		err = errors.New("the file cannot be read at any place")
	}
	if err == nil {
		pictures, err = strip.Open(at, info.Size())
	}
	if err != nil {
		return nil, nil, again(errors.Join(err, f.Close()))
	}
	return pictures, f.Close, nil
}
