package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/dataset"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// The endings of the files that a video shows or plays.
const (
	pictures = `png|jpe?g|gif|webp|svg`
	sounds   = `mp3|wav|ogg|flac|m4a|aac`
)

var (
	// medium is the name of a picture or a sound in a prompt.
	medium = regexp.MustCompile(`(?i)/?(?:[\pL\pN_.~-]+/)*[\pL\pN_.~-]+\.(` + pictures + `|` + sounds + `)\b`)
	// quotedMedium is one with blanks, which has quotation marks around it.
	quotedMedium = regexp.MustCompile(`(?i)"([^"]+\.(?:` + pictures + `|` + sounds + `))"`)
	// folders are the ways in which a prompt names a directory: a path with a slash, or a word beside one for directories.
	folders = []*regexp.Regexp{
		regexp.MustCompile(`((?:~?/|\./)?(?:[\pL\pN_.~-]+/)+[\pL\pN_.~-]*)`),
		regexp.MustCompile(`(?i)\b(?:folder|directory|ordner|verzeichnis|carpeta|dossier|pasta|cartella)\s+([\pL\pN_.~-]+)`),
		regexp.MustCompile(`(?i)([\pL\pN_.~-]+)(?:\s+(?:folder|directory)\b|フォルダ)`),
	}
	// picture is the ending of a picture.
	picture = regexp.MustCompile(`(?i)\.(` + pictures + `)$`)
)

// mostPictures is how many pictures of one directory a video shows at most: as many as a slideshow has.
const mostPictures = 60

// bringMedia puts the pictures and the sounds that the prompt names among the assets. They are taken if they are below the
// working directory and behind no link, or where a person types the prompt; what is not there is only a word. The prompt keeps
// the names without their paths.
func (a *app) bringMedia(r *engine.NewRequest, b *koda.Brief) {
	bring := func(written, called string, paths ...string) {
		for _, path := range paths {
			if err := a.bringFile(r, b, path); err != nil {
				a.warn(fmt.Sprintf("%s is named in the prompt, and is not used: %v", written, err))
				return
			}
		}
		b.Prompt = strings.Replace(b.Prompt, written, called, 1)
	}
	said := quotation.ReplaceAllString(b.Prompt, " ")
	var files []string
	for _, found := range quotedMedium.FindAllStringSubmatch(b.Prompt, -1) {
		files = append(files, found[1])
	}
	for _, written := range append(files, medium.FindAllString(said, -1)...) {
		if path := a.rooted(written); a.theirs(".", path) && !isDir(path) {
			bring(written, filepath.Base(path), path)
		}
	}
	for _, folder := range folders {
		for _, found := range folder.FindAllStringSubmatch(said, -1) {
			path := a.rooted(found[1])
			if !isDir(path) || !a.theirs(".", path) {
				continue
			}
			if inside, err := a.picturesIn(path); err == nil && len(inside) > 0 {
				bring(found[0], filepath.Base(filepath.Clean(path))+"/", inside...)
			}
		}
	}
}

// theirs reports whether words may mean a path, which is relative to a directory unless it is absolute: it is there, and below the
// directory without links on it, or a person is at the terminal.
func (a *app) theirs(dir, path string) bool {
	if !exists(within(dir, path)) {
		return false
	}
	return a.io.InTTY || filepath.IsLocal(path) && projectfs.NoLinks(dir, filepath.ToSlash(filepath.Clean(path))) == nil
}

// within is a path from a directory on, unless it is absolute.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// bringAsset puts a file among the assets, or the pictures of a directory.
func (a *app) bringAsset(r *engine.NewRequest, b *koda.Brief, path string) error {
	if !isDir(path) {
		return a.bringFile(r, b, path)
	}
	inside, err := a.picturesIn(path)
	if err != nil {
		return err
	}
	if len(inside) == 0 {
		return usage("give the pictures one by one, or a directory with PNG, JPEG, GIF, WebP or SVG files", "there is no picture in %s", path)
	}
	for _, p := range inside {
		if err := a.bringFile(r, b, p); err != nil {
			return err
		}
	}
	return nil
}

// bringFile puts a file among the assets.
func (a *app) bringFile(r *engine.NewRequest, b *koda.Brief, path string) error {
	asset, err := a.deps.CheckAsset(path)
	if err != nil {
		return err
	}
	return keep(r, b, path, asset)
}

// keep puts a file that was checked among the assets. A file that is there already stays once.
func keep(r *engine.NewRequest, b *koda.Brief, path string, asset koda.Asset) error {
	source, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("find %s: %w", path, err)
	}
	if !slices.Contains(r.Assets, source) {
		b.Assets, r.Assets = append(b.Assets, asset), append(r.Assets, source)
	}
	return nil
}

// bringPictures puts the pictures that a data file names among the assets: those beside the file or below it, behind no link, and
// where a person is at the terminal, others. A name whose file is not there stays: it may be only a word.
func (a *app) bringPictures(r *engine.NewRequest, b *koda.Brief, set *dataset.Set, file string) (err error) {
	beside, brought := ".", map[string]string{}
	if file != "-" {
		beside = filepath.Dir(file)
	}
	set.Pictures(func(name string) string {
		said := a.rooted(name)
		path, base := within(beside, said), filepath.Base(name)
		switch {
		case err != nil || len(brought) == mostPictures || !a.theirs(beside, said) || isDir(path):
			return name
		case brought[base] != "" && brought[base] != path:
			err = usage("give each picture a name of its own", "%s names two pictures that are called %s", set.Name, base)
		case brought[base] == "":
			brought[base] = path
			err = a.bringFile(r, b, path)
		}
		return base
	})
	return err
}

// picturesIn are the pictures in a directory, in the order in which people number them: 2.jpg before 10.jpg. Links and hidden files
// are left out, and with a warning, those that are too many.
func (a *app) picturesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, usage("check the path and its rights", "%v", err)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && picture.MatchString(e.Name()) && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	slices.SortStableFunc(names, byNumber)
	if n := len(names); n > mostPictures {
		a.warn(fmt.Sprintf("%s has %d pictures: the first %d are taken", dir, n, mostPictures))
		names = names[:mostPictures]
	}
	for i, name := range names {
		names[i] = filepath.Join(dir, name)
	}
	return names, nil
}

// digits are the numbers in a name.
var digits = regexp.MustCompile(`\d+`)

// byNumber compares names whose numbers count as numbers.
func byNumber(a, b string) int {
	padded := func(s string) string {
		return digits.ReplaceAllStringFunc(strings.ToLower(s), func(n string) string { return strings.Repeat("0", max(0, 20-len(n))) + n })
	}
	return strings.Compare(padded(a), padded(b))
}
