package reading

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// ordered reads an order about one scene of a sequence as a change of the recipe that shows the scene: "scene 2: author Ann", "add Beaches to the
// list". It reports whether the order names a scene, and the recipe understands it.
func (f *filler) ordered(o *wish.Order, parts []wish.Part) bool {
	all := o.Spans()
	at := all[0]
	for _, s := range all {
		at = wish.Span{From: min(at.From, s.From), To: max(at.To, s.To)}
	}
	begin, end := 0, at.To+len(f.rest(wish.Part{Span: at}))
	for _, part := range parts {
		if part.To <= at.From {
			begin = max(begin, part.To)
		} else if part.From >= at.To {
			end = min(end, part.From)
		}
	}
	at = wish.Span{From: begin, To: end}
	value, ok := f.inScene(parts, at, false)
	if ok {
		f.ahead(taker(f.m, "rows"), value, all[0])
		f.gaps = append(f.gaps, at)
	}
	return ok
}

// inScene reads what stands at a place as a change of the recipe that shows one of the scenes of a sequence, and returns the scenes after the
// change. The scene is the one that is named there; where several may be meant, the only one of which the change can be understood: "only 3
// planets".
func (f *filler) inScene(parts []wish.Part, at wish.Span, several bool) (value string, ok bool) {
	p := taker(f.m, "rows")
	if len(f.m.Beats) == 0 || p == nil {
		return "", false
	}
	value = f.value(p)
	if several { // instead of all edits
		value = f.values[p.Name]
	}
	list, _ := listIn(p, value)
	value = ""
	only, sure, text := -1, false, []byte(f.whole.Text())
	for _, thing := range f.whole.Things() {
		i := index(p, list, thing.Said)
		k := slices.IndexFunc(parts, func(o wish.Part) bool { return o.Overlaps(thing.Span) })
		if i < 0 || !thing.In(at) || k >= 0 && slices.Contains([]wish.PartRole{wish.Holder, wish.Look, wish.New, wish.Idle}, parts[k].Role) {
			continue
		}
		_, _, words := f.whole.TextCalled(thing.Span) // "the title" may be that of any scene
		nth, stands := strings.HasPrefix(thing.Said, "#"), false
		if nth && k >= 0 && parts[k].Role == wish.Old { // a word of what the scene tells
			from, _ := find(cell(list[i], worded(p)), f.whole.Said(thing.Span), 0)
			stands = from >= 0
		}
		into := k >= 0 && parts[k].Role == wish.Where && (thing.From == 0 || f.whole.Into(parts[k].Span) || !nth && !strings.ContainsAny(f.whole.Place(parts[k:k+1]), "<>"))
		switch {
		case stands:
			continue
		case k >= 0 && parts[k].Role != wish.Old && parts[k].Role != wish.Kept && !into, sure && !words && only != i:
			return "", false
		case !sure:
			only, sure = i, !words
		}
		if from := f.whole.Leading(thing.Span); nth && !words {
			copy(text[from:thing.To], strings.Repeat(" ", thing.To-from))
		}
	}
	said := strings.Trim(strings.Join(strings.Fields(string(text[at.From:at.To])), " "), " ,:")
	grows := slices.ContainsFunc(parts, func(part wish.Part) bool { return part.Role == wish.Further })
	for i, scene := range list {
		if only >= 0 && i != only || only < 0 && !several {
			continue
		}
		now, changed := f.changed(p, scene, said, grows)
		if changed && ok {
			return "", false
		}
		if changed {
			all := slices.Clone(list)
			all[i], ok = now, true
			value = recipe.Encode(all)
		}
	}
	return value, ok
}

// scenes is the change that makes the scenes of a sequence what they are to be.
func (f *filler) scenes(value string) Change {
	c := Change{Values: maps.Clone(f.values), Understood: true}
	c.Values[taker(f.m, "rows").Name] = value
	return c
}

// changed is a scene after a change of a recipe that shows it. ok is false if no recipe understands all of the change, or the scene cannot hold
// what comes of it. Items come as well only where grows says so.
func (f *filler) changed(p *recipe.Param, scene json.RawMessage, said string, grows bool) (_ json.RawMessage, ok bool) {
	label, _ := columns(p)
	for _, m := range f.r.manifests {
		columns := f.m.Beats[m.Name]
		if columns == nil || columns[label] != text(p, scene) {
			continue
		}
		t := kept{r: f.r, m: m, v: m.Defaults(""), held: map[string]bool{}}
		before, ok := t.take(p, columns, scene)
		if !ok {
			continue
		}
		c, err := f.r.Change(m, t.v, Known{Assets: f.assets}, said)
		if err != nil || !c.Understood || c.Undo || c.Picture != (Picture{}) || c.Refused != "" || len(c.Left)+len(c.Notes)+len(c.Styles) > 0 {
			continue
		}
		if !grows && slices.ContainsFunc(c.Edits, func(e Edit) bool { return e.op == listed && e.list.Kind == wish.Add }) {
			continue
		}
		if slices.ContainsFunc(slices.Collect(maps.Keys(c.Values)), func(name string) bool { return c.Values[name] != t.v[name] && !t.held[name] }) {
			continue
		}
		t.v = c.Values
		now, ok := t.give(p, columns)
		if !ok || maps.Equal(now, before) || worded(p) != "" && now[worded(p)] == nil && before[worded(p)] != nil { // "remove the quote" is for the scene
			continue
		}
		for _, c := range p.Columns {
			if placeholders.MatchString(columns[c.Name]) && c.Type != recipe.Number {
				scene = filled(scene, c.Name, now[c.Name])
			}
		}
		return scene, true
	}
	return nil, false
}

// kept are values of a recipe that shows a scene of a sequence. held are the names of those that the scene can hold.
type kept struct {
	r    *Reader
	m    *recipe.Manifest
	v    recipe.Values
	held map[string]bool
}

// inkScenes gives the texts that words name in the scenes of a sequence a colour: the headings, the author. It reports whether there are any.
func (f *filler) inkScenes(said string, w wish.Wish) (done bool) {
	p := taker(f.m, "rows")
	if len(f.m.Beats) == 0 || p == nil || f.r.lettering(said) {
		return false
	}
	list, _ := listIn(p, f.value(p))
	label, _ := columns(p)
	for _, scene := range list {
		for _, m := range f.r.manifests {
			for _, c := range p.Columns {
				name := strings.TrimPrefix(f.m.Beats[m.Name][c.Name], "$")
				if text := cell(scene, c.Name); text != "" && f.m.Beats[m.Name][label] == cell(scene, label) && calls(m.Param(name), said) && m.Param(name).Type == recipe.Text {
					done = f.inked(text, w.Value, w) || done
				}
			}
		}
	}
	return done
}

// placeholders are the names of values in what a scene holds of a recipe: "$from; $to".
var placeholders = regexp.MustCompile(`\$(\w+)`)

// take takes the values that a scene holds, and returns what the scene holds of them. ok is false if that is not all that the scene tells.
func (t *kept) take(p *recipe.Param, columns map[string]string, scene json.RawMessage) (row map[string]any, ok bool) {
	tells := map[string]string{}
	for _, c := range p.Columns {
		if c.Type == recipe.Number {
			continue
		}
		tells[c.Name] = strings.TrimSpace(cell(scene, c.Name))
		rest := tells[c.Name]
		for k, name := range placeholders.FindAllStringSubmatch(columns[c.Name], -1) {
			q := t.m.Param(name[1])
			if q == nil {
				continue
			}
			if k == 0 && (q.Type == recipe.Texts || q.Type == recipe.Rows) { // a data file may have each in a line of its own
				rest = strings.ReplaceAll(rest, "\n", "; ")
				tells[c.Name] = rest
			}
			rest = t.one(q, rest, strings.Contains(columns[c.Name], "; "))
		}
	}
	if row, ok = t.give(p, columns); !ok {
		return nil, false
	}
	for _, c := range p.Columns {
		if now, _ := row[c.Name].(string); placeholders.MatchString(columns[c.Name]) && c.Type != recipe.Number && now != tells[c.Name] {
			return nil, false
		}
	}
	return row, true
}

// one takes a value from the beginning of what a column says, and returns the rest. many says that the rest is parted by semicolons.
func (t *kept) one(q *recipe.Param, said string, many bool) (rest string) {
	value := said
	switch {
	case q.Type == recipe.Texts && said != "":
		value = recipe.Encode(strings.Split(said, "; "))
	case q.Type == recipe.Rows:
		value = t.rows(q, said)
	case q.Type == recipe.Number || q.Type == recipe.Integer:
		if value = strings.TrimSuffix(leading.FindString(said), "%"); value == "" || slices.Contains(q.Takes, "percent") != strings.HasPrefix(said[len(value):], "%") {
			return said
		}
		rest = strings.TrimLeft(strings.TrimPrefix(said[len(value):], "%"), " ;")
	case slices.Contains(q.Takes, "currency") && !wish.IsCurrency(said):
		return said
	case many:
		value, rest, _ = strings.Cut(said, "; ")
	}
	if value == "" && q.Type != recipe.Text {
		return said
	}
	if now, err := q.Parse(value, t.r); err == nil {
		t.v[q.Name], t.held[q.Name] = now, true
	}
	return rest
}

// leading is a number at the beginning of a text.
var leading = regexp.MustCompile(`^-?\d[\d.]*%?`)

// rows are rows as a scene tells them: "Apples 3; Pears 5", "Lions: 3; Tigers: 2".
func (t *kept) rows(q *recipe.Param, said string) string {
	var out []json.RawMessage
	for item := range strings.SplitSeq(said, "; ") {
		one := json.RawMessage("{}")
		if column := taking(q, "figure"); column != "" {
			name, rest, _ := strings.Cut(item, ": ")
			lines := strings.Split(rest, ", ")
			if strings.ContainsAny(lines[0], figures) {
				one, lines = with(one, column, recipe.Encode(lines[0])), lines[1:]
			}
			out = append(out, filled(renamed(q, one, name), taking(q, "lines"), strings.Join(lines, "\n")))
			continue
		}
		at := strings.LastIndexByte(item, ' ') + 1
		if unit := taker(t.m, "unit"); unit != nil && leading.FindString(item[at:]) == "" && at > 0 {
			t.v[unit.Name] = item[at:]
			item = item[:at-1]
			at = strings.LastIndexByte(item, ' ') + 1
		}
		_, number := columns(q)
		one = renamed(q, one, strings.TrimSpace(item[:at]))
		if number == "" || leading.FindString(item[at:]) != item[at:] || at == len(item) {
			return ""
		}
		out = append(out, with(one, number, item[at:]))
	}
	return recipe.Encode(out)
}

// give is what a scene holds of the values. ok is false if these hold more.
func (t *kept) give(p *recipe.Param, columns map[string]string) (map[string]any, bool) {
	part := filler{r: t.r, m: t.m}
	for _, name := range t.m.ParamNames() {
		if unit := t.m.Param(name); t.v[name] != "" && (t.held[name] || unit == taker(t.m, "unit")) {
			part.edits = append(part.edits, Edit{Param: name, Value: t.v[name]})
		}
	}
	now := row(p, columns, &part)
	return now, len(part.notes) == 0
}

// filled is a row with a text in a column, or without the column where there is none.
func filled(item json.RawMessage, column string, text any) json.RawMessage {
	if text != nil && text != "" {
		return with(item, column, recipe.Encode(text))
	}
	var row map[string]json.RawMessage
	_ = json.Unmarshal(item, &row) //nolint:errcheck // a row is an object
	delete(row, column)
	return json.RawMessage(recipe.Encode(row))
}
