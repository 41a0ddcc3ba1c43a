package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/fonts"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/templates"
)

// outputs is the URL below which all results of bundling lie.
const outputs = koda.BundlePath

// Config configures a Bundler.
type Config struct {
	// CacheDir is an absolute directory that outlives processes. It is written only if
	// this program carries no page runtime: then the runtime that npm installs is kept
	// below it, about 2 MB.
	CacheDir string
	// Archive is the packed page runtime with its hex SHA-256. If it says false, npm
	// installs a runtime. Nil means the runtime that this program carries.
	Archive func() (archive []byte, digest string, ok bool)
	// Fonts are the fonts for letters that the page runtime has not got. Nil is none.
	Fonts *fonts.Store
	// Trial is a program that calls [Trial], see [proc.Self]. With the zero value, no
	// source is tried.
	Trial proc.Spec
}

// Bundler bundles projects. Its methods, but Hasten, may be called from several goroutines.
type Bundler struct {
	cacheDir string
	archive  func() ([]byte, string, bool)
	trial    proc.Spec
	spare    *spare // see Hasten
	fonts    *fonts.Store

	mu   sync.Mutex
	open *pageRuntime
}

// New returns a Bundler. It touches no disk before the first Build.
func New(cfg Config) *Bundler {
	if cfg.Archive == nil {
		cfg.Archive = templates.Runtime
	}
	return &Bundler{cacheDir: cfg.CacheDir, archive: cfg.Archive, trial: cfg.Trial, fonts: cfg.Fonts}
}

// Build makes the page of the project whose root is the root of files.
//
// Errors: NOT_FOUND if there is no koda.json, so files is not a project; BUILD_FAILED for
// mistakes in the project, see the package's comment; MISSING_TOOL if there is no page
// runtime and koda cannot install one.
func (b *Bundler) Build(ctx context.Context, files fs.FS) (koda.Page, koda.Manifest, error) {
	return b.BuildWith(ctx, files, nil)
}

// BuildWith makes the page as Build does, for a render with parameters: the page has the
// fonts for their texts, too. Nothing else of the page depends on the parameters.
func (b *Bundler) BuildWith(ctx context.Context, files fs.FS, props json.RawMessage) (koda.Page, koda.Manifest, error) {
	manifest, err := ReadManifest(files)
	if err != nil {
		return koda.Page{}, manifest, err
	}
	page, err := b.build(ctx, files, manifest.Play, props, true)
	return page, manifest, err
}

// BuildToShow makes the page as Build does, in half the time, for a page that nobody draws
// frames of: it has no Code.
func (b *Bundler) BuildToShow(ctx context.Context, files fs.FS) (koda.Page, koda.Manifest, error) {
	manifest, err := ReadManifest(files)
	if err != nil {
		return koda.Page{}, manifest, err
	}
	page, err := b.build(ctx, files, manifest.Play, nil, false)
	return page, manifest, err
}

func (b *Bundler) build(ctx context.Context, files fs.FS, play bool, props json.RawMessage, coded bool) (koda.Page, error) {
	if err := ctx.Err(); err != nil {
		return koda.Page{}, err
	}
	rt, err := b.runtime(ctx)
	if err != nil {
		return koda.Page{}, err
	}
	doc, mistakes, err := readDocument(files)
	if err != nil {
		return koda.Page{}, err
	}
	t := &trial{spec: b.trial, ctx: ctx, spare: b.spare}
	defer t.end()
	p := newBuild(files, rt, doc, t)
	p.mistakes, p.play, p.store, p.props = mistakes, play, b.fonts, props
	page, err := p.run(ctx)
	if err != nil || !p.keyed || !coded {
		return page, err
	}
	// The same page without the files that its frame keys cover. If this page cannot be
	// made, it has no digest of its own, and nothing else is lost.
	code := newBuild(files, rt, doc, t)
	code.codeOnly, code.play, code.extra, code.fontsID = true, play, p.extra, p.fontsID
	if bare, err := code.run(ctx); err == nil {
		page.Code = bare.Digest
	}
	return page, ctx.Err()
}

// pageBuild is the making of one page.
type pageBuild struct {
	files    fs.FS
	runtime  *pageRuntime
	doc      *document
	trial    *trial
	page     map[string]koda.PageFile
	mistakes []mistake
	codeOnly bool // files imported with ?keyed are empty
	play     bool // koda.json says that the page plays by itself

	closed  bool            // koda made the project: packages come from the runtime alone
	own     map[string]bool // packages of the runtime of which the directory has another version
	store   *fonts.Store
	props   json.RawMessage // of the render that the page is made for
	fontsID string          // see fonts.Choice; "": the page has no fonts of the store
	extra   *served         // the files that the page may ask for besides those it loads; nil: not looked for yet

	mu       sync.Mutex // esbuild calls the plugin from several goroutines
	keyed    bool       // a file was imported with ?keyed
	failed   error      // an error that is not a mistake in the project
	loaded   projectfs.Budget
	packages memo[*packageFile]       // by directory
	dirs     memo[string]             // by name
	vendor   func() map[string]string // files of src/vendor by the imports that mean them
	demanded map[string]bool          // packages that must come from the directory
	taken    map[string]bool          // files in the bundle
	named    map[string]bool          // files that a module names relative to its own address
	workers  map[string]bool          // files that are workers, and whether as modules
}

// maxLoaded bounds the bytes of a project's files that are bundled. Files in public/ are
// not bundled.
const maxLoaded = 128 << 20

func newBuild(files fs.FS, rt *pageRuntime, doc *document, t *trial) *pageBuild {
	p := &pageBuild{
		files: files, runtime: rt, doc: doc, trial: t, page: map[string]koda.PageFile{}, closed: madeByKoda(files),
		loaded: projectfs.Budget{Bytes: maxLoaded}, taken: map[string]bool{}, named: map[string]bool{}, workers: map[string]bool{},
	}
	p.vendor = sync.OnceValue(p.readVendor)
	return p
}

// fail notes the first failure.
func (p *pageBuild) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil {
		p.failed = err
	}
}

func (p *pageBuild) run(ctx context.Context) (koda.Page, error) {
	if err := p.addPublic(); err != nil {
		return koda.Page{}, err
	}
	if err := p.addReferenced(); err != nil {
		return koda.Page{}, err
	}
	if p.failed != nil {
		return koda.Page{}, p.failed
	}
	out, err := p.bundled(ctx)
	if err != nil {
		return koda.Page{}, err
	}
	if len(p.mistakes) > 0 {
		return koda.Page{}, buildFailed(p.mistakes)
	}
	produced := map[string]bool{}
	for _, file := range out.files {
		p.add(file.Path, file.Contents)
		produced[file.Path] = true
	}
	letters, err := p.addFonts(ctx)
	if err != nil {
		return koda.Page{}, err
	}
	p.add("/index.html", p.doc.render(out.modules, produced, p.fontsID != ""))
	if p.extra == nil {
		if p.extra, err = p.findServed(); err != nil {
			return koda.Page{}, err
		}
	}
	if err := p.addServed(); err != nil {
		return koda.Page{}, err
	}
	webgl := false
	for _, body := range p.page {
		webgl = webgl || drawsWebGL(body)
	}
	plays := p.play || !p.names("__exportSeekTo")
	signals := p.names("__exportReady")
	for _, name := range out.modules {
		data, err := p.runtime.read(name)
		if err != nil {
			return koda.Page{}, err
		}
		p.add(runtimeURL(name), data)
		webgl = webgl || p.runtime.index.Files[name].WebGL
	}
	return koda.Page{
		Files: p.page, Digest: digest(p.page, plays), WebGL: webgl, Plays: plays, Signals: signals, Left: p.extra.left, Warnings: slices.Concat(p.extra.warnings, letters.warnings), OwnFonts: letters.own, Maps: out.maps,
	}, nil
}

func (p *pageBuild) add(url string, body []byte) {
	p.page[url] = koda.PageFile{Type: mediaType(url), Body: body}
}

// output is the result of bundling.
type output struct {
	files   []api.OutputFile
	maps    map[string][]byte // source maps by the paths of files
	modules []string          // page modules of the runtime that the files load
}

// bundled bundles the files that the document loads, and the workers that these files
// name.
func (p *pageBuild) bundled(ctx context.Context) (output, error) {
	var all output
	var entries []api.EntryPoint
	for _, e := range p.doc.entries {
		entries = append(entries, api.EntryPoint{InputPath: e.input, OutputPath: e.output})
	}
	p.chooseOwn()
	known := p.mistakes
	for {
		p.mistakes, all = slices.Clone(known), output{maps: map[string][]byte{}}
		clear(p.taken)
		clear(p.named)
		clear(p.workers)
		if err := p.bundle(ctx, entries, &all); err != nil {
			return all, err
		}
		if err := p.bundleWorkers(ctx, &all); err != nil {
			return all, err
		}
		before := len(p.own)
		maps.Copy(p.own, p.demanded)
		if len(p.own) == before {
			break
		}
		p.spreadOwn()
	}
	all.modules = p.runtime.closure(all.modules)
	return all, nil
}

// bundle lets esbuild bundle entries. Code that several entries share goes into files of
// its own.
func (p *pageBuild) bundle(ctx context.Context, entries []api.EntryPoint, into *output) error {
	if len(entries) == 0 {
		return nil
	}
	build, contextErr := api.Context(p.options(entries))
	if contextErr != nil {
		return fmt.Errorf("bundle project: %w", contextErr)
	}
	defer build.Dispose()
	stop := context.AfterFunc(ctx, build.Cancel)
	defer stop()
	result := build.Rebuild()
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.failed != nil {
		return p.failed
	}
	for _, message := range result.Errors {
		p.mistakes = append(p.mistakes, p.mistakeOf(message))
	}
	for _, message := range result.Warnings {
		// Code of a package may ask for a name in vain: it may do without the name.
		if message.ID == "import-is-undefined" && message.Location != nil && !inPackages(p.fileName(message.Location.File)) {
			p.mistakes = append(p.mistakes, p.mistakeOf(message))
		}
	}
	for _, file := range result.OutputFiles {
		if script, ok := strings.CutSuffix(file.Path, ".map"); !ok {
			into.files = append(into.files, file)
		} else if strings.HasSuffix(script, ".js") {
			into.maps[script] = file.Contents
		}
	}
	modules, err := runtimeImports(result.Metafile)
	into.modules = append(into.modules, modules...)
	return err
}

func (p *pageBuild) options(points []api.EntryPoint) api.BuildOptions {
	return api.BuildOptions{
		EntryPointsAdvanced: points,
		Plugins:             []api.Plugin{{Name: "koda", Setup: p.plug}},
		// These are not directories of this machine: esbuild reads and writes no file,
		// and the paths of outputs are URLs.
		AbsWorkingDir: "/", Outdir: outputs, PublicPath: outputs, Write: false,
		Bundle: true, Splitting: true, Format: api.FormatESModule, Platform: api.PlatformBrowser, Target: api.ESNext,
		TreeShaking: api.TreeShakingTrue, MinifySyntax: true, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone, AssetNames: "assets/[name]-[hash]", ChunkNames: "chunk-[hash]",
		Metafile: true, LogLevel: api.LogLevelSilent, Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude,
		TsconfigRaw: p.tsconfig(), Supported: map[string]bool{"decorators": false}, // no browser has them
		Define: map[string]string{
			"process.env.NODE_ENV": `"production"`,
			"import.meta.env.MODE": `"production"`, "import.meta.env.BASE_URL": `"/"`,
			"import.meta.env.PROD": "true", "import.meta.env.DEV": "false", "import.meta.env.SSR": "false",
			"import.meta.env": "{}", "import.meta.hot": "undefined",
		},
	}
}

// runtimeImports lists the page modules of the runtime that outputs name.
func runtimeImports(meta string) ([]string, error) {
	if meta == "" {
		return nil, nil
	}
	m, err := parseMetafile(meta)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, output := range m.Outputs {
		for _, imp := range output.Imports {
			if rest, ok := strings.CutPrefix(imp.Path, outputs+"/runtime/"); ok {
				names = append(names, "page/"+rest)
			}
		}
	}
	return names, nil
}

// names reports whether code of the page contains a name. Other documents in the
// directory are not part of the page.
func (p *pageBuild) names(name string) bool {
	for at, file := range p.page {
		mine := at == "/"+documentName || file.Type != "text/html"
		if mine && isCode(file) && bytes.Contains(file.Body, []byte(name)) {
			return true
		}
	}
	return false
}

func isCode(file koda.PageFile) bool {
	return file.Type == "text/javascript" || file.Type == "text/html"
}

// contexts2D matches calls that certainly draw without WebGL.
var (
	contextCall = regexp.MustCompile(`getContext\b`)
	context2D   = regexp.MustCompile("^getContext\\s*(\\?\\.)?\\(\\s*[\"'`](2d|bitmaprenderer)[\"'`]")
)

// drawsWebGL reports whether a file of the project asks for a drawing context that is or
// may be a WebGL context.
func drawsWebGL(file koda.PageFile) bool {
	if !isCode(file) {
		return false
	}
	for _, at := range contextCall.FindAllIndex(file.Body, -1) {
		if !context2D.Match(file.Body[at[0]:]) {
			return true
		}
	}
	return false
}

// digest covers every path and content, and whether the page plays.
func digest(files map[string]koda.PageFile, plays bool) string {
	h := sha256.New()
	field := func(data []byte) {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(data)))
		h.Write(size[:])
		h.Write(data)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		field([]byte(path))
		field(files[path].Body)
	}
	if plays {
		field([]byte("plays"))
	}
	return hex.EncodeToString(h.Sum(nil))
}
