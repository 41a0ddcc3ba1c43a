package main

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
	"github.com/koda-video/koda/internal/workdir"
	"github.com/koda-video/koda/templates"
)

// BenchmarkDocker_checkpoint measures a checkpoint of a project in which nothing changed: the
// files of the sandbox, and the project's directory on this disk.
func BenchmarkDocker_checkpoint(b *testing.B) {
	base := os.Getenv("KODA_TEST_BASE")
	if base == "" {
		b.Skip("this benchmark needs a container engine, and the image that make docker-test builds")
	}
	ctx := b.Context()
	p := docker.New(docker.Config{
		Image: docker.ImageConfig{Files: templates.SandboxImage(), Name: docker.Name, Base: base}, Guest: templates.Guest,
		Idle: 5 * time.Minute, Life: time.Hour, Now: time.Now,
	})
	sb, err := p.Create(ctx, sandbox.Options{ProjectID: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = sb.Destroy(context.WithoutCancel(ctx)) })
	if _, err := sb.Run(ctx, sandbox.Command{Line: "mkdir -p src && for i in $(seq 50); do head -c 4000 /dev/urandom | base64 >src/f$i.ts; done"}); err != nil {
		b.Fatal(err)
	}
	disk := &workdir.Storage{Now: time.Now}
	dir, err := disk.Create(b.TempDir(), "bench", false, func(string) bool { return false })
	if err != nil {
		b.Fatal(err)
	}
	limits := sandbox.Limits{Files: projectfs.MaxFiles, File: projectfs.MaxFile, Total: projectfs.MaxTotal}
	seq := int64(0)
	checkpoint := func() {
		seq++
		files, err := sandbox.Get(ctx, sb, nil, limits)
		if err == nil {
			_, err = disk.Checkpoint(dir, koda.Checkpoint{Files: files, State: koda.StateFile{
				Schema: koda.SchemaVersion, Seq: seq, Project: koda.Project{ID: "bench", Name: "bench"}, Machine: json.RawMessage(`{}`), Messages: []koda.Message{},
			}})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	checkpoint()
	var took []time.Duration
	for b.Loop() {
		begin := time.Now()
		checkpoint()
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "median-ms")
}
