package wish

import (
	"slices"
	"strconv"
	"strings"
)

// mention is where a text names scenes: the words with it are meant for these scenes.
type mention struct {
	from, to int // pieces
	in       []Scene
	led      bool // by a word such as "in": else the sentence is about the scene itself
}

// mentions finds the scenes that a text names.
func (r *reader) mentions() []mention {
	var out []mention
	for i := 0; i < len(r.p); i++ {
		if m, ok := r.mentionAt(i); ok {
			for k := m.from; k < m.to; k++ {
				r.p[k].scene = true
			}
			out = append(out, m)
			i = m.to - 1
		}
	}
	return out
}

func (r *reader) mentionAt(i int) (mention, bool) {
	if r.is(i, everywhere) {
		return mention{from: i, to: i + 1, led: true}, true
	}
	if nth, n := r.edge(i); n > 0 && r.v.there && i > 0 && r.ends(i+n) && r.tells(i) && !r.form(i-1, quoted) {
		return mention{from: i, to: i + n, in: []Scene{{Number: nth, Said: r.said(i, i+n)}}, led: true}, true
	}
	m := mention{from: i}
	reach, k := Itself, i
	switch {
	case r.is(k, from):
		reach, k = Onwards, k+1
	case r.is(k, after):
		reach, k = After, k+1
	case r.is(k, before):
		reach, k = Before, k+1
	case r.is(k, upTo):
		reach, k = UpTo, k+1
	case r.is(k, in, onto, of, forWhom):
		k++
	}
	m.led = k > i && !r.is(i, of, forWhom) || k > i && r.is(r.skip(k, 1, article, even, filler), scene, ordinal)
	k = r.skip(k, 1, article, even, filler)
	end := k
	for { // "the second and the last scene", "scenes 2, 3 and the outro"
		more, n := r.scenesAt(end)
		if n == 0 || len(m.in) > most {
			break
		}
		m.in = append(m.in, more...)
		m.to = end + n
		next := m.to
		if r.punct(next, ",&+/、") {
			next++
		}
		if next = r.skip(next, 1, and); next == m.to {
			break
		}
		next = r.skip(next, 1, in)
		if end = r.skip(next, 1, article); next > m.to && r.is(next-1, in) && len(m.in) > 0 {
			if _, n := r.scenesAt(end); n == 0 || !r.nothingAfter(end+n) {
				break
			}
		}
	}
	if r.is(k, loop) && r.is(m.to, it) { // "loop it forever"
		return mention{}, false
	}
	named := slices.ContainsFunc(m.in, func(s Scene) bool { return s.Name != "" })
	if len(m.in) == 0 || named && !r.tells(m.from) || named && !(m.led && (r.is(i, in) || r.is(k-1, article) || reach != Itself)) && !r.speaksOf(i, m.to) || named && r.noun(k) != "" && !m.led ||
		named && !m.led && i == 0 && !r.v.there && !r.punct(m.to, ":：") { // "intro title for my channel" is all of the video
		return mention{}, false
	}
	if r.is(m.to, onwards) {
		m.to++
	}
	said := r.said(i, m.to)
	for j := range m.in {
		m.in[j].Said = said
		if len(m.in) == 1 {
			m.in[j].Reach = reach
		}
	}
	if r.is(m.to, even) && (m.to+1 >= len(r.p) || !r.form(m.to+1, word)) {
		m.to++
	}
	return m, true
}

// edge reads "at the start" and "at the end" as the first scene and the last.
func (r *reader) edge(i int) (nth, n int) {
	if k := r.skip(i, 1, in, article); k > i && r.is(k, atStart, atEnd) {
		return map[bool]int{true: 1, false: -1}[r.is(k, atStart)], k + 1 - i
	}
	if !r.is(i, next) {
		return 0, 0
	}
	for _, s := range r.v.of(r.p[i].text[strings.LastIndexByte(r.p[i].text, ' ')+1:]) { // "at the end" is a word by itself
		switch s.class {
		case atEnd:
			return -1, 1
		case atStart:
			return 1, 1
		}
	}
	return 0, 0
}

func (r *reader) nothingAfter(i int) bool {
	return i >= len(r.p) || r.form(i, mark) || r.p[i].phrase > 0
}

// most is how many scenes are read from one range: a video has no more.
const most = 15

// scenesAt reads the name of a scene, or of several with one word "scene".
func (r *reader) scenesAt(i int) ([]Scene, int) {
	if i >= len(r.p) {
		return nil, 0
	}
	if t := r.term(i, Label); t != nil && r.is(i+1, scene) { // "the storm scene"
		if n, err := strconv.Atoi(strings.TrimPrefix(t.Value, "#")); err == nil && t.Value[0] == '#' {
			return []Scene{{Number: n}}, 2
		}
	}
	for _, s := range r.p[i].senses {
		if s.term != nil && s.term.Role == Stage {
			return r.titled(i, s.term.Value, 0)
		}
		if s.class == stage && !r.v.there && r.is(i-1, indefinite) { // "an intro with white text" is all of a video
			return nil, 0
		}
		if s.class == stage {
			return r.titled(i, r.p[i].text, int(s.num))
		}
	}
	nth := func(k int) (int, bool) {
		q := r.plain(k)
		return int(q.value), q.n == 1 && q.value == float64(int(q.value)) && q.value >= 0 && q.value < 1000
	}
	if r.is(i, scene) {
		k := i + 1
		if r.punct(k, "#") {
			k++
		}
		first, ok := nth(k)
		if !ok && r.form(k, number) { // "scenes 2,3", "scene 2.5"
			var out []Scene
			for _, said := range strings.Split(r.said(k, k+1), ",") {
				n, err := strconv.Atoi(said)
				if err != nil {
					n = 0
				}
				out = append(out, Scene{Number: n, Word: r.p[i].text + " " + said})
			}
			return out, k + 1 - i
		}
		if !ok {
			return nil, 0
		}
		out := []Scene{{Number: first}}
		for k++; ; k++ {
			j := r.skip(k, 1, and)
			if r.punct(k, ",&+/-–") {
				j = r.skip(k+1, 1, and)
			}
			until := r.punct(k, "-–") || r.is(k, to) || r.form(k, number) && r.p[k].glued
			if r.is(k, to) {
				j = k + 1
			}
			n, ok := nth(j)
			if !ok || j == k && !until || r.is(j+1, time, percent) || r.term(j+1, Unit) != nil {
				return out, k - i
			}
			for v := first + 1; until && v < n && v < first+most; v++ {
				out = append(out, Scene{Number: v})
			}
			out, first, k = append(out, Scene{Number: n}), n, j
		}
	}
	return r.ordinalScenes(i, nth)
}

// ordinalScenes reads "the second scene", "first and last scene", "last two scenes". nth reads a number.
func (r *reader) ordinalScenes(i int, nth func(int) (int, bool)) ([]Scene, int) {
	s, ok := r.get(i, ordinal)
	if !ok {
		return nil, 0
	}
	out := []Scene{{Number: int(s.num), Word: r.p[i].text}}
	k := i + 1
	for {
		if n, ok := nth(k); ok && r.is(k+1, scene) { // "the last two scenes"
			for v := 1; v < min(n, most); v++ {
				last := out[len(out)-1].Number
				if s.num < 0 {
					out = append(out, Scene{Number: last - 1})
				} else {
					out = append(out, Scene{Number: last + 1})
				}
			}
			return out, k + 2 - i
		}
		if r.is(k, scene) {
			for n := range out {
				out[n].Word += " " + r.p[k].text
			}
			return out, k + 1 - i
		}
		j := r.skip(k, 1, and, article)
		if r.punct(k, ",&") {
			j = r.skip(k+1, 1, and, article)
		}
		s, ok := r.get(j, ordinal)
		if !ok || j == k || len(out) > most {
			return nil, 0
		}
		out = append(out, Scene{Number: int(s.num), Word: r.p[j].text})
		k = j + 1
	}
}

// titled reads a scene by its title at piece i. The number in a title may be left out.
func (r *reader) titled(i int, name string, nth int) ([]Scene, int) {
	if q := r.plain(i + 1); q.n == 1 && r.form(i+1, number) && !r.is(i+2, time, percent, times, more) && r.term(i+2, Unit) == nil && !strings.HasSuffix(name, r.p[i+1].text) {
		return []Scene{{Name: name + " " + r.p[i+1].text}}, 2
	}
	if r.is(i+1, scene) {
		return []Scene{{Name: name, Number: nth}}, 2
	}
	return []Scene{{Name: name, Number: nth}}, 1
}

// tells reports whether the clause of piece i says how a thing is to be, or begins with the piece.
func (r *reader) tells(i int) bool {
	c := r.clauseOf(i)
	for k := c.From; k < c.To; k++ {
		if r.is(k, colour, toned, shaded, as, ground) || r.form(k, code) || r.term(k, Higher) != nil || r.term(k, Lower) != nil || r.term(k, Option) != nil {
			return true
		}
	}
	return i == c.From
}

// speaksOf tells the name of a scene from the plain word at pieces [i, j): the words around say how
// the scene is to be.
func (r *reader) speaksOf(i, j int) bool {
	around := func(k int) bool {
		return r.is(k, colour, toned, shaded) || r.form(k, code) || r.noun(k) != "" && r.term(k, Stage) == nil
	}
	k := r.skip(i-1, -1, article)
	return around(j) || around(k) || r.is(j, as) || r.is(j, be) || r.is(k, makes, set) && k < i || r.is(i-1, and) || r.is(j, and)
}

// readScenes says for which scenes the wishes are meant. In a sentence the wishes before a
// mention belong to it, from the last comma on; if there are none, those after it do.
func (r *reader) readScenes(places []mention) {
	if len(places) == 0 {
		return
	}
	for i := range r.p { // "scene 3 like the rest"
		if r.is(i, as) && r.is(r.skip(i+1, 1, article), rest) && r.free(i, i+1) {
			k := i - 1
			for k >= 0 && r.p[k].scene {
				k--
			}
			r.wish(i, r.skip(i+1, 1, article)+1, Wish{Kind: Reset, About: r.noun(k), Sure: true})
		}
	}
	order := slices.DeleteFunc(r.inOrder(), func(k int) bool { return r.wishes[k].Kind == Subject })
	name := func(k int) bool { // "the ball in scene 3 on navy": a name, more than a wish
		return r.wishes[k].Kind == Choice && r.noun(r.pieceAt(r.wishes[k].Span.From)) != ""
	}
	at := 0
	var said Wish // the colour before: "the background navy in scene 2 and black in scene 3"
	for n, m := range places {
		begin, last := 0, len(r.p)
		if n > 0 {
			begin = places[n-1].to
		}
		if n+1 < len(places) {
			last = places[n+1].from
		}
		begin = r.sentence(m.from, begin)
		comma := begin
		for k := m.from - 1; k > begin; k-- {
			if r.punct(k, ",、") {
				comma = k
				break
			}
		}
		for at < len(order) && r.wishes[order[at]].Span.From < r.p[comma].span.From {
			at++
		}
		first := at
		for at < len(order) && r.wishes[order[at]].Span.From < r.p[m.from].span.From {
			at++
		}
		limit := r.sentenceEnd(m.to, last)
		follows := at < len(order) && (limit >= len(r.p) || r.wishes[order[at]].Span.From < r.p[limit].span.From)
		names := !slices.ContainsFunc(order[first:at], func(k int) bool { return !name(k) })
		if at == first || !m.led || names && follows {
			for at = first; at < len(order) && (limit >= len(r.p) || r.wishes[order[at]].Span.From < r.p[limit].span.From); at++ {
			}
		}
		for _, k := range order[first:at] {
			w := &r.wishes[k]
			w.Scenes = m.in
			if w.Kind != Colour {
				continue
			}
			if w.About == "" && said.About != "" && n > 0 {
				w.About = said.About
			}
			if w.About == "" && !m.led {
				w.Unit = behind
			}
			said = *w
		}
	}
}

func (r *reader) stop(i int) bool { return r.punct(i, ".;!?。；") || r.form(i, line) }

// sentence is where the sentence of piece i begins, at least at limit.
func (r *reader) sentence(i, limit int) int {
	for i > limit && !r.stop(i-1) {
		i--
	}
	return i
}

func (r *reader) sentenceEnd(i, limit int) int {
	for i < limit && !r.stop(i) {
		i++
	}
	return i
}
