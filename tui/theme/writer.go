package theme

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sequence finds the sequences by which programs colour a text and move the cursor.
var sequence = regexp.MustCompile(`\x1b\[[0-?]*[A-Za-z]`)

// LinesUp is a sequence that, written to a [Writer], moves the cursor to the start of the
// line that is n lines above its own, or of the first line of the screen; "" if n is 0.
func LinesUp(n int) string {
	if n <= 0 {
		return ""
	}
	return seal(strconv.Itoa(n), "A")
}

// Writer is the only way for text to reach a terminal. It lets through printable
// text, newlines, tabs, and the control sequences that this package composed or sealed:
// the sequences of a [Style], [ClearLine], [LineStart], [LinesUp], [Indexed], [Clipboard], and
// pictures, see [Seal]. It leaves out all other characters that could steer a terminal or
// hide what a text says, whoever wrote them, see [Clean]. A sequence must be whole within
// one call of Write.
type Writer struct{ w io.Writer }

// NewWriter is a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w} }

// Write writes a text whole or reports an error.
func (w *Writer) Write(p []byte) (int, error) {
	var out bytes.Buffer
	text := string(p)
	for {
		start, end, own := sealed(text)
		if start < 0 {
			break
		}
		out.WriteString(Clean(text[:start]))
		out.WriteString(own)
		text = text[end:]
	}
	out.WriteString(Clean(text))
	if _, err := w.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Clean makes a text of unknown origin safe to print. It removes all control
// characters but newline and tab, marks that turn the reading direction around, and
// whole sequences that colour a text or move the cursor. Bytes that are no UTF-8
// become U+FFFD. Of any other escape sequence the visible characters stay, because
// such a sequence may be as long as its author likes: no text can make koda's words
// beside it disappear.
func Clean(text string) string {
	if !strings.ContainsFunc(text, unsafe) {
		return text
	}
	text = strings.ToValidUTF8(sequence.ReplaceAllString(text, ""), string(utf8.RuneError))
	return strings.Map(func(r rune) rune {
		if r != utf8.RuneError && unsafe(r) {
			return -1
		}
		return r
	}, text)
}

// unsafe reports whether Clean must look at a text that holds r; U+FFFD may stand
// for bytes that are no UTF-8.
func unsafe(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
		return true
	}
	// Line and paragraph separators, old marks of direction, annotations.
	return r == '\u2028' || r == '\u2029' || r >= '\u206a' && r <= '\u206f' || r >= '\ufff9' && r <= '\ufffb'
}

// EscapeJSON escapes the characters of a JSON text that Clean would leave out, so
// that the text means the same and is safe to print.
func EscapeJSON(text string) string {
	if !strings.ContainsFunc(text, unsafe) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r != utf8.RuneError && unsafe(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
