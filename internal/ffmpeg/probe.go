package ffmpeg

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/koda-video/koda/internal/koda"
)

// Probe asks ffprobe about the first video stream of a file on the Host,
// counting its frames by decoding them. It is the second opinion on [Inspect],
// slower and independent of it. Even and Indexed are not filled in.
func (t *Tool) Probe(ctx context.Context, file string) (Media, error) {
	id, err := t.identify("ffprobe")
	if err != nil {
		return Media{}, err
	}
	out, stderr, err := t.run(ctx, id.path, []string{
		"-v", "error", "-select_streams", "v:0", "-count_frames", "-show_streams", "-of", "json", "file:" + file,
	}, nil)
	if err != nil {
		return Media{}, failure(ctx, "probe "+file, err, stderr)
	}
	var answer struct {
		Streams []struct {
			Codec     string `json:"codec_name"`
			Width     int    `json:"width"`
			Height    int    `json:"height"`
			Rate      string `json:"avg_frame_rate"`
			Frames    string `json:"nb_read_frames"`
			Duration  string `json:"duration"`
			Range     string `json:"color_range"`
			Matrix    string `json:"color_space"`
			Primaries string `json:"color_primaries"`
			Transfer  string `json:"color_transfer"`
		} `json:"streams"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return Media{}, fmt.Errorf("probe %s: %w", file, err)
	}
	if len(answer.Streams) == 0 {
		return Media{}, fmt.Errorf("probe %s: no video stream", file)
	}
	s := answer.Streams[0]
	m := Media{
		Codec: s.Codec, Width: s.Width, Height: s.Height,
		Color: Color{Primaries: s.Primaries, Transfer: s.Transfer, Matrix: s.Matrix, Range: s.Range},
	}
	var errRate, errFrames, errDuration error
	m.FPS, errRate = koda.ParseFPS(s.Rate)
	m.Frames, errFrames = strconv.Atoi(s.Frames)
	m.Duration, errDuration = strconv.ParseFloat(s.Duration, 64)
	if err := errors.Join(errRate, errFrames, errDuration); err != nil {
		return Media{}, fmt.Errorf("probe %s: %w", file, err)
	}
	return m, nil
}
