package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// kinds is what files are, by extension: their media type, and how a project
// that imports one gets it. It is a table of koda's own, because the system's
// differ between machines.
var kinds = map[string]struct {
	media  string
	loader api.Loader
}{
	".html": {"text/html", api.LoaderNone},
	".js":   {"text/javascript", api.LoaderJSX}, ".mjs": {"text/javascript", api.LoaderJSX},
	".jsx": {"text/javascript", api.LoaderJSX}, ".ts": {"text/javascript", api.LoaderTS},
	".mts": {"text/javascript", api.LoaderTS}, ".tsx": {"text/javascript", api.LoaderTSX},
	".css": {"text/css", api.LoaderCSS}, ".json": {"application/json", api.LoaderJSON},
	".txt": {"text/plain", api.LoaderText}, ".md": {"text/plain", api.LoaderText}, ".csv": {"text/csv", api.LoaderFile},
	".glsl": {"text/plain", api.LoaderText}, ".vert": {"text/plain", api.LoaderText}, ".frag": {"text/plain", api.LoaderText},
	".xml": {"application/xml", api.LoaderFile}, ".svg": {"image/svg+xml", api.LoaderFile},
	".png": {"image/png", api.LoaderFile}, ".jpg": {"image/jpeg", api.LoaderFile}, ".jpeg": {"image/jpeg", api.LoaderFile},
	".gif": {"image/gif", api.LoaderFile}, ".webp": {"image/webp", api.LoaderFile}, ".avif": {"image/avif", api.LoaderFile},
	".ico": {"image/x-icon", api.LoaderFile}, ".bmp": {"image/bmp", api.LoaderFile},
	".woff": {"font/woff", api.LoaderFile}, ".woff2": {"font/woff2", api.LoaderFile},
	".ttf": {"font/ttf", api.LoaderFile}, ".otf": {"font/otf", api.LoaderFile},
	".mp3": {"audio/mpeg", api.LoaderFile}, ".wav": {"audio/wav", api.LoaderFile}, ".ogg": {"audio/ogg", api.LoaderFile},
	".m4a": {"audio/mp4", api.LoaderFile}, ".flac": {"audio/flac", api.LoaderFile}, ".aac": {"audio/aac", api.LoaderFile},
	".mp4": {"video/mp4", api.LoaderFile}, ".webm": {"video/webm", api.LoaderFile}, ".mov": {"video/quicktime", api.LoaderFile},
	".glb": {"model/gltf-binary", api.LoaderFile}, ".gltf": {"model/gltf+json", api.LoaderFile},
	".hdr": {"application/octet-stream", api.LoaderFile}, ".exr": {"application/octet-stream", api.LoaderFile},
	".ktx2": {"image/ktx2", api.LoaderFile}, ".bin": {"application/octet-stream", api.LoaderFile},
	".wasm": {"application/wasm", api.LoaderFile}, ".obj": {"text/plain", api.LoaderFile}, ".fbx": {"application/octet-stream", api.LoaderFile},
}

func mediaType(url string) string {
	if kind, ok := kinds[strings.ToLower(path.Ext(url))]; ok {
		return kind.media
	}
	return "application/octet-stream"
}

// addPublic puts what lies below public/ on the page, at /. What is too much is
// refused before any of it is read.
func (p *pageBuild) addPublic() error {
	var names []string
	var all projectfs.Budget
	err := fs.WalkDir(p.files, "public", func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "public" {
			return fs.SkipAll
		}
		if err != nil {
			return err
		}
		if name != "public" && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		url := strings.TrimPrefix(name, "public")
		if strings.HasPrefix(url, outputs+"/") || url == "/"+documentName {
			p.mistakes = append(p.mistakes, mistake{file: name, text: fmt.Sprintf("%s is made by koda and cannot come from public/", url), hint: "rename the file"})
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		names = append(names, name)
		if err := projectfs.Readable(name, info); err != nil {
			return err
		}
		return all.Count(name, info.Size())
	})
	for _, name := range names {
		if err != nil {
			break
		}
		var data []byte
		data, err = fs.ReadFile(p.files, name)
		p.add(strings.TrimPrefix(name, "public"), data)
	}
	if err != nil {
		return readFailed("read public/", err)
	}
	return nil
}

// addReferenced puts the files on the page that tags of the document name and
// that are not in public/. Scripts and styles that are to be bundled must exist.
func (p *pageBuild) addReferenced() error {
	p.doc.entries = slices.DeleteFunc(p.doc.entries, func(e entry) bool {
		file, ok := strings.CutPrefix(e.input, "file:")
		if !ok || p.find(file) != "" {
			return false
		}
		attr := "src"
		if e.css {
			attr = "href"
		}
		p.mistakes = append(p.mistakes, p.doc.mistake(p.doc.tagOf(e), attr, "there is no file "+file, p.nearestFile(file, file)))
		return true
	})
	for _, ref := range p.doc.referenced {
		url := "/" + ref.path
		if _, ok := p.page[url]; ok {
			continue
		}
		info, err := fs.Stat(p.files, ref.path)
		if refused(err) {
			return err
		}
		if err != nil || !info.Mode().IsRegular() {
			if ref.required {
				p.mistakes = append(p.mistakes, p.doc.mistake(ref.at, ref.attr, fmt.Sprintf("there is no file %s", ref.path), p.nearestFile(ref.path, ref.path)))
			}
			continue
		}
		data, err := fs.ReadFile(p.files, ref.path)
		if err != nil {
			return readFailed("read "+ref.path, err)
		}
		p.add(url, data)
	}
	return nil
}

// refused reports whether an error says what is wrong with a file and what to do:
// a link, say, or one that is too large.
func refused(err error) bool {
	var known *koda.Error
	return errors.As(err, &known)
}

// readFailed is the error of a file that is there and cannot be read.
func readFailed(op string, err error) error {
	if refused(err) {
		return err
	}
	return &koda.Error{Code: koda.CodeReadFailed, Op: op, Err: err}
}

// nearestFile is a sentence that names a file beside name that is like it, in
// the words of spec, or "".
func (p *pageBuild) nearestFile(name, spec string) string {
	var names []string
	for _, dir := range []string{path.Dir(name), path.Join("public", path.Dir(name))} {
		entries, err := fs.ReadDir(p.files, dir)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			if path.Ext(name) == "" { // as modules are imported
				names = append(names, strings.TrimSuffix(entry.Name(), path.Ext(entry.Name())))
			}
			names = append(names, entry.Name())
		}
	}
	if like := koda.Nearest(path.Base(name), names); like != "" {
		return fmt.Sprintf("did you mean %s?", spec[:strings.LastIndexByte(spec, '/')+1]+like)
	}
	return ""
}
