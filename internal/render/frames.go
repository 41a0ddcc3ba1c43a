package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
)

// frameName matches the names of the pictures in a directory of frames.
var frameName = regexp.MustCompile(`^frame_\d{5,}\.png$`)

// checkDir makes sure that a directory of frames can be made at path, or replaced
// there: a directory with other files in it is not koda's.
func checkDir(path string, noClobber bool) (string, error) {
	usage := func(what, hint string) (string, error) {
		return "", &koda.Error{Code: koda.CodeUsage, Op: "output " + path + " " + what, Hint: hint}
	}
	if !filepath.IsAbs(path) {
		return usage("is not an absolute path", "name the directory with --output")
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a link that a person made stays a link
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return "", koda.DiskError("look at "+path, err)
	case !info.IsDir():
		return usage("is not a directory", "png is a directory of frames: choose another name with --output")
	default:
		entries, err := os.ReadDir(path)
		if err != nil {
			return "", koda.DiskError("look at "+path, err)
		}
		if noClobber && len(entries) > 0 {
			return "", exists(path)
		}
		for _, e := range entries {
			if !frameName.MatchString(e.Name()) || !e.Type().IsRegular() {
				return usage("holds "+e.Name(), "frames go into a directory of their own: --output "+filepath.Join(path, "frames"))
			}
		}
	}
	if parent := filepath.Dir(path); !isDirectory(parent) {
		return usage("is in a directory that does not exist", "make it first: mkdir -p "+parent)
	}
	probe, err := atomicfile.CreateDir(path)
	if err != nil {
		return "", koda.DiskError("write "+path, err)
	}
	probe.Abort()
	return path, nil
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// publishFrames writes the pictures of all segments and puts them in place.
func (j *job) publishFrames(ctx context.Context, to target) (published, error) {
	tmp, err := j.host.MkdirTemp("frames")
	if err != nil {
		return published{}, koda.DiskError("make temporary directory", err)
	}
	defer func() { _ = j.host.RemoveAll(tmp) }() //nolint:errcheck // the clean-up after this process removes it
	job := koda.JoinJob{Segments: j.parts(), Spec: j.plan.spec, Alpha: j.plan.view.Transparent, Output: tmp}
	if _, err := j.cfg.Drawer.Finish(ctx, koda.FinishJob{Join: &job}); err != nil {
		return published{}, err
	}
	out, err := atomicfile.CreateDir(to.video)
	if err != nil {
		return published{}, koda.DiskError("write "+to.video, err)
	}
	defer out.Abort()
	sum, size := sha256.New(), int64(0)
	for n := range j.plan.spec.Frames {
		name := fmt.Sprintf("frame_%05d.png", n)
		f, err := out.Create(name)
		if err != nil {
			return published{}, koda.DiskError("write "+to.video, err)
		}
		counted := &counter{}
		err = errors.Join(copyFrom(j.host, filepath.Join(tmp, name), io.MultiWriter(f, sum, counted), "write "+to.video), f.Close())
		if err != nil {
			return published{}, err
		}
		size += counted.n
	}
	if err := j.thumbnail(ctx, to.thumbnail); err != nil {
		return published{}, err
	}
	if _, err := checkDir(to.video, to.noClobber); err != nil { // somebody may have written there meanwhile
		return published{}, err
	}
	if err := ctx.Err(); err != nil {
		return published{}, err
	}
	failpoint.Hit("render.publish")
	if err := out.Commit(); err != nil {
		return published{}, koda.DiskError("write "+to.video, err)
	}
	return published{size: size, digest: hex.EncodeToString(sum.Sum(nil))}, nil
}

// counter counts bytes.
type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}
