package reading

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// Brief is what a person asks for.
type Brief struct {
	Prompt string
	Recipe string       // the recipe that the person named, "" if none
	Assets []koda.Asset // files that the person brought
	Data   []string     // shapes of the data that the person brought: "rows", "list", "markdown", …
	Not    []string     // recipes that cannot show it

	phrases []wish.Phrase // of the prompt; nil if nothing was learned
	ranks   []string      // the recipes that examples speak for, the best first
	arrows  bool          // arrows stand between its points
}

// Request is what a brief asks for.
type Request struct {
	Recipe  *recipe.Manifest   // nil if no recipe fits
	Nearest []*recipe.Manifest // if none fits: up to three, the best first
	// NotAnimation says why the prompt asks for no animation, "" if it asks for one.
	NotAnimation string
	Styles       []string // the styles that the prompt names, in order
	Edits        []Edit   // what the prompt asks of the parameters, in order
	Settled      int      // how much the prompt settles; from 4 on the style needs no question
	Missing      string   // the parameter that the recipe needs and the prompt does not give, "" if none
	Picture
	Files []string // files with data that the prompt names, as written
	Notes []string // sentences: what was understood otherwise than said, and what cannot be
	Left  []string // words that nobody understood, in order
}

// choose is the recipe of a brief, and what the recipe makes of the words.
func (r *Reader) choose(b Brief) (f *filler, nearest []*recipe.Manifest, not string) {
	for _, m := range append(slices.Clone(r.manifests), slices.Collect(keys(r.own))...) {
		if b.Recipe != "" && m.Name == b.Recipe {
			f := r.fill(m, b)
			if missing(m, f.set) != "" { // whoever names the recipe means the words, whatever they are
				b.phrases = []wish.Phrase{{Span: wish.Span{To: len(b.Prompt)}, Role: wish.Headline}}
				if g := r.fill(m, b); missing(m, g.set) == "" {
					f = g
				}
			}
			return f, nil, ""
		}
	}
	b, untaught := r.untaught(b)
	read := r.read(r.ranking, b)
	if !r.advert(read, b) {
		if f := r.beats(read, b); f != nil {
			return f, nil, ""
		}
	}
	names := read
	if untaught != nil { // its name may stand in a text that is shown: "5 day forecast"
		names = r.ranking.Read(b.Prompt)
	}
	ranked := slices.DeleteFunc(r.rankAll(names, b), func(c candidate) bool { return slices.Contains(b.Not, c.m.Name) })
	if len(ranked) == 0 {
		return nil, nil, ""
	}
	ranked = foremost(r.taught(ranked, b, read), untaught)
	fits := ranked[0].score >= enough
	asked := r.choosing.Read(b.Prompt)
	if not := notAnimation(asked, fits); not != "" && !(fits && b.tells()) {
		if f := r.described(asked, ranked, b); f != nil {
			return f, nil, ""
		}
		return nil, nil, not
	}
	if fits {
		f := r.best(ranked, b)
		if f.crowded {
			f = r.charted(f, b)
		}
		if t := r.instead(f, b); t != nil && (untaught == nil || f.m != untaught || taker(untaught, takesKinds) == nil) {
			return t, nil, ""
		}
		if t := cmp.Or(r.wordSlides(f, read, b), r.ranging(f, ranked, b)); t != nil {
			return t, nil, ""
		}
		if len(b.Data)+len(b.Assets)+len(f.files) > 0 || missing(f.m, f.set) == "" || f.named() {
			return f, nil, ""
		}
		ranked = slices.DeleteFunc(ranked, func(c candidate) bool { return c.m == f.m }) // it has nothing to show
	}
	if f := r.thing(b); f != nil && len(b.Data)+len(b.Assets) == 0 {
		for _, c := range ranked {
			if !c.named || c.denied || c.m == f.m {
				continue
			}
			if g := r.fill(c.m, b); g.isCalled(f) && missing(g.m, g.set) == "" {
				return g, nil, ""
			}
		}
		return r.beside(f, ranked, b), nil, ""
	}
	if f := r.picking(2, b); f != nil && len(b.Data)+len(b.Assets) == 0 {
		return f, nil, ""
	}
	for _, last := range []func([]candidate, Brief) *filler{r.understood, r.about, r.rest} {
		if f := last(ranked, b); f != nil {
			return f, nil, ""
		}
	}
	for _, c := range ranked {
		if len(nearest) < 3 && c.score > 0 {
			nearest = append(nearest, c.m)
		}
	}
	return nil, nearest, ""
}

// advert reports whether a brief names the recipe with a button for which examples speak: its texts are no scenes.
func (r *Reader) advert(read *wish.Reading, b Brief) bool {
	return len(b.ranks) > 0 && slices.ContainsFunc(r.manifests, func(m *recipe.Manifest) bool {
		named := func(w wish.Wish) bool { return w.Kind == wish.Subject && w.About == m.Name && w.Sure && !w.Not }
		return m.Learned == b.ranks[0] && taker(m, "action") != nil && !slices.Contains(m.Fits, "markdown") && slices.ContainsFunc(read.Wishes(), named)
	})
}

// instead is the thing that moves which a brief asks for, where another recipe took the words for a text or leaves some: "a
// beating heart" is no heart that bounces, "check mark pops in" no text. nil if there is none.
func (r *Reader) instead(f *filler, b Brief) *filler {
	if len(b.Data)+len(b.Assets) > 0 {
		return nil
	}
	if n := cmp.Or(r.lone(f, b), r.picking(len(f.left()), b), r.timer(f, b)); n != nil {
		return n
	}
	if len(f.left()) > 0 {
		if t := r.thing(b); t != nil && t.lost == 0 && !t.speaks() && !f.isCalled(t) {
			return t
		}
	}
	if move, drawn := taker(f.m, takesMove), taker(f.m, takesSign); move != nil && drawn != nil && f.set[drawn.Name] && !f.set[move.Name] && taker(f.m, "whom") == nil {
		for _, m := range r.manifests { // a rocket that takes off, and words
			if p, act := taker(m, takesSign), taker(m, takesMove); p == nil || act == nil || p.Min == nil || *p.Min < 1 {
				continue
			} else if t := r.fill(m, b); t.set[p.Name] && t.set[act.Name] && t.lost == 0 && len(t.left()) <= len(f.left()) {
				return t
			}
		}
	}
	quoted := slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Text && w.Quoted })
	if p := taker(f.m, "text"); p != nil && !quoted && !f.named() { // "a beating heart, no text"
		if e := f.assigned(p.Name); e != nil && e.Value == "" {
			asides := slices.DeleteFunc(slices.Clone(b.phrases), func(p wish.Phrase) bool { return p.Role != wish.Aside })
			if t := r.thing(Brief{Prompt: b.Prompt, phrases: asides}); t != nil && t.lost == 0 {
				return t
			}
		}
	}
	return nil
}

// isCalled reports whether the words for a thing name the recipe: "the solar system for my class".
func (f *filler) isCalled(thing *filler) bool {
	return slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.Subject && w.About == f.m.Name && w.Sure && slices.ContainsFunc(thing.sights, func(s wish.Span) bool { return s.In(w.Span) })
	})
}

// speaks reports whether a text stands beside a thing that is drawn.
func (f *filler) speaks() bool {
	p := taker(f.m, "text")
	return p != nil && f.set[p.Name]
}

// understood is the recipe that a brief hints at and that understands each of its words, one of them for something that few
// recipes have: "bubble sort in java"; nil if there is none.
func (r *Reader) understood(ranked []candidate, b Brief) *filler {
	for _, c := range ranked {
		if c.hints == 0 && !c.named || c.denied {
			continue
		}
		f := r.fill(c.m, Brief{Prompt: b.Prompt})
		own := slices.ContainsFunc(f.edits, func(e Edit) bool {
			p := c.m.Param(e.Param)
			return p != nil && (p.Type == recipe.Choice && !r.common(p.Name) || slices.Contains(p.Takes, takesRating)) && e.op == assign
		})
		if own && f.shows() {
			return f
		}
	}
	return nil
}

// described is the recipe that shows a thing which a brief only describes and does not ask to be made: "show a python function that adds two
// numbers"; nil if there is none.
func (r *Reader) described(asked *wish.Reading, ranked []candidate, b Brief) *filler {
	if q := asked.Question(); !q.Product || q.Errand {
		return nil
	}
	return r.understood(ranked, b)
}

// about is the recipe with a button that a brief hints at, showing what the video is for: "an ad for the new bike repair corner". nil
// if the brief has texts of its own.
func (r *Reader) about(ranked []candidate, b Brief) *filler {
	span, ok := r.choosing.ForWhat(b.Prompt, 2)
	if !ok || slices.ContainsFunc(b.phrases, func(p wish.Phrase) bool { return p.Role != wish.Aside }) {
		return nil
	}
	for _, c := range ranked {
		if c.denied || c.score == 0 || taker(c.m, "action") == nil || taker(c.m, "text") == nil || slices.Contains(c.m.Fits, "list") {
			continue
		}
		b.phrases = []wish.Phrase{{Span: span, Role: wish.Headline}}
		if f := r.fill(c.m, b); missing(c.m, f.set) == "" {
			return f
		}
	}
	return nil
}

// rest is the recipe that examples speak for most among those that can show all of a brief, where the first could not; nil if there is none.
func (r *Reader) rest(ranked []candidate, b Brief) *filler {
	for i, class := range b.ranks {
		if class == unfitClass || i >= rivals {
			break
		}
		for _, c := range ranked {
			if c.m.Learned != class || c.denied || len(c.m.Beats) > 0 {
				continue
			}
			if f := r.fill(c.m, b); f.shows() && f.possible() {
				return f
			}
		}
	}
	return nil
}

// beside is the recipe that shows the text of a brief beside the thing that it asks for, where the recipe of things has
// no room for the text.
func (r *Reader) beside(thing *filler, ranked []candidate, b Brief) *filler {
	if thing.lost == 0 {
		return thing
	}
	for _, c := range ranked {
		p := taker(c.m, takesSign)
		if p == nil {
			continue
		}
		if f := r.fill(c.m, b); f.set[p.Name] && f.lost == 0 && missing(c.m, f.set) == "" {
			return f
		}
	}
	return thing
}

// unfitClass is the class of prompts that no recipe fits.
const unfitClass = "unfit"

// taught puts the recipe first that examples speak for, unless the person brought data or pictures, which say more, or named a
// recipe that no example knows.
func (r *Reader) taught(ranked []candidate, b Brief, read *wish.Reading) []candidate {
	if len(b.ranks) == 0 || len(b.Data)+len(b.Assets) > 0 || ranked[0].named && !slices.Contains(b.ranks, ranked[0].m.Learned) {
		return ranked
	}
	is := func(name string) bool {
		return slices.ContainsFunc(ranked, func(c candidate) bool { return c.m.Learned == name })
	}
	if top := b.ranks[0]; !is(top) && (top != unfitClass || !slices.ContainsFunc(b.ranks, is)) { // other recipes than the examples know
		return ranked
	}
	place := func(c candidate) int {
		if len(c.m.Beats) > 0 || c.denied { // the prompt is no sequence
			return len(b.ranks) + 1
		}
		if i := slices.Index(b.ranks, c.m.Learned); i >= 0 {
			return i
		}
		return len(b.ranks)
	}
	slices.SortStableFunc(ranked, func(a, b candidate) int { return place(a) - place(b) })
	if i := r.tabled(ranked, b); i > 0 {
		ranked = ahead(ranked, i)
	}
	if i := slices.IndexFunc(ranked, suits(read, ranked[0])); i > 0 {
		ranked = ahead(ranked, i)
	}
	if i := slices.IndexFunc(ranked, func(c candidate) bool { return slices.Contains(c.m.Fits, "number") && taker(c.m, "order") != nil }); i > 0 && r.states(ranked[0], b) {
		ranked = ahead(ranked, i)
	}
	if i := slices.IndexFunc(ranked, func(c candidate) bool { return r.rates(ranked[0], c.m, b) }); i > 0 {
		ranked = ahead(ranked, i)
	}
	for i := range ranked {
		ranked[i].score = min(ranked[i].score, enough/2) // near, as far as its words speak for it
	}
	plain := ranked[0].named && len(b.phrases) == 0 && len(read.Left(func(*wish.Wish) bool { return true })) == 0 // "make a title"
	if b.ranks[0] != unfitClass || plain || ranked[0].named && slices.ContainsFunc(read.Wishes(), func(w wish.Wish) bool { return w.Kind == wish.Rows && several(w.Rows) }) {
		ranked[0].score = enough + closeBelow
	}
	return ranked
}

// states reports whether a brief is a sentence of somebody about one large number or share, for a recipe that would only write it:
// "we vaccinated 3,418 children".
func (r *Reader) states(first candidate, b Brief) bool {
	shown := slices.DeleteFunc(slices.Clone(b.phrases), func(p wish.Phrase) bool { return p.Role == wish.Aside })
	if !slices.Equal(first.m.Fits, []string{"text"}) || taker(first.m, "whom") != nil || first.named || first.hints > 0 || len(shown) == 0 {
		return false
	}
	from, to, leads := shown[0].From, 0, false // leads: a text begins with the number
	for _, p := range shown {
		if p.Role != wish.Headline && p.Role != wish.Second || to > 0 && strings.Trim(b.Prompt[to:p.From], " :,") != "" {
			return false
		}
		at := strings.IndexAny(b.Prompt[p.From:p.To], "0123456789")
		leads = leads || at >= 0 && at < 4
		to = p.To
	}
	read := r.choosing.Read(b.Prompt[from:to])
	numbers, written := 0, 1
	for _, w := range read.Wishes() {
		value, err := strconv.ParseFloat(strings.TrimSuffix(w.Value, "%"), 64)
		if w.Kind == wish.Number && err == nil && value >= 2200 && (w.Unit == "" || wish.IsCurrency(w.Unit)) || w.Kind == wish.Percent || w.Kind == wish.Number && w.Unit == "%" {
			numbers++
		}
		if w.Kind == wish.Share { // "we are at 640/800 followers"
			numbers, written = numbers+1, 2
		}
	}
	return numbers == 1 && len(digits.FindAllString(b.Prompt, -1)) == written && (read.Speaker() != "" || leads)
}

// suits reports whether a recipe suits the rows of a text better than the first: rows that are no points in time are no
// line, and prices are no shares, unless the words name one.
func suits(read *wish.Reading, first candidate) func(candidate) bool {
	is := func(m *recipe.Manifest, shape string) bool { return slices.Contains(m.Fits, shape) }
	many, lines, table, timed := false, false, false, false
	strange := !first.named && first.hints == 0 && slices.ContainsFunc(read.Wishes(), func(w wish.Wish) bool {
		if w.Kind != wish.Rows || !slices.ContainsFunc(w.Rows, func(r wish.Row) bool { return r.Label != "" || r.Series != "" }) {
			return false
		}
		many, lines, table = several(w.Rows), series(read, w.Rows), mixed(w.Rows)
		timed = is(first.m, "list") && lines
		return many || timed || is(first.m, "series") && !series(read, w.Rows) || is(first.m, "rows.share") && !share(w.Rows) && wish.IsCurrency(w.Rows[0].Unit)
	})
	return func(c candidate) bool {
		if table {
			return strange && c.columned()
		}
		if timed && !many {
			return strange && is(c.m, "rows")
		}
		if many {
			return strange && (!lines || is(c.m, "series")) && taker(c.m, "rows") != nil && slices.ContainsFunc(taker(c.m, "rows").Columns, func(c recipe.Column) bool { return slices.Contains(c.Takes, "series") })
		}
		return strange && !is(c.m, "series") && !is(c.m, "rows.share") && (is(c.m, "rows") || is(c.m, "list"))
	}
}

// Recipes that fit nearly as well as the first are tried: as many as rivals, whose score is
// at most close below.
const (
	rivals     = 4
	closeBelow = 3.0
)

// best tries the recipes that fit best, and returns the one that leaves the fewest words.
func (r *Reader) best(ranked []candidate, b Brief) *filler {
	var best *filler
	most, silent := 0.0, false // silent: a text is lost that no word for the recipe gives up
	for i, c := range ranked {
		if i >= rivals || c.score < ranked[0].score-closeBelow && (best == nil || best.possible() && !best.unused() && !silent) {
			break
		}
		f := r.fill(c.m, b)
		score, mute := c.score, f.lost > 0 && !c.named
		if mute { // a lorry that drives by, with "We deliver", is a headline with a lorry
			score -= 4
		}
		if best == nil || score > most {
			best, most, silent = f, score, mute
		}
	}
	if !best.named() && len(best.left()) > 0 {
		for _, c := range ranked { // "「A 3 - 2 B」の試合結果"
			if c.named && !c.denied && c.m != best.m && taker(c.m, "sides") != nil {
				if f := r.fill(c.m, b); f.shows() && f.possible() {
					return f
				}
			}
		}
	}
	return best
}

// shows reports whether the recipe can be shown, with each word and each text of a prompt.
func (f *filler) shows() bool {
	return missing(f.m, f.set) == "" && f.lost == 0 && len(f.left()) == 0
}

// unused reports whether the text gives rows for which the recipe has no room.
func (f *filler) unused() bool {
	return slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Rows && !f.taken[w.Span] })
}

// possible reports whether the parameters can have the values that the text gives.
func (f *filler) possible() bool {
	return !slices.ContainsFunc(f.edits, func(e Edit) bool {
		p := f.m.Param(e.Param)
		if p == nil || e.op != assign || e.Value == "" {
			return false
		}
		_, err := p.Parse(e.Value, f.r)
		return err != nil
	})
}

// charted is a brief of more sides than its recipe can show, read for a recipe that draws all of them as rows: the table of a quiz. If there
// is none, it is as it was.
func (r *Reader) charted(f *filler, b Brief) *filler {
	best := f
	for _, m := range r.manifests {
		if m == f.m || !slices.Contains(m.Fits, "rows") || taker(m, "sides") != nil || best != f && m.Rank <= best.m.Rank {
			continue
		}
		if g := r.fill(m, b); g.count() > 2 && missing(m, g.set) == "" {
			best = g
		}
	}
	return best
}

// tells reports whether a prompt gives what is to be seen behind its question: "how did sales go: May 10, June 20".
func (b Brief) tells() bool {
	count := map[wish.PhraseRole]int{}
	for _, p := range b.phrases {
		if p.Role != wish.Item || count[wish.Name] > 1 || strings.Contains(b.Prompt[:p.From], ":") {
			count[p.Role]++
		}
	}
	return count[wish.Name] > 1 && count[wish.Figure] > 1 || count[wish.Item] > 1
}

func keys(own map[*recipe.Manifest]*wish.Vocabulary) func(func(*recipe.Manifest) bool) {
	return func(yield func(*recipe.Manifest) bool) {
		for m := range own {
			if !yield(m) {
				return
			}
		}
	}
}

// longText is how many words of a text without a word about moving pictures are a text for
// something else.
const longText = 60

// notAnimation says why a prompt asks for no animation, "" if it may ask for one. fits says that a
// recipe fits.
func notAnimation(read *wish.Reading, fits bool) string {
	q := read.Question()
	switch {
	case q.Words == 0 && !q.Letters:
		return "there is no word in it"
	case q.Words == 0 && q.Sum:
		return "it is a sum"
	case q.Suggests, q.Moving, q.Explains && (q.Moving || fits):
		return ""
	case q.Asks && (!fits || q.Auxiliary):
		return "it is a question"
	case q.Mark && !fits && !q.Makes:
		return "it is a question"
	case fits:
		return ""
	case q.Errand, q.Product:
		return "it asks for something else"
	case q.Greets:
		return "it is a greeting"
	case q.Self:
		return "it says something about you"
	case q.Words > longText:
		return "it is a long text without a word about moving pictures"
	}
	return ""
}
