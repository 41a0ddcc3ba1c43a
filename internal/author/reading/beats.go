package reading

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// beats reads a prompt as a sequence, "title A, then bars B 3 and C 4, then the logo", for a recipe that
// strings others together: each part is read for the recipe that fits it, and becomes a row.
// It returns nil if the prompt, which read holds as all recipes read it, is no such sequence.
func (r *Reader) beats(read *wish.Reading, b Brief) *filler {
	m := r.story()
	if m == nil {
		return nil
	}
	return r.beatsOf(m, read, b, r.turns(m, read, b))
}

// story is the recipe that strings others together; nil if there is none.
func (r *Reader) story() *recipe.Manifest {
	i := slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool { return len(m.Beats) > 0 && taker(m, "rows") != nil })
	if i < 0 {
		return nil
	}
	return r.manifests[i]
}

// beatsOf reads a prompt as a sequence for a recipe m, as beats does. turns are the texts that come one after another, nil if
// nothing says so.
func (r *Reader) beatsOf(m *recipe.Manifest, read *wish.Reading, b Brief, turns []wish.Phrase) *filler {
	if b.session() {
		return nil
	}
	p := taker(m, "rows")
	sequence := r.sequence(b) || names(read, m) // "story: title A, title B"
	if turns != nil {
		b.phrases, sequence = turns, true
	}
	parts, slides := b.parts(read, sequence, turns != nil)
	if len(parts) < 2 {
		return nil
	}
	f := newFiller(r, m, r.read(r.of(m), b))
	f.assets, f.over = b.Assets, []string{}
	var rows []map[string]any
	var of []*recipe.Manifest           // for each row
	named, each, head := false, 0.0, "" // seconds of each scene, and what the video is about
	for n, span := range parts {
		text := b.Prompt[span.From:span.To]
		told := r.partOf(b, span)
		if n == 0 && (b.introduces(span) || turns != nil && span.To <= turns[0].From || slides && r.frames(b, span, told)) { // "a story in 3 parts: first …"
			each = cmp.Or(f.lead(r.fill(m, Brief{Prompt: text})), each)
			f.over = append(f.over, r.read(r.of(m), told).Left(func(*wish.Wish) bool { return true })...)
			head = r.aboutOf(m, told)
			continue
		}
		if n == 0 && sequence && len(parts) > 2 && r.headed(m, b, parts, told) {
			f.over = append(f.over, text)
			continue
		}
		part, thing := r.beat(m, told, slides, sequence, slides && read.Captioned(wish.Span{To: parts[1].From}))
		if head != "" && len(rows) == 0 && len(told.phrases) == 0 && read.Captioned(span) { // "a year in review: first the title"
			part, f.over = r.shows(m, Brief{Prompt: head, phrases: []wish.Phrase{{Span: wish.Span{To: len(head)}, Role: wish.Headline}}}), []string{}
		}
		switch {
		case part == nil && (n == 0 && sequence && told.aside() || len(r.of(m).Read(text).Left(func(*wish.Wish) bool { return true })) == 0):
			each = cmp.Or(f.lead(r.fill(m, Brief{Prompt: text})), each) // "a blue video:", "a video for our app. Start with …"
			continue
		case part != nil && part.m == m && len(rows) == 0: // "a story:"
			each = cmp.Or(f.lead(part), each)
			continue
		case part == nil && sequence && turns == nil && len(told.phrases) == 0: // "then a countdown from 3" shows no text
			f.over = append(f.over, r.of(m).Read(text).Left(func(*wish.Wish) bool { return false })...)
			continue
		case n == 1 && len(parts) == 2 && len(of) == 1 && told.lineOf(of[0], len(told.phrases) > 0 && part != nil && part.read.Under(told.phrases[0].Span)):
			return nil
		case part == nil || m.Beats[part.m.Name] == nil || slices.ContainsFunc(part.wishes, told.beneath) && !(len(parts) > 2 && len(b.ranks) > 0 && b.ranks[0] == m.Learned):
			return nil
		}
		if !thing && len(part.shown) == 0 && (missing(part.m, part.set) != "" || !part.named() && len(part.picked) == 0 && b.phrases != nil && len(told.phrases) == 0 && !part.brings() && !part.figured() && !part.rated() && !part.hasKinds()) { // "becomes the text", "the farewell of a colleague:", "two scenes"
			f.over = append(f.over, part.left()...)
			continue
		}
		named = named || part.named()
		f.spare(part)
		whole := len(text)
		part.ofVideo(f, n, m.Beats[part.m.Name])
		if n == len(parts)-1 {
			whole = part.closing(text, b.inTurn(turns, slides), span.From)
			f.total(part, text[whole:], rows, m.Beats[part.m.Name])
		}
		if thing { // "a small sprout" makes no text small
			part.edits = slices.DeleteFunc(part.edits, func(e Edit) bool { return e.op == times })
		}
		nth := len(rows) + 1
		rows, of = append(rows, rowsOf(p, m.Beats[part.m.Name], part)...), append(of, part.m)
		f.add(part, m.Beats[part.m.Name], nth, text[whole:])
	}
	if len(of) < 2 || !named && !sequence || ownSequence(of, sequence) {
		return nil
	}
	f.edits = append(f.edits, Edit{Param: p.Name, Value: recipe.Encode(rows)})
	f.set[p.Name] = true
	f.over = slices.DeleteFunc(f.over, func(said string) bool { return r.framing(said, rows) })
	if each > 0 && !f.set[durationParam] {
		f.edits, f.set[durationParam] = append(f.edits, Edit{Param: durationParam, Value: recipe.Trim(each * float64(len(rows)))}), true
	}
	return f
}

// parts are the parts of a sequence: its scenes, or its slides where its texts come in turn or nothing else parts them.
func (b Brief) parts(read *wish.Reading, sequence, inTurn bool) (parts []wish.Span, slides bool) {
	parts = b.scenes(read.Parts(sequence))
	if inTurn || sequence && (len(parts) < 2 || b.quotes() > len(parts)) {
		return b.slides(), true
	}
	return parts, false
}

// aboutOf is what a video is about by the words that introduce its scenes, without whom it is for; "" if they only say what is to be made.
func (r *Reader) aboutOf(story *recipe.Manifest, b Brief) string {
	text := b.Prompt
	if i := slices.IndexFunc(b.phrases, func(p wish.Phrase) bool { return p.Role == wish.Aside }); i >= 0 {
		text = text[:b.phrases[i].From]
	}
	text = strings.TrimSpace(text)
	if read := r.choosing.Read(text); names(read, story) || len(read.Left(func(*wish.Wish) bool { return true })) == 0 {
		return ""
	}
	return text
}

// headed reports whether what stands before the colon of a sequence is what it is about, because its first scene is a title: "three
// days in Lisbon: first a title …" has two.
func (r *Reader) headed(m *recipe.Manifest, b Brief, parts []wish.Span, told Brief) bool {
	if !strings.HasPrefix(b.Prompt[parts[0].To:], ":") || len(told.phrases) == 0 || told.aside() {
		return false
	}
	next, _ := r.beat(m, r.partOf(b, parts[1]), false, true, false)
	return next != nil && next.named() && slices.Equal(next.m.Fits, []string{"text"})
}

// session reports whether all that a brief shows are commands, several or with what they answer, which one terminal shows.
func (b Brief) session() bool {
	parts := 0
	for _, p := range b.phrases {
		if p.Role != wish.Aside {
			parts++
		}
		if p.Role != wish.Source && p.Role != wish.Output && p.Role != wish.Aside {
			return false
		}
	}
	return parts > 1
}

// beat reads a part of a sequence for the recipe that fits it, nil if none does. thing says that the part is nothing but a thing that is
// drawn.
func (r *Reader) beat(m *recipe.Manifest, told Brief, slides, sequence, titled bool) (part *filler, thing bool) {
	text := told.Prompt
	told = r.greeted(r.listed(m, told))
	if !slides || len(told.phrases) == 0 {
		part, _, _ = r.choose(told)
	}
	quoted := slices.ContainsFunc(told.phrases, func(p wish.Phrase) bool { // or a word as a text has it: "three scenes: Hello, World, Bye"
		first, _ := utf8.DecodeRuneInString(text[p.From:])
		return p.Role != wish.Aside && (strings.ContainsAny(text[:p.From]+" "+text[p.To:], "\"“„«「") || unicode.IsUpper(first) && !strings.Contains(strings.Trim(text, " ,;:."), " "))
	})
	if part == nil || m.Beats[part.m.Name] == nil && (sequence || quoted && !part.named()) {
		part = r.shows(m, told)
	}
	if album := r.album(); part == nil && album != nil && m.Beats[album.Name] != nil {
		if p := r.fill(album, told); p.brings() && missing(album, p.set) == "" { // "dann ein Bild pizza.jpg"
			part = p
		}
	}
	if part == nil || !quoted && (slices.Equal(part.m.Fits, []string{"text"}) || len(part.shown) == 0 && !part.named() && !part.rated() && part.count() == 0) {
		if t := r.thing(Brief{Prompt: text}); t != nil && t.lost == 0 && m.Beats[t.m.Name] != nil { // "then a map pin"
			if titled || part != nil && part.says(t) { // "slideshow with the titles Crew, Boat", "it should say Pencils down"
				return r.shows(m, told), false
			}
			return t, true
		}
	}
	return part, false
}

// says reports whether words say that what is shown is a text, and its words name the thing of another reading.
func (f *filler) says(thing *filler) bool {
	e := thing.assigned(taker(thing.m, takesSign).Name)
	return e != nil && slices.ContainsFunc(f.shown, func(s wish.Span) bool {
		cued, _ := f.read.Cues(s)
		return e.from >= s.From && e.from < s.To && (cued || f.read.Captioned(wish.Span{To: s.From}))
	})
}

// aside reports whether all that a brief says is a remark to the maker.
func (b Brief) aside() bool {
	return len(b.phrases) > 0 && !b.showsIn(wish.Span{To: len(b.Prompt)})
}

// showsIn reports whether a part of a brief has a phrase that is shown.
func (b Brief) showsIn(s wish.Span) bool {
	return slices.ContainsFunc(b.phrases, func(p wish.Phrase) bool { return p.Role != wish.Aside && p.In(s) })
}

// album is the recipe of which each row is a picture; nil if there is none.
func (r *Reader) album() *recipe.Manifest {
	i := slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool { p := taker(m, "file"); return p != nil && p.Type == recipe.Rows })
	if i < 0 {
		return nil
	}
	return r.manifests[i]
}

// frames reports whether a part of a brief, told by itself, shows nothing and only says what comes: "slides A / B / C".
func (r *Reader) frames(b Brief, s wish.Span, told Brief) bool {
	return !b.showsIn(s) && len(r.read(r.choosing, told).Left(func(*wish.Wish) bool { return true })) == 0
}

// framing reports whether words say no more than what the scenes are, or how many they or their items are: "slideshow with three
// slides", "three points".
func (r *Reader) framing(said string, rows []map[string]any) bool {
	counts := []int{len(rows)}
	for _, row := range rows {
		for _, cell := range row {
			if s, ok := cell.(string); ok {
				counts = append(counts, strings.Count(s, ";")+1)
			}
		}
	}
	if n := int(r.words.Numeral(said)); n > 1 && slices.Contains(counts, n) {
		return true
	}
	read := r.choosing.Read(said)
	return len(read.Wishes()) > 0 && !slices.ContainsFunc(read.Wishes(), func(w wish.Wish) bool {
		return w.Kind != wish.Subject && (w.Kind != wish.Number || whole(w.Value) < 2 || !slices.Contains(counts, whole(w.Value)))
	})
}

// lead takes over what the words before the first scene ask for the whole: "a story in blue, 12 seconds: …". It returns the
// seconds that each scene is to last, 0 if the words do not say.
func (f *filler) lead(part *filler) (each float64) {
	for _, e := range part.edits {
		switch p := f.m.Param(e.Param); {
		case p == nil || p.Type == recipe.Text || p.Type == recipe.Rows || f.set[e.Param]:
		case e.Param == durationParam && slices.ContainsFunc(part.wishes, func(w wish.Wish) bool { return w.Each() }):
			each, _ = strconv.ParseFloat(e.Value, 64) //nolint:errcheck // wish made it
		default:
			f.edits = append(f.edits, e)
			f.set[e.Param] = f.set[e.Param] || e.Param == durationParam
		}
	}
	f.join(part)
	return each
}

// join takes over the styles that a part asks for, its notes and its files.
func (f *filler) join(part *filler) {
	for _, s := range part.styles {
		if !slices.Contains(f.styles, s) {
			f.styles = append(f.styles, s)
		}
	}
	f.notes = append(f.notes, part.notes...)
	f.files = append(f.files, part.files...)
}

// ownSequence reports whether the recipe of the first part shows what comes then itself: "countdown from 3, then GO!", commands in
// one terminal.
func ownSequence(of []*recipe.Manifest, sequence bool) bool {
	m, n := of[0], 1
	for n < len(of) && of[n] == m {
		n++
	}
	ends := slices.ContainsFunc(m.Params, func(p recipe.Param) bool { return len(p.Places) > 0 && slices.Contains(p.Takes, "text") })
	if n == len(of) {
		return taker(m, "commands") != nil || taker(m, "sides") != nil || taker(m, "code") != nil
	}
	texts := !slices.ContainsFunc(of[n:], func(m *recipe.Manifest) bool { return !slices.Contains(m.Fits, "text") })
	return texts && (ends && n == 1 && len(of) == 2 || taker(m, "commands") != nil && !sequence)
}

// beneath reports whether a wish is for a line below, and no part of a headline: "saved 12 tons of CO2" has its number inside.
func (b Brief) beneath(w wish.Wish) bool {
	return w.Beneath() && !slices.ContainsFunc(b.phrases, func(p wish.Phrase) bool { return p.Role == wish.Headline && w.Span.In(p.Span) })
}

// figured reports whether a part says up to which share something fills, or a word for its recipe and its number: "then a progress bar to 70%", "then
// the number 8 billion".
func (f *filler) figured() bool {
	p, to := taker(f.m, "percent"), taker(f.m, "range.to")
	return p != nil && (f.set[p.Name] || to != nil && f.set[to.Name] && slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.Subject && w.About == f.m.Name || w.Kind == wish.Number && w.About == to.Name
	}))
}

// brings reports whether the text names a file, or shows one that was brought by a word for its recipe: "then the screenshot".
func (f *filler) brings() bool {
	return slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.File || w.Kind == wish.Subject && w.About == f.m.Name && slices.ContainsFunc(f.assets, func(a koda.Asset) bool {
			return a.Kind == "image" && slices.ContainsFunc(f.edits, func(e Edit) bool { return strings.Contains(e.Value, a.Path) })
		})
	})
}

// names reports whether a text names a recipe in so many words.
func names(read *wish.Reading, m *recipe.Manifest) bool {
	return m != nil && slices.ContainsFunc(read.Wishes(), func(w wish.Wish) bool {
		return w.Kind == wish.Subject && w.About == m.Name && w.Sure && !w.Not && w.Value != wish.HintValue
	})
}

// introduces reports whether a part stands before a colon and shows nothing.
func (b Brief) introduces(s wish.Span) bool {
	colon := strings.HasPrefix(strings.TrimSpace(b.Prompt[s.To:]), ":") || strings.HasSuffix(strings.TrimSpace(b.Prompt[:s.To]), ":")
	return colon && b.phrases != nil && !b.showsIn(s)
}

// shows reads a part that no recipe fits, but of which words are shown, for the recipe that shows texts; nil if there
// is none.
func (r *Reader) shows(story *recipe.Manifest, b Brief) *filler {
	var shown []wish.Phrase
	for _, p := range b.phrases {
		if p.Role != wish.Aside {
			shown = append(shown, p)
		}
	}
	if len(shown) == 0 {
		return nil
	}
	if last := len(shown) - 1; last > 0 { // a sequence has one text of the part
		b.phrases = []wish.Phrase{{Span: wish.Span{From: shown[0].From, To: shown[last].To}, Role: wish.Headline}}
	}
	place := func(m *recipe.Manifest) int {
		if i := slices.Index(b.ranks, m.Learned); i >= 0 {
			return i
		}
		return len(b.ranks) - m.Rank
	}
	var best *recipe.Manifest
	for _, m := range r.manifests {
		if story.Beats[m.Name] != nil && slices.Contains(m.Fits, "text") && taker(m, "text") != nil && (best == nil || place(m) < place(best)) {
			best = m
		}
	}
	if best == nil {
		return nil
	}
	return r.fill(best, b)
}

// behind is where the clauses of a text begin that show nothing any more: "then the logo, all in navy blue". They are
// for the whole.
func (f *filler) behind(text string) int {
	end := 0
	for _, s := range slices.Concat(f.shown, f.sights) {
		end = max(end, s.To)
	}
	for _, w := range f.wishes {
		if w.Kind == wish.File && w.Span.To <= len(text) {
			end = max(end, w.Span.To)
		}
	}
	if end > 0 && newSentence.MatchString(text[end:]) && quoteEnds.MatchString(text[:end]) { // "why not?" White on green
		return end
	}
	if at := clauseMark.FindStringIndex(text[end:]); end > 0 && at != nil {
		return end + at[0]
	}
	return len(text)
}

// closing is where the words for the whole begin in the text of the last part, which stands at from: behind the last of the texts that
// come in turn, if there are such.
func (f *filler) closing(text string, turns []wish.Phrase, from int) int {
	end := f.behind(text)
	if len(turns) > 0 {
		end = min(end, turns[len(turns)-1].To-from)
	}
	return end
}

// clauseMark is what parts a clause from those before it.
var clauseMark = regexp.MustCompile(`[,;.\n]| [-–—] `)

// quoteEnds is a quotation that ends a sentence, newSentence the beginning of the next.
var (
	quoteEnds   = regexp.MustCompile(`[.!?。！？]["”»」]$`)
	newSentence = regexp.MustCompile(`^ \p{Lu}`)
)

// total takes a length behind all that the last part shows for the length of the whole, unless a scene before has
// a length of its own: "title A, then B, 6 seconds".
func (f *filler) total(part *filler, behind string, rows []map[string]any, columns map[string]string) {
	i := slices.IndexFunc(part.edits, func(e Edit) bool {
		return e.Param == durationParam && e.op == assign && e.said != "" && strings.Contains(behind, e.said)
	})
	if i < 0 || slices.ContainsFunc(rows, func(row map[string]any) bool {
		for name, holds := range columns {
			if holds == "$"+durationParam && row[name] != nil {
				return true
			}
		}
		return false
	}) {
		return
	}
	e := part.edits[i]
	if slices.ContainsFunc(part.wishes, func(w wish.Wish) bool { return w.Each() }) {
		seconds, _ := strconv.ParseFloat(e.Value, 64) //nolint:errcheck // wish made it
		e.Value = recipe.Trim(seconds * float64(len(rows)+1))
	}
	f.edits, f.set[durationParam] = append(f.edits, e), true
	part.edits = slices.Delete(part.edits, i, i+1)
}

// ofVideo takes the length that the first part has for the length of the whole, where its words say so: "15 second video: title A, then …".
func (f *filler) ofVideo(whole *filler, nth int, columns map[string]string) {
	for _, w := range f.wishes {
		if nth == 0 && w.Kind == wish.Length && f.read.OfVideo(w.Span) {
			whole.total(f, f.read.Said(w.Span), nil, columns)
		}
	}
}

// add takes over what a part asks for beside its texts and data: for its scene alone where scenes have
// such values, unless whole says it, words of the part that are for all scenes.
func (f *filler) add(part *filler, columns map[string]string, nth int, whole string) {
	row := strings.Join(slices.Collect(maps.Values(columns)), " ")
	for _, e := range part.edits {
		p := f.m.Param(e.Param)
		if p != nil && p.Type == recipe.Color && slices.Contains(slices.Collect(maps.Values(columns)), "$"+e.Param) {
			continue // the row has it
		}
		if p == nil || p.Type == recipe.Text || p.Name == durationParam || !f.r.common(p.Name) {
			shown := slices.ContainsFunc(part.edits, func(o Edit) bool { return o.Param != e.Param && strings.Contains(o.Value, e.said) })
			q := part.m.Param(e.Param)
			choice := q != nil && (q.Type == recipe.Choice || q.Type == recipe.Color || q.Type == recipe.Integer) && !part.subject(e.said) && !shown
			if choice && e.said != "" && e.op == assign && !strings.Contains(row, "$"+e.Param) {
				f.over = append(f.over, e.said) // which scenes of a story do not have
			}
			continue
		}
		if p.Scene && (e.said == "" || !strings.Contains(whole, e.said)) {
			e.in = []wish.Scene{{Number: nth}}
		}
		f.edits = append(f.edits, e)
	}
	f.join(part)
	strange := f.read.Left(func(*wish.Wish) bool { return true }) // to the recipe of the whole
	for _, s := range part.left() {
		if slices.Contains(strange, s) {
			f.over = append(f.over, s)
		}
	}
}
