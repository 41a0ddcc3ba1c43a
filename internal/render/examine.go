package render

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/eye"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/timeline"
)

// What a sheet for looking at measures at most, in pixels: as much as models look at.
const (
	examSide  = 1500
	examFrame = 720 // the longer side of one frame
)

// Examine draws the frames nearest to some times on one sheet and says what they show and
// what seems wrong. The times are put in order; those outside of the animation mean its
// ends. Errors are those of a render.
func (r *Renderer) Examine(ctx context.Context, files fs.FS, times []float64) (koda.Look, error) {
	page, m, err := r.cfg.Build(ctx, files, nil)
	if err != nil {
		return koda.Look{}, err
	}
	total := timeline.Frames(m.Duration, m.FPS)
	var frames []int
	for _, t := range times {
		at := math.Round(t * float64(m.FPS.Num) / float64(m.FPS.Den))
		frames = append(frames, int(max(0, min(at, float64(total-1)))))
	}
	slices.Sort(frames)
	if frames = slices.Compact(frames); len(frames) == 0 {
		frames = []int{0}
	}
	size, columns := examSize(m, len(frames))
	view := koda.Viewport{Width: m.Width, Height: m.Height, FPS: m.FPS, Scale: min(1, captureScale(preset.Size{Width: m.Width, Height: m.Height}, size))}
	seen, err := r.cfg.Drawer.Look(ctx, koda.LookJob{
		Page: page, View: view, Frames: frames, Width: size.Width, Height: size.Height, Columns: columns, Exam: true, Total: total,
	})
	if err != nil {
		return koda.Look{}, err
	}
	for i, f := range seen.Findings {
		if causes := eye.Causes(files); f.Kind == koda.FindingDiffers && len(causes) > 0 {
			seen.Findings[i].About += ". Likely causes:\n" + strings.Join(causes, "\n")
		}
	}
	for _, w := range page.Warnings {
		seen.Findings = append(seen.Findings, koda.Finding{Kind: koda.FindingMishap, About: w})
	}
	for i := range seen.Sights {
		seen.Sights[i].Scene = sceneAt(m, seen.Sights[i].Seconds)
	}
	return koda.Look{Sheet: seen.PNG, Sights: seen.Sights, Findings: seen.Findings}, nil
}

// examSize chooses the columns of a sheet of n frames, so that its frames are as large as
// they can be.
func examSize(m koda.Manifest, n int) (size preset.Size, columns int) {
	best := 0.0
	for c := 1; c <= n; c++ {
		rows := (n + c - 1) / c
		scale := min(float64(examSide)/float64(c*m.Width), float64(examSide)/float64(rows*m.Height), examFrame/float64(max(m.Width, m.Height)))
		if scale > best {
			best, columns = scale, c
		}
	}
	return preset.Size{Width: max(1, int(best*float64(m.Width))), Height: max(1, int(best*float64(m.Height)))}, columns
}

// sceneAt names the scene of a time.
func sceneAt(m koda.Manifest, seconds float64) string {
	n := 1
	for _, cut := range m.Cuts() {
		if seconds >= cut-1e-6 {
			n++
		}
	}
	if n == 1 && len(m.Cuts()) == 0 {
		return ""
	}
	return fmt.Sprintf("scene %d", n)
}
