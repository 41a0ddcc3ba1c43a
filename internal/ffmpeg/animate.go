package ffmpeg

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// PaletteArgs are ffmpeg's arguments for finding the 256 colours that show all
// pictures of a concat list best, as a PNG picture. One colour is transparent: it
// stands for unchanged pixels.
func PaletteArgs(palette string) []string {
	return append(append(concat(), "-map", "0:v:0", "-vf", "format=rgba,palettegen=stats_mode=full"),
		"-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1", "-frames:v", "1", "-c:v", "png", "-f", "image2", "-update", "1", palette)
}

// GIFArgs are ffmpeg's arguments for making a GIF of a concat list with one
// palette. Errors of colour are spread to neighbours, but only within the changed
// part of the picture: the rest does not flicker.
func GIFArgs(fps koda.FPS, palette, output string) []string {
	hundredths := 100 * fps.Den / fps.Num
	args := append(concat(), "-f", "png_pipe", "-i", palette, "-filter_complex", fmt.Sprintf(
		"[0:v:0]format=rgba[v];[v][1:v:0]paletteuse=dither=sierra2_4a:diff_mode=rectangle,settb=1/100,setpts=N*%d[o]", hundredths),
		"-map", "[o]", "-c:v", "gif", "-enc_time_base", "1:100", "-loop", "0", "-final_delay", strconv.Itoa(hundredths))
	return append(append(args, plainMuxing()...), "-f", "gif", output)
}

// APNGArgs are ffmpeg's arguments for making an animated PNG of a concat list. It
// keeps the pictures as they are, and stores only the changed part of each. Trying
// every prediction on each line takes a third longer, and makes larger files.
func APNGArgs(fps koda.FPS, output string) []string {
	step := fmt.Sprintf("%d/%d", fps.Den, fps.Num)
	args := append(concat(), "-map", "0:v:0", "-vf", "settb="+step+",setpts=N,format=rgba", "-enc_time_base", fmt.Sprintf("%d:%d", fps.Den, fps.Num),
		"-c:v", "apng", "-pred", "sub", "-threads", strconv.Itoa(Threads), "-plays", "0", "-final_delay", step)
	return append(append(args, plainMuxing()...), "-f", "apng", output)
}

// FramesArgs are ffmpeg's arguments for writing the pictures of a concat list as
// frame_00000.png, frame_00001.png, …, with the bytes that the segments keep.
func FramesArgs(dir string) []string {
	args := append(concat(), "-map", "0:v:0", "-c", "copy")
	return append(append(args, plainMuxing()...), "-f", "image2", "-start_number", "0", filepath.Join(strings.ReplaceAll(dir, "%", "%%"), "frame_%05d.png"))
}

// Animate makes one file of segments of the codec PNG: a "gif", at one of
// preset.GIFRates, or an "apng", with every frame shown for 1/fps. Palette is the
// path of an intermediate file.
func (t *Tool) Animate(ctx context.Context, segments []koda.SegmentFile, fps koda.FPS, format, palette, output string) error {
	if format == "gif" {
		if err := t.list(ctx, "choose colours", segments, fps, PaletteArgs(palette)); err != nil {
			return err
		}
		return t.list(ctx, "make gif", segments, fps, GIFArgs(fps, palette, output))
	}
	return t.list(ctx, "make "+format, segments, fps, APNGArgs(fps, output))
}

// Frames writes the pictures of segments of the codec PNG into a directory.
func (t *Tool) Frames(ctx context.Context, segments []koda.SegmentFile, fps koda.FPS, dir string) error {
	return t.list(ctx, "write pictures", segments, fps, FramesArgs(dir))
}

// list runs ffmpeg on the concat list of segments.
func (t *Tool) list(ctx context.Context, op string, segments []koda.SegmentFile, fps koda.FPS, args []string) error {
	list, err := ConcatList(segments, fps)
	if err != nil {
		return err
	}
	return t.runTo(ctx, op, args, []byte(list))
}
