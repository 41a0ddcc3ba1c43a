package render

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/timeline"
)

// captureVersion is raised whenever koda changes what a frame looks like, or how it
// is encoded, and no other part of a segment's key shows the change.
const captureVersion = 4

// plan is everything that determines the bytes of a video.
type plan struct {
	spec     koda.RenderSpec
	page     koda.Page
	name     string // of the animation
	facts    koda.Facts
	view     koda.Viewport
	segments []segment
	// filled says that the format keeps transparency, and that the page is drawn
	// without alpha: after each frame koda makes sure that the page says it fills
	// the frame.
	filled bool
	// moves says that the page was found to depend on the frames before. Its
	// segments are drawn forward, like the segments of a page that plays.
	moves bool
	// refused says why raw pixels are not read, although the plan was to read them.
	refused string
	// changed says what changed on the machine while the video was drawn.
	changed []string
}

// segment is a run of frames that is captured and encoded on its own.
type segment struct {
	koda.Span
	key  string // of its content: names its file
	ext  string // of its file
	page string // the key by the digest of the whole page
	code string // the key by the digest of its code; "": the page has none
	// shots: the segment is drawn by screenshots, although the plan reads raw
	// pixels.
	shots bool
}

// file is the name of the segment's file.
func (s segment) file() string { return s.key + "." + s.ext }

// gl is what draws WebGL in this render.
func (p plan) gl() string {
	if !p.page.WebGL {
		return "none"
	}
	return p.facts.Capture.GL
}

// encoding is how segments are encoded.
func (p plan) encoding() ffmpeg.Spec { return ffmpeg.Encoding(p.spec, p.view, p.facts.Encoder.Name) }

// plan builds the page and finds out what draws and encodes it.
func (r *Renderer) plan(ctx context.Context, files fs.FS, spec koda.RenderSpec) (plan, error) {
	p := plan{spec: spec}
	var m koda.Manifest
	var factsErr error
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		p.facts, factsErr = r.cfg.Drawer.Facts(ctx, koda.FactsJob{Spec: spec, View: viewOf(spec)})
	}()
	page, m, err := r.cfg.Build(ctx, files, spec.Props)
	<-asked
	if err = cmp.Or(err, factsErr); err != nil {
		return plan{}, err
	}
	p.page, p.name, p.facts = page, m.Name, p.facts.For(page)
	return r.decide(ctx, p)
}

// decide says, for the page and the facts of a plan, how the page is drawn.
func (r *Renderer) decide(ctx context.Context, p plan) (plan, error) {
	p.view, p.filled = viewOf(p.spec), false
	if err := r.chooseAlpha(ctx, &p); err != nil {
		return plan{}, err
	}
	if !p.page.Plays && !p.moves {
		var err error
		if p.moves, _, err = r.noted(p, byMoves); err != nil {
			return plan{}, err
		}
	}
	return p, p.cut()
}

// mostChanges bounds how often a video is begun anew because the machine changed.
const mostChanges = 3

// anew is a plan for a machine that has changed. Drawn segments stay where they
// are, under names that say what drew them.
func (r *Renderer) anew(ctx context.Context, p plan, why error) (plan, error) {
	if len(p.changed) == mostChanges {
		return plan{}, why
	}
	facts, err := r.cfg.Drawer.Facts(ctx, koda.FactsJob{Spec: p.spec, View: viewOf(p.spec)})
	if err != nil {
		return plan{}, err
	}
	what := why.Error()
	if e := (*koda.Error)(nil); errors.As(why, &e) {
		what = e.Op
	}
	p.facts, p.changed = facts.For(p.page), append(slices.Clone(p.changed), what)
	return r.decide(ctx, p)
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

// segment names a segment. The name by the page's code goes with the keys of its frames,
// and these hold the parameters, or what the page reads of them.
func (p plan) segment(span koda.Span) (s segment, err error) {
	s = segment{Span: span, ext: p.encoding().Codec.Extension()}
	props, err := p.props()
	if err != nil {
		return segment{}, err
	}
	if s.page, err = p.key(span, p.page.Digest, props); err != nil {
		return segment{}, err
	}
	if p.page.Code != "" {
		if s.code, err = p.key(span, "code "+p.page.Code, ""); err != nil {
			return segment{}, err
		}
	}
	s.key = s.page
	return s, nil
}

// captureScale is the device scale at which a page is drawn for an output. It is
// never below the output's own scale, so that pictures are reduced and not
// enlarged.
func captureScale(page, out preset.Size) float64 {
	ratio := max(float64(out.Width)/float64(page.Width), float64(out.Height)/float64(page.Height))
	return max(koda.MinScale, ratio)
}

// props are the parameters of the page without blanks.
func (p plan) props() (string, error) {
	if len(p.view.Props) == 0 {
		return "", nil
	}
	var props bytes.Buffer
	if err := json.Compact(&props, p.view.Props); err != nil {
		return "", &koda.Error{Code: koda.CodeInvalidInput, Op: "read the parameters of the page", Err: err, Hint: "give a JSON object"}
	}
	return props.String(), nil
}

// key names the content of a segment that the page with a digest draws from parameters:
// equal keys, equal bytes.
func (p plan) key(span koda.Span, page, props string) (string, error) {
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
		captureVersion, page, p.page.WebGL, p.view.Width, p.view.Height, p.view.Scale, p.view.FPS.String(), props,
		span.Start, span.End, ffmpeg.Args(p.encoding()), p.facts.Capture.Build, p.facts.Capture.Method, p.gl(), p.facts.FFmpeg, p.facts.Fonts, p.encoding().Codec.Extension(), p.view.Transparent,
		p.facts.Encoder.Device, p.filled, p.moves && span.Start > 0,
	})
	if err != nil {
		return "", fmt.Errorf("name segment: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// checkSpec refuses an incomplete spec. Package preset makes complete specs.
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
