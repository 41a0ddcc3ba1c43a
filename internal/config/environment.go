package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var (
	variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	secrets  = regexp.MustCompile(`(?i)key|token|secret|passw|credential`)
)

// ParseEnvironment reads variables as NAME=value, with blanks between them, and returns
// them in their order. It refuses what looks like a key, because generated code reads the
// environment of its sandbox.
func ParseEnvironment(text string) ([]string, error) {
	pairs := strings.Fields(text)
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		switch {
		case !ok || !variable.MatchString(name):
			return nil, fmt.Errorf("%q is not of the form NAME=value", name)
		case secrets.MatchString(name) || LooksSecret(value):
			return nil, fmt.Errorf("%s looks like a key", name)
		}
	}
	return pairs, nil
}

// LooksSecret reports whether a text has a word that looks like a key or a token: long,
// with letters and digits mixed.
func LooksSecret(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(word string) bool {
		return len(word) >= 20 && strings.ContainsFunc(word, unicode.IsDigit) && strings.ContainsFunc(word, unicode.IsLetter) &&
			!strings.ContainsAny(word, "/.")
	})
}
