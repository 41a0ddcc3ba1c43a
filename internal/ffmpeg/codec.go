package ffmpeg

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/koda-video/koda/internal/koda"
)

// Codec is how the pictures of a segment are kept.
type Codec string

// The codecs, each with the container of its segments. PNG keeps pictures to the
// bit, for formats that are made of all pictures at the end.
const (
	H264   Codec = ""       // mp4
	VP9    Codec = "vp9"    // webm
	ProRes Codec = "prores" // mov
	PNG    Codec = "png"    // mov
)

// Extension is the ending of the names of the codec's files, without the dot.
func (c Codec) Extension() string {
	switch c {
	case VP9:
		return "webm"
	case ProRes, PNG:
		return "mov"
	case H264:
	}
	return "mp4"
}

// encoder is the encoder of ffmpeg that writes a codec.
func (c Codec) encoder() string {
	switch c {
	case VP9:
		return "libvpx-vp9"
	case ProRes:
		return "prores_ks"
	case PNG:
		return "png"
	case H264:
	}
	return "libx264"
}

// kept reports whether pictures keep their bytes: PNGs of the right size. PNGs with
// alpha are encoded again, as a directory of frames may consist of them, and a
// browser that is told to be quick makes them half as large again.
func (s Spec) kept() bool {
	return s.Codec == PNG && s.RawWidth == 0 && !s.Scaled && !s.Alpha
}

// encoder is the encoder of ffmpeg that s asks for.
func (s Spec) encoder() string {
	if s.Hardware != "" {
		return "h264_" + s.Hardware
	}
	return s.Codec.encoder()
}

// CanWrite makes sure that the ffmpeg at hand can write a format: that it has the
// encoder of the segments, and the encoder of the final pass, if there is a pass.
// MISSING_TOOL says what is missing and which package brings it. For mp4
// [Tool.Build] checks that.
func (t *Tool) CanWrite(ctx context.Context, format string) error {
	if codecs[format] == H264 {
		return nil
	}
	have, err := t.Encoders(ctx)
	if err != nil {
		return err
	}
	for _, name := range encoders(format) {
		if !slices.Contains(have, name) {
			return &koda.Error{
				Code: koda.CodeMissingTool, Op: fmt.Sprintf("this ffmpeg cannot write %s: it was built without %s", format, name),
				Hint: packages + " brings one that can; KODA_FFMPEG names another. mp4 can be written",
			}
		}
	}
	return nil
}

// effort is libvpx's -cpu-used for those words of x264's presets that have an equal
// in libvpx. Nothing in libvpx's good quality is faster than veryfast.
var effort = map[string]int{"veryfast": 5, "faster": 4, "fast": 3, "medium": 2, "slow": 1, "veryslow": 0}

// codecArgs choose the encoder and everything it would decide by itself.
func codecArgs(s Spec) []string {
	threads := strconv.Itoa(Threads)
	switch s.Codec {
	case VP9:
		args := []string{
			"-c:v", "libvpx-vp9", "-crf", strconv.Itoa(s.CRF), "-b:v", "0", "-deadline", "good", "-cpu-used", strconv.Itoa(effort[s.Preset]),
			"-threads", threads, "-row-mt", "0", "-tile-columns", "1", "-frame-parallel", "0", "-g", strconv.Itoa(keyint),
		}
		if s.Alpha {
			// Hidden reference frames cannot be told from the second stream, which
			// holds alpha.
			args = append(args, "-auto-alt-ref", "0", "-metadata:s:v:0", "alpha_mode=1")
		}
		return args
	case ProRes:
		// A fixed quantiser spares the search for a quantiser that fills a bit
		// rate: 46 instead of 190 ms of CPU a frame of 1080p, at 63 dB to the
		// pictures.
		return []string{"-c:v", "prores_ks", "-profile:v", "4444", "-alpha_bits", "16", "-q:v", "2", "-vendor", "apl0", "-threads", threads}
	case PNG:
		if s.kept() {
			return []string{"-c:v", "copy"}
		}
		// The next level makes the pictures smaller, by a quarter at most. It takes
		// half as long again, and so does reading the pictures.
		return []string{"-c:v", "png", "-compression_level", "2", "-pred", "sub", "-threads", threads}
	case H264:
	}
	if s.Hardware != "" {
		return hardwareArgs(s)
	}
	return []string{
		"-c:v", "libx264", "-preset", s.Preset, "-crf", strconv.Itoa(s.CRF), "-threads", threads,
		"-x264-params", x264Params(),
	}
}

// pixelFormat is the pixel format of the encoder's input.
func (s Spec) pixelFormat() string {
	switch {
	case s.Codec == ProRes:
		return "yuva444p10le"
	case s.Codec == PNG && s.Alpha:
		return "rgba"
	case s.Codec == PNG:
		return "rgb24"
	case s.Alpha:
		return "yuva420p"
	case s.Hardware == vaapi || s.Hardware == qsv:
		return "nv12"
	}
	return "yuv420p"
}
