package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/projectfs"
)

// A page may ask for any file of its directory by its path, as from a static server. All
// files on the page are in its digest, so a file that nobody asks for would make every
// segment new whenever it changes. Koda's own videos, above all, lie in the working
// directory. So:
//
//   - Files of public/ are on the page.
//   - Hidden files, links, renders/ and previews/ are not on the page. A file of
//     node_modules is on it only if a text of the page names it by its path.
//   - Pictures, sound and video are on the page if a text of the page names the file or
//     its directory, or ends a text with the name up to a number.
//   - Sources that browsers do not read, settings of tools, lock files, notes, and files
//     in the bundle are on the page if a text of the page names the file.
//   - Every other file is on the page.

// Bounds for the files that are on a page only because it may ask for them.
const (
	maxServed = 256 << 20 // bytes
	maxWalked = 20_000    // names
)

// served lists the files on a page besides those it loads.
type served struct {
	files    []string          // of the project
	left     map[string]string // paths that the page does not have, and why
	warnings []string
}

// The ways in which a text of the page names a file.
const (
	namedAny    = 1 << iota // somewhere
	namedQuoted             // at the end of a text in quotes
	namedFolder             // as a directory
	namedStem               // at the end of a text, or before something that a script adds
)

// candidate is a file that is on the page only if a text names it.
type candidate struct {
	file  string
	media bool
	why   string
}

// findServed finds the files that the page may ask for.
func (p *pageBuild) findServed() (*served, error) {
	s := &served{left: map[string]string{}}
	plain, candidates, err := p.walk(s)
	if err != nil {
		return nil, err
	}
	var size int64
	for _, f := range plain {
		size += f.size
	}
	if size > maxServed {
		s.warnings = append(s.warnings, fmt.Sprintf("the directory holds %d MB outside of public/: of that, only files that the page names are on it", size>>20))
		for _, f := range plain {
			candidates = append(candidates, candidate{f.name, true, tooMuch})
		}
		plain = nil
	}
	texts := p.texts()
	for _, f := range plain {
		s.files = append(s.files, f.name)
		if isText(f.name) {
			if data, err := fs.ReadFile(p.files, f.name); err == nil {
				texts = append(texts, data)
			}
		}
	}
	names := wordsOf(candidates)
	for _, text := range texts {
		scan(text, names)
	}
	for _, c := range candidates {
		if c.namedIn(names) || odd(c.file) && slices.ContainsFunc(texts, func(text []byte) bool { return bytes.Contains(text, []byte(path.Base(c.file))) }) {
			s.files = append(s.files, c.file)
		} else if c.why != "" {
			s.left["/"+c.file] = c.why
		}
	}
	for file := range p.modulesNamed(texts) {
		s.files = append(s.files, file)
	}
	slices.Sort(s.files)
	return s, nil
}

const (
	tooMuch  = "it lies in the directory, which holds too much, and the page does not name it: put it into public/"
	notNamed = "it lies in the directory, but no text of the page names it: put it into public/"
)

// addServed puts these files on the page.
func (p *pageBuild) addServed() error {
	files := slices.Concat(p.extra.files, slices.Sorted(maps.Keys(p.named)))
	for _, file := range files {
		at := addressOf(file)
		if _, ok := p.page[at]; ok {
			continue
		}
		data, err := fs.ReadFile(p.files, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the file was there a moment ago
		}
		if err != nil {
			return readFailed("read "+file, err)
		}
		p.add(at, data)
	}
	// The address of a directory gives its index.html.
	for _, at := range slices.Sorted(maps.Keys(p.page)) {
		if dir, ok := strings.CutSuffix(at, "/"+documentName); ok && dir != "" {
			p.page[dir+"/"] = p.page[at]
		}
	}
	return nil
}

type sized struct {
	name string
	size int64
}

// walk goes through the directory and leaves out what no page asks for.
func (p *pageBuild) walk(s *served) (plain []sized, candidates []candidate, err error) {
	walked := 0
	err = fs.WalkDir(p.files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case name == ".":
			return err
		case err != nil || strings.HasPrefix(d.Name(), ".") || slices.Contains(unserved, name) || d.Name() == modulesDir:
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil // what cannot be read is not on the page
		}
		if walked++; walked > maxWalked {
			return errTooMany
		}
		if d.Type() == fs.ModeSymlink {
			s.left["/"+name] = "it is a link, and koda follows none"
		}
		if !d.Type().IsRegular() || p.page["/"+name].Body != nil {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // as above
		}
		media, _, _ := strings.Cut(mediaType(name), "/")
		switch {
		case projectfs.Readable(name, info) != nil:
			s.left["/"+name] = "it is too large"
		case name == documentName:
		case p.taken[name]:
			candidates = append(candidates, candidate{name, media == "font", ""})
		case unasked.MatchString(d.Name()):
			candidates = append(candidates, candidate{name, false, notNamed})
		case media == "image" || media == "audio" || media == "video":
			candidates = append(candidates, candidate{name, true, notNamed})
		default:
			plain = append(plain, sized{name, info.Size()})
		}
		return nil
	})
	if errors.Is(err, errTooMany) {
		s.warnings = append(s.warnings, fmt.Sprintf("the directory holds more than %d files: only those in public/, and those that its document names, are on the page", maxWalked))
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, readFailed("look through the project", err)
	}
	return plain, candidates, nil
}

var errTooMany = errors.New("too many files")

// unserved are names at the root that are not served: public/ is on the page already, and
// koda makes the others.
var unserved = []string{"public", "renders", "previews", "_koda"}

// unasked matches the names of files that pages do not ask for: sources that browsers do
// not read, notes, and settings of tools.
var unasked = regexp.MustCompile(`(?i)\.(ts|tsx|mts|cts|jsx|vue|svelte|astro|mdx|scss|sass|less|styl|map|md|markdown|log|lock|lockb|tsbuildinfo|patch|sh|ps1|bat|exe|zip|gz|tgz|tar|7z|psd|ai|blend\d?|aep|prproj|xcf|kra|fig|sketch)$|` +
	`^(koda|recipe|package|package-lock|npm-shrinkwrap|pnpm-workspace|composer|deno|turbo|nx|lerna|vercel|now|netlify|firebase|biome|jsconfig|tsconfig[\w.-]*)\.(json|jsonc|yaml|yml|toml)$|` +
	`^pnpm-lock\.yaml$|\.config\.\w+$|^(gulp|grunt|make|docker|rake|jake|pip)file(\.\w+)?$|^(licen[cs]e|copying|notice|authors|readme|changelog|contributing)\b|^docker-compose\.`)

// texts are the texts that may name files: those of the page that koda did not bring.
func (p *pageBuild) texts() [][]byte {
	var texts [][]byte
	for _, at := range slices.Sorted(maps.Keys(p.page)) {
		if isText(at) {
			texts = append(texts, p.page[at].Body)
		}
	}
	return texts
}

func isText(name string) bool {
	media := mediaType(name)
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "json") || strings.HasSuffix(media, "xml")
}

// numbered matches the name of a file in a sequence, with the part before its number.
var numbered = regexp.MustCompile(`^(.*?)\d+\.\w+$`)

// wordsOf are the words that koda looks for in the texts.
func wordsOf(candidates []candidate) map[string]byte {
	names := map[string]byte{}
	for _, c := range candidates {
		names[path.Base(c.file)] = 0
		if c.media {
			names[path.Base(path.Dir(c.file))] = 0
			if m := numbered.FindStringSubmatch(path.Base(c.file)); m != nil {
				names[m[1]] = 0
			}
		}
	}
	delete(names, "")
	delete(names, ".")
	return names
}

// namedIn reports whether the texts name the file.
func (c candidate) namedIn(names map[string]byte) bool {
	base := path.Base(c.file)
	if !c.media {
		return names[base]&namedQuoted != 0
	}
	if names[base] != 0 || names[path.Base(path.Dir(c.file))]&namedFolder != 0 {
		return true
	}
	m := numbered.FindStringSubmatch(base)
	return m != nil && names[m[1]]&namedStem != 0
}

// between are the characters that end a name in a text.
const between = " \t\r\n\"'`()<>,;=&/\\?#:[]{}|!*$"

// odd reports whether a name has such a character. A scan cannot find an odd name.
func odd(file string) bool { return strings.ContainsAny(path.Base(file), between) }

// scan notes how a text names words.
func scan(text []byte, names map[string]byte) {
	for at := 0; at < len(text); {
		if text[at] < utf8.RuneSelf && strings.IndexByte(between, text[at]) >= 0 {
			at++
			continue
		}
		end := at
		for end < len(text) && (text[end] >= utf8.RuneSelf || strings.IndexByte(between, text[end]) < 0) {
			end++
		}
		word := text[at:end]
		how, known := names[string(word)]
		if !known && bytes.IndexByte(word, '%') >= 0 {
			if plain, err := url.PathUnescape(string(word)); err == nil {
				word = []byte(plain)
				how, known = names[plain]
			}
		}
		if known && !ofBundle(text[max(0, at-200):at]) {
			names[string(word)] = how | ending(text[end:])
		}
		at = end
	}
}

// ofBundle reports whether the text before a name shows that the name belongs to a
// bundle, or to esbuild's note about where a module is from. The page does not ask for
// such names.
func ofBundle(before []byte) bool {
	before = before[bytes.LastIndexAny(before, "\"'`\n\t ")+1:]
	return bytes.Contains(before, []byte(inProject+":")) || bytes.HasPrefix(before, []byte(outputs+"/"))
}

// ending says what the text after a name shows about its meaning.
func ending(rest []byte) byte {
	how := byte(namedAny)
	if len(rest) == 0 {
		return how
	}
	switch rest[0] {
	case '"', '\'', '`', '?', '#':
		how |= namedQuoted | namedStem
	case '$':
		how |= namedStem
	case '/':
		how |= namedFolder
	case '\\':
		if len(rest) > 1 && rest[1] == '/' {
			how |= namedFolder
		}
	}
	return how
}

var modulePath = regexp.MustCompile(`(` + inProject + `:)?(?:[./\w-]*/)?(` + modulesDir + "/[^\\s\"'`()<>,;?#\\\\{}*|]+)")

// modulesNamed are the files of packages that texts name by path.
func (p *pageBuild) modulesNamed(texts [][]byte) map[string]bool {
	found := map[string]bool{}
	for _, text := range texts {
		if !bytes.Contains(text, []byte(modulesDir+"/")) {
			continue
		}
		for _, m := range modulePath.FindAllSubmatch(text, -1) {
			name := string(m[2])
			if len(m[1]) > 0 || found[name] || !fs.ValidPath(name) || len(found) > maxWalked {
				continue
			}
			if info, err := fs.Stat(p.files, name); err == nil && info.Mode().IsRegular() {
				found[name] = true
			}
		}
	}
	return found
}
