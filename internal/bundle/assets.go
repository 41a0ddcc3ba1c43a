package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// addPublic puts everything below public/ on the page, at /. If there is too much, the
// page is refused before any file is read.
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

// addReferenced puts files on the page that tags of the document name and that are not in
// public/. Scripts and styles that are bundled must exist.
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
		if info, err := fs.Stat(p.files, path.Join(ref.path, documentName)); err == nil && info.Mode().IsRegular() {
			continue // a directory
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

// refused reports whether an error itself says what is wrong with a file and what to do,
// for example that the file is a link or too large.
func refused(err error) bool {
	var known *koda.Error
	return errors.As(err, &known)
}

// readFailed is the error about a file that exists but cannot be read.
func readFailed(op string, err error) error {
	if refused(err) {
		return err
	}
	return &koda.Error{Code: koda.CodeReadFailed, Op: op, Err: err}
}

// nearestFile is a sentence that names a file with a name similar to name, in the words
// of spec; "" if there is no similar file.
func (p *pageBuild) nearestFile(name, spec string) string {
	var names []string
	for _, dir := range []string{path.Dir(name), path.Join("public", path.Dir(name))} {
		entries, err := fs.ReadDir(p.files, dir)
		if err != nil {
			continue
		}
		for _, entry := range entries {
			if path.Ext(name) == "" { // modules are imported without an extension
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
