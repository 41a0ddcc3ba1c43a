package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/strip"
	"github.com/koda-video/koda/internal/timeline"
)

// What a strip is at most. Pictures of this size fill a terminal.
const (
	stripSide   = 384 // pixels of the longer side
	stripRate   = 12  // stills a second, roughly: the frames of the video allow only some rates
	stripStills = 900
)

// making is a strip in the making. Its pictures are made while the segments are joined,
// so that nobody waits for them.
type making struct {
	job  koda.StripJob
	stop context.CancelFunc
	done chan struct{}
	err  error  // set when done is closed
	made string // the path, once it is in place
}

// beginStrip begins to make the strip of the job, if its spec asks for a strip. The
// caller must call end.
func (j *job) beginStrip(ctx context.Context) *making {
	s := j.plan.spec
	if s.Strip == "" || s.Format != preset.MP4 {
		return nil
	}
	m := &making{job: stripOf(s), done: make(chan struct{})}
	m.job.Segments, m.job.Output = j.parts(), filepath.Join(j.tmp, "strip")
	ctx, m.stop = context.WithCancel(ctx)
	go func() {
		defer close(m.done)
		_, m.err = j.cfg.Drawer.Finish(ctx, koda.FinishJob{Strip: &m.job})
	}()
	return m
}

// stripOf says which frames of a video are in its strip, and their size.
func stripOf(s koda.RenderSpec) koda.StripJob {
	rate := float64(s.FPS.Num) / float64(s.FPS.Den)
	scale := min(1, stripSide/float64(max(s.Width, s.Height)))
	side := func(n int) int { return max(1, int(math.Round(scale*float64(n)))) }
	return koda.StripJob{
		FPS: s.FPS, Every: max(1, int(math.Round(rate/stripRate)), (s.Frames+stripStills-1)/stripStills), Width: side(s.Width), Height: side(s.Height),
	}
}

// end stops the making and waits for its end.
func (m *making) end() {
	if m != nil {
		m.stop()
		<-m.done
	}
}

// result is the path of the strip; "" if there is no strip.
func (m *making) result() string {
	if m == nil {
		return ""
	}
	return m.made
}

// putStrip waits for a strip and puts it in place. A strip that cannot be made costs no
// video: the job notes the reason. Then no older strip may stay in its place.
func (j *job) putStrip(ctx context.Context, m *making) {
	if m == nil {
		return
	}
	if <-m.done; ctx.Err() != nil {
		return
	}
	path := j.plan.spec.Strip
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		j.stripless = fmt.Errorf("%s is not a regular file", path)
		return
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		j.stripless = koda.DiskError("look at "+path, err)
		return
	}
	if j.stripless = j.writeStrip(m, path); j.stripless != nil {
		_ = os.Remove(path) //nolint:errcheck // there is none, as a rule
		return
	}
	m.made = path
}

func (j *job) writeStrip(m *making, path string) error {
	if m.err != nil {
		return m.err
	}
	var pictures bytes.Buffer
	if err := copyFrom(j.host, m.job.Output, &pictures, "write "+path); err != nil {
		return err
	}
	stills, err := strip.Split(pictures.Bytes())
	if err != nil {
		return err
	}
	spec := j.plan.spec
	info := strip.Info{
		Width: m.job.Width, Height: m.job.Height, Duration: timeline.Seconds(spec.Frames, spec.FPS),
		FPS: float64(spec.FPS.Num) / float64(spec.FPS.Den*m.job.Every),
	}
	for n := 0; n < spec.Frames; n += m.job.Every {
		info.Times = append(info.Times, timeline.Seconds(n, spec.FPS))
	}
	out, err := atomicfile.Create(path, 0o644)
	if err != nil {
		return koda.DiskError("write "+path, err)
	}
	defer out.Abort()
	if err := strip.Write(out, info, stills); err != nil {
		return koda.DiskError("write "+path, err)
	}
	failpoint.Hit("render.strip")
	if err := out.Commit(); err != nil {
		return koda.DiskError("write "+path, err)
	}
	return nil
}
