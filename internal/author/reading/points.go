package reading

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/currency"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// items is the parameter that takes a list of texts, nil if there is none.
func (f *filler) items() *recipe.Param {
	if p := f.free("list"); p != nil && p.Type == recipe.Texts {
		return p
	}
	return nil
}

// data gives rows and lists to parameters.
func (f *filler) data() {
	for _, w := range f.wishes {
		switch p := f.free("rows"); {
		case w.Kind == wish.List && f.taken[w.Span]: // the points of sides
		case w.Kind == wish.Rows && w.About == "" && p != nil && p.Type == recipe.Rows:
			f.rows(p, w)
		case w.Kind == wish.Rows && taker(f.m, "rows") == nil && f.items() != nil && !f.change && f.named(): // a menu with prices
			f.put(f.items().Name, recipe.Encode(f.read.Lines(w.Span)), w)
			f.shown = append(f.shown, w.Span)
		case w.Kind == wish.List && w.About != "":
			if p := f.m.Param(w.About); p != nil && p.Type == recipe.Texts && !f.change {
				f.points(p, w)
			}
		case w.Kind == wish.List && f.items() != nil && !f.change:
			f.points(f.items(), w)
		}
	}
}

// numbered is the choice of marks before points that are numbers.
const numbered = "number"

// unnumbered are points without the numbers that people type before them: "1 breathe, 2 hold". They stay if one has another.
func unnumbered(items []string) []string {
	bare := slices.Clone(items)
	for i, item := range items {
		rest, ok := strings.CutPrefix(item, strconv.Itoa(i+1))
		if bare[i] = strings.TrimLeft(rest, " .):"); !ok || bare[i] == rest {
			return items
		}
	}
	return bare
}

// hundredths are the two digits behind the point or the comma of a price.
var hundredths = regexp.MustCompile(`\d([.,])\d\d(?:\D|$)`)

// priced is a text that ends with a number: "Tea €3.50", "eggs: 12".
var priced = regexp.MustCompile(`^(.*\pL.*?)[\s:=–—-]+[$€£¥]?\s?\d[\d.,]*\s?[^\s\d]{0,3}$`)

// entry is what a text names that ends with a number, and the rest of it; a text that does not is all rest.
func entry(s string) (label, price string) {
	if m := priced.FindStringSubmatch(s); m != nil {
		label = m[1]
	}
	return label, s[len(label):]
}

// counted reports whether an item has a number.
func counted(p *recipe.Param, item json.RawMessage) bool {
	if _, column := columns(p); column != "" {
		return taking(p, "figure") == "" || strings.ContainsAny(cell(item, column), figures)
	}
	label, _ := entry(text(p, item))
	return label != ""
}

// bracketed is a text with a remark in brackets at its end.
var bracketed = regexp.MustCompile(`^(.*\S)\s*\(([^()]+)\)$`)

// mostUnit is how many words say the currency of all prices at most: "all prices are in pounds".
const mostUnit = 5

// withCurrency are points whose prices have the currency that words behind the last one name for all: "soup 4.50, quiche 7.90, all in pounds".
func (f *filler) withCurrency(items []string) []string {
	n := len(items) - 1
	if n < 1 || f.change {
		return items
	}
	rest, unit := items[:n], items[n]
	if at := bracketed.FindStringSubmatch(unit); at != nil {
		rest, unit = append(slices.Clone(rest), at[1]), at[2]
	}
	code, _, ok := f.r.words.Read(unit).Currency()
	known, err := currency.ParseISO(code)
	if !ok || err != nil || strings.ContainsAny(unit, figures) || len(strings.Fields(unit)) > mostUnit {
		return items
	}
	sign, out := fmt.Sprint(currency.NarrowSymbol(known)), slices.Clone(rest)
	for i, item := range rest {
		at := strings.LastIndexByte(item, ' ') + 1
		switch price := item[at:]; {
		case strings.Trim(price, figures+".,") != "":
			return items
		case sign == "€":
			out[i] = item + " " + sign
		default:
			out[i] = item[:at] + sign + price
		}
	}
	return out
}

// spacedAs is a price with its sign as near to the number as in the items that there are: "5€".
func spacedAs(p *recipe.Param, list []json.RawMessage, price string) string {
	number, sign, apart := strings.Cut(price, " ")
	if apart && slices.ContainsFunc(list, func(item json.RawMessage) bool {
		return strings.HasSuffix(text(p, item), sign) && !strings.HasSuffix(text(p, item), " "+sign)
	}) {
		return number + sign
	}
	return price
}

// numberAll numbers points that people number: "1. Intro 2. Demo".
func (f *filler) numberAll(w wish.Wish) {
	if len(w.Items) < 2 {
		return
	}
	for i, item := range w.Items[:2] {
		said := regexp.MustCompile(`(?:^|[\s,;:])` + strconv.Itoa(i+1) + `[.)]\s*` + regexp.QuoteMeta(item))
		if !said.MatchString(f.read.Text()) {
			return
		}
	}
	for _, p := range f.m.Params {
		if p.Type == recipe.Choice && !f.set[p.Name] && slices.Contains(p.Choices.IDs(), numbered) {
			f.edits = append(f.edits, Edit{Param: p.Name, Value: numbered})
		}
	}
}

// points gives a list to a parameter, as far as there is room.
func (f *filler) points(p *recipe.Param, w wish.Wish) {
	if p.Max != nil && len(w.Items) > int(*p.Max) {
		f.note("There is room for %d points: %s left out.", int(*p.Max), those(w.Items[int(*p.Max):]))
		w.Items = w.Items[:int(*p.Max)]
	}
	w.Items = f.withCurrency(w.Items)
	f.numberAll(w)
	if slices.ContainsFunc(f.edits, func(e Edit) bool { return e.Value == numbered }) {
		w.Items = unnumbered(w.Items)
	}
	f.put(p.Name, recipe.Encode(w.Items), w)
	f.shown = append(f.shown, w.Span)
	var there []side
	for _, item := range w.Items {
		label, _ := entry(item)
		name := cmp.Or(label, item)
		if first, rest, _ := strings.Cut(name, " "); rest != "" && digits.MatchString(first) { // "9:00 Keynote"
			name = rest
		}
		there = append(there, side{name: name})
	}
	f.best(Brief{Prompt: f.read.Text()}, there, []wish.Span{w.Span})
}

// pointer is an arrow between two points, and code what has arrows that are none.
var (
	pointer = regexp.MustCompile(`\s*(?:→|⇒|➜|➔|-{1,2}>|=>)\s*`)
	code    = regexp.MustCompile("[(){};=`\"<|]|::")
)

// unpointed is a prompt with commas in place of the arrows between three points or more: "idea → design → build". It reports whether there were
// such arrows.
func unpointed(prompt string) (string, bool) {
	at := pointer.FindAllStringIndex(prompt, -1)
	if len(at) < 2 || code.MatchString(pointer.ReplaceAllString(prompt, "")) {
		return prompt, false
	}
	return pointer.ReplaceAllString(prompt, ", "), true
}

// pointed sets arrows between the points of a list whose prompt has them.
func (f *filler) pointed(b Brief) {
	if p := f.free("arrows"); p != nil && b.arrows && len(p.Choices) > 1 {
		f.edits = append(f.edits, Edit{Param: p.Name, Value: p.Choices.IDs()[1]})
	}
}

// headed is a heading with the first point behind its colon: "Flowchart: user signs up".
var headed = regexp.MustCompile(`^([^:]{3,40}): (.+)$`)

// firstPoint gives what stands behind the colon of a heading to the points of a list whose heading says how they stand.
func (f *filler) firstPoint() {
	title, list, form := taker(f.m, "text"), taker(f.m, "list"), taker(f.m, "arrows")
	if title == nil || list == nil || form == nil || f.change || !f.set[form.Name] || f.assigned(title.Name) == nil || f.assigned(list.Name) == nil {
		return
	}
	said := headed.FindStringSubmatch(f.assigned(title.Name).Value)
	points, ok := listIn(list, f.assigned(list.Name).Value)
	if said == nil || !ok || len(points) == 0 {
		return
	}
	f.assigned(title.Name).Value = said[1]
	f.assigned(list.Name).Value = recipe.Encode(append([]json.RawMessage{json.RawMessage(recipe.Encode(said[2]))}, points...))
}

// bareYear is a year that stands by itself.
var bareYear = regexp.MustCompile(`^(?:1\d|20)\d\d$`)

// yeared joins a year with what happened in it, which only a blank parts: "2007" and "iPhone" are one point.
func yeared(phrases []wish.Phrase, prompt string) []wish.Phrase {
	for i := len(phrases) - 1; i > 0; i-- {
		p, before := phrases[i], phrases[i-1]
		letters, _ := utf8.DecodeRuneInString(prompt[p.From:])
		begins := strings.HasSuffix(strings.TrimRight(prompt[:before.From], " "), ",") || strings.HasSuffix(strings.TrimRight(prompt[:before.From], " "), ":")
		if begins && inList(p.Role) && inList(before.Role) && unicode.IsLetter(letters) && prompt[before.To:p.From] == " " && bareYear.MatchString(prompt[before.From:before.To]) {
			phrases[i-1].To, phrases[i-1].Role = p.To, wish.Item
			phrases = slices.Delete(phrases, i, i+1)
		}
	}
	return phrases
}
