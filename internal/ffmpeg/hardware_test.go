package ffmpeg_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// nvenc is an ffmpeg whose nvenc is libx264: the real nvenc needs a device.
const nvenc = `#!/bin/sh
case "$*" in *-encoders*) echo " ------"; echo " V....D h264_nvenc nvenc"; exit ;; esac
skip=
for a do
	shift
	if [ -n "$skip" ]; then skip=; continue; fi
	case $a in
	-rc | -forced-idr) skip=1; continue ;;
	h264_nvenc) a=libx264 ;;
	p[1-7]) a=veryfast ;;
	esac
	set -- "$@" "$a"
done
exec ffmpeg "$@"
`

// program is a Tool whose ffmpeg is the given script, which gets ffmpeg's arguments.
func program(t *testing.T, script string) *ffmpeg.Tool {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ffmpeg")
	if err := os.WriteFile(file, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return ffmpeg.New(hostos.New(t.TempDir()), file)
}

func hardwareSpec(name string) ffmpeg.Spec {
	return ffmpeg.Spec{Hardware: name, FPS: koda.FPS{Num: 30, Den: 1}, Width: 320, Height: 180, CRF: 18, Preset: "veryfast"}
}

func TestHardwareArgs(t *testing.T) {
	t.Parallel()
	for _, name := range koda.HardwareEncoders() {
		s := hardwareSpec(name)
		s.Output = "/tmp/a.mp4"
		golden(t, name+".args", strings.Join(ffmpeg.Args(s), "\n")+"\n")
	}
}

// koda finds out which encoders of the ffmpeg here work, and why others do not.
func TestHardware(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	for _, name := range koda.HardwareEncoders() {
		device, err := tool.Hardware(t.Context(), hardwareSpec(name))
		if err == nil && len(device) == 64 {
			continue
		}
		_, why, ok := strings.Cut(err.Error(), " here: ")
		if koda.CodeOf(err) != koda.CodeMissingTool || !ok || why == "" || strings.Contains(why, "0x") || koda.HintOf(err) == "" {
			t.Errorf("%s: %q, %v", name, device, err)
		}
	}
}

func TestHardwareRefused(t *testing.T) {
	t.Parallel()
	const listed = `#!/bin/sh
case "$*" in *-encoders*) echo " ------"; echo " V....D h264_nvenc nvenc"; exit ;; esac
`
	for name, c := range map[string]struct{ script, hardware, want string }{
		"not built in": {listed, "amf", "this ffmpeg was built without h264_amf"},
		"no driver":    {listed + `echo "[h264_nvenc @ 0x55] Cannot load libcuda.so.1" >&2; echo "Error initializing" >&2; exit 1`, "nvenc", "here: Cannot load libcuda.so.1"},
		"no words":     {listed + `echo "Device creation failed: -542398533." >&2; exit 1`, "nvenc", "here: Device creation failed"},
		"silent":       {listed + "exit 3", "nvenc", "status 3"},
		"no picture":   {listed + "exit 0", "nvenc", "gave no picture"},
	} {
		_, err := program(t, c.script).Hardware(t.Context(), hardwareSpec(c.hardware))
		if koda.CodeOf(err) != koda.CodeMissingTool || !strings.HasSuffix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Segments of a device's encoder join like other segments and keep their colours.
func TestHardwareSegments(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	tool := program(t, nvenc)
	s := hardwareSpec("nvenc")
	device, err := tool.Hardware(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := tool.Hardware(t.Context(), s); again != device || len(device) != 64 || err != nil {
		t.Errorf("the device is called %q and then %q, %v", device, again, err)
	}
	dir := t.TempDir()
	var segments []koda.SegmentFile
	s.Width, s.Height = side*len(opaque), side
	for _, name := range []string{"a.mp4", "b.mp4", "c.mp4"} {
		s.Output = filepath.Join(dir, name)
		encode(t, tool, s, 7, func(n int) []byte { return patches(n, side, opaque) })
		if m := inspect(t, s.Output); m.Color != ffmpeg.BT709 {
			t.Errorf("colours %+v", m.Color)
		}
		segments = append(segments, koda.SegmentFile{Path: s.Output, Frames: 7})
	}
	out := filepath.Join(dir, "out.mp4")
	if err := tool.Join(t.Context(), segments, s.FPS, s.Alpha, out); err != nil {
		t.Fatal(err)
	}
	want := ffmpeg.Media{
		Codec: "h264", Width: s.Width, Height: s.Height, FPS: s.FPS, Frames: 21, Duration: 0.7, Even: true, Indexed: true, Color: ffmpeg.BT709,
	}
	if d := cmp.Diff(want, inspect(t, out)); d != "" {
		t.Error(d)
	}
	if shown := times(t, out); len(shown) != 21 || shown[20] != 20*shown[1] {
		t.Errorf("shown at %v", shown)
	}
}

// Every encoder with presets has one for each preset of x264, in the same order of
// effort.
func TestHardwareQuality(t *testing.T) {
	t.Parallel()
	for _, name := range koda.HardwareEncoders() {
		for _, word := range []string{"ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo"} {
			s := hardwareSpec(name)
			s.Preset, s.Output = word, "a.mp4"
			for _, arg := range ffmpeg.Args(s) {
				if arg == "" && ffmpeg.HasEffort(name) {
					t.Errorf("%s has no word for %s", name, word)
				}
			}
		}
		_, best := ffmpeg.Quality(name, 0)
		_, worst := ffmpeg.Quality(name, 51)
		if rising := name == "videotoolbox"; best == worst || (best > worst) != rising {
			t.Errorf("%s: crf 0 is %d, 51 is %d", name, best, worst)
		}
	}
}
