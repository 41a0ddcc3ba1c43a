package reading

import (
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/wish"
)

// wordSlides is the sequence of the texts of a brief that asks for slides and has no pictures: "slideshow with these slides: A,
// B, C"; nil if the recipe needs no pictures and is no list of slides, or there are fewer than two texts.
func (r *Reader) wordSlides(f *filler, read *wish.Reading, b Brief) *filler {
	p, m := f.m.Param(missing(f.m, f.set)), r.story()
	album := p != nil && slices.Contains(p.Takes, "file")
	lines := slices.Contains(f.m.Fits, "list") || slices.Contains(f.m.Fits, "rows") && !f.named() // "slideshow: Kenya 2019, Nepal 2021"
	listed := lines && len(b.phrases) > 0 && read.Scened(b.phrases[0].From)                       // "three slides: …"
	named := lines && names(read, r.album())                                                      // "slideshow of our talks: A, B, C"
	if !album && !listed && !named || m == nil || f.brings() || len(b.Assets)+len(b.Data) > 0 {
		return nil
	}
	var texts []wish.Phrase
	for i, p := range b.phrases {
		switch head := i == 0 && strings.HasPrefix(b.Prompt[p.To:], ":"); {
		case p.Role == wish.Aside || head:
		case p.Role == wish.Figure && i > 0 && b.phrases[i-1].Role == wish.Name && len(texts) > 0:
			texts[len(texts)-1].To = p.To
		default:
			texts = append(texts, wish.Phrase{Span: p.Span, Role: wish.Headline})
		}
	}
	if len(texts) < 2 {
		return nil
	}
	t := r.beatsOf(m, read, b, texts)
	if t != nil { // "slideshow" is said for both
		left := f.left()
		t.over = slices.DeleteFunc(t.over, func(s string) bool { return !slices.Contains(left, s) })
	}
	return t
}

// inOrder are the quoted texts of a brief that has nothing but such texts between which words say that one comes after the other, each a headline:
// ""Breathe in" then "Breathe out"". It is nil if there are none.
func (b Brief) inOrder(read *wish.Reading) (out []wish.Phrase) {
	end := 0
	for _, p := range b.phrases {
		if p.Role == wish.Aside {
			continue
		}
		some, only := read.Then(wish.Span{From: end, To: p.From})
		first := end == 0 && !some && !strings.ContainsAny(b.Prompt[:p.From], ",.;:")
		if p.Role != wish.Headline && p.Role != wish.Second || !strings.ContainsAny(b.Prompt[p.From:p.To], `"“”„«»「」`) || !first && (end == 0 || !only) {
			return nil
		}
		out, end = append(out, wish.Phrase{Span: p.Span, Role: wish.Headline}), p.To
	}
	if len(out) < 2 {
		return nil
	}
	return out
}
