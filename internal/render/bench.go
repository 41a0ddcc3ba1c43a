package render

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/timeline"
)

// benchFrames is how many frames a benchmark draws at most, so that it takes only a
// few seconds.
const benchFrames = 48

// Bench measures where the time of a render of these files goes: the first frames
// of the final video, each stage by itself in one browser, then all stages
// together. Nothing is kept. Errors are those of Render.
func (r *Renderer) Bench(ctx context.Context, files fs.FS) (koda.Bench, error) {
	_, m, err := r.cfg.Build(ctx, files, nil)
	if err != nil {
		return koda.Bench{}, err
	}
	final, err := preset.Lookup(preset.Final)
	if err != nil {
		return koda.Bench{}, err
	}
	spec, err := preset.Spec(m, final, preset.Overrides{})
	if err != nil {
		return koda.Bench{}, err
	}
	spec.ID, spec.NoCache = "bench", true
	shorten(&spec, min(spec.Frames, benchFrames))
	p, err := r.plan(ctx, files, spec)
	if err != nil {
		return koda.Bench{}, err
	}
	job, err := r.newJob(p, nil, tries)
	if err != nil {
		return koda.Bench{}, err
	}
	defer job.clean()
	measured := koda.BenchJob{Spec: spec, Facts: p.facts, Output: filepath.Join(job.tmp, "joined.mp4")}
	sound, err := chooseSound(files, spec)
	if err != nil {
		return koda.Bench{}, err
	}
	began := r.cfg.Now()
	if err := job.makeSound(ctx, sound); err != nil {
		return koda.Bench{}, err
	}
	heard := job.since(began)
	if sound != nil {
		measured.Track = sound.file
	}
	seen, err := r.cfg.Drawer.Look(ctx, koda.LookJob{Page: p.page, View: p.view, Bench: &measured})
	if err != nil {
		return koda.Bench{}, err
	}
	out := seen.Bench
	out.Width, out.Height, out.FPS, out.Method, out.GL = spec.Width, spec.Height, spec.FPS, p.facts.Capture.Method, p.gl()
	if n := len(out.Stages); sound != nil { // before the last stage, which puts the sound under the video
		out.Stages = slices.Insert(out.Stages, n-1, koda.BenchStage{Name: "sound", MS: heard})
	}
	shorten(&spec, out.Frames)
	spec.Output = filepath.Join(job.tmp, "whole.mp4")
	began = r.cfg.Now()
	_, err = r.Render(ctx, files, spec, nil)
	whole := job.since(began)
	out.Render = koda.BenchStage{Name: "render", MS: whole, PerFrame: whole / float64(out.Frames)}
	return out, err
}

// shorten cuts a spec down to the first frames of its video, and the cuts between
// them.
func shorten(spec *koda.RenderSpec, frames int) {
	spec.Frames, spec.Duration = frames, timeline.Seconds(frames, spec.FPS)
	spec.Cuts = slices.DeleteFunc(slices.Clone(spec.Cuts), func(cut float64) bool { return cut >= spec.Duration })
}

// since is the time since began, in milliseconds.
func (j *job) since(began time.Time) float64 {
	return float64(j.cfg.Now().Sub(began).Microseconds()) / 1000
}
