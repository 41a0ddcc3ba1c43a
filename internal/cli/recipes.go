package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

type (
	recipesResult struct {
		head
		Recipes []*recipe.Manifest `json:"recipes"`
	}
	recipeResult struct {
		head
		Recipe *recipe.Manifest `json:"recipe"`
	}
	schemaResult struct {
		head
		Schema json.RawMessage `json:"schema"`
	}
)

func newRecipesCmd(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "recipes",
		Short:   "List what koda draws without a model",
		GroupID: groupLook,
		Long: `List the recipes: what koda draws without a model and without a key. A prompt
chooses its recipe by its words; --recipe of 'koda new' names one.

A recipe of your own is a folder with recipe.json and score.ts in a directory that
--recipe-path names, or KODA_RECIPE_PATH, or the setting recipe-path of your own.
A project or a .env cannot name it.`,
		Example: `  koda recipes
  koda recipes show countdown
  koda recipes schema bars > bars.schema.json
  koda recipes update bouncing-ball
  koda recipes lint ./my-recipes/podium`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runRecipes(a) },
	}
	sub := func(use, short string, run func(ctx context.Context, name string) error) {
		c.AddCommand(&cobra.Command{
			Use: use, Short: short, Args: between(1, 1), ValidArgsFunction: a.completeRecipes,
			RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args[0]) },
		})
	}
	sub("show NAME", "Show a recipe: what it is for, its parameters, examples", func(_ context.Context, name string) error { return runRecipe(a, name) })
	sub("schema NAME", "Print the JSON Schema of a recipe's parameters", func(_ context.Context, name string) error { return runSchema(a, name) })
	c.AddCommand(newUpdateCmd(a))
	sub("lint DIR", "Try a recipe of your own, or a folder of them", func(ctx context.Context, dir string) error { return runLint(ctx, a, dir) })
	return c
}

func (a *app) completeRecipes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	all, _ := a.deps.Recipes() //nolint:errcheck // nothing to complete
	for _, m := range all {
		names = append(names, m.Name)
	}
	return names, cobra.ShellCompDirectiveDefault
}

func runRecipes(a *app) error {
	all, err := a.deps.Recipes()
	if err != nil {
		return err
	}
	a.result = &recipesResult{Recipes: all}
	if a.json {
		return nil
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, m := range all {
		fmt.Fprintf(w, "%s\t%s\tkoda new %s\n", m.Name, m.About, quoted(m.Examples[0]))
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("lay out recipes: %w", err)
	}
	_, err = fmt.Fprint(a.io.Out, b.String())
	return err
}

// recipe finds a recipe by name, or NOT_FOUND with the nearest name.
func (a *app) recipe(name string) (*recipe.Manifest, error) {
	all, err := a.deps.Recipes()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range all {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	hint := "there are " + strings.Join(names, ", ")
	if near := koda.Nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is no recipe %q", name), Hint: hint}
}

func runRecipe(a *app, name string) error {
	m, err := a.recipe(name)
	if err != nil {
		return err
	}
	a.result = &recipeResult{Recipe: m}
	if a.json {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", m.Title, m.About)
	if still := stillOf(m); still != nil {
		if text := a.pictured(a.way(), still, min(a.io.Columns(), 64)); text != "" {
			b.WriteString(text + "\n")
		}
	}
	for _, e := range m.Examples {
		fmt.Fprintf(&b, "  koda new %s\n", quoted(e))
	}
	b.WriteString("\nParameters, for --set NAME=VALUE:\n\n")
	var facts []widget.Fact
	for i := range m.Params {
		p := &m.Params[i]
		about := p.Help + ": " + p.Range()
		if v := p.Default.For(m.Styles[0].ID); v != "" && len(v) < 24 {
			about += " (default " + v + ")"
		}
		facts = append(facts, widget.Fact{Name: p.Name, Value: about})
	}
	b.WriteString(widget.Facts(a.look().out, facts, a.io.Columns()) + "\n")
	_, err = fmt.Fprint(a.io.Out, b.String())
	return err
}

// stillOf is the picture of a recipe; nil if it has none that is small enough to show.
func stillOf(m *recipe.Manifest) image.Image {
	const most = 4096 // pixels: a stranger's recipe may hold anything
	data := m.Still()
	size, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil || size.Width > most || size.Height > most {
		return nil
	}
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	return img
}

// stills are the pictures of the recipes that a question offers; "" if there are none.
func (a *app) stills(th theme.Theme, q koda.Question, width int) string {
	if !th.Pixels() || a.deps.Recipes == nil {
		return ""
	}
	all, _ := a.deps.Recipes() //nolint:errcheck // the question can be answered without pictures
	var pictures []widget.Picture
	for i, o := range q.Options {
		k := slices.IndexFunc(all, func(m *recipe.Manifest) bool { return o.Recipe != "" && m.Name == o.Recipe })
		if k < 0 {
			continue
		}
		if still := stillOf(all[k]); still != nil {
			pictures = append(pictures, widget.Picture{Label: fmt.Sprintf("%d %s", i+1, o.Label), Image: still})
		}
	}
	return widget.Pictures(th, pictures, width)
}

func runSchema(a *app, name string) error {
	m, err := a.recipe(name)
	if err != nil {
		return err
	}
	a.result = &schemaResult{Schema: m.JSONSchema()}
	if a.json {
		return nil
	}
	var pretty []byte
	if pretty, err = json.MarshalIndent(m.JSONSchema(), "", "  "); err != nil {
		return fmt.Errorf("write the schema: %w", err)
	}
	_, err = fmt.Fprintf(a.io.Out, "%s\n", pretty)
	return err
}

// runLint tries the recipe of a folder, or those of its folders if it has none itself. The error is that of the first that is wrong, with the others below.
func runLint(ctx context.Context, a *app, dir string) error {
	dirs := []string{dir}
	if inside, err := filepath.Glob(filepath.Join(dir, "*", "recipe.json")); err == nil && len(inside) > 0 && !exists(filepath.Join(dir, "recipe.json")) {
		dirs = nil
		for _, file := range inside {
			dirs = append(dirs, filepath.Dir(file))
		}
	}
	var wrong error
	var further []string
	for _, dir := range dirs {
		m, err := a.deps.Lint(ctx, dir)
		switch {
		case err != nil && wrong != nil:
			further = append(further, err.Error())
			continue
		case err != nil:
			wrong = err
			continue
		case len(dirs) == 1:
			a.result = &recipeResult{Recipe: m}
		}
		if !a.json {
			if _, err := fmt.Fprintf(a.io.Out, "%s is right: %s\n", m.Name, m.About); err != nil {
				return err
			}
		}
	}
	if len(further) > 0 {
		return &koda.Error{Code: koda.CodeOf(wrong), Err: wrong, Hint: koda.HintOf(wrong), Details: strings.Join(further, "\n")}
	}
	return wrong
}
