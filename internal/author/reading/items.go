package reading

import (
	"cmp"
	"encoding/json"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// items changes the items of a list.
func (r *Reader) items(p *recipe.Param, v recipe.Values, e Edit) []string {
	list, ok := listIn(p, v[p.Name])
	if !ok {
		return nil
	}
	w := e.list
	switch w.Kind {
	case wish.Rows, wish.Colour, wish.Replace, wish.Remove, wish.Merge, wish.More:
		list = at(p, list, w)
	case wish.Add:
		if i := index(p, list, w.Label); w.Label != "" && i >= 0 { // a line of a side
			list[i] = withLine(p, list[i], strings.Join(w.Items, "\n"))
			break
		}
		for k := range len(w.Items) + len(w.Rows) {
			var one json.RawMessage
			if k < len(w.Items) {
				if one = standard(p, w.Items[k]); one == nil {
					one = item(p, w.Items[k], 0)
				} else if index(p, list, w.Items[k]) >= 0 {
					continue // it is there
				}
			} else {
				row := w.Rows[k-len(w.Items)]
				one = item(p, row.Label, row.Value)
				if p.Type == recipe.Texts {
					one = item(p, row.Label+" "+spacedAs(p, list, figureOf(row)), 0)
				}
				if s := rows(p, []wish.Row{row}); taking(p, "figure") != "" || row.Colour != "" && colourOf(p) != "" {
					one = json.RawMessage(strings.Trim(s, "[]"))
				}
			}
			further := k // they keep their order
			if strings.HasPrefix(w.To, "<") || w.To == "" || w.To[0] == '-' {
				further = 0
			}
			list = placed(p, list, one, cmp.Or(w.To, "-1"), further)
		}
	case wish.Swap:
		if i, j := index(p, list, w.From), index(p, list, w.To); i >= 0 && j >= 0 {
			list[i], list[j] = list[j], list[i]
		}
	case wish.Move:
		if i := index(p, list, w.From); i >= 0 {
			one := list[i]
			list = placed(p, slices.Delete(list, i, i+1), one, w.To, 0)
		}
	case wish.Sort:
		sort(p, list, w.Value)
	}
	value, err := p.Parse(holding(p, list), r)
	if err != nil {
		return []string{capital(err.Error()) + "."}
	}
	v[p.Name] = value
	return nil
}

// at changes the items that a wish names.
func at(p *recipe.Param, list []json.RawMessage, w *wish.Wish) []json.RawMessage {
	var found []int
	for _, s := range slices.Concat(w.Items, labels(w.Rows), []string{w.From, w.Label}) {
		if i := index(p, list, s); s != "" && i >= 0 && !slices.Contains(found, i) {
			found = append(found, i)
		}
	}
	if w.Kind == wish.More {
		for i := range list {
			if counted(p, list[i]) && (len(w.Items) == 0 || slices.Contains(found, i)) {
				list[i] = withNumber(p, list[i], math.Round(number(p, list[i])*w.By*100)/100)
			}
		}
		return list
	}
	if len(found) == 0 {
		return list
	}
	if i := index(p, list, w.Value); w.Kind == wish.Merge && i >= 0 { // "into other", which is there
		found = append([]int{i}, slices.DeleteFunc(found, func(k int) bool { return k == i })...)
	}
	first := found[0]
	switch w.Kind {
	case wish.Rows:
		list[first] = withQuantity(p, list[first], w.Rows[0])
	case wish.Replace:
		list[first] = renamed(p, list[first], w.To)
	case wish.Colour:
		list[first] = with(list[first], colourOf(p), recipe.Encode(w.Value))
	case wish.Merge:
		sum := 0.0
		for _, i := range found {
			sum += number(p, list[i])
		}
		list[first] = renamed(p, list[first], w.Value)
		if _, column := columns(p); column != "" {
			list[first] = withNumber(p, list[first], sum)
		}
		found = found[1:]
	}
	if w.Unit == wish.Others && w.Value == wish.Largest {
		all := slices.Clone(list)
		sort(p, all, "down")
		return slices.DeleteFunc(list, func(item json.RawMessage) bool {
			return slices.IndexFunc(all, func(o json.RawMessage) bool { return string(o) == string(item) }) >= len(found)
		})
	}
	if w.Unit == wish.Others {
		var kept []json.RawMessage
		for i, item := range list {
			if slices.Contains(found, i) {
				kept = append(kept, item)
			}
		}
		return kept
	}
	if w.Kind == wish.Remove || w.Kind == wish.Merge {
		slices.Sort(found)
		for _, i := range slices.Backward(found) {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list
}

func labels(rows []wish.Row) (out []string) {
	for _, r := range rows {
		out = append(out, r.Label)
	}
	return out
}

// sort sorts items by what names them, or by their numbers if they have any.
func sort(p *recipe.Param, list []json.RawMessage, by string) {
	_, column := columns(p)
	words := column == "" && slices.ContainsFunc(list, func(item json.RawMessage) bool { return !priced.MatchString(text(p, item)) })
	slices.SortStableFunc(list, func(a, b json.RawMessage) int {
		switch {
		case by == "reverse":
			return 0
		case by == "label" || words:
			return strings.Compare(strings.ToLower(text(p, a)), strings.ToLower(text(p, b))) * map[bool]int{true: -1, false: 1}[by == "down"]
		case by == "down":
			return cmp.Compare(number(p, b), number(p, a))
		}
		return cmp.Compare(number(p, a), number(p, b))
	})
	if by == "reverse" {
		slices.Reverse(list)
	}
}

// number is the number of a row; 0 if it has none.
func number(p *recipe.Param, item json.RawMessage) float64 {
	_, column := columns(p)
	amount := func(said string) float64 { // of "$1,200"
		n, _ := strconv.ParseFloat(strings.ReplaceAll(digits.FindString(said), ",", ""), 64) //nolint:errcheck // 0 where there is none
		return n
	}
	var row map[string]any
	if json.Unmarshal(item, &row) != nil {
		_, price := entry(text(p, item))
		return amount(price)
	}
	if said, ok := row[column].(string); ok {
		return amount(said)
	}
	n, _ := row[column].(float64)
	return n
}

// colourOf is the column of the colour of rows; "" if there is none.
func colourOf(p *recipe.Param) string {
	for _, c := range p.Columns {
		if c.Type == recipe.Color {
			return c.Name
		}
	}
	return ""
}

// placed puts an item at a place, as of wish.Move, and then so many further.
func placed(p *recipe.Param, list []json.RawMessage, one json.RawMessage, to string, further int) []json.RawMessage {
	at := whole(to) - 1
	switch {
	case strings.HasPrefix(to, "<"):
		at = index(p, list, to[1:])
	case strings.HasPrefix(to, ">"):
		at = index(p, list, to[1:]) + 1
	case at < 0:
		at = len(list) + 1 + whole(to)
	}
	return slices.Insert(list, min(max(at+further, 0), len(list)), one)
}

// columns are the column of the label of rows, and that of the number, which may be a figure.
func columns(p *recipe.Param) (label, number string) {
	number = taking(p, "figure")
	for _, c := range p.Columns {
		switch {
		case (c.Type == recipe.Text || c.Type == recipe.File) && label == "":
			label = c.Name
		case c.Type == recipe.Number && number == "":
			number = c.Name
		}
	}
	return label, number
}

// text is what names an item: the text itself, or the label of a row.
func text(p *recipe.Param, item json.RawMessage) string {
	var s string
	if json.Unmarshal(item, &s) == nil {
		return s
	}
	label, _ := columns(p)
	var row map[string]any
	if json.Unmarshal(item, &row) == nil {
		s, _ = row[label].(string)
	}
	return s
}

// index finds an item by what names it, or by its place, as in "#2" and "#-1".
func index(p *recipe.Param, list []json.RawMessage, said string) int {
	if nth, ok := strings.CutPrefix(said, "#"); ok {
		n := whole(nth)
		if n < 0 {
			n += len(list) + 1
		}
		if n >= 1 && n <= len(list) {
			return n - 1
		}
		return -1
	}
	return slices.IndexFunc(list, func(item json.RawMessage) bool {
		is := text(p, item)
		if column := worded(p); column != "" && strings.EqualFold(cell(item, column), said) { // what a scene says
			return true
		}
		if column := taking(p, "sign"); column != "" && strings.EqualFold(cell(item, column), said) { // what a scene draws
			return true
		}
		return strings.EqualFold(is, said) || fileColumn(p) != "" && strings.EqualFold(path.Base(is), path.Base(said))
	})
}

func item(p *recipe.Param, label string, number float64) json.RawMessage {
	if p.Type != recipe.Rows {
		return json.RawMessage(recipe.Encode(label))
	}
	if s := rows(p, []wish.Row{{Label: label, Value: number}}); s != "" && worded(p) == "" {
		return json.RawMessage(strings.Trim(s, "[]"))
	}
	if column := fileColumn(p); column != "" && (worded(p) == "" || path.Ext(label) != "" && !strings.Contains(label, " ")) {
		return with(json.RawMessage("{}"), column, recipe.Encode(label))
	}
	return renamed(p, json.RawMessage("{}"), label)
}

// withLine gives a side one line more.
func withLine(p *recipe.Param, item json.RawMessage, line string) json.RawMessage {
	lines := taking(p, "lines")
	return with(item, lines, recipe.Encode(strings.TrimPrefix(cell(item, lines)+"\n"+line, "\n")))
}

// withQuantity gives a side of several quantities the number of the one in the same unit: "119 euros", of "1 hour" and "129 euros".
func withQuantity(p *recipe.Param, item json.RawMessage, row wish.Row) json.RawMessage {
	unit := cmp.Or(row.Sign, row.Unit)
	if figure := taking(p, "figure"); figure != "" && unit != "" {
		for _, column := range []string{figure, taking(p, "lines")} {
			said := cell(item, column)
			for _, at := range digits.FindAllStringIndex(said, -1) {
				if rest := strings.TrimLeft(said[at[1]:], " "); len(rest) >= len(unit) && strings.EqualFold(rest[:len(unit)], unit) {
					return with(item, column, recipe.Encode(said[:at[0]]+recipe.Trim(row.Value)+said[at[1]:]))
				}
			}
		}
	}
	return withNumber(p, item, row.Value)
}

func withNumber(p *recipe.Param, item json.RawMessage, number float64) json.RawMessage {
	if column := taking(p, "figure"); column != "" { // with what is written around the number
		said, from, to := cell(item, column), 0, 0
		if at := digits.FindStringIndex(said); at != nil {
			from, to = at[0], at[1]
		}
		return with(item, column, recipe.Encode(said[:from]+recipe.Trim(number)+said[to:]))
	}
	if worded(p) != "" { // a scene with one number: "275 members"
		for _, column := range shown(p, "text") {
			said := cell(item, column)
			if at := digits.FindAllStringIndex(said, -1); len(at) == 1 {
				return with(item, column, recipe.Encode(said[:at[0][0]]+recipe.Trim(number)+said[at[0][1]:]))
			}
		}
		return item
	}
	if p.Type == recipe.Texts {
		label, price := entry(text(p, item))
		now := recipe.Trim(number)
		cents := hundredths.FindStringSubmatch(price)
		if number != math.Trunc(number) && (cents != nil || strings.ContainsAny(price, "$€£¥")) {
			now = strconv.FormatFloat(number, 'f', 2, 64)
		}
		if cents != nil {
			now = strings.Replace(now, ".", cents[1], 1) // "12,90 €"
		}
		return json.RawMessage(recipe.Encode(label + digits.ReplaceAllLiteralString(price, now)))
	}
	_, column := columns(p)
	return with(item, column, recipe.Trim(number))
}

func renamed(p *recipe.Param, item json.RawMessage, to string) json.RawMessage {
	if label, price := entry(text(p, item)); p.Type == recipe.Texts && label != "" && !digits.MatchString(to) { // its price stays
		to += price
	}
	if p.Type != recipe.Rows {
		return json.RawMessage(recipe.Encode(to))
	}
	label := worded(p)
	if label == "" {
		label, _ = columns(p)
	}
	return with(item, label, recipe.Encode(to))
}

// worded is the column of the words that a row shows, where these do not name the row; "" if there is none.
func worded(p *recipe.Param) string {
	columns := shown(p, "text")
	return strings.Join(columns[:min(1, len(columns))], "")
}

func with(item json.RawMessage, column, value string) json.RawMessage {
	var row map[string]json.RawMessage
	if json.Unmarshal(item, &row) != nil {
		return item
	}
	row[column] = json.RawMessage(value)
	return json.RawMessage(recipe.Encode(row))
}

// capital begins a text with a capital letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// pick leaves of the default's rows those that are named: of the planets "earth and mars". What is not wanted is left out.
func (f *filler) pick(rows map[string]string, w wish.Wish) {
	for name, label := range rows {
		p := f.m.Param(name)
		var all []json.RawMessage
		if f.change || f.assigned(name) != nil && f.picked == nil || json.Unmarshal([]byte(p.Default.For("")), &all) != nil {
			continue
		}
		if f.picked = append(f.picked, wish.Wish{Value: label, Not: w.Not}); f.assigned(name) == nil {
			f.put(name, "", w)
		}
		named, every := 0, false
		for _, q := range f.picked {
			if every = every || q.Value == "*"; q.Value != "*" && !q.Not {
				named++
			}
		}
		whole := named == 0 || every && named == 1 // "solar system, earth green"
		picked := func(row json.RawMessage) int {
			return slices.IndexFunc(f.picked, func(q wish.Wish) bool { return q.Value == text(p, row) })
		}
		all = slices.DeleteFunc(all, func(row json.RawMessage) bool { return picked(row) < 0 && !whole })
		known := slices.DeleteFunc(slices.Clone(p.Known), func(row json.RawMessage) bool { return picked(row) < 0 })
		f.assigned(name).Value = recipe.Encode(slices.DeleteFunc(append(all, known...), func(row json.RawMessage) bool { i := picked(row); return i >= 0 && f.picked[i].Not }))
	}
}

// share fills in the share of "3 of 5", with both numbers below, if the recipe is about shares.
func (f *filler) share(w wish.Wish) {
	p, below := taker(f.m, "percent"), taker(f.m, "subtitle")
	if p == nil || below == nil || w.Not || !slices.Contains(f.m.Fits, "percent") || f.change && f.set[p.Name] {
		return
	}
	if f.set[p.Name] { // "73%, £18,250 of £25,000"
		f.taken[w.Span] = true
	} else {
		f.put(p.Name, w.Value, w)
	}
	said := f.read.Said(w.Span)
	if i := slices.IndexFunc(f.edits, func(e Edit) bool { return e.Param == below.Name }); i < 0 {
		f.put(below.Name, said, w)
	} else if f.edits[i].from > w.Span.From { // "$18,450 of $25,000 goal"
		between := " · "
		if e := f.edits[i]; e.from >= w.Span.To && strings.TrimSpace(f.read.Said(wish.Span{From: w.Span.To, To: e.from})) == "" {
			between = " "
		}
		f.edits[i].Value = said + between + f.edits[i].Value
	} else {
		f.edits[i].Value += " · " + said
	}
}

// graded says of colours that stand beside the word for a gradient that they are its own: "purple to pink gradient".
func (f *filler) graded(colours []wish.Wish) []wish.Wish {
	f.grounds(colours)
	i := slices.IndexFunc(f.edits, func(e Edit) bool { return e.Param == "backdrop" && e.Value == "gradient" })
	ends := []string{backgroundParam, "background2"}
	if f.set[backgroundParam] { // "on a blue to teal gradient"
		ends = ends[1:]
	}
	for k := range colours {
		w := &colours[k]
		if i < 0 || w.Not || len(ends) == 0 || f.m.Param(ends[0]) == nil {
			continue
		}
		from, to := min(w.Span.To, f.edits[i].from), max(w.Span.From, f.edits[i].from)
		if between := f.read.Said(wish.Span{From: from, To: to}); len(between) < 60 && !strings.ContainsAny(between, ",.;:\"“”") {
			w.About, ends = ends[0], ends[1:]
		}
	}
	return colours
}

// grounds says that black right behind another colour is for the background, "green black", and so are black and white behind a
// style: "minimal white".
func (f *filler) grounds(colours []wish.Wish) {
	if f.change || f.set[backgroundParam] || f.m.Param(backgroundParam) == nil {
		return
	}
	for k := range colours {
		w := &colours[k]
		name := f.r.Called(w.Value)
		if w.Not || name != "black" && name != "white" {
			continue
		}
		beside := func(s wish.Span) bool {
			return s.To < w.Span.From && f.read.Said(wish.Span{From: s.To, To: w.Span.From}) == " "
		}
		style := func(o wish.Wish) bool { return o.Kind == wish.Choice && o.About == styleParam && beside(o.Span) }
		if k == 1 && name == "black" && k == len(colours)-1 && beside(colours[0].Span) || len(colours) == 1 && slices.ContainsFunc(f.wishes, style) {
			w.About = backgroundParam
		}
	}
}

// clocked is a time as a parameter takes it: "25:00" are 1500 of what counts seconds.
func clocked(p *recipe.Param, said string) string {
	if p.Type != recipe.Integer && p.Type != recipe.Number || !strings.Contains(said, ":") {
		return said
	}
	total := 0
	for part := range strings.SplitSeq(said, ":") {
		n, _ := strconv.Atoi(part) //nolint:errcheck // the reader found digits
		total = total*60 + n
	}
	return strconv.Itoa(total)
}

// length sets the length of the video, or what the recipe has for lengths.
func (f *filler) length(w wish.Wish) {
	if p := f.free("each"); p != nil && w.Each() {
		f.put(p.Name, w.Value, w)
		return
	}
	if n := f.count(); w.Each() && n > 0 {
		seconds, _ := strconv.ParseFloat(w.Value, 64) //nolint:errcheck // wish made it
		w.Value = recipe.Trim(seconds * float64(n))
	}
	if p := f.free("length"); p != nil && (!f.change || f.values[durationParam] == recipe.Auto && w.Scenes == nil && whole(w.Value) > 0 && !f.read.Medium()) { // "make it one minute", of a timer
		f.put(p.Name, w.Value, w)
	} else if f.m.Param(durationParam) != nil {
		if f.set[durationParam] && w.Scenes == nil && !f.change {
			f.note("Two lengths are named: the last counts, %s s.", w.Value)
		}
		f.put(durationParam, w.Value, w)
	}
}
