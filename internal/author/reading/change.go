package reading

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// Change is what a text wants to be different about parameters that exist.
type Change struct {
	Values recipe.Values // after the change
	Edits  []Edit
	Styles []string
	Notes  []string // sentences: what cannot be, and what was understood otherwise than said
	Left   []string // words that nobody understood, in order
	Undo   bool     // the text asks for what was before
	Picture
	// Understood says that some wish was understood, even if it changes nothing.
	Understood bool
	// Already says that all that was understood is as asked for.
	Already bool
	// Refused is a sentence if all that was understood is impossible: a single scene cannot have it.
	Refused string
	Which   []string // if koda does not guess between several: what to say
	// Other is the recipe of another kind of video that is asked for: "turn it into a bar chart". Refused says so as well if nothing else is asked for,
	// otherwise Left has the words.
	Other *recipe.Manifest
}

// Change reads what a person wants to be different, and applies it. Errors are those of Apply.
func (r *Reader) Change(m *recipe.Manifest, v recipe.Values, known Known, said string) (Change, error) {
	if next, ok, err := r.assigned(m, v, said); ok || err != nil {
		return Change{Values: next, Understood: true, Already: maps.Equal(next, v)}, err
	}
	said = r.rephrased(m, v, r.choosing.Undoubted(said))
	of := r.partsOf(m, v, said)
	there, _ := known.scenes(v) //nolint:errcheck // values that make no video, such as a text still to come, have no scenes
	words := r.of(m)
	vocabulary := words.Present(slices.Concat(r.present(words, m, v, there.list), parts(words, m, v), standing(m, v), whenever(m, v))...)
	said = r.orderly(said, of)
	f := newFiller(r, m, vocabulary.Read(said))
	f.change, f.values, f.assets, f.whole = true, v, known.Assets, f.read
	all := wish.Span{To: len(said)}
	if value, ok := f.inScene(of, all, false); ok {
		return f.scenes(value), nil
	}
	whole := of
	of = f.obey(of)
	f.read = vocabulary.Read(blanked(said, f.whole.Verbs(done(of))))
	f.wishes = f.read.Wishes()
	f.uncut(of)
	f.hued(of)
	f.unheld(of)
	f.ownSizes(of)
	f.held(of)
	f.respelled()
	f.bestOf(v, blanked(said, f.shown))
	f.facts(true)
	f.lone(of)
	f.fill()
	f.listed(v)
	f.ended(v)
	f.aged()
	f.facts(false)
	f.percent()
	f.currency(of)
	c := Change{Edits: f.edits, Styles: f.styles, Notes: f.notes, Refused: f.ask, Which: f.which}
	c.Notes = append(c.Notes, c.Picture.read(f.wishes, cmp.Or(known.Side, usual))...)
	c.Undo = slices.ContainsFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Undo })
	start := v
	if n := len(f.styles); n > 0 && f.styles[n-1] != v[styleParam] {
		start = m.Restyle(v, f.styles[n-1])
	}
	for i := range c.Edits { // "snappier" for what is snappy already
		e := &c.Edits[i]
		if e.Param == styleParam && e.op == further && e.Value != v[styleParam] {
			e.Value = ""
		}
		if p := m.Param(e.Param); p != nil && p.Type == recipe.Choice && p.Auto && e.op == assign && e.in == nil && e.Value == start[styleParam] && m.Further[e.Value] != nil {
			e.op = further
		}
	}
	lastLonger(m, c.Edits)
	next, notes, err := r.Apply(m, start, c.Edits, known)
	if err != nil {
		return Change{}, err
	}
	c.Values, c.Notes = next, append(c.Notes, notes...)
	c.Left = f.unread(of, f.left())
	f.outstanding(&c, of)
	c.Understood = len(c.Edits)+len(c.Styles) > 0 || c.Undo || c.Width > 0 || !c.FPS.IsZero()
	for _, e := range c.Edits {
		if p := m.Param(e.Param); e.in != nil && p != nil && !p.Scene && len(c.Edits) == len(notes) {
			c.Refused = wholeOnly(p)
		}
	}
	if len(c.Edits)+len(c.Styles) == 0 || len(c.Left) > 0 {
		if value, ok := f.inScene(whole, all, true); ok {
			return f.scenes(value), nil
		}
	}
	f.unsaid(&c, whole)
	if c.Other = f.otherKind(of); c.Other != nil && len(c.Edits) == 0 && c.Refused == "" {
		c.Refused = fmt.Sprintf("this is a %s, and a %s is a new video: `koda new --recipe %s`", strings.ToLower(m.Title), strings.ToLower(c.Other.Title), c.Other.Name)
		c.Notes, c.Left = nil, nil
	}
	c.Notes = slices.DeleteFunc(c.Notes, func(note string) bool { return c.Refused != "" && strings.HasPrefix(note, capital(c.Refused)) })
	c.Already = c.Understood && len(c.Notes)+len(c.Left) == 0 && c.Refused == "" && !slices.ContainsFunc(c.Edits, func(e Edit) bool { return e.op == times || e.op == plus || e.op == listed && e.list.Kind != wish.Sort })
	return c, nil
}

// unsaid asks what is to become of a text, where a change names nothing but the text: "change the title".
func (f *filler) unsaid(c *Change, parts []wish.Part) {
	if len(parts) != 1 || parts[0].Role != wish.Old || len(c.Edits) > 0 || c.Refused != "" {
		return
	}
	if wrong := parts[0].Said; f.read.Respells() && f.standing(wrong) {
		c.Refused, c.Notes, c.Left = fmt.Sprintf("nothing says how %s is spelled", koda.Quote(wrong)), nil, nil
		c.Which = []string{wrong + " is spelled …"}
		return
	}
	if !f.titles(parts[0]) {
		return
	}
	c.Refused, c.Notes, c.Left = fmt.Sprintf("nothing says what %s is to become", koda.Quote(parts[0].Said)), nil, nil
	if c.Which = []string{parts[0].Said + ": Hello"}; len(f.m.Beats) > 0 {
		c.Which = []string{fmt.Sprintf("scene 1: %s Hello", parts[0].Said)}
	}
}

// titles reports whether a part names texts of the video, such as "the title".
func (f *filler) titles(p wish.Part) bool {
	about, below, words := f.whole.TextCalled(p.Span)
	text := f.m.Param(about)
	return below || words || text != nil && text.Type == recipe.Text
}

// otherKind is the recipe that a part names as a kind of video; nil if none names any but that of the video.
func (f *filler) otherKind(parts []wish.Part) *recipe.Manifest {
	for _, p := range parts {
		if p.Role != wish.New && p.Role != wish.Further && f.titles(p) { // "title at the top"
			continue
		}
		names := f.kinds(p)
		if all := words(strings.ToLower(p.Said)); p.Role == wish.Look && len(all) > 0 && !slices.ContainsFunc(all[:len(all)-1], func(w string) bool { return !f.read.Idle(w) }) { // "as a line"
			names = append(names, all[len(all)-1])
		}
		for _, name := range names {
			i := slices.IndexFunc(f.r.manifests, func(m *recipe.Manifest) bool { return m.Name == name && m != f.m })
			if i >= 0 && !f.inText(p.Span) && !f.drawn(p.Span) {
				return f.r.manifests[i]
			}
		}
	}
	return nil
}

// present are the words of what exists: the items of lists, and the titles of scenes.
func (r *Reader) present(known *wish.Vocabulary, m *recipe.Manifest, v recipe.Values, scenes []koda.SceneStart) []wish.Term {
	var out []wish.Term
	for p, list := range lists(m, v) {
		if p.Type == recipe.Text { // "the first command"
			out = append(out, wish.Term{Role: wish.Noun, About: p.Name, Type: wish.OfList, Words: p.Words})
		}
		for _, item := range list {
			s := text(p, item)
			names := []string{s}
			base := path.Base(s)
			if base != s { // "holiday one.png" is holiday-one.png in the project
				names = append(names, base, strings.ReplaceAll(base, "-", " "))
			}
			if stem := strings.TrimSuffix(base, path.Ext(base)); fileColumn(p) != "" && stem != "" {
				names = append(names, stem)
			}
			names = append(append(names, known.Also(s)...), s+"'s") // "make Ann's bar gold"
			names = append(names, otherNames(m, p, s)...)
			kind := wish.OfList
			if label, _ := entry(s); p.Type == recipe.Texts && label != "" {
				names, kind = append(names, label), wish.OfNumber
			}
			if _, number := columns(p); number != "" {
				kind = wish.OfNumber
			}
			out = append(out, wish.Term{Role: wish.Label, About: p.Name, Type: kind, Value: s, Words: map[string][]string{"": names}})
		}
	}
	if !slices.ContainsFunc(scenes, func(s koda.SceneStart) bool { return s.Title != scenes[0].Title }) { // there the word means what is shown
		return out
	}
	seen := map[string]bool{}
	for _, s := range scenes {
		low := strings.ToLower(strings.TrimSpace(s.Title))
		words := []string{low, strings.TrimPrefix(low, "the ")}
		if head, nth, ok := strings.Cut(low, " "); ok && whole(nth) > 0 { // "loop" means Loop 1, Loop 2, …
			words = append(words, head)
		}
		for _, w := range words {
			if name := strings.TrimSpace(w); name != "" && !seen[name] {
				seen[name] = true
				value := low
				if name != strings.TrimPrefix(low, "the ") {
					value = name
				}
				out = append(out, wish.Term{Role: wish.Stage, Value: value, Words: map[string][]string{"": {name}}})
			}
		}
	}
	for p, list := range lists(m, v) { // "the list" is the only scene of its kind
		if worded(p) == "" || len(list) != len(scenes) {
			continue
		}
		kinds := map[string]int{}
		for _, item := range list {
			kinds[text(p, item)]++
		}
		for i, item := range list {
			if kind := text(p, item); kinds[kind] == 1 {
				also := r.called(m, p, kind)
				also[""] = []string{kind}
				out = append(out, wish.Term{Role: wish.Stage, Value: strings.ToLower(scenes[i].Title), Words: also}, wish.Term{Role: wish.Label, About: p.Name, Type: wish.OfList, Value: kind, Words: also})
			}
		}
	}
	return out
}

// called are the words for scenes of a kind of a story: those for the recipes that show such scenes, but for texts, which stand in all of them.
func (r *Reader) called(story *recipe.Manifest, p *recipe.Param, kind string) recipe.Words {
	label, _ := columns(p)
	out := recipe.Words{}
	for _, m := range r.manifests {
		if story.Beats[m.Name][label] == kind && !slices.Equal(m.Fits, []string{"text"}) {
			for lang, words := range m.Subjects {
				out[lang] = append(out[lang], words...)
			}
		}
	}
	return out
}

// listIn are the items that a value holds: of a list, or the lines of commands. ok is false if it holds none.
func listIn(p *recipe.Param, value string) (list []json.RawMessage, ok bool) {
	if p.Type == recipe.Text && slices.Contains(p.Takes, "commands") && value != "" {
		for line := range strings.SplitSeq(value, "\n") {
			list = append(list, json.RawMessage(recipe.Encode(line)))
		}
		return list, true
	}
	told := slices.Contains(p.Takes, takesParts) || slices.Contains(p.Takes, takesChosen) // what is said of others
	return list, (p.Type == recipe.Texts || p.Type == recipe.Rows) && !told && json.Unmarshal([]byte(value), &list) == nil
}

// holding is the value that holds items.
func holding(p *recipe.Param, list []json.RawMessage) string {
	if p.Type != recipe.Text {
		return recipe.Encode(list)
	}
	var lines []string
	for _, item := range list {
		lines = append(lines, text(p, item))
	}
	return strings.Join(lines, "\n")
}

// lists are the parameters that hold lists, with their items.
func lists(m *recipe.Manifest, v recipe.Values) func(func(*recipe.Param, []json.RawMessage) bool) {
	return func(yield func(*recipe.Param, []json.RawMessage) bool) {
		for i := range m.Params {
			p := &m.Params[i]
			if list, ok := listIn(p, v[p.Name]); ok && !yield(p, list) {
				return
			}
		}
	}
}

// percent gives numbers the sign that a change names, "show percent signs", and a share the value that the text now tells.
func (f *filler) percent() {
	f.reshared()
	p := f.free("percent.sign")
	if span, ok := f.read.Percent(); ok && p != nil && f.values[p.Name] == "" && !f.inText(span) {
		f.put(p.Name, "%", wish.Wish{Span: span})
		f.shown = append(f.shown, span)
	}
}

// currency gives a number the currency that a change names: "it needs to be in euros".
func (f *filler) currency(parts []wish.Part) {
	p := f.free("currency")
	if p == nil {
		return
	}
	code, span, ok := f.read.Currency()
	for _, n := range parts {
		if n.Role != wish.New {
			continue
		}
		if now, _, is := f.r.words.Read(n.Said).Currency(); is {
			code, span, ok = now, n.Span, true
		}
	}
	if ok && code != f.values[p.Name] && !f.inText(span) {
		f.put(p.Name, code, wish.Wish{Span: span})
		f.shown = append(f.shown, span)
	}
}

// listed turns wishes about items that exist into edits.
func (f *filler) listed(v recipe.Values) {
	for i := range f.wishes {
		w := &f.wishes[i]
		switch {
		case w.Kind == wish.Other:
			f.other(w)
		case f.taken[w.Span] || f.inText(w.Span) || !items(w):
		default:
			p, why := f.listOf(w, v)
			f.taken[w.Span] = p != nil || why != ""
			switch {
			case why != "":
				f.note("%s", why)
			case p != nil:
				f.shown = append(f.shown, w.Span)
				f.edits = append(f.edits, Edit{Param: p.Name, op: listed, said: f.read.Said(w.Span), list: w})
			}
		}
	}
}

// quoted reports whether a place has a quotation.
func (f *filler) quoted(s wish.Span) bool { return strings.ContainsAny(f.read.Said(s), `"“„«「`) }

// items reports whether a wish is about items of a list.
func items(w *wish.Wish) bool {
	switch w.Kind {
	case wish.Rows, wish.Add, wish.Swap, wish.Move, wish.Replace, wish.Merge, wish.Sort:
		return true
	case wish.Remove:
		return len(w.Items) > 0
	case wish.More: // their numbers
		return w.Unit == wish.Others
	case wish.Colour:
		return w.Label != ""
	}
	return false
}

// other turns "the other colour" into an edit: another value for the colour that the person set. If there are
// two, koda does not guess.
func (f *filler) other(w *wish.Wish) {
	p := f.m.Param(w.About)
	var set []string
	for i := range f.m.Params {
		q := &f.m.Params[i]
		if p != nil || q.Type != recipe.Color {
			continue
		}
		if f.values[q.Name] != q.Default.For(f.values[styleParam]) {
			set = append(set, q.Name)
		}
	}
	f.taken[w.Span] = true
	switch {
	case len(set) > 1:
		f.ask = fmt.Sprintf("there are several colours it may mean: %s", join(set))
		for _, name := range set {
			f.which = append(f.which, "another "+Spoken(f.m.Param(name)))
		}
		return
	case len(set) == 1:
		p = f.m.Param(set[0])
	case p == nil:
		p = taker(f.m, "color")
	}
	if p != nil {
		f.edits = append(f.edits, Edit{Param: p.Name, Value: f.values[p.Name], op: denied, said: f.read.Said(w.Span), in: w.Scenes})
	}
}

// listOf is the list that a wish is about: the one that has its items, or the first that can have them. why
// says what is in the way.
func (f *filler) listOf(w *wish.Wish, v recipe.Values) (_ *recipe.Param, why string) {
	named := append(slices.Clone(w.Items), w.From, w.Label)
	if w.Kind == wish.Swap {
		named = append(named, w.To)
	}
	for _, row := range w.Rows {
		named = append(named, row.Label)
	}
	gone := ""
	for p, list := range lists(f.m, v) {
		for i := range w.Items {
			w.Items[i] = f.ownName(p, w.Items[i])
		}
		_, number := columns(p)
		scenes := worded(p) != "" && !slices.Contains(p.Takes, "file")
		switch {
		case w.Kind == wish.Add && scenes && len(w.Items) > 0:
			return p, ""
		case w.Kind == wish.Add && scenes && w.About == wish.NewScene:
			return nil, fmt.Sprintf("Say what the scene tells, such as %s.", koda.Quote(`add a scene that says "Thanks!"`))
		case w.Kind == wish.Add && w.About == wish.NewScene:
			continue
		case w.Kind == wish.Add && w.Label != "" && taking(p, "lines") != "" && index(p, list, w.Label) >= 0:
			return p, ""
		case w.Kind == wish.Add && len(w.Items) > 0 && f.read.FileKind(w.Items[0]) == "image":
			if slices.Contains(p.Takes, "file") {
				return p, ""
			}
			continue
		case w.Kind == wish.Swap && w.About == wish.Both && len(list) != 2:
			return nil, fmt.Sprintf("There are %d: say which two change places, such as %s.", len(list), koda.Quote("swap 1 and 2"))
		case w.Kind == wish.Add && (slices.Contains(p.Takes, "list") || f.r.kindOf(f.m, p, w.Items) != ""), w.Kind == wish.Add && slices.Contains(p.Takes, "commands"), w.Kind == wish.Add && number != "" && !scenes && len(w.Rows) > 0, w.Kind == wish.Sort && len(list) > 1:
			return p, ""
		case w.Kind == wish.Add && len(w.Items) > 0 && standard(p, w.Items[0]) != nil: // a planet
			return p, ""
		case w.Kind == wish.Add && number != "" && !scenes:
			return nil, fmt.Sprintf("%s needs a number: say %s.", capital(w.Items[0]), koda.Quote("add "+w.Items[0]+" 20"))
		}
		if w.Kind == wish.Rows && number == "" && worded(p) == "" && (p.Type != recipe.Texts || !priced.MatchString(w.About)) { // "4 eggs", where "3 eggs" is no row
			continue
		}
		if w.Kind == wish.More && (number == "" && !slices.ContainsFunc(list, func(item json.RawMessage) bool { return counted(p, item) }) || worded(p) != "") {
			continue
		}
		there := 0
		for _, s := range named {
			if s != "" && index(p, list, s) >= 0 {
				there++
			} else if s != "" && w.Kind != wish.Add {
				gone = s
			}
		}
		switch {
		case w.Kind == wish.More && len(w.Items) == 0:
			return p, ""
		case there == 0 || w.Kind == wish.Add:
		case w.Kind == wish.Colour && colourOf(p) == "":
			return nil, fmt.Sprintf("The %s has one colour for all %s: %s keeps its own.", strings.ToLower(f.m.Title), Spoken(p), strings.Replace(koda.Quote(w.Label), `"#`, `"number `, 1))
		default:
			return p, ""
		}
	}
	if w.About == wish.NewScene {
		return nil, fmt.Sprintf("The %s has no room for a further scene: a new video can be told as a sequence, such as %s.", strings.ToLower(f.m.Title), koda.Quote(`title "Hello", then "Thanks!"`))
	}
	if place, ok := strings.CutPrefix(gone, "#"); ok {
		why = fmt.Sprintf("There is no number %s.", place)
		if place == "-1" {
			why = "There are not several of which one is the last."
		}
	}
	return nil, why
}
