package docker_test

import (
	"context"
	"os"
	"testing"

	"github.com/koda-video/koda/internal/draw/drawtest"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/sandbox/docker"
)

// drawer draws in containers of koda's own image.
func drawer(t *testing.T) *docker.Drawer {
	t.Helper()
	cfg := config(t)
	_, cfg.Image, _ = built(t)
	d := docker.New(cfg).Drawer()
	t.Cleanup(func() {
		if err := d.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return d
}

// A container keeps the contract of drawers.
func TestDocker_draws(t *testing.T) {
	drawtest.Run(t, drawer(t), func(file string) (int, error) {
		f, err := os.Open(file)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return 0, err
		}
		m, err := ffmpeg.Inspect(f, info.Size())
		return m.Frames, err
	})
}
