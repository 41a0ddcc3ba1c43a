package reading

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// recast are phrases of which some have another role for a recipe than the network gives them. plain says that the recipe shows nothing but texts.
func recast(m *recipe.Manifest, v *wish.Vocabulary, phrases []wish.Phrase, prompt string, plain bool) []wish.Phrase {
	if plain {
		phrases = fixture(v, namesAlone(phrases, prompt), prompt)
	}
	phrases = meanwhile(m, v, forWhat(m, v, pointedAt(phrases, prompt), prompt), prompt)
	sides, list := taker(m, "sides") != nil, slices.Contains(m.Fits, "list")
	if sides {
		phrases = unpriced(phrases, prompt)
	}
	if sides || list {
		phrases = unsplit(v, phrases, prompt)
	}
	if list {
		phrases = stated(v, phrases, wish.Item, prompt)
	}
	match := taker(m, "outcome") != nil
	for i := range len(phrases) - 1 { // "0.6 1.1 2.4", "25:19 22:25"
		p := phrases[i]
		if said := prompt[p.From:p.To]; p.Role == wish.Name && phrases[i+1].Role == wish.Figure && (decimal.MatchString(said) || match && pair.MatchString(said)) {
			phrases = slices.Clone(phrases)
			phrases[i].Role = wish.Figure
		}
	}
	if match {
		return sets(phrases, prompt)
	}
	return phrases
}

// shortestWait is how many seconds a timer runs at least whose text is read while it runs.
const shortestWait = 20.0

// meanwhile are phrases of a timer with its text above the numbers, where nothing says that the text comes at the end: "a 5 minute timer with the
// text Back soon".
func meanwhile(m *recipe.Manifest, v *wish.Vocabulary, phrases []wish.Phrase, prompt string) []wish.Phrase {
	p, i := taker(m, "range.from"), slices.IndexFunc(phrases, func(p wish.Phrase) bool { return p.Role == wish.Headline })
	if p == nil || p.Type != recipe.Integer || i < 0 || slices.ContainsFunc(phrases, func(p wish.Phrase) bool {
		return p.Role != wish.Headline && p.Role != wish.Aside && p.Role != wish.Second
	}) || count(phrases, wish.Headline) > 1 {
		return phrases
	}
	wishes := v.Read(prompt).Wishes()
	at := slices.IndexFunc(wishes, func(w wish.Wish) bool {
		seconds, err := strconv.ParseFloat(w.Value, 64)
		return w.Kind == wish.Length && err == nil && seconds >= shortestWait
	})
	before := prompt[:phrases[i].From]
	named := slices.ContainsFunc(wishes, func(w wish.Wish) bool { return w.Kind == wish.Subject && w.Span.From < phrases[i].From })
	if at < 0 || !captions.MatchString(before) && (named || wishes[at].Span.From < phrases[i].To) || atEnd.MatchString(before) || atEnd.MatchString(prompt[phrases[i].To:]) {
		return phrases
	}
	out := slices.Clone(phrases)
	out[i].Role = wish.Second
	return out
}

// captions are words before a text that is seen all the time; atEnd are words for one that comes when the time is over.
var (
	captions = regexp.MustCompile(`(?i)(?:with|saying|says?|labell?ed|called|titled|title|mit|Titel|con|avec|com|dice|dit|diz)(?: (?:the|a|dem|den|el|la|le|o|il))?(?: (?:text|words?|label|title|caption|message|Text|Titel|texto|texte|testo))?:? ?$`)
	atEnd    = regexp.MustCompile(`(?i)(?:then|end(?:s|ing)?|finish(?:es|ing)?|after(?:wards)?|when|dann|Ende|danach|final|luego|fin|ensuite|depois|fim|fine|poi)(?:[^\pL]|$)`)
)

// awaiting is how many days are left until something: no countdown of seconds.
var awaiting = regexp.MustCompile(`(?i)(?:^|[^\pL\pN])\d{1,4} ((?:more |weitere |noch )?(?:days|day|weeks|months|years|nights|sleeps|school days|Tage|Wochen|Monate|días|semanas|meses|jours|semaines|mois|dias|giorni|settimane|mesi)(?: (?:to go|left|more))? (?:until|till|til|before|bis|hasta|para|avant|jusqu'à|até|al|alla|a) [^,.;:!?"]+[!?]?)`)

// awaited is a brief of a countdown that says how many days are left until something, as a number with the words behind it: "12 days until
// Lisa's wedding".
func (r *Reader) awaited(b Brief) Brief {
	at := awaiting.FindStringSubmatchIndex(b.Prompt)
	if at == nil || len(b.ranks) == 0 {
		return b
	}
	learned := func(fits func(*recipe.Manifest) bool) string {
		if i := slices.IndexFunc(r.manifests, fits); i >= 0 {
			return r.manifests[i].Learned
		}
		return ""
	}
	counts := learned(func(m *recipe.Manifest) bool {
		p := taker(m, "range.from")
		return p != nil && p.Type == recipe.Integer
	})
	number := learned(func(m *recipe.Manifest) bool { return slices.Contains(m.Fits, "number") && taker(m, "order") != nil })
	if number == "" || b.ranks[0] != counts {
		return b
	}
	text := wish.Phrase{Span: wish.Span{From: at[2], To: at[2] + len(strings.TrimRight(b.Prompt[at[2]:at[3]], " "))}, Role: wish.Headline}
	if style := withStyle.FindStringIndex(b.Prompt[text.From:text.To]); style != nil {
		text.To = text.From + style[0]
	}
	phrases := slices.DeleteFunc(b.phrases, func(p wish.Phrase) bool { return p.Overlaps(text.Span) || p.In(wish.Span{From: at[0], To: at[3]}) })
	b.phrases = append(phrases, text)
	slices.SortFunc(b.phrases, func(a, b wish.Phrase) int { return a.From - b.From })
	b.ranks = slices.Insert(slices.DeleteFunc(b.ranks, func(c string) bool { return c == number }), 0, number)
	return b
}

// withStyle is where words for the maker begin behind a text without a mark: "until Christmas with snow".
var withStyle = regexp.MustCompile(`(?i) (?:with|in|on|mit|con|avec|com) (?:a |an )?\pL+$`)

// fixture are phrases with two names that are set against each other as one line, with the line behind them, for a recipe that shows nothing but
// texts: "Match day: Rovers vs City, Saturday 3pm".
func fixture(v *wish.Vocabulary, phrases []wish.Phrase, prompt string) []wish.Phrase {
	i := slices.IndexFunc(phrases, func(p wish.Phrase) bool { return p.Role == wish.Name })
	if i < 0 || i+1 >= len(phrases) || phrases[i+1].Role != wish.Name || count(phrases, wish.Name) > 2 || !v.Read(prompt).Opposes(wish.Span{From: phrases[i].To, To: phrases[i+1].From}) {
		return phrases
	}
	line, rest := wish.Phrase{Span: wish.Span{From: phrases[i].From, To: phrases[i+1].To}, Role: wish.Second}, phrases[i+2:]
	if count(phrases, wish.Headline) == 0 {
		line.Role = wish.Headline
	} else if len(rest) > 0 && rest[0].Role == wish.Second {
		line.To, rest = rest[0].To, rest[1:]
	}
	return slices.Concat(phrases[:i], []wish.Phrase{line}, rest)
}

// unsplit are phrases in which items that only a blank parts are one, "builds" and "equity", and an item behind a name begins behind the
// word that joins the two: "cons are cost".
func unsplit(v *wish.Vocabulary, phrases []wish.Phrase, prompt string) (out []wish.Phrase) {
	if unmarked(phrases, prompt) {
		return phrases
	}
	for _, p := range phrases {
		n := len(out) - 1
		behind := n >= 0 && p.Role == wish.Item && prompt[out[n].To:p.From] == " "
		first, _, more := strings.Cut(prompt[p.From:p.To], " ")
		switch {
		case behind && out[n].Role == wish.Item && !strings.ContainsRune(".!?:;", rune(prompt[out[n].To-1])) && !strings.ContainsRune("+-–−", rune(prompt[p.From])) && !strings.ContainsRune("+-–−", rune(prompt[out[n].From])):
			out[n].To = p.To
			continue
		case behind && out[n].Role == wish.Name && more && v.Joins(first):
			p.From += len(first) + 1
		}
		out = append(out, p)
	}
	return out
}

// unmarked reports whether a list does without marks: at least three items, which only blanks part, each of one word or with a number at its end,
// "milk eggs bread", "latte 3.40 mocha 3.90".
func unmarked(phrases []wish.Phrase, prompt string) bool {
	items, numbers, long := 0, 0, 0
	for i, p := range phrases {
		if p.Role != wish.Item {
			continue
		}
		if items > 0 && (phrases[i-1].Role != wish.Item || prompt[phrases[i-1].To:p.From] != " ") {
			return false
		}
		items++
		if numberEnds.MatchString(prompt[p.From:p.To]) {
			numbers++
		} else if strings.Contains(prompt[p.From:p.To], " ") {
			long++
		}
	}
	return items > 2 && (numbers == items || numbers+long == 0)
}

// numberEnds is a text with a number at its end, such as a price or degrees.
var numberEnds = regexp.MustCompile(`\d\s?[%°€$£¥]?[CF]?$`)

// stated are phrases in which those that "and" joins are one, where the words before the first say how many there are: "4 steps: wet, soap, scrub,
// rinse and dry", "4 slides: Light, Water and CO2, Sugar and oxygen, The end".
func stated(v *wish.Vocabulary, phrases []wish.Phrase, role wish.PhraseRole, prompt string) []wish.Phrase {
	var at, joined []int // the phrases, and those of them that "and" joins to the one before
	for i, p := range phrases {
		if p.Role != role {
			continue
		}
		if n := len(at); n > 0 && at[n-1] == i-1 {
			if gap := prompt[phrases[i-1].To:p.From]; !strings.Contains(gap, ",") && v.Read(gap).Lists(wish.Span{To: len(gap)}) {
				joined = append(joined, i)
			}
		}
		at = append(at, i)
	}
	if len(at) < 3 || len(joined) == 0 {
		return phrases
	}
	says := func(n int) bool {
		return slices.ContainsFunc(strings.Fields(prompt[:phrases[at[0]].From]), func(word string) bool {
			return word == strconv.Itoa(n) || int(v.Numeral(word)) == n
		})
	}
	if says(len(at)) || !says(len(at)-len(joined)) {
		return phrases
	}
	out := slices.Clone(phrases)
	for _, i := range slices.Backward(joined) {
		out[i-1].To = out[i].To
		out = slices.Delete(out, i, i+1)
	}
	return out
}

// sets are phrases in which the numbers of a match behind two names are one text, if they are more than two: "Kaya beats Dubois 6-4 3-6 7-5".
func sets(phrases []wish.Phrase, prompt string) []wish.Phrase {
	first := slices.IndexFunc(phrases, func(p wish.Phrase) bool { return p.Role == wish.Figure })
	last := first
	for last >= 0 && last+1 < len(phrases) && phrases[last+1].Role == wish.Figure && len(strings.Fields(prompt[phrases[last].To:phrases[last+1].From])) <= 2 { // "3-1, sets 25:19 22:25"
		last++
	}
	if last-first < 2 || count(phrases, wish.Figure) != last-first+1 || count(phrases[:first], wish.Name) != 2 || count(phrases, wish.Name) != 2 {
		return phrases
	}
	all := wish.Phrase{Span: wish.Span{From: phrases[first].From, To: phrases[last].To}, Role: wish.Second}
	return slices.Concat(phrases[:first], []wish.Phrase{all}, phrases[last+1:])
}

// decimal is a number with a point, which names nothing.
var decimal = regexp.MustCompile(`^\d+[.,]\d+\s?\pL{0,3}$`)

// pair are the numbers of two sides.
var pair = regexp.MustCompile(`^\d{1,3}[:–-]\d{1,3}$`)

// unpriced are phrases in which an item before names with prices is the first name, and its last word what is said for the price: "Starter
// free, Pro $12".
func unpriced(phrases []wish.Phrase, prompt string) []wish.Phrase {
	for i := len(phrases) - 3; i >= 0; i-- {
		p := phrases[i]
		at := strings.LastIndexByte(prompt[p.From:p.To], ' ')
		before := strings.TrimRight(prompt[:p.From], " ")
		led := p.Role == wish.Headline && (strings.HasSuffix(before, ":") || strings.HasSuffix(before, ","))
		if p.Role != wish.Item && !led || at < 0 || strings.TrimSpace(prompt[p.To:phrases[i+1].From]) != "," || i > 0 && phrases[i-1].Role != wish.Headline || phrases[i+1].Role != wish.Name || phrases[i+2].Role != wish.Figure {
			continue
		}
		name, price := p, p
		name.Role, name.To = wish.Name, p.From+at
		price.Role, price.From = wish.Figure, p.From+at+1
		phrases = slices.Concat(phrases[:i], []wish.Phrase{name, price}, phrases[i+1:])
	}
	return phrases
}

// uncut are phrases with what is left of a word or a name behind them, "Check" and "-in", "community" and "center", and a heading with the item
// behind it that only a blank parts from it, where its list begins behind a mark.
func uncut(phrases []wish.Phrase, prompt string) []wish.Phrase {
	for i := range phrases {
		p := &phrases[i]
		next := len(prompt)
		if i+1 < len(phrases) {
			next = phrases[i+1].From
		}
		if said := prompt[p.From:p.To]; strings.Count(said, "(") > strings.Count(said, ")") && strings.HasPrefix(prompt[p.To:next], ")") { // "Joel (bar"
			p.To++
		}
		if p.Role == wish.Source { // "command sudo apt update", "git log command"
			p.From += len(commandBefore.FindString(prompt[p.From:p.To]))
			p.To -= len(commandBehind.FindString(prompt[p.From:p.To]))
		}
		if i > 0 && p.Role == wish.Source && phrases[i-1].Role == wish.Output && prompt[phrases[i-1].To:p.From] == ", " { // "three services start: web, db, redis"
			p.From, p.Role = phrases[i-1].From, wish.Output
			phrases = slices.Delete(slices.Clone(phrases), i-1, i)
			return uncut(phrases, prompt)
		}
		if i > 0 && p.Role == wish.Source && prompt[p.From] == '"' && answers.MatchString(prompt[:p.From]) { // "then showing "added 12 packages""
			p.Role = wish.Output
		}
		if rest := tail.FindString(prompt[p.To:next]); p.Role == wish.Headline && rest != "" {
			p.To += len(rest)
		}
		if i > 0 && p.Role == wish.Second && phrases[i-1].Role == wish.Headline && prompt[phrases[i-1].To:p.From] == " " && capitals.MatchString(prompt[phrases[i-1].From:p.From]+".") {
			if rest := proper.FindString(prompt[p.From:p.To]); rest != "" && len(rest) < p.To-p.From && !strings.ContainsAny(prompt[p.From+len(rest):p.From+len(rest)+1], "0123456789") { // "Grand opening of Nora's" and "Flower Shop on 3 May"
				phrases[i-1].To = p.From + len(strings.TrimRight(rest, " "))
				p.From += len(rest)
			}
		}
		if rest := cutName.FindStringSubmatch(prompt[p.From:p.To]); p.Role == wish.Headline && rest != nil && kindOf.MatchString(prompt[:p.From]) { // "my coffee" and "roastery Northpine"
			p.From += len(rest[1])
		}
		if what := versioned.FindStringSubmatch(prompt[:p.From]); p.Role == wish.Headline && what != nil && version.MatchString(prompt[p.From:p.To]) { // "our booking app version 2.3"
			p.From -= len(what[1])
		}
		if i > 0 && p.Role == wish.Second && office.MatchString(prompt[phrases[i-1].To:p.From]) { // "Amara Diallo, author of The Long Quiet"
			p.From = phrases[i-1].To + len(", ")
		}
	}
	if len(phrases) == 5 && !slices.ContainsFunc(phrases[:3], func(p wish.Phrase) bool { return p.Role != wish.Name }) && phrases[3].Role == wish.Figure && phrases[4].Role == wish.Figure &&
		prompt[phrases[2].To:phrases[3].From] == " " { // "Android and iPhone: battery 20h vs 24h"
		phrases[2].Role = wish.Headline
	}
	if len(phrases) > 3 && phrases[0].Role == wish.Headline && phrases[1].Role == wish.Item && phrases[2].Role == wish.Item &&
		prompt[phrases[0].To:phrases[1].From] == " " && listMark.MatchString(prompt[phrases[1].To:phrases[2].From]) {
		phrases[0].To = phrases[1].To // "Things I knew before" and "starting youtube"
		phrases = slices.Delete(phrases, 1, 2)
	}
	return phrases
}

// answers are words before what a program says.
var answers = regexp.MustCompile(`(?i)(?:then|and|with|,) (?:it )?(?:show(?:s|ing)?|print(?:s|ing)?|says?|output(?:s|ting)?|answer(?:s|ing)?|return(?:s|ing)?|respond(?:s|ing)?)(?: with)?:? $`)

// tail is what a network cuts off from a name: the rest of a word with a hyphen, or a word that is also a place of the frame.
var tail = regexp.MustCompile(`^(?:-\pL+| cent(?:er|re)\b)`)

// capitals is a text whose last word begins with a capital; proper are the words of a name that go on with the next.
var (
	capitals = regexp.MustCompile(`(?:^| )\p{Lu}[\pL'’]* ?\.$`)
	proper   = regexp.MustCompile(`^(?:\p{Lu}[\pL'’]* )+`)
)

// behindShares are phrases with the names behind their shares, where the words behind the last one say nothing else and only blanks part all: "results
// 62% yes 28% no 10% not sure".
func behindShares(v *wish.Vocabulary, phrases []wish.Phrase, prompt string) []wish.Phrase {
	n := len(phrases)
	first := slices.IndexFunc(phrases, func(p wish.Phrase) bool { return p.Role == wish.Figure })
	if first < 1 {
		return phrases
	}
	last := first
	for ; last+2 < n && phrases[last+1].Role == wish.Name && phrases[last+2].Role == wish.Figure; last += 2 {
		if prompt[phrases[last].To:phrases[last+1].From] != " " || prompt[phrases[last+1].To:phrases[last+2].From] != " " || !strings.HasSuffix(prompt[:phrases[last].To], "%") {
			break
		}
	}
	tail := shareName.FindStringIndex(prompt[phrases[last].To:])
	if last == first || tail == nil || phrases[first-1].Role != wish.Name || !strings.HasSuffix(prompt[:phrases[last].To], "%") {
		return phrases
	}
	name := wish.Span{From: phrases[last].To + 1, To: phrases[last].To + tail[1]}
	read := v.Read(prompt[name.From:name.To])
	if len(read.Wishes()) > 0 || len(read.Left(func(*wish.Wish) bool { return true })) == 0 {
		return phrases
	}
	out := slices.Clone(phrases[:first-1])
	if k := len(out) - 1; k >= 0 && out[k].Role == wish.Headline && prompt[out[k].To:phrases[first-1].From] == " " { // "survey" and "result"
		out[k].To = phrases[first-1].To
	}
	out = append(out, phrases[first:last+1]...)
	out = append(out, wish.Phrase{Span: name, Role: wish.Name})
	for _, p := range phrases[last+1:] {
		if p.Role != wish.Name && (p.Role != wish.Figure || !slices.ContainsFunc(phrases[first:last+1], func(q wish.Phrase) bool { return prompt[q.From:q.To] == prompt[p.From:p.To] })) { // "big 73% in the middle"
			out = append(out, p)
		}
	}
	return out
}

// shareName is a name of at most three words behind a share.
var shareName = regexp.MustCompile(`^ \pL+(?: \pL+){0,2}(?:$|[,.;])`)

// begun are phrases with the word before that begins their sentence: "First we listened. Then we built."
func begun(phrases []wish.Phrase, prompt string) []wish.Phrase {
	for i := 1; i < len(phrases); i++ {
		p, before := &phrases[i], phrases[i-1]
		first, _ := utf8.DecodeRuneInString(prompt[p.From:])
		if word := sentenceBegins.FindString(prompt[before.To:p.From]); word != "" && before.Role == wish.Headline && unicode.IsLower(first) {
			p.From -= len(word) - len(". ")
		}
	}
	stops := slices.ContainsFunc(phrases, func(p wish.Phrase) bool { return p.Role == wish.Headline && strings.HasSuffix(prompt[:p.To], ".") })
	for i := range phrases { // all or none of the sentences have their full stop
		if p := &phrases[i]; stops && p.Role == wish.Headline && strings.Contains(prompt[p.From:p.To], " ") && strings.HasPrefix(prompt[p.To:], ". ") {
			p.To++
		}
	}
	return phrases
}

// wholeSentence are phrases with a sentence as a whole: from "that" on, and with what stands behind it up to the next sign: "announce that the office is
// closed for stocktaking".
func wholeSentence(v *wish.Vocabulary, phrases []wish.Phrase, prompt string) []wish.Phrase {
	if len(phrases) == 0 || phrases[0].Role != wish.Headline {
		return phrases
	}
	p := &phrases[0]
	at, rest := saying.FindStringIndex(prompt[:p.From]), strings.TrimRight(reason.FindString(prompt[p.To:]), " ")
	if at == nil && rest == "" || !v.Read(prompt[p.From:p.To]).States() {
		return phrases
	}
	if at != nil && len(strings.Fields(prompt[at[1]:p.From])) < 3 && v.Read(prompt[at[1]:p.From]).Articled() {
		p.From = at[1]
	}
	if rest != "" && (len(phrases) == 1 || phrases[1].From >= p.To+len(rest)) {
		if read := v.Read(rest); len(read.Wishes()) == 0 && !read.Medium() {
			p.To += len(rest)
		}
	}
	return phrases
}

// saying is the word before a sentence that is to be shown.
var saying = regexp.MustCompile(` (?:that|dass|que|che) `)

// reasoned are phrases with the words behind a first line in capitals, up to the next sign, as the line below: "CLOSED ON MONDAY for staff training".
func reasoned(v *wish.Vocabulary, phrases []wish.Phrase, prompt string) []wish.Phrase {
	if len(phrases) == 0 || phrases[0].Role != wish.Headline || phrases[0].From != 0 {
		return phrases
	}
	head := prompt[:phrases[0].To]
	rest := reason.FindString(prompt[len(head):])
	if len(strings.Fields(rest)) < 2 || head != strings.ToUpper(head) || strings.ToLower(head) == head || !strings.Contains(head, " ") || strings.ContainsAny(head, quotes) || len(v.Read(rest).Wishes()) > 0 {
		return phrases
	}
	if n := len(phrases); n > 1 && phrases[1].From < len(head)+len(rest) && (n > 2 || phrases[1].Role != wish.Aside) {
		return phrases
	}
	below := wish.Phrase{Span: wish.Span{From: len(head) + 1, To: len(head) + len(strings.TrimRight(rest, " "))}, Role: wish.Second}
	return []wish.Phrase{phrases[0], below}
}

// reason are words up to the next sign.
var reason = regexp.MustCompile(`^ \p{Ll}[\pL\d' ]*`)

// sentenceBegins is one word that begins a sentence.
var sentenceBegins = regexp.MustCompile(`^\. \p{Lu}\pL+ $`)

// commandBefore and commandBehind say that what stands beside is a command.
var (
	commandBefore = regexp.MustCompile(`^(?i:commands?|befehle?|comandos?|commandes?|comandi) `)
	commandBehind = regexp.MustCompile(` (?i:commands?)$`)
)

// version is one of a program, and versioned are the words before that say of which.
var (
	version   = regexp.MustCompile(`^(?:(?i:v|version )\d|\d+\.\d)`)
	versioned = regexp.MustCompile(`(?i)\b(?:for|of|in)(?: our| my| the)? ((?:\pL+ ){1,3})$`)
)

// cutName is a name behind small words that are the end of what it names, and kindOf the beginning of what it names.
var (
	cutName = regexp.MustCompile(`^((?:\p{Ll}+ )+)\p{Lu}[\pL'’&-]*(?: \p{Lu}[\pL'’&-]*)*$`)
	kindOf  = regexp.MustCompile(`(?i)\b(?:my|our|the|a|an) \p{Ll}+ $`)
)

// office is what a person is or does, before the words for where.
var office = regexp.MustCompile(`^, \pL+ (?:of|at|for) $`)

// listMark is what stands between a heading and its list.
var listMark = regexp.MustCompile(`^(?: [-–—]|:) $`)
