package ffmpeg_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// If an ffmpeg falls asleep, every call that waits for it fails.
func TestAsleep(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells how much CPU time a program took")
	}
	tool := program(t, "#!/bin/sh\nexec sleep 1000\n")
	tool.SetPatience(time.Second)
	spec := ffmpeg.Spec{FPS: koda.FPS{Num: 30, Den: 1}, Width: 160, Height: 90, CRF: 18, Preset: "veryfast", Output: filepath.Join(t.TempDir(), "a.mp4")}
	for name, run := range map[string]func(context.Context) error{
		"write": func(ctx context.Context) error {
			enc, err := tool.Encode(ctx, spec)
			if err != nil {
				return err
			}
			defer enc.Abort()
			for one := picture(0, 160, 90); ; { // more than a pipe holds
				if err := enc.Write(one); err != nil {
					return err
				}
			}
		},
		"finish": func(ctx context.Context) error {
			enc, err := tool.Encode(ctx, spec)
			if err != nil {
				return err
			}
			defer enc.Abort()
			return enc.Finish()
		},
		"join": func(ctx context.Context) error {
			return tool.Join(ctx, []koda.SegmentFile{{Path: "/a.mp4", Frames: 1}}, spec.FPS, spec.Alpha, spec.Output)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := run(t.Context())
			if koda.CodeOf(err) != koda.CodeEncodeFailed || !ffmpeg.Ended(err) || !strings.Contains(err.Error(), "ffmpeg did nothing") || koda.HintOf(err) == "" {
				t.Errorf("%v (%s)", err, koda.HintOf(err))
			}
		})
	}
	t.Run("build", func(t *testing.T) {
		t.Parallel()
		if _, err := tool.Build(t.Context()); koda.CodeOf(err) != koda.CodeMissingTool || !strings.Contains(err.Error(), "ffmpeg did nothing") {
			t.Error(err)
		}
	})
}

// Only a child that koda waits for and that shows no sign of life is asleep.
func TestVigil(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		glance func(n int64) (waiting bool, taken, cpu int64)
		want   bool
	}{
		"does nothing":         {func(int64) (bool, int64, int64) { return true, 3, 7 }, true},
		"works":                {func(n int64) (bool, int64, int64) { return true, 3, n }, false},
		"takes pictures":       {func(n int64) (bool, int64, int64) { return true, n, 7 }, false},
		"is given nothing":     {func(int64) (bool, int64, int64) { return false, 3, 7 }, false},
		"is given little":      {func(n int64) (bool, int64, int64) { return n%3 > 0, 3, 7 }, false},
		"works now and then":   {func(n int64) (bool, int64, int64) { return true, 3, n / (ffmpeg.Glances - 1) }, false},
		"falls asleep at last": {func(n int64) (bool, int64, int64) { return true, min(n, 50), min(n, 60) }, true},
	} {
		var v ffmpeg.Vigil
		got := false
		for n := range int64(100) {
			got = v.Asleep(c.glance(n)) || got
		}
		if got != c.want {
			t.Errorf("%s: asleep %v, want %v", name, got, c.want)
		}
	}
}

// The hint depends on what ended ffmpeg: a person who is short of memory is not
// told to install another ffmpeg, and the other way round.
func TestHowItEnded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, says, hint string }{
		"crashed": {"#!/bin/sh\nkill -SEGV $$\n", "ended by signal 11", "install another"},
		"killed":  {"#!/bin/sh\nkill -KILL $$\n", "killed by signal 9", "short of memory"},
	} {
		err := program(t, c.script).Still(t.Context(), koda.StillJob{Video: "/a.mp4", Output: "/b.png"})
		if !ffmpeg.Ended(err) || !strings.Contains(err.Error(), c.says) || !strings.Contains(koda.HintOf(err), c.hint) {
			t.Errorf("%s: %v (%s)", name, err, koda.HintOf(err))
		}
	}
	file := filepath.Join(t.TempDir(), "ffmpeg")
	if err := os.WriteFile(file, []byte("not to be run"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := ffmpeg.New(hostos.New(t.TempDir()), file).Build(t.Context())
	if koda.CodeOf(err) != koda.CodeMissingTool || !strings.Contains(err.Error(), "cannot be started") || strings.Contains(koda.HintOf(err), "libx264") {
		t.Errorf("not a program: %v (%s)", err, koda.HintOf(err))
	}
}

// A single run of ffmpeg is repeated when something killed or stopped it, but not
// when it failed by itself.
func TestAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first string
		runs  int
		want  bool
	}{
		"killed":  {"kill -KILL $$", 2, true},
		"stopped": {"kill -STOP $$", 2, true},
		"fails":   {"exit 1", 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "stopped" && runtime.GOOS != "linux" {
				t.Skip("only Linux tells how much CPU time a program took")
			}
			runs := filepath.Join(t.TempDir(), "runs")
			tool := program(t, "#!/bin/sh\necho >>"+runs+"\n[ $(wc -l <"+runs+") -gt 1 ] || "+c.first+"\n")
			tool.SetPatience(2 * time.Second)
			err := tool.Still(t.Context(), koda.StillJob{Video: "/a.mp4", Output: "/b.png"})
			if (err == nil) != c.want || ffmpeg.Ended(err) {
				t.Errorf("got %v", err)
			}
			if lines, err := os.ReadFile(runs); err != nil || len(lines) != c.runs {
				t.Errorf("%d runs, want %d: %v", len(lines), c.runs, err)
			}
		})
	}
}
