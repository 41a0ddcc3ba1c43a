package wish

import (
	"cmp"
	"slices"
	"strings"
)

// Word is a word of a text, and what reading made of it.
type Word struct {
	Span
	Loose bool // no wish has it, or it is to the maker
	Shown bool // it is part of what is shown
}

// Language is the language that the text is in, "" where that is not known.
func (r *Reading) Language() string { return r.r.main }

// Words are the words of the text, in order. Several that mean one thing may be one.
func (r *Reading) Words() []Word {
	rd := r.r
	var out []Word
	for k := range rd.p {
		p := &rd.p[k]
		if p.form != word {
			continue
		}
		w := Word{Span: p.span, Loose: p.wish == 0}
		if p.wish > 0 {
			kind := rd.wishes[p.wish-1].Kind
			w.Loose = kind == "" || kind == Remark
			w.Shown = kind == Text || kind == List || kind == Rows || kind == Author
		}
		if p.phrase > 0 && (p.wish == 0 || rd.wishes[p.wish-1].Kind != Remark) {
			w.Loose, w.Shown = false, true
		}
		out = append(out, w)
	}
	return out
}

// Scened reports whether a word for scenes stands before a place.
func (r *Reading) Scened(before int) bool {
	means := func(word string) bool {
		return slices.ContainsFunc(r.r.v.of(word), func(s sense) bool { return s.class == scene })
	}
	for _, p := range r.r.p { // "slides" are also items of a list
		if p.span.From < before && slices.ContainsFunc(append(r.r.v.Bases(cmp.Or(r.r.main, "en"), p.text), p.text), means) {
			return true
		}
	}
	return false
}

// Captioned reports whether a word for texts stands at a place, and no text itself: "words come in".
func (r *Reading) Captioned(s Span) bool {
	found := false
	for i := range r.r.p {
		if p := r.r.p[i]; p.span.In(s) {
			if p.phrase > 0 {
				return false
			}
			found = found || r.r.is(i, caption) || slices.ContainsFunc(strings.Fields(p.text), func(w string) bool { // "with the titles" may be one piece
				return slices.ContainsFunc(r.r.v.of(w), func(s sense) bool { return s.class == caption })
			})
		}
	}
	return found
}

// Text is the text that was read.
func (r *Reading) Text() string { return r.r.s }

// Speaker is the word with which a text speaks of whoever wrote it, such as "we"; "" if there is none.
func (r *Reading) Speaker() string {
	for i := range r.r.p {
		if r.r.meant(i, mine) {
			return r.r.said(i, i+1)
		}
	}
	return ""
}

// Adds reports whether the text asks for words to come as well: "add balloons".
func (r *Reading) Adds(s Span) bool {
	return r.r.is(r.r.skip(r.r.pieceAt(s.From)-1, -1, article, more), add)
}

// Under reports whether words right behind a place say that it is below something: "X below it".
func (r *Reading) Under(s Span) bool {
	i := r.r.pieceAt(s.From)
	for i < len(r.r.p) && r.r.p[i].span.From < s.To {
		i++
	}
	return r.r.is(r.r.skip(i, 1, comes, be), beneath)
}

// Trailing reports whether adjectives stand behind their nouns in the language of the text.
func (r *Reading) Trailing() bool { return r.r.v.base.after[r.r.main] }

// Bases are what words may be without the ending of their last word, in a language; the longest ending is taken off first.
func (v *Vocabulary) Bases(lang, words string) (bases []string) {
	for _, e := range v.base.endings[lang] {
		if stem, ok := strings.CutSuffix(words, e[0]); ok && len(stem) >= 3 {
			bases = append(bases, stem+e[1])
		}
	}
	return bases
}

// Person reports whether a word is a first name.
func (v *Vocabulary) Person(word string) bool { return v.base.people[fold(word)] }

// Also are the other names of a day or a month: "march" of "mar".
func (v *Vocabulary) Also(name string) (others []string) {
	name = fold(name)
	for _, cycle := range v.base.cycles {
		i := slices.Index(cycle, name)
		for _, other := range v.base.cycles {
			if i >= 0 && len(other) == len(cycle) && (strings.HasPrefix(other[i], name) || strings.HasPrefix(name, other[i])) && other[i] != name {
				others = append(others, other[i])
			}
		}
	}
	return others
}

// Real reports whether a word is none that is misspelt: one that means something, or one of a language or a name that means nothing here.
func (v *Vocabulary) Real(word string) bool {
	word = fold(word)
	return v.Knows(word) || v.base.real[word] || v.base.people[word]
}

// Knows reports whether a word means something about a video, also with an ending.
func (v *Vocabulary) Knows(word string) bool {
	return slices.ContainsFunc(append(v.bent(fold(word)), v.of(fold(word))...), func(s sense) bool { return s.class != errand })
}
