package render

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
)

// ahead is how many frames may be captured and not yet taken by the encoder.
// The two work at the same time; more would only fill memory.
const ahead = 3

// attempt captures and encodes a segment and publishes it. When it returns,
// browser and ffmpeg have ended.
func (j *job) attempt(ctx context.Context, i int) error {
	seg := j.plan.segments[i]
	p := j.plan.of(seg)
	file := filepath.Join(j.tmp, seg.file())
	enc, err := j.cfg.FFmpeg.Encode(ctx, p.encoding(file))
	if err != nil {
		return err
	}
	defer enc.Abort()
	p.view.GLThreads, p.view.Rounds = j.threads[i], cmp.Or(seg.rounds, 1)
	tab, err := j.cfg.Open(ctx, p.page, p.view)
	if err != nil {
		return j.distrust(i, nil, err)
	}
	feed := startFeed(enc)
	keys := &keyReader{tab: tab}
	shown, err := j.capture(ctx, tab, keys, i, feed)
	if err != nil {
		enc.Abort()
		_ = feed.finish() //nolint:errcheck // the failure that led here is the one to tell
		_ = tab.Close()   //nolint:errcheck // likewise
		return j.distrust(i, keys, err)
	}
	shown.Mishaps = tab.Mishaps()
	j.noteShot(seg)
	closed := make(chan error, 1)
	go func() { closed <- tab.Close() }() // while ffmpeg writes its last frames
	err = feed.finish()
	if closeErr := <-closed; err == nil && closeErr != nil {
		err = &koda.Error{Code: koda.CodeCaptureFailed, Op: "end the browser", Err: closeErr}
	}
	if err != nil {
		return err
	}
	return j.keep(file, i, keys, shown)
}

// feed hands pictures to an encoder while the next are captured.
type feed struct {
	frames chan []byte
	failed chan struct{} // closed when the encoder takes no more
	done   chan struct{} // closed when the encoder has ended
	err    error         // of the encoder, once failed or done is closed
}

func startFeed(enc *ffmpeg.Encoder) *feed {
	f := &feed{frames: make(chan []byte, ahead), failed: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(f.done)
		for png := range f.frames {
			if f.err = enc.Write(png); f.err != nil {
				close(f.failed)
				for range f.frames { // let the sender go on to see it
				}
				return
			}
		}
		f.err = enc.Finish()
	}()
	return f
}

// finish says that no picture follows and waits for the encoder to end.
func (f *feed) finish() error {
	close(f.frames)
	<-f.done
	return f.err
}

// capture sends the frames of a segment to the encoder. It returns early when the
// encoder has failed.
//
// A frame whose key is that of the frame before is not captured: its picture is
// the same. The first frame always is.
func (j *job) capture(ctx context.Context, tab Tab, keys *keyReader, i int, to *feed) (aside, error) {
	seg := j.plan.segments[i]
	if err := keys.begin(ctx); err != nil {
		return aside{}, err
	}
	if err := j.bringForward(ctx, tab, i); err != nil {
		return aside{}, err
	}
	var png, first []byte
	moves := false
	for n := seg.Start; n < seg.End; n++ {
		same, err := keys.repeats(ctx, n)
		if err != nil {
			return aside{}, err
		}
		if !same || png == nil {
			before := png
			if png, err = j.shoot(ctx, tab, seg, n); err != nil {
				return aside{}, err
			}
			moves = moves || before != nil && !bytes.Equal(before, png)
		}
		if n == seg.Start && keys.none {
			if first, err = j.means(seg, png); err != nil {
				return aside{}, err
			}
		}
		select {
		case to.frames <- png:
		case <-to.failed:
			return aside{}, to.err
		case <-ctx.Done():
			return aside{}, ctx.Err()
		}
		j.progress.set(i, n+1-seg.Start)
		if n == seg.Start+seg.Len()/2 {
			failpoint.Hit("render.frame")
		}
	}
	var shown aside
	if !moves {
		shown.Flat = j.plan.of(seg).flat(png)
	}
	if err := tab.Confirm(ctx); err != nil {
		return aside{}, err
	}
	if keys.none {
		shown.Edge = j.endsOf(ctx, tab, seg, first)
	}
	return shown, nil
}

// shoot captures a frame, and refuses what cannot be its picture.
func (j *job) shoot(ctx context.Context, tab Tab, seg segment, n int) ([]byte, error) {
	png, err := tab.Capture(ctx, n)
	if err != nil {
		return nil, err
	}
	if err := j.plan.of(seg).checkPicture(png); err != nil {
		return nil, &koda.Error{Code: koda.CodeCaptureFailed, Op: fmt.Sprintf("capture frame %d", n), Err: err}
	}
	return png, j.checkFilled(ctx, tab, n)
}

// checkFilled makes sure, where the plan counts on it, that nothing shines
// through the frame the page shows.
func (j *job) checkFilled(ctx context.Context, tab Tab, n int) error {
	if !j.plan.filled {
		return nil
	}
	covered, err := tab.Covered(ctx, n)
	if err == nil && !covered {
		err = errUnfilled
	}
	return err
}

// checkPicture refuses what is no picture of the page at the scale of the plan:
// ffmpeg would scale a wrong one without a word.
func (p plan) checkPicture(picture []byte) error {
	if spec := p.encoding(""); spec.RawWidth > 0 {
		if want := 4 * spec.RawWidth * spec.RawHeight; len(picture) != want {
			return fmt.Errorf("the picture has %d bytes, not %d", len(picture), want)
		}
		return nil
	}
	w, h, err := pictureSize(picture)
	if err != nil {
		return err
	}
	wantW, wantH := p.pictureSize()
	if math.Abs(float64(w)-wantW) > 1 || math.Abs(float64(h)-wantH) > 1 {
		return fmt.Errorf("the picture has %dx%d pixels, not %.0fx%.0f", w, h, wantW, wantH)
	}
	return nil
}

var pngStart = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")

// pictureSize reads the size of a PNG.
func pictureSize(png []byte) (width, height int, err error) {
	if len(png) < len(pngStart)+8 || !bytes.HasPrefix(png, pngStart) {
		return 0, 0, errors.New("the browser gave no picture")
	}
	return int(binary.BigEndian.Uint32(png[16:])), int(binary.BigEndian.Uint32(png[20:])), nil
}
