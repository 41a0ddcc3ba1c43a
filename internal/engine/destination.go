package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/projectfs"
)

// Finals says which final videos to make and where to put them. A field that is not
// set leaves the earlier choice as it was. USAGE: this animation cannot have such
// videos.
type Finals struct {
	Presets []string
	To      *koda.Destination // where the videos are put as well
}

// choose journals which final videos to make, if the person said it.
func (r *run) choose(ctx context.Context, f Finals) error {
	if len(f.Presets) == 0 && f.To == nil {
		return nil
	}
	b := r.state.Brief
	if len(f.Presets) > 0 {
		b.Preset, b.Presets = f.Presets[0], f.Presets[1:]
	}
	m := manifestOf(b, r.state.Node.Plan)
	if err := fits(m, finals(b), cmp.Or(f.To, b.To)); err != nil {
		return err
	}
	return r.step(ctx, phase.Chosen{Stamp: r.stamp(), Presets: f.Presets, To: f.To}, with{})
}

// hasFinal is the error of a choice that comes too late for the final video. It
// says how to make another video.
func hasFinal(project string, f Finals) error {
	how := "koda render " + project
	if len(f.Presets) > 0 {
		how += " --preset " + strings.Join(f.Presets, ",")
	}
	if f.To != nil {
		how += " --output " + f.To.Path
	}
	return &koda.Error{Code: koda.CodeWrongPhase, Op: project + " has its final video", Hint: how + " makes another"}
}

// fits refuses presets and a destination that the final videos of an animation
// cannot have.
func fits(m koda.Manifest, presets []string, to *koda.Destination) error {
	if to != nil && !to.Dir && len(presets) > 1 {
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("%s cannot be the output of %d presets", to.Path, len(presets)),
			Hint: "give a directory: --output " + filepath.Dir(to.Path) + string(filepath.Separator),
		}
	}
	videos := slices.DeleteFunc(preset.Formats(), func(f string) bool { return f == preset.PNG })
	if f := to.Format(); f != "" && !slices.Contains(videos, f) {
		return &koda.Error{Code: koda.CodeUsage, Op: to.Path + " is not a name for a video", Hint: "give it the ending of one: " + strings.Join(videos, ", ")}
	}
	m.Duration = cmp.Or(m.Duration, 1) // the author decides
	for _, name := range presets {
		p, err := preset.Lookup(name)
		if err == nil {
			_, err = preset.Spec(m, p, preset.Overrides{Format: to.Format()})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// finals are the presets that each get a final video.
func finals(b koda.Brief) []string {
	return append([]string{cmp.Or(b.Preset, preset.Final)}, b.Presets...)
}

// hand puts a final video where the person wants it as well, and returns the path;
// "" is nowhere. A file that is already there may be the same video, put there
// before a crash.
func (r *run) hand(res koda.RenderResult, name string) (string, error) {
	to := r.state.Brief.To
	if to == nil {
		return "", nil
	}
	base := r.project.Name
	if name != preset.Final {
		base += "-" + name
	}
	path := to.File(base, strings.TrimPrefix(filepath.Ext(res.Video), "."))
	if path == res.Video {
		return "", nil
	}
	elsewhere := fmt.Sprintf("`koda resume %s --output FILE` puts it elsewhere", r.project.Name)
	failed := func(code koda.Code, err error) (string, error) {
		return "", &koda.Error{Code: code, Op: "put the video at " + path, Err: err, Hint: elsewhere}
	}
	if err := projectfs.NoLinksTo(r.project.Dir, path); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return failed(koda.CodeWriteFailed, reason(err))
	}
	at := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		at = real // a link that the person made stays a link
	}
	info, err := os.Lstat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return failed(koda.CodeWriteFailed, reason(err))
	case !info.Mode().IsRegular():
		return failed(koda.CodeWriteFailed, errors.New("what is there is no file that can be replaced"))
	case info.Size() == res.Size && hasDigest(res.SHA256, at):
		return path, nil
	case to.NoClobber:
		return failed(koda.CodeExists, errors.New("another file is there, and --no-clobber was said"))
	}
	err = atomicfile.WriteFunc(at, 0o644, func(w io.Writer) error { return copyOf(res.Video, w) })
	if full := koda.DiskFull("put the video at "+path, err, elsewhere); full != nil {
		return "", full
	}
	if err != nil {
		return failed(koda.CodeWriteFailed, err)
	}
	failpoint.Hit("engine.handed")
	return path, nil
}

func copyOf(path string, w io.Writer) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, f.Close())
}

// reason is what the system says about a path, without the path.
func reason(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// homely removes from a state file all paths outside of the project, and the models but a name:
// somebody else may have made the file, and a key must not go where they say. Said is
// what the person here said.
func homely(s koda.StateFile, said koda.Brief) (koda.StateFile, error) {
	m, err := machineIn(s, s.Project.Dir)
	if err != nil {
		return s, err
	}
	left := m.Brief.Models.Left()
	m.Brief.To, m.Brief.Models = said.To, said.Models
	if said.Models.Model == "" {
		m.Brief.Models.Elsewhere = left.Elsewhere
	}
	outputs := []*koda.Output{m.Node.Output}
	if m.Before != nil {
		outputs = append(outputs, m.Before.Output)
	}
	for _, o := range outputs {
		if o == nil {
			continue
		}
		o.Copy = ""
		for i := range o.Others {
			o.Others[i].Copy = ""
		}
	}
	if s.Machine, err = json.Marshal(m); err != nil {
		return s, fmt.Errorf("encode state: %w", err)
	}
	return s, nil
}
