package reading

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// takesRating is what the parameter takes that holds how many of five stars something has.
const takesRating = "rating"

// rating is where a text says how many stars something has, as a recipe reads it: "4.8 out of 5 stars", and not "5,000 stars"; ok is
// false if it says nothing of the kind.
func (r *Reader) rating(m *recipe.Manifest, prompt string) (at wish.Span, ok bool) {
	p := taker(m, takesRating)
	if p == nil {
		return at, false
	}
	for _, w := range r.of(m).Read(prompt).Wishes() {
		if w.Kind == wish.Number && w.About == p.Name && !w.Not && r.holds(p, w.Value) {
			return w.Span, true
		}
	}
	return at, false
}

// unrated are phrases without the words of a rating, and without what is left of them if that only says that it is one: "rated 4.7" of
// "rated 4.7 stars", "stars from our customers". ok is false if there is no rating.
func (r *Reader) unrated(m *recipe.Manifest, phrases []wish.Phrase, prompt string) (out []wish.Phrase, ok bool) {
	v := r.of(m)
	at, ok := r.rating(m, prompt)
	if !ok {
		return phrases, false
	}
	for _, p := range phrases {
		if from := outOf.FindString(prompt[:p.From]); p.From > at.To && from != "" { // "from 312" and "reviews"
			p.From -= len(from)
		}
		if !p.Overlaps(at) {
			if p.Role == wish.Aside || r.tells(m, prompt[p.From:p.To]) {
				out = append(out, p)
			}
			continue
		}
		for _, part := range []wish.Span{{From: p.From, To: at.From}, {From: at.To, To: p.To}} {
			if part.From >= part.To {
				continue
			}
			said := prompt[part.From:part.To]
			part.From += len(said) - len(strings.TrimLeft(said, " ,;:.!()–—-"))
			part.To -= len(said) - len(strings.TrimRight(said, " ,;:(–—-"))
			if part.From < part.To && r.tells(m, prompt[part.From:part.To]) {
				out = append(out, wish.Phrase{Span: part, Role: p.Role})
			}
		}
	}
	if of := reviewed.FindStringIndex(prompt[at.To:]); of != nil && !slices.ContainsFunc(out, func(p wish.Phrase) bool { return p.From < at.To+of[1] && p.To > at.To }) { // "from 312 reviews, text …"
		of = []int{at.To + of[0] + 1, at.To + of[1]}
		out = append([]wish.Phrase{{Span: wish.Span{From: of[0], To: of[1]}, Role: wish.Second}}, out...)
	}
	if place, some := v.Read(prompt).Purpose(); some && !slices.ContainsFunc(out, func(p wish.Phrase) bool { return p.Role != wish.Aside }) { // "for our app"
		_, what, _ := strings.Cut(prompt[place.From:place.To], " ")
		out = slices.DeleteFunc(out, func(p wish.Phrase) bool { return p.Overlaps(place) })
		out = append(out, wish.Phrase{Span: wish.Span{From: place.To - len(what), To: place.To}, Role: wish.Headline})
	}
	return out, true
}

// reviewed is how many have rated, right behind a rating.
var reviewed = regexp.MustCompile(`(?i)^ (?:from|by|based on|aus|von|de|da) [\d.,]*\d \pL+`)

// outOf is of how many something comes that stands behind.
var outOf = regexp.MustCompile(`(?i)(?:from|by|of|based on|aus|von|de|da) [\d.,]+ $`)

// tells reports whether words say more than the recipe knows: "from our customers", and not "rated".
func (r *Reader) tells(m *recipe.Manifest, said string) bool {
	read := r.of(m).Read(said)
	return len(read.Left(func(*wish.Wish) bool { return true })) > 0 || !slices.ContainsFunc(read.Wishes(), func(w wish.Wish) bool {
		i, err := strconv.Atoi(w.About)
		return w.Kind == wish.Means && (err != nil || !m.Means[i].Shown)
	})
}

// rates reports whether a brief is a rating in stars for a recipe that would only write it: "rated 4.7 stars".
func (r *Reader) rates(first candidate, m *recipe.Manifest, b Brief) bool {
	if !slices.Equal(first.m.Fits, []string{"text"}) || taker(first.m, "whom") != nil || first.named || strings.ContainsAny(b.Prompt, "\"“”„«»「") {
		return false
	}
	at, ok := r.rating(m, b.Prompt)
	if !ok {
		return false
	}
	said := b.Prompt[at.From:at.To]
	sure := strings.Count(said, " ") > 1 || strings.ContainsAny(said, ".,/") // "three stars" may be drawn
	return sure || slices.ContainsFunc(r.of(m).Read(b.Prompt).Wishes(), func(w wish.Wish) bool { return w.Kind == wish.Means && !w.Not && !w.Span.Overlaps(at) })
}

// starred takes a row of signs of stars for how many something has: "★★★★★".
func (f *filler) starred() {
	i := slices.IndexFunc(f.m.Params, func(p recipe.Param) bool {
		return !f.set[p.Name] && anyWord(p.Units, func(unit string) bool { return unit == "stars" })
	})
	if at := rowOfStars.FindStringIndex(f.read.Text()); i >= 0 && at != nil {
		p := &f.m.Params[i]
		span := wish.Span{From: at[0], To: at[1]}
		f.put(p.Name, strconv.Itoa(strings.Count(f.read.Said(span), "★")+strings.Count(f.read.Said(span), "⭐")), wish.Wish{Span: span})
		f.shown = append(f.shown, span)
		for i := range f.edits { // "by Jo ★★★★☆"
			f.edits[i].Value = strings.TrimSpace(rowOfStars.ReplaceAllString(f.edits[i].Value, ""))
		}
	}
}

// outOfTen is a mark of ten, twenty or a hundred: "8.5/10".
var outOfTen = regexp.MustCompile(`(?:^|[^\d/.,])(\d{1,3}(?:[.,]\d)?)\s?(/\s?(?:10|20|100))(?:[^\d/.,%]|[.,]?$|[.,] )`)

// graded is a brief of a rating that is no row of stars, with the rank of the recipe of ratings first, and its texts beside the mark: "Dune, 9/10, a
// feast for the eyes".
func (r *Reader) graded(b Brief, read *wish.Reading) Brief {
	m := slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool { return taker(m, takesRating) != nil })
	at := outOfTen.FindStringSubmatchIndex(b.Prompt)
	if m < 0 || at == nil || len(read.Graded()) == 0 {
		return b
	}
	mark, texts := wish.Span{From: at[2], To: at[5]}, 0
	var out []wish.Phrase
	for _, p := range b.phrases {
		if p.Overlaps(mark) {
			before, after := p, p
			before.To, after.From = min(p.To, mark.From), max(p.From, mark.To)
			if p = before; strings.Count(b.Prompt[min(after.From, after.To):after.To], " ") > 1 || before.From >= before.To {
				p = after
			}
			said := strings.TrimRight(b.Prompt[p.From:max(p.From, p.To)], " ,:;–-(")
			p.To = p.From + len(said)
			p.From += len(said) - len(strings.TrimLeft(said, " ,:;–-)"))
		}
		switch {
		case p.From >= p.To || p.Role == wish.Figure && p.In(mark):
			continue
		case p.Role == wish.Name || p.Role == wish.Item || p.Role == wish.Second || p.Role == wish.Headline:
			p.Role = wish.Second
			if texts == 0 {
				p.Role = wish.Headline
			}
			texts++
		}
		out = append(out, p)
	}
	b.phrases, b.ranks = out, append([]string{r.manifests[m].Learned}, b.ranks...)
	return b
}

// mark gives a mark of ten to the parameters for the number and for what follows it.
func (f *filler) mark() {
	to, unit := taker(f.m, "number"), taker(f.m, "unit")
	at := outOfTen.FindStringSubmatchIndex(f.read.Text())
	if taker(f.m, takesRating) == nil || to == nil || unit == nil || at == nil || f.change || f.set[unit.Name] || len(f.read.Graded()) == 0 {
		return
	}
	w := wish.Wish{Span: wish.Span{From: at[2], To: at[5]}}
	f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool { return e.said != "" && e.from >= w.Span.From && e.from < w.Span.To }) // a share
	f.put(to.Name, strings.ReplaceAll(f.read.Text()[at[2]:at[3]], ",", "."), w)
	f.put(unit.Name, strings.ReplaceAll(f.read.Text()[at[4]:at[5]], " ", ""), w)
	f.shown = append(f.shown, append(f.read.Graded(), w.Span)...)
}

// rowOfStars is at least two full stars, and empty ones behind.
var rowOfStars = regexp.MustCompile(`(?:[★⭐]\x{FE0F}?){2,5}☆*`)

// rated reports whether a text says how many stars something has.
func (f *filler) rated() bool {
	p := taker(f.m, takesRating)
	return p != nil && f.set[p.Name]
}

// hasOwn reports whether a word for a thing means one that the recipe draws itself: the stars of a rating, or what has a colour of its own
// there, such as the ring of a countdown.
func (f *filler) hasOwn(word string) bool {
	if i := strings.LastIndexByte(word, ' '); i >= 0 { // "gold stars"
		word = word[i+1:]
	}
	return slices.ContainsFunc(f.m.Params, func(p recipe.Param) bool {
		switch {
		case slices.Contains(p.Takes, takesRating):
			some := slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
				return (w.Kind == wish.Number && w.About == p.Name || w.Kind == wish.Range) && f.r.holds(&p, cmp.Or(w.Value, w.To))
			})
			return (some || f.change && f.value(&p) != recipe.Auto) && anyWord(p.Units, func(unit string) bool { return strings.EqualFold(unit, word) })
		case p.Type == recipe.Color && !slices.Contains(p.Takes, "color") && !f.r.common(p.Name):
			return calls(&p, word)
		}
		return false
	})
}

// holds reports whether a parameter may have a value.
func (r *Reader) holds(p *recipe.Param, value string) bool {
	_, err := p.Parse(value, r)
	return err == nil
}
