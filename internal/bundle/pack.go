package bundle

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/proc"
)

// packFormat is raised when the layout of a packed runtime changes, so that only programs
// that understand a cached runtime use it.
const packFormat = 1

// The packages of the runtime that are bundled ahead of time, in the order in which
// people see them.
var prebuilt = []string{
	"react", "react-dom", "react-dom/client", "react/jsx-runtime", "@theatre/core",
	"three", "@react-three/fiber", "recharts", "d3-scale", "d3-shape", "highlight.js/lib/common", "@xterm/headless", "@xterm/addon-unicode11",
}

// unshipped are dependencies of drei for devices that a video does not have (a camera, a
// live stream, a frame rate display). They are large, and using them throws.
var unshipped = regexp.MustCompile(`^(@mediapipe/tasks-vision|hls\.js|stats-gl|stats\.js|detect-gpu)$`)

// packInto bundles the packages installed in dir/node_modules and writes them as an
// archive. Equal packages give equal bytes. It needs node, to ask CommonJS packages for
// their exports.
func packInto(ctx context.Context, dir, archive string) error {
	p := &packer{
		dir: dir, files: map[string][]byte{},
		index: &runtimeIndex{Format: packFormat, Modules: map[string]runtimeModule{}, Files: map[string]runtimeFile{}},
	}
	for _, step := range []func(context.Context) error{p.prebuild, p.icons, p.addons, p.fonts, p.licences} {
		if err := step(ctx); err != nil {
			return fmt.Errorf("pack page runtime: %w", err)
		}
	}
	return atomicfile.WriteFunc(archive, 0o644, func(w io.Writer) error { return writeArchive(w, p.index, p.files) })
}

type packer struct {
	dir    string // the directory above node_modules
	files  map[string][]byte
	index  *runtimeIndex
	used   []string          // directories of packages that a file came from, below node_modules
	stdlib map[string]string // modules of three-stdlib, by their exports
}

// add puts a file into the runtime.
func (p *packer) add(name string, data []byte) {
	p.files[name] = data
	p.index.Files[name] = runtimeFile{Imports: p.index.Files[name].Imports, WebGL: p.index.Files[name].WebGL}
}

func (p *packer) use(input string) {
	_, after, ok := cutLast(input, "node_modules/")
	if !ok {
		return
	}
	parts := strings.SplitN(after, "/", 3)
	name := parts[0]
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		name += "/" + parts[1]
	}
	pkg := strings.TrimPrefix(strings.TrimSuffix(input, after), "node_modules/") + name
	if !slices.Contains(p.used, pkg) {
		p.used = append(p.used, pkg)
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// prebuild makes one minified ES module of each prebuilt package and of each module of
// drei. Shared code goes into chunks, so there is one copy of react and three.
func (p *packer) prebuild(ctx context.Context) error {
	entries := map[string]string{} // output name without extension → source
	for _, spec := range prebuilt {
		source := "export * from " + quoteJS(spec)
		names, err := p.commonJSNames(ctx, spec)
		if err != nil {
			return err
		}
		if names != nil {
			source = fmt.Sprintf("import * as all from %s; export const {%s} = all; export default all.default ?? all", quoteJS(spec), strings.Join(names, ", "))
		}
		entries[spec] = source
	}
	drei, err := reExports(filepath.Join(p.dir, "node_modules/@react-three/drei/index.js"))
	if err != nil {
		return err
	}
	for file, source := range drei {
		entries[dreiEntry(file)] = source
	}
	entries[iconsModule] = iconCoreSource
	if p.stdlib, err = importsByName(filepath.Join(p.dir, "node_modules/three-stdlib/index.js")); err != nil {
		return err
	}
	result := p.build(entries)
	if len(result.Errors) > 0 {
		return fmt.Errorf("%s", strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	exports, err := p.keep(result)
	if err != nil {
		return err
	}
	for _, spec := range prebuilt {
		file := "page/" + spec + ".js"
		p.index.Modules[spec] = runtimeModule{Exports: map[string][]string{file: exports[file]}}
	}
	module := runtimeModule{Exports: map[string][]string{}}
	for file := range drei {
		out := "page/" + dreiEntry(file) + ".js"
		module.Exports[out] = exports[out]
	}
	p.index.Modules["@react-three/drei"] = module
	p.index.Modules[iconsModule] = runtimeModule{Exports: map[string][]string{iconsCore: exports[iconsCore]}}
	return nil
}

// iconCoreSource is what lucide-react exports apart from icons.
const iconCoreSource = `
export { default as createLucideIcon } from 'lucide-react/dist/esm/createLucideIcon.mjs'
export { default as Icon } from 'lucide-react/dist/esm/Icon.mjs'
export { LucideProvider, useLucideContext } from 'lucide-react/dist/esm/context.mjs'`

func dreiEntry(file string) string {
	return "drei/" + strings.TrimSuffix(strings.TrimPrefix(file, "./"), ".js")
}

func (p *packer) build(entries map[string]string) api.BuildResult {
	var points []api.EntryPoint
	for name := range entries {
		points = append(points, api.EntryPoint{InputPath: "entry:" + name, OutputPath: name})
	}
	slices.SortFunc(points, func(a, b api.EntryPoint) int { return strings.Compare(a.OutputPath, b.OutputPath) })
	plugin := api.Plugin{Name: "runtime", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: "^entry:"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: strings.TrimPrefix(a.Path, "entry:"), Namespace: "entry"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "entry"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			source := entries[a.Path]
			return api.OnLoadResult{Contents: &source, ResolveDir: p.dir}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `[/\\\\]@react-three[/\\\\]drei[/\\\\].*\.js$`}, p.loadDrei)
		b.OnResolve(api.OnResolveOptions{Filter: `^lucide-react/dist/`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: filepath.Join(p.dir, "node_modules", filepath.FromSlash(a.Path))}, nil
		})
		b.OnResolve(api.OnResolveOptions{Filter: "^three$"}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: filepath.Join(p.dir, "node_modules/three/build/three.module.js")}, nil
		})
		b.OnResolve(api.OnResolveOptions{Filter: unshipped.String()}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: a.Path, Namespace: "unshipped"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "unshipped"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			source := fmt.Sprintf("module.exports = new Proxy({}, { get(_, name) { if (name === '__esModule') return true; throw new Error(%s) } })", quoteJS(a.Path+" is not part of koda's page runtime"))
			return api.OnLoadResult{Contents: &source, Loader: api.LoaderJS}, nil
		})
	}}
	return api.Build(api.BuildOptions{
		AbsWorkingDir: p.dir, Outdir: filepath.Join(p.dir, "out"), EntryPointsAdvanced: points,
		Bundle: true, Splitting: true, Format: api.FormatESModule, Platform: api.PlatformBrowser, Target: api.ESNext,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone, ChunkNames: "chunk-[hash]", Metafile: true, Write: false,
		Define:  map[string]string{"process.env.NODE_ENV": `"production"`},
		Plugins: []api.Plugin{plugin}, LogLevel: api.LogLevelSilent,
		TsconfigRaw: "{}",
	})
}

// loadDrei makes a module of drei import from the modules of three-stdlib instead of from
// its barrel. Through the barrel, every module that needs a class of three-stdlib would
// come with all classes that any module needs.
func (p *packer) loadDrei(a api.OnLoadArgs) (api.OnLoadResult, error) {
	data, err := os.ReadFile(a.Path)
	if err != nil {
		return api.OnLoadResult{}, err
	}
	source := stdlibImport.ReplaceAllStringFunc(string(data), func(statement string) string {
		var direct strings.Builder
		for _, clause := range strings.Split(stdlibImport.FindStringSubmatch(statement)[1], ",") {
			name, _, _ := strings.Cut(strings.TrimSpace(clause), " ")
			file, ok := p.stdlib[name]
			if !ok {
				return statement
			}
			fmt.Fprintf(&direct, "import {%s} from %s;", clause, quoteJS(filepath.Join(p.dir, "node_modules/three-stdlib", file)))
		}
		return direct.String()
	})
	return api.OnLoadResult{Contents: &source, ResolveDir: filepath.Dir(a.Path)}, nil
}

// importsByName reads the modules that a barrel imports from, by the imported names.
func importsByName(barrel string) (map[string]string, error) {
	data, err := os.ReadFile(barrel)
	if err != nil {
		return nil, err
	}
	modules := map[string]string{}
	for _, m := range namedImport.FindAllStringSubmatch(string(data), -1) {
		for _, clause := range strings.Split(m[1], ",") {
			if name := strings.TrimSpace(clause); identifier.MatchString(name) {
				modules[name] = m[2]
			}
		}
	}
	return modules, nil
}

var (
	stdlibImport = regexp.MustCompile(`import \{([^}]*)\} from 'three-stdlib';`)
	namedImport  = regexp.MustCompile(`(?m)^import \{([^}]*)\} from "(\./[^"]+)";`)
)

type metafile struct {
	Outputs map[string]struct {
		Imports []struct{ Path, Kind string }
		Exports []string
		Inputs  map[string]struct{ BytesInOutput int }
	}
}

// keep writes the outputs, notes the imports of each, and returns their exports.
func (p *packer) keep(result api.BuildResult) (map[string][]string, error) {
	var meta metafile
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return nil, err
	}
	exports := map[string][]string{}
	for out, o := range meta.Outputs {
		name := pageName(out)
		var file runtimeFile
		for _, imp := range o.Imports {
			file.Imports = append(file.Imports, pageName(imp.Path))
		}
		slices.Sort(file.Imports)
		file.Imports = slices.Compact(file.Imports)
		for input, in := range o.Inputs {
			if in.BytesInOutput == 0 {
				continue
			}
			p.use(input)
			file.WebGL = file.WebGL || strings.HasSuffix(input, "three/build/three.module.js")
		}
		p.index.Files[name] = file
		slices.Sort(o.Exports)
		exports[name] = o.Exports
	}
	for _, file := range result.OutputFiles {
		rel, err := filepath.Rel(p.dir, file.Path)
		if err != nil {
			return nil, err
		}
		p.add(pageName(filepath.ToSlash(rel)), file.Contents)
	}
	return exports, nil
}

func pageName(out string) string { return "page/" + strings.TrimPrefix(out, "out/") }

var (
	identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)
	reExport   = regexp.MustCompile(`(?m)^export (\{[^}]*\}|\*) from '([^']+)';`)
)

// commonJSNames asks node for the exports of a CommonJS package. For a package of ES
// modules the answer is nil.
func (p *packer) commonJSNames(ctx context.Context, spec string) ([]string, error) {
	switch spec {
	case "three", "@react-three/fiber", "recharts", "d3-scale", "d3-shape":
		return nil, nil
	}
	out, err := p.node(ctx, "-e", "console.log(JSON.stringify(Object.keys(require(process.argv[1]))))", spec)
	if err != nil {
		return nil, fmt.Errorf("list exports of %s: %w", spec, err)
	}
	var names []string
	if err := json.Unmarshal(out, &names); err != nil {
		return nil, fmt.Errorf("list exports of %s: %w", spec, err)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !identifier.MatchString(n) || n == "default" })
	slices.Sort(names)
	return names, nil
}

func (p *packer) node(ctx context.Context, args ...string) ([]byte, error) {
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, err
	}
	return proc.Output(ctx, proc.Spec{Path: node, Dir: p.dir, Env: append(os.Environ(), "NODE_ENV=production"), Args: args})
}

// reExports reads the statements with which a barrel exports from modules, by module.
func reExports(barrel string) (map[string]string, error) {
	data, err := os.ReadFile(barrel)
	if err != nil {
		return nil, err
	}
	modules := map[string]string{}
	for _, m := range reExport.FindAllStringSubmatch(string(data), -1) {
		from := m[2]
		if strings.HasPrefix(from, ".") {
			from = path.Join("@react-three/drei", from)
		}
		modules[m[2]] += "export " + m[1] + " from " + quoteJS(from) + ";"
	}
	if len(modules) == 0 {
		return nil, fmt.Errorf("%s exports nothing", barrel)
	}
	return modules, nil
}

func quoteJS(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string
	}
	return string(data)
}
