package offline

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/tool"
)

// takeDuration makes the length that a person set in koda.json by hand that of the
// project.
func (w *work) takeDuration(ctx context.Context) error {
	if !w.byHand(manifestPath) {
		return nil
	}
	m, err := w.manifest(ctx)
	if err != nil || m.Width == 0 {
		return err
	}
	if m.Duration < koda.MinBrief || m.Duration > koda.MaxDuration {
		return &koda.Error{
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("%s says %v seconds", manifestPath, m.Duration),
			Hint: fmt.Sprintf("recipes make videos of %v to %v seconds", koda.MinBrief, koda.MaxDuration),
		}
	}
	w.values["duration"] = recipe.Trim(m.Duration)
	return nil
}

// manifest reads koda.json; it is empty if there is no file.
func (w *work) manifest(ctx context.Context) (koda.Manifest, error) {
	text, err := w.readFile(ctx, manifestPath)
	if koda.CodeOf(err) == koda.CodeFileNotFound {
		return koda.Manifest{Schema: koda.SchemaVersion, Name: w.recipe.Name}, nil
	}
	if err != nil {
		return koda.Manifest{}, err
	}
	return koda.ParseManifest([]byte(text))
}

// page gives koda.json the length and the scenes of a score and, at set-up, the size and
// the rate of the brief. What the person set there by hand stands.
func (w *work) page(ctx context.Context, s recipe.Score, fresh bool) error {
	m, err := w.manifest(ctx)
	if err != nil {
		return err
	}
	want := m
	if fresh && w.byHand(manifestPath) && m.Width > 0 {
		return nil
	}
	if fresh || m.Width == 0 || w.env.Width != m.Width || w.env.Height != m.Height || w.fps != m.FPS {
		want.Width, want.Height, want.FPS = w.env.Width, w.env.Height, w.fps
	}
	want.Duration, want.Scenes = s.Duration, s.Starts()
	if want.Equal(m) {
		return nil
	}
	data, err := want.Encode()
	if err != nil {
		return err
	}
	return w.write(ctx, manifestPath, string(data))
}

// pageAfter is page after a change: scenes that the person wrote stand while they fit.
func (w *work) pageAfter(ctx context.Context, before recipe.Score) error {
	m, err := w.manifest(ctx)
	if err != nil {
		return err
	}
	if !stands(m.Scenes, before, w.score) {
		return w.page(ctx, w.score, false)
	}
	m.Duration, m.Width, m.Height, m.FPS = w.score.Duration, w.env.Width, w.env.Height, w.fps
	data, err := m.Encode()
	if err != nil {
		return err
	}
	return w.write(ctx, manifestPath, string(data))
}

// byHand reports whether the person changed a file since the last checkpoint.
func (w *work) byHand(name string) bool { return slices.Contains(w.task.HandEdited, name) }

// write writes a file unless the file has that content already. Code that the person
// changed stays as it is.
func (w *work) write(ctx context.Context, name, content string) error {
	if w.read[name] == content && content != "" {
		return nil
	}
	if w.byHand(name) && path.Ext(name) != ".json" {
		return tool.Say(ctx, w.box, fmt.Sprintf("You changed %s; it stays as it is.", name))
	}
	if err := w.think(ctx, "Writing "+path.Base(name)); err != nil {
		return err
	}
	w.read[name] = content
	return tool.WriteFile(ctx, w.box, name, content)
}

// think says what koda does at the moment, within the length that the tool allows.
func (w *work) think(ctx context.Context, what string) error {
	return tool.Think(ctx, w.box, clip(what, 48))
}

func (w *work) readFile(ctx context.Context, name string) (string, error) {
	text, err := tool.ReadFile(ctx, w.box, name)
	if err == nil {
		w.read[name] = text
	}
	return text, err
}

// discard removes a file of the starter that nothing uses any more.
func (w *work) discard(ctx context.Context, name string) error {
	if w.byHand(name) {
		return nil
	}
	err := tool.DeleteFile(ctx, w.box, name)
	if koda.CodeOf(err) == koda.CodeFileNotFound {
		return nil
	}
	return err
}

// seconds writes a time for people.
func seconds(v float64) string { return recipe.Trim(math.Round(v*100) / 100) }

// boxFS reads the files of a project through the toolbox.
type boxFS struct {
	ctx context.Context //nolint:containedctx // fs.FS has no context, and this value lives for one call
	box tool.Toolbox
}

func (b boxFS) Open(name string) (fs.File, error) {
	text, err := tool.ReadFile(b.ctx, b.box, name)
	if err != nil {
		if code := koda.CodeOf(err); code == koda.CodeFileNotFound || code == koda.CodeInvalidInput {
			err = fs.ErrNotExist
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return recipe.FS(map[string]string{name: text}).Open(name)
}
