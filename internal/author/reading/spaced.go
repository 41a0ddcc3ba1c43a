package reading

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

var (
	// stop is a word with the number behind it: "day 1".
	stop = regexp.MustCompile(`(\pL+) (\d{1,2})\b`)
	year = regexp.MustCompile(`\b(1[89]|20)\d\d\b`)
)

// spaced is a prompt with a line for each of the things that it numbers without a sign between: "our trip day 1 Lisbon day 2 Sintra",
// "our company 2018 founded 2020 first office 2023 closed".
func spaced(prompt string) string {
	at := stops(prompt)
	if at == nil {
		at = years(prompt)
	}
	for n, from := range slices.Backward(at) {
		head := strings.TrimRight(prompt[:from], " ")
		switch {
		case head == "":
		case n == 0 && !strings.HasSuffix(head, ":"):
			head += ":\n"
		default:
			head += "\n"
		}
		prompt = head + "- " + prompt[from:]
	}
	return prompt
}

// stops is where a word stands with 1, with 2, and so on, and other words between; nil if there are not two.
func stops(prompt string) (at []int) {
	word := ""
	for _, m := range stop.FindAllStringSubmatchIndex(prompt, -1) {
		said := strings.ToLower(prompt[m[2]:m[3]])
		if prompt[m[4]:m[5]] != strconv.Itoa(len(at)+1) || word != "" && said != word {
			continue
		}
		if len(at) > 0 && !apart(prompt[at[len(at)-1]+len(prompt[m[0]:m[1]]):m[0]]) {
			return nil
		}
		word, at = said, append(at, m[0])
	}
	if len(at) < 2 || !apart(prompt[at[len(at)-1]+len(word)+2:]) {
		return nil
	}
	return at
}

// years is where years stand, each later than the one before it, with words between; nil if there are not three.
func years(prompt string) (at []int) {
	for _, m := range year.FindAllStringIndex(prompt, -1) {
		if n := len(at); n > 0 && (prompt[m[0]:m[1]] <= prompt[at[n-1]:at[n-1]+4] || !apart(prompt[at[n-1]+4:m[0]])) {
			return nil
		}
		at = append(at, m[0])
	}
	if len(at) < 3 || !apart(prompt[at[len(at)-1]+4:]) {
		return nil
	}
	return at
}

// apart reports whether a text is words without a sign that parts them from what stands around.
func apart(said string) bool {
	return strings.ContainsFunc(said, unicode.IsLetter) && !strings.ContainsAny(said, ",;:.!?\n\"“”|/()–—-")
}
