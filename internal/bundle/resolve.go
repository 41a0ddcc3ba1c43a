package bundle

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/koda"
)

// The namespaces of esbuild's modules. No namespace is "file", so esbuild never looks at
// a disk.
const (
	inProject  = "project" // a file of the project
	inRuntime  = "runtime" // a source file of the runtime
	inFacade   = "facade"  // the exports of a prebuilt package
	inDocument = "inline"  // a script or style of index.html
	inAddress  = "address" // the URL of a file, as a module
	inWorker   = "worker"  // a module that starts a file as a worker
	inEmpty    = "empty"   // a module that is empty in a browser
)

// plug registers esbuild's only resolver and its only loader.
func (p *pageBuild) plug(b api.PluginBuild) {
	b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		if strings.HasPrefix(a.Path, "data:") {
			return api.OnResolveResult{}, nil
		}
		result, wrong := p.resolve(a)
		if wrong != nil {
			return api.OnResolveResult{Errors: []api.Message{{Text: wrong.text, Notes: []api.Note{{Text: wrong.hint}}}}}, nil
		}
		return result, nil
	})
	b.OnLoad(api.OnLoadOptions{Filter: ".*"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
		if a.Namespace == "dataurl" {
			return api.OnLoadResult{}, nil
		}
		if a.Namespace == "file" { // the name comes from code that rewrite does not recognise
			return api.OnLoadResult{Errors: []api.Message{{Text: "a module has a name that is made as the page runs", Notes: []api.Note{{Text: "import modules by their names, or fetch files"}}}}}, nil
		}
		contents, loader, err := p.load(a)
		if err == nil && loader == api.LoaderCSS && a.With["type"] == "css" { // as a module
			contents, loader = "const sheet = new CSSStyleSheet()\nsheet.replaceSync("+quoteJS(contents)+")\nexport default sheet", api.LoaderJS
		}
		readable := true
		if err == nil && (a.Namespace == inProject || a.Namespace == inDocument) {
			contents = p.rewrite(a, contents, loader)
			readable, err = p.trial.readable(source{a.Path, contents, loader})
		}
		if err == nil && !readable {
			return api.OnLoadResult{Errors: []api.Message{{
				Text: "this is nested too deeply to be read, takes too long, or is too much", Location: &api.Location{File: p.fileName(a.Namespace + ":" + a.Path)},
				Notes: []api.Note{{Text: "write it in statements and files that are shorter, and put data into public/"}},
			}}}, nil
		}
		if err != nil {
			p.fail(err)
			return api.OnLoadResult{}, err
		}
		return api.OnLoadResult{Contents: &contents, Loader: loader}, nil
	})
}

// refusal says why an import is wrong, and what to do.
type refusal struct{ text, hint string }

func (p *pageBuild) resolve(a api.OnResolveArgs) (api.OnResolveResult, *refusal) {
	spec := a.Path
	if a.Kind == api.ResolveEntryPoint {
		if strings.HasPrefix(spec, "inline:") {
			return api.OnResolveResult{Path: strings.TrimPrefix(spec, "inline:"), Namespace: inDocument}, nil
		}
		return p.asModule(p.find(strings.TrimPrefix(spec, "file:")), spec, "")
	}
	switch a.Namespace {
	case inFacade:
		return api.OnResolveResult{Path: spec, External: true, SideEffects: api.SideEffectsFalse}, nil
	case inRuntime:
		if strings.HasPrefix(spec, ".") || isCSS(a.Kind) {
			return api.OnResolveResult{Path: path.Join(path.Dir(a.Importer), spec), Namespace: inRuntime, SideEffects: api.SideEffectsFalse}, nil
		}
		return p.packageModule(spec)
	}
	importer := a.Importer
	if a.Namespace == inDocument {
		importer = documentName
	}
	return p.fromProject(spec, importer, a.Kind)
}

// keyedSuffix marks the import of a JSON file that changes pictures only through their
// frame keys.
const keyedSuffix = "?keyed"

func isCSS(kind api.ResolveKind) bool {
	return kind == api.ResolveCSSURLToken || kind == api.ResolveCSSImportRule
}

// fromProject resolves a name in a file of the project.
func (p *pageBuild) fromProject(spec, importer string, kind api.ResolveKind) (api.OnResolveResult, *refusal) {
	if !isCSS(kind) {
		mapped, wrong := p.mapped(spec, importer)
		if wrong != nil {
			return api.OnResolveResult{}, wrong
		}
		spec = mapped
	}
	ends := "?"
	if kind == api.ResolveCSSURLToken {
		ends = "?#"
	}
	name, suffix := spec, ""
	if at := strings.IndexAny(spec, ends); at >= 0 {
		name, suffix = spec[:at], spec[at:]
	}
	if len(suffix) == 1 {
		suffix = ""
	}
	switch {
	case name == "" && kind == api.ResolveCSSURLToken:
		return api.OnResolveResult{Path: spec, External: true}, nil // url(#id)
	case webScheme.MatchString(spec):
		return api.OnResolveResult{}, &refusal{
			spec + " is on the network, which pages cannot reach",
			"import a package of the runtime, or put the file into the project",
		}
	case otherScheme.MatchString(spec) && !strings.HasPrefix(spec, ".") && !strings.HasPrefix(spec, "node:"):
		return api.OnResolveResult{}, &refusal{fmt.Sprintf("%q cannot be imported", spec), p.available("")}
	case strings.HasPrefix(name, "/"):
		return p.absolute(name, spec, suffix, kind)
	case strings.HasPrefix(name, "@/"):
		return p.projectFile("src/"+strings.TrimPrefix(name, "@/"), spec, suffix, kind)
	case strings.HasPrefix(name, ".") || kind == api.ResolveCSSURLToken:
		return p.projectFile(path.Join(path.Dir(importer), name), spec, suffix, kind)
	case kind == api.ResolveCSSImportRule && p.find(path.Join(path.Dir(importer), name)) != "":
		return p.projectFile(path.Join(path.Dir(importer), name), spec, suffix, kind)
	}
	return p.bare(name, suffix, importer, kind)
}

// absolute resolves a path from the page's root. In a style the path is an address, so a
// file of public/ wins. In a module the path is a file of the project, and only if there
// is no such file the address of a file in public/.
func (p *pageBuild) absolute(name, spec, suffix string, kind api.ResolveKind) (api.OnResolveResult, *refusal) {
	clean := path.Clean(name)
	_, public := p.page[clean]
	switch {
	case public && isCSS(kind):
		return api.OnResolveResult{Path: spec, External: true}, nil
	case public && suffix == "" && p.find(clean[1:]) == "" && !isScript(clean):
		return api.OnResolveResult{Path: clean, Namespace: inAddress}, nil
	}
	return p.projectFile(clean[1:], spec, suffix, kind)
}

// isScript reports whether a file is a module of code.
func isScript(name string) bool {
	return kinds[strings.ToLower(path.Ext(name))].media == "text/javascript"
}

// extensions are tried in this order when an import names no extension.
var extensions = []string{"", ".tsx", ".ts", ".jsx", ".js", ".mjs", ".cjs", ".css", ".json", "/index.tsx", "/index.ts", "/index.jsx", "/index.js", "/index.mjs", "/index.cjs"}

// find returns the project's file that a name stands for; "" if there is no such file.
func (p *pageBuild) find(name string) string {
	if !fs.ValidPath(name) {
		return ""
	}
	isFile := func(name string) bool {
		info, err := fs.Stat(p.files, name)
		if refused(err) {
			p.fail(err)
		}
		return err == nil && info.Mode().IsRegular()
	}
	for _, ext := range extensions {
		if isFile(name + ext) {
			return name + ext
		}
	}
	// TypeScript names its own modules by the names of the compiled files.
	if base, ok := strings.CutSuffix(name, ".js"); ok {
		for _, ext := range []string{".ts", ".tsx"} {
			if isFile(base + ext) {
				return base + ext
			}
		}
	}
	return ""
}

// locate is the project's file that the name of a module stands for. Files of public/ are
// at the root, too. If there is no such file, the result is "".
func (p *pageBuild) locate(name string, kind api.ResolveKind) string {
	file := p.findIn(name, kind)
	if file == "" {
		if plain, err := url.PathUnescape(name); err == nil && plain != name {
			file = p.findIn(plain, kind)
		}
	}
	if rest, ok := strings.CutPrefix(name, "public/"); ok && file == "" {
		return p.findIn(rest, kind)
	}
	if file == "" {
		return p.find("public/" + name)
	}
	return file
}

func (p *pageBuild) projectFile(name, spec, suffix string, kind api.ResolveKind) (api.OnResolveResult, *refusal) {
	if !fs.ValidPath(name) {
		return api.OnResolveResult{}, &refusal{spec + " lies outside the project", "imports stay inside the project and the page runtime"}
	}
	file := p.locate(name, kind)
	if file == "" && kind == api.ResolveCSSURLToken && (inPackages(name) || path.Ext(name) == ".eot") {
		return api.OnResolveResult{Path: spec, External: true}, nil // a browser asks for it only if it uses it
	}
	if file == "" {
		hint := p.nearestFile(name, strings.TrimSuffix(spec, suffix))
		if hint == "" && strings.HasPrefix(spec, "/") {
			hint = "a path from / starts at the project's root, or is a file of public/"
		}
		return api.OnResolveResult{}, &refusal{"there is no file " + spec, hint}
	}
	return p.asModule(file, spec, suffix)
}

// compiled are sources that a tool compiles to what browsers read.
var compiled = map[string]string{
	".scss": "Sass", ".sass": "Sass", ".less": "Less", ".styl": "Stylus", ".vue": "Vue", ".svelte": "Svelte", ".astro": "Astro", ".mdx": "MDX", ".coffee": "CoffeeScript",
}

// passing is the end of an address that koda ignores: a place in the file, or a version,
// as in font.woff?v=4.7.
var passing = regexp.MustCompile(`^(#|\?#|\?(v|ver|version|t)=|\?[\d.]+$)`)

// projectModule is a file of the project as a module.
func (p *pageBuild) projectModule(file, spec, suffix string) (api.OnResolveResult, *refusal) {
	if tool := compiled[path.Ext(file)]; tool != "" && suffix == "" {
		return api.OnResolveResult{}, &refusal{fmt.Sprintf("%s is written in %s, which koda does not compile", spec, tool), "build the page with its own tools, and render the directory that comes of it, such as dist/"}
	}
	if _, known := kinds[strings.ToLower(path.Ext(file))]; !known && suffix == "" {
		return api.OnResolveResult{}, &refusal{fmt.Sprintf("%s files cannot be imported", path.Ext(file)), "put the file into public/ and fetch it, or import it as text with ?raw"}
	}
	switch suffix {
	case keyedSuffix:
		if path.Ext(file) != ".json" {
			return api.OnResolveResult{}, &refusal{spec + ": only JSON can be imported with ?keyed", "import it without"}
		}
		fallthrough
	case "", "?raw", "?url":
		return api.OnResolveResult{Path: file, Namespace: inProject, Suffix: suffix}, nil
	case "?worker", "?sharedworker":
		p.addWorker(file, true)
		return api.OnResolveResult{Path: file, Namespace: inWorker, Suffix: suffix}, nil
	}
	if passing.MatchString(suffix) {
		return api.OnResolveResult{Path: file, Namespace: inProject, Suffix: suffix}, nil
	}
	return api.OnResolveResult{}, &refusal{fmt.Sprintf("%s: %s is not known here", spec, suffix), "?raw gives a file's text, ?url its address"}
}

var nodeBuiltins = strings.Fields(`assert async_hooks buffer child_process cluster console constants crypto dgram dns domain events fs
	fs/promises http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream
	string_decoder sys timers tls tty url util v8 vm wasi worker_threads zlib`)

// packageModule resolves an import of the page runtime.
func (p *pageBuild) packageModule(spec string) (api.OnResolveResult, *refusal) {
	if _, ok := p.runtime.index.Modules[spec]; ok {
		return api.OnResolveResult{Path: spec, Namespace: inFacade, SideEffects: api.SideEffectsFalse}, nil
	}
	for _, candidate := range sourceCandidates(spec) {
		if p.runtime.has(candidate) {
			return api.OnResolveResult{Path: candidate, Namespace: inRuntime}, nil
		}
	}
	switch name := packageName(spec); {
	case spec == "three/webgpu" || spec == "three/tsl":
		return api.OnResolveResult{}, &refusal{fmt.Sprintf("%q draws with WebGPU, which pages do not have", spec), `draw with WebGL: import from "three"`}
	case name == addonsName || slices.Contains(p.runtime.packages, name):
		return api.OnResolveResult{}, &refusal{fmt.Sprintf("the page runtime has no %q", spec), p.available(spec)}
	default:
		return api.OnResolveResult{}, &refusal{fmt.Sprintf("the package %q is not in the page runtime", name), p.available(spec)}
	}
}

// sourceCandidates lists the source files an import may stand for.
func sourceCandidates(spec string) []string {
	if rest, ok := strings.CutPrefix(spec, "three/examples/jsm/"); ok {
		spec = "three/addons/" + rest
	}
	file := "source/" + spec
	return []string{file, file + ".js", file + ".css", file + "/index.css"}
}

// addonsName is how the modules of three/addons are listed to people.
const addonsName = "three/addons/…"

var addonSpec = regexp.MustCompile(`^three/(addons|examples)\b`)

// packageName is the package that an import names, as people see it in lists.
func packageName(spec string) string {
	if addonSpec.MatchString(spec) {
		return addonsName
	}
	parts := strings.SplitN(spec, "/", 3)
	if strings.HasPrefix(spec, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// available says what can be imported, and names the package most similar to spec.
func (p *pageBuild) available(spec string) string {
	list := "available are files of the project and " + strings.Join(p.runtime.packages, ", ")
	if spec == "" {
		return list
	}
	known := slices.Clone(p.runtime.packages)
	for name := range p.runtime.index.Modules {
		known = append(known, name)
	}
	for file := range p.runtime.index.Files {
		if strings.HasPrefix(file, "source/three/") {
			known = append(known, strings.TrimPrefix(file, "source/"))
		}
	}
	slices.Sort(known)
	if like := koda.Nearest(spec, known); like != "" {
		return fmt.Sprintf("did you mean %q? %s", like, list)
	}
	return list
}

// load reads a module. An error is not a mistake of the project.
func (p *pageBuild) load(a api.OnLoadArgs) (string, api.Loader, error) {
	switch a.Namespace {
	case inDocument:
		for _, e := range p.doc.entries {
			if e.input == "inline:"+a.Path {
				if e.css {
					return e.inline, api.LoaderCSS, nil
				}
				return e.inline, api.LoaderJS, nil
			}
		}
	case inFacade:
		if a.Path == iconsModule {
			source, err := p.iconsFacade(a.Suffix == allIcons)
			return source, api.LoaderJS, err
		}
		return p.runtime.facade(a.Path), api.LoaderJS, nil
	case inAddress:
		return "export default " + quoteJS(a.Path), api.LoaderJS, nil
	case inEmpty:
		return "module.exports = {}", api.LoaderJS, nil
	case inWorker:
		kind := map[string]string{"?worker": "Worker", "?sharedworker": "SharedWorker"}[a.Suffix]
		return fmt.Sprintf("export default function (options) { return new %s(%s, { ...options, type: 'module' }) }", kind, quoteJS(workerURL(a.Path))), api.LoaderJS, nil
	case inRuntime:
		data, err := p.runtime.read(a.Path)
		return string(data), kinds[path.Ext(a.Path)].loader, err
	case inProject:
		data, err := fs.ReadFile(p.files, a.Path)
		if err == nil {
			err = p.loaded.Count(a.Path, int64(len(data)))
		}
		if err != nil {
			return "", 0, readFailed("read "+a.Path, err)
		}
		p.take(a.Path)
		if a.Suffix == keyedSuffix {
			p.mu.Lock()
			p.keyed = true
			p.mu.Unlock()
			if p.codeOnly {
				data = []byte("{}")
			}
		}
		return string(data), loaderOf(a.Path, a.Suffix), nil
	}
	return "", 0, fmt.Errorf("load %s:%s: unknown module", a.Namespace, a.Path)
}

func loaderOf(file, suffix string) api.Loader {
	switch {
	case suffix == "?raw":
		return api.LoaderText
	case suffix == "?url":
		return api.LoaderFile
	case strings.HasSuffix(file, ".module.css"):
		return api.LoaderLocalCSS
	}
	return kinds[strings.ToLower(path.Ext(file))].loader
}

func parseMetafile(text string) (metafile, error) {
	var m metafile
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, fmt.Errorf("read esbuild's metafile: %w", err)
	}
	return m, nil
}
