package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/koda-video/koda/internal/author/model"
	"github.com/koda-video/koda/internal/author/offline"
	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/fonts"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm/anthropic"
	"github.com/koda-video/koda/internal/llm/openai"
	"github.com/koda-video/koda/internal/mirror"
	"github.com/koda-video/koda/internal/npm"
	"github.com/koda-video/koda/internal/packages"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/render"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
	"github.com/koda-video/koda/internal/sandbox/hostos"
	"github.com/koda-video/koda/internal/sandbox/local"
	"github.com/koda-video/koda/internal/store"
	"github.com/koda-video/koda/internal/trace"
	"github.com/koda-video/koda/internal/workdir"
	"github.com/koda-video/koda/templates"
)

// drawnBy is the browser that drew last in this process. A process runs one command.
var drawnBy atomic.Pointer[koda.CaptureInfo]

// given are the settings of the command line. A process runs one command.
var given = map[string]string{}

// Set by the linker; see the Makefile and .goreleaser.yaml.
var version, commit, date string

// The adapters implement the interfaces of the floor above.
var (
	_ engine.Store     = (*store.DB)(nil)
	_ engine.Journal   = (*store.DB)(nil)
	_ engine.Calls     = (*store.DB)(nil)
	_ engine.Sessions  = (*store.DB)(nil)
	_ engine.Storage   = (*workdir.Storage)(nil)
	_ engine.Renderer  = (*render.Renderer)(nil)
	_ engine.Author    = (*offline.Author)(nil)
	_ engine.Author    = (*model.Author)(nil)
	_ sandbox.Provider = (*local.Provider)(nil)
	_ cli.Engine       = (*engine.Engine)(nil)
	_ render.Drawer    = (*draw.Drawer)(nil)
	_ render.Drawer    = (*docker.Drawer)(nil)
	_ cli.Sandboxes    = (*docker.Engine)(nil)
	_ service          = (*anthropic.Model)(nil)
	_ service          = (*openai.Model)(nil)
)

// wire is the only place that names concrete adapters. Nothing is opened before a
// command needs it.
func wire() cli.Deps {
	var notices []string
	return cli.Deps{
		Engine: func(ctx context.Context) (e cli.Engine, close func() error, err error) {
			e, notices, close, err = openEngine(ctx)
			return e, close, err
		},
		Notices:     func() []string { return notices },
		Renderer:    openRenderer,
		Bench:       bench,
		Settings:    settings,
		Give:        func(setting, value string) { given[setting] = value },
		Offers:      offers(),
		Recipes:     recipes,
		Fonts:       openFonts,
		Models:      listModels,
		Model:       openModel,
		Choose:      chooseModels,
		Prompts:     templates.Prompts(),
		Budget:      func(m koda.Models) (fmt.Stringer, error) { return budgetOf(m) },
		Estimate:    estimate,
		Sandboxes:   openSandboxes,
		Preview:     openPreview,
		Params:      params,
		CheckParams: checkParams,
		Seccomp:     docker.Seccomp,
		Serve:       openServed,
		Mirror:      func(dir string) cli.Mirror { return &workdir.Mirror{Dir: dir, Now: time.Now} },
		Remote:      openRemote,
		AgentLogs:   agentLogs,
		Tokens:      openTokens,
		Commit:      takeCommit,
		Lint:        lint,
		CheckBrief:  checkBrief,
		CheckRow:    checkRow,
		CheckUpdate: checkUpdate,
		CheckAsset:  workdir.CheckAsset,
		CheckName:   workdir.ValidName,
		Drawn:       drawn,
		Checks:      checks,
		Missing:     missing,
		Collect:     collect,
		Tidy:        tidy,
		Trace: func(ctx context.Context) (func() error, error) {
			return trace.Export(ctx, os.LookupEnv, build().Version)
		},
		Build: build(),
		Now:   time.Now,
	}
}

func build() cli.BuildInfo {
	b := cli.BuildInfo{Version: version, Commit: commit, Date: date}
	if info, ok := debug.ReadBuildInfo(); ok && b.Version == "" {
		b.Version = info.Main.Version
	}
	return b
}

func settings() (config.Sources, error) {
	dir, err := os.Getwd()
	if err != nil {
		return config.Sources{}, fmt.Errorf("find working directory: %w", err)
	}
	return config.Sources{Flags: given, Env: os.LookupEnv, ReadFile: os.ReadFile, ReadIn: projectfs.ReadFile, Dir: dir, Project: dir, Offers: offers(), PromptNames: templates.PromptNames()}, nil
}

// offers are the choices of settings that this build can obey: the adapters that
// are wired below.
func offers() config.Offers {
	var kinds []string
	for kind := range (&machine{}).sandboxes() {
		kinds = append(kinds, string(kind))
	}
	slices.Sort(kinds)
	return config.Offers{"author": {engine.AuthorRecipe, engine.AuthorModel}, "sandbox-provider": kinds}
}

// sandboxes are the kinds of sandboxes of this build.
func (m *machine) sandboxes() map[sandbox.Kind]sandbox.Provider {
	return map[sandbox.Kind]sandbox.Provider{
		sandbox.Local:  local.New(local.Config{Root: m.cfg.Home, Now: time.Now}),
		sandbox.Docker: docker.New(dockerConfig(m.cfg)),
	}
}

func load() (config.Config, error) {
	s, err := settings()
	if err != nil {
		return config.Config{}, err
	}
	return config.Load(s)
}

// machine holds the parts that touch this machine, made from the settings.
type machine struct {
	cfg      config.Config
	host     *hostos.Host
	ffmpeg   *ffmpeg.Tool
	chromium draw.Chromium
	bundler  *bundle.Bundler
	fonts    *fonts.Store
	renderer *render.Renderer
}

func newMachine() (*machine, error) {
	cfg, err := load()
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{cfg.Home, cfg.Cache} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, &koda.Error{
				Code: koda.CodeStorageFailed, Op: "make koda's home", Err: err,
				Hint: "set KODA_HOME to a directory that can be written",
			}
		}
	}
	host := hostos.At(tmpDir(cfg))
	if linked(cfg) == nil { // else nothing is removed; `koda gc` and doctor say so
		host = hostos.New(tmpDir(cfg))
	}
	return machineOf(cfg, host), nil
}

// tmpDir is the directory for the temporary directories of this home.
func tmpDir(cfg config.Config) string { return filepath.Join(cfg.Cache, "tmp") }

// machineOf makes the parts; it touches nothing yet.
func machineOf(cfg config.Config, host *hostos.Host) *machine {
	m := &machine{cfg: cfg, host: host, fonts: fonts.Open(fontsDir(cfg))}
	m.ffmpeg = ffmpeg.New(m.host, cfg.FFmpeg)
	m.chromium = draw.Chromium{
		Host: host, Wanted: browser.Wanted{Path: cfg.Chrome, Sandbox: cfg.BrowserSandbox}, Dir: cfg.Cache, FFmpeg: m.ffmpeg,
		Memory: sync.OnceValue(func() int64 { return browserMemory(cfg) }), Opened: func(info koda.CaptureInfo) { drawnBy.Store(&info) },
	}
	m.bundler = bundle.New(bundle.Config{CacheDir: cfg.Cache, Fonts: m.fonts, Trial: proc.Self(bundle.TrialArg)})
	m.renderer = m.rendererBy(m.drawer())
	return m
}

// rendererBy makes videos by a drawer, with the cache of this home.
func (m *machine) rendererBy(d render.Drawer) *render.Renderer {
	return render.New(render.Config{
		Build: m.bundler.BuildWith, Drawer: d, Host: m.host, CacheDir: m.cfg.Cache, CacheMax: cacheMax(m.cfg), Now: time.Now,
		Limit: m.cfg.Periods().Render, After: after,
	})
}

// kind is a kind of sandbox; for "" the kind that the settings name.
func (m *machine) kind(name string) sandbox.Kind {
	return sandbox.Kind(cmp.Or(name, m.cfg.SandboxProvider))
}

// rendererOf makes videos where the code of a kind of sandbox runs; "" is the kind that
// the settings name.
func (m *machine) rendererOf(kind string) *render.Renderer {
	if m.kind(kind) == sandbox.Docker {
		return m.rendererBy(containerDrawer(m.cfg))
	}
	return m.renderer
}

// openFonts opens the fonts of this home.
func openFonts() (cli.Fonts, error) {
	cfg, err := load()
	if err != nil {
		return nil, err
	}
	return fonts.Open(fontsDir(cfg)), nil
}

// fontsDir is the directory of the fonts of a home.
func fontsDir(cfg config.Config) string { return filepath.Join(cfg.Home, "fonts") }

// drawer draws on this machine.
func (m *machine) drawer() render.Drawer {
	return draw.New(draw.Config{
		Probe: m.chromium.Probe, Reprobe: m.chromium.Reprobe, Open: m.chromium.Open, Fonts: draw.LocalFonts, FFmpeg: m.ffmpeg, Now: time.Now,
	})
}

// cacheMax is the bound of the cache as the renderer takes it: 0 is no bound.
func cacheMax(cfg config.Config) int64 {
	if n := cfg.CacheBytes(); n >= 0 {
		return max(1, n)
	}
	return 0
}

// browserMemory is the bound of a browser's memory as the browser takes it: 0 is no
// bound.
func browserMemory(cfg config.Config) int64 {
	if n := cfg.BrowserBytes(); n != 0 {
		return max(0, n)
	}
	return draw.BrowserMemory()
}

func drawn() *cli.Drawn {
	info := drawnBy.Load()
	if info == nil {
		return nil
	}
	return &cli.Drawn{Sandbox: info.Sandbox, SandboxWhy: info.SandboxWhy}
}

func openRenderer(ctx context.Context, kind string, tell func(koda.BuildStep)) (engine.Renderer, error) {
	r, err := rendererFor(ctx, kind, tell)
	if err != nil {
		return nil, err // a nil *render.Renderer must not become a non-nil Renderer
	}
	return r, nil
}

// rendererFor makes videos where the code of a kind of sandbox runs, outside of projects.
// The image that this needs is built, if it is not there.
func rendererFor(ctx context.Context, kind string, tell func(koda.BuildStep)) (*render.Renderer, error) {
	m, err := newMachine()
	if err == nil && m.kind(kind) == sandbox.Docker {
		err = buildImage(ctx, tell)
	}
	if err != nil {
		return nil, err
	}
	return m.rendererOf(kind), nil
}

// bench measures a page; for nil, koda's own page.
func bench(ctx context.Context, kind string, tell func(koda.BuildStep), files fs.FS) (koda.Bench, error) {
	r, err := rendererFor(ctx, kind, tell)
	if err != nil {
		return koda.Bench{}, err
	}
	if files == nil {
		files = templates.Bench()
	}
	return r.Bench(ctx, files)
}

// openEngine also returns a notice of repairs.
func openEngine(ctx context.Context) (cli.Engine, []string, func() error, error) {
	m, err := newMachine()
	if err != nil {
		return nil, nil, nil, err
	}
	e, db, notices, err := m.open(ctx, asItIs)
	if err != nil {
		return nil, nil, nil, err
	}
	return e, notices, db.Close, nil
}

// asItIs is a renderer that nothing is put over.
func asItIs(r engine.Renderer) engine.Renderer { return r }

// open opens the database, and an engine over it that draws by what over puts over the
// renderers of this machine. The caller closes the database. It also returns a notice of
// repairs.
func (m *machine) open(ctx context.Context, over func(engine.Renderer) engine.Renderer) (*engine.Engine, *store.DB, []string, error) {
	db, notice, err := openDatabase(ctx, m.cfg.DatabasePath)
	if err != nil {
		return nil, nil, nil, err
	}
	e, err := m.engineOf(db, over, openAuthor)
	if err != nil {
		return nil, nil, nil, errors.Join(err, db.Close())
	}
	notices, err := takeIn(ctx, e, db, notice)
	if err != nil {
		return nil, nil, nil, errors.Join(err, db.Close())
	}
	return e, db, notices, nil
}

// askingAuthor is the author that asks a model.
func askingAuthor() (*model.Author, error) {
	return model.New(templates.Prompts(), templates.Starter(), templates.StarterGuide(), model.Kit{Files: templates.Kit(), Guide: templates.KitGuide()})
}

// engineOf makes an engine that draws by what over puts over the renderers of this machine
// and of containers.
func (m *machine) engineOf(db *store.DB, over func(engine.Renderer) engine.Renderer, author lateAuthor) (*engine.Engine, error) {
	apart := map[sandbox.Kind]engine.Renderer{sandbox.Docker: over(m.rendererOf(string(sandbox.Docker)))}
	_, runtime, _ := templates.Runtime()
	starter, err := fs.Sub(templates.Starter(), ".")
	if err != nil {
		return nil, fmt.Errorf("open starter project: %w", err)
	}
	asking, err := askingAuthor()
	if err != nil {
		return nil, err
	}
	named, err := modelsNamed()
	if err != nil {
		return nil, err
	}
	return engine.Make(engine.Config{
		Store: db, Journal: db, Calls: db, Sessions: db,
		Storage:   &workdir.Storage{Now: time.Now, Release: build().Version},
		Sandboxes: m.sandboxes(), Renderer: over(m.renderer), Renderers: apart, Model: openLate, Texts: textsOf, Named: named, Unguarded: m.unguarded,
		Authors:  map[string]engine.Author{engine.AuthorRecipe: author, engine.AuthorModel: asking},
		Live:     m.openLive,
		LivePage: m.openLivePage,
		Mirror:   mirrorOf,
		Starter:  starter, Reserved: templates.Protected(), NameFrom: workdir.NameFrom, Reread: author.reread, Answerer: asking,
		Packages: packages.Policy{Mode: packages.Mode(m.cfg.SandboxNetwork), Registry: npm.Registry, Hosts: m.cfg.Registries()},
		Parent:   m.cfg.StoragePath, Runtime: runtime, Now: time.Now,
		Limits: limits(m.cfg), After: after, Sockets: sockets(m.cfg),
	}), nil
}

// mirrorOf has the files of a directory.
func mirrorOf(dir string) mirror.Side { return &workdir.Mirror{Dir: dir, Now: time.Now} }

// textsOf are the texts for models that the person replaced.
func textsOf(dir string) (own map[string]string, warnings []string, err error) {
	s, err := settings()
	if err != nil {
		return nil, nil, err
	}
	all, warnings, err := s.Prompts(dir)
	for _, p := range all {
		if p.Text != "" {
			if own == nil {
				own = map[string]string{}
			}
			own[p.Name] = p.Text
		}
	}
	return own, warnings, err
}

// unguarded says why Chromium here has no sandbox of its own; "" if it has one.
func (m *machine) unguarded(ctx context.Context) (string, error) {
	info, err := m.chromium.Probe(ctx)
	if err != nil || info.Sandbox != "off" {
		return "", err
	}
	return info.SandboxWhy, nil
}

// sockets is the directory of the sockets of this home's processes.
func sockets(cfg config.Config) string { return filepath.Join(cfg.Home, "run") }

func limits(cfg config.Config) engine.Limits {
	p := cfg.Periods()
	answers, usd := cfg.Budget()
	return engine.Limits{Checkpoint: p.Checkpoint, Idle: p.Idle, Life: p.Life, Answers: answers, USD: usd}
}

func after(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}
