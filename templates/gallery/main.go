// Gallery draws recipes: contact sheets for people who work on recipes.
//
//	go run ./templates/gallery [-recipes DIR] [-size 1280x720] [-style ID] [-cells N] [-o DIR] NAME [PARAM=VALUE ...]
//
// It reads the recipes of a directory, so a change shows without a build. It writes the
// project below -o and draws the sheet beside it, by koda itself.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing/fstest"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/score"
	"github.com/koda-video/koda/internal/theatre"
	"github.com/koda-video/koda/templates"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir := flag.String("recipes", "templates/recipes", "directory of recipes")
	size := flag.String("size", "1280x720", "size of the page")
	style := flag.String("style", "", "style; the first of the base unless set")
	cells := flag.Int("cells", 12, "frames on the sheet")
	at := flag.String("at", "", "draw one still at this second in place of a sheet")
	out := flag.String("o", "bin/gallery", "directory to write")
	program := flag.String("koda", "", "koda to draw with; go run ./cmd/koda unless set")
	flag.Parse()
	if flag.NArg() == 0 {
		return fmt.Errorf("which recipe? go run ./templates/gallery NAME [PARAM=VALUE ...]")
	}
	lib, err := recipe.Load(os.DirFS(*dir))
	if err != nil {
		return err
	}
	m := lib.Manifest(flag.Arg(0))
	if m == nil {
		return fmt.Errorf("there is no recipe %q; there are %s", flag.Arg(0), strings.Join(lib.Names(), ", "))
	}
	if *style == "" {
		*style = m.Styles[0].ID
	}
	v := m.Defaults(*style)
	for _, set := range flag.Args()[1:] {
		name, value, _ := strings.Cut(set, "=")
		p := m.Param(name)
		if p == nil {
			return fmt.Errorf("%s has no parameter %q; there are %s", m.Name, name, strings.Join(m.ParamNames(), ", "))
		}
		if v[name], err = p.Parse(value, hex{}); err != nil {
			return err
		}
	}
	env := recipe.Env{FPS: 30}
	if _, err := fmt.Sscanf(*size, "%dx%d", &env.Width, &env.Height); err != nil {
		return fmt.Errorf("-size %s: %w", *size, err)
	}
	name := fmt.Sprintf("%s-%s-%s", m.Name, *style, *size)
	project := filepath.Join(*out, name)
	s, err := write(ctx, project, lib, m, v, env)
	if err != nil {
		return err
	}
	for _, scene := range s.Scenes {
		fmt.Printf("%-20s %5.2f s  %s\n%28s  %s\n", scene.Title, scene.Seconds, scene.Description, "", scene.Notes)
	}
	for _, said := range s.Said {
		fmt.Println("note:", said)
	}
	args := []string{"sheet", project, "--count", fmt.Sprint(*cells), "--output", filepath.Join(*out, name+".png")}
	if *at != "" {
		args = []string{"still", project, "--at", *at, "--output", filepath.Join(*out, name+"-"+*at+".png")}
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"run", "./cmd/koda"}, args...)...)
	if *program != "" {
		cmd = exec.CommandContext(ctx, *program, args...)
	}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// write makes the project of a recipe with values.
func write(ctx context.Context, dir string, lib *recipe.Library, m *recipe.Manifest, v recipe.Values, env recipe.Env) (recipe.Score, error) {
	files := fstest.MapFS{}
	if err := fs.WalkDir(templates.Starter(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(templates.Starter(), name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	}); err != nil {
		return recipe.Score{}, err
	}
	code, err := m.Files()
	if err != nil {
		return recipe.Score{}, err
	}
	for name, text := range code {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	runner := score.NewRunner(bundle.New(bundle.Config{}).Score, proc.Spec{})
	script, err := runner.Compile(ctx, files)
	if err != nil {
		return recipe.Score{}, err
	}
	s, err := runner.Run(ctx, script, m.ScoreParams(v), env, true)
	if err != nil {
		return recipe.Score{}, err
	}
	if err := s.Err(); err != nil {
		return recipe.Score{}, err
	}
	fps := koda.FPS{Num: int(env.FPS), Den: 1}
	page := koda.Manifest{Schema: koda.SchemaVersion, Name: m.Name, Width: env.Width, Height: env.Height, FPS: fps, Duration: s.Duration, Scenes: s.Starts()}
	text, err := page.Encode()
	if err != nil {
		return recipe.Score{}, err
	}
	state := theatre.New(s.Motion, fps).Encode()
	files["koda.json"] = &fstest.MapFile{Data: text}
	files["src/theatre/state.json"] = &fstest.MapFile{Data: []byte(state)}
	files["src/theatre/params.json"] = &fstest.MapFile{Data: []byte(m.EncodeParams(v, nil, recipe.Digest(state)))}
	if err := os.RemoveAll(dir); err != nil {
		return recipe.Score{}, err
	}
	return s, os.CopyFS(dir, files)
}

// hex reads colours written as #rrggbb.
type hex struct{}

func (hex) Colour(s string) (string, bool) {
	return strings.ToLower(s), json.Valid([]byte(`"`+s+`"`)) && len(s) == 7 && s[0] == '#'
}
func (hex) Names() []string { return nil }
