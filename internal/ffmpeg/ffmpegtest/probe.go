package ffmpegtest

import (
	"encoding/json"
	"io"
	"testing"

	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// Stream is the first video stream of a file as ffprobe describes it. Frames are
// counted by decoding them.
type Stream struct {
	Codec     string `json:"codec_name"`
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	Rate      string `json:"avg_frame_rate"` // "30/1"
	Frames    int    `json:"nb_read_frames,string"`
	Duration  string `json:"duration"` // seconds, rounded
	Range     string `json:"color_range"`
	Matrix    string `json:"color_space"`
	Primaries string `json:"color_primaries"`
	Transfer  string `json:"color_transfer"`
}

// Probe asks ffprobe about a video.
func Probe(t testing.TB, file string) Stream {
	t.Helper()
	var answer struct{ Streams []Stream }
	out := run(t, "ffprobe", []string{"-v", "error", "-select_streams", "v:0", "-count_frames", "-show_streams", "-of", "json", "file:" + file})
	if err := json.Unmarshal(out, &answer); err != nil || len(answer.Streams) != 1 {
		t.Fatalf("%s: %d video streams, %v", file, len(answer.Streams), err)
	}
	return answer.Streams[0]
}

// run returns the output of a program.
func run(t testing.TB, name string, args []string) []byte {
	t.Helper()
	host := hostos.New(t.TempDir())
	program, err := host.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := host.Start(t.Context(), sandbox.Program{Path: program, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(p.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Fatal(err, p.StderrTail())
	}
	return data
}
