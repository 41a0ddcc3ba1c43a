package draw

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// ahead is how many captured frames may wait for the encoder. Capture and encoder
// work at the same time; a larger number would only fill memory.
const ahead = 3

// Draw captures and encodes a segment. If an attempt fails, the next attempt starts
// from the first frame in a fresh browser. If an attempt ran out of memory, the
// next attempt runs when no other attempt is at work here. Report, which may be
// nil, is called from one goroutine.
//
// koda.ErrUnfilled, koda.ErrFacts, koda.ErrRawRefused, and for a job that wants raw
// pixels koda.ErrRawWrong: the segment can be drawn in another way. Such an error
// comes with what is known by then: the keys, if the page named all frames. Other
// errors: PAGE_FAILED, SEEK_FAILED, MISSING_TOOL, CAPTURE_FAILED, OUT_OF_MEMORY,
// ENCODE_FAILED, DISK_FULL; RENDER_FAILED when as many browsers failed as the job
// allows.
func (d *Drawer) Draw(ctx context.Context, job koda.SegmentJob, report func(koda.SegmentProgress)) (koda.Drawn, error) {
	if report == nil {
		report = func(koda.SegmentProgress) {}
	}
	var retries []string
	rounds, alone, try := 1, false, 1
	tell := func(p koda.SegmentProgress) {
		p.Try = try
		report(p)
	}
	for ; ; try++ {
		tell(koda.SegmentProgress{Doing: koda.DoingStart})
		drawn, err := d.attemptIn(ctx, job, rounds, alone, tell)
		drawn.Retries = retries
		var more *koda.RoundsError
		switch {
		case ctx.Err() != nil:
			return drawn, errors.Join(ctx.Err(), err)
		case err == nil, errors.Is(err, koda.ErrUnfilled), errors.Is(err, koda.ErrFacts), errors.Is(err, koda.ErrRawRefused),
			job.View.Raw && errors.Is(err, koda.ErrRawWrong):
			return drawn, err
		case errors.As(err, &more):
			// Each error asks for more rounds, at most eight, or says that no
			// number of rounds is enough.
			rounds = more.Rounds
			try--
			continue
		case !worthRetrying(err):
			return drawn, &koda.Error{Code: koda.CodeOf(err), Op: "draw frames " + job.Span.String(), Err: err, Hint: encoderHint(job, err)}
		case try == job.Tries:
			return drawn, givenUp(job, err, retries)
		}
		retries = append(retries, fmt.Sprintf("frames %v were drawn again in a fresh browser: %s", job.Span, koda.Sentence(err)))
		alone = koda.CodeOf(err) == koda.CodeOutOfMemory
	}
}

// attemptIn makes one attempt, alone or beside others. If the kernel killed a
// process of the attempt because of its memory, or if the machine changed
// meanwhile, the error says so, whatever the failure looked like.
func (d *Drawer) attemptIn(ctx context.Context, job koda.SegmentJob, rounds int, alone bool, report func(koda.SegmentProgress)) (koda.Drawn, error) {
	if alone {
		d.room.Lock()
		defer d.room.Unlock()
	} else {
		d.room.RLock()
		defer d.room.RUnlock()
	}
	if ctx.Err() != nil {
		return koda.Drawn{}, ctx.Err()
	}
	root := os.DirFS("/")
	before := oomKills(root)
	drawn, err := d.attempt(ctx, job, rounds, report)
	if err != nil && koda.CodeOf(err) != koda.CodeOutOfMemory && worthRetrying(err) && oomKills(root) > before {
		err = &koda.Error{
			Code: koda.CodeOutOfMemory, Op: "the kernel killed a process for its memory", Err: err,
			Hint: "close other programs, or give --workers 1 or a smaller --resolution", Details: koda.DetailsOf(err),
		}
	}
	if changed := d.same(ctx, job.Facts); changed != nil && (err == nil || errors.Is(changed, koda.ErrFacts)) {
		err = changed
	}
	return drawn, err
}

// givenUp is the error of a segment that failed in every browser.
func givenUp(job koda.SegmentJob, err error, retries []string) error {
	code := koda.CodeRenderFailed
	if c := koda.CodeOf(err); c == koda.CodeOutOfMemory || c == koda.CodeEncodeFailed {
		code = c
	}
	hint := koda.HintOf(err)
	if hint == "" {
		hint = "run it again: finished segments are kept"
	}
	details := strings.TrimSpace(koda.DetailsOf(err) + "\n" + strings.Join(retries, "\n"))
	return &koda.Error{
		Code: code, Op: fmt.Sprintf("draw frames %v in %d browsers", job.Span, job.Tries), Err: err, Hint: hint, Details: details,
	}
}

// worthRetrying tells failures that another attempt may not have from all others.
// Such failures are a browser's failure, and the end of an ffmpeg that was killed,
// stopped or crashed. The others are failures of the page, the encoder and the
// machine.
func worthRetrying(err error) bool {
	if koda.Lasting(err) {
		return false
	}
	if ffmpeg.Ended(err) {
		return true
	}
	switch koda.CodeOf(err) {
	case koda.CodeCaptureFailed, koda.CodeOutOfMemory, koda.CodeTimeout, koda.CodeFailed:
		return true
	}
	return false
}

// attempt captures and encodes a segment. When it returns, browser and ffmpeg
// have ended.
func (d *Drawer) attempt(ctx context.Context, job koda.SegmentJob, rounds int, report func(koda.SegmentProgress)) (koda.Drawn, error) {
	spec := ffmpeg.Encoding(job.Spec, job.View, job.Facts.Encoder.Name)
	spec.Output = job.Output
	enc, err := d.cfg.FFmpeg.Encode(ctx, spec)
	if err != nil {
		return koda.Drawn{}, err
	}
	defer enc.Abort()
	job.View.GLThreads, job.View.Rounds = glThreads(job.Facts.Capacity.CPUs, job.Beside), rounds
	tab, err := d.cfg.Open(ctx, job.Facts.Capture, job.Page, job.View)
	if err != nil {
		return koda.Drawn{}, err
	}
	c := capture{job: job, spec: spec, tab: tab, keys: &keyReader{tab: tab}, feed: startFeed(enc), report: report}
	if job.Spec.Glimpses {
		c.glimpses = &glimpser{now: d.cfg.Now, width: spec.RawWidth}
	}
	drawn, err := c.all(ctx)
	if err != nil {
		enc.Abort()
		_ = c.feed.finish() //nolint:errcheck // the earlier failure is the one to report
		_ = tab.Close()     //nolint:errcheck // likewise
		return drawn, err
	}
	drawn.Mishaps = tab.Mishaps()
	report(koda.SegmentProgress{Passed: c.ahead(), Drawn: job.Span.Len(), Doing: koda.DoingEncode})
	closed := make(chan error, 1)
	go func() { closed <- tab.Close() }() // while ffmpeg writes its last frames
	err = c.feed.finish()
	if closeErr := <-closed; err == nil && closeErr != nil {
		err = &koda.Error{Code: koda.CodeCaptureFailed, Op: "end the browser", Err: closeErr}
	}
	return drawn, err
}

// feed hands pictures to an encoder while the next pictures are captured.
type feed struct {
	pictures chan []byte
	failed   chan struct{} // closed when the encoder takes no more
	done     chan struct{} // closed when the encoder has ended
	err      error         // of the encoder, once failed or done is closed
}

func startFeed(enc *ffmpeg.Encoder) *feed {
	f := &feed{pictures: make(chan []byte, ahead), failed: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(f.done)
		for picture := range f.pictures {
			if f.err = enc.Write(picture); f.err != nil {
				close(f.failed)
				for range f.pictures { // the sender goes on and sees the failure
				}
				return
			}
		}
		f.err = enc.Finish()
	}()
	return f
}

// finish says that no picture follows, and waits for the encoder to end.
func (f *feed) finish() error {
	close(f.pictures)
	<-f.done
	return f.err
}

// capture is the drawing of a segment in one tab.
type capture struct {
	job    koda.SegmentJob
	spec   ffmpeg.Spec
	tab    Tab
	keys   *keyReader
	feed   *feed
	report func(koda.SegmentProgress)

	glimpses *glimpser // nil: nobody looks on
}

// all sends the frames of the segment to the encoder. If the encoder fails, all
// returns early.
//
// A frame with the key of the frame before is not captured: its picture is the
// same. The first frame is always captured.
func (c capture) all(ctx context.Context) (koda.Drawn, error) {
	if err := c.keys.begin(ctx); err != nil {
		return koda.Drawn{}, err
	}
	if err := c.forward(ctx); err != nil {
		return koda.Drawn{}, err
	}
	var picture, first []byte
	moves, span := false, c.job.Span
	for n := span.Start; n < span.End; n++ {
		same, err := c.keys.repeats(ctx, n)
		if err != nil {
			return koda.Drawn{}, err
		}
		if !same || picture == nil {
			before := picture
			if picture, err = c.shoot(ctx, n); err != nil {
				return koda.Drawn{}, err
			}
			moves = moves || before != nil && !bytes.Equal(before, picture)
		}
		if n == span.Start && c.keys.none {
			if first, err = means(picture, c.spec.RawWidth); err != nil {
				return koda.Drawn{}, err
			}
		}
		select {
		case c.feed.pictures <- picture:
		case <-c.feed.failed:
			return koda.Drawn{}, c.feed.err
		case <-ctx.Done():
			return koda.Drawn{}, ctx.Err()
		}
		c.report(koda.SegmentProgress{Passed: c.ahead(), Drawn: n + 1 - span.Start, Doing: koda.DoingDraw, Glimpse: c.glimpses.of(picture, n, c.job.Spec.FPS)})
		if n == span.Start+span.Len()/2 {
			failpoint.Hit("render.frame")
		}
	}
	drawn := koda.Drawn{Keys: c.keys.digest()}
	if !moves {
		drawn.Flat = flat(picture, c.spec.RawWidth > 0)
	}
	if err := c.tab.Confirm(ctx); err != nil {
		return drawn, err
	}
	if c.keys.none {
		drawn.Edge = c.edge(ctx, first)
	}
	return drawn, nil
}

// ahead is how many frames the page is brought forward through.
func (c capture) ahead() int {
	if c.job.Forward {
		return c.job.Span.Start
	}
	return 0
}

// forward shows the page the frames before the segment, without drawing them.
func (c capture) forward(ctx context.Context) error {
	for n := range c.ahead() {
		if n == c.ahead()/2 {
			failpoint.Hit("render.forward")
		}
		if err := c.tab.Pass(ctx, n); err != nil {
			return err
		}
		c.report(koda.SegmentProgress{Passed: n + 1, Doing: koda.DoingForward})
	}
	return nil
}

// shoot captures a frame, and refuses a picture that cannot be right. If the job
// says that the page fills its frames, shoot makes sure that the frame has no
// transparent parts.
func (c capture) shoot(ctx context.Context, n int) ([]byte, error) {
	picture, err := c.tab.Capture(ctx, n)
	if err != nil {
		return nil, err
	}
	if err := checkPicture(picture, c.spec, c.job.View); err != nil {
		return nil, failedAt(n, err)
	}
	if c.job.Filled {
		covered, err := c.tab.Covered(ctx, n)
		if err == nil && !covered {
			err = koda.ErrUnfilled
		}
		return picture, err
	}
	return picture, nil
}

// edge is the segment's pictures at its ends, taken after all of its frames were
// drawn; first is the picture of its first frame. A picture that cannot be taken is
// left out: a check fails no video.
func (c capture) edge(ctx context.Context, first []byte) *koda.Edge {
	e := &koda.Edge{First: first}
	if c.job.Span.End >= timeline.Frames(c.job.Spec.Duration, c.job.Spec.FPS) {
		return e
	}
	picture, err := c.tab.Capture(ctx, c.job.Span.End)
	if err != nil {
		return e
	}
	past, err := means(picture, c.spec.RawWidth)
	if err != nil {
		return e
	}
	moves, err := c.tab.Moves(ctx)
	if err != nil {
		return e
	}
	e.Past, e.Moves = past, moves
	return e
}
