// Gallery draws recipes: contact sheets for people who work on recipes.
//
//	go run ./templates/gallery [flags] NAME [PARAM=VALUE ...]
//	go run ./templates/gallery [flags] all
//	go run ./templates/gallery [flags] stills
//
// It reads the recipes of a directory, so a change shows without a build. It writes the
// project below -o and draws the sheet beside it, by koda itself. Without a parameter the
// recipe's first example is drawn; all draws that of every recipe in every style and in
// three shapes; a recipe whose example cannot be drawn without files is left out and told.
// stills writes the still.jpg of every recipe into its folder.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing/fstest"

	"golang.org/x/image/draw"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/author/reading"
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

// gallery is what the flags say.
type gallery struct {
	dir, size, style, at, out, program string
	cells                              int
	variant                            int // the look of the next project, where a recipe has several

	library *recipe.Library
	reader  *reading.Reader
}

func run(ctx context.Context) error {
	var g gallery
	flag.StringVar(&g.dir, "recipes", "templates/recipes", "directory of recipes")
	flag.StringVar(&g.size, "size", "1280x720", "size of the page")
	flag.StringVar(&g.style, "style", "", "style; the first of the base unless set")
	flag.IntVar(&g.cells, "cells", 12, "frames on the sheet")
	flag.IntVar(&g.variant, "variant", 0, "which look of the style")
	flag.StringVar(&g.at, "at", "", "draw one still at this second in place of a sheet")
	flag.StringVar(&g.out, "o", "bin/gallery", "directory to write")
	flag.StringVar(&g.program, "koda", "", "koda to draw with; go run ./cmd/koda unless set")
	flag.Parse()
	if flag.NArg() == 0 {
		return fmt.Errorf("which recipe? go run ./templates/gallery NAME [PARAM=VALUE ...]")
	}
	var err error
	if g.library, err = recipe.Load(os.DirFS(g.dir)); err != nil {
		return err
	}
	if g.reader, err = reading.New(os.DirFS(filepath.Join(g.dir, "words")), g.library.Manifests()); err != nil {
		return err
	}
	if flag.Arg(0) == "stills" {
		return g.stills(ctx)
	}
	if flag.Arg(0) != "all" {
		m := g.library.Manifest(flag.Arg(0))
		if m == nil {
			return fmt.Errorf("there is no recipe %q; there are %s", flag.Arg(0), strings.Join(g.library.Names(), ", "))
		}
		return g.draw(ctx, m, flag.Args()[1:])
	}
	for i, name := range g.library.Names() {
		m := g.library.Manifest(name)
		g.variant = i
		for _, g.style = range m.StyleIDs() {
			for _, g.size = range []string{"1280x720", "720x1280", "720x720"} {
				if err := g.draw(ctx, m, nil); err != nil {
					fmt.Fprintf(os.Stderr, "gallery: %s, %s, %s is left out: %v\n", name, g.style, g.size, err)
				}
			}
		}
	}
	return nil
}

// values are the parameters that are set, or those of the recipe's first example.
func (g *gallery) values(m *recipe.Manifest, style string, sets []string) (recipe.Values, error) {
	v := m.Defaults(style)
	if p := m.Param("variant"); p != nil {
		v[p.Name] = fmt.Sprint(g.variant % 6)
	}
	if len(sets) == 0 {
		// Some sentences are read otherwise where the recipe is named.
		request := g.reader.Read(reading.Brief{Prompt: m.Examples[0]})
		if request.Recipe != m {
			request = g.reader.Read(reading.Brief{Prompt: m.Examples[0], Recipe: m.Name})
		}
		v, _, err := g.reader.Apply(m, v, request.Edits, reading.Known{})
		return v, err
	}
	for _, set := range sets {
		name, value, _ := strings.Cut(set, "=")
		p := m.Param(name)
		if p == nil {
			return nil, fmt.Errorf("%s has no parameter %q; there are %s", m.Name, name, strings.Join(m.ParamNames(), ", "))
		}
		var err error
		if v[name], err = p.Parse(value, g.reader); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// draw makes the project of a recipe and a picture of it.
func (g *gallery) draw(ctx context.Context, m *recipe.Manifest, sets []string) error {
	style := cmp.Or(g.style, m.Styles[0].ID)
	v, err := g.values(m, style, sets)
	if err != nil {
		return err
	}
	env := recipe.Env{FPS: 30}
	if _, err := fmt.Sscanf(g.size, "%dx%d", &env.Width, &env.Height); err != nil {
		return fmt.Errorf("-size %s: %w", g.size, err)
	}
	name := fmt.Sprintf("%s-%s-%s", m.Name, style, g.size)
	project := filepath.Join(g.out, name)
	s, err := write(ctx, project, m, v, env)
	if err != nil {
		return err
	}
	for _, scene := range s.Scenes {
		fmt.Printf("%-20s %5.2f s  %s\n%28s  %s\n", scene.Title, scene.Seconds, scene.Description, "", scene.Notes)
	}
	for _, said := range s.Said {
		fmt.Println("note:", said)
	}
	if g.at != "" {
		return g.koda(ctx, "still", project, "--at", g.at, "--output", filepath.Join(g.out, name+"-"+g.at+".png"))
	}
	return g.koda(ctx, "sheet", project, "--count", fmt.Sprint(g.cells), "--output", filepath.Join(g.out, name+".png"))
}

func (g *gallery) koda(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"run", "./cmd/koda"}, args...)...)
	if g.program != "" {
		cmd = exec.CommandContext(ctx, g.program, args...)
	}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// stills writes the still.jpg of every recipe: a frame near the end of its first example.
func (g *gallery) stills(ctx context.Context) error {
	for i, name := range g.library.Names() {
		m := g.library.Manifest(name)
		if m.Retired {
			continue
		}
		styles := m.StyleIDs()
		g.variant = i
		v, err := g.values(m, styles[i%min(2, len(styles))], nil)
		if err != nil {
			return err
		}
		project := filepath.Join(g.out, name+"-still")
		pictures := map[string]string{}
		if m.Param("slides") != nil { // the stills of others are its pictures
			var slides []map[string]string
			for _, other := range []string{"orbit", "greeting", "clock"} {
				src := path.Join("public", "images", other+".jpg")
				pictures[src] = filepath.Join(g.dir, other, "still.jpg")
				slides = append(slides, map[string]string{"picture": src})
			}
			text, err := json.Marshal(slides)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			v["slides"], v["together"] = string(text), strconv.Itoa(len(slides))
		}
		s, err := write(ctx, project, m, v, recipe.Env{FPS: 30, Width: 1280, Height: 720})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for src, file := range pictures {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			to := filepath.Join(project, filepath.FromSlash(src))
			if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), atomicfile.Write(to, data, 0o644)); err != nil {
				return err
			}
		}
		at := 0.9
		if v["loop"] == "true" { // which ends where it begins
			at = 0.45
		}
		if err := g.koda(ctx, "still", project, "--at", fmt.Sprintf("%.2f", s.Duration*at), "--output", project+".png"); err != nil {
			return err
		}
		data, err := os.ReadFile(project + ".png")
		if err != nil {
			return err
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		small := image.NewRGBA(image.Rect(0, 0, 480, 270))
		draw.CatmullRom.Scale(small, small.Bounds(), img, img.Bounds(), draw.Src, nil)
		var out bytes.Buffer
		if err := jpeg.Encode(&out, small, &jpeg.Options{Quality: 82}); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := atomicfile.Write(filepath.Join(g.dir, name, "still.jpg"), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// write makes the project of a recipe with values.
func write(ctx context.Context, dir string, m *recipe.Manifest, v recipe.Values, env recipe.Env) (recipe.Score, error) {
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
