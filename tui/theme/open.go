package theme

import "strings"

// Open is a text as [Writer] would write it: with the control sequences that this package
// composed, and without all others. It is for programs that write the terminal themselves.
func Open(text string) string {
	var b strings.Builder
	_, _ = NewWriter(&b).Write([]byte(text)) //nolint:errcheck // a builder takes everything
	return b.String()
}

// Adopt seals the colours that a component of another library composed. The text of the
// component must be clean, see [Clean].
func Adopt(text string) string { return sealAll(text) }
