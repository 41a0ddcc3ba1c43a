package ffmpeg

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Threads is how many threads the encoder has. It is part of the bytes: x264
// may decide differently with another number. Parallelism comes from segments.
const Threads = 2

// keyint is the most frames between two keyframes. Segments are shorter, so in
// practice each is one GOP unless its scenes change.
const keyint = 250

// Spec is a video to encode from pictures.
type Spec struct {
	Output string // path on the Host, of an mp4
	FPS    koda.FPS
	Width  int // pixels of the video, both even
	Height int
	Scaled bool // the pictures have another size than the video
	// RawWidth and RawHeight are the size of pictures that come as raw pixels,
	// of the bytes blue, green, red and one that is ignored; 0: as PNG. Equal
	// pictures give equal bytes either way.
	RawWidth, RawHeight int
	CRF                 int
	Preset              string // x264's -preset
}

// Args are ffmpeg's arguments for encoding s. Together with the pictures and
// the build of ffmpeg they determine every byte of the output.
func Args(s Spec) []string {
	// A picture that cannot be read ends the encoding (-xerror): ffmpeg would
	// leave the frame out.
	input := []string{"-f", "image2pipe", "-c:v", "png", "-threads", strconv.Itoa(Threads)}
	if s.RawWidth > 0 {
		input = []string{"-f", "rawvideo", "-pixel_format", "bgr0", "-video_size", fmt.Sprintf("%dx%d", s.RawWidth, s.RawHeight)}
	}
	args := append(append(quiet(), "-xerror"), input...)
	args = append(args, "-framerate", s.FPS.String(), "-i", "pipe:0",
		"-map", "0:v:0", "-filter_threads", "1", "-vf", toVideo(s),
		"-c:v", "libx264", "-preset", s.Preset, "-crf", strconv.Itoa(s.CRF), "-threads", strconv.Itoa(Threads),
		"-x264-params", x264Params(),
		"-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv")
	return append(append(args, muxing(s.FPS)...), s.Output)
}

// toVideo brings pictures to the size of the video and converts them from sRGB
// to BT.709 by matrix and by range. Lanczos keeps text sharp when pictures are
// scaled. At equal sizes only the colour is reduced, to half: there the average
// of four pixels is right, rings at no edge, and takes half the time.
func toVideo(s Spec) string {
	scaler := "area"
	if s.Scaled {
		scaler = "lanczos"
	}
	return fmt.Sprintf("scale=w=%d:h=%d:flags=%s+%s:in_range=pc:out_range=tv:out_color_matrix=bt709,"+
		"format=yuv420p,setsar=1,setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709", s.Width, s.Height, scaler, exact)
}

// exact makes the scaler round right, use every pixel's colour, and compute the
// same on every processor.
const exact = "accurate_rnd+full_chroma_int+full_chroma_inp+bitexact"

// x264Params fix what x264 would decide by itself. More B-frames than its
// presets give make drawn pictures a few per cent smaller at no cost in time.
func x264Params() string {
	return strings.Join([]string{
		"keyint=" + strconv.Itoa(keyint), "open-gop=0", "bframes=5", "cpu-independent=1", "sliced-threads=0", "lookahead-threads=1",
		"colorprim=bt709", "transfer=bt709", "colormatrix=bt709", "range=tv",
	}, ":")
}

// muxing writes an mp4 without dates and versions, and with a whole number of
// ticks a frame.
func muxing(fps koda.FPS) []string {
	return []string{
		"-fps_mode", "passthrough", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1",
		"-video_track_timescale", strconv.Itoa(timescale(fps)), "-f", "mp4",
	}
}

// JoinArgs are ffmpeg's arguments for joining the segments of a concat list
// read from standard input into one file whose index comes first.
func JoinArgs(fps koda.FPS, output string) []string {
	snap := fmt.Sprintf("setts=pts=round(PTS/%[1]d)*%[1]d:dts=round(DTS/%[1]d)*%[1]d:duration=%[1]d", ticks(fps))
	args := append(quiet(), "-f", "concat", "-safe", "0", "-protocol_whitelist", "file,pipe,fd", "-i", "pipe:0",
		"-map", "0:v:0", "-c", "copy", "-bsf:v", snap)
	return append(append(args, muxing(fps)...), "-movflags", "+faststart", output)
}

// StillArgs are ffmpeg's arguments for writing frame n of a video as a picture;
// the name's extension says of which kind: .png, else JPEG.
func StillArgs(video string, n int, output string) []string {
	png := strings.HasSuffix(strings.ToLower(output), ".png")
	matrix := "out_color_matrix=bt601:out_range=pc" // what JPEG means by YUV
	if png {
		matrix = "in_range=tv"
	}
	args := append(quiet(), "-i", video, "-map", "0:v:0",
		"-vf", fmt.Sprintf(`select=eq(n\,%d),scale=flags=lanczos+%s:in_color_matrix=bt709:%s`, n, exact, matrix),
		"-frames:v", "1", "-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1", "-f", "image2", "-update", "1")
	if png {
		return append(args, "-c:v", "png", "-pix_fmt", "rgb24", output)
	}
	return append(args, "-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p", output)
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

// timescale is the container's ticks a second: a multiple of the rate's
// numerator, so that a frame has a whole number of ticks, and at least 10 000,
// below which players round.
func timescale(fps koda.FPS) int {
	scale := fps.Num
	for scale < 10_000 {
		scale *= 2
	}
	return scale
}

// ticks is the length of a frame in ticks of timescale.
func ticks(fps koda.FPS) int { return timescale(fps) / fps.Num * fps.Den }
