package wish

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// Role says how people use the words of a term.
type Role string

// The roles of terms.
const (
	Topic   Role = "topic"   // words that mean the subject About, and instruct
	Spoken  Role = "spoken"  // words that mean the subject About, and are part of the text to show
	Noun    Role = "noun"    // names of the thing About, whose values are of Type
	Higher  Role = "higher"  // words that make About more, by the factor By
	Lower   Role = "lower"   // words that make About less
	Option  Role = "option"  // words for the value Value of About
	Unit    Role = "unit"    // words that follow a count of About
	Label   Role = "label"   // a word of the present data: an item of the list About; OfNumber if the item has a number
	Hint    Role = "hint"    // words that speak for the subject About, weakly
	Meaning Role = "meaning" // words that the caller knows as About
	Stage   Role = "stage"   // the title Value of a scene
	Shown   Role = "shown"   // words for the text About, or those of it, as of a thing with a colour
	Place   Role = "place"   // where the text About stands: words before or behind the text
)

// The types of the values of things.
const (
	OfColour = "color"
	OfNumber = "number"
	OfText   = "text"
	OfChoice = "choice"
	OfFlag   = "flag"
	OfList   = "list"
	OfFile   = "file"
)

// Term is what words of the caller mean.
type Term struct {
	Role  Role
	About string // an id of the caller
	Type  string
	Value string // of an option, a label, a stage; of a subject the name that examples have for it
	By    float64
	Words map[string][]string // by language; "" counts in every language
}

// class is what words do in a sentence, whatever the language.
type class string

// The classes with words of their own in the files, as far as Go code looks at them.
const (
	article, mine, and, or, in, forWhom, of, to, from, by, as, between    class = "article", "mine", "and", "or", "in", "for", "of", "to", "from", "by", "as", "between"
	not, without, instead, correct, but, other, now                       class = "not", "without", "instead", "correct", "but", "other", "now"
	more, less, very, bit, too, even, times                               class = "more", "less", "very", "bit", "too", "even", "times"
	makes, it, be, please, filler, set, replace, add, remove, move, swap  class = "make", "it", "be", "please", "filler", "set", "replace", "add", "remove", "move", "swap"
	undo, reset, longer, shorter, long, approx, every, fps, pixels, cross class = "undo", "reset", "longer", "shorter", "long", "approx", "every", "fps", "pixels", "by-pixels"
	loop, transparent, medium, says, caption, beneath, list               class = "loop", "transparent", "medium", "says", "caption", "beneath", "list"
	ask, aux, suggest, explain, errand, product, greeting, self, untold   class = "ask", "aux", "about", "explain", "errand", "product", "greeting", "self", "untold"
	announce, everywhere, rest, scene, onwards, after, before, upTo       class = "announce", "each-scene", "rest", "scene", "on", "after", "before", "upto"
	atStart, atEnd, onto, theme, stage, extreme, calendar, oclock         class = "start", "finish", "onto", "theme", "stages", "extreme", "calendar", "oclock"
	each, next, direct, either, versus, section, outOf                    class = "every-item", "next", "direct", "whichever", "versus", "section", "out-of"
	needless, earlier, later, apart, off, keeps, hued                     class = "needless", "earlier", "later", "apart", "off", "keep", "hued"
	topmost, respell, anew, solely, onLeft, onRight, belated              class = "topmost", "respell", "anew", "only", "left", "right", "belated"
	merge, united, nth, comes, sorting, missing, wonder, likes, periods   class = "merge", "united", "nth", "come", "order", "missing", "wonder", "likes", "periods"
	firstOnly, topOnly, theirs, middle, indefinite, grade                 class = "only-first", "only-top", "theirs", "middle", "indefinite", "grade"
	allBut, all, multiplied, divided, naming, hastened, tagging           class = "all-but", "all", "multiply", "divide", "naming", "hastened", "tag"
	// The classes of tables.
	numeral, count, half, spoken, past, hour, ordinal, factor, magnitude, time class = "numbers", "counts", "halves", "spoken", "past", "hours", "ordinals", "factors", "magnitudes", "times-of"
	currency, percent, shape, scale, format, sorted                            class = "currencies", "percents", "shapes", "scales", "formats", "sorts"
	colour, toned, ground, shaded, advice, term                                class = "colours", "tones", "grounds", "shades", "advice", "term"
)

// sense is one meaning of words.
type sense struct {
	class class
	value string
	num   float64
	tone  tone
	term  *Term
	lang  string
	// script says that the words are in a script of their own: they count in every text.
	script bool
}

// content reports whether the words mean a thing by themselves: such words have endings and
// may be misspelt.
func (s sense) content() bool {
	switch s.class {
	case term, colour, shape, format, loop, transparent, medium, time, shaded, longer, shorter, advice, toned, list, stage, says:
		return true
	}
	return false
}

// wordFile is a word file.
type wordFile struct {
	Language   string               `json:"language"`
	Endings    map[string]string    `json:"endings"` // ending of a word → that of its base form
	Words      map[string][]string  `json:"words"`   // by class
	Numbers    map[string]float64   `json:"numbers"`
	Counts     map[string]float64   `json:"counts"`
	Halves     map[string]float64   `json:"halves"`
	Spoken     map[string]float64   `json:"spoken"` // minutes before or after the hour that follows
	Past       map[string]float64   `json:"past"`   // minutes before or after the hour that stands before
	Hours      map[string]float64   `json:"hours"`  // times of the day, in minutes
	Ordinals   map[string]float64   `json:"ordinals"`
	Factors    map[string]float64   `json:"factors"`
	Magnitudes map[string]float64   `json:"magnitudes"`
	Portions   map[string]float64   `json:"portions"` // parts of a whole; what is left of the whole is 0
	Times      map[string]float64   `json:"times"`
	Currencies map[string]string    `json:"currencies"`
	Percents   []string             `json:"percents"`
	Shapes     map[string]string    `json:"shapes"` // a question mark behind says that another shape in the text counts, two that the word only counts in a remark
	Scales     map[string]float64   `json:"scales"`
	Formats    map[string]string    `json:"formats"`
	Sorts      map[string]string    `json:"sorts"`  // "label", "up", "down" or "reverse"
	Files      map[string]string    `json:"files"`  // ending of a file's name → its kind
	Advice     map[string][]string  `json:"advice"` // a sentence → the words it answers
	Colours    map[string]string    `json:"colours"`
	Shy        []string             `json:"shy"` // names of colours that mostly mean other things
	Tones      map[string][]float64 `json:"tones"`
	Families   []string             `json:"families"` // names that may follow another: "navy blue"
	After      bool                 `json:"after"`    // adjectives stand after their nouns
	Points     bool                 `json:"points"`   // a point parts thousands: "15.700"
	Capitals   bool                 `json:"capitals"` // all nouns have capitals
	Grounds    map[string]string    `json:"grounds"`  // colour of a background that is just "dark"
	Shades     map[string]float64   `json:"shades"`
	Stages     map[string]float64   `json:"stages"` // names of scenes that everybody uses → their numbers
	Locale     string               `json:"locale"` // how the language writes numbers: "de-DE"
	Real       []string             `json:"real"`   // words that are never taken for a misspelt one
	People     []string             `json:"people"` // first names; no misspelt words either
	Facts      map[string]string    `json:"facts"`  // words for a kind of fact: "date", "time", "price"
	Units      []string             `json:"units"`  // what numbers may count
	Cycles     []string             `json:"cycles"` // days of the week and months, each in order, as words with blanks between
	Alike      map[string][]string  `json:"alike"`  // by kind: words of which one may take the place of another
}

// Vocabulary is what words mean. It does not change, so several goroutines may read with it.
type Vocabulary struct {
	below   *Vocabulary
	senses  map[string][]sense
	lengths map[string]uint32 // first word of a phrase → the lengths there are, as bits
	guess   map[byte][]string // first letter → words that may be misspelt
	units   []string          // what the terms of this layer count
	items   bool              // the terms of this layer are items of a list
	there   bool              // what is read is about something that is there
	base    *base
}

// base is what all layers share.
type base struct {
	endings             map[string][][2]string // by language, the longest first: an ending, and that of the base form
	languages           []string
	files               map[string]string
	after               map[string]bool // languages whose adjectives stand after their nouns
	points              map[string]bool // languages in which a point parts thousands
	capitals            map[string]bool // languages whose nouns all have capitals
	shy, families, real map[string]bool
	people, units       map[string]bool
	facts               map[string]string
	colours             map[string]string
	called              map[string]string // English names of colours, by #rrggbb
	locales             map[string]string // by language
	portions            map[string]float64
	cycles              [][]string        // names in the order in which they follow each other, in small letters
	alike               map[string]string // kinds of words, by word in small letters
}

// Load makes a vocabulary of word files. The order of the files decides between meanings.
func Load(files ...[]byte) (*Vocabulary, error) {
	v := newLayer(nil, &base{
		endings: map[string][][2]string{}, files: map[string]string{}, after: map[string]bool{}, points: map[string]bool{}, capitals: map[string]bool{}, shy: map[string]bool{}, families: map[string]bool{}, real: map[string]bool{}, people: map[string]bool{}, units: map[string]bool{}, facts: map[string]string{}, colours: map[string]string{}, called: map[string]string{}, portions: map[string]float64{}, alike: map[string]string{}, locales: map[string]string{},
	})
	for i, data := range files {
		var f wordFile
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&f); err != nil {
			return nil, fmt.Errorf("read word file %d: %w", i+1, err)
		}
		if f.Language == "" {
			return nil, fmt.Errorf("read word file %d: it has no language", i+1)
		}
		for kind, words := range f.Alike {
			for _, w := range words {
				v.base.alike[strings.ToLower(w)] = kind
			}
		}
		for _, c := range f.Cycles {
			v.base.cycles = append(v.base.cycles, strings.Fields(c))
		}
		if err := v.file(f); err != nil {
			return nil, fmt.Errorf("read the words of %s: %w", f.Language, err)
		}
	}
	v.index()
	return v, nil
}

func newLayer(below *Vocabulary, b *base) *Vocabulary {
	return &Vocabulary{below: below, senses: map[string][]sense{}, lengths: map[string]uint32{}, guess: map[byte][]string{}, base: b}
}

func (v *Vocabulary) file(f wordFile) error {
	b, lang := v.base, f.Language
	b.languages = append(b.languages, lang)
	b.after[lang], b.capitals[lang], b.points[lang] = f.After, f.Capitals, f.Points
	for end, with := range f.Endings {
		b.endings[lang] = append(b.endings[lang], [2]string{end, with})
	}
	slices.SortFunc(b.endings[lang], func(x, y [2]string) int { return cmp.Or(len(y[0])-len(x[0]), cmp.Compare(x[0], y[0])) })
	b.locales[lang] = f.Locale
	maps.Copy(b.files, f.Files)
	for w, part := range f.Portions {
		b.portions[fold(w)] = part
	}
	for c, words := range f.Words {
		for _, w := range words {
			v.add(w, sense{class: class(c), lang: lang})
		}
	}
	for c, table := range map[class]map[string]float64{
		numeral: f.Numbers, count: f.Counts, half: f.Halves, spoken: f.Spoken, past: f.Past, hour: f.Hours, ordinal: f.Ordinals, factor: f.Factors, magnitude: f.Magnitudes, time: f.Times, scale: f.Scales, shaded: f.Shades, stage: f.Stages,
	} {
		for w, n := range table {
			v.add(w, sense{class: c, num: n, lang: lang})
		}
	}
	for c, table := range map[class]map[string]string{currency: f.Currencies, shape: f.Shapes, format: f.Formats, sorted: f.Sorts, ground: f.Grounds} {
		for w, s := range table {
			value := strings.TrimRight(s, "?") // of shapes
			v.add(w, sense{class: c, value: value, num: float64(len(s) - len(value)), lang: lang})
		}
	}
	for _, w := range f.Percents {
		v.add(w, sense{class: percent, lang: lang})
	}
	for sentence, words := range f.Advice {
		for _, w := range words {
			v.add(w, sense{class: advice, value: sentence, lang: lang})
		}
	}
	for w, code := range f.Colours {
		hex, ok := parseCSS(code)
		if !ok {
			return fmt.Errorf("the colour %s is %q", w, code)
		}
		v.add(w, sense{class: colour, value: hex, lang: lang})
		b.colours[w] = hex
		if name := b.called[hex]; lang == "en" && (name == "" || w < name) {
			b.called[hex] = w
		}
	}
	for w, t := range f.Tones {
		if len(t) != 3 {
			return fmt.Errorf("the tone %s has %d numbers, not 3", w, len(t))
		}
		v.add(w, sense{class: toned, tone: tone(t), lang: lang})
	}
	for w, kind := range f.Facts {
		b.facts[fold(w)] = kind
	}
	for list, into := range map[*[]string]map[string]bool{&f.Shy: b.shy, &f.Families: b.families, &f.Real: b.real, &f.People: b.people, &f.Units: b.units} {
		for _, w := range *list {
			into[fold(w)] = true
		}
	}
	return nil
}

// With is the vocabulary with further terms. Their words come before those of the files.
func (v *Vocabulary) With(terms ...Term) *Vocabulary {
	out := newLayer(v, v.base)
	for i := range terms {
		t := &terms[i]
		if t.Role == Unit && t.Type == OfNumber && len(t.Words) > 0 {
			out.units = append(out.units, t.About)
		}
		out.items = out.items || t.Role == Label
		for _, lang := range slices.Sorted(maps.Keys(t.Words)) {
			for _, w := range t.Words[lang] {
				out.add(w, sense{class: term, term: t, lang: lang})
			}
		}
	}
	out.index()
	return out
}

// counted is the one thing that the vocabulary counts; "" if there is none, or several.
func (v *Vocabulary) counted() string {
	about := ""
	for l := v; l != nil; l = l.below {
		for _, a := range l.units {
			if about != "" && about != a {
				return ""
			}
			about = a
		}
	}
	return about
}

// Present is the vocabulary for texts about something that is there already, with terms for what is there. A text
// that only says how a thing is to be gives it no other words.
func (v *Vocabulary) Present(terms ...Term) *Vocabulary {
	out := v.With(terms...)
	out.there = true
	return out
}

func (v *Vocabulary) add(words string, s sense) {
	tokens := scan(words, nil)
	n := len(tokens)
	if n == 0 || n > 31 {
		return
	}
	key := key(tokens)
	s.script = single(firstRune(key))
	for _, have := range v.senses[key] {
		if have.class == s.class && have.lang == s.lang && (have.term == nil || s.term != nil && have.term.About == s.term.About && have.term.Role == s.term.Role) {
			return
		}
	}
	v.senses[key] = append(v.senses[key], s)
	v.lengths[tokens[0].text] |= 1 << n
}

func key(tokens []token) string {
	if len(tokens) == 1 {
		return tokens[0].text
	}
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// index sorts what maps hold, so that the same files give the same meanings.
func (v *Vocabulary) index() {
	order := map[string]int{}
	for i, l := range v.base.languages {
		order[l] = i
	}
	for w, list := range v.senses {
		slices.SortStableFunc(list, func(a, b sense) int {
			if d := order[a.lang] - order[b.lang]; d != 0 {
				return d
			}
			return strings.Compare(string(a.class)+a.value, string(b.class)+b.value)
		})
		if len(w) >= 4 && w[0] < utf8.RuneSelf && slices.ContainsFunc(list, sense.content) {
			v.guess[w[0]] = append(v.guess[w[0]], w)
		}
	}
	for _, list := range v.guess {
		slices.Sort(list)
	}
}

// of returns the meanings of a phrase.
func (v *Vocabulary) of(key string) []sense {
	own := v.senses[key]
	if v.below == nil {
		return own
	}
	rest := v.below.of(key)
	if len(own) == 0 {
		return rest
	}
	return slices.Concat(own, rest)
}

func (v *Vocabulary) lens(first string) uint32 {
	n := v.lengths[first]
	if v.below != nil {
		n |= v.below.lens(first)
	}
	return n
}

// bent returns the meanings of a phrase whose last word has an ending.
func (v *Vocabulary) bent(key string) []sense {
	var all []sense
	for _, lang := range v.base.languages {
		for _, base := range v.Bases(lang, key) {
			found := slices.DeleteFunc(slices.Clone(v.of(base)), func(s sense) bool { return s.lang != lang && s.lang != "" || !s.content() })
			if len(found) > 0 {
				all = append(all, found...)
				break
			}
		}
	}
	return all
}

// correct returns the meanings of the one word that a misspelt word is nearest to: one
// slip away, or two in long words.
func (v *Vocabulary) correct(w string, counts func(sense) bool) []sense {
	if len(w) < 4 || v.base.real[w] || v.base.people[w] {
		return nil
	}
	best, slips, rival := v.nearest(w, counts)
	for _, lang := range v.base.languages {
		for _, base := range v.Bases(lang, w) {
			if b, n, r := v.nearest(base, counts); len(base) > 3 && n < slips {
				best, slips, rival = b, n, r
			}
		}
	}
	if best == "" || rival {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(v.of(best)), func(s sense) bool { return !s.content() })
}

// nearest is the word that is the fewest slips away, and whether another is as near.
func (v *Vocabulary) nearest(w string, counts func(sense) bool) (best string, slips int, rival bool) {
	slips = 3
	for l := v; l != nil; l = l.below {
		for _, known := range l.guess[w[0]] {
			if d := len(known) - len(w); d < -2 || d > 2 || strings.ContainsRune(known, ' ') {
				continue
			}
			allowed := 1
			if min(len(w), len(known)) >= 8 && v.base.colours[known] == "" {
				allowed = 2
			}
			n := koda.Slips(w, known)
			if n <= allowed && n <= slips && !slices.ContainsFunc(v.of(known), func(s sense) bool { return s.content() && counts(s) }) {
				continue
			}
			switch {
			case n > allowed || n > slips || len(w) == 4 && !v.short(w, known):
			case n < slips:
				best, slips, rival = known, n, false
			case strings.HasPrefix(known, best): // "bounce", "bounces"
				best = known
			case known != best:
				rival = true
			}
		}
	}
	return best, slips, rival
}

// short reports whether a word of four letters may be a slip for a known one: with the same letters, or a
// colour with a letter missing.
func (v *Vocabulary) short(w, known string) bool {
	if len(known) == len(w) {
		a, b := []byte(w), []byte(known)
		slices.Sort(a)
		slices.Sort(b)
		return string(a) == string(b)
	}
	return slices.ContainsFunc(v.of(known), func(s sense) bool { return s.class == colour })
}

// Colour reads a colour as people write it: a name such as "dark green", #rgb, #rrggbb, or
// a function of CSS. It returns #rrggbb.
func (v *Vocabulary) Colour(said string) (hex string, ok bool) {
	said = strings.ToLower(strings.TrimSpace(said))
	if hex, ok := parseCSS(said); ok {
		return hex, true
	}
	r := newReader(v, said, true)
	hex, n := r.colourAt(0)
	return hex, n > 0 && n == len(r.p)
}

// Numeral is the number that a word says, such as 3 of "three"; 0 if it says none.
func (v *Vocabulary) Numeral(word string) float64 {
	for _, s := range v.of(fold(word)) {
		if s.class == numeral {
			return s.num
		}
	}
	return 0
}

// Names lists the names of colours, sorted.
func (v *Vocabulary) Names() []string { return slices.Sorted(maps.Keys(v.base.colours)) }

// Called is the English name of a colour, given as #rrggbb; "" if it has none.
func (v *Vocabulary) Called(hex string) string { return v.base.called[hex] }
