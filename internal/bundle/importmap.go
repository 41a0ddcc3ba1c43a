package bundle

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// importMap joins all <script type="importmap">: it says what the names in imports stand
// for. Addresses are paths from the page's root, or URLs.
type importMap struct {
	imports map[string]string
	scopes  map[string]map[string]string
}

// read takes in a script. Its addresses are relative to the directory base. If an earlier
// script says something else, the earlier script wins.
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

// addressIn makes a relative address a path from the page's root. Anything else stays as
// it is.
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

// resolve says what a name stands for in a module whose path from the page's root is
// importer.
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

// lookUp finds a name, or its longest prefix that ends with a slash.
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

// mapped is what an import names by the import map; if the map says nothing, the import
// itself. If an entry leads to the network but the package lies in the directory, the
// package wins.
func (p *pageBuild) mapped(spec, importer string) (string, *refusal) {
	to, ok := p.doc.imports.resolve(spec, addressOf(importer))
	if !ok || to == spec {
		return spec, nil
	}
	if strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") {
		return to, nil
	}
	if !webScheme.MatchString(to) {
		return spec, &refusal{fmt.Sprintf("the import map has %q for %q, which is not an address", to, spec), "an address begins with /, ./ or ../"}
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
	return spec, &refusal{fmt.Sprintf("the import map takes %q from %s, on the network, which pages cannot reach", spec, to), hint}
}

// addressOf is the path from the page's root of a file of the project.
func addressOf(file string) string {
	return "/" + strings.TrimPrefix(file, "public/")
}
