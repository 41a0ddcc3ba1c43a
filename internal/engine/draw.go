package engine

import (
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"testing/fstest"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/tool"
)

var (
	_ tool.Pictures = (*act)(nil)
	_ tool.Renders  = (*act)(nil)
)

// inMemory is tree as a file system.
func inMemory(tree map[string][]byte) fs.FS {
	files := make(fstest.MapFS, len(tree)) // MapFS serves outside of tests, too
	for path, data := range tree {
		files[path] = &fstest.MapFile{Data: data, Mode: 0o644}
	}
	return files
}

// saved checkpoints the sandbox's files as they are and returns the files: an
// author is shown only what is safe. The caller holds the state.
func (a *act) saved(ctx context.Context) (fs.FS, koda.Manifest, error) {
	if a.r.sb == nil {
		return nil, koda.Manifest{}, noSandboxNow()
	}
	tree, _, err := a.r.checkpointNow(ctx, true)
	if err != nil {
		return nil, koda.Manifest{}, &koda.Error{Code: koda.CodeSaveFailed, Op: "save before it is drawn", Err: err, Hint: koda.HintOf(err)}
	}
	files := inMemory(tree)
	m, err := readManifest(files, a.r.project.Name)
	return files, m, wrongInput(err)
}

// wrongInput turns an error of code USAGE into INVALID_INPUT, the code an author is
// given.
func wrongInput(err error) error {
	if koda.CodeOf(err) != koda.CodeUsage {
		return err
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Err: err, Hint: koda.HintOf(err), Details: koda.DetailsOf(err)}
}

func (a *act) Screenshot(ctx context.Context, seconds float64, width, height int) (string, error) {
	a.r.mu.Lock()
	defer a.r.mu.Unlock()
	files, m, err := a.saved(ctx)
	if err != nil {
		return "", err
	}
	width, height = within(m, width, height)
	var shot koda.Picture
	a.r.apart(func() { shot, err = a.r.e.rendererOf(a.r.project).Still(ctx, files, seconds, width, height) })
	if err != nil {
		return "", wrongInput(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(shot.PNG), nil
}

func (a *act) Look(ctx context.Context, times []float64) (koda.Look, error) {
	a.r.mu.Lock()
	defer a.r.mu.Unlock()
	files, _, err := a.saved(ctx)
	if err != nil {
		return koda.Look{}, err
	}
	var seen koda.Look
	a.r.apart(func() { seen, err = a.r.e.rendererOf(a.r.project).Examine(ctx, files, times) })
	return seen, wrongInput(err)
}

// within is the largest size in the page's shape that fits into width × height. A 0
// sets no limit; two zeros mean the page's own size.
func within(m koda.Manifest, width, height int) (int, int) {
	switch {
	case width == 0 && height == 0:
		return m.Width, m.Height
	case height == 0 || width != 0 && width*m.Height <= height*m.Width:
		return width, max(1, (width*m.Height+m.Width/2)/m.Width)
	}
	return max(1, (height*m.Width+m.Height/2)/m.Height), height
}

func (a *act) RenderPreview(ctx context.Context, duration float64) (koda.RenderResult, error) {
	return a.video(ctx, preset.Preview, "previews", duration, preset.Overrides{})
}

func (a *act) RenderFinal(ctx context.Context, want tool.FinalRender) (koda.RenderResult, error) {
	return a.video(ctx, preset.Final, "renders", want.Duration, preset.Overrides{
		Resolution: want.Resolution, FPS: strconv.Itoa(want.FPS), Format: want.Format,
	})
}

// video renders the first seconds of the files as they are. The video is a draft:
// it is in no version, and it has a name of its own. The same call made again after
// a crash gives the same name.
func (a *act) video(ctx context.Context, name, dir string, duration float64, over preset.Overrides) (koda.RenderResult, error) {
	a.r.mu.Lock()
	defer a.r.mu.Unlock()
	files, m, err := a.saved(ctx)
	if err != nil {
		return koda.RenderResult{}, err
	}
	if duration > m.Duration+1e-6 {
		return koda.RenderResult{}, &koda.Error{
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("there are no %g s to render: koda.json says %g", duration, m.Duration),
			Hint: "give a duration of at most that",
		}
	}
	if duration < m.Duration {
		over.To = &duration
	}
	p, err := preset.Lookup(name)
	if err != nil {
		return koda.RenderResult{}, err
	}
	spec, err := preset.Spec(m, p, over)
	if err != nil {
		return koda.RenderResult{}, wrongInput(err)
	}
	call := fmt.Sprintf("t%d-%s-%d", a.r.state.Turn, a.call.Step, a.call.Ordinal)
	spec.ID = a.r.project.ID + "-" + call
	base := filepath.Join(a.r.project.Dir, dir, a.r.project.Name+"-draft-"+call)
	spec.Output, spec.Thumbnail = base+"."+spec.Format, base+".jpg"
	var res koda.RenderResult
	res, a.render, err = a.r.draw(ctx, files, spec)
	return res, wrongInput(err)
}
