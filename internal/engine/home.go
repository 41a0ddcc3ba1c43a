package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// atHome is where a file in one of the project's own directories of videos is now.
// The project may have been moved or copied since the path was noted. Other paths
// stay as they are.
func atHome(dir, path string) string {
	parent := filepath.Base(filepath.Dir(path))
	if path == "" || parent != "renders" && parent != "previews" {
		return path
	}
	return filepath.Join(dir, parent, filepath.Base(path))
}

// own is where a video of the state is: in the directory that the video's effect
// writes to. A state may have come with a clone, and must not name a file anywhere
// else.
func own(dir, parent, path string) string {
	name := filepath.Base(path)
	if path == "" || !filepath.IsLocal(name) || name == "." {
		return ""
	}
	return filepath.Join(dir, parent, name)
}

// relocate gives the videos of a state their current paths.
func relocate(s *phase.State, dir string) {
	preview := func(p *koda.Preview) *koda.Preview {
		if p == nil {
			return nil
		}
		at := *p
		at.VideoURL = own(dir, "previews", p.VideoURL)
		return &at
	}
	output := func(o *koda.Output) *koda.Output {
		if o == nil {
			return nil
		}
		at := *o
		at.VideoURL, at.ThumbnailURL = own(dir, "renders", o.VideoURL), own(dir, "renders", o.ThumbnailURL)
		at.Others = slices.Clone(o.Others)
		for i, other := range at.Others {
			at.Others[i].VideoURL, at.Others[i].ThumbnailURL = own(dir, "renders", other.VideoURL), own(dir, "renders", other.ThumbnailURL)
		}
		return &at
	}
	s.Node.Preview, s.Node.Output = preview(s.Node.Preview), output(s.Node.Output)
	if s.Before != nil {
		before := *s.Before
		before.Preview, before.Output = preview(before.Preview), output(before.Output)
		s.Before = &before
	}
}

// whereNow is where a file of a render is. A render may have been made anywhere, so
// the project's own directories are searched only when the file is not at its path
// any more.
func whereNow(dir, path string) string {
	if _, err := os.Lstat(path); err == nil {
		return path
	}
	return atHome(dir, path)
}

// gone reports whether a project's directory is not there.
func gone(p koda.Project) bool {
	_, err := os.Stat(filepath.Join(p.Dir, ".koda"))
	return err != nil
}

// Present is the error of a project whose directory is certainly gone. A directory
// that cannot be looked into may still be there.
func Present(p koda.Project) error {
	_, err := os.Stat(filepath.Join(p.Dir, ".koda"))
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return &koda.Error{
		Code: koda.CodeNotFound, Op: fmt.Sprintf("the directory of project %q, %s, is gone", p.Name, p.Dir),
		Hint: whereNext(p.Name),
	}
}

func elsewhere(p koda.Project) error {
	return &koda.Error{
		Code: koda.CodeNotFound, Op: fmt.Sprintf("the directory of project %q, %s, is that of another project", p.Name, p.Dir), Hint: whereNext(p.ID),
	}
}

func whereNext(ref string) string {
	return "if it was moved, name where it is now: koda resume DIRECTORY; to forget it: koda delete " + ref
}
