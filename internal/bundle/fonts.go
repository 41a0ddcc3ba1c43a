package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/fonts"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/templates"
)

// A page that names the family fonts.Fallback gets the fonts for those of its letters
// that the runtime's families have not got: only the slices for its own texts, because
// the fonts of Japanese alone have five megabytes. The texts are those of the data of
// the page, of the code that koda did not write, and of the parameters of a render.

// fontsDir is where the fonts lie on a page, and fontsURL their style sheet.
const (
	fontsDir = outputs + "/fonts"
	fontsURL = fontsDir + "/fonts.css"
)

// letters says what is known of the letters of a page.
type letters struct {
	own      bool // the page has fonts for all of them, and koda wrote its code
	warnings []string
}

// addFonts puts fonts on the page.
func (p *pageBuild) addFonts(ctx context.Context) (letters, error) {
	if p.codeOnly {
		if p.fontsID != "" {
			p.add(fontsURL, []byte(p.fontsID))
		}
		return letters{}, nil
	}
	if !p.names(fonts.Fallback) {
		return letters{}, nil
	}
	brand, err := p.readBrand()
	if err != nil {
		return letters{}, err
	}
	need, ours, err := p.need(brand)
	if err != nil {
		return letters{}, err
	}
	choice := fonts.Choice{Lacks: need.Lacks, Missing: need.Families}
	if p.store != nil {
		choice, err = p.store.Pick(need)
	}
	if err != nil { // a page without some letters is better than none
		return letters{warnings: []string{koda.Sentence(err) + ": " + koda.HintOf(err)}}, nil
	}
	for _, name := range slices.Sorted(maps.Keys(choice.Files)) {
		p.add(fontsDir+"/"+name, choice.Files[name])
	}
	if p.fontsID = choice.ID; choice.ID != "" {
		p.add(fontsURL, []byte(choice.CSS))
	}
	l := letters{own: ours && len(choice.Lacks) == 0 && len(choice.Missing) == 0}
	text, err := sentence(ctx, p.store, choice.Lacks)
	if text != "" {
		l.warnings = []string{text}
	}
	if brand != nil {
		l.warnings = append(l.warnings, brand.warned(choice.Missing)...)
	}
	return l, err
}

// sentence tells of the characters that the machine has no font for, either.
func sentence(ctx context.Context, store *fonts.Store, lacks []rune) (string, error) {
	if store == nil || len(lacks) == 0 {
		return "", nil
	}
	lacks, err := fonts.HostLacks(ctx, lacks)
	return store.Sentence(lacks), err
}

// Letters says, in a sentence, which characters of the texts of a page no font has, or none but those of the machine; ""
// means that the page can draw them all. Build says of the finished page which no font has.
func (b *Bundler) Letters(ctx context.Context, texts string) (string, error) {
	bag := letterBag{runes: map[rune]bool{}}
	bag.text([]byte(texts))
	all := slices.Sorted(maps.Keys(bag.runes))
	if b.fonts == nil || !slices.ContainsFunc(all, beyond) {
		return "", nil
	}
	rt, err := b.runtime(ctx)
	if err != nil {
		return "", err
	}
	lacks, err := rt.lacks(all)
	if err != nil {
		return "", err
	}
	lacks, err = b.fonts.Lacks(lacks)
	if err != nil {
		return "", nil //nolint:nilerr // Build says it
	}
	text, err := sentence(ctx, b.fonts, lacks)
	if text == "" && err == nil {
		text = b.fonts.Borrowed(lacks)
	}
	return text, err
}

// need says what the page needs of the fonts, and whether koda wrote all of its code.
func (p *pageBuild) need(brand *brand) (need fonts.Need, ours bool, err error) {
	t := &letterBag{runes: map[rune]bool{}}
	ours = p.closed
	for _, file := range slices.Sorted(maps.Keys(p.taken)) {
		data, err := fs.ReadFile(p.files, file)
		if err != nil {
			return need, false, readFailed("read "+file, err)
		}
		switch media := mediaType(file); {
		case isKodas(data):
		case strings.HasSuffix(media, "json"):
			t.json(data)
		case isText(file) || isScript(file):
			t.text(data)
			ours = false
		}
	}
	for at, file := range p.page {
		switch {
		case strings.HasPrefix(at, outputs+"/") || !isText(at) || isScript(at):
		case strings.HasSuffix(file.Type, "json"):
			t.json(file.Body)
		default:
			t.text(file.Body)
		}
	}
	t.text(p.doc.source)
	t.json(p.props)
	if written := fonts.Written(t.locale); written != "" {
		t.text([]byte(written))
	}
	need.Locale, need.All = t.locale, slices.Sorted(maps.Keys(t.runes))
	if need.Lacks, err = p.runtime.lacks(need.All); err != nil {
		return need, false, err
	}
	if brand != nil {
		need.Families = brand.families()
	}
	return need, ours, nil
}

// runtimeFamilies are the families of the page runtime, as style sheets name them.
var runtimeFamilies = []string{"Inter Variable", "JetBrains Mono Variable", "Source Serif 4 Variable", "Space Grotesk Variable"}

// letterBag collects the characters of texts.
type letterBag struct {
	runes  map[rune]bool
	locale string
}

func (t *letterBag) text(data []byte) {
	for _, r := range string(data) {
		t.runes[r] = true
	}
}

// json collects the characters of the texts in JSON, however they are escaped.
func (t *letterBag) json(data []byte) {
	var v any
	if json.Unmarshal(data, &v) != nil {
		t.text(data)
		return
	}
	t.value(v)
}

func (t *letterBag) value(v any) {
	switch v := v.(type) {
	case string:
		t.text([]byte(v))
	case []any:
		for _, item := range v {
			t.value(item)
		}
	case map[string]any:
		for key, item := range v {
			t.text([]byte(key))
			t.value(item)
			if text, ok := item.(string); ok && key == "locale" {
				t.locale = text
			}
		}
	}
}

// beyond reports whether a font must be asked for a character: all families of the runtime
// have the plain letters, and most pages have no others.
func beyond(r rune) bool {
	return r >= 0x180 && !strings.ContainsRune("–—‘’‚“”„•…€™", r) && !fonts.Unseen(r)
}

// lacks lists the characters that the runtime's family for all letters does not have.
func (r *pageRuntime) lacks(runes []rune) ([]rune, error) {
	var lacks []rune
	for _, c := range runes {
		if !beyond(c) {
			continue
		}
		has, err := r.covers(c)
		if err != nil {
			return nil, err
		}
		if !has {
			lacks = append(lacks, c)
		}
	}
	return lacks, nil
}

// covers reports whether Inter, which stands behind all families, has a character.
func (r *pageRuntime) covers(c rune) (bool, error) {
	r.lettersOnce.Do(func() {
		const dir = "source/@fontsource-variable/inter/files/"
		for name := range r.index.Files {
			if !strings.HasPrefix(name, dir) || !strings.HasSuffix(name, "-wght-normal.woff2") {
				continue
			}
			data, err := r.read(name)
			if err == nil {
				var f fonts.Family
				f, err = fonts.Parse(data)
				r.letters = append(r.letters, f)
			}
			r.lettersErr = errors.Join(r.lettersErr, err)
		}
	})
	return slices.ContainsFunc(r.letters, func(f fonts.Family) bool { return f.Faces[0].Cover.Has(c) }), r.lettersErr
}

// isKodas reports whether a file is of koda's own page code, as this koda has it.
func isKodas(data []byte) bool { return kodas()[sha256.Sum256(data)] }

var kodas = sync.OnceValue(func() map[[sha256.Size]byte]bool {
	known := map[[sha256.Size]byte]bool{}
	for _, files := range []fs.FS{templates.Recipes(), templates.Starter()} {
		//nolint:errcheck // embedded
		_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains([]string{".ts", ".tsx", ".css"}, path.Ext(name)) {
				return err
			}
			data, err := fs.ReadFile(files, name)
			known[sha256.Sum256(data)] = true
			return err
		})
	}
	return known
})
