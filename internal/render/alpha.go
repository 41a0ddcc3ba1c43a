package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// alpha says when transparency is kept.
type alpha int

const (
	alphaNever  alpha = iota // a page has white behind it
	alphaAlways              // players show a file with alpha as well as a file without; see plan.filled
	// alphaUsed: only where the page is transparent, because fewer players can show
	// a file with alpha.
	alphaUsed
)

// chooseAlpha decides whether pictures are taken with alpha, which costs several
// times as much as raw pixels. If a format always keeps alpha, koda first assumes
// that the page fills every frame, as most pages do.
func (r *Renderer) chooseAlpha(ctx context.Context, p *plan) (err error) {
	switch alphas[p.spec.Format] {
	case alphaNever:
	case alphaAlways:
		unfilled, _, err := r.noted(*p, byWord)
		if err != nil {
			return err
		}
		p.filled = !unfilled && p.facts.Capture.Raw(p.page, p.view) // without raw pixels nothing is gained
		p.view.Transparent = !p.filled
	case alphaUsed:
		p.view.Transparent, err = r.transparent(ctx, *p)
	}
	p.view.Raw = !p.view.Transparent && p.facts.Capture.Raw(p.page, p.view) // raw pixels have no alpha
	return err
}

// withAlpha is the plan for a page that was assumed to fill its frames, and does
// not. It notes that, and takes all pictures with alpha, so that no byte depends on
// which frame was drawn first.
func (r *Renderer) withAlpha(p plan) (plan, error) {
	if err := r.note(p, byWord, true); err != nil {
		return plan{}, err
	}
	p.filled, p.view.Raw, p.view.Transparent = false, false, true
	return p, p.cut()
}

// transparent reports whether transparency is kept when the page decides it: every
// frame is checked.
func (r *Renderer) transparent(ctx context.Context, p plan) (bool, error) {
	if known, ok, err := r.noted(p, byLook); err != nil || ok {
		return known, err
	}
	all := koda.Span{Start: p.spec.First, End: p.spec.First + p.spec.Frames}
	seen, err := r.cfg.Drawer.Inspect(ctx, koda.InspectJob{Page: p.page, View: p.view, Facts: p.facts, Shines: all})
	if err != nil {
		return false, err
	}
	return seen.Shines, r.note(p, byLook, seen.Shines)
}

// The questions about the frames of a page whose answers are remembered. An answer
// depends on the same things as the segments, and lies beside them.
const (
	byLook = "every frame" // one frame has transparent parts
	byWord = "by its word" // the page does not say that it fills every frame

	byMoves = "by its cuts" // the page depends on the frames before
)

// noteFile is the file that keeps the answer to a question about a page.
func (r *Renderer) noteFile(p plan, question string) (string, error) {
	text, err := json.Marshal([]any{
		question, captureVersion, p.page.Digest, viewOf(p.spec), p.spec.First, p.spec.Frames, p.facts.Capture.Build, p.facts.Capture.Method, p.gl(), p.facts.Fonts,
	})
	if err != nil {
		return "", &koda.Error{Code: koda.CodeInvalidInput, Op: "read the parameters of the page", Err: err, Hint: "give a JSON object"}
	}
	sum := sha256.Sum256(text)
	return filepath.Join(r.cfg.CacheDir, segmentsName, hex.EncodeToString(sum[:])+seenExt), nil
}

// noted is a remembered answer; ok is false if there is none, or if it may not be
// used.
func (r *Renderer) noted(p plan, question string) (answer, ok bool, err error) {
	file, err := r.noteFile(p, question)
	if err != nil || p.spec.NoCache {
		return false, false, err
	}
	text, ok := store{now: r.cfg.Now}.note(file)
	return text == "yes", ok, nil
}

func (r *Renderer) note(p plan, question string, answer bool) error {
	file, err := r.noteFile(p, question)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return koda.DiskError("make cache directory", err)
	}
	if err := atomicfile.Write(file, []byte(map[bool]string{true: "yes", false: "no"}[answer]), 0o644); err != nil {
		return koda.DiskError("remember what the page is like", err)
	}
	return nil
}
