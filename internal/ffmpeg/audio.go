package ffmpeg

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
)

// SampleRate is the samples a second of every sound track.
const SampleRate = 48_000

// One gain for the whole track aims at TargetLUFS, the level at which the large
// video sites play. A limiter holds the peaks above ceilingDB; the encoder and
// resampling raise them a little.
const (
	TargetLUFS = -14.0
	ceilingDB  = -1.5
	// silentLUFS is where silence begins: the noise of silence is not made loud.
	silentLUFS = -60.0
)

// The fades keep a cut from clicking. A track that was cut short ends softly.
const (
	fadeIn  = SampleRate / 200 // 5 ms
	fadeOut = SampleRate / 2
)

// Sound is the sound track of a video: a file cut or repeated to an exact
// length.
type Sound struct {
	Input   string // path on the Host of an audio file
	Output  string // path on the Host, an mp4, or for "webm" a webm
	Format  string // format of the video under which the sound is put
	Samples int64  // of SampleRate
	Loop    bool   // repeat the file to the length; else silence follows its end
	Start   int64  // samples left out before the first
}

// SoundSamples is the length of the sound of a video.
func SoundSamples(frames int, fps koda.FPS) int64 {
	n, per := int64(frames)*int64(fps.Den)*SampleRate, int64(fps.Num)
	return (n + per/2) / per
}

func soundCodec(format string) []string {
	switch format {
	case "mp4", "mov":
		return []string{"-c:a", "aac", "-b:a", "192k", "-f", "mp4"}
	case "webm":
		return []string{"-c:a", "libopus", "-b:a", "160k", "-f", "webm"}
	}
	return nil
}

// soundFormats are the kinds of file that are opened. A playlist is not among them,
// as it names other files.
const soundFormats = "mp3,wav,ogg,flac,mov,aac"

// input are the arguments up to the filters. The first decoded sample is sample 0,
// whatever time the file gives it.
func (s Sound) input() []string {
	return append(quiet(), "-protocol_whitelist", "file", "-format_whitelist", soundFormats, "-i", "file:"+s.Input, "-map", "0:a:0", "-vn")
}

// filters make stereo of exactly s.Samples.
func (s Sound) filters() string {
	f := fmt.Sprintf("aresample=%d:resampler=swr,aformat=sample_fmts=dbl:channel_layouts=stereo,asetpts=N/SR/TB", SampleRate)
	if s.Loop {
		f += ",aloop=loop=-1:size=2147483647"
	}
	if s.Start > 0 {
		f += fmt.Sprintf(",atrim=start_sample=%d,asetpts=N/SR/TB", s.Start)
	}
	in, out := min(fadeIn, s.Samples/4), min(fadeOut, s.Samples/4)
	return f + fmt.Sprintf(",apad=whole_len=%[1]d,atrim=end_sample=%[1]d,asetpts=N/SR/TB,afade=t=in:ss=0:ns=%[2]d,afade=t=out:ss=%[3]d:ns=%[4]d",
		s.Samples, max(1, in), s.Samples-out, max(1, out))
}

// MeasureArgs are ffmpeg's arguments for measuring a sound. ffmpeg writes the text
// for ParseLevel to standard output.
func MeasureArgs(s Sound) []string {
	return append(s.input(), "-af", s.filters()+",ebur128=metadata=1:peak=sample,ametadata=mode=print:file=-", "-f", "null", "-")
}

// SoundArgs are ffmpeg's arguments for writing a sound at a gain.
func SoundArgs(s Sound, g Gain) []string {
	filters := s.filters()
	if g.DB != 0 {
		filters += ",volume=volume=" + strconv.FormatFloat(g.DB, 'f', 3, 64) + "dB:precision=double"
	}
	if g.Limit {
		// The limiter looks ahead; latency=1 takes its delay back.
		filters += fmt.Sprintf(",alimiter=limit=%.4f:attack=5:release=80:level=0:latency=1", math.Pow(10, ceilingDB/20))
	}
	args := append(s.input(), "-af", filters, "-ar", strconv.Itoa(SampleRate), "-ac", "2", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1")
	return append(append(args, soundCodec(s.Format)...), s.Output)
}

// MuxArgs are ffmpeg's arguments for putting sound under a video. Neither is
// encoded again: the packets of the video stay as they are. The container's edit
// list leaves out the samples that an encoder puts before the first sample.
func MuxArgs(video, sound, format string, fps koda.FPS, output string) []string {
	args := append(quiet(), "-protocol_whitelist", "file", "-i", "file:"+video, "-protocol_whitelist", "file", "-i", "file:"+sound,
		"-map", "0:v:0", "-map", "1:a:0", "-c", "copy")
	if format == "webm" {
		return append(args, "-fps_mode", "passthrough", "-fflags", "+bitexact", "-map_metadata", "-1",
			"-map_metadata:s:v:0", "0:s:v:0", "-cues_to_front", "1", "-f", "webm", output) // the metadata says that there is alpha
	}
	args = append(append(args, muxing(fps, format)...), "-flags:a", "+bitexact", "-movflags", "+faststart")
	return append(args, output)
}

// Gain is the gain that brings a sound to TargetLUFS.
type Gain struct {
	DB    float64
	Limit bool // peaks would exceed the ceiling
}

// GainOf gives a sound one constant gain; silence gets none.
func GainOf(l koda.Level) Gain {
	if l.Silent {
		return Gain{}
	}
	db := math.Round((TargetLUFS-l.LUFS)*1000) / 1000
	return Gain{DB: db, Limit: (l.Peak+0.001)*math.Pow(10, db/20) > math.Pow(10, ceilingDB/20)}
}

// ParseLevel reads the output of ffmpeg run with MeasureArgs: the last values are
// the values of the whole sound. It fails when there is no sound.
func ParseLevel(text []byte) (koda.Level, error) {
	var l koda.Level
	var found bool
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), "=")
		var to *float64
		switch key {
		case "lavfi.r128.I":
			to, found = &l.LUFS, true
		case "lavfi.r128.sample_peak":
			to = &l.Peak
		default:
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return koda.Level{}, fmt.Errorf("read loudness: %w", err)
		}
		*to = v
	}
	if !found {
		return koda.Level{}, errors.New("no sound was decoded")
	}
	if !(l.LUFS > silentLUFS) { // NaN too
		l = koda.Level{Silent: true} // values measured of silence need not be numbers
	}
	return l, nil
}

// MeasureSound decodes a sound and says how loud it is. USAGE: the file holds no
// readable sound.
func (t *Tool) MeasureSound(ctx context.Context, s Sound) (koda.Level, error) {
	id, err := t.identify("ffmpeg")
	if err != nil {
		return koda.Level{}, err
	}
	out, stderr, err := t.run(ctx, id.path, MeasureArgs(s), nil)
	if err == nil {
		l, err := ParseLevel(out)
		if err == nil {
			return l, nil
		}
		return koda.Level{}, noSound(err, stderr)
	}
	var exit *proc.ExitError
	if ctx.Err() == nil && errors.As(err, &exit) && exit.Signal == 0 {
		return koda.Level{}, noSound(nil, stderr)
	}
	return koda.Level{}, failure(ctx, "measure sound", err, stderr)
}

func noSound(err error, stderr string) error {
	return &koda.Error{Code: koda.CodeUsage, Op: "no sound can be read", Err: err, Hint: "give an mp3, wav, ogg, flac or m4a file that plays", Details: stderr}
}

// EncodeSound writes a sound at a gain.
func (t *Tool) EncodeSound(ctx context.Context, s Sound, g Gain) error {
	codec := soundCodec(s.Format)
	if codec == nil {
		return &koda.Error{Code: koda.CodeUsage, Op: s.Format + " carries no sound", Hint: "use --format mp4"}
	}
	names, err := t.Encoders(ctx)
	if err != nil {
		return err
	}
	if name := codec[1]; !slices.Contains(names, name) {
		return &koda.Error{Code: koda.CodeMissingTool, Op: "the ffmpeg at hand has no encoder " + name, Hint: packages + " brings one"}
	}
	return t.runTo(ctx, "encode sound", SoundArgs(s, g), nil)
}

// Mux puts sound under a video.
func (t *Tool) Mux(ctx context.Context, video, sound, format string, fps koda.FPS, output string) error {
	return t.runTo(ctx, "add sound", MuxArgs(video, sound, format, fps, output), nil)
}
