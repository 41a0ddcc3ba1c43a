package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/serve"
)

// TestServe_openAPI: the description of the routes in the repository is that of this koda.
func TestServe_openAPI(t *testing.T) {
	t.Parallel()
	got, err := serve.New(serve.Config{Version: "1"}).OpenAPI()
	must(t, err)
	var d described
	var parsed map[string]any
	must(t, yaml.Unmarshal(got, &parsed))
	asJSON, err := json.Marshal(parsed)
	must(t, err)
	must(t, json.Unmarshal(asJSON, &d))
	d.sound(t)
	file := filepath.Join("..", "..", "docs", "openapi.yaml")
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		must(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("go test ./cmd/koda -run TestServe_openAPI -update writes it anew:\n%s", diff)
	}
}

// sound checks what generators of clients ask of a description: names that they can take, and
// for each name in a path, and each parameter, what it means.
func (d described) sound(t *testing.T) {
	t.Helper()
	name, inPath := regexp.MustCompile(`^[A-Za-z0-9._-]+$`), regexp.MustCompile(`\{([^}]*)\}`)
	for one := range d.Components.Schemas {
		if !name.MatchString(one) {
			t.Errorf("the schema %q has no name", one)
		}
	}
	for path, methods := range d.Paths {
		for method, op := range methods {
			want := map[string]bool{}
			for _, m := range inPath.FindAllStringSubmatch(path, -1) {
				want[m[1]] = true
			}
			for _, p := range op.Parameters {
				if p.Description == "" {
					t.Errorf("%s %s: nothing is said of the parameter %s", method, path, p.Name)
				}
				if p.In == "path" && !want[p.Name] {
					t.Errorf("%s %s has no %s", method, path, p.Name)
				}
				if p.In == "path" {
					delete(want, p.Name)
				}
			}
			if len(want) > 0 || op.OperationID == "" {
				t.Errorf("%s %s: nothing is said of %v", method, path, want)
			}
		}
	}
}

// curls are the examples for programs in docs/server.md.
var curls = regexp.MustCompile("(?s)```sh\nkoda serve &\n(.*?)```")

// TestServe_readme runs the examples of docs/server.md against a server.
func TestServe_readme(t *testing.T) {
	t.Parallel()
	needs.Program(t, "curl", "sudo apt-get install curl")
	needs.Program(t, "jq", "sudo apt-get install jq")
	r := newServedRun(t)
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "server.md"))
	must(t, err)
	found := curls.FindSubmatch(guide)
	if found == nil {
		t.Fatal("docs/server.md has no examples for programs")
	}
	r.begin()
	lines := strings.ReplaceAll(string(found[1]), "localhost:3000", strings.TrimPrefix(r.url, "http://"))
	stream := regexp.MustCompile(`(?m)^ask -N ([^#\n]*).*$`)
	if !stream.MatchString(lines) {
		t.Error("no example follows a project")
	}
	lines = stream.ReplaceAllString(lines, "ask -N --max-time 3 $1 > events || [ $$? = 28 ]") // a person ends it by ctrl-c
	bin := filepath.Join(r.dir, "bin")
	must(t, os.Mkdir(bin, 0o755))
	must(t, os.WriteFile(filepath.Join(bin, "koda"), []byte("#!/bin/sh\nexec '"+os.Args[0]+"' \"$@\"\n"), 0o755))
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", lines)
	cmd.Dir, cmd.Env = r.dir, append(r.env, "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, lines, out)
	}
	video, err := os.ReadFile(filepath.Join(r.dir, "ball.mp4"))
	if err != nil || len(video) < 1000 || !strings.Contains(string(video[:32]), "ftyp") {
		t.Errorf("the video has %d bytes: %v\n%s", len(video), err, out)
	}
	events, err := os.ReadFile(filepath.Join(r.dir, "events"))
	if err != nil || !strings.Contains(string(events), "id: 1\nevent: ") {
		t.Errorf("the events are %.300s, %v", events, err)
	}
}
