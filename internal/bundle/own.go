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

// runtimePackage is a package that the page runtime has.
type runtimePackage struct {
	version string
	needs   []string // the packages of the runtime that it comes with
}

// runtimePackages are those of the page runtime, by name, from its lock file.
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
// instead. A package that lies there in another version wins, for a page that
// pins its own three must get that one; of the same version koda's is taken, which
// needs no bundling. A package of the runtime that comes with one of those must
// come from the directory, too, so that there is one react and one three.
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

// spreadOwn makes the directory's own of what comes with its own.
func (p *pageBuild) spreadOwn() {
	for name := range runtimePackages() {
		if dir, _ := p.installed(name, "."); dir != "" && p.doubled(name) != "" {
			p.own[name] = true
		}
	}
}

// takesRuntime reports whether koda's package is taken though one lies at dir.
func (p *pageBuild) takesRuntime(name, dir string) bool {
	if at, _ := p.installed(name, "."); at == dir {
		return !p.own[name]
	}
	pkg, _ := p.packageAt(dir) // below another package, which wants its own
	return pkg != nil && pkg.Version.text == runtimePackages()[name].version && p.doubled(name) == "" && !p.own[name]
}

// doubled is a package that the runtime's package of that name would bring a second
// time; "" if none.
func (p *pageBuild) doubled(name string) string {
	for _, need := range runtimePackages()[name].needs {
		if p.own[need] {
			return need
		}
	}
	return ""
}

// demand notes that a package must be the directory's own.
func (p *pageBuild) demand(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.demanded == nil {
		p.demanded = map[string]bool{}
	}
	p.demanded[name] = true
}

// madeByKoda reports whether a project is one that koda made. Such a project is
// drawn from its versions, which have no node_modules, so what lies there in its
// directory is not looked at: else two pages made one picture.
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
