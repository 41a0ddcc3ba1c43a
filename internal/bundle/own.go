package bundle

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/koda-video/koda/templates"
)

// runtimePackage is a package of the page runtime.
type runtimePackage struct {
	version string
	needs   []string // the packages of the runtime that it needs
}

// runtimePackages are the packages of the page runtime, by name, from its lock file.
var runtimePackages = sync.OnceValue(func() map[string]runtimePackage {
	_, data := templates.RuntimeLock()
	type locked struct{ Version string }
	var lock struct {
		Packages map[string]struct {
			locked
			Dependencies, PeerDependencies map[string]string
		}
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		panic(err) // embedded
	}
	all := map[string]runtimePackage{}
	roots := lock.Packages[""].Dependencies
	for name := range roots {
		seen := map[string]bool{}
		for todo := []string{name}; len(todo) > 0; {
			at := todo[0]
			todo = todo[1:]
			if seen[at] {
				continue
			}
			seen[at] = true
			of := lock.Packages[modulesDir+"/"+at]
			todo = append(todo, slices.Collect(maps.Keys(of.Dependencies))...)
			todo = append(todo, slices.Collect(maps.Keys(of.PeerDependencies))...)
		}
		maps.DeleteFunc(seen, func(n string, _ bool) bool { return roots[n] == "" || n == name })
		all[name] = runtimePackage{lock.Packages[modulesDir+"/"+name].Version, slices.Sorted(maps.Keys(seen))}
	}
	return all
})

// chooseOwn decides which packages of the runtime a page takes from its directory
// instead. If the directory has another version, the directory wins, because a page that
// pins its own three must get that three. If the versions are equal, koda's package is
// taken, because it needs no bundling. A package of the runtime that needs one of the
// directory's packages must come from the directory too, so that there is only one react
// and one three.
func (p *pageBuild) chooseOwn() {
	p.own = map[string]bool{}
	if p.closed {
		return
	}
	for name, ours := range runtimePackages() {
		dir, wrong := p.installed(name, ".")
		if dir == "" || wrong != nil {
			continue
		}
		if pkg, _ := p.packageAt(dir); pkg == nil || pkg.Version.text != ours.version {
			p.own[name] = true
		}
	}
	p.spreadOwn()
}

// spreadOwn also takes from the directory every package that needs one of the directory's
// packages.
func (p *pageBuild) spreadOwn() {
	for name := range runtimePackages() {
		if dir, _ := p.installed(name, "."); dir != "" && p.doubled(name) != "" {
			p.own[name] = true
		}
	}
}

// takesRuntime reports whether koda's package is taken, although a package lies at dir.
func (p *pageBuild) takesRuntime(name, dir string) bool {
	if at, _ := p.installed(name, "."); at == dir {
		return !p.own[name]
	}
	pkg, _ := p.packageAt(dir) // a package below another package belongs to that package
	return pkg != nil && pkg.Version.text == runtimePackages()[name].version && p.doubled(name) == "" && !p.own[name]
}

// doubled is a package that would be on the page twice if the runtime's package of that
// name were taken; "" if there is none.
func (p *pageBuild) doubled(name string) string {
	for _, need := range runtimePackages()[name].needs {
		if p.own[need] {
			return need
		}
	}
	return ""
}

// demand notes that a package must come from the directory.
func (p *pageBuild) demand(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.demanded == nil {
		p.demanded = map[string]bool{}
	}
	p.demanded[name] = true
}

// madeByKoda reports whether koda made the project. Koda draws the versions of such a
// project, and versions have no node_modules. So koda does not look at node_modules in
// the project's directory: otherwise one project would give two pictures.
func madeByKoda(files fs.FS) bool {
	for _, name := range []string{".koda/state.json", "src/koda/mount.tsx"} {
		if info, err := fs.Stat(files, name); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

func isBuiltin(spec string) bool {
	name := strings.TrimPrefix(spec, "node:")
	return name != spec || slices.Contains(nodeBuiltins, name) || slices.Contains(nodeBuiltins, path.Dir(name))
}
