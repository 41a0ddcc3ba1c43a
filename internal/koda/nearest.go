package koda

import "strings"

// longest is the longest word in bytes that is compared: the time for a comparison
// grows with the square of the length, and nobody types longer words.
const longest = 300

// Nearest returns the name that word was most likely meant to be, or "" when no
// name is close. A name is close when it begins with word (three letters or more),
// or when at most one slip in three letters separates them. Case is ignored, and a
// text longer than 300 bytes is never close. Of two names equally close the first
// is taken.
func Nearest(word string, names []string) string {
	w := strings.ToLower(strings.TrimSpace(word))
	if w == "" || len(w) > longest {
		return ""
	}
	best, bestSlips := "", -1
	for _, name := range names {
		if len(name) > longest {
			continue
		}
		n := strings.ToLower(name)
		slips := Slips(w, n)
		if len(w) >= 3 && strings.HasPrefix(n, w) {
			slips = min(slips, 1)
		}
		if slips > max(1, len([]rune(w))/3) {
			continue
		}
		if bestSlips < 0 || slips < bestSlips {
			best, bestSlips = name, slips
		}
	}
	return best
}

// Slips counts insertions, deletions, substitutions and swaps of neighbours
// between a and b (optimal string alignment).
func Slips(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, prev, cur := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(y)]
}
