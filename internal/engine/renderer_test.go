package engine_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// renderer writes a small file for each video.
type renderer struct {
	mu        sync.Mutex
	specs     []koda.RenderSpec
	fail      error
	failed    koda.RenderKind // only renders of this kind fail; "" is all
	hash      bool            // the result holds the digest of the file
	compared  []koda.VideoComparison
	during    func(koda.RenderSpec) // when set, called in the middle of Render
	warnings  []string              // the warnings of every video
	stripless bool                  // no strips are made, as by an older koda
	glimpse   *koda.Glimpse         // of every render whose spec asks for glimpses
	more      []chan struct{}       // the render reports again and again until all are closed
}

func (v *renderer) Render(_ context.Context, files fs.FS, spec koda.RenderSpec, report func(koda.Progress)) (koda.RenderResult, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.specs = append(v.specs, spec)
	if v.fail != nil && (v.failed == "" || v.failed == spec.Kind) {
		return koda.RenderResult{}, v.fail
	}
	if _, err := fs.Stat(files, "koda.json"); err != nil {
		return koda.RenderResult{}, err
	}
	if v.during != nil {
		v.during(spec)
	}
	done := koda.Progress{Kind: spec.Kind, Stage: koda.StageCapturing, Frame: spec.Frames, Frames: spec.Frames, Percent: 100}
	if spec.Glimpses {
		done.Glimpse = v.glimpse
	}
	report(done)
	for _, c := range v.more {
		for open := true; open; report(done) {
			select {
			case <-c:
				open = false
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	if err := os.WriteFile(spec.Output, []byte("video"), 0o644); err != nil {
		return koda.RenderResult{}, err
	}
	if spec.Strip != "" && !v.stripless {
		if err := os.WriteFile(spec.Strip, []byte("strip"), 0o644); err != nil {
			return koda.RenderResult{}, err
		}
	} else {
		spec.Strip = ""
	}
	return koda.RenderResult{
		Video: spec.Output, Strip: spec.Strip, Width: spec.Width, Height: spec.Height, FPS: spec.FPS, Frames: spec.Frames,
		Duration: spec.Duration, Size: 5, SHA256: v.sum(), Captured: spec.Frames, Warnings: v.warnings,
	}, nil
}

func (v *renderer) sum() string {
	if !v.hash {
		return "abc"
	}
	sum := sha256.Sum256([]byte("video"))
	return hex.EncodeToString(sum[:])
}

func (v *renderer) Compare(_ context.Context, from, to fs.FS, c koda.VideoComparison, _ func(koda.Progress)) (koda.RenderResult, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.compared = append(v.compared, c)
	for _, files := range []fs.FS{from, to} {
		if _, err := fs.Stat(files, "koda.json"); err != nil {
			return koda.RenderResult{}, err
		}
	}
	return koda.RenderResult{Video: c.Output}, os.WriteFile(c.Output, []byte("video"), 0o644)
}

func (v *renderer) Check(_ context.Context, files fs.FS) error {
	app, err := fs.ReadFile(files, "src/App.tsx")
	if err == nil && strings.Contains(string(app), "<<<") {
		return &koda.Error{Code: koda.CodeBuildFailed, Op: "src/App.tsx:1:1: Unexpected \"<<\"", Hint: "an end is missing", Details: "1 | <<<"}
	}
	return nil
}

func (v *renderer) Still(context.Context, fs.FS, float64, int, int) (koda.Picture, error) {
	return koda.Picture{}, nil
}

func (v *renderer) Examine(context.Context, fs.FS, []float64) (koda.Look, error) {
	return koda.Look{}, nil
}

func (v *renderer) Sheet(context.Context, fs.FS, int, int, int) (koda.Picture, error) {
	return koda.Picture{}, nil
}
