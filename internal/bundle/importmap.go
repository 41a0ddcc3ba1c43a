package bundle

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// importMap is what <script type="importmap"> says, of all of them: what the names
// in imports stand for. Addresses are paths from the page's root, or URLs.
type importMap struct {
	imports map[string]string
	scopes  map[string]map[string]string
}

// read takes a script in. Base is the directory that its addresses are relative
// to. What an earlier one said stands.
func (m *importMap) read(text []byte, base string) error {
	var raw struct {
		Imports map[string]*string            `json:"imports"`
		Scopes  map[string]map[string]*string `json:"scopes"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	if m.imports == nil {
		m.imports, m.scopes = map[string]string{}, map[string]map[string]string{}
	}
	take := func(into map[string]string, from map[string]*string) {
		for name, to := range from {
			if name = addressIn(name, base); to != nil && into[name] == "" {
				into[name] = addressIn(*to, base)
			}
		}
	}
	take(m.imports, raw.Imports)
	for scope, names := range raw.Scopes {
		scope = addressIn(scope, base)
		if !strings.HasPrefix(scope, "/") && !otherScheme.MatchString(scope) {
			scope = addressIn("./"+scope, base)
		}
		if m.scopes[scope] == nil {
			m.scopes[scope] = map[string]string{}
		}
		take(m.scopes[scope], names)
	}
	return nil
}

// addressIn is the path from the page's root of a relative address; what is none
// is left as it is.
func addressIn(address, base string) string {
	if !strings.HasPrefix(address, "./") && !strings.HasPrefix(address, "../") && !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
		return address
	}
	full := path.Join("/", address)
	if address[0] != '/' {
		full = path.Join("/", base, address)
	}
	if strings.HasSuffix(address, "/") && full != "/" {
		full += "/"
	}
	return full
}

// resolve is what a name stands for in a module at a path from the page's root.
func (m *importMap) resolve(name, importer string) (string, bool) {
	if len(m.imports)+len(m.scopes) == 0 {
		return "", false
	}
	name = addressIn(name, path.Dir(importer))
	var scopes []string
	for scope := range m.scopes {
		if scope == importer || strings.HasSuffix(scope, "/") && strings.HasPrefix(importer, scope) {
			scopes = append(scopes, scope)
		}
	}
	slices.SortFunc(scopes, func(a, b string) int { return len(b) - len(a) })
	for _, scope := range scopes {
		if to, ok := lookUp(m.scopes[scope], name); ok {
			return to, true
		}
	}
	return lookUp(m.imports, name)
}

// lookUp finds a name, or the longest of its beginnings that end with a slash.
func lookUp(names map[string]string, name string) (string, bool) {
	if to, ok := names[name]; ok {
		return to, true
	}
	for end := strings.LastIndexByte(name, '/'); end >= 0; end = strings.LastIndexByte(name[:end], '/') {
		if to, ok := names[name[:end+1]]; ok && strings.HasSuffix(to, "/") {
			return to + name[end+1:], true
		}
	}
	return "", false
}

var pinnedVersion = regexp.MustCompile(`@(v?\d[\w.+-]*)`)

// mapped is what an import names by the import map; the same if that is silent. An
// entry that leads to the network gives way to a package that lies in the
// directory.
func (p *pageBuild) mapped(spec, importer string) (string, *refusal) {
	to, ok := p.doc.imports.resolve(spec, addressOf(importer))
	if !ok || to == spec {
		return spec, nil
	}
	if strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") {
		return to, nil
	}
	if !webScheme.MatchString(to) {
		return spec, &refusal{fmt.Sprintf("the import map has %q for %q, which is no address", to, spec), "an address begins with /, ./ or ../"}
	}
	name, _ := splitPackage(spec)
	if dir, wrong := p.installed(name, path.Dir(importer)); dir != "" || wrong != nil {
		return spec, wrong
	}
	install := name
	if version := pinnedVersion.FindStringSubmatch(to); version != nil {
		install += "@" + strings.TrimPrefix(version[1], "v")
	}
	hint := fmt.Sprintf("npm install %s in the project's directory", install)
	if ours, known := runtimePackages()[name]; known {
		hint += fmt.Sprintf(", or take the entry out of the import map: koda's own %s is %s", name, ours.version)
	}
	return spec, &refusal{fmt.Sprintf("%q is %s by the import map, which is on the network, and pages have none", spec, to), hint}
}

// addressOf is the path from the page's root of a file of the project.
func addressOf(file string) string {
	return "/" + strings.TrimPrefix(file, "public/")
}
