package render

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

// format is how videos of a kind are made. Segments of mp4, webm and mov are
// joined as they are; the other kinds are made of all pictures in a final pass
// over segments that keep them exactly, which those kinds share.
type format struct {
	codec ffmpeg.Codec
	alpha alpha
	final []string // encoders of the final pass
}

// alpha says when transparency is kept.
type alpha int

const (
	alphaNever  alpha = iota // white is behind the page
	alphaAlways              // at no cost to who looks at the file
	// alphaUsed: only where the page is transparent, because a file that could
	// be is decoded by fewer machines.
	alphaUsed
)

var formats = map[string]format{
	"mp4":  {codec: ffmpeg.H264},
	"webm": {codec: ffmpeg.VP9, alpha: alphaUsed},
	"mov":  {codec: ffmpeg.ProRes, alpha: alphaAlways},
	"gif":  {codec: ffmpeg.PNG, final: []string{"gif"}},
	"apng": {codec: ffmpeg.PNG, alpha: alphaAlways, final: []string{"apng"}},
	"png":  {codec: ffmpeg.PNG, alpha: alphaAlways},
}

// pictures is the format that is a directory of pictures.
const pictures = "png"

// checkFormat refuses a spec that cannot be written in its format.
func checkFormat(s koda.RenderSpec) error {
	f, ok := formats[s.Format]
	switch {
	case !ok:
		return fmt.Errorf("format %q cannot be written", s.Format)
	case s.EncoderPreset == "" && (f.codec == ffmpeg.H264 || f.codec == ffmpeg.VP9):
		return fmt.Errorf("no encoder preset")
	case s.Format == "gif" && !slices.Contains(ffmpeg.GIFRates, s.FPS):
		return fmt.Errorf("a gif cannot show %v frames a second", s.FPS)
	}
	return checkEncoder(s, f)
}

// canWrite makes sure that the ffmpeg at hand can write a format. Its build says
// so of mp4.
func (r *Renderer) canWrite(ctx context.Context, name string) error {
	f := formats[name]
	if f.codec == ffmpeg.H264 {
		return nil
	}
	return r.cfg.FFmpeg.CanWrite(ctx, name, f.codec, f.final...)
}

// transparent reports whether transparency is kept. Where pages decide it
// themselves, every frame is asked; the answer, which depends on what segments
// depend on, is remembered beside them.
func (r *Renderer) transparent(ctx context.Context, p plan, fonts string) (bool, error) {
	switch formats[p.spec.Format].alpha {
	case alphaNever:
		return false, nil
	case alphaAlways:
		return true, nil
	case alphaUsed:
	}
	text, err := json.Marshal([]any{
		"every frame", captureVersion, p.page.Digest, p.view, p.spec.First, p.spec.Frames, p.info.Build, p.info.Method, p.gl(), fonts,
	})
	if err != nil {
		return false, &koda.Error{Code: koda.CodeInvalidInput, Op: "read the parameters of the page", Err: err, Hint: "give a JSON object"}
	}
	sum := sha256.Sum256(text)
	file := filepath.Join(r.cfg.CacheDir, segmentsName, hex.EncodeToString(sum[:])+seenExt)
	if known, err := os.ReadFile(file); err == nil && !p.spec.NoCache {
		return string(known) == "yes", nil
	}
	seen, err := r.look(ctx, p)
	if err != nil {
		return false, err
	}
	answer := map[bool]string{true: "yes", false: "no"}[seen]
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return false, diskError("make cache directory", err)
	}
	if err := atomicfile.Write(file, []byte(answer), 0o644); err != nil {
		return false, diskError("remember what the page is like", err)
	}
	return seen, nil
}

// look reports whether something shines through a frame of the page. A frame
// that has a background by the page's own word is not drawn; any other is,
// small, unless its key says that it is the one before.
func (r *Renderer) look(ctx context.Context, p plan) (seen bool, err error) {
	view := p.view
	view.Scale, view.Transparent = minScale, true
	tab, err := r.cfg.Open(ctx, p.page, view)
	if err != nil {
		return false, err
	}
	defer func() {
		if closeErr := tab.Close(); err == nil {
			err = closeErr
		}
	}()
	keys := &keyReader{tab: tab}
	if err := keys.begin(ctx, segment{}); err != nil {
		return false, err
	}
	for n := p.spec.First; n < p.spec.First+p.spec.Frames; n++ {
		if same, err := keys.repeats(ctx, n); err != nil || same {
			if err != nil {
				return false, err
			}
			continue
		}
		if covered, err := tab.Covered(ctx, n); err != nil || covered {
			if err != nil {
				return false, err
			}
			continue
		}
		if clear, err := shines(ctx, tab, n); err != nil || clear {
			return clear, err
		}
	}
	return false, nil
}

// shines draws a frame and reports whether something shines through it.
func shines(ctx context.Context, tab Tab, n int) (bool, error) {
	data, err := tab.Capture(ctx, n)
	if err != nil {
		return false, err
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return false, &koda.Error{Code: koda.CodeCaptureFailed, Op: fmt.Sprintf("capture frame %d", n), Err: err}
	}
	o, ok := img.(interface{ Opaque() bool })
	return ok && !o.Opaque(), nil
}

// exactly reports whether captured pictures have the size of the video, so that
// they can be kept as they are.
func (p plan) exactly() bool {
	w, h := p.pictureSize()
	return w == float64(p.spec.Width) && h == float64(p.spec.Height)
}

// viewOf is how the page is laid out and sampled for a spec.
func viewOf(s koda.RenderSpec) koda.Viewport {
	page, out := preset.Size{Width: s.PageWidth, Height: s.PageHeight}, preset.Size{Width: s.Width, Height: s.Height}
	return koda.Viewport{Width: s.PageWidth, Height: s.PageHeight, FPS: s.FPS, Props: s.Props, Scale: captureScale(page, out)}
}
