package draw_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/draw/drawtest"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/render"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

var (
	_ render.Drawer = (*draw.Drawer)(nil)
	_ render.Drawer = (*drawtest.Sketch)(nil)
)

// The drawer of this machine and the drawer without browser both keep the contract.
func TestContract(t *testing.T) {
	t.Parallel()
	t.Run("machine", func(t *testing.T) {
		t.Parallel()
		needs.Chromium(t)
		needs.FFmpeg(t)
		host := hostos.New(t.TempDir())
		tool := ffmpeg.New(host, "")
		c := draw.Chromium{Host: host, Dir: probes(t), FFmpeg: tool}
		drawtest.Run(t, draw.New(draw.Config{
			Probe: c.Probe, Reprobe: c.Reprobe, Open: c.Open, Fonts: draw.LocalFonts, FFmpeg: tool, Now: time.Now,
		}), frames)
	})
	t.Run("sketch", func(t *testing.T) {
		t.Parallel()
		drawtest.Run(t, &drawtest.Sketch{Machine: func() koda.Facts {
			return koda.Facts{Capture: koda.CaptureInfo{Build: "Sketch/1", Method: "sketch"}, FFmpeg: "sketch", Fonts: "none", Capacity: koda.Capacity{CPUs: 2}}
		}}, frames)
	})
}

// probes is the directory where tests keep how frames are captured here.
func probes(t *testing.T) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		return t.TempDir()
	}
	dir = filepath.Join(dir, "koda-test")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// frames counts the frames of a video.
func frames(file string) (int, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // read only
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	m, err := ffmpeg.Inspect(f, info.Size())
	return m.Frames, err
}
