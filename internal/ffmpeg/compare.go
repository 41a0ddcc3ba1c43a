package ffmpeg

import (
	"context"
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// CompareArgs are ffmpeg's arguments for the comparison c. Labels are paths of PNG
// pictures of c's labels.
func CompareArgs(c koda.CompareJob, labels []string) []string {
	args := quiet()
	for _, path := range slices.Concat(c.Videos[:], labels) {
		args = append(args, "-i", path)
	}
	frames := max(c.Frames[0], c.Frames[1])
	// The difference is between colours as people see them, not between brightness
	// and hue.
	to := fmt.Sprintf("flags=lanczos+%s", exact)
	if c.Difference {
		to += ":in_color_matrix=bt709:in_range=tv:out_range=pc,format=gbrp"
	} else {
		to += ",format=yuv420p"
	}
	var graph string
	for i := range c.Videos {
		graph += fmt.Sprintf("[%d:v:0]scale=w=%d:h=%d:%s,setsar=1,tpad=stop_mode=clone:stop=%d[v%d];", i, c.Widths[i], c.Height, to, frames-c.Frames[i], i)
	}
	label := func(from string, n int, into string) string {
		return fmt.Sprintf("[%s][%d:v:0]overlay=x=%d:y=%d[%s];", from, n, c.Margins, c.Margins, into)
	}
	if c.Difference {
		graph += fmt.Sprintf("[v0][v1]blend=all_mode=difference,scale=in_range=pc:out_range=tv:out_color_matrix=bt709:flags=area+%s,format=yuv420p[d];", exact)
		graph += label("d", 2, "o")
	} else {
		graph += label("v0", 2, "a") + label("v1", 3, "b") + "[a][b]hstack=inputs=2[o];"
	}
	graph += "[o]format=yuv420p,setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709[out]"
	args = append(args, "-filter_complex", graph, "-map", "[out]")
	args = append(args, codecArgs(Spec{Codec: H264, CRF: c.CRF, Preset: c.Preset})...)
	args = append(args, "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv")
	return append(append(args, muxing(c.FPS, "mp4")...), "-movflags", "+faststart", c.Output)
}

// Compare makes the comparison c, with pictures of its labels.
func (t *Tool) Compare(ctx context.Context, c koda.CompareJob, labels []string) error {
	return t.runTo(ctx, "put the videos together", CompareArgs(c, labels), nil)
}
