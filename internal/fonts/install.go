package fonts

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/npm"
	"github.com/koda-video/koda/templates"
)

// packages are the families that npm installs, in the order in which they are asked for
// a character. The family of the page's language is asked before them.
var packages = []struct {
	path, name string
	scripts    []string
	sheet      string // "": index.css
}{
	{"@fontsource-variable/noto-sans-arabic", "Noto Sans Arabic", []string{"Arabic"}, ""},
	{"@fontsource-variable/noto-sans-hebrew", "Noto Sans Hebrew", []string{"Hebrew"}, ""},
	{"@fontsource-variable/noto-sans-devanagari", "Noto Sans Devanagari", []string{"Devanagari"}, ""},
	{"@fontsource-variable/noto-sans-thai", "Noto Sans Thai", []string{"Thai"}, ""},
	{"@fontsource-variable/noto-sans-sc", chinese, []string{"Chinese"}, ""},
	{"@fontsource-variable/noto-sans-jp", japanese, []string{"Japanese"}, ""},
	{"@fontsource-variable/noto-sans-kr", korean, []string{"Korean"}, ""},
	// The slices of the emoji are of a kind that Chromium does not draw; the whole font
	// has both kinds.
	{"@fontsource/noto-color-emoji", emoji, []string{"emoji"}, "emoji.css"},
}

const (
	chinese  = "Noto Sans SC"
	japanese = "Noto Sans JP"
	korean   = "Noto Sans KR"
	emoji    = "Noto Color Emoji"
)

// Scripts are the scripts of the fonts that Install installs, for people.
const Scripts = "Arabic, Hebrew, Devanagari, Thai, Chinese, Japanese, Korean and emoji"

// Install lets npm install the fonts of koda's lock file, 40 MB to download and 16 MB to
// keep, and removes the fonts of other lock files. MISSING_TOOL: there is no npm.
// NETWORK: npm fails.
func (s *Store) Install(ctx context.Context) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return storage("keep fonts", err)
	}
	work, err := os.MkdirTemp("", "koda-fonts-")
	if err != nil {
		return storage("install fonts", err)
	}
	defer os.RemoveAll(work) //nolint:errcheck // a temporary directory
	manifest, lock := templates.FontsLock()
	err = npm.Install(ctx, work, manifest, lock)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return &koda.Error{Code: koda.CodeMissingTool, Op: "install fonts", Err: err, Hint: "install Node.js with npm, or take single fonts from files: koda fonts add FILE"}
	case err != nil:
		return &koda.Error{Code: koda.CodeNetwork, Op: "install fonts", Err: err, Hint: "npm takes the fonts from its registry, see `npm config get registry`; without a network take fonts from files: koda fonts add FILE"}
	}
	if err := s.pack(filepath.Join(work, "node_modules")); err != nil {
		return storage("install fonts", err)
	}
	s.forget()
	entries, err := os.ReadDir(s.dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "noto-") && e.Name() != setName() {
			err = errors.Join(err, os.RemoveAll(filepath.Join(s.dir, e.Name())))
		}
	}
	return storage("remove fonts of another koda", err)
}

// pack makes the set of fonts from installed packages.
func (s *Store) pack(modules string) error {
	set, err := atomicfile.CreateDir(s.Dir())
	if err != nil {
		return err
	}
	defer set.Abort()
	put := func(name string, data []byte) error {
		f, err := set.Create(name)
		if errors.Is(err, os.ErrExist) {
			return nil // two families share a file
		}
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	}
	var families []Family
	var licences strings.Builder
	for _, p := range packages {
		f := Family{Name: p.name, Scripts: p.scripts}
		dir := filepath.Join(modules, filepath.FromSlash(p.path))
		licence, err := f.describe(dir, p.path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&licences, "%s (%s)\n\n%s\n\n", f.From, f.Licence, licence)
		slices, err := slicesOf(dir, cmp.Or(p.sheet, "index.css"))
		if err != nil {
			return err
		}
		for _, slice := range slices {
			data, err := os.ReadFile(slice.file)
			if err != nil {
				return err
			}
			parsed, err := Parse(data)
			if err == nil {
				data, err = without(data, "SVG ")
			}
			if err != nil {
				return fmt.Errorf("read %s: %w", slice.file, err)
			}
			face := Face{File: digest(data) + ".woff2", Cover: parsed.Faces[0].Cover}
			if slice.cover != nil {
				face.Cover = face.Cover.keep(slice.cover.Has)
			}
			if err := put(face.File, data); err != nil {
				return err
			}
			f.Faces = append(f.Faces, face)
		}
		families = append(families, f)
	}
	index, err := json.Marshal(families)
	if err != nil {
		return err
	}
	if err := errors.Join(put("THIRD_PARTY.txt", []byte(licences.String())), put(indexName, index)); err != nil {
		return err
	}
	return set.Commit()
}

// describe notes version and licence of a package, and returns the text of the licence.
func (f *Family) describe(dir, path string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", err
	}
	var manifest struct{ Version, License string }
	if err := json.Unmarshal(data, &manifest); err != nil {
		return "", fmt.Errorf("read package.json of %s: %w", path, err)
	}
	if manifest.License != "OFL-1.1" {
		return "", fmt.Errorf("%s has the licence %q, and koda takes fonts under OFL-1.1", path, manifest.License)
	}
	f.From, f.Licence = path+" "+manifest.Version, manifest.License
	text, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
	return string(text), err
}

var (
	faceRule = regexp.MustCompile(`url\(\./files/([\w-]+\.woff2)\)[^}]*?(?:unicode-range: ([^;]+);)?\s*}`)
	part     = regexp.MustCompile(`-(\w+)-(?:wght|400)-normal\.woff2$`)
	number   = regexp.MustCompile(`^\d+$`)
)

type slice struct {
	file  string
	cover Cover // as the style sheet says; nil: all that the file has
}

// slicesOf lists the slices of a package that hold its own script: those with a number,
// or with the name of the script. The others are Latin letters and the like, which the
// families of the page runtime have.
func slicesOf(dir, sheet string) ([]slice, error) {
	css, err := os.ReadFile(filepath.Join(dir, sheet))
	if err != nil {
		return nil, err
	}
	var all []slice
	for _, m := range faceRule.FindAllStringSubmatch(string(css), -1) {
		subset := part.FindStringSubmatch(m[1])
		if subset == nil || !number.MatchString(subset[1]) && !strings.HasSuffix(dir, "-"+subset[1]) {
			continue
		}
		s := slice{file: filepath.Join(dir, "files", m[1])}
		if err := s.cover.UnmarshalText([]byte(strings.NewReplacer("U+", "", " ", "").Replace(m[2]))); err != nil {
			return nil, err
		}
		slices.SortFunc(s.cover, func(a, b Span) int { return int(a.Low - b.Low) })
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no slices in its style sheet", filepath.Base(dir))
	}
	return all, nil
}
