package offline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/tool"
)

// CheckUpdate says what an update of a project's files to the recipe of this koda meets.
// It names the files of the recipe that a person changed: the update would overwrite
// them. If koda did not note what it wrote, every file that differs is named. USAGE: the
// project carries no recipe, or this koda does not have the recipe.
func (a *Author) CheckUpdate(files fs.FS) (recipe.Update, error) {
	carried, err := fs.ReadFile(files, recipe.ManifestPath)
	if errors.Is(err, fs.ErrNotExist) {
		return recipe.Update{}, &koda.Error{
			Code: koda.CodeUsage, Op: "the project carries no recipe", Hint: "koda edit changes it as it is; koda new makes a project of today's recipe",
		}
	}
	if err != nil {
		return recipe.Update{}, fmt.Errorf("read %s: %w", recipe.ManifestPath, err)
	}
	before, err := recipe.Parse(carried)
	if err != nil {
		return recipe.Update{}, broken(recipe.ManifestPath, err)
	}
	m, err := a.newest(before.Name)
	if err != nil {
		return recipe.Update{}, err
	}
	code, err := m.Files()
	if err != nil {
		return recipe.Update{}, err
	}
	u := recipe.Update{Recipe: m.Name, Newest: string(carried) == m.Source(false) || string(carried) == m.Source(true)}
	written := before.Written()
	all := maps.Clone(code)
	for name := range written {
		all[name] = code[name]
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text, err := fs.ReadFile(files, name)
		if errors.Is(err, fs.ErrNotExist) || path.Ext(name) == ".json" {
			continue // nothing to lose, or the person's own
		}
		if err != nil {
			return u, fmt.Errorf("read %s: %w", name, err)
		}
		if is := recipe.Digest(string(text)); is != written[name] && is != recipe.Digest(code[name]) {
			u.Edited = append(u.Edited, name)
		}
	}
	return u, nil
}

// newest is the recipe of this koda with a name.
func (a *Author) newest(name string) (*recipe.Manifest, error) {
	if m := a.library.Manifest(name); m != nil {
		return m, nil
	}
	return nil, &koda.Error{
		Code: koda.CodeUsage, Op: fmt.Sprintf("this koda does not have the recipe %q", name), Hint: "if it is a recipe of your own, say where it is: --recipe-path DIR",
	}
}

// update replaces manifest, score and page code of a project by those of this koda. The
// parameters stay, and the keyframes that a person changed; JSON files beside the code
// are the person's own. If the new recipe cannot be brought to the values of the project,
// the error is INVALID_INPUT, and nothing is written.
func (w *work) update(ctx context.Context) error {
	if err := w.load(ctx); err != nil {
		return err
	}
	m, err := w.a.newest(w.recipe.Name)
	if err != nil {
		return refused(err)
	}
	code, err := m.Files()
	if err != nil {
		return err
	}
	c := change{}
	gone := w.carryOver(m, &c)
	if c.score, err = w.a.scored(ctx, m, c.values, w.env); err == nil {
		err = c.score.Err()
	}
	if err != nil {
		return refused(err)
	}
	c.dropGone(len(c.score.Scenes))
	if err := w.think(ctx, "Updating the recipe "+m.Name); err != nil {
		return err
	}
	files, err := w.replace(ctx, code)
	if err != nil {
		return err
	}
	w.recipe, w.ours = m, true
	if w.params != nil {
		w.params.Drop(gone)
	}
	kept, err := w.store(ctx, c)
	if err != nil {
		return err
	}
	c.notes = slices.Insert(c.notes, 0, fmt.Sprintf("The recipe %s is that of this koda now: %d files are new.", m.Name, files))
	return tool.Say(ctx, w.box, report(nil, c, kept))
}

// carryOver fills a change with the values of the project, as another manifest takes
// them, and notes what is lost. It returns the names of the parameters that are gone.
func (w *work) carryOver(m *recipe.Manifest, c *change) (gone []string) {
	style := w.values["style"]
	if !slices.Contains(m.StyleIDs(), style) {
		style = m.StyleIDs()[0]
	}
	c.values = m.Defaults(style)
	for _, name := range slices.Sorted(maps.Keys(w.values)) {
		param, err := m.Param(name), error(nil)
		if _, of, own := recipe.ParseOwn(name); own {
			param, err = m.SceneParam(of)
		}
		if param == nil {
			gone = append(gone, name)
			continue
		}
		value := ""
		if err == nil {
			value, err = param.Parse(w.values[name], w.a.reader)
		}
		switch {
		case err == nil:
			c.values[name] = value
		case w.values[name] != "": // an empty text is none
			c.notes = append(c.notes, fmt.Sprintf("%s was %s, which it cannot be any more: %v.", capital(name), clip(w.values[name], 60), err))
		}
	}
	if len(gone) > 0 {
		c.notes = append(c.notes, "The recipe has no "+join(gone)+" any more.")
	}
	return gone
}

// replace writes the code of a recipe, whoever changed it, removes the code that the
// recipe had before and has no more, and returns how many files it wrote.
func (w *work) replace(ctx context.Context, code map[string]string) (n int, err error) {
	written := w.recipe.Written()
	for _, name := range order(code) {
		text, ok := code[name]
		if !ok || name == paramsPath || name == statePath {
			continue
		}
		is, err := w.readFile(ctx, name)
		missing := koda.CodeOf(err) == koda.CodeFileNotFound
		switch {
		case err != nil && !missing:
			return n, err
		case is == text && !missing || !missing && path.Ext(name) == ".json" && name != recipe.ManifestPath:
			continue
		}
		if err := w.think(ctx, "Writing "+path.Base(name)); err != nil {
			return n, err
		}
		w.read[name] = text
		if err := tool.WriteFile(ctx, w.box, name, text); err != nil {
			return n, err
		}
		n++
	}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		if _, stays := code[name]; stays {
			continue
		}
		if err := tool.DeleteFile(ctx, w.box, name); err != nil && koda.CodeOf(err) != koda.CodeFileNotFound {
			return n, err
		}
	}
	return n, nil
}
