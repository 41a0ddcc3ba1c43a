package bundle

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// brandName is the file in which a person fixes colours, fonts and a logo for all videos of a project.
const brandName = "src/brand.json"

// A brand.json holds objects of texts, whose names are listed here; "files" names a file for each font family.
var brandKeys = map[string][]string{
	"":       {"colors", "fonts", "logo"},
	"colors": {"background", "text", "accent", "series"},
	"fonts":  {"display", "text", "mono", "files"},
}

// hexColour is a colour as the page reads those of a brand.
var hexColour = regexp.MustCompile(`^#(?:[0-9a-fA-F]{3}){1,2}$`)

// brand is a project's brand.json as it was read.
type brand struct {
	fonts    map[string]any // families by their use, and files
	files    fs.FS
	warnings []string
	mistakes []mistake
}

// readBrand reads brand.json if the page uses it; nil without one. The page leaves out what it cannot use, and koda says so: a colour costs
// nobody a video. A logo or a font file that is not there is a mistake. A file that is no JSON stops the build with its place, so it is nil here.
func (p *pageBuild) readBrand() (*brand, error) {
	data, err := fs.ReadFile(p.files, brandName)
	if errors.Is(err, fs.ErrNotExist) || !p.taken[brandName] {
		return nil, nil
	}
	if err != nil {
		return nil, readFailed("read "+brandName, err)
	}
	var given any
	if json.Unmarshal(data, &given) != nil {
		return nil, nil //nolint:nilerr // the page says what is wrong with it
	}
	b := &brand{files: p.files}
	values := b.object("", given)
	b.fonts = b.object("fonts", values["fonts"])
	b.colours(b.object("colors", values["colors"]))
	if logo := b.text("logo", values["logo"]); logo != "" {
		b.file("logo", logo)
	}
	for family, file := range b.object("fonts.files", b.fonts["files"]) {
		if name := b.text("fonts.files."+family, file); name != "" {
			b.file("fonts.files."+family, name)
		}
	}
	if len(b.mistakes) > 0 {
		return nil, buildFailed(b.mistakes)
	}
	return b, nil
}

// warned says what the page leaves out, and which of the families are not here.
func (b *brand) warned(missing []string) []string {
	for _, family := range missing {
		b.warn("the font %s is not here, and another takes its place: koda fonts lists those that are, koda fonts add FILE adds one", koda.Quote(family))
	}
	return slices.Sorted(slices.Values(b.warnings))
}

// families lists the families that brand.json names without a file.
func (b *brand) families() (names []string) {
	for _, what := range brandKeys["fonts"][:3] {
		name := b.text("fonts."+what, b.fonts[what])
		own, _ := b.fonts["files"].(map[string]any)
		if name != "" && own[name] == nil && !slices.Contains(runtimeFamilies, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// warn says what is left out.
func (b *brand) warn(format string, args ...any) {
	if text := brandName + ": " + fmt.Sprintf(format, args...); !slices.Contains(b.warnings, text) {
		b.warnings = append(b.warnings, text)
	}
}

// object is a value that has names, and says which of the names koda does not know.
func (b *brand) object(name string, value any) map[string]any {
	object, ok := value.(map[string]any)
	if !ok && value != nil {
		b.warn("%s is no object {…}: it is not used", cmp.Or(name, "the whole"))
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if known := brandKeys[name]; known != nil && !slices.Contains(known, key) {
			hint := "it may have " + strings.Join(known, ", ")
			if near := koda.Nearest(key, known); near != "" {
				hint = "did you mean " + near + "?"
			}
			b.warn("%s is not known: %s", koda.Quote(strings.TrimPrefix(name+"."+key, ".")), hint)
		}
	}
	return object
}

// text is a value that is a text.
func (b *brand) text(name string, value any) string {
	text, ok := value.(string)
	if !ok && value != nil {
		b.warn("%s is no text: it is not used", name)
	}
	return text
}

// colours says which colours are none.
func (b *brand) colours(colors map[string]any) {
	colour := func(name string, value any) {
		if text := b.text(name, value); text != "" && !hexColour.MatchString(text) {
			b.warn("%s %s is no colour such as #10233f: it is not used", name, koda.Quote(text))
		}
	}
	for _, name := range brandKeys["colors"][:3] {
		colour("colors."+name, colors[name])
	}
	series, ok := colors["series"].([]any)
	if !ok && colors["series"] != nil {
		b.warn("colors.series is no list of colours: it is not used")
	}
	for _, one := range series {
		colour("colors.series", one)
	}
}

// file makes a mistake of a file that the project has not got: its picture or its letters are what people look for in the video.
func (b *brand) file(name, file string) {
	if strings.HasPrefix(file, "data:") {
		return
	}
	clean := strings.TrimPrefix(path.Clean(file), "/")
	for _, at := range []string{clean, path.Join("public", clean)} {
		if info, err := fs.Stat(b.files, at); err == nil && info.Mode().IsRegular() {
			return
		}
	}
	b.mistakes = append(b.mistakes, mistake{file: brandName, text: fmt.Sprintf("%s: there is no file %s", name, file), hint: "put the file into public/ and name it so, such as public/images/logo.svg"})
}
