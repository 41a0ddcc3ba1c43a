package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

// alphas says when formats that can be transparent are transparent.
var alphas = map[string]alpha{preset.WebM: alphaUsed, preset.MOV: alphaAlways, preset.APNG: alphaAlways, preset.PNG: alphaAlways}

// checkFormat refuses a spec that cannot be written in its format.
func checkFormat(s koda.RenderSpec) error {
	codec, ok := ffmpeg.CodecOf(s.Format)
	switch {
	case !ok:
		return fmt.Errorf("format %q cannot be written", s.Format)
	case s.EncoderPreset == "" && (codec == ffmpeg.H264 || codec == ffmpeg.VP9):
		return fmt.Errorf("no encoder preset")
	case s.Format == preset.GIF && !slices.Contains(preset.GIFRates, s.FPS):
		return fmt.Errorf("a gif cannot show %v frames a second", s.FPS)
	case s.Encoder == "":
	case codec != ffmpeg.H264:
		return fmt.Errorf("%s has one encoder", s.Format)
	case !slices.Contains(preset.Encoders(), s.Encoder):
		return fmt.Errorf("no encoder %q", s.Encoder)
	}
	return nil
}

// encoder is the encoder of an mp4; "" for other formats.
func (p plan) encoder() string {
	if p.encoding().Codec != ffmpeg.H264 {
		return ""
	}
	return cmp.Or(p.facts.Encoder.Name, koda.EncoderX264)
}

// viewOf is how the page is laid out and sampled for a spec.
func viewOf(s koda.RenderSpec) koda.Viewport {
	page, out := preset.Size{Width: s.PageWidth, Height: s.PageHeight}, preset.Size{Width: s.Width, Height: s.Height}
	return koda.Viewport{Width: s.PageWidth, Height: s.PageHeight, FPS: s.FPS, Props: s.Props, Scale: captureScale(page, out)}
}

// keepsPictures reports whether the segments of a format keep the pictures
// themselves.
func keepsPictures(format string) bool {
	codec, _ := ffmpeg.CodecOf(format)
	return codec == ffmpeg.PNG
}
