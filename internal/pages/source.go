package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Bounds for the code that is read: of a page with more code, only a part is read.
const (
	mostSources = 300
	mostSource  = 1 << 20 // bytes of one file
)

// source is the code of a page.
type source struct {
	files    fs.FS
	scripts  []script
	styles   []string
	packages []string          // packages that scripts import or tags load
	globals  []string          // packages that tags load
	specs    map[string]string // how scripts at the page's root import a package
	tags     []html.Token
	texts    int  // characters outside of tags, scripts and styles
	unseen   bool // some code could not be read
}

// script is code of the page itself, not of a library.
type script struct {
	name string // name of its file, or of the document that contains it
	text string
}

// readSource reads a document and the code it loads.
func readSource(files fs.FS, name string, text []byte) *source {
	s := &source{files: files, specs: map[string]string{}}
	base := path.Dir(name)
	z := html.NewTokenizer(bytes.NewReader(text))
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) {
				s.unseen = true
			}
			return s
		case html.TextToken:
			s.texts += len(bytes.TrimSpace(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := z.Token()
			s.tags = append(s.tags, tag)
			if style := attribute(tag, "style"); style != "" {
				s.styles = append(s.styles, tag.Data+"{"+style+"}")
			}
			switch {
			case tag.Data == "script" && kind == html.StartTagToken:
				body := ""
				if z.Next() == html.TextToken {
					body = string(z.Raw())
				}
				s.script(name, base, tag, body)
			case tag.Data == "style" && kind == html.StartTagToken:
				if z.Next() == html.TextToken {
					s.style(base, string(z.Raw()))
				}
			case tag.Data == "link" && strings.EqualFold(attribute(tag, "rel"), "stylesheet"):
				s.sheet(base, attribute(tag, "href"))
			}
		}
	}
}

func attribute(tag html.Token, key string) string {
	for _, a := range tag.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func (s *source) script(document, base string, tag html.Token, body string) {
	src, kind := attribute(tag, "src"), strings.ToLower(attribute(tag, "type"))
	module := kind == "module"
	if kind != "" && !module && !strings.Contains(kind, "javascript") && !strings.Contains(kind, "jsx") {
		return // data
	}
	switch {
	case src == "":
		s.code(document, base, body)
	case libraryOf(src) != "":
		s.packages = append(s.packages, libraryOf(src))
		s.globals = append(s.globals, libraryOf(src))
	default:
		s.load(base, src)
	}
}

// load reads a script of the page.
func (s *source) load(base, src string) {
	name := s.find(base, src)
	if slices.ContainsFunc(s.scripts, func(have script) bool { return have.name == name && name != "" }) {
		return
	}
	text, ok := s.read(name)
	if !ok {
		s.unseen = true
		return
	}
	s.code(name, path.Dir(name), text)
}

var (
	importSpec = regexp.MustCompile(`(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["']([^"'\n]+)["']`)
	bareSpec   = regexp.MustCompile(`^[a-zA-Z@][^:]*$`)
	cssImport  = regexp.MustCompile(`@import\s+(?:url\()?\s*["']([^"'\n]+)["']`)
)

// code takes the text of a script and follows what it imports.
func (s *source) code(name, base, text string) {
	if len(s.scripts) >= mostSources {
		s.unseen = true
		return
	}
	s.scripts = append(s.scripts, script{name, text})
	for _, m := range importSpec.FindAllStringSubmatch(text, -1) {
		spec := m[1]
		switch {
		case strings.HasSuffix(spec, ".css"):
			s.sheet(base, spec)
		case libraryOf(spec) != "":
			s.imported(libraryOf(spec), spec, base)
		case strings.HasPrefix(spec, ".") || strings.HasPrefix(spec, "/"):
			if ext := path.Ext(spec); ext == "" || slices.Contains(scriptEndings, ext) || s.find(base, spec) == "" {
				s.load(base, spec)
			}
		case strings.HasPrefix(spec, "@/"):
			s.load("src", "./"+strings.TrimPrefix(spec, "@/"))
		case bareSpec.MatchString(spec):
			s.imported(packageOf(spec), spec, base)
		default:
			s.unseen = true // on the network
		}
	}
}

// imported notes the import of a package, and the name by which a script at the root
// imports it.
func (s *source) imported(name, spec, base string) {
	s.packages = append(s.packages, name)
	if strings.HasPrefix(spec, ".") {
		spec = "./" + path.Join(base, spec)
	}
	if s.specs[name] == "" {
		s.specs[name] = spec
	}
}

func (s *source) sheet(base, href string) {
	if name := s.find(base, href); name != "" {
		if text, ok := s.read(name); ok {
			s.style(path.Dir(name), text)
		}
	}
}

func (s *source) style(base, text string) {
	if len(s.styles) >= mostSources {
		return
	}
	s.styles = append(s.styles, text)
	for _, m := range cssImport.FindAllStringSubmatch(text, -1) {
		s.sheet(base, m[1])
	}
}

var scriptEndings = []string{".js", ".mjs", ".jsx", ".ts", ".mts", ".tsx", ".vue", ".svelte"}

// find is the file that an address names; "" if there is no such file.
func (s *source) find(base, address string) string {
	address, _, _ = strings.Cut(address, "?")
	address, _, _ = strings.Cut(address, "#")
	if address == "" || strings.Contains(address, ":") || strings.HasPrefix(address, "//") {
		return ""
	}
	places := []string{path.Join(base, address)}
	if strings.HasPrefix(address, "/") {
		places = []string{path.Clean(address[1:]), path.Join("public", address)}
	}
	for _, at := range places {
		for _, ending := range append(append([]string{""}, scriptEndings...), "/index.js", "/index.ts", "/index.tsx", "/index.jsx") {
			if name := at + ending; fs.ValidPath(name) {
				if info, err := fs.Stat(s.files, name); err == nil && info.Mode().IsRegular() {
					return name
				}
			}
		}
	}
	return ""
}

func (s *source) read(name string) (string, bool) {
	if name == "" {
		return "", false
	}
	info, err := fs.Stat(s.files, name)
	if err != nil || info.Size() > mostSource {
		return "", false
	}
	data, err := fs.ReadFile(s.files, name)
	return string(data), err == nil
}

// packageOf is the package of an import.
func packageOf(spec string) string {
	parts := strings.SplitN(spec, "/", 3)
	if strings.HasPrefix(spec, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// dependencies are the packages that package.json names.
func dependencies(files fs.FS) []string {
	var p struct {
		Dependencies map[string]any `json:"dependencies"`
	}
	data, err := fs.ReadFile(files, "package.json")
	if err != nil || json.Unmarshal(data, &p) != nil {
		return nil
	}
	var names []string
	for name := range p.Dependencies {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// all is the text of all scripts.
func (s *source) all() string {
	var b strings.Builder
	for _, sc := range s.scripts {
		b.WriteString(uncommented(sc.text) + "\n")
	}
	return b.String()
}

var comments = regexp.MustCompile(`(?s)/\*.*?\*/|(?m)(^|[\s;{}])//[^\n]*`)

// uncommented is code without its comments, as far as this is possible without parsing
// it.
func uncommented(text string) string { return comments.ReplaceAllString(text, "$1") }

func (s *source) css() string { return strings.Join(s.styles, "\n") }

// count is the number of tags with a name.
func (s *source) count(name string) (n int) {
	for _, tag := range s.tags {
		if tag.Data == name {
			n++
		}
	}
	return n
}
