package reading

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// mostParts is how many words a part of a name has at most.
const mostParts = 3

// parts are terms for words of which one item alone is known: "the login bug" of "fixed login bug". Words that mean
// something by themselves, such as a colour, are none.
func parts(known *wish.Vocabulary, m *recipe.Manifest, v recipe.Values) []wish.Term {
	var out []wish.Term
	of := map[string]int{} // the term of a part; -1 if several items have it
	for p, list := range lists(m, v) {
		for i, item := range list {
			name := text(p, item)
			value := name
			if column := worded(p); column != "" {
				name, value = cell(item, column), fmt.Sprintf("#%d", i+1)
			}
			all := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`,;:.!?()"`, r) })
			mine := map[string]bool{}
			for i := range all {
				for n := 1; n <= min(mostParts, len(all)-i); n++ {
					if part := all[i : i+n]; n == len(all) && name != value || n < len(all) && slices.ContainsFunc(part, func(w string) bool {
						return utf8.RuneCountInString(w) > 2 && !known.Knows(w) || n == 1 && len(known.Also(w)) > 0
					}) {
						mine[strings.Join(part, " ")] = true
					}
				}
			}
			for _, part := range slices.Sorted(maps.Keys(mine)) {
				if _, ok := of[part]; ok {
					of[part] = -1
					continue
				}
				of[part] = len(out)
				out = append(out, wish.Term{Role: wish.Label, About: p.Name, Type: wish.OfList, Value: value, Words: map[string][]string{"": append([]string{part}, known.Also(part)...)}})
			}
		}
	}
	return slices.DeleteFunc(out, func(t wish.Term) bool { return of[t.Words[""][0]] < 0 })
}

// secondsColumn is the column of rows that are scenes which says how long each lasts.
const secondsColumn = "seconds"

// usualScene is how many seconds a scene lasts of which nothing is known.
const usualScene = 3.0

// leastScene is how many seconds a scene has at least beside one that grows.
const leastScene = 1.5

// lasts gives scenes lengths of their own, where the rows of a list are the scenes and may say how long each lasts.
func lasts(m *recipe.Manifest, v recipe.Values, e Edit, numbers []int, there scenes) bool {
	for p, list := range lists(m, v) {
		if len(list) != len(there.list) || !slices.ContainsFunc(p.Columns, func(c recipe.Column) bool { return c.Name == secondsColumn }) {
			continue
		}
		for _, n := range numbers {
			end := there.end
			if n < len(there.list) {
				end = there.list[n].Start
			}
			if end <= there.list[n-1].Start { // the length of the whole is left to the recipe
				end = there.list[n-1].Start + usualScene
			}
			seconds, _ := strconv.ParseFloat(e.Value, 64) //nolint:errcheck // 0 if the edit says no number
			switch now := end - there.list[n-1].Start; e.op {
			case times:
				seconds = now * e.by
			case plus:
				seconds = now + e.by
			case assign, back, denied, further, listed:
			}
			if seconds <= 0 {
				return false
			}
			if room := there.end - leastScene*float64(len(list)-1); e.op != assign && room > 0 { // the others need some of a given length
				seconds = min(seconds, room)
			}
			list[n-1] = with(list[n-1], secondsColumn, recipe.Trim(math.Round(seconds*10)/10))
		}
		v[p.Name] = recipe.Encode(list)
		return true
	}
	return false
}

// standard is the item of a name that the default of a list has, or that is known beside; nil if there is none.
func standard(p *recipe.Param, name string) json.RawMessage {
	list, _ := listIn(p, p.Default.For(""))
	list = append(list, p.Known...)
	if i := index(p, list, name); i >= 0 {
		return list[i]
	}
	return nil
}

// otherNames are the words for an item of the default of a list: "Marte" for "Mars".
func otherNames(m *recipe.Manifest, p *recipe.Param, item string) (names []string) {
	for _, mean := range m.Means {
		if mean.Pick[p.Name] == item {
			for _, words := range mean.Words {
				names = append(names, words...)
			}
		}
	}
	return names
}

// ownName is the name that the default of a list has for what words call otherwise; the words themselves without one.
func (f *filler) ownName(p *recipe.Param, said string) string {
	for _, mean := range f.m.Means {
		if name := mean.Pick[p.Name]; name != "" && name != "*" && slices.ContainsFunc(otherNames(f.m, p, name), func(word string) bool { return strings.EqualFold(word, said) }) {
			return name
		}
	}
	return said
}

// stands reports whether words are a part of a text, and not all of it.
func (f *filler) stands(said string) bool {
	return slices.ContainsFunc(f.m.Params, func(p recipe.Param) bool {
		from, to := find(f.value(&p), said, 0)
		return p.Type == recipe.Text && from >= 0 && to-from < len(f.value(&p))
	})
}

// ending is how a match ended, as people write it: two numbers with a mark between.
var ending = regexp.MustCompile(`(\d+) ?(?:[-–: ]|to|zu|a|à) ?(\d+)`)

// ended gives the two sides that there are the numbers of a result: "it should be 3-2". The first is that of the side
// which is named last before them: "Tigers won 3-2".
func (f *filler) ended(v recipe.Values) {
	said := f.read.Text()
	at := ending.FindStringSubmatchIndex(said)
	p := taker(f.m, "outcome")
	if at == nil || p == nil || f.inText(wish.Span{From: at[0], To: at[1]}) {
		return
	}
	for sides, list := range lists(f.m, v) {
		if len(list) != 2 || taking(sides, "figure") == "" {
			continue
		}
		first, second := "#1", "#2"
		near := func(i int) int { // how far before the numbers the side is named last; behind them is further
			name, far := text(sides, list[i]), 2*len(said)
			for from, to := find(said, name, 0); from >= 0; from, to = find(said, name, to) {
				if far = min(far, len(said)+from); to <= at[0] {
					far = at[0] - to
				}
			}
			return far
		}
		won := slices.IndexFunc(f.edits, func(e Edit) bool { return e.Param == p.Name })
		if a, b := near(0), near(1); b < a != (a != b && won >= 0 && f.edits[won].Value == "lost") {
			first, second = second, first
		}
		if named := index(sides, list, first); near(named) < 2*len(said) && number(sides, list[named]) == float64(whole(said[at[2]:at[3]])) && number(sides, list[1-named]) <= float64(whole(said[at[4]:at[5]])) && won < 0 { // "Nantes scored, it's 2 to 3" of 2 to 2
			first, second = "#1", "#2"
		}
		f.edits = slices.DeleteFunc(f.edits, func(e Edit) bool { return e.Param == p.Name })
		for side, number := range map[string]string{first: said[at[2]:at[3]], second: said[at[4]:at[5]]} {
			f.edits = append(f.edits, Edit{Param: sides.Name, op: listed, said: said[at[0]:at[1]], list: &wish.Wish{Kind: wish.Rows, Items: []string{side}, Rows: []wish.Row{{Value: float64(whole(number))}}}})
		}
		f.shown = append(f.shown, wish.Span{From: at[0], To: at[1]})
		for _, item := range list {
			if from, to := find(said, text(sides, item), 0); from >= 0 {
				f.shown = append(f.shown, wish.Span{From: from, To: to})
			}
		}
	}
}

// nameBefore takes the words that nobody understood, and that stand right before the word for a recipe of one name or picture, as the name: "show
// the GitHub logo".
func (f *filler) nameBefore() {
	text, file := taker(f.m, "text"), taker(f.m, "file")
	if f.change || text == nil || file == nil || file.Type != recipe.File || text.Min != nil || f.set[text.Name] || f.set[file.Name] || len(f.assets) > 0 || taker(f.m, "action") != nil {
		return
	}
	said := strings.Join(f.left(), " ")
	for _, w := range f.wishes {
		before := strings.TrimRight(f.read.Text()[:w.Span.From], " ")
		if w.Kind == wish.Subject && w.About == f.m.Name && said != "" && strings.HasSuffix(before, " "+said) {
			at := wish.Span{From: len(before) - len(said), To: len(before)}
			f.put(text.Name, said, wish.Wish{Span: at})
			f.shown = append(f.shown, at)
			return
		}
	}
}
