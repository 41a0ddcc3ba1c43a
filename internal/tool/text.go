package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// clip shortens s to at most n characters; a shortened s ends in "…".
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n-1]) + "…"
}

// head is the longest beginning of s that has at most n bytes and ends between
// characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// tail is the longest end of s that has at most n bytes and begins between
// characters.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}

// middleOut cuts the middle out of s. It keeps the beginning and, because errors
// come last, three times as much of the end. Both have at most n bytes together; a
// line says how much is gone.
func middleOut(s string, n int) (text string, cut bool) {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s, false
	}
	first, last := head(s, n/4), tail(s, n-n/4)
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", first, len(s)-len(first)-len(last), last), true
}

// size writes a number of bytes as people do.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.4g MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.4g KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
