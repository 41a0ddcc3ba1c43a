package ffmpeg

import (
	"math"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

// codecs are the codecs for the segments of the formats.
var codecs = map[string]Codec{
	preset.MP4: H264, preset.WebM: VP9, preset.MOV: ProRes, preset.GIF: PNG, preset.APNG: PNG, preset.PNG: PNG,
}

// passed are the formats that one pass over all pictures makes, with an encoder of
// the same name.
var passed = []string{preset.GIF, preset.APNG}

// CodecOf is the codec of the segments of a format; false if koda cannot write the
// format.
func CodecOf(format string) (Codec, bool) {
	c, ok := codecs[format]
	return c, ok
}

// Encoding is the spec of a render's segments without the path of the file, for
// pictures of a page that is laid out as v says. Hardware is the encoder of a
// graphics device in use, or "". The key of a segment and the drawer of the segment
// both use Encoding.
func Encoding(s koda.RenderSpec, v koda.Viewport, hardware string) Spec {
	w, h := v.Pixels()
	e := Spec{
		Codec: codecs[s.Format], Alpha: v.Transparent, FPS: s.FPS, Width: s.Width, Height: s.Height, CRF: s.CRF, Preset: s.EncoderPreset,
		Hardware: hardware, Scaled: math.Round(w) != float64(s.Width) || math.Round(h) != float64(s.Height),
	}
	if v.Raw {
		e.RawWidth, e.RawHeight = int(w), int(h)
	}
	if e.Codec == PNG { // pictures are kept as they are only where nothing was rounded
		e.Scaled = w != float64(s.Width) || h != float64(s.Height)
	}
	return e
}

// Sounding is the sound of a render's video, without the paths.
func Sounding(s koda.RenderSpec, loop bool) Sound {
	return Sound{Format: s.Format, Loop: loop, Start: SoundSamples(s.First, s.FPS), Samples: SoundSamples(s.Frames, s.FPS)}
}

// encoders are the names of the encoders that write a format.
func encoders(format string) []string {
	names := []string{codecs[format].encoder()}
	if slices.Contains(passed, format) {
		names = append(names, format)
	}
	return names
}
