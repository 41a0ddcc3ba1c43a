package engine

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/projectfs"
)

// VideoDiff asks for a video of two versions.
type VideoDiff struct {
	From, To   int  // as Diff reads them
	Difference bool // show only the difference, instead of both beside each other
	Preset     string
	Output     string // absolute path; "" is a name below the project's renders
	NoClobber  bool
}

// DiffVideo makes a video of two versions. Edits in no version are in no video; the
// comparison mentions them. Errors are those of Diff and of rendering.
func (e *Engine) DiffVideo(ctx context.Context, id string, req VideoDiff) (c Comparison, res koda.RenderResult, err error) {
	if c, _, err = e.compared(ctx, id, req.From, req.To); err != nil {
		return c, res, err
	}
	if c.From == c.To {
		hint := "name another version; `koda history` shows them"
		if c.Edited {
			hint = "koda render " + c.Project.Name + " makes a version of your edits; then compare again"
		}
		return c, res, &koda.Error{Code: koda.CodeWrongPhase, Op: fmt.Sprintf("v%d is the current version: there is no other to draw beside it", c.From), Hint: hint}
	}
	v := koda.VideoComparison{
		Difference: req.Difference, Output: req.Output, NoClobber: req.NoClobber,
		Labels: [2]string{fmt.Sprintf("v%d", c.From), fmt.Sprintf("v%d", c.To)},
	}
	p, err := preset.Lookup(cmp.Or(req.Preset, preset.Preview))
	if err != nil {
		return c, res, err
	}
	over := preset.Overrides{Format: preset.MP4}
	if req.Difference {
		exact := 0
		over.CRF = &exact // a loss in the encoder would shine like a difference
	}
	to, toSpec, err := e.side(c.Project, c.To, p, over)
	if err != nil {
		return c, res, err
	}
	over.FPS = toSpec.FPS.String()
	from, fromSpec, err := e.side(c.Project, c.From, p, over)
	if err != nil {
		return c, res, err
	}
	v.From, v.To = fromSpec, toSpec
	if v.Output == "" {
		kind := "side"
		if req.Difference {
			kind = "difference"
		}
		v.Output = filepath.Join(c.Project.Dir, "renders", fmt.Sprintf("%s-v%d-v%d-%s.mp4", c.Project.Name, c.From, c.To, kind))
	}
	if err := projectfs.NoLinksTo(c.Project.Dir, v.Output); err != nil {
		return c, res, err
	}
	if err := os.MkdirAll(filepath.Dir(v.Output), 0o755); err != nil {
		return c, res, &koda.Error{Code: koda.CodeStorageFailed, Op: "make directory for the video", Err: err}
	}
	err = e.drawn(ctx, c.Project, func(by Renderer) (err error) {
		res, err = by.Compare(ctx, from, to, v, func(p koda.Progress) {
			e.events.Publish(e.event(c.Project.ID, koda.EventRenderProgress, p))
		})
		return err
	})
	if err != nil && ctx.Err() != nil {
		err = &koda.Error{
			Code: koda.CodeInterrupted, Op: "interrupted; what was drawn is kept", Hint: "the same command goes on from there",
		}
	}
	return c, res, err
}

// side is one version, with the spec of its render.
func (e *Engine) side(p koda.Project, version int, as preset.Preset, over preset.Overrides) (fs.FS, koda.RenderSpec, error) {
	files, err := e.cfg.Storage.Version(p.Dir, version)
	if err != nil {
		return nil, koda.RenderSpec{}, damagedVersion(version, "", err)
	}
	m, err := readManifest(files, p.Name)
	if koda.CodeOf(err) == koda.CodeUsage {
		return nil, koda.RenderSpec{}, fmt.Errorf("v%d: %w", version, err)
	}
	if err != nil {
		return nil, koda.RenderSpec{}, damagedVersion(version, "koda.json", err)
	}
	spec, err := preset.Spec(m, as, over)
	spec.Version, spec.ID, spec.LimitMS = version, fmt.Sprintf("%s-d%d", p.ID, version), e.limit.Load()
	return files, spec, err
}
