package docker_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
	"github.com/koda-video/koda/templates"
)

// BenchmarkDocker measures what people and authors wait for, with koda's own image. The
// median in milliseconds is median-ms; one slow answer of a busy engine does not move it.
func BenchmarkDocker(b *testing.B) {
	base := os.Getenv("KODA_TEST_BASE")
	if base == "" {
		b.Skip("this benchmark needs a container engine, and the image that make docker-test builds")
	}
	p := docker.New(docker.Config{
		Image: docker.ImageConfig{Files: templates.SandboxImage(), Name: docker.Name, Base: base}, Guest: templates.Guest,
		Idle: 5 * time.Minute, Life: time.Hour, Memory: 4e9, CPUs: 2, Most: 100, Now: time.Now,
	})
	ctx := b.Context()
	make := func() sandbox.Sandbox {
		sb, err := p.Create(ctx, sandbox.Options{ProjectID: "bench"})
		if err != nil {
			b.Fatal(err)
		}
		return sb
	}
	first := make() // the guest is in the image now
	b.Cleanup(func() { _ = first.Destroy(context.WithoutCancel(ctx)) })

	b.Run("create", func(b *testing.B) {
		median(b, func() func() {
			sb := make()
			return func() { _ = sb.Destroy(ctx) }
		})
	})
	b.Run("write 50 files", func(b *testing.B) {
		n := 0
		median(b, func() func() {
			for i := range 50 {
				n++
				if err := first.WriteFile(ctx, fmt.Sprintf("src/f%d.ts", i), fmt.Appendf(nil, "export const n = %d\n", n)); err != nil {
					b.Fatal(err)
				}
			}
			return nil
		})
	})
	b.Run("run true", func(b *testing.B) {
		median(b, func() func() {
			if res, err := first.Run(ctx, sandbox.Command{Line: "true"}); err != nil || res.ExitCode != 0 {
				b.Fatal(res, err)
			}
			return nil
		})
	})
	b.Run("echo of a key", func(b *testing.B) {
		sh, err := first.Shell(ctx, "bench", sandbox.Size{Columns: 80, Rows: 24})
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = sh.Kill() }()
		if _, err := io.WriteString(sh, "stty -icanon echo; cat >/dev/null; : d''one\n"); err != nil {
			b.Fatal(err)
		}
		buf := [1]byte{}
		for seen := ""; len(seen) < 4 || seen[len(seen)-4:] != "ne\r\n"; seen += string(buf[:]) {
			if _, err := io.ReadFull(sh, buf[:]); err != nil {
				b.Fatal(err)
			}
		}
		median(b, func() func() {
			if _, err := io.WriteString(sh, "x"); err != nil {
				b.Fatal(err)
			}
			for buf[0] = 0; buf[0] != 'x'; {
				if _, err := io.ReadFull(sh, buf[:]); err != nil {
					b.Fatal(err)
				}
			}
			return nil
		})
	})
	b.Run("snapshot, unchanged", func(b *testing.B) {
		get := func() func() {
			if _, err := sandbox.Get(ctx, first, nil, sandbox.Limits{Files: 1000, File: 1 << 20, Total: 64 << 20}); err != nil {
				b.Fatal(err, koda.HintOf(err))
			}
			return nil
		}
		get()
		median(b, get)
	})
}

// median measures do, and not what do returns.
func median(b *testing.B, do func() (after func())) {
	b.Helper()
	var took []time.Duration
	for b.Loop() {
		begin := time.Now()
		after := do()
		took = append(took, time.Since(begin))
		if after != nil {
			b.StopTimer()
			after()
			b.StartTimer()
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "median-ms")
}
