package fonts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/proc"
)

// mostAsked bounds the characters for which fontconfig is asked one by one.
const mostAsked = 12

// HostLacks lists the characters for which this machine has no font either, by asking
// fontconfig. Where there is no fontconfig, nobody knows, and the list is empty.
func HostLacks(ctx context.Context, runes []rune) ([]rune, error) {
	program, err := exec.LookPath("fc-list")
	if err != nil || len(runes) == 0 {
		return nil, nil //nolint:nilerr // nobody knows
	}
	has := func(runes []rune) (bool, error) {
		var charset strings.Builder
		for _, r := range runes {
			fmt.Fprintf(&charset, " %x", r)
		}
		out, err := proc.Output(ctx, proc.Spec{Path: program, Args: []string{":charset=" + charset.String()[1:], "family"}})
		return len(bytes.TrimSpace(out)) > 0, err
	}
	all, err := has(runes)
	if err != nil || all {
		return nil, asked(ctx, err)
	}
	var lacks []rune
	for _, r := range runes[:min(len(runes), mostAsked)] {
		found, err := has([]rune{r})
		if err != nil {
			return nil, asked(ctx, err)
		}
		if !found {
			lacks = append(lacks, r)
		}
	}
	return lacks, nil
}

// asked drops an error of fontconfig: a warning that cannot be made is no reason to fail.
func asked(ctx context.Context, err error) error {
	if errors.Is(err, ctx.Err()) {
		return ctx.Err()
	}
	return nil
}

// installable are the scripts of the fonts that Install installs.
var installable = []*unicode.RangeTable{
	unicode.Arabic, unicode.Hebrew, unicode.Devanagari, unicode.Thai, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
}

// Sentence tells of characters that are drawn as boxes, and what to do; "" if there are
// none.
func (s *Store) Sentence(lacks []rune) string {
	if len(lacks) == 0 {
		return ""
	}
	plural := "characters"
	if len(lacks) == 1 {
		plural = "character"
	}
	return fmt.Sprintf("No font here has the %s %s: boxes are drawn instead. %s", plural, listed(lacks), s.advice(lacks))
}

// Borrowed tells of characters that only the fonts of this machine have, and what to do; "" if there are none.
func (s *Store) Borrowed(runes []rune) string {
	if len(runes) == 0 {
		return ""
	}
	return fmt.Sprintf("This machine's own fonts draw %s: on another machine they may look different. %s", listed(runes), s.advice(runes))
}

// listed quotes the first of some characters.
func listed(runes []rune) string {
	runes = slices.Sorted(slices.Values(runes))
	names := ""
	for _, r := range runes[:min(len(runes), 4)] {
		names += fmt.Sprintf("「%c」", r)
	}
	if len(runes) > 4 {
		names += " and others"
	}
	return names
}

// advice says how to get fonts that have characters.
func (s *Store) advice(runes []rune) string {
	if !s.Installed() && slices.ContainsFunc(runes, func(r rune) bool { return IsEmoji(r) || unicode.In(r, installable...) }) {
		return "koda fonts add installs fonts for " + Scripts + "."
	}
	return "koda fonts add FILE takes a font that has them."
}
