package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/koda"
)

const modulesDir = "node_modules"

// splitPackage splits the name in an import into a package and a subpath of it.
func splitPackage(spec string) (name, sub string) {
	parts := strings.SplitN(spec, "/", 3)
	if strings.HasPrefix(spec, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1], strings.Join(parts[2:], "/")
	}
	return parts[0], strings.Join(parts[1:], "/")
}

// bare resolves the import of a package.
func (p *pageBuild) bare(spec, suffix, importer string, kind api.ResolveKind) (api.OnResolveResult, *refusal) {
	if result, wrong, done := p.renamed(spec, suffix, importer, kind); done {
		return result, wrong
	}
	if file, wrong := p.vendored(spec); file != "" || wrong != nil && p.closed {
		if wrong != nil {
			return api.OnResolveResult{}, wrong
		}
		return p.asModule(file, spec, suffix)
	}
	name, sub := splitPackage(spec)
	dir, wrong := p.installed(name, path.Dir(importer))
	if wrong != nil {
		return api.OnResolveResult{}, wrong
	}
	ours, isOurs := runtimePackages()[name]
	switch {
	case dir != "" && !(isOurs && p.takesRuntime(name, dir)):
		return p.ownModule(spec, dir, sub, suffix, kind)
	case isOurs:
		if own := p.doubled(name); own != "" {
			return api.OnResolveResult{}, &refusal{
				fmt.Sprintf("koda's own %q comes with %s %s, and the directory has another", name, own, runtimePackages()[own].version),
				fmt.Sprintf("npm install %s in the project's directory, so that there is one %s", name, own),
			}
		}
	case isBuiltin(spec):
		if inPackages(importer) {
			return api.OnResolveResult{Path: spec, Namespace: inEmpty}, nil // as in every browser
		}
		return api.OnResolveResult{}, &refusal{fmt.Sprintf("%q is a module of node, and this runs in a browser", spec), p.available("")}
	}
	result, wrong := p.packageModule(spec)
	switch {
	case wrong != nil && !isOurs && inPackages(importer) && (kind == api.ResolveJSRequireCall || kind == api.ResolveJSDynamicImport):
		return api.OnResolveResult{Path: spec, External: true}, nil // the importer may do without it, and otherwise says what is missing
	case wrong == nil && result.Path == iconsModule && inPackages(importer):
		result.Suffix = allIcons
	case wrong != nil && isOurs && dir != "" && !p.closed:
		// The versions are equal, but the runtime has only a part of the package. The
		// page is made again, with the directory's package.
		p.demand(name)
		return p.ownModule(spec, dir, sub, suffix, kind)
	case wrong != nil && isOurs && !p.closed && spec != "three/webgpu" && spec != "three/tsl":
		wrong.hint = fmt.Sprintf("%s. All of it can be had from your own: npm install %s@%s in the project's directory", wrong.hint, name, ours.version)
	case wrong != nil && !p.closed && name != addonsName && !isOurs:
		wrong.text = fmt.Sprintf("there is no package %.100q", name)
		install := fmt.Sprintf("npm install %.100s in the project's directory, as node_modules above it is not looked at", name)
		if strings.HasPrefix(wrong.hint, "did you mean") {
			wrong.hint += "; of your own: " + install
		} else {
			wrong.hint = install + "; without, " + wrong.hint
		}
		if strings.HasPrefix(spec, "#") {
			wrong.text, wrong.hint = fmt.Sprintf("no package.json has %q among its imports", spec), "name the file: ./…"
		}
	}
	return result, wrong
}

// renamed resolves a name to which the importer's own package.json gives another meaning.
func (p *pageBuild) renamed(spec, suffix, importer string, kind api.ResolveKind) (result api.OnResolveResult, wrong *refusal, done bool) {
	pkg := p.packageOf(importer)
	if pkg == nil {
		return result, nil, false
	}
	if strings.HasPrefix(spec, "#") {
		target := exported(pkg.Imports, spec, conditionsOf(kind))
		switch {
		case target == "":
			return result, nil, false
		case strings.HasPrefix(target, "."):
			result, wrong = p.asModule(p.findIn(path.Join(pkg.dir, target), kind), spec, suffix)
		case !strings.HasPrefix(target, "#"):
			result, wrong = p.bare(target, suffix, path.Join(pkg.dir, "package.json"), kind)
		}
		return result, wrong, true
	}
	if pkg.dir == "." || pkg.Browser.kind != '{' {
		return result, nil, false
	}
	at := slices.Index(pkg.Browser.keys, spec)
	if at < 0 {
		return result, nil, false
	}
	switch to := pkg.Browser.items[at].text; {
	case to == "":
		return api.OnResolveResult{Path: spec, Namespace: inEmpty}, nil, true
	case to == spec:
		return result, nil, false
	case strings.HasPrefix(to, "."):
		result, wrong = p.asModule(p.findIn(path.Join(pkg.dir, to), kind), spec, suffix)
	default:
		name, sub := splitPackage(to)
		dir, missing := p.installed(name, pkg.dir)
		if dir == "" || missing != nil {
			return result, missing, missing != nil
		}
		result, wrong = p.ownModule(to, dir, sub, suffix, kind)
	}
	return result, wrong, true
}

// ownModule resolves a module of a package in the directory.
func (p *pageBuild) ownModule(spec, dir, sub, suffix string, kind api.ResolveKind) (api.OnResolveResult, *refusal) {
	pkg, wrong := p.packageAt(dir)
	if wrong != nil {
		return api.OnResolveResult{}, wrong
	}
	name, _ := splitPackage(spec)
	var file string
	if pkg != nil && (pkg.Exports.kind != 0 || pkg.Exports.text != "") {
		subpath := "."
		if sub != "" {
			subpath = "./" + sub
		}
		target := exported(pkg.Exports, subpath, conditionsOf(kind))
		if target == "" && isCSS(kind) && subpath == "." {
			target = cmp.Or(pkg.Style.text, exported(pkg.Exports, subpath, conditionsOf(api.ResolveJSImportStatement)))
		}
		if target == "" {
			return api.OnResolveResult{}, &refusal{fmt.Sprintf("the package %q exports no %q", name, subpath), p.alike(pkg, name, subpath)}
		}
		if file = path.Join(dir, target); strings.HasPrefix(file, dir+"/") {
			file = p.find(file)
		} else {
			file = ""
		}
	} else {
		file = p.fileIn(pkg, dir, sub, kind)
	}
	if file == "" {
		return api.OnResolveResult{}, &refusal{fmt.Sprintf("%s has no file for %q", dir, spec), fmt.Sprintf("look at what is in %s, or install it again: npm install %s", dir, name)}
	}
	return p.asModule(file, spec, suffix)
}

// alike is a hint with the export of a package that is most similar to a subpath.
func (p *pageBuild) alike(pkg *packageFile, name, subpath string) string {
	like := koda.Nearest(subpath, pkg.Exports.keys)
	if !strings.HasPrefix(like, ".") || like == subpath {
		return "look at the exports in " + pkg.dir + "/package.json"
	}
	return fmt.Sprintf("did you mean %q?", path.Join(name, like))
}

// asModule is the module of a file that was found, or of the file that replaces it in a
// browser.
func (p *pageBuild) asModule(file, spec, suffix string) (api.OnResolveResult, *refusal) {
	if file == "" {
		return api.OnResolveResult{}, &refusal{"there is no file " + spec, ""}
	}
	pkg := p.packageOf(file)
	if pkg != nil && pkg.dir != "." && pkg.Browser.kind == '{' {
		for i, key := range pkg.Browser.keys {
			if !strings.HasPrefix(key, ".") && !strings.Contains(key, ".") {
				continue
			}
			if name := path.Join(pkg.dir, key); name != file && name+".js" != file && name+"/index.js" != file {
				continue
			}
			to := pkg.Browser.items[i].text
			if to == "" {
				return api.OnResolveResult{Path: file, Namespace: inEmpty}, nil
			}
			file = cmp.Or(p.find(path.Join(pkg.dir, to)), file)
			break
		}
	}
	result, wrong := p.projectModule(file, spec, suffix)
	if inPackages(file) && pkg.pure(file) {
		result.SideEffects = api.SideEffectsFalse
	}
	return result, wrong
}

// inPackages reports whether a file belongs to a package.
func inPackages(file string) bool {
	return strings.HasPrefix(file, modulesDir+"/") || strings.Contains(file, "/"+modulesDir+"/")
}

// packageOf is the package that a file belongs to; nil if there is no package, or if its
// package.json is damaged.
func (p *pageBuild) packageOf(file string) *packageFile {
	if at := strings.LastIndex("/"+file, "/"+modulesDir+"/"); at >= 0 {
		before, after := file[:at+len(modulesDir)], file[at+len(modulesDir)+1:]
		name, _ := splitPackage(after)
		pkg, _ := p.packageAt(path.Join(before, name))
		return pkg
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if pkg, _ := p.packageAt(dir); pkg != nil || dir == "." || dir == "/" {
			return pkg
		}
	}
}

// installed is the directory of a package that is imported from a directory: in the
// nearest node_modules, up to the project's root. If the package is not there, the result
// is "".
func (p *pageBuild) installed(name, from string) (string, *refusal) {
	if p.closed || !fs.ValidPath(name) || name == "." || strings.HasPrefix(name, "#") {
		return "", nil
	}
	for dir := from; ; dir = path.Dir(dir) {
		if path.Base(dir) != modulesDir {
			at, wrong := p.directory(path.Join(dir, modulesDir, name))
			if at != "" || wrong != nil {
				return at, wrong
			}
		}
		if dir == "." || dir == "/" {
			return "", nil
		}
	}
}

// directory is the real place of a directory, because some installers link packages to
// where they keep them. It follows the links by name alone, from the project's root, and
// goes through no link that it has not followed: so what is read lies in the project. If
// there is no directory, the result is "".
func (p *pageBuild) directory(name string) (string, *refusal) {
	return p.dirs.find(name, p.followed)
}

// memo keeps what was found, by name. Several goroutines may use it: two may look for the
// same name, and both find the same.
type memo[T any] struct {
	mu    sync.Mutex
	known map[string]finding[T]
}

type finding[T any] struct {
	value T
	wrong *refusal
}

func (m *memo[T]) find(name string, look func(string) (T, *refusal)) (T, *refusal) {
	m.mu.Lock()
	f, ok := m.known[name]
	m.mu.Unlock()
	if ok {
		return f.value, f.wrong
	}
	f.value, f.wrong = look(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[string]finding[T]{}
	}
	m.known[name] = f
	return f.value, f.wrong
}

// mostLinks bounds the links that are followed to one directory.
const mostLinks = 20

func (p *pageBuild) followed(name string) (string, *refusal) {
	const flat = "install packages as files: npm install, or pnpm with node-linker=hoisted"
	at := name
follow:
	for range mostLinks {
		for end := 1; end <= len(at); end++ {
			if end < len(at) && at[end] != '/' {
				continue
			}
			info, err := fs.Lstat(p.files, at[:end])
			switch {
			case errors.Is(err, fs.ErrNotExist), err != nil && !refused(err):
				return "", nil
			case err != nil:
				return "", &refusal{err.Error(), flat}
			case info.Mode().Type() == fs.ModeSymlink:
				to, err := fs.ReadLink(p.files, at[:end])
				next := path.Join(path.Dir(at[:end]), to, at[end:])
				if err != nil || path.IsAbs(to) || !fs.ValidPath(next) {
					return "", &refusal{fmt.Sprintf("%s is a link that leads out of the project", at[:end]), flat}
				}
				at = next
				continue follow
			case !info.IsDir():
				return "", nil
			}
		}
		return at, nil
	}
	return "", &refusal{name + " is a link in a circle", flat}
}
