package reading

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// Reader reads texts with a vocabulary and a set of recipes. It is safe for concurrent use.
type Reader struct {
	words     *wish.Vocabulary // of everybody
	choosing  *wish.Vocabulary // with what speaks for each recipe; examples are learned with it
	ranking   *wish.Vocabulary // with how things look and move besides
	own       map[*recipe.Manifest]*wish.Vocabulary
	manifests []*recipe.Manifest
	shared    map[string]int // parameter → how many recipes have it
	learned   func() (*wish.Learned, error)
	changes   func() (*wish.Learned, error)
	signs     *signs
}

// first is the language whose words come first.
const first = "en.json"

// New compiles the word files in a folder, one for each language, and the words of the manifests.
func New(words fs.FS, manifests []*recipe.Manifest) (*Reader, error) {
	names, err := fs.Glob(words, "*.json")
	if err != nil {
		return nil, fmt.Errorf("list word files: %w", err)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(rank(a), rank(b)) })
	var files [][]byte
	for _, name := range names {
		data, err := fs.ReadFile(words, name)
		if err != nil {
			return nil, fmt.Errorf("read word file: %w", err)
		}
		files = append(files, data)
	}
	r := &Reader{own: map[*recipe.Manifest]*wish.Vocabulary{}, shared: map[string]int{}}
	if r.words, err = wish.Load(files...); err != nil {
		return nil, err
	}
	var all []wish.Term
	for _, m := range manifests {
		r.own[m] = r.words.With(terms(m)...)
		if m.Retired {
			continue
		}
		r.manifests = append(r.manifests, m)
		all = append(all, topics(m)...)
		for i := range m.Params {
			r.shared[m.Params[i].Name]++
		}
	}
	all = append(all, everybodys(r.manifests)...) // "on a white background" is no text
	r.choosing = r.words.With(all...)
	var motions []wish.Term
	for _, m := range r.manifests {
		motions = append(motions, r.motions(m)...)
	}
	r.ranking = r.choosing.With(motions...)
	if r.signs, err = loadSigns(words); err != nil {
		return nil, err
	}
	r.learned = sync.OnceValues(func() (*wish.Learned, error) { return load(words, LearnedFile) })
	r.changes = sync.OnceValues(func() (*wish.Learned, error) { return load(words, ChangesFile) })
	return r, nil
}

func rank(name string) string {
	if name == first {
		return ""
	}
	return name
}

// Colour reads a colour as people write it. It returns #rrggbb.
func (r *Reader) Colour(said string) (hex string, ok bool) { return r.words.Colour(said) }

// Which reads an answer to a question that offers several; see [wish.Vocabulary.Which].
func (r *Reader) Which(answer string) (place int, whichever bool) { return r.words.Which(answer) }

// Called is the English name of a colour, "" if it has none.
func (r *Reader) Called(hex string) string { return r.words.Called(hex) }

// Names lists the names of colours.
func (r *Reader) Names() []string { return r.words.Names() }

// common reports whether more than half of the recipes have a parameter.
func (r *Reader) common(param string) bool { return r.shared[param] > len(r.manifests)/2 }

// everybodys are the things with a colour that most recipes have.
func everybodys(manifests []*recipe.Manifest) []wish.Term {
	count := map[[2]string]int{} // parameter and word
	for _, m := range manifests {
		for i := range m.Params {
			for _, words := range m.Params[i].Words {
				for _, w := range words {
					if m.Params[i].Type == recipe.Color {
						count[[2]string{m.Params[i].Name, w}]++
					}
				}
			}
		}
	}
	var out []wish.Term
	for _, m := range manifests {
		for i := range m.Params {
			p := &m.Params[i]
			t := wish.Term{Role: wish.Noun, About: p.Name, Type: wish.OfColour, Words: map[string][]string{}}
			for _, lang := range slices.Sorted(maps.Keys(p.Words)) {
				for _, w := range p.Words[lang] {
					if key := [2]string{p.Name, w}; count[key] > max(1, len(manifests)/2) {
						count[key] = 0
						t.Words[lang] = append(t.Words[lang], w)
					}
				}
			}
			if len(t.Words) > 0 {
				out = append(out, t)
			}
		}
	}
	return out
}

// motions are the phrases of a recipe that say how what most recipes show looks or moves: what is "bouncing around the
// screen" is no ball.
func (r *Reader) motions(m *recipe.Manifest) (out []wish.Term) {
	for i := range m.Params {
		p := &m.Params[i]
		if !r.common(p.Name) || p.Name == styleParam {
			continue
		}
		for _, c := range p.Choices {
			t := wish.Term{Role: wish.Option, About: p.Name, Type: wish.OfChoice, Value: c.ID, Words: map[string][]string{}}
			for lang, words := range c.Words {
				t.Words[lang] = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.Contains(w, " ") })
			}
			out = append(out, t)
		}
	}
	return out
}

// of is the vocabulary of a recipe.
func (r *Reader) of(m *recipe.Manifest) *wish.Vocabulary {
	if v := r.own[m]; v != nil {
		return v
	}
	return r.words.With(terms(m)...)
}

// topics are the words that speak for a recipe.
func topics(m *recipe.Manifest) []wish.Term {
	return []wish.Term{
		{Role: wish.Topic, About: m.Name, Value: m.Learned, Words: m.Subjects},
		{Role: wish.Spoken, About: m.Name, Value: m.Learned, Words: m.Says},
		{Role: wish.Hint, About: m.Name, Value: m.Learned, Words: m.Hints},
	}
}

// styleParam is the parameter that every recipe has: its values are the styles of the base.
const styleParam = "style"

// terms are all words of a recipe.
func terms(m *recipe.Manifest) []wish.Term {
	out := topics(m)
	for i := range m.Means {
		if len(m.Means[i].When) == 0 {
			out = append(out, wish.Term{Role: wish.Meaning, About: strconv.Itoa(i), Words: m.Means[i].Words})
		}
	}
	for _, s := range m.Styles {
		out = append(out, wish.Term{Role: wish.Option, About: styleParam, Value: s.ID, Words: s.Words})
	}
	for i := range m.Params {
		p := &m.Params[i]
		times := "" // "twice" counts what takes a count
		if slices.Contains(p.Takes, "count") {
			times = wish.OfNumber
		}
		out = append(out,
			wish.Term{Role: wish.Noun, About: p.Name, Type: typeOf(p.Type), Words: p.Words},
			wish.Term{Role: wish.Higher, About: p.Name, Type: typeOf(p.Type), By: p.Step, Words: p.More},
			wish.Term{Role: wish.Lower, About: p.Name, Type: typeOf(p.Type), By: p.Step, Words: p.Less},
			wish.Term{Role: wish.Unit, About: p.Name, Type: times, Words: p.Units},
			wish.Term{Role: wish.Place, About: p.Name, Words: p.Places},
		)
		for _, c := range p.Choices {
			if p.Name != styleParam { // the words of styles are the base's
				out = append(out, wish.Term{Role: wish.Option, About: p.Name, Type: typeOf(p.Type), Value: c.ID, Words: c.Words})
			}
		}
	}
	return out
}

func typeOf(t recipe.Type) string {
	switch t {
	case recipe.Number, recipe.Integer:
		return wish.OfNumber
	case recipe.Color:
		return wish.OfColour
	case recipe.Text:
		return wish.OfText
	case recipe.Choice:
		return wish.OfChoice
	case recipe.Flag:
		return wish.OfFlag
	case recipe.File:
		return wish.OfFile
	case recipe.Texts, recipe.Rows, recipe.Sign:
	}
	return wish.OfList
}

// taker is the first parameter that takes what it is asked for, nil if there is none.
func taker(m *recipe.Manifest, what string) *recipe.Param { return m.Taker(what) }
