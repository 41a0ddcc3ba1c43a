//go:build linux

package main_test

import (
	"context"
	"os"
	"testing"

	"github.com/koda-video/koda/internal/draw/drawtest"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/guest"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox"
)

// A guest that is a plain process draws as the drawer of this machine does.
func TestDraw(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	needs.FFmpeg(t)
	p := newMachines(t, "-draw")
	m, err := p.start()
	if err != nil {
		t.Fatal(err)
	}
	d, err := guest.OpenDrawing(t.Context(), guest.Options{
		ID: m.id, Kind: sandbox.Docker, Dial: m.join,
		Alive:   func(context.Context) error { return p.alive(m.id) },
		Destroy: func(context.Context) error { return p.destroy(m.id) },
	})
	if err != nil {
		t.Fatal(err)
	}
	drawtest.Run(t, d, frames)
}

// frames counts the frames of a video.
func frames(file string) (int, error) {
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
}
