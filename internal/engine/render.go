package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
)

// spec plans a render of the newest version by a preset.
func (r *run) spec(name string, over preset.Overrides) (koda.RenderSpec, error) {
	p, err := preset.Lookup(name)
	if err != nil {
		return koda.RenderSpec{}, err
	}
	files, err := r.e.cfg.Storage.Version(r.project.Dir, r.state.Version)
	if err != nil {
		return koda.RenderSpec{}, fmt.Errorf("open version: %w", err)
	}
	m, err := readManifest(files, r.project.Name)
	if err != nil {
		return koda.RenderSpec{}, err
	}
	s, err := preset.Spec(m, p, over)
	if err != nil {
		return koda.RenderSpec{}, err
	}
	s.Version = r.state.Version
	if r.state.Pending != nil {
		s.ID = r.project.ID + "-" + r.state.Pending.ID
	}
	return s, nil
}

// readManifest reads the koda.json of a version of a project.
func readManifest(files fs.FS, project string) (koda.Manifest, error) {
	data, err := fs.ReadFile(files, "koda.json")
	if errors.Is(err, fs.ErrNotExist) {
		return koda.Manifest{}, &koda.Error{Code: koda.CodeUsage, Op: "there is no koda.json", Hint: "koda undo " + project + " brings back the files before"}
	}
	if err != nil {
		return koda.Manifest{}, fmt.Errorf("read koda.json: %w", err)
	}
	return koda.ParseManifest(bytes.TrimSpace(data))
}

// render draws the newest version and records it, done or failed.
func (r *run) render(ctx context.Context, spec koda.RenderSpec) (koda.RenderResult, with, error) {
	files, err := r.e.cfg.Storage.Version(r.project.Dir, r.state.Version)
	if err != nil {
		return koda.RenderResult{}, with{}, fmt.Errorf("open version: %w", err)
	}
	res, rec, err := r.draw(ctx, files, spec)
	if koda.CodeOf(err) == koda.CodeTimeout && r.state.Pending != nil {
		err = &koda.Error{
			Code: koda.CodeTimeout, Err: err,
			Hint: "`koda resume " + r.project.Name + "` goes on from there; more time: --timeout, or koda config set render-timeout",
		}
	}
	if err == nil && r.state.Pending != nil { // without a pending effect the caller has the result
		for _, w := range slices.Concat(res.Retries, res.Warnings) {
			r.pass(koda.EventWarning, koda.Warned{Message: w})
		}
	}
	return res, with{render: rec}, err
}

// rendererOf draws a project where the code of its kind of sandbox runs.
func (e *Engine) rendererOf(p koda.Project) Renderer {
	if r := e.cfg.Renderers[sandbox.Kind(p.SandboxType)]; r != nil {
		return r
	}
	return e.cfg.Renderer
}

// drawn lets a project be drawn where the code of its kind of sandbox runs. If that is made
// of an image that is not there, the image is built first, and each step is told.
func (e *Engine) drawn(ctx context.Context, p koda.Project, draw func(Renderer) error) error {
	err := draw(e.rendererOf(p))
	if koda.CodeOf(err) != koda.CodeTemplateNotFound {
		return err
	}
	provider, failed := providerOf(e.cfg.Sandboxes, p)
	builder, ok := provider.(sandbox.Preparer)
	if failed != nil || !ok {
		return err
	}
	if err := builder.Prepare(ctx, func(step koda.BuildStep) { e.events.Publish(e.event(p.ID, koda.EventBuild, step)) }); err != nil {
		return err
	}
	return draw(e.rendererOf(p))
}

// draw renders files and describes the render, done or failed. Rec is nil when the
// render did not even begin.
func (r *run) draw(ctx context.Context, files fs.FS, spec koda.RenderSpec) (res koda.RenderResult, rec *koda.RenderRecord, err error) {
	if err := r.makeWay(spec.Output, spec.Thumbnail); err != nil {
		return res, nil, err
	}
	spec.LimitMS = cmp.Or(spec.LimitMS, r.e.limit.Load())
	spec.Glimpses = true // somebody may begin to look on at any moment
	began := r.e.now()
	r.apart(func() {
		err = r.e.drawn(ctx, r.project, func(by Renderer) (err error) {
			res, err = by.Render(ctx, files, spec, func(p koda.Progress) {
				r.pass(koda.EventRenderProgress, p)
				if p.Glimpse != nil {
					r.pass(koda.EventGlimpse, *p.Glimpse)
				}
			})
			return err
		})
	})
	spec.Glimpses = false
	rec = &koda.RenderRecord{
		ID: spec.ID, ProjectID: r.project.ID, Version: spec.Version, Kind: spec.Kind, Status: "done", Spec: spec,
		CreatedAt: began, UpdatedAt: r.e.now(),
	}
	if err != nil {
		rec.Status, rec.Error = "failed", err.Error()
		return res, rec, preset.SuggestSmaller(err, spec, r.project.Name)
	}
	rec.Result = &res
	r.saved.Frames += res.Reused
	return res, rec, nil
}

// makeWay makes koda's own directories for a video. If a directory stands where an
// effect is about to put a file, the error is not USAGE: the person did not name
// the path. In the project's directory nothing is written through a link.
func (r *run) makeWay(files ...string) error {
	failed := func(op string, err error) error {
		return &koda.Error{
			Code: koda.CodeStorageFailed, Op: op, Err: err,
			Hint: "move what is in the way, or make it writable; then: koda resume " + r.project.Name,
		}
	}
	for _, file := range files {
		if file == "" {
			continue
		}
		if err := projectfs.NoLinksTo(r.project.Dir, file); err != nil {
			return err
		}
		if filepath.Dir(filepath.Dir(file)) != r.project.Dir {
			continue // a directory of the person's
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return failed("make directory for the video", err)
		}
		if info, err := os.Stat(file); err == nil && info.IsDir() && r.state.Pending != nil {
			return failed("put the video in place", fmt.Errorf("%s is a directory", file))
		}
	}
	return nil
}

// Render draws the newest version of a project as spec says; it fills in ID and
// Version. Files the person changed since the last checkpoint become a version
// first: a render draws what is safe.
func (e *Engine) Render(ctx context.Context, id string, spec koda.RenderSpec) (res koda.RenderResult, err error) {
	r, err := e.open(ctx, id)
	if err != nil {
		return res, err
	}
	defer func() { err = closed(r, err) }()
	ctx = r.cancellable(ctx)
	if err := r.keepEdits(ctx, true); err != nil {
		return res, err
	}
	if r.state.Version == 0 {
		return res, &koda.Error{
			Code: koda.CodeWrongPhase, Op: fmt.Sprintf("project %q has no version to render yet", r.project.Name),
			Hint: "`koda resume " + r.project.Name + "` goes on with it",
		}
	}
	r.tellBegun(ctx)
	spec.Version = r.state.Version
	spec.ID = fmt.Sprintf("%s-r%d", r.project.ID, r.project.Seq+1)
	res, w, renderErr := r.render(ctx, spec)
	if ctx.Err() != nil {
		return res, &koda.Error{
			Code: koda.CodeInterrupted, Op: "interrupted; the finished part of the video is kept",
			Hint: "the same command goes on from there",
		}
	}
	if err := r.step(ctx, phase.Rendered{Stamp: r.stamp()}, w); err != nil {
		return res, err
	}
	return res, renderErr
}

func closed(r *run, err error) error {
	if cerr := r.close(); cerr != nil && err == nil {
		return fmt.Errorf("release project: %w", cerr)
	}
	return err
}
