package render

import (
	"context"
	"fmt"
	"slices"

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
