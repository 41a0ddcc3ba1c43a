package reading

import (
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// recast are phrases of which some have another role for a recipe than the network gives them. plain says that the recipe shows nothing but texts.
func recast(m *recipe.Manifest, v *wish.Vocabulary, phrases []wish.Phrase, prompt string, plain bool) []wish.Phrase {
	if plain {
		phrases = namesAlone(phrases, prompt)
	}
	phrases = forWhat(m, v, pointedAt(phrases, prompt), prompt)
	if taker(m, "sides") != nil {
		phrases = unpriced(phrases, prompt)
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
