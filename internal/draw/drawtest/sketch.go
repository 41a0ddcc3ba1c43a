package drawtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// Sketch is a drawer without browser and encoder. Its videos are a few kilobytes:
// the index of a video, and a digest of what would have been drawn. Equal jobs give
// equal bytes. It never retries.
//
// The fields are hooks, called from several goroutines. If a hook is nil, words in
// the page's text decide instead.
type Sketch struct {
	Machine func() koda.Facts                                // the machine that draws now
	Begin   func(draw int)                                   // a page is opened for the n-th time, from 1
	Fault   func(ctx context.Context, draw, frame int) error // before a frame of a segment is drawn
	Shows   func(frame int) int                              // the frame that a frame looks like
	Keys    func(frame int) (key string, ok bool, err error)
	Mishaps []koda.Mishap

	opened atomic.Int64
}

func (s *Sketch) begin() int {
	n := int(s.opened.Add(1))
	if s.Begin != nil {
		s.Begin(n)
	}
	return n
}

// says reports whether the page's text holds a word.
func says(p koda.Page, word string) bool {
	return strings.Contains(string(p.Files["/index.html"].Body), word)
}

// look is the number of the frame that a frame looks like.
func (s *Sketch) look(frame int) int {
	if s.Shows != nil {
		return s.Shows(frame)
	}
	return frame
}

// keys is a digest of the keys of a span.
func (s *Sketch) keys(p koda.Page, span koda.Span) string {
	ask := s.Keys
	if ask == nil {
		ask = func(frame int) (string, bool, error) {
			return fmt.Sprint(s.look(frame)), says(p, "__kodaFrameKey"), nil
		}
	}
	sum := sha256.New()
	frames := []int{0} // the page shows frame 0 first
	for n := span.Start; n < span.End; n++ {
		frames = append(frames, n)
	}
	for _, n := range frames {
		key, ok, err := ask(n)
		if err != nil || !ok {
			return ""
		}
		fmt.Fprintf(sum, "%q\n", key)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Facts describes the machine.
func (s *Sketch) Facts(ctx context.Context, job koda.FactsJob) (koda.Facts, error) {
	return s.Machine(), ctx.Err()
}

// Inspect asks the page.
func (s *Sketch) Inspect(ctx context.Context, job koda.InspectJob) (koda.Inspected, error) {
	s.begin()
	var seen koda.Inspected
	for _, span := range job.Keys {
		seen.Keys = append(seen.Keys, s.keys(job.Page, span))
	}
	seen.Shines = job.Shines.Len() > 0 && !says(job.Page, "background")
	return seen, ctx.Err()
}

// Draw writes a video of the segment.
func (s *Sketch) Draw(ctx context.Context, job koda.SegmentJob, report func(koda.SegmentProgress)) (koda.Drawn, error) {
	draw := s.begin()
	if report == nil {
		report = func(koda.SegmentProgress) {}
	}
	if says(job.Page, "throw") {
		return koda.Drawn{}, &koda.Error{Code: koda.CodePageFailed, Op: "draw frames " + job.Span.String(), Err: errors.New("the page threw"), Hint: "mend it"}
	}
	if job.Filled && !says(job.Page, "background") {
		return koda.Drawn{}, koda.ErrUnfilled
	}
	var shown []int
	for n := job.Span.Start; n < job.Span.End; n++ {
		if s.Fault != nil {
			if err := s.Fault(ctx, draw, n); err != nil {
				return koda.Drawn{}, err
			}
		}
		if ctx.Err() != nil {
			return koda.Drawn{}, ctx.Err()
		}
		shown = append(shown, s.look(n))
		at := koda.SegmentProgress{Drawn: len(shown), Doing: koda.DoingDraw}
		if job.Forward {
			at.Passed = job.Span.Start
		}
		report(at)
	}
	now := s.Machine()
	if now.Capture.Build != job.Facts.Capture.Build || now.FFmpeg != job.Facts.FFmpeg || job.Facts.Fonts != koda.OwnFonts && now.Fonts != job.Facts.Fonts {
		return koda.Drawn{}, &koda.Error{Code: koda.CodeRenderFailed, Op: "the machine was replaced", Err: koda.ErrFacts, Hint: "run it again", Lasting: true}
	}
	drawn := koda.Drawn{Keys: s.keys(job.Page, job.Span), Aside: koda.Aside{Mishaps: s.Mishaps}}
	if drawn.Keys == "" {
		drawn.Edge = &koda.Edge{First: s.edge(job.Span.Start)}
		if job.Span.End < int(job.Spec.Duration*float64(job.Spec.FPS.Num)/float64(job.Spec.FPS.Den)+0.5) {
			drawn.Edge.Past = s.edge(job.Span.End)
		}
	}
	v := job.Spec
	what := fmt.Sprint(v.Format, v.Width, v.Height, v.FPS, v.CRF, v.EncoderPreset, v.PageWidth, v.PageHeight, string(v.Props), job.View.Transparent,
		job.Forward, job.Facts.Encoder.Name, now.FFmpeg, job.Span, shown)
	return drawn, write(job.Output, video(v, job.Span.Len(), []byte(what)))
}

func (s *Sketch) edge(frame int) []byte {
	sum := sha256.Sum256(fmt.Append(nil, s.look(frame)))
	return sum[:]
}

// Finish writes the files that the job asks for.
func (s *Sketch) Finish(ctx context.Context, job koda.FinishJob) (koda.Finished, error) {
	var done koda.Finished
	if j := job.Track; j != nil {
		data, err := os.ReadFile(j.Input)
		if err != nil {
			return done, &koda.Error{Code: koda.CodeUsage, Op: "no sound can be read", Err: err}
		}
		if s.Machine().FFmpeg != j.Facts.FFmpeg {
			return done, &koda.Error{Code: koda.CodeRenderFailed, Op: "ffmpeg was replaced", Err: koda.ErrFacts, Lasting: true}
		}
		done.Level = koda.Level{LUFS: -20, Peak: 0.5}
		if err := write(j.Output, fmt.Appendf(data, "%v %d %d", j.Loop, j.Spec.First, j.Spec.Frames)); err != nil {
			return done, err
		}
	}
	if job.Join != nil {
		if err := join(*job.Join); err != nil {
			return done, err
		}
	}
	for _, j := range job.Stills {
		if err := still(j); err != nil {
			return done, err
		}
	}
	if j := job.Strip; j != nil {
		if err := strip(*j); err != nil {
			return done, err
		}
	}
	if j := job.Compare; j != nil {
		spec := koda.RenderSpec{Width: j.Width(), Height: j.Height, FPS: j.FPS}
		if err := write(j.Output, video(spec, max(j.Frames[0], j.Frames[1]), fmt.Append(nil, *j))); err != nil {
			return done, err
		}
	}
	return done, ctx.Err()
}

func join(j koda.JoinJob) error {
	var all []byte
	n := 0
	for _, part := range j.Segments {
		data, err := os.ReadFile(part.Path)
		if err != nil {
			return err
		}
		all = append(all, data...)
		for range part.Frames {
			if j.Spec.Format == "png" {
				sum := sha256.Sum256(fmt.Appendf(data, " %d", n))
				if err := write(filepath.Join(j.Output, fmt.Sprintf("frame_%05d.png", n)), sum[:]); err != nil {
					return err
				}
			}
			n++
		}
	}
	if j.Spec.Format == "png" {
		return nil
	}
	if j.Track != "" {
		data, err := os.ReadFile(j.Track)
		if err != nil {
			return err
		}
		all = append(all, data...)
	}
	return write(j.Output, video(j.Spec, n, all))
}

// strip are pictures of one colour, as many as the job asks for.
func strip(j koda.StripJob) error {
	var all []byte
	n := 0
	for _, part := range j.Segments {
		data, err := os.ReadFile(part.Path)
		if err != nil {
			return err
		}
		for range part.Frames {
			if n++; (n-1)%j.Every != 0 {
				continue
			}
			sum := sha256.Sum256(fmt.Appendf(data, " %d", n))
			still, err := picture(j.Width, j.Height, color.NRGBA{R: sum[0], G: sum[1], B: sum[2], A: 255}, false)
			if err != nil {
				return err
			}
			all = append(all, still...)
		}
	}
	return write(j.Output, all)
}

// still is a picture of one colour, which follows from the video and the frame.
func still(j koda.StillJob) error {
	data, err := os.ReadFile(j.Video)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(fmt.Appendf(data, " %d", j.Frame))
	picture, err := picture(16, 16, color.NRGBA{R: sum[0], G: sum[1], B: sum[2], A: 255}, strings.HasSuffix(j.Output, ".png"))
	if err != nil {
		return err
	}
	return write(j.Output, picture)
}

// Look draws a picture of one colour.
func (s *Sketch) Look(ctx context.Context, job koda.LookJob) (koda.Looked, error) {
	s.begin()
	if job.Bench != nil {
		return koda.Looked{}, errors.New("a sketch takes no time")
	}
	width, height := job.Width, job.Height
	if job.Columns > 0 {
		columns := min(job.Columns, len(job.Frames))
		width, height = width*columns, height*((len(job.Frames)+columns-1)/columns)
	}
	data, err := picture(width, height, color.NRGBA{R: uint8(3 * s.look(job.Frames[0])), A: 255}, !job.Exam)
	seen := koda.Looked{PNG: data, Mishaps: s.Mishaps}
	if job.Exam {
		for _, n := range job.Frames {
			seen.Sights = append(seen.Sights, koda.Sight{Seconds: timeline.Seconds(n, job.View.FPS), Colours: []string{"#000000"}})
		}
	}
	return seen, errors.Join(err, ctx.Err())
}

func picture(width, height int, c color.NRGBA, isPNG bool) ([]byte, error) {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	var b bytes.Buffer
	if isPNG {
		err := png.Encode(&b, img)
		return b.Bytes(), err
	}
	err := jpeg.Encode(&b, img, nil)
	return b.Bytes(), err
}

func write(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return koda.DiskError("write "+path, err)
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// video is a minimal file that looks like a video: an index, and a digest of the
// pictures, repeated.
func video(spec koda.RenderSpec, frames int, pictures []byte) []byte {
	sum := sha256.Sum256(pictures)
	scale, step := uint32(spec.FPS.Num), uint32(spec.FPS.Den) //nolint:gosec // rates are small
	entry := make([]byte, 78)
	binary.BigEndian.PutUint16(entry[24:], uint16(spec.Width))  //nolint:gosec // sizes are small
	binary.BigEndian.PutUint16(entry[26:], uint16(spec.Height)) //nolint:gosec // likewise
	tags := box("colr", []byte("nclx"), []byte{0, 1, 0, 1, 0, 1, 0})
	table := box("stbl",
		box("stsd", u32(0, 1), box("avc1", entry, tags)),
		box("stts", u32(0, 1, uint32(frames), step)), //nolint:gosec // likewise
		box("stsz", u32(0, 0, uint32(frames))),       //nolint:gosec // likewise
	)
	index := box("moov", box("trak", box("mdia", box("mdhd", u32(0, 0, 0, scale, 0)), box("minf", table))))
	return append(index, box("mdat", bytes.Repeat(sum[:], 16))...)
}

func box(kind string, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(append(u32(uint32(len(body)+8)), kind...), body...) //nolint:gosec // it is small
}

func u32(values ...uint32) []byte {
	var b []byte
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}
