package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/tui"
)

// standing is where a project stands after a call, with the videos it has.
func (s *studioSession) standing(ctx context.Context, out engine.Outcome) tui.Standing {
	v, err := s.e.Show(context.WithoutCancel(ctx), out.Project.ID)
	if err != nil { // what the call returned is enough to go on
		v = engine.View{}
	}
	v.Project, v.State, v.Version, v.Seen, v.Waiting, v.Busy = out.Project, out.State, out.Version, out.Seen, out.Waiting, false
	return standingOf(v)
}

// standingOf is a project as the studio sees it.
func standingOf(v engine.View) tui.Standing {
	return tui.Standing{Project: v.Project, State: v.State, Version: v.Version, Seen: v.Seen, Waiting: tui.Waiting(v.Waiting), Busy: v.Busy, Redo: v.Redo, Videos: videosOf(v), Spent: v.Cost}
}

// videosOf are the final videos of the current version that are there, the newest of each
// path. Drafts that an author drew to look at belong to no version.
func videosOf(v engine.View) (all []tui.Video) {
	seen := map[string]bool{}
	for _, rec := range slices.Backward(v.Renders) {
		path, res := rec.Spec.Output, rec.Result
		if rec.Kind != koda.RenderFinal || rec.Status != "done" || res == nil || rec.Version == 0 || rec.Version != v.Version || seen[path] || !exists(path) {
			continue
		}
		seen[path] = true
		all = append(all, tui.Video{
			Path: path, Preset: presetNamed(rec.Spec.Preset), Version: rec.Version, Format: res.Format, Width: res.Width, Height: res.Height,
			FPS: res.FPS, Seconds: res.Duration, Size: res.Size, Took: time.Duration(res.ElapsedMS) * time.Millisecond,
		})
	}
	slices.Reverse(all)
	return all
}

// presetNamed is the name of a preset that tells something.
func presetNamed(name string) string {
	if name == preset.Final {
		return ""
	}
	return name
}

func (s *studioSession) Events(ctx context.Context, id string) ([]koda.Event, error) {
	return s.e.Events(ctx, id, 0)
}

func (s *studioSession) Watch(ctx context.Context, id string) (tui.Standing, error) {
	failed := s.e.LookOn(ctx, id, s.show)
	stand, err := s.Stand(ctx, id)
	if !stand.Busy { // it ended, however it ended: where the project stands says so
		failed = nil
	}
	return stand, cmp.Or(failed, err)
}

func (s *studioSession) Away(ctx context.Context, id string) (bool, error) {
	if err := s.e.Idle(ctx, id); err != nil || ctx.Err() != nil {
		return false, err
	}
	v, err := s.e.Show(ctx, id)
	return err == nil && v.State.SandboxID == "", nil
}

func (s *studioSession) Changed(ctx context.Context, saw tui.Standing) (tui.Standing, error) {
	id := saw.Project.ID
	err := s.e.Changed(ctx, id, saw.State, saw.Busy)
	if err != nil || ctx.Err() != nil {
		return tui.Standing{}, err
	}
	v, err := s.e.Show(ctx, id)
	return standingOf(v), err
}

func (s *studioSession) Presets(ctx context.Context, id string) ([]tui.Preset, error) {
	t, err := projectTarget(ctx, s.e, id)
	if err != nil {
		return nil, err
	}
	var all []tui.Preset
	for _, p := range preset.All() {
		if p.Kind != koda.RenderFinal {
			continue
		}
		made := tui.Preset{Name: p.Name, About: p.About}
		if spec, err := renderSpec(t, p, &RenderOptions{}); err != nil {
			made.Wrong = koda.Sentence(err)
		} else {
			made.Facts = fmt.Sprintf("%dx%d, %s fps, %s", spec.Width, spec.Height, spec.FPS, spec.Format)
		}
		all = append(all, made)
	}
	return all, nil
}

// Render makes what `koda render --preset` makes.
func (s *studioSession) Render(ctx context.Context, id, name string) (tui.Standing, error) {
	return s.stood(ctx, id, func() (engine.Outcome, error) {
		if err := s.render(ctx, id, name); err != nil {
			return engine.Outcome{}, err
		}
		v, err := s.e.Show(ctx, id)
		return outcomeOf(v), err
	})
}

func (s *studioSession) render(ctx context.Context, id, name string) error {
	p, err := preset.Lookup(name)
	if err != nil {
		return err
	}
	t, err := projectTarget(ctx, s.e, id)
	if err != nil {
		return err
	}
	spec, err := renderSpec(t, p, &RenderOptions{})
	if err != nil {
		return err
	}
	if err := makeDir(spec.Output); err != nil {
		return err
	}
	_, err = s.e.Render(ctx, id, spec)
	return err
}

// mostLog is how much of the end of a log is shown, in bytes.
const mostLog = 64 << 10

func (s *studioSession) Log(ctx context.Context, id string) (string, error) {
	v, err := s.e.Show(ctx, id)
	if err != nil {
		return "", err
	}
	data, err := projectfs.ReadFile(v.Project.Dir, ".koda/log")
	data = data[max(len(data)-mostLog, 0):]
	return strings.ToValidUTF8(string(data), ""), err
}

// OpenFolder opens a directory with the program that the desktop has for directories.
func (s *studioSession) OpenFolder(ctx context.Context, dir string) error {
	return s.a.openDesktop(ctx, dir)
}

// openDesktop opens a directory or an address with the program that the desktop has for it.
func (a *app) openDesktop(ctx context.Context, what string) error {
	env := func(name string) string { v, _ := a.io.Env(name); return v }
	program := ""
	switch {
	case runtime.GOOS == "darwin" && env("SSH_CONNECTION") == "":
		program = "open"
	case runtime.GOOS == "linux" && env("DISPLAY")+env("WAYLAND_DISPLAY") != "":
		program = "xdg-open"
	default:
		return &koda.Error{Code: koda.CodeNotFound, Op: "there is no desktop here"}
	}
	child, err := proc.Start(ctx, proc.Spec{Path: program, Args: []string{what}, Env: os.Environ()})
	if err != nil {
		return err
	}
	go func() { _ = child.Wait() }() //nolint:errcheck // whether the window opened is seen
	return nil
}

// widestShot is the longer side of a frame at full size, in pixels: more than a terminal shows.
const widestShot = 1920

func (s *studioSession) Shot(ctx context.Context, id string, seconds float64) (shot image.Image, err error) {
	t, err := projectTarget(ctx, s.e, id)
	if err != nil {
		return nil, err
	}
	width, height := t.manifest.Width, t.manifest.Height
	if long := max(width, height); long > widestShot {
		width, height = width*widestShot/long, height*widestShot/long
	}
	err = s.a.drawing(ctx, t, func(r engine.Renderer, files fs.FS) error {
		drawn, err := r.Still(ctx, files, min(seconds, t.manifest.Duration), width, height)
		if err == nil {
			shot, err = png.Decode(bytes.NewReader(drawn.PNG))
		}
		return err
	})
	return shot, err
}
