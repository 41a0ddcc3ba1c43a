package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/tui"
)

// files makes files in a directory of the test.
func files(t *testing.T, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestStudio_Files: of a directory come the files that a video can take, and directories,
// but not those that are hidden, and never more than a list holds.
func TestStudio_Files(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{
		"sales.csv": "a,1\n", "my sales.csv": "a,1\n", "Logo.PNG": "x", "main.go": "x", ".hidden.csv": "x", "pictures/sun.jpg": "x", "many/none": "x",
	})
	if err := os.Symlink(filepath.Join(dir, "pictures"), filepath.Join(dir, "linked")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "gone.csv"), filepath.Join(dir, "sales dead.csv")); err != nil {
		t.Fatal(err)
	}
	for n := range 10_000 {
		if err := os.WriteFile(filepath.Join(dir, "many", fmt.Sprintf("row%05d.csv", n)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f := newFace(t)
	s := cli.Studio(f.io, f.deps, f.engine, cli.NewOptions{})
	for typed, want := range map[string][]string{
		"/":           {"Logo.PNG assets", "my sales.csv data", "sales.csv data", "linked/", "many/", "pictures/"},
		"/sal":        {"sales.csv data", "my sales.csv data"},
		"/my s":       {"my sales.csv data"},
		"/LOGO":       {"Logo.PNG assets"},
		"/.h":         {".hidden.csv data"},
		"/linked/":    {"linked/sun.jpg assets"},
		"/nowhere/x":  nil,
		"/main":       nil,
		"/sales.csv/": nil,
	} {
		all, _ := s.Files(t.Context(), dir+typed) //nolint:errcheck // a file is no directory
		var got []string
		for _, file := range all {
			got = append(got, strings.TrimSpace(strings.TrimPrefix(file.Path, dir+"/")+" "+file.Field))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", typed, diff)
		}
	}
	if all, err := s.Files(t.Context(), dir+"/many/"); err != nil || len(all) > 500 || len(all) < 100 {
		t.Errorf("%d files of 10,000, %v", len(all), err)
	}
}

// TestStudio_New: what the form holds becomes the same request as the flags of `koda new`
// make, and files that the prompt names become data and assets.
func TestStudio_New(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"sales.csv": "city,sales\nParis,3\n", "my logo.png": "x", "song.mp3": "x"})
	at := func(name string) string { return filepath.Join(dir, name) }
	f := newFace(t)
	f.io.InTTY = true
	f.deps.Recipes = func() ([]*recipe.Manifest, error) { return nil, nil }
	made := func(flags cli.NewOptions, b tui.Brief) (koda.Brief, []string, error) {
		t.Helper()
		f.engine.replies, f.engine.requests = []reply{{out: planned()}}, nil
		_, err := cli.Studio(f.io, f.deps, f.engine, flags).New(t.Context(), b)
		if f.engine.replies = nil; len(f.engine.requests) == 0 {
			return koda.Brief{}, nil, err
		}
		return f.engine.requests[0].Brief, f.engine.requests[0].Assets, err
	}

	b, assets, err := made(cli.NewOptions{}, tui.Brief{Prompt: "bars", Values: map[string][]string{
		"author": {"recipe"}, "recipe": {"bars"}, "style": {"smooth"}, "preset": {"reels"}, "data": {at("sales.csv")}, "assets": {at("song.mp3")},
	}})
	if err != nil || b.Recipe != "bars" || b.Style != "smooth" || b.Preset != "reels" || b.Height != 1920 || !strings.Contains(b.Data, "Paris") {
		t.Errorf("the form: %+v, %v", b, err)
	}
	if diff := cmp.Diff([]string{at("song.mp3"), at("sales.csv")}, assets); diff != "" {
		t.Errorf("assets (-want +got):\n%s", diff)
	}

	b, assets, err = made(cli.NewOptions{Style: "playful"}, tui.Brief{Prompt: "bars of @" + at("sales.csv") + ", then @\"" + at("my logo.png") + "\" by @koda"})
	if err != nil || b.Prompt != "bars of sales.csv, then my logo.png by @koda" || b.Style != "playful" || !strings.Contains(b.Data, "Paris") {
		t.Errorf("files in the prompt: %+v, %v", b, err)
	}
	if diff := cmp.Diff([]string{at("my logo.png"), at("sales.csv")}, assets); diff != "" {
		t.Errorf("assets (-want +got):\n%s", diff)
	}

	for prompt, want := range map[string]string{
		"bars of " + at("sales.csv"):      "bars of sales.csv",
		"bars of ~/sales.csv":             "bars of sales.csv",
		"bars of ~/a/../sales.csv, green": "bars of sales.csv, green",
	} {
		f.env["HOME"] = dir
		b, assets, err := made(cli.NewOptions{}, tui.Brief{Prompt: prompt})
		if err != nil || b.Prompt != want || !strings.Contains(b.Data, "Paris") || !cmp.Equal(assets, []string{at("sales.csv")}) {
			t.Errorf("%q: %+v, %q, %v", prompt, b, assets, err)
		}
	}

	for prompt, want := range map[string]string{
		"bars of " + at("missing.csv"): "there is no file " + at("missing.csv"),
		"bars of @missing.csv99":       "@missing.csv99: missing.csv99 does not exist",
		"bars of @missing.csv.":        "@missing.csv: missing.csv does not exist",
		"bars of @data/missing now":    "@data/missing: data/missing does not exist",
		"show @\"my face\" twice":      "@my face: my face does not exist",
		"bars of @" + dir + " please":  "@" + dir + ": " + dir + " is a directory",
	} {
		if _, _, err := made(cli.NewOptions{}, tui.Brief{Prompt: prompt}); koda.CodeOf(err) != koda.CodeUsage || koda.Sentence(err) != want || koda.HintOf(err) == "" {
			t.Errorf("%q: %v", prompt, err)
		}
	}
	const handles = "hello @anna, @ben.js and @c. at 5 @ noon"
	if b, _, err := made(cli.NewOptions{}, tui.Brief{Prompt: handles}); err != nil || b.Prompt != handles {
		t.Errorf("%q, %v", b.Prompt, err)
	}

	for _, bad := range []tui.Brief{{}, {Prompt: "-"}, {Prompt: "x", Values: map[string][]string{"data": {"-"}}}, {Prompt: "x", Values: map[string][]string{"preset": {"nope"}}}} {
		if _, _, err := made(cli.NewOptions{}, bad); koda.CodeOf(err) != koda.CodeUsage {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// TestStudio_CheckFile: a field says what is wrong with a file as soon as it gets it.
func TestStudio_CheckFile(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"sales.csv": "city,sales\nParis,3\n", "broken.json": "{", "logo.png": "x"})
	f := newFace(t)
	f.deps.CheckAsset = func(path string) (koda.Asset, error) {
		if strings.HasSuffix(path, "nope.png") {
			return koda.Asset{}, &koda.Error{Code: koda.CodeUsage, Op: "there is no asset " + path}
		}
		return koda.Asset{}, nil
	}
	s := cli.Studio(f.io, f.deps, f.engine, cli.NewOptions{})
	for _, tt := range []struct{ field, name, want string }{
		{"data", "sales.csv", ""}, {"data", "nope.csv", "does not exist"}, {"data", "", "is a directory"}, {"data", "broken.json", "broken.json"},
		{"assets", "logo.png", ""}, {"assets", "nope.png", "there is no asset"},
	} {
		err := s.CheckFile(t.Context(), tt.field, filepath.Join(dir, tt.name))
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %s: %v", tt.field, tt.name, err)
		}
	}
}
