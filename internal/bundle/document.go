package bundle

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/koda-video/koda/internal/koda"
)

const documentName = "index.html"

// document is index.html: its text, and the places that bundling changes.
type document struct {
	source  []byte
	entries []entry
	edits   []edit
	// referenced are the project's files that tags name and that go on the page
	// unchanged, by their path in the project.
	referenced []reference
	imports    importMap
}

// entry is something that esbuild bundles.
type entry struct { // what the plugin resolves
	input  string // what the plugin resolves
	output string // URL below outputs, without extension
	inline string // the source, for a script or style in the document itself
	css    bool
}

// url is the URL of the entry's bundle.
func (e entry) url() string {
	if e.css {
		return outputs + "/" + e.output + ".css"
	}
	return outputs + "/" + e.output + ".js"
}

// edit replaces source[from:to] by a tag that loads an entry, or removes it.
type edit struct {
	from, to int
	entry    entry
	tag      html.Token // keeps its attributes, except src, href and type
}

type reference struct {
	path     string // in the project, or below public/
	at       int    // offset in the document
	attr     string
	required bool
}

// readDocument reads index.html and finds what it loads.
func readDocument(files fs.FS) (*document, []mistake, error) {
	source, err := fs.ReadFile(files, documentName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &koda.Error{
			Code: koda.CodeBuildFailed, Op: "there is no index.html at the project's root",
			Hint: `write one that loads the animation: <script type="module" src="/src/main.tsx"></script>`,
		}
	}
	if err != nil {
		return nil, nil, readFailed("read index.html", err)
	}
	source, err = inUTF8(source)
	if err != nil {
		return nil, nil, &koda.Error{Code: koda.CodeBuildFailed, Op: "read index.html", Err: err, Hint: "save it as UTF-8"}
	}
	r := &documentReader{files: files, doc: &document{source: source}, tokens: html.NewTokenizer(bytes.NewReader(source))}
	if err := r.run(); err != nil {
		return nil, nil, &koda.Error{Code: koda.CodeBuildFailed, Op: "read index.html", Err: err}
	}
	return r.doc, r.mistakes, nil
}

// inUTF8 converts a document to UTF-8 from whatever encoding it names or seems to have,
// as the HTML standard finds it out. A byte order mark counts more than the name of an
// encoding.
func inUTF8(source []byte) ([]byte, error) {
	encoding, name, certain := charset.DetermineEncoding(source, "")
	if name == "utf-8" || !certain && utf8.Valid(source) {
		return source, nil
	}
	decoded, err := encoding.NewDecoder().Bytes(source)
	return append([]byte("\ufeff"), decoded...), err
}

type documentReader struct {
	files    fs.FS
	doc      *document
	base     string // the directory that <base> names; addresses are relative to it
	based    bool   // there was a <base>
	tokens   *html.Tokenizer
	from, at int // the current token's bytes
	mistakes []mistake
}

func (r *documentReader) next() html.TokenType {
	kind := r.tokens.Next()
	r.from, r.at = r.at, r.at+len(r.tokens.Raw())
	return kind
}

func (r *documentReader) run() error {
	for {
		switch kind := r.next(); kind {
		case html.ErrorToken:
			if err := r.tokens.Err(); !errors.Is(err, io.EOF) {
				return err
			}
			return nil
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := r.tokens.Token()
			switch {
			case tag.Data == "script" && kind == html.StartTagToken:
				r.script(tag)
			case tag.Data == "style" && kind == html.StartTagToken:
				r.style(tag)
			case tag.Data == "link":
				r.link(tag)
			case tag.Data == "base" && !r.based && attribute(tag, "href") != "":
				r.setBase(tag)
			default:
				r.media(tag)
			}
		}
	}
}

// content reads to the end of a raw text element and returns its text.
func (r *documentReader) content(name string) (from, to, end int) {
	from, to = r.at, r.at
	for {
		switch r.next() {
		case html.TextToken:
			to = r.at
		case html.EndTagToken:
			if tag, _ := r.tokens.TagName(); string(tag) == name {
				return from, to, r.at
			}
		case html.ErrorToken:
			return from, to, r.at
		}
	}
}

var (
	importWord  = regexp.MustCompile(`\bimport\b`)
	cssAddress  = regexp.MustCompile(`(?i)@import|\burl\(`)
	scripting   = regexp.MustCompile(`\.(tsx|ts|jsx|mts)$`)
	otherScheme = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:`)
	webScheme   = regexp.MustCompile(`^(?i:https?:)?//`)
)

func (r *documentReader) script(tag html.Token) {
	start := r.from
	from, to, end := r.content("script")
	src, kind := attribute(tag, "src"), strings.ToLower(strings.TrimSpace(attribute(tag, "type")))
	plain, _, _ := strings.Cut(src, "?")
	module := kind == "module" || classicKinds[kind] && scripting.MatchString(plain)
	switch {
	case has(tag, "nomodule") && kind != "module": // no browser of today runs such a script
	case kind == "importmap" && src == "":
		if err := r.doc.imports.read(r.doc.source[from:to], r.base); err != nil {
			r.wrong(start, "type", "the import map is not JSON: "+err.Error(), "")
		}
	case src == "" && module && importWord.Match(r.doc.source[from:to]):
		name := fmt.Sprintf("inline-%d", len(r.doc.entries))
		r.bundle(start, end, tag, entry{input: "inline:" + name, output: name, inline: r.inPlace(from, to)})
	case src == "":
	case module:
		if file, ok := r.local(tag, "src", start); ok {
			if inPublic := "public/" + file; strings.HasPrefix(src, "/") && r.there(inPublic) || !r.there(file) && r.there(inPublic) {
				file = inPublic
			}
			r.bundle(start, end, tag, entry{input: "file:" + file, output: strings.TrimSuffix(file, path.Ext(file))})
		}
	case classicKinds[kind]:
		r.refer(tag, "src", start, true)
	}
}

// classicKinds are the types of scripts that run but are not modules.
var classicKinds = map[string]bool{"": true, "text/javascript": true, "application/javascript": true, "text/ecmascript": true, "application/ecmascript": true}

func (r *documentReader) style(tag html.Token) {
	start := r.from
	from, to, end := r.content("style")
	if cssAddress.Match(r.doc.source[from:to]) {
		name := fmt.Sprintf("inline-%d", len(r.doc.entries))
		r.bundle(start, end, tag, entry{input: "inline:" + name, output: name, inline: r.inPlace(from, to), css: true})
	}
}

func (r *documentReader) link(tag html.Token) {
	rel := strings.Fields(strings.ToLower(attribute(tag, "rel")))
	href := strings.TrimSpace(attribute(tag, "href"))
	switch {
	case slices.Contains(rel, "stylesheet"):
		file, ok := r.local(tag, "href", r.from)
		if !ok {
			return
		}
		// A style in public/ stays as it is, like every file there.
		if public := r.there("public/" + file); public && (strings.HasPrefix(href, "/") || !r.there(file)) {
			return
		}
		r.bundle(r.from, r.at, tag, entry{input: "file:" + file, output: "css/" + strings.TrimSuffix(file, path.Ext(file)), css: true})
	case webScheme.MatchString(href):
	case slices.Contains(rel, "modulepreload"): // the bundle is another file
		r.doc.edits = append(r.doc.edits, edit{from: r.from, to: r.at})
	case slices.ContainsFunc(rel, func(s string) bool { return slices.Contains(optional, s) }):
		r.refer(tag, "href", r.from, false)
	}
}

// optional are links that a page can miss without any change in its pictures.
var optional = []string{"icon", "preload", "prefetch", "manifest", "apple-touch-icon", "mask-icon"}

// there reports whether there is a regular file of that name.
func (r *documentReader) there(name string) bool {
	info, err := fs.Stat(r.files, name)
	return err == nil && info.Mode().IsRegular()
}

// setBase takes the directory to which addresses are relative.
func (r *documentReader) setBase(tag html.Token) {
	href := strings.TrimSpace(attribute(tag, "href"))
	r.based = true
	if webScheme.MatchString(href) || otherScheme.MatchString(href) {
		r.wrong(r.from, "href", "the base of all addresses is "+href+", on the network, which pages cannot reach", "take <base> out, or give it a directory of the project")
		return
	}
	if dir := href[:strings.LastIndexByte(href, '/')+1]; dir != "" {
		r.base = strings.Trim(path.Clean("/"+dir), "/")
	}
}

func (r *documentReader) media(tag html.Token) {
	switch tag.Data {
	case "img", "video", "audio", "source", "track", "iframe", "embed", "input":
		r.refer(tag, "src", r.from, true)
		r.refer(tag, "poster", r.from, true)
	case "object":
		r.refer(tag, "data", r.from, true)
	case "image":
		r.refer(tag, "href", r.from, true)
	}
}

// inPlace is source[from:to] at the lines and columns that it has in the document, so
// that mistakes in it get the right place.
func (r *documentReader) inPlace(from, to int) string {
	before := r.doc.source[:from]
	column := from - (bytes.LastIndexByte(before, '\n') + 1)
	return strings.Repeat("\n", bytes.Count(before, []byte("\n"))) + strings.Repeat(" ", column) + string(r.doc.source[from:to])
}

func (r *documentReader) bundle(from, to int, tag html.Token, e entry) {
	if i := slices.IndexFunc(r.doc.entries, func(have entry) bool { return have.input == e.input }); i >= 0 {
		e = r.doc.entries[i]
	} else {
		r.doc.entries = append(r.doc.entries, e)
	}
	r.doc.edits = append(r.doc.edits, edit{from: from, to: to, entry: e, tag: tag})
}

// local is the project's file that an attribute names. The document is at the root, so
// "/src/main.tsx", "./src/main.tsx" and "src/main.tsx" are the same file, unless <base>
// says otherwise.
func (r *documentReader) local(tag html.Token, attr string, at int) (string, bool) {
	value := strings.TrimSpace(attribute(tag, attr))
	switch {
	case value == "" || strings.HasPrefix(value, "#"):
		return "", false
	case webScheme.MatchString(value):
		r.wrong(at, attr, fmt.Sprintf("%s is on the network, which pages cannot reach", value), "put the file into the project: public/ is served at /")
		return "", false
	case otherScheme.MatchString(value):
		return "", false // data:, blob:
	}
	file, _, _ := strings.Cut(value, "?")
	file, _, _ = strings.Cut(file, "#")
	if plain, err := url.PathUnescape(file); err == nil {
		file = plain
	}
	if !strings.HasPrefix(file, "/") {
		file = path.Join(r.base, file)
	}
	file = path.Clean(strings.TrimLeft(file, "/"))
	if file == "." || !fs.ValidPath(file) {
		r.wrong(at, attr, fmt.Sprintf("%s lies outside the project", value), "")
		return "", false
	}
	return file, true
}

func (r *documentReader) refer(tag html.Token, attr string, at int, required bool) {
	if file, ok := r.local(tag, attr, at); ok {
		r.doc.referenced = append(r.doc.referenced, reference{path: file, at: at, attr: attr, required: required})
	}
}

func (r *documentReader) wrong(at int, attr, text, hint string) {
	r.mistakes = append(r.mistakes, r.doc.mistake(at, attr, text, hint))
}

// mistake is a mistake in the tag at offset at, placed at the attribute if mistake finds
// the attribute.
func (d *document) mistake(at int, attr, text, hint string) mistake {
	tag := d.source[at:]
	if end := bytes.IndexByte(tag, '>'); end >= 0 {
		tag = tag[:end]
	}
	length := len(tag)
	if where := regexp.MustCompile(`\b` + attr + `\s*=`).FindIndex(tag); where != nil {
		at, length = at+where[0], length-where[0]
	}
	return mistakeAt(documentName, d.source, at, length, text, hint)
}

// tagOf is the offset of the first tag that loads an entry.
func (d *document) tagOf(e entry) int {
	return d.edits[slices.IndexFunc(d.edits, func(have edit) bool { return have.entry.input == e.input })].from
}

func has(tag html.Token, key string) bool {
	return slices.ContainsFunc(tag.Attr, func(a html.Attribute) bool { return a.Key == key })
}

func attribute(tag html.Token, key string) string {
	for _, a := range tag.Attr {
		if a.Namespace == "" && a.Key == key {
			return a.Val
		}
	}
	return ""
}

// render writes the document with bundles in place of its entries. The styles of a script
// come before the script. The runtime modules are loaded ahead, so that the browser need
// not discover them one after the other. Produced holds the URLs that exist.
func (d *document) render(runtime []string, produced map[string]bool, fonts bool) []byte {
	var out bytes.Buffer
	done, preloaded := 0, false
	for _, e := range d.edits {
		out.Write(d.source[done:e.from])
		done = e.to
		switch {
		case e.entry.input == "":
			continue
		case e.entry.css:
			rel := cmp.Or(attribute(e.tag, "rel"), "stylesheet")
			link := html.Token{Type: html.StartTagToken, Data: "link", Attr: []html.Attribute{{Key: "rel", Val: rel}, {Key: "href", Val: e.entry.url()}}}
			link.Attr = append(link.Attr, kept(e.tag)...)
			out.WriteString(link.String())
			continue
		}
		if styles := outputs + "/" + e.entry.output + ".css"; produced[styles] {
			fmt.Fprintf(&out, "<link rel=\"stylesheet\" href=%q>\n", styles)
		}
		if !preloaded {
			if fonts {
				fmt.Fprintf(&out, "<link rel=\"stylesheet\" href=%q>\n", fontsURL)
			}
			for _, name := range runtime {
				fmt.Fprintf(&out, "<link rel=\"modulepreload\" href=%q>\n", runtimeURL(name))
			}
			preloaded = true
		}
		tag := html.Token{Type: html.StartTagToken, Data: "script", Attr: []html.Attribute{{Key: "type", Val: "module"}, {Key: "src", Val: e.entry.url()}}}
		tag.Attr = append(tag.Attr, kept(e.tag)...)
		out.WriteString(tag.String() + "</script>")
	}
	out.Write(d.source[done:])
	return out.Bytes()
}

// kept are the attributes that a tag's bundle keeps. Attributes that describe the file's
// bytes are left out, because the bundle has other bytes.
func kept(tag html.Token) []html.Attribute {
	return slices.DeleteFunc(slices.Clone(tag.Attr), func(a html.Attribute) bool {
		return slices.Contains([]string{"type", "src", "href", "rel", "integrity"}, a.Key)
	})
}
