package render

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"sync"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/timeline"
)

// captureVersion is raised whenever koda changes what a frame looks like or how
// it is encoded in a way no other part of a segment's key shows.
const captureVersion = 4

// minScale is the smallest device scale Chromium draws at; smaller videos are
// drawn at it and reduced by ffmpeg.
const minScale = 0.5

// plan is everything that determines the bytes of a video.
type plan struct {
	spec     koda.RenderSpec
	page     koda.Page
	name     string // of the animation
	build    ffmpeg.Build
	hardware hardware
	fonts    string // digest
	view     koda.Viewport
	info     koda.CaptureInfo
	segments []segment
	// filled says that the format keeps transparency, and that the page is drawn
	// without: that it fills a frame by its own word is made sure of after each.
	filled bool
	// moves says that the page was found to depend on the frames before, so that
	// its segments are drawn forward as those of a page that plays.
	moves bool
	// refused says why pixels are not read, though they were to be.
	refused string
}

// segment is a run of frames that is captured and encoded on its own.
type segment struct {
	timeline.Span
	key  string // of its content: names its file
	ext  string // of its file
	page string // the key by the digest of the whole page
	code string // the key by the digest of its code; "": the page has none
	// shots: it is drawn by screenshots, though the plan reads pixels.
	shots bool
	// rounds is koda.Viewport.Rounds: what an attempt found out, 0 before any.
	rounds int
}

// file is the name of the segment's file.
func (s segment) file() string { return s.key + "." + s.ext }

// gl is what draws WebGL in this render.
func (p plan) gl() string {
	if !p.page.WebGL {
		return "none"
	}
	return p.info.GL
}

// encoding is how a segment is encoded into a file.
func (p plan) encoding(output string) ffmpeg.Spec {
	w, h := p.pictureSize()
	var rawWidth, rawHeight int
	if p.view.Raw {
		rawWidth, rawHeight = int(w), int(h)
	}
	s := ffmpeg.Spec{
		Output: output, Codec: formats[p.spec.Format].codec, Alpha: p.view.Transparent,
		FPS: p.spec.FPS, Width: p.spec.Width, Height: p.spec.Height, CRF: p.spec.CRF, Preset: p.spec.EncoderPreset,
		RawWidth: rawWidth, RawHeight: rawHeight, Hardware: p.hardware.name,
		Scaled: math.Round(w) != float64(p.spec.Width) || math.Round(h) != float64(p.spec.Height),
	}
	if s.Codec == ffmpeg.PNG {
		s.Scaled = !p.exactly()
	}
	return s
}

// pictureSize is the pixels of a captured frame, before the browser rounds.
func (p plan) pictureSize() (width, height float64) {
	return float64(p.view.Width) * p.view.Scale, float64(p.view.Height) * p.view.Scale
}

// plan builds the page and finds out what draws and encodes it.
func (r *Renderer) plan(ctx context.Context, files fs.FS, spec koda.RenderSpec) (plan, error) {
	p := plan{spec: spec}
	var m koda.Manifest
	err := all(
		func() error { return r.canWrite(ctx, spec.Format) },
		func() (err error) { p.page, m, err = r.cfg.Build(ctx, files); return err },
		func() (err error) { p.info, err = r.cfg.Probe(ctx); return err },
		func() (err error) { p.build, err = r.cfg.FFmpeg.Build(ctx); return err },
		func() (err error) { p.hardware, err = r.chooseEncoder(ctx, spec); return err },
		func() (err error) { p.fonts, err = r.cfg.Fonts(ctx); return err },
	)
	if err != nil {
		return plan{}, err
	}
	p.view = viewOf(spec)
	if err := r.chooseAlpha(ctx, &p); err != nil {
		return plan{}, err
	}
	p.name = m.Name
	if !p.page.Plays {
		if p.moves, _, err = r.noted(p, byMoves); err != nil {
			return plan{}, err
		}
	}
	return p, p.cut()
}

// cut makes the segments and names them.
func (p *plan) cut() error {
	p.segments = nil
	for _, span := range spans(p.spec, p.forward()) {
		s, err := p.segment(span)
		if err != nil {
			return err
		}
		p.segments = append(p.segments, s)
	}
	return nil
}

// segment names a segment.
func (p plan) segment(span timeline.Span) (s segment, err error) {
	s = segment{Span: span, ext: p.encoding("").Codec.Extension()}
	if s.page, err = p.key(span, p.page.Digest); err != nil {
		return segment{}, err
	}
	if p.page.Code != "" {
		if s.code, err = p.key(span, "code "+p.page.Code); err != nil {
			return segment{}, err
		}
	}
	s.key = s.page
	return s, nil
}

// all runs functions at the same time and returns the error of the first of
// them, in the order given, that failed.
func all(fns ...func() error) error {
	errs := make([]error, len(fns))
	var wg sync.WaitGroup
	for i, fn := range fns {
		wg.Go(func() { errs[i] = fn() })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// captureScale is the device scale a page is drawn at for an output. It is
// never below the output's own, so pictures are reduced and not enlarged.
func captureScale(page, out preset.Size) float64 {
	ratio := max(float64(out.Width)/float64(page.Width), float64(out.Height)/float64(page.Height))
	return max(minScale, ratio)
}

// key names the content of a segment drawn by the page of a digest: equal keys,
// equal bytes.
func (p plan) key(span timeline.Span, page string) (string, error) {
	props := bytes.NewBufferString("")
	if len(p.view.Props) > 0 {
		if err := json.Compact(props, p.view.Props); err != nil {
			return "", &koda.Error{Code: koda.CodeInvalidInput, Op: "read the parameters of the page", Err: err, Hint: "give a JSON object"}
		}
	}
	text, err := json.Marshal(struct {
		Capture                int
		Page                   string
		WebGL                  bool
		Width, Height          int
		Scale                  float64
		FPS, Props             string
		Start, End             int
		Encode                 []string
		Browser, Method, GL    string
		FFmpeg, Fonts, Segment string
		Transparent            bool   `json:",omitempty"`
		Device                 string `json:",omitempty"`
		Filled                 bool   `json:",omitempty"`
		Forward                bool   `json:",omitempty"`
	}{
		captureVersion, page, p.page.WebGL, p.view.Width, p.view.Height, p.view.Scale, p.view.FPS.String(), props.String(),
		span.Start, span.End, ffmpeg.Args(p.encoding("")), p.info.Build, p.info.Method, p.gl(), p.build.ID, p.fonts, p.encoding("").Codec.Extension(), p.view.Transparent,
		p.hardware.device, p.filled, p.moves && span.Start > 0,
	})
	if err != nil {
		return "", fmt.Errorf("name segment: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// checkSpec refuses a spec that is not complete. Package preset makes complete
// ones.
func checkSpec(s koda.RenderSpec) error {
	bad := func(format string, args ...any) error {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "render: " + fmt.Sprintf(format, args...), Hint: "use one of the presets: koda render --preset final"}
	}
	switch {
	case s.Frames < 1:
		return bad("%d frames", s.Frames)
	case s.FPS.Num < 1 || s.FPS.Den < 1:
		return bad("frame rate %v", s.FPS)
	case s.PageWidth < 1 || s.PageHeight < 1:
		return bad("page of %dx%d", s.PageWidth, s.PageHeight)
	case s.First < 0 || s.First+s.Frames > timeline.Frames(s.Duration, s.FPS):
		return bad("frames %d to %d of %g s at %v frames a second", s.First, s.First+s.Frames-1, s.Duration, s.FPS)
	}
	for i, cut := range s.Cuts {
		if !(cut > 0 && cut < s.Duration) || i > 0 && !(cut > s.Cuts[i-1]) {
			return bad("a cut at %g s of %g s", cut, s.Duration)
		}
	}
	if err := checkFormat(s); err != nil {
		return bad("%v", err)
	}
	if err := preset.CheckSize(preset.Size{Width: s.Width, Height: s.Height}); err != nil {
		return err
	}
	if scale := viewOf(s).Scale; scale > koda.MaxScale || math.IsNaN(scale) {
		return bad("a page of %dx%d enlarged to %dx%d", s.PageWidth, s.PageHeight, s.Width, s.Height)
	}
	return nil
}
