package ffmpeg

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Threads is how many threads the encoder has. The bytes depend on it: x264 may
// decide differently with another number. Parallelism comes from segments.
const Threads = 2

// keyint is the most frames between two keyframes. Segments are shorter, so in
// practice each segment is one GOP unless its scenes change.
const keyint = 250

// Spec is a video to encode from pictures.
type Spec struct {
	Output string // path on the Host, named as Codec.Extension says
	Codec  Codec
	FPS    koda.FPS
	Width  int // pixels of the video, both even
	Height int
	Scaled bool // the pictures differ in size from the video
	// RawWidth and RawHeight are the size of pictures that come as raw pixels of
	// four bytes: blue, green, red and a byte that is ignored. If they are 0,
	// pictures come as PNG. Equal pictures give equal bytes either way.
	RawWidth, RawHeight int
	Alpha               bool // keep transparency, if the codec can
	CRF                 int
	Preset              string // how hard the encoder tries, in words of x264's -preset
	// Hardware is an encoder of a graphics device, one of koda.HardwareEncoders,
	// for H.264 instead of libx264; "": no such encoder. See [Tool.Hardware].
	Hardware string
}

// Args are ffmpeg's arguments for encoding s. Together with the pictures and
// the build of ffmpeg they determine every byte of the output.
func Args(s Spec) []string {
	// An unreadable picture ends the encoding (-xerror): otherwise ffmpeg would
	// leave the frame out.
	input := []string{"-f", "image2pipe", "-c:v", "png", "-threads", strconv.Itoa(Threads)}
	if s.RawWidth > 0 {
		input = []string{"-f", "rawvideo", "-pixel_format", "bgr0", "-video_size", fmt.Sprintf("%dx%d", s.RawWidth, s.RawHeight)}
	}
	args := append(append(deviceArgs(s), "-xerror"), input...)
	args = append(args, "-framerate", s.FPS.String(), "-i", "pipe:0",
		"-map", "0:v:0")
	if filter := toOutput(s); filter != "" {
		args = append(args, "-filter_threads", "1", "-vf", filter)
	}
	args = append(args, codecArgs(s)...)
	if s.Codec != PNG {
		args = append(args, "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv")
	}
	return append(append(args, muxing(s.FPS, s.Codec.Extension())...), s.Output)
}

// toOutput is the filter between pictures and encoder; "" when the pictures
// themselves are kept.
func toOutput(s Spec) string {
	switch {
	case s.Codec != PNG:
		return toVideo(s)
	case s.Scaled:
		return fmt.Sprintf("scale=w=%d:h=%d:flags=lanczos+%s,format=%s", s.Width, s.Height, exact, s.pixelFormat())
	case s.kept():
		return ""
	}
	return "format=" + s.pixelFormat()
}

// toVideo brings pictures to the size of the video and converts them from sRGB to
// BT.709 by matrix and by range. Lanczos keeps text sharp when pictures are scaled.
// At equal sizes only the colour is halved: there the average of four pixels is
// right, makes no rings at edges, and takes half the time.
func toVideo(s Spec) string {
	scaler := "area"
	if s.Scaled {
		scaler = "lanczos"
	}
	filter := fmt.Sprintf("scale=w=%d:h=%d:flags=%s+%s:in_range=pc:out_range=tv:out_color_matrix=bt709,"+
		"format=%s,setsar=1,setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709", s.Width, s.Height, scaler, exact, s.pixelFormat())
	if s.Hardware == vaapi {
		filter += ",hwupload"
	}
	return filter
}

// exact makes the scaler round correctly, use every pixel's colour, and compute the
// same on every processor.
const exact = "accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"

// x264Params fix what x264 would decide by itself. Drawn pictures become a few per
// cent smaller with more B-frames than x264's presets give, at no cost in time.
func x264Params() string {
	return strings.Join([]string{
		"keyint=" + strconv.Itoa(keyint), "open-gop=0", "bframes=5", "cpu-independent=1", "sliced-threads=0", "lookahead-threads=1",
		"colorprim=bt709", "transfer=bt709", "colormatrix=bt709", "range=tv",
	}, ":")
}

// muxing writes a container without dates and versions. In mp4 and mov a frame has
// a whole number of ticks.
func muxing(fps koda.FPS, container string) []string {
	args := plainMuxing()
	if container != webm {
		args = append(args, "-video_track_timescale", strconv.Itoa(timescale(fps)))
	}
	return append(args, "-f", container)
}

func plainMuxing() []string {
	return []string{"-fps_mode", "passthrough", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"}
}

const webm = "webm"

// JoinArgs are ffmpeg's arguments for joining the segments of a concat list read
// from standard input into one file whose index comes first. The extension of the
// name says the kind of file: .webm, .mov, else mp4. Alpha is for webm only: the
// file says that the segments have alpha.
func JoinArgs(fps koda.FPS, alpha bool, output string) []string {
	container := strings.TrimPrefix(strings.ToLower(filepath.Ext(output)), ".")
	if container == webm {
		return joinWebMArgs(fps, alpha, output)
	}
	if container != "mov" {
		container = "mp4"
	}
	snap := fmt.Sprintf("setts=pts=round(PTS/%[1]d)*%[1]d:dts=round(DTS/%[1]d)*%[1]d:duration=%[1]d", ticks(fps))
	args := append(concat(), "-map", "0:v:0", "-c", "copy", "-bsf:v", snap)
	return append(append(args, muxing(fps, container)...), "-movflags", "+faststart", output)
}

// joinWebMArgs are JoinArgs for webm, which counts in milliseconds. Packets are in
// the order they are shown, one for each frame. Each packet gets the millisecond
// nearest to its frame's time: no error adds up, and the last frame ends where the
// video ends.
func joinWebMArgs(fps koda.FPS, alpha bool, output string) []string {
	at := func(n string) string { return fmt.Sprintf("round(%s*%d/%d)", n, 1000*fps.Den, fps.Num) }
	args := append(concat(), "-map", "0:v:0", "-c", "copy",
		"-bsf:v", fmt.Sprintf("setts=pts=%[1]s:dts=%[1]s:duration=%[2]s-%[1]s", at("N"), at("(N+1)")))
	args = append(args, muxing(fps, webm)...)
	if alpha {
		args = append(args, "-metadata:s:v:0", "alpha_mode=1")
	}
	return append(args, "-cues_to_front", "1", output)
}

// concat reads the segments of a list on standard input, with options for reading.
func concat(options ...string) []string {
	return append(append(quiet(), options...), "-f", "concat", "-safe", "0", "-protocol_whitelist", "file,pipe,fd", "-i", "pipe:0")
}

// StillArgs are ffmpeg's arguments for a still. A video with alpha gives a PNG with
// alpha, whatever its name.
func StillArgs(s koda.StillJob) []string {
	args, matrix, codec := quiet(), "in_range=tv", []string{"-c:v", "png", "-pix_fmt", "rgb24"}
	switch {
	case s.Alpha:
		codec[3] = "rgba"
		if strings.HasSuffix(s.Video, "."+webm) { // ffmpeg's own decoder does not know alpha
			args = append(args, "-c:v", "libvpx-vp9")
		}
	case !strings.HasSuffix(strings.ToLower(s.Output), ".png"):
		matrix = "out_color_matrix=bt601:out_range=pc" // the YUV of JPEG
		codec = []string{"-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p"}
	}
	args = append(args, "-i", s.Video, "-map", "0:v:0",
		"-vf", fmt.Sprintf(`select=eq(n\,%d),scale=flags=lanczos+%s:in_color_matrix=bt709:%s`, s.Frame, exact, matrix),
		"-frames:v", "1", "-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1", "-f", "image2", "-update", "1")
	return append(append(args, codec...), s.Output)
}

// StripArgs are ffmpeg's arguments for a strip of the segments of a concat list. The
// pictures are small and only looked at, so quick scaling and fewer bytes count for
// more than exact colours.
func StripArgs(s koda.StripJob) []string {
	args := append(concat("-threads", "1"), "-map", "0:v:0", "-filter_threads", "1", "-vf", fmt.Sprintf(
		`select=not(mod(n\,%d)),scale=w=%d:h=%d:flags=fast_bilinear:in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc`, s.Every, s.Width, s.Height))
	return append(append(args, plainMuxing()...), "-c:v", "mjpeg", "-q:v", "5", "-pix_fmt", "yuvj420p", "-threads", "1", "-f", "image2pipe", s.Output)
}

// ResizeArgs are ffmpeg's arguments for scaling one PNG picture on standard
// input to a PNG picture on standard output.
func ResizeArgs(width, height int) []string {
	return append(quiet(), "-f", "image2pipe", "-c:v", "png", "-i", "pipe:0",
		"-vf", fmt.Sprintf("scale=w=%d:h=%d:flags=lanczos+%s", width, height, exact),
		"-frames:v", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1",
		"-c:v", "png", "-pix_fmt", "rgb24", "-f", "image2pipe", "pipe:1")
}

// probeArgs encode one black frame to standard output with the banner on
// standard error: the shortest way to learn the build of ffmpeg and of x264.
func probeArgs() []string {
	return []string{
		"-nostdin", "-loglevel", "info", "-f", "lavfi", "-i", "color=s=64x64:r=25", "-frames:v", "1", "-c:v", "libx264", "-threads", "1",
		"-f", "h264", "pipe:1",
	}
}

// quiet keeps ffmpeg from talking, asking, and reading commands from its input.
func quiet() []string { return []string{"-hide_banner", "-nostdin", "-loglevel", "error", "-y"} }

// timescale is the container's ticks a second: a multiple of the rate's numerator,
// so that a frame has a whole number of ticks, and at least 10 000, as players
// round below that.
func timescale(fps koda.FPS) int {
	scale := max(1, fps.Num)
	for scale < 10_000 {
		scale *= 2
	}
	return scale
}

// ticks is the length of a frame in ticks of timescale.
func ticks(fps koda.FPS) int { return timescale(fps) / max(1, fps.Num) * fps.Den }
