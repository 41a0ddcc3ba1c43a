package ffmpeg

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Threads is how many threads the encoder has. It is part of the bytes: x264
// with another number decides differently. Parallelism comes from segments.
const Threads = 2

// Spec is a video to encode from PNG pictures on standard input.
type Spec struct {
	Output string // path on the Host; an .mp4
	FPS    koda.FPS
	Width  int // pixels of the video, both even; pictures of another size are scaled
	Height int
	// Larger says that the pictures have more pixels than the video, so that
	// they are reduced by area instead of enlarged.
	Larger bool
	CRF    int
	Preset string // x264's -preset
	// GOP is the most frames between keyframes; 0: five seconds' worth.
	GOP int
}

// Args are ffmpeg's arguments for encoding s. They hold everything that can
// change a byte except the pictures and the build of ffmpeg.
func Args(s Spec) []string {
	gop := s.GOP
	if gop == 0 {
		gop = max(1, 5*s.FPS.Num/max(1, s.FPS.Den))
	}
	scaler := "bicubic"
	if s.Larger {
		scaler = "area"
	}
	filter := fmt.Sprintf("scale=w=%d:h=%d:flags=%s+accurate_rnd+full_chroma_int+bitexact:in_range=pc:out_range=tv:out_color_matrix=bt709,"+
		"format=yuv420p,setsar=1", s.Width, s.Height, scaler)
	args := append(quiet(), "-f", "image2pipe", "-c:v", "png", "-framerate", s.FPS.String(), "-i", "pipe:0",
		"-map", "0:v:0", "-an", "-vf", filter,
		"-c:v", "libx264", "-preset", s.Preset, "-crf", strconv.Itoa(s.CRF), "-threads", strconv.Itoa(Threads),
		"-x264-params", x264Params(gop))
	args = append(args, tags...)
	return append(append(args, muxing(s.FPS)...), s.Output)
}

func x264Params(gop int) string {
	return strings.Join([]string{
		"keyint=" + strconv.Itoa(gop), "min-keyint=" + strconv.Itoa(min(gop, 25)), "open-gop=0", "bframes=2", "b-pyramid=none",
		"sliced-threads=0", "lookahead-threads=1", "cpu-independent=1",
		"colorprim=bt709", "transfer=bt709", "colormatrix=bt709", "range=tv",
	}, ":")
}

var tags = []string{"-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"}

// muxing writes an mp4 without dates and with a whole number of ticks a frame.
func muxing(fps koda.FPS) []string {
	return []string{
		"-fps_mode", "passthrough", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1",
		"-video_track_timescale", strconv.Itoa(timescale(fps)), "-f", "mp4",
	}
}

// JoinArgs are ffmpeg's arguments for joining the segments named in the concat
// list into one file whose index comes first.
func JoinArgs(list string, fps koda.FPS, output string) []string {
	snap := fmt.Sprintf("setts=pts=round(PTS/%[1]d)*%[1]d:dts=round(DTS/%[1]d)*%[1]d:duration=%[1]d", ticks(fps))
	args := append(quiet(), "-f", "concat", "-safe", "0", "-i", list, "-map", "0:v:0", "-c", "copy", "-bsf:v", snap)
	return append(append(args, muxing(fps)...), "-movflags", "+faststart", output)
}

// StillArgs are ffmpeg's arguments for writing frame n of a video as a picture;
// the name's extension, .jpg or .png, says of which kind.
func StillArgs(video string, n int, output string) []string {
	args := append(quiet(), "-i", video, "-map", "0:v:0",
		"-vf", fmt.Sprintf(`select=eq(n\,%d),scale=in_color_matrix=bt709:in_range=tv:flags=bicubic+accurate_rnd+full_chroma_int+bitexact`, n),
		"-frames:v", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1")
	if strings.HasSuffix(strings.ToLower(output), ".png") {
		return append(args, "-c:v", "png", "-pix_fmt", "rgb24", "-f", "image2", "-update", "1", output)
	}
	return append(args, "-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p", "-f", "image2", "-update", "1", output)
}

// quiet keeps ffmpeg from talking, asking and overwriting by accident.
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
