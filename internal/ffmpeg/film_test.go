package ffmpeg_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// A film is shown upright, in square pixels, with its alpha, at the times of its
// file, in any order.
func TestFilm(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	for _, c := range []struct {
		name, file    string
		args          []string
		width, height int
		alpha         bool
		times         []float64
	}{
		{"plain", "a.mp4", []string{"-c:v", "libx264", "-pix_fmt", "yuv420p"}, 64, 32, false, []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9}},
		{"wide pixels", "b.mp4", []string{"-c:v", "libx264", "-pix_fmt", "yuv420p", "-vf", "setsar=3/2"}, 96, 32, false, []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9}},
		{"uneven", "c.webm", []string{"-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-vf", "select=not(between(n\\,2\\,4))", "-fps_mode", "vfr"}, 64, 32, false, []float64{0, .1, .5, .6, .7, .8, .9}},
		{"clear", "d.webm", []string{"-c:v", "libvpx", "-auto-alt-ref", "0", "-vf", "format=yuva420p,geq=lum=128:cb=128:cr=128:a=64"}, 64, 32, true, []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			host := hostos.New(t.TempDir())
			program, err := host.LookPath("ffmpeg")
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), c.file)
			// Picture n is grey with level 20n.
			args := append([]string{"-v", "error", "-f", "lavfi", "-i", "color=black:size=64x32:rate=10:duration=1,format=gray,geq=lum=20*N,scale=out_range=full"}, c.args...)
			if _, err := proc.Output(t.Context(), proc.Spec{Path: program, Args: append(args, path), Env: os.Environ()}); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			film, err := ffmpeg.New(host, "").OpenFilm(t.Context(), data)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := film.Close(); err != nil {
					t.Error(err)
				}
			})
			info := film.Info()
			if info.Width != c.width || info.Height != c.height || info.Alpha != c.alpha || len(info.Times) != len(c.times) || info.Duration < .99 || info.Duration > 1.01 {
				t.Fatalf("the film is %+v", info)
			}
			seen := map[int]byte{}
			for _, n := range []int{5, 0, 1, 6, 2, 5, 3, 4} {
				if at := info.Times[n]; at-c.times[n] > .001 || c.times[n]-at > .001 {
					t.Errorf("picture %d is shown at %g, not at %g", n, at, c.times[n])
				}
				bmp, err := film.Picture(context.Background(), n)
				if err != nil {
					t.Fatal(err)
				}
				start := binary.LittleEndian.Uint32(bmp[10:])
				grey := bmp[start]
				if before, ok := seen[n]; ok && before != grey {
					t.Errorf("picture %d is %d, and was %d", n, grey, before)
				}
				seen[n] = grey
				if c.alpha && (bmp[start+3] < 60 || bmp[start+3] > 68) {
					t.Errorf("picture %d has an alpha of %d", n, bmp[start+3])
				}
				if want := 200 * c.times[n]; !c.alpha && (float64(grey) < want-9 || float64(grey) > want+9) {
					t.Errorf("picture %d is %d, want %g", n, grey, want)
				}
			}
		})
	}
}
