package ffmpeg_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/preset"
)

// wav writes a mono file whose samples are the values of f.
func wav(t testing.TB, rate, samples int, f func(i int) float64) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("RIFF")
	for _, v := range []any{
		uint32(36 + 2*samples), []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(rate), uint32(2 * rate), uint16(2), uint16(16),
		[]byte("data"), uint32(2 * samples),
	} {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	for i := range samples {
		v := int16(math.Round(32767 * max(-1, min(1, f(i)))))
		b.Write([]byte{byte(v), byte(v >> 8)})
	}
	file := filepath.Join(t.TempDir(), "sound.wav")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// noise sounds like music to a loudness meter: the higher the frequency, the weaker
// the sound.
func noise(level float64) func(int) float64 {
	r := rand.New(rand.NewPCG(1, 2))
	var low, lower float64
	return func(int) float64 {
		white := 2*r.Float64() - 1
		low, lower = 0.95*low+0.05*white, 0.995*lower+0.005*white
		return level * (3*low + 8*lower + 0.1*white)
	}
}

// ask runs a program and returns its standard output.
func ask(t testing.TB, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, append([]string{"-v", "error"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", program, err, stderr.String())
	}
	return string(out)
}

// samples decodes the left channel of a file as a player would.
func samples(t testing.TB, file string) []float64 {
	t.Helper()
	raw := ask(t, "ffmpeg", "-i", file, "-map", "0:a:0", "-af", "pan=mono|c0=c0", "-f", "f32le", "-")
	all := make([]float64, len(raw)/4)
	for i := range all {
		all[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32([]byte(raw[4*i : 4*i+4]))))
	}
	return all
}

// onset is the first sample that is no longer quiet.
func onset(all []float64) int {
	for i, v := range all {
		if math.Abs(v) > 0.25 {
			return i
		}
	}
	return -1
}

// silentVideo is a film of 90 frames, with B-frames, at 30 a second.
func silentVideo(t testing.TB, tool *ffmpeg.Tool) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "silent.mp4")
	spec := ffmpeg.Spec{Output: file, FPS: koda.FPS{Num: 30, Den: 1}, Width: 64, Height: 48, CRF: 20, Preset: "veryfast"}
	encode(t, tool, spec, 90, func(n int) []byte { return picture(n, 64, 48) })
	return file
}

// withSound puts a sound under the film, as a render does.
func withSound(t testing.TB, tool *ffmpeg.Tool, video, source string, loop bool) (string, koda.Level) {
	t.Helper()
	fps := koda.FPS{Num: 30, Den: 1}
	out := filepath.Join(t.TempDir(), "out.mp4")
	s := ffmpeg.Sound{Input: source, Output: out + ".m4a", Format: "mp4", Samples: ffmpeg.SoundSamples(90, fps), Loop: loop}
	level, err := tool.MeasureSound(t.Context(), s)
	if err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	if err := tool.EncodeSound(t.Context(), s, ffmpeg.GainOf(level)); err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	if err := tool.Mux(t.Context(), video, s.Output, "mp4", fps, out); err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	return out, level
}

// A sound at 2.000 s stays at 2.000 s, whatever the rate of the source, even if the
// limiter is at work. The video equals the silent video, packet by packet.
func TestSoundOnset(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	video := silentVideo(t, tool)
	for _, rate := range []int{48_000, 44_100, 22_050} {
		for name, burst := range map[string]int{"click": rate / 1000, "tone": rate / 2} {
			source := wav(t, rate, 3*rate, func(i int) float64 {
				if i < 2*rate || i >= 2*rate+burst {
					return 0
				}
				return 0.9 * math.Cos(2*math.Pi*440*float64(i-2*rate)/float64(rate))
			})
			out, level := withSound(t, tool, video, source, false)
			at := onset(samples(t, out))
			if off := at - 2*ffmpeg.SampleRate; off < -24 || off > 24 { // half a millisecond: AAC rings
				t.Errorf("%s at %d Hz: heard at sample %d, not %d (level %+v, gain %+v)", name, rate, at, 2*ffmpeg.SampleRate, level, ffmpeg.GainOf(level))
			}
			packets := func(file string) string {
				return ask(t, "ffmpeg", "-i", file, "-map", "0:v:0", "-c", "copy", "-f", "framemd5", "-")
			}
			if packets(video) != packets(out) {
				t.Errorf("%s at %d Hz: the video was changed", name, rate)
			}
			if m := inspect(t, out); m.Frames != 90 || !m.Even || !m.Indexed || m.Color != ffmpeg.BT709 {
				t.Errorf("%s at %d Hz: %+v", name, rate, m)
			}
		}
	}
}

// Before the encoder, the place of a sound is exact to the sample.
func TestSoundExact(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	source := wav(t, 48_000, 3*48_000, func(i int) float64 {
		if i == 96_000 {
			return 0.9
		}
		return 0
	})
	s := ffmpeg.Sound{Input: source, Output: "-", Format: "mp4", Samples: 144_000}
	for name, gain := range map[string]ffmpeg.Gain{"none": {}, "gain": {DB: -3}, "limited": {DB: 12, Limit: true}} {
		args := ffmpeg.SoundArgs(s, gain)
		args = args[:len(args)-7] // up to the codec
		raw := filepath.Join(t.TempDir(), "raw.wav")
		ask(t, "ffmpeg", append(args, "-c:a", "pcm_f32le", raw)...)
		all := samples(t, raw)
		for i, v := range all {
			if (math.Abs(v) > 1e-6) != (i == 96_000) {
				t.Errorf("%s: sample %d is %g", name, i, v)
				break
			}
		}
		if len(all) != 144_000 {
			t.Errorf("%s: %d samples", name, len(all))
		}
	}
}

func TestSoundLoudness(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	video := silentVideo(t, tool)
	for name, f := range map[string]func(int) float64{
		"quiet": noise(0.01), "loud": noise(0.99),
		"tone": func(i int) float64 { return 0.1 * math.Sin(float64(i)/20) },
	} {
		out, before := withSound(t, tool, video, wav(t, 48_000, 200_000, f), false)
		after, err := tool.MeasureSound(t.Context(), ffmpeg.Sound{Input: out, Samples: 144_000})
		if err != nil || math.Abs(after.LUFS-ffmpeg.TargetLUFS) > 0.5 {
			t.Errorf("%s: %+v became %+v, %v", name, before, after, err)
		}
	}
	// Peaks far above the rest are lowered.
	hum, bang := noise(0.01), func(i int) float64 { return 0.9 * math.Sin(float64(i)/20) }
	out, before := withSound(t, tool, video, wav(t, 48_000, 144_000, func(i int) float64 {
		if i%48_000 > 24_000 && i%48_000 < 24_100 {
			return bang(i)
		}
		return hum(i)
	}), false)
	after, err := tool.MeasureSound(t.Context(), ffmpeg.Sound{Input: out, Samples: 144_000})
	if err != nil || !ffmpeg.GainOf(before).Limit || after.Peak > 1 {
		t.Errorf("%+v became %+v, %v", before, after, err)
	}
}

func TestSoundSilence(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	for name, f := range map[string]func(int) float64{"silence": func(int) float64 { return 0 }, "hiss": noise(0.0004)} {
		out, level := withSound(t, tool, silentVideo(t, tool), wav(t, 48_000, 144_000, f), false)
		if !level.Silent || ffmpeg.GainOf(level) != (ffmpeg.Gain{}) {
			t.Errorf("%s: %+v", name, level)
		}
		for i, v := range samples(t, out) {
			if math.Abs(v) > 0.001 {
				t.Fatalf("%s: sample %d is %g", name, i, v)
			}
		}
	}
}

// A short file is followed by silence, or repeated to the exact length.
func TestSoundLength(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	video := silentVideo(t, tool)
	second := wav(t, 48_000, 48_000, func(i int) float64 { // a beep in its middle
		if i < 24_000 || i > 26_000 {
			return 0
		}
		return 0.9 * math.Cos(float64(i-24_000)/10)
	})
	for _, loop := range []bool{false, true} {
		out, _ := withSound(t, tool, video, second, loop)
		all := samples(t, out)
		heard := onset(all[2*48_000+12_000:]) // the third time round
		if loop && (heard < 11_976 || heard > 12_024) || !loop && heard >= 0 {
			t.Errorf("loop %v: heard at %d", loop, heard)
		}
		if got := strings.TrimSpace(ask(t, "ffprobe", "-select_streams", "a:0", "-show_entries", "stream=duration_ts,sample_rate,channels,codec_name", "-of", "csv=p=0", out)); got != "aac,48000,2,144000" {
			t.Errorf("loop %v: %s", loop, got)
		}
		mov := filepath.Join(t.TempDir(), "out.mov")
		if err := tool.Mux(t.Context(), video, out+".m4a", "mov", koda.FPS{Num: 30, Den: 1}, mov); err != nil {
			t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
		}
		if got := samples(t, mov); onset(got) != onset(all) || len(got) != len(all) {
			t.Errorf("loop %v: the mov has %d samples, heard at %d", loop, len(got), onset(got))
		}
		again, _ := withSound(t, tool, video, second, loop)
		if a, b := mustRead(t, out), mustRead(t, again); !bytes.Equal(a, b) {
			t.Errorf("loop %v: other bytes the second time", loop)
		}
	}
	if n := ffmpeg.SoundSamples(150, koda.FPS{Num: 30000, Den: 1001}); n != 240_240 {
		t.Errorf("150 frames at 29.97 have %d samples", n)
	}
}

func mustRead(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSoundOfNothing(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	dir := t.TempDir()
	text, list := filepath.Join(dir, "text.mp3"), filepath.Join(dir, "list.m3u8")
	for file, body := range map[string]string{text: strings.Repeat("no music\n", 500), list: "#EXTM3U\n#EXTINF:1,\nsecret.mp3\n"} {
		if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{text, list, silentVideo(t, tool), filepath.Join(dir, "missing.mp3")} {
		_, err := tool.MeasureSound(t.Context(), ffmpeg.Sound{Input: file, Samples: 48_000})
		if koda.CodeOf(err) != koda.CodeUsage || strings.Contains(err.Error(), "\n") || koda.HintOf(err) == "" {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// In a webm the sound is Opus, and also in its place.
func TestSoundWebM(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	dir := t.TempDir()
	video, out := filepath.Join(dir, "v.webm"), filepath.Join(dir, "out.webm")
	ask(t, "ffmpeg", "-i", silentVideo(t, tool), "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", video)
	source := wav(t, 48_000, 144_000, func(i int) float64 {
		if i < 96_000 {
			return 0
		}
		return 0.5 * math.Cos(float64(i-96_000)/10)
	})
	s := ffmpeg.Sound{Input: source, Output: filepath.Join(dir, "s.webm"), Format: "webm", Samples: 144_000}
	if err := tool.EncodeSound(t.Context(), s, ffmpeg.Gain{}); err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	if err := tool.Mux(t.Context(), video, s.Output, "webm", koda.FPS{Num: 30, Den: 1}, out); err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	if off := onset(samples(t, out)) - 96_000; off < -48 || off > 48 {
		t.Errorf("heard %d samples late", off)
	}
}

// TestSoundArgs_Formats: sound can be encoded for exactly the formats that the
// presets say carry sound.
func TestSoundArgs_Formats(t *testing.T) {
	t.Parallel()
	for _, format := range preset.Formats() {
		args := ffmpeg.SoundArgs(ffmpeg.Sound{Input: "in.wav", Output: "out", Format: format, Samples: 1}, ffmpeg.Gain{})
		if got, want := slices.Contains(args, "-c:a"), preset.HasSound(format); got != want {
			t.Errorf("%s: encoded %v, wanted %v", format, got, want)
		}
	}
}
