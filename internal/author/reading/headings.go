package reading

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// owning is what says whose somebody's things are.
var owning = regexp.MustCompile(`\b(?:our|my)$`)

// ofWhom is whose a list is, between its heading and the colon: "weekly schedule for our gym: …".
var ofWhom = regexp.MustCompile(`^( (?:for|of|at) (?:our|my|the) \pL[\pL' ]{1,30}):`)

// capitalized begins the heading of data with a capital where the prompt says what the data are about and nothing calls those words the
// heading: "bar chart of our monthly sales" stands under "Monthly sales". Quoted words, and names such as "iPhone" and "npm", stay as they are.
func (f *filler) capitalized() {
	p, title := taker(f.m, "text"), taker(f.m, "about.title")
	data := slices.ContainsFunc([]string{"rows", "list", "sides"}, func(what string) bool { return taker(f.m, what) != nil })
	if title != nil {
		p, data = title, true
	}
	if f.change || p == nil || !data || title == nil && slices.Contains(f.m.Fits, "number") || len(f.m.Beats) > 0 {
		return
	}
	e := f.assigned(p.Name)
	if e == nil || e.Value == "" {
		return
	}
	before, behind, found := strings.Cut(f.read.Text(), e.Value)
	before = strings.ToLower(strings.TrimRight(before, " :"))
	called := anyWord(p.Words, func(word string) bool { return strings.HasSuffix(before, strings.ToLower(word)) })
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _, _ := strings.Cut(e.Value, " ")
	plain := strings.ToLower(first) == first && strings.ContainsFunc(first, func(r rune) bool {
		return strings.ContainsRune("aeiouyäöüáéíóúàèìòùâêîôûãõœæ", r) || r > unicode.MaxLatin1
	})
	if owner.MatchString(first) { // "our bakery's sales"
		if at := owning.FindString(before); at != "" {
			e.Value = at + " " + e.Value
		}
	}
	if whose := ofWhom.FindStringSubmatch(behind); found && whose != nil && (title != nil || !strings.HasPrefix(whose[1], " for")) && len(f.r.choosing.Read(whose[1]).Wishes()) == 0 {
		e.Value += whose[1]
	}
	if found && !called && plain && !strings.ContainsRune("\"“„«「'‘", last) {
		e.Value = capital(e.Value)
	}
}

// longestLabel is how many words stand before the colon of a label at most.
const longestLabel = 4

// labelled shows what stands before the colon of a text above the text, where nobody understands those words: "quiz question: What is …?".
func (f *filler) labelled(b Brief) {
	p := f.free("label")
	if p == nil || f.change || len(b.phrases) == 0 {
		return
	}
	head, rest, _ := strings.Cut(b.Prompt[:b.phrases[0].From], ":")
	first, _, _ := strings.Cut(head, " ")
	left := f.left()
	if strings.TrimSpace(rest) != "" || head == b.Prompt[:b.phrases[0].From] || len(strings.Fields(head)) > longestLabel || len(left) == 0 || !strings.Contains(head, left[0]) {
		return
	}
	read := f.r.choosing.Read(head)
	if place, ok := read.Purpose(); ok && place.To > 0 || read.Medium() || slices.ContainsFunc(f.wishes, func(w wish.Wish) bool {
		return w.Kind == wish.Subject && w.Span.To <= len(head) || w.Kind != wish.Text && w.Kind != wish.Remark && w.Span.To <= len(first)
	}) {
		return
	}
	span := wish.Span{To: len(head)}
	f.put(p.Name, capital(head), wish.Wish{Span: span})
	f.shown = append(f.shown, span)
}

// kindOfPromo shows what stands before the name of the recipe at the beginning of a prompt, up to a colon, where nobody understands all of it: "yoga class
// promo: first class free". It reports whether it does.
func (f *filler) kindOfPromo(p *recipe.Param) bool {
	text := f.read.Text()
	for _, w := range f.wishes {
		if w.Kind != wish.Subject || w.About != f.m.Name || w.Not || !strings.HasPrefix(text[w.Span.To:], ":") {
			continue
		}
		head := strings.TrimSpace(text[:w.Span.From])
		left := f.left()
		if n := len(strings.Fields(head)); n == 0 || n > longestLabel || len(left) == 0 || !strings.HasPrefix(head, left[0]) || strings.ContainsAny(head, ",.;:") {
			return false
		}
		span := wish.Span{To: len(head)}
		f.put(p.Name, capital(head), wish.Wish{Span: span})
		f.shown = append(f.shown, span)
		return true
	}
	return false
}
