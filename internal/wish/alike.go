package wish

import (
	"strings"
	"unicode"
)

// Alike is a word of a text of which others of its kind may take the place, such as "sunny" that of "rain".
type Alike struct {
	Span
	Kind string
}

// longestAlike is how many words such a word has at most: "partly cloudy".
const longestAlike = 3

// Alikes lists the words of a text that are of some kind, the longest at each place.
func (v *Vocabulary) Alikes(text string) (out []Alike) {
	words := wordsOf(text)
	for i := 0; i < len(words); i++ {
		for n := min(longestAlike, len(words)-i); n > 0; n-- {
			s := Span{words[i].From, words[i+n-1].To}
			if kind := v.base.alike[strings.ToLower(text[s.From:s.To])]; kind != "" {
				out = append(out, Alike{s, kind})
				i += n - 1
				break
			}
		}
	}
	return out
}

// wordsOf are the places of the words of a text.
func wordsOf(text string) (out []Span) {
	from := -1
	for i, c := range text + " " {
		letter := unicode.IsLetter(c) || unicode.IsMark(c) || c == '-'
		if letter && from < 0 {
			from = i
		} else if !letter && from >= 0 {
			out = append(out, Span{from, i})
			from = -1
		}
	}
	return out
}
