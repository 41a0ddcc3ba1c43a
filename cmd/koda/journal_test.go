package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox/hostos"
	"github.com/koda-video/koda/internal/store"
)

// stub is a renderer that writes a few bytes for each video.
type stub struct{}

func (stub) Render(_ context.Context, _ fs.FS, spec koda.RenderSpec, _ func(koda.Progress)) (koda.RenderResult, error) {
	return koda.RenderResult{
		Video: spec.Output, Thumbnail: spec.Thumbnail, Width: spec.Width, Height: spec.Height, FPS: spec.FPS, Frames: spec.Frames,
		Duration: spec.Duration, Size: 5, SHA256: fmt.Sprintf("%064d", spec.Frames), Captured: spec.Frames,
	}, os.WriteFile(spec.Output, []byte("video"), 0o644)
}

func (stub) Compare(context.Context, fs.FS, fs.FS, koda.VideoComparison, func(koda.Progress)) (koda.RenderResult, error) {
	return koda.RenderResult{}, nil
}
func (stub) Check(context.Context, fs.FS) error { return nil }
func (stub) Still(context.Context, fs.FS, float64, int, int) (koda.Picture, error) {
	return koda.Picture{}, nil
}

func (stub) Examine(context.Context, fs.FS, []float64) (koda.Look, error) {
	return koda.Look{}, nil
}

func (stub) Sheet(context.Context, fs.FS, int, int, int) (koda.Picture, error) {
	return koda.Picture{}, nil
}

// desk is the wired engine in a home of its own, with a stub for the renderer.
type desk struct {
	t      testing.TB
	dbPath string
	dir    string
	cfg    config.Config
}

func newDesk(t testing.TB) *desk {
	home := t.TempDir()
	d := &desk{t: t, dbPath: filepath.Join(home, "koda.db"), dir: filepath.Join(home, "projects")}
	d.cfg = config.Config{Home: home, Cache: filepath.Join(home, "cache"), DatabasePath: d.dbPath, StoragePath: d.dir}
	if err := os.MkdirAll(d.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return d
}

// work opens the engine, calls do and closes the engine.
func (d *desk) work(do func(*engine.Engine, *store.DB) error) {
	d.t.Helper()
	db, err := store.Open(d.t.Context(), d.dbPath)
	if err != nil {
		d.t.Fatal(err)
	}
	m := machineOf(d.cfg, hostos.At(tmpDir(d.cfg)))
	e, err := m.engineOf(db, func(engine.Renderer) engine.Renderer { return stub{} }, m.author)
	if err == nil {
		err = do(e, db)
	}
	if err != nil {
		d.t.Fatal(err, koda.HintOf(err))
	}
	if err := db.Close(); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) size(path string) float64 {
	d.t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		d.t.Fatal(err)
	}
	return float64(info.Size())
}

// colours are the colours that the edits ask for, in turn.
var colours = []string{"red", "blue", "green", "yellow", "purple", "orange", "black", "white"}

// ball makes a five-second ball.
func (d *desk) ball() (p koda.Project) {
	d.work(func(e *engine.Engine, _ *store.DB) error {
		out, err := e.New(d.t.Context(), engine.NewRequest{Brief: koda.Brief{
			Prompt: "bouncing ball", Width: 1920, Height: 1080, FPS: koda.FPS{Num: 60, Den: 1}, Duration: 5, Yes: true,
		}})
		p = out.Project
		return err
	})
	return p
}

// edit changes the ball. The nth edit differs from the edit before it.
func (d *desk) edit(p koda.Project, n int) {
	d.work(func(e *engine.Engine, _ *store.DB) error {
		_, err := e.Edit(d.t.Context(), p.ID, koda.Seen{}, "make the ball "+colours[n%len(colours)])
		return err
	})
}

// BenchmarkJournal_Bytes measures the bytes of a five-second ball in the database
// and in .koda/state.json, and the bytes that an edit adds to both, after more and
// more edits.
//
//	go test ./cmd/koda -run '^$' -bench Journal_Bytes -benchtime 1x
func BenchmarkJournal_Bytes(b *testing.B) {
	for _, versions := range []int{1, 25, 100, 200} {
		b.Run(fmt.Sprintf("versions=%d", versions), func(b *testing.B) {
			for b.Loop() {
				d := newDesk(b)
				before := func() float64 { d.work(func(*engine.Engine, *store.DB) error { return nil }); return d.size(d.dbPath) }()
				p := d.ball()
				state := filepath.Join(p.Dir, ".koda", "state.json")
				if versions == 1 {
					b.ReportMetric(d.size(d.dbPath)-before, "db-B/project")
					b.ReportMetric(d.size(state), "state-B/project")
					d.work(func(e *engine.Engine, db *store.DB) error {
						_, err := e.Sweep(b.Context(), false)
						if err == nil {
							_, err = db.Compact(b.Context())
						}
						return err
					})
					b.ReportMetric(d.size(d.dbPath)-before, "db-B/project-after-gc")
					continue
				}
				const last = 5 // edits
				for n := 2; n <= versions-last; n++ {
					d.edit(p, n)
				}
				db, file := d.size(d.dbPath), d.size(state)
				for n := versions - last + 1; n <= versions; n++ {
					d.edit(p, n)
				}
				b.ReportMetric((d.size(d.dbPath)-db)/last, "db-B/edit")
				b.ReportMetric((d.size(state)-file)/last, "state-B/edit")
				b.ReportMetric(d.size(d.dbPath), "db-B")
			}
		})
	}
}
