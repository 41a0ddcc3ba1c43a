package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Document is the page koda draws.
const Document = "index.html"

// Page is what koda found out about a page.
type Page struct {
	// File is the source of the page: index.html, another document, an SVG file or a
	// Lottie file.
	File   string
	Others []string // documents beside it
	Kinds  []Kind   // the kind that drives it comes first

	// The properties of a video of the page, and where each was found; "" means nowhere.
	Width, Height int
	SizeFrom      string
	FPS           koda.FPS
	FPSFrom       string
	Duration      float64 // seconds
	DurationFrom  string

	// Seeks says that the page already offers window.__exportSeekTo.
	Seeks bool

	text   []byte
	source *source
	lottie *lottie
}

// Look reads the page in files. File names the page; "" means index.html, or the only
// document, SVG file or Lottie file at the root. Dir is the person's name for the
// directory.
//
// Errors: NOT_FOUND if there is no page, USAGE if there are several pages or the file is
// not a page.
func Look(files fs.FS, dir, file string) (Page, error) {
	p := Page{File: file}
	var err error
	if file == "" {
		if p.File, err = choose(files, dir); err != nil {
			return p, err
		}
	}
	if p.text, err = fs.ReadFile(files, p.File); err != nil {
		return p, unreadable(p.File, err)
	}
	if bytes.HasPrefix(p.text, []byte("\xff\xfe")) || bytes.HasPrefix(p.text, []byte("\xfe\xff")) {
		return p, &koda.Error{Code: koda.CodeUsage, Op: p.File + " is UTF-16", Hint: "save it as UTF-8"}
	}
	for _, name := range roots(files, ".html", ".htm") {
		if name != p.File {
			p.Others = append(p.Others, name)
		}
	}
	switch ending(p.File) {
	case ".html", ".htm", ".svg":
		p.source = readSource(files, p.File, p.text)
		p.Kinds = kindsOf(p.source)
		p.Seeks = strings.Contains(p.source.all(), "__exportSeekTo")
	case ".json":
		if p.lottie = readLottie(p.File, p.text); p.lottie == nil {
			return p, &koda.Error{Code: koda.CodeUsage, Op: p.File + " is not a Lottie file", Hint: "a Lottie file has w, h, fr, ip, op and layers"}
		}
		p.Kinds = []Kind{Lottie}
	default:
		return p, &koda.Error{Code: koda.CodeUsage, Op: p.File + " is not a page", Hint: "name an HTML, SVG or Lottie file, or the directory of one"}
	}
	p.measure()
	return p, nil
}

// unreadable says that a file cannot be read, unless err itself says so.
func unreadable(name string, err error) error {
	var known *koda.Error
	if errors.As(err, &known) {
		return err
	}
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return &koda.Error{Code: koda.CodeUsage, Op: name + " cannot be read", Err: err, Hint: "make it a file that can be read, or move it away"}
}

func ending(name string) string { return strings.ToLower(path.Ext(name)) }

// roots are the files at the root that have one of the endings.
func roots(files fs.FS, endings ...string) (names []string) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && slices.Contains(endings, ending(e.Name())) && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// choose finds the page of a directory.
func choose(files fs.FS, dir string) (string, error) {
	if _, err := fs.Stat(files, Document); !errors.Is(err, fs.ErrNotExist) {
		return Document, err
	}
	for _, names := range [][]string{roots(files, ".html", ".htm"), roots(files, ".svg"), lotties(files)} {
		switch {
		case len(names) == 1:
			return names[0], nil
		case len(names) > 1:
			return "", &koda.Error{
				Code: koda.CodeUsage, Op: fmt.Sprintf("%s has no index.html, and %d other pages: %s", dir, len(names), strings.Join(names[:min(len(names), 8)], ", ")),
				Hint: "say which: koda init " + filepath.Join(dir, names[0]),
			}
		}
	}
	for _, sub := range []string{"dist", "build", "out", "public", "docs", "www", "site", "app"} {
		if _, err := fs.Stat(files, sub+"/"+Document); err == nil {
			return "", &koda.Error{Code: koda.CodeNotFound, Op: dir + " has no index.html", Hint: "one is in " + sub + ": koda init " + filepath.Join(dir, sub)}
		}
	}
	return "", &koda.Error{
		Code: koda.CodeNotFound, Op: "there is no page in " + dir,
		Hint: `koda draws an index.html, an SVG file or a Lottie file; koda new "bouncing ball" makes an animation of a sentence`,
	}
}

// lotties are the Lottie files at the root.
func lotties(files fs.FS) (names []string) {
	for _, name := range roots(files, ".json") {
		info, err := fs.Stat(files, name)
		if err != nil || info.Size() > mostLottie {
			continue
		}
		if data, err := fs.ReadFile(files, name); err == nil && readLottie(name, data) != nil {
			names = append(names, name)
		}
	}
	return names
}
