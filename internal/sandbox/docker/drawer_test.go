package docker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/draw/drawtest"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox/docker"
)

// drawer draws in containers of koda's own image.
func drawer(t *testing.T, memory int64) *docker.Drawer {
	t.Helper()
	cfg := config(t)
	_, cfg.Image, _ = built(t)
	cfg.Memory, cfg.Cache = memory, t.TempDir()
	return drawerOf(t, cfg)
}

func drawerOf(t *testing.T, cfg docker.Config) *docker.Drawer {
	t.Helper()
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
	drawtest.Run(t, drawer(t, 0), func(file string) (int, error) {
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

// pageJob is a segment of a page that runs a script while it loads.
func pageJob(t *testing.T, d *docker.Drawer, script string) koda.SegmentJob {
	t.Helper()
	html := `<!doctype html><body style="background:#fff"><script>window.__exportSeekTo = () => {}; ` + script + `; window.__exportReady = true</script>`
	job := koda.SegmentJob{
		Page: koda.Page{Digest: html, Files: map[string]koda.PageFile{"/index.html": {Type: "text/html", Body: []byte(html)}}},
		View: koda.Viewport{Width: 64, Height: 48, Scale: 1, FPS: koda.FPS{Num: 20, Den: 1}},
		Spec: koda.RenderSpec{
			Width: 64, Height: 48, PageWidth: 64, PageHeight: 48, FPS: koda.FPS{Num: 20, Den: 1}, Frames: 200, Duration: 10, Format: "mp4", CRF: 20, EncoderPreset: "veryfast",
		},
		Span: koda.Span{End: 200}, Tries: 1, Beside: 1, Output: filepath.Join(t.TempDir(), "segment.mp4"),
	}
	facts, err := d.Facts(t.Context(), koda.FactsJob{Spec: job.Spec, View: job.View})
	if err != nil {
		t.Fatal(err)
	}
	job.Facts = facts
	return job
}

// A container that is killed while it draws is replaced. If that happens again and again,
// the error is OUT_OF_MEMORY.
func TestDocker_drawsAgain(t *testing.T) {
	for kills, code := range map[int]koda.Code{1: "", 3: koda.CodeOutOfMemory} {
		d := drawer(t, 0)
		job := pageJob(t, d, "")
		left := kills
		_, err := d.Draw(t.Context(), job, func(p koda.SegmentProgress) {
			if p.Drawn == 3 && left > 0 {
				left--
				command(t, "kill", d.ID())
			}
		})
		if koda.CodeOf(err) != code || left != 0 {
			t.Errorf("%d kills: %v", kills, err)
		}
	}
}

// A page that takes more memory than the container has is known as such.
func TestDocker_drawsOutOfMemory(t *testing.T) {
	d := drawer(t, 400<<20)
	job := pageJob(t, d, `window.kept = []; for (let i = 0; i < 30; i++) kept.push(new Uint8Array(64 << 20).fill(1))`)
	if m := job.Facts.Capacity.Memory; m <= 0 || m > 400<<20 {
		t.Errorf("the capacity is %d bytes", m)
	}
	_, err := d.Draw(t.Context(), job, nil)
	if koda.CodeOf(err) != koda.CodeOutOfMemory || koda.HintOf(err) == "" {
		t.Errorf("%s: %v", koda.CodeOf(err), err)
	}
}

// What one container finds out about its browser the next container knows.
func TestDocker_drawsAcquainted(t *testing.T) {
	cfg := config(t)
	_, cfg.Image, _ = built(t)
	cfg.Cache = t.TempDir()
	ask := func(anew bool) string {
		t.Helper()
		facts, err := drawerOf(t, cfg).Facts(t.Context(), koda.FactsJob{Spec: koda.RenderSpec{Format: "mp4", Width: 64, Height: 48}, Anew: anew})
		if err != nil {
			t.Fatal(err)
		}
		return facts.Capture.Why
	}
	why := ask(false)
	files, err := filepath.Glob(filepath.Join(cfg.Cache, "drawing-*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var found map[string][]byte
	if err := json.Unmarshal(data, &found); err != nil || len(found) != 1 {
		t.Fatalf("%s, %v", data, err)
	}
	for name, text := range found {
		found[name] = bytes.Replace(text, []byte(why), []byte("it was so before"), 1)
	}
	if data, err = json.Marshal(found); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ask(false); got != "it was so before" {
		t.Errorf("the next container says %q", got)
	}
	if got := ask(true); got != why {
		t.Errorf("asked anew, it says %q", got)
	}
	if got := ask(false); got != why {
		t.Errorf("the container after that says %q", got)
	}
}
