package ffmpeg

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/timeline"
)

// Encoder is an ffmpeg that is fed with pictures. One goroutine writes; Finish or
// Abort ends it.
type Encoder struct {
	ctx   context.Context //nolint:containedctx // bounds the child, as exec.CommandContext does
	spec  Spec
	child sandbox.Process
	watch *watch
	lent  []byte // the picture of the last Write; the child may not have read all of it
	once  sync.Once
	err   error
}

// Encode starts ffmpeg on s. When ctx ends, ffmpeg is killed. The caller must
// call Finish or Abort.
func (t *Tool) Encode(ctx context.Context, s Spec) (*Encoder, error) { return t.feed(ctx, s, Args(s)) }

// feed starts an ffmpeg that takes pictures on its standard input.
func (t *Tool) feed(ctx context.Context, s Spec, args []string) (*Encoder, error) {
	id, err := t.identify("ffmpeg")
	if err != nil {
		return nil, err
	}
	child, err := t.host.Start(ctx, sandbox.Program{Path: id.path, Args: args})
	if err != nil {
		return nil, failure(ctx, "start ffmpeg", err, "")
	}
	go func() {
		_, _ = io.Copy(io.Discard, child.Stdout()) //nolint:errcheck // it writes nothing there
		_ = child.Stdout().Close()                 //nolint:errcheck // a pipe end
	}()
	return &Encoder{ctx: ctx, spec: s, child: child, watch: t.watched(child, false)}, nil
}

// Write gives the encoder its next picture, a PNG or raw pixels, as its Spec says.
// An error is the error of the whole encoding, as Finish would return it. The
// picture must stay unchanged until the next picture was written.
func (e *Encoder) Write(picture []byte) error {
	e.watch.waiting.Store(true)
	err := lend(e.child.Stdin(), picture)
	e.lent = picture
	e.watch.taken.Add(1)
	e.watch.waiting.Store(false)
	if err != nil {
		// A closed pipe is only the symptom: the child's end says why.
		if err := e.Finish(); err != nil {
			return err
		}
		return failure(e.ctx, "write frame to ffmpeg", err, e.child.StderrTail())
	}
	return nil
}

// Finish ends the input and waits for the file to be complete. ENCODE_FAILED,
// DISK_FULL: the file is not complete. Finish may be called again.
func (e *Encoder) Finish() error {
	e.once.Do(func() {
		_ = e.child.Stdin().Close() //nolint:errcheck // the child's status reports failures
		e.watch.waiting.Store(true)
		if err := e.watch.cause(e.child.Wait()); err != nil || e.ctx.Err() != nil {
			e.err = failure(e.ctx, "encode video", err, e.child.StderrTail())
		}
		e.watch.stop()
	})
	return e.err
}

// Abort kills ffmpeg and waits. After Finish it does nothing.
func (e *Encoder) Abort() {
	e.once.Do(func() {
		e.child.Kill()
		_ = e.child.Stdin().Close() //nolint:errcheck // the reader is gone
		e.watch.stop()
		e.err = context.Canceled
	})
}

// Join joins segments into output. Encode made the segments of specs that are equal
// but for Output, and output has their extension. Every frame comes exactly 1/fps
// after the frame before; in webm at the nearest millisecond. Alpha: the segments
// have alpha.
func (t *Tool) Join(ctx context.Context, segments []koda.SegmentFile, fps koda.FPS, alpha bool, output string) error {
	return t.list(ctx, "join segments", segments, fps, JoinArgs(fps, alpha, output))
}

// ConcatList is the list that JoinArgs reads. It has each segment's duration as a
// number of frames over the rate.
func ConcatList(segments []koda.SegmentFile, fps koda.FPS) (string, error) {
	var b strings.Builder
	b.WriteString("ffconcat version 1.0\n")
	for _, s := range segments {
		if strings.ContainsAny(s.Path, "\r\n") {
			return "", &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("join segments: path %q holds a line break", s.Path), Hint: "move the cache elsewhere"}
		}
		us := timeline.Ticks(s.Frames, fps)
		fmt.Fprintf(&b, "file 'file:%s'\nduration %d.%06d\n", strings.ReplaceAll(s.Path, "'", `'\''`), us/1_000_000, us%1_000_000)
	}
	return b.String(), nil
}

// Still makes a still, with StillArgs.
func (t *Tool) Still(ctx context.Context, s koda.StillJob) error {
	return t.runTo(ctx, "make still", StillArgs(s), nil)
}

// Strip makes the pictures of a strip, with StripArgs.
func (t *Tool) Strip(ctx context.Context, s koda.StripJob) error {
	return t.list(ctx, "make strip", s.Segments, s.FPS, StripArgs(s))
}

// Resize scales a PNG picture to a size.
func (t *Tool) Resize(ctx context.Context, png []byte, width, height int) ([]byte, error) {
	id, err := t.identify("ffmpeg")
	if err != nil {
		return nil, err
	}
	out, stderr, err := t.run(ctx, id.path, ResizeArgs(width, height), png)
	if err != nil {
		return nil, failure(ctx, "resize picture", err, stderr)
	}
	return out, nil
}
