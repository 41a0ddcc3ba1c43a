package offline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

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
	c, lost, files, kept, err := w.follow(ctx, m, "Updating the recipe "+m.Name)
	if err != nil {
		return err
	}
	c.notes = slices.Concat([]string{fmt.Sprintf("The recipe %s is that of this koda now: %d files are new.", m.Name, files)}, lost, c.notes)
	return tool.Say(ctx, w.box, report(nil, c, kept))
}

// follow brings the project to another manifest, with its score and page code. It returns what changed, sentences about what the
// manifest has no place for, how many files are new, and the tracks that stay as the person edited them. If the manifest cannot take the values of the project, the error is INVALID_INPUT, and nothing is written.
func (w *work) follow(ctx context.Context, m *recipe.Manifest, doing string) (c change, lost []string, files int, kept []string, err error) {
	code, err := m.Files()
	if err != nil {
		return c, nil, 0, nil, err
	}
	gone, lost := w.carryOver(m, &c)
	if c.score, err = w.a.scored(ctx, m, c.values, w.env); err == nil {
		err = c.score.Err()
	}
	if err != nil {
		return c, nil, 0, nil, refused(err)
	}
	c.dropGone(len(c.score.Scenes))
	if err := w.think(ctx, doing); err != nil {
		return c, nil, 0, nil, err
	}
	if files, err = w.replace(ctx, code); err != nil {
		return c, nil, 0, nil, err
	}
	w.recipe, w.ours = m, true
	if w.params != nil {
		w.params.Drop(gone)
	}
	kept, err = w.store(ctx, c)
	return c, lost, files, kept, err
}

// turns reports whether the data of the project can be shown by another recipe: both show rows.
func (w *work) turns(m *recipe.Manifest) bool {
	from, to := rowsOf(w.recipe), rowsOf(m)
	return w.carried && from != nil && to != nil && from.Name == to.Name && w.values[from.Name] != "[]"
}

// rowsOf is the parameter of a recipe for rows of numbers; nil if it has none.
func rowsOf(m *recipe.Manifest) *recipe.Param {
	p := m.Taker("rows")
	if p == nil || p.Type != recipe.Rows || len(m.Beats) > 0 {
		return nil
	}
	return p
}

// turn makes the video one of another recipe that shows the same data: "turn it into a bar chart". Texts, data and looks stay; what the other recipe
// has not got is gone. What else was asked for is done already, and differs. Code that a person changed is not overwritten: the error is INVALID_INPUT.
func (w *work) turn(ctx context.Context, m *recipe.Manifest, diff []difference) error {
	u, err := w.a.CheckUpdate(boxFS{ctx, w.box})
	if err != nil {
		return refused(err)
	}
	if len(u.Edited) > 0 {
		return &koda.Error{
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("a %s has other code, and you changed %s", strings.ToLower(m.Title), join(u.Edited)),
			Hint: fmt.Sprintf("`koda new --recipe %s` makes another video", m.Name),
		}
	}
	was := w.recipe
	c, _, _, kept, err := w.follow(ctx, m, fmt.Sprintf("Turning it into a %s", strings.ToLower(m.Title)))
	if err != nil {
		return err
	}
	c.notes = slices.Insert(c.notes, 0, fmt.Sprintf("The %s is a %s now, with the same data.", strings.ToLower(was.Title), strings.ToLower(m.Title)))
	return tool.Say(ctx, w.box, report(diff, c, kept))
}

// carryOver fills a change with the values of the project, as another manifest takes
// them, and notes what is lost. It returns the names of the parameters that are gone.
func (w *work) carryOver(m *recipe.Manifest, c *change) (gone, lost []string) {
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
		if text := w.recipe.Taker("text"); param == nil && text != nil && name == text.Name { // the title of a chart, the text of a figure
			param = m.Taker("text")
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
			if _, _, own := recipe.ParseOwn(name); !own {
				name = param.Name
			}
			c.values[name] = value
		case w.values[name] != "": // an empty text is none
			lost = append(lost, fmt.Sprintf("%s was %s, which it cannot be any more: %v.", capital(name), clip(w.values[name], 60), err))
		}
	}
	if len(gone) > 0 {
		lost = append(lost, "The recipe has no "+join(gone)+" any more.")
	}
	return gone, lost
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
