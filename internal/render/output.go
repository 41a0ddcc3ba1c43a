package render

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
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/sandbox"
)

// target is where the results go: the paths asked for, with links followed, so that
// a link a person made stays a link.
type target struct {
	video, thumbnail string
	strip            *making // nil: no strip
	noClobber        bool
}

// checkOutput makes sure, before any work, that the results can be written.
func checkOutput(spec koda.RenderSpec) (target, error) {
	if spec.Format == preset.PNG {
		t := target{noClobber: spec.NoClobber}
		var err error
		if t.video, err = checkDir(spec.Output, spec.NoClobber); err == nil && spec.Thumbnail != "" {
			t.thumbnail, err = checkFile(spec.Thumbnail, false)
		}
		return t, err
	}
	if ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(spec.Output)), "."); ext != spec.Format {
		return target{}, &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("output %s is not named .%s", spec.Output, spec.Format),
			Hint: "name it " + strings.TrimSuffix(spec.Output, filepath.Ext(spec.Output)) + "." + spec.Format,
		}
	}
	t := target{noClobber: spec.NoClobber}
	var err error
	if t.video, err = checkFile(spec.Output, spec.NoClobber); err != nil {
		return target{}, err
	}
	if spec.Thumbnail != "" {
		t.thumbnail, err = checkFile(spec.Thumbnail, false)
	}
	return t, err
}

// checkFile makes sure that a regular file can be made at path, or replaced there,
// and follows links.
func checkFile(path string, noClobber bool) (string, error) {
	usage := func(what, hint string) (string, error) {
		return "", &koda.Error{Code: koda.CodeUsage, Op: "output " + path + " " + what, Hint: hint}
	}
	if !filepath.IsAbs(path) {
		return usage("is not an absolute path", "name the file with --output")
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return usage("is in a directory that does not exist", "make it first: mkdir -p "+dir)
	} else if err != nil {
		return "", koda.DiskError("look at "+dir, err)
	} else if !info.IsDir() {
		return usage("is in something that is not a directory", "choose another place with --output")
	}
	if _, err := os.Lstat(path); err == nil {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return usage("is a link that leads nowhere", "remove it, or choose another place with --output")
		}
		info, err := os.Stat(real)
		switch {
		case err != nil:
			return "", koda.DiskError("look at "+path, err)
		case info.IsDir():
			return usage("is a directory", "name a file in it: --output "+filepath.Join(path, "video"+filepath.Ext(path)))
		case !info.Mode().IsRegular():
			return usage("is not a regular file", "choose another place with --output")
		case noClobber:
			return "", exists(path)
		}
		path = real
	}
	probe, err := atomicfile.Create(path, 0o644)
	if err != nil {
		return "", koda.DiskError("write "+path, err)
	}
	probe.Abort()
	return path, nil
}

func exists(path string) error {
	return &koda.Error{Code: koda.CodeExists, Op: "output " + path + " is there already", Hint: "leave out --no-clobber to replace it, or choose another name with --output"}
}

// join makes one file of the segments and the sound, in the temporary directory.
func (j *job) join(ctx context.Context, s *sound) (string, error) {
	if j.plan.spec.Format == preset.PNG {
		return "", nil // pictures are written where they are published
	}
	job := koda.JoinJob{Segments: j.parts(), Spec: j.plan.spec, Alpha: j.plan.view.Transparent, Output: filepath.Join(j.tmp, "video."+j.plan.spec.Format)}
	if s != nil {
		job.Track = s.file
	}
	_, err := j.cfg.Drawer.Finish(ctx, koda.FinishJob{Join: &job})
	return job.Output, err
}

// published is a video that is in place.
type published struct {
	size   int64
	digest string // hex SHA-256
}

// publish checks the joined video and puts thumbnail, strip and video in place.
func (j *job) publish(ctx context.Context, joined string, to target) (published, error) {
	if j.plan.spec.Format == preset.PNG {
		return j.publishFrames(ctx, to)
	}
	return publishVideo(ctx, j.host, joined, to, j.plan.spec, func() error {
		if err := j.thumbnail(ctx, to.thumbnail); err != nil {
			return err
		}
		j.putStrip(ctx, to.strip)
		return nil
	})
}

// publishVideo copies a video out of the host and puts it in place. Before that, it
// checks that the video is what spec says, and calls before.
func publishVideo(ctx context.Context, host sandbox.Host, joined string, to target, spec koda.RenderSpec, before func() error) (published, error) {
	out, err := atomicfile.Create(to.video, 0o644)
	if err != nil {
		return published{}, koda.DiskError("write "+to.video, err)
	}
	defer out.Abort()
	sum := sha256.New()
	if err := copyFrom(host, joined, io.MultiWriter(out, sum), "write "+to.video); err != nil {
		return published{}, err
	}
	if err := checkVideo(out.File, spec.Frames, spec); err != nil {
		return published{}, &koda.Error{Code: koda.CodeEncodeFailed, Op: "check the joined video", Err: err, Hint: "run it again with --no-cache"}
	}
	if err := before(); err != nil {
		return published{}, err
	}
	info, err := out.Stat()
	if err != nil {
		return published{}, koda.DiskError("write "+to.video, err)
	}
	if to.noClobber {
		if _, err := os.Lstat(to.video); err == nil {
			return published{}, exists(to.video)
		}
	}
	if err := ctx.Err(); err != nil {
		return published{}, err
	}
	failpoint.Hit("render.publish")
	if err := out.Commit(); err != nil {
		return published{}, koda.DiskError("write "+to.video, err)
	}
	return published{size: info.Size(), digest: hex.EncodeToString(sum.Sum(nil))}, nil
}

// thumbnail puts the middle frame in place as a picture. It takes the frame from
// its segment, which is shorter to read than the video. Without a path there is no
// thumbnail.
func (j *job) thumbnail(ctx context.Context, path string) error {
	if path == "" {
		return nil
	}
	frame := j.plan.spec.First + j.plan.spec.Frames/2
	var from segment
	for _, s := range j.plan.segments {
		if s.Start <= frame && frame < s.End {
			from = s
		}
	}
	out, err := atomicfile.Create(path, 0o644)
	if err != nil {
		return koda.DiskError("write "+path, err)
	}
	defer out.Abort()
	still := koda.StillJob{
		Video: j.segments.path(from), Frame: frame - from.Start, Alpha: j.plan.view.Transparent, Output: filepath.Join(j.tmp, "still"+filepath.Ext(path)),
	}
	if _, err := j.cfg.Drawer.Finish(ctx, koda.FinishJob{Stills: []koda.StillJob{still}}); err != nil {
		return err
	}
	if err := copyFrom(j.host, still.Output, out.File, "write "+path); err != nil {
		return err
	}
	failpoint.Hit("render.thumbnail")
	if err := out.Commit(); err != nil {
		return koda.DiskError("write "+path, err)
	}
	return nil
}
