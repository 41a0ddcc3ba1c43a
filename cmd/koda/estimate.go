package main

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"runtime"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	llmservice "github.com/koda-video/koda/internal/llm/service"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/timeline"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/templates"
)

// probed is how many frames of the starter's page are drawn.
const probed = 16

// heavy is how much heavier than the starter's page a page may well be to draw.
const heavy = 4

// estimate says what a brief is expected to cost. No model is asked.
func estimate(ctx context.Context, b koda.Brief, sandboxKind string, tell func(koda.BuildStep)) (e koda.Estimate, err error) {
	seconds := b.Duration
	if b.Author == engine.AuthorModel {
		if e.Model, err = estimateModel(b); err != nil {
			return e, err
		}
	} else if plan, err := lateAuthor(openAuthor).Plan(ctx, b, koda.Answer{}, nil, tool.Desk{}); err == nil {
		seconds = plan.TotalDuration
	}
	if seconds == 0 {
		seconds = koda.DefaultDuration
	}
	e.Render, err = estimateRender(ctx, b, seconds, sandboxKind, tell)
	return e, err
}

// estimateModel says what the model of the settings is expected to cost.
func estimateModel(b koda.Brief) (*koda.ModelEstimate, error) {
	plans, may, err := budgetsOf(b.Models)
	if err != nil {
		return nil, err
	}
	author, err := askingAuthor()
	if err != nil {
		return nil, err
	}
	low, high := author.Expect(b)
	e := &koda.ModelEstimate{
		Name: may.name, Answers: [2]int{len(low.Talk) + len(low.Work), len(high.Talk) + len(high.Work)},
		Low: plans.of(low.Talk).Plus(may.of(low.Work)), High: plans.of(high.Talk).Plus(may.of(high.Work)), Limit: may.usd,
	}
	if plans.name != may.name {
		e.Name += ", planned by " + plans.name
	}
	if may.listed || plans.listed {
		e.Prices = llmservice.Table().Date
	}
	return e, nil
}

// estimateRender draws some frames of the starter's page, in the size of the brief.
func estimateRender(ctx context.Context, b koda.Brief, seconds float64, kind string, tell func(koda.BuildStep)) (e koda.RenderEstimate, err error) {
	files := map[string]string{}
	starter := templates.Starter()
	err = fs.WalkDir(starter, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(starter, name)
		files[name] = string(text)
		return err
	})
	if err != nil {
		return e, fmt.Errorf("read the starter: %w", err)
	}
	manifest, err := koda.Manifest{Schema: 1, Name: "probe", Width: b.Width, Height: b.Height, FPS: b.FPS, Duration: timeline.Seconds(probed, b.FPS)}.Encode()
	if err != nil {
		return e, err
	}
	files[tool.ManifestPath] = string(manifest)
	probe, err := bench(ctx, kind, tell, recipe.FS(files))
	if err != nil {
		return e, err
	}
	e = koda.RenderEstimate{Width: probe.Width, Height: probe.Height, FPS: b.FPS, Seconds: seconds, Frames: timeline.Frames(seconds, b.FPS)}
	start := 0.0
	for _, s := range probe.Stages {
		if e.Probe += s.PerFrame; s.PerFrame == 0 {
			start += s.MS
		}
	}
	// draws is the time that so many frames take, on all CPUs or on one.
	draws := func(frames, weight float64) [2]float64 {
		least := (start + frames*e.Probe*weight/float64(runtime.NumCPU())) / 1000
		most := (start + frames*e.Probe*weight*heavy) / 1000
		return [2]float64{math.Round(least*10) / 10, math.Round(most*10) / 10}
	}
	e.Final = draws(float64(e.Frames*(1+len(b.Presets))), 1)
	const side, rate = 640.0, 15.0 // of a preview
	scale := min(1, side/float64(max(b.Width, b.Height)))
	e.Preview = draws(min(rate*seconds, float64(e.Frames)), max(0.2, scale*scale)) // drawing has a price that no size lowers
	return e, nil
}
