package reading

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// takesParts is what the parameter takes that holds the colours and sizes of single texts.
const takesParts = "parts"

// single is a text with a colour or letters of its own, as a row of that parameter.
type single struct {
	Part    string  `json:"part"`
	Color   string  `json:"color,omitempty"`
	Size    float64 `json:"size,omitempty"`
	Letters string  `json:"letters,omitempty"` // flags of the recipe, such as "italic bold"
}

// standing are the texts that may have a colour of their own, as they stand there. The first has one beside others only.
func standing(m *recipe.Manifest, v recipe.Values) (out []wish.Term) {
	if taker(m, takesParts) == nil {
		return nil
	}
	first := beside(m, v)
	for i := range m.Params {
		p := &m.Params[i]
		if n := len(strings.Fields(v[p.Name])); n > 0 && n <= longestCalled && (second(m, p) || p == first) {
			out = append(out, wish.Term{Role: wish.Shown, About: p.Name, Words: map[string][]string{"": {v[p.Name]}}})
		}
	}
	return out
}

// longestCalled is how many words a text has at most that people say to mean it.
const longestCalled = 6

// second reports whether a parameter holds a text beside the first, such as a line below or a name.
func second(m *recipe.Manifest, p *recipe.Param) bool {
	return p.Type == recipe.Text && p != taker(m, "text") && slices.ContainsFunc([]string{"subtitle", "author", "about", "about.title", "whom"}, func(what string) bool { return slices.Contains(p.Takes, what) })
}

// beside is the first text, where something beside it is shown as well.
func beside(m *recipe.Manifest, v recipe.Values) *recipe.Param {
	sign := taker(m, takesSign)
	others := taker(m, "range.from") != nil || sign != nil && v[sign.Name] != "" || slices.ContainsFunc(m.Params, func(q recipe.Param) bool { return second(m, &q) && v[q.Name] != "" })
	p := taker(m, "text")
	if p == nil || p.Type != recipe.Text || slices.Contains(p.Takes, "code") {
		return nil
	}
	for _, list := range lists(m, v) {
		others = others || len(list) > 0
	}
	if !others {
		return nil
	}
	return p
}

// lettering reports whether a word means the letters of all texts in every recipe: "the text", and not "the title".
func (r *Reader) lettering(said string) bool {
	return !slices.ContainsFunc(r.manifests, func(m *recipe.Manifest) bool {
		return taker(m, takesParts) != nil && m.Param(lettersParam) != nil && !calls(m.Param(lettersParam), said)
	})
}

// textCalled is the text that words name: by a word for it, or as it stands there.
func (f *filler) textCalled(said string) *recipe.Param {
	said = strings.Trim(said, `"“”„«»`)
	for i := range f.m.Params {
		p := &f.m.Params[i]
		first := p == beside(f.m, f.values)
		own := !f.r.lettering(said) || taker(f.m, takesSign) != nil && taker(f.m, takesSign).Min != nil // not "the text", but where a thing is drawn
		if (second(f.m, p) || first && own) && calls(p, said) || (second(f.m, p) || first) && f.value(p) != "" && strings.EqualFold(f.value(p), said) {
			return p
		}
	}
	return nil
}

// buttonCalled is the text of the button, if words name it.
func (f *filler) buttonCalled(said string) *recipe.Param {
	if p := taker(f.m, "action"); p != nil && f.value(p) != "" && (calls(p, said) || strings.EqualFold(f.value(p), strings.Trim(said, `"`))) {
		return p
	}
	return nil
}

// alter gives a single text a colour or a size of its own, and reports whether it can have them.
func (f *filler) alter(p *recipe.Param, w wish.Wish, change func(*single)) bool {
	if p == nil || p.Type != recipe.Text && p.Type != recipe.Sign || w.Scenes != nil {
		return false
	}
	return f.own(p.Name, func(a, b string) bool { return a == b }, w, change)
}

// inked gives single words of a text a colour, and reports whether a text can have them.
func (f *filler) inked(said, hex string, w wish.Wish) bool {
	return f.own(said, strings.EqualFold, w, func(s *single) { *s = single{Part: said, Color: hex} })
}

// own changes the row of a name, or a new one, and reports whether the recipe has rows for single texts.
func (f *filler) own(name string, same func(a, b string) bool, w wish.Wish, change func(*single)) bool {
	all := taker(f.m, takesParts)
	if all == nil {
		return false
	}
	var rows []single
	_ = json.Unmarshal([]byte(f.value(all)), &rows) //nolint:errcheck // canonical, or nothing yet
	i := slices.IndexFunc(rows, func(s single) bool { return same(s.Part, name) })
	if i < 0 {
		rows, i = append(rows, single{Part: name}), len(rows)
	}
	change(&rows[i])
	f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool { return e.Param == all.Name })
	f.put(all.Name, recipe.Encode(rows), w)
	return true
}

// larger makes the letters of a text larger by a factor.
func larger(by float64) func(*single) {
	return func(s *single) { s.Size = math.Round(cmp.Or(s.Size, 1)*by*100) / 100 }
}

// formed gives the letters of a text what a flag of all letters says, and reports whether there is such a thing as a single text's.
func (f *filler) formed(p *recipe.Param, w wish.Wish) bool {
	flag := f.m.Param(w.About)
	return w.Kind == wish.Flag && w.Value == "true" && flag != nil && slices.Contains(flag.Takes, "letters") && f.alter(p, w, func(s *single) { s.Letters = strings.TrimSpace(s.Letters + " " + w.About) })
}

// enlarged reports whether a wish for larger or smaller letters is one for the thing that is drawn beside texts, which then has that size.
func (f *filler) enlarged(w wish.Wish) bool {
	if w.About != sizeParam {
		return false
	}
	p, place := f.pictured(w.Span)
	if p != nil && p.Min != nil && *p.Min >= 1 { // the thing is what all is about
		f.shown = append(f.shown, place)
		f.edits = append(f.edits, Edit{Param: sizeParam, op: times, by: w.By, said: f.read.Said(w.Span)})
		return true
	}
	if p == nil || !f.alter(p, w, larger(w.By)) {
		return false
	}
	f.shown = append(f.shown, place)
	return true
}

// pictured is the parameter of the thing that is drawn beside texts, if its name stands right before or behind a place, and where: "make
// the rocket bigger", "a bigger rocket".
func (f *filler) pictured(at wish.Span) (*recipe.Param, wish.Span) {
	p := taker(f.m, takesSign)
	if p == nil || !f.change {
		return nil, at
	}
	if place, _, ok := f.read.Subject(at); ok && f.draws(f.read.Said(place)) {
		return p, place
	}
	if next := letters.FindStringIndex(f.read.Text()[at.To:]); next != nil && next[0] == 1 {
		if place := (wish.Span{From: at.To + 1, To: at.To + next[1]}); f.draws(f.read.Said(place)) {
			return p, place
		}
	}
	return nil, at
}
