package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/npm"
	"github.com/koda-video/koda/internal/packages"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
	"github.com/koda-video/koda/internal/sandbox/hostos"
	"github.com/koda-video/koda/internal/store"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/internal/workdir"
	"github.com/koda-video/koda/templates"
)

// scripted is an author that installs packages and draws with one of them.
type scripted struct {
	t    *testing.T
	done bool
}

func (s *scripted) Clarify(context.Context, koda.Brief, *koda.Revision, tool.Desk) (*koda.Question, error) {
	return nil, nil
}

func (s *scripted) Plan(_ context.Context, b koda.Brief, _ koda.Answer, _ *koda.Revision, _ tool.Desk) (koda.Plan, error) {
	return koda.Plan{TotalDuration: 2, FPS: b.FPS, Style: "smooth", Scenes: []koda.Scene{{Number: 1, Title: "All", Duration: 2}}}, nil
}

const installedApp = `import chroma from 'chroma-js'
import CountUp from 'react-countup'
import { useCurrentTime } from './koda'
export default function App() {
  const at = useCurrentTime()
  return <div style={{ width: '100vw', height: '100vh', background: chroma.mix('red', 'blue', at / 2).hex() }}><CountUp start={1} end={1} duration={0} /></div>
}
`

func (s *scripted) Work(ctx context.Context, _ koda.Task, box tool.Desk) error {
	if s.done {
		return nil
	}
	s.done = true
	for _, c := range []struct {
		line   string
		status int
		note   string
	}{
		{"npm install chroma-js react-countup", 0, "chroma-js@"},
		{"npm install bufferutil", 1, "bufferutil cannot be used and was taken out again: it is a native add-on"},
		{"npm install --registry=https://example.invalid x 2>&1 || true", -1, ""},
	} {
		out, err := tool.RunCommand(ctx, box, tool.RunInput{Command: c.line})
		if c.status < 0 {
			if koda.CodeOf(err) != koda.CodeCommandBlocked {
				s.t.Errorf("%s: %+v, %v", c.line, out, err)
			}
			continue
		}
		if err != nil || out.ExitCode != c.status || !strings.Contains(out.Note, c.note) {
			s.t.Errorf("%s: %+v, %v", c.line, out, err)
		}
	}
	// Outside of an install command there is no way out.
	if out, err := tool.RunCommand(ctx, box, tool.RunInput{Command: "npm view chroma-js version --fetch-retries=0; echo $HTTPS_PROXY."}); err != nil || !strings.HasSuffix(out.Stdout, "\n.\n") && out.Stdout != ".\n" {
		s.t.Errorf("%+v, %v", out, err)
	}
	return tool.WriteFile(ctx, box, "src/App.tsx", installedApp)
}

// personInstalls runs a command in the shell of a project.
func personInstalls(t *testing.T, e *engine.Engine, id, line string, status int, says string) {
	t.Helper()
	err := e.Visit(t.Context(), id, func(string) {}, func(ctx context.Context, sb sandbox.Sandbox) error {
		res, err := sb.Run(ctx, sandbox.Command{Line: line, Timeout: 2 * time.Minute})
		if res.ExitCode != status || !strings.Contains(res.Stderr, says) {
			t.Errorf("%s: %+v", line, res)
		}
		return err
	})
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// TestDocker_packages: an author installs packages that the page runtime does not have, in
// a container without a network, and they are in the video.
func TestDocker_packages(t *testing.T) {
	t.Parallel()
	base := needs.Docker(t)
	home := t.TempDir()
	env := map[string]string{
		"KODA_HOME": home, "KODA_SANDBOX_BASE": base, "STORAGE_PATH": filepath.Join(home, "projects"), "KODA_SANDBOX_NETWORK": "registries",
	}
	cfg, err := config.Load(config.Sources{Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }, ReadFile: os.ReadFile, ReadIn: projectfs.ReadFile, Dir: home})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(cfg.StoragePath, 0o700); err != nil {
		t.Fatal(err)
	}
	m := machineOf(cfg, hostos.At(tmpDir(cfg)))
	db, err := store.Open(t.Context(), cfg.DatabasePath)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	starter, err := fs.Sub(templates.Starter(), ".")
	if err != nil {
		t.Fatal(err)
	}
	provider := docker.New(dockerConfig(cfg))
	author := &scripted{t: t}
	cfgOf := engine.Config{
		Store: db, Journal: db, Calls: db, Sessions: db, Storage: &workdir.Storage{Now: time.Now, Release: "test"},
		Sandboxes: map[sandbox.Kind]sandbox.Provider{sandbox.Docker: provider}, Renderer: m.renderer,
		Authors: map[string]engine.Author{engine.AuthorRecipe: author}, Starter: starter, Reserved: templates.Protected(), NameFrom: workdir.NameFrom,
		Packages: packages.Policy{Mode: packages.Mode(cfg.SandboxNetwork), Registry: npm.Registry, Hosts: cfg.Registries()},
		Parent:   cfg.StoragePath, Now: time.Now, Limits: limits(cfg), After: after, Sockets: sockets(cfg),
	}
	e := engine.Make(cfgOf)
	out, err := e.New(t.Context(), engine.NewRequest{Sandbox: string(sandbox.Docker), Brief: koda.Brief{
		Prompt: "colours", Width: 320, Height: 180, FPS: koda.FPS{Num: 10, Den: 1}, Yes: true,
	}})
	t.Cleanup(func() {
		all, err := provider.All(context.WithoutCancel(t.Context()))
		if err != nil {
			t.Error(err)
		}
		for _, meta := range all {
			if meta.ProjectID == out.Project.ID {
				if sb, err := provider.Connect(context.WithoutCancel(t.Context()), meta.ID); err == nil {
					_ = sb.Destroy(context.WithoutCancel(t.Context()))
				}
			}
		}
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	if info, err := os.Stat(out.State.Output.VideoURL); err != nil || info.Size() == 0 {
		t.Errorf("no video: %v", err)
	}
	vendored, err := filepath.Glob(filepath.Join(out.Project.Dir, "src/vendor/*.js*"))
	if err != nil || len(vendored) != 4 {
		t.Errorf("vendored, with a subpath and vendor.json: %q, %v", vendored, err)
	}
	manifest, err := os.ReadFile(filepath.Join(out.Project.Dir, "package.json"))
	if err != nil || !strings.Contains(string(manifest), "chroma-js") || !strings.Contains(string(manifest), `"react":`) || strings.Contains(string(manifest), "bufferutil") {
		t.Errorf("package.json: %s, %v", manifest, err)
	}
	personInstalls(t, e, out.Project.ID, "npm install --no-progress nanoid", 0, "nanoid@")
	if files, _ := filepath.Glob(filepath.Join(out.Project.Dir, "src/vendor/nanoid@*")); len(files) == 0 {
		t.Error("what the person installed is not in the project")
	}
	closed := cfgOf
	closed.Packages = packages.Policy{Mode: packages.None}
	personInstalls(t, engine.Make(closed), out.Project.ID, "npm install --no-progress is-odd", 1, "koda config set sandbox-network registries")
	if picture, err := m.renderer.Still(t.Context(), os.DirFS(out.Project.Dir), 2, 320, 180); err != nil || len(picture.PNG) == 0 {
		t.Errorf("still: %v", err)
	}
}
