package reading

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// someLines are the numbers of one line, or of the first and the last.
var someLines = regexp.MustCompile(`\b` + lineNumbers + `\b`)

// lineNumbers matches the number of a line, or those of the first and the last.
const lineNumbers = `(\d+)(?:\s*(?:-|–|to|and|bis|und|a|à|et|y|e)\s*(\d+))?`

// leastMarking is how many letters a word has at least that tells that lines are to be marked, mostBent how many its endings have at most.
const (
	leastMarking = 4
	mostBent     = 3
)

// marking marks the lines of code that a change names by their numbers, their places, or words that stand there: "highlight the return line".
func (f *filler) marking(parts []wish.Part) {
	p, code := f.free("marks"), taker(f.m, "code")
	if p == nil || code == nil || slices.ContainsFunc(parts, func(part wish.Part) bool { return part.Role == wish.New || part.Role == wish.Gone }) {
		return
	}
	told, others := 0, []string(nil)
	for _, word := range letters.FindAllString(f.read.Text(), -1) {
		if tellsOfLines(p, word) {
			told++
		} else {
			others = append(others, word)
		}
	}
	if told < 2 {
		return
	}
	lines := strings.Split(strings.TrimSpace(f.value(code)), "\n")
	value := ""
	if at := someLines.FindStringSubmatch(f.read.Text()); at != nil {
		if value = at[1]; at[2] != "" {
			value += "-" + at[2]
		}
	} else if n, ok := f.read.Ordinal(); ok {
		if n < 0 {
			n += len(lines) + 1
		}
		value = strconv.Itoa(n)
	} else if n := f.lineWith(lines, others); n > 0 {
		value = strconv.Itoa(n)
	}
	if first, _, _ := strings.Cut(value, "-"); value == "" || whole(first) > len(lines) && f.value(code) != "" {
		return
	}
	all := wish.Span{To: len(f.read.Text())}
	f.put(p.Name, value, wish.Wish{Span: all})
	f.shown, f.gaps = append(f.shown, all), append(f.gaps, all)
	f.wishes = slices.DeleteFunc(f.wishes, func(w wish.Wish) bool { return w.Kind == wish.Number })
	for k := range parts {
		parts[k].Role = wish.Idle
	}
}

// tellsOfLines reports whether a word is one of those that a parameter for marked lines has, perhaps with another ending.
func tellsOfLines(p *recipe.Param, word string) bool {
	word = strings.ToLower(word)
	return anyWord(p.Words, func(phrase string) bool {
		return slices.ContainsFunc(words(strings.ToLower(phrase)), func(w string) bool {
			short, long := word, w
			if len(short) > len(long) {
				short, long = long, short
			}
			return utf8.RuneCountInString(short) >= leastMarking && strings.HasPrefix(long, short) && len(long)-len(short) <= mostBent
		})
	})
}

// lineWith is the number of the first line that has the most of some words; 0 if none has any. Words that mean nothing else come first.
func (f *filler) lineWith(lines, said []string) (line int) {
	for _, known := range []bool{false, true} {
		most := 0
		for i, s := range lines {
			n := 0
			for _, word := range said {
				if from, _ := find(s, word, 0); from >= 0 && len(word) > 1 && f.r.choosing.Knows(word) == known {
					n++
				}
			}
			if n > most {
				most, line = n, i+1
			}
		}
		if line > 0 {
			return line
		}
	}
	return 0
}
