package preset

import "strings"

// Nearest returns the word of words that word was probably meant to be: the
// one with the smallest edit distance, where a swap of two neighbours counts
// once and case does not count. "" when none is near: more than a third of the
// letters differ. Of equally near words the first wins.
func Nearest(word string, words []string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	if word == "" || len(word) > 64 {
		return ""
	}
	best, least := "", -1
	for _, w := range words {
		if len(w) > 64 {
			continue
		}
		d := distance([]rune(word), []rune(strings.ToLower(w)))
		if limit := max(1, (max(len([]rune(word)), len([]rune(w)))+1)/3); d <= limit && (least < 0 || d < least) {
			best, least = w, d
		}
	}
	if best == "" && len(word) >= 3 {
		for _, w := range words { // an unfinished word: "insta"
			if strings.HasPrefix(strings.ToLower(w), word) {
				return w
			}
		}
	}
	return best
}

// distance is the optimal string alignment distance of a and b.
func distance(a, b []rune) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
