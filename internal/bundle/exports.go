package bundle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/projectfs"
)

// packageFile is the part of a package.json that koda reads. A field of the wrong type
// counts as missing.
type packageFile struct {
	dir string

	Version     value `json:"version"`
	Main        value `json:"main"`
	Module      value `json:"module"`
	Style       value `json:"style"`
	Browser     value `json:"browser"`
	Exports     value `json:"exports"`
	Imports     value `json:"imports"`
	SideEffects value `json:"sideEffects"`
}

// value is a JSON value that keeps the order of an object's keys, because the first
// condition that holds decides.
type value struct {
	kind  json.Delim // '{', '[', or 0
	text  string     // a string
	is    any        // any other value, such as false
	keys  []string   // the keys of an object
	items []value    // the items of an object or a list
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *value) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	return v.read(d)
}

func (v *value) read(d *json.Decoder) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		v.text, _ = token.(string)
		v.is = token
		return nil
	}
	v.kind, v.is = delim, delim
	for d.More() {
		if delim == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			text, _ := key.(string)
			v.keys = append(v.keys, text)
		}
		var item value
		if err := item.read(d); err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	_, err = d.Token()
	return err
}

// packageAt reads the package.json of a directory; nil if there is no such file.
func (p *pageBuild) packageAt(dir string) (*packageFile, *refusal) {
	return p.packages.find(dir, p.readPackage)
}

func (p *pageBuild) readPackage(dir string) (*packageFile, *refusal) {
	name := path.Join(dir, "package.json")
	info, err := fs.Stat(p.files, name)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	if info.Size() > projectfs.MaxSettings {
		return nil, &refusal{name + " is too large to be that of a package", "install the package again"}
	}
	data, err := fs.ReadFile(p.files, name)
	file := &packageFile{dir: dir}
	if err == nil {
		err = json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), file)
	}
	if err != nil {
		return nil, &refusal{name + " cannot be read: " + err.Error(), "install the package again"}
	}
	return file, nil
}

// conditionsOf are the conditions in a package's exports that hold for an import.
func conditionsOf(kind api.ResolveKind) []string {
	switch {
	case isCSS(kind):
		return []string{"style", "browser", "production", "default"}
	case kind == api.ResolveJSRequireCall || kind == api.ResolveJSRequireResolve:
		return []string{"require", "module", "browser", "production", "default"}
	}
	return []string{"import", "module", "browser", "production", "default"}
}

// exported is the file that a package's exports, or imports, name for a subpath such as
// "." or "./sub", by node's rules; "" if they name no file.
func exported(exports value, subpath string, conditions []string) string {
	named := exports.kind == '{' && slices.ContainsFunc(exports.keys, func(k string) bool { return strings.HasPrefix(k, ".") || strings.HasPrefix(k, "#") })
	if !named {
		if subpath != "." {
			return ""
		}
		target, _ := exports.target("", conditions)
		return target
	}
	best, star, length := -1, "", -1
	for i, key := range exports.keys {
		before, after, pattern := strings.Cut(key, "*")
		switch {
		case key == subpath:
			target, _ := exports.items[i].target("", conditions)
			return target
		case !pattern && strings.HasSuffix(key, "/") && strings.HasPrefix(subpath, key): // an old form: a folder
			before = key
		case !pattern || strings.Contains(after, "*"), len(subpath) < len(key), !strings.HasPrefix(subpath, before), !strings.HasSuffix(subpath, after):
			continue
		}
		if rank := len(before)*2 + min(len(after), 1); rank > length {
			best, star, length = i, subpath[len(before):len(subpath)-len(after)], rank
		}
	}
	if best < 0 {
		return ""
	}
	target, _ := exports.items[best].target(star, conditions)
	if strings.HasSuffix(target, "/") {
		target += star
	}
	return target
}

// target is the file that an export stands for. Known says that a condition decided, even
// if it decided that there is no file.
func (v value) target(star string, conditions []string) (file string, known bool) {
	switch {
	case v.kind == '{':
		for i, key := range v.keys {
			if slices.Contains(conditions, key) {
				if file, known := v.items[i].target(star, conditions); known {
					return file, true
				}
			}
		}
		return "", false
	case v.kind == '[':
		for _, item := range v.items {
			if file, known := item.target(star, conditions); known && file != "" {
				return file, true
			}
		}
		return "", true
	}
	return strings.ReplaceAll(v.text, "*", star), true
}

// fileIn is a file of a package without exports: the main file if sub is "", otherwise
// the file at sub; "" if there is no such file.
func (p *pageBuild) fileIn(pkg *packageFile, dir, sub string, kind api.ResolveKind) string {
	if sub != "" {
		return p.findIn(path.Join(dir, sub), kind)
	}
	if pkg != nil {
		fields := []string{pkg.Browser.text, pkg.Module.text, pkg.Main.text}
		switch {
		case isCSS(kind):
			fields = []string{pkg.Style.text, pkg.Main.text}
		case kind == api.ResolveJSRequireCall:
			fields = []string{pkg.Browser.text, pkg.Main.text, pkg.Module.text}
		}
		for _, field := range fields {
			if field == "" {
				continue
			}
			if file := p.find(path.Join(dir, field)); file != "" {
				return file
			}
		}
	}
	return cmp.Or(p.find(path.Join(dir, "index")), p.find(path.Join(dir, path.Base(dir))))
}

// findIn is find by the rules of packages: the package.json of a directory may say which
// file the directory stands for.
func (p *pageBuild) findIn(name string, kind api.ResolveKind) string {
	file := p.find(name)
	if file != "" && path.Dir(file) != name {
		return file
	}
	if pkg, wrong := p.packageAt(name); pkg != nil && wrong == nil {
		return cmp.Or(p.fileIn(pkg, name, "", kind), file)
	}
	return file
}

// pure reports whether a package says that importing one of its files has no effect by
// itself.
func (pkg *packageFile) pure(file string) bool {
	if pkg == nil {
		return false
	}
	if pkg.SideEffects.is == false {
		return true
	}
	if pkg.SideEffects.kind != '[' {
		return false
	}
	name := strings.TrimPrefix(file, pkg.dir+"/")
	for _, item := range pkg.SideEffects.items {
		pattern := strings.TrimPrefix(item.text, "./")
		base := path.Base(name)
		if rest, ok := strings.CutPrefix(pattern, "**/"); ok && !strings.Contains(rest, "/") {
			pattern = rest
		}
		if strings.ContainsAny(strings.ReplaceAll(pattern, "*.", ""), "*?[{") {
			return false // these rules do not cover it
		}
		byName, _ := path.Match(pattern, name) //nolint:errcheck // a bad pattern fits nothing
		byBase, _ := path.Match(pattern, base) //nolint:errcheck // as above
		if byName || byBase && !strings.Contains(pattern, "/") {
			return false
		}
	}
	return true
}
