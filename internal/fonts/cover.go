package fonts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Cover is a set of characters: sorted spans that do not touch.
type Cover []Span

// Span is the characters from Low to High, both included.
type Span struct{ Low, High rune }

// Has reports whether a character is in the set.
func (c Cover) Has(r rune) bool {
	_, ok := slices.BinarySearchFunc(c, r, func(s Span, r rune) int {
		switch {
		case s.High < r:
			return -1
		case s.Low > r:
			return 1
		}
		return 0
	})
	return ok
}

// coverOf makes a set of characters in any order.
func coverOf(runes []rune) Cover {
	slices.Sort(runes)
	var c Cover
	for _, r := range slices.Compact(runes) {
		if n := len(c); n > 0 && c[n-1].High+1 == r {
			c[n-1].High = r
		} else {
			c = append(c, Span{r, r})
		}
	}
	return c
}

// keep is the characters of the set for which wanted says true.
func (c Cover) keep(wanted func(rune) bool) Cover {
	var runes []rune
	for _, s := range c {
		for r := s.Low; r <= s.High; r++ {
			if wanted(r) {
				runes = append(runes, r)
			}
		}
	}
	return coverOf(runes)
}

// css is the set as a unicode-range.
func (c Cover) css() string {
	parts := make([]string, len(c))
	for i, s := range c {
		parts[i] = fmt.Sprintf("U+%x", s.Low)
		if s.High > s.Low {
			parts[i] += fmt.Sprintf("-%x", s.High)
		}
	}
	return strings.Join(parts, ",")
}

// MarshalText writes the set as "4e00-4e03,4e05".
func (c Cover) MarshalText() ([]byte, error) {
	return []byte(strings.ReplaceAll(c.css(), "U+", "")), nil
}

// UnmarshalText reads what MarshalText writes.
func (c *Cover) UnmarshalText(text []byte) error {
	*c = nil
	if len(text) == 0 {
		return nil
	}
	for part := range strings.SplitSeq(string(text), ",") {
		low, high, ok := strings.Cut(part, "-")
		if !ok {
			high = low
		}
		l, err := strconv.ParseInt(low, 16, 32)
		if err != nil {
			return fmt.Errorf("read characters of a font: %w", err)
		}
		h, err := strconv.ParseInt(high, 16, 32)
		if err != nil {
			return fmt.Errorf("read characters of a font: %w", err)
		}
		*c = append(*c, Span{rune(l), rune(h)})
	}
	return nil
}
