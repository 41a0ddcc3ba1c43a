package theme

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// key makes koda's own control sequences known to [Writer]. It is drawn when
// the process starts and never leaves the process, so no text from outside can
// contain it.
var key = newKey()

func newKey() string {
	var b [16]byte
	rand.Read(b[:]) //nolint:errcheck // it never fails: it ends the program
	return new(big.Int).SetBytes(b[:]).String()
}

// seal marks a control sequence as koda's own. The mark has the form of a
// control sequence, so that the columns of a text are counted as if the
// sequence stood there.
func seal(parameters, final string) string { return "\x1b[" + key + ";" + parameters + final }

// sealAll seals what lipgloss composed around a clean text.
func sealAll(text string) string { return styled.ReplaceAllString(text, seal("${1}", "m")) }

// styled finds the sequences of lipgloss; sealed finds the marks of seal; sequence finds what other programs write to
// colour a text and to move about.
var (
	styled   = regexp.MustCompile(`\x1b\[([0-9;]*)m`)
	sealed   = regexp.MustCompile(`\x1b\[` + key + `;([0-9;]*)([mK])`)
	sequence = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)
)

// ClearLine is what empties the line in which the cursor stands, and goes to its
// start, when it is written to a [Writer].
func ClearLine() string { return seal("2", "K") }

// Writer is the only way of text to a terminal. It lets through printable text,
// newlines, tabs, and the control sequences that this package composed: those
// of a [Style], and [ClearLine]. All else that could steer a terminal or hide
// what a text says is left out, whoever wrote it, see [Clean]. Each call of
// Write stands for itself.
type Writer struct{ w io.Writer }

// NewWriter is a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w} }

// Write writes a text whole or reports an error.
func (w *Writer) Write(p []byte) (int, error) {
	var out bytes.Buffer
	text := string(p)
	for {
		at := sealed.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		out.WriteString(Clean(text[:at[0]]))
		parameters, final := text[at[2]:at[3]], text[at[4]:at[5]]
		if final == "K" {
			out.WriteByte('\r')
		}
		out.WriteString("\x1b[" + parameters + final)
		text = text[at[1]:]
	}
	out.WriteString(Clean(text))
	if _, err := w.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Clean makes a text of unknown origin safe to print. Control characters but
// newline and tab go, and so do marks that turn the reading direction around;
// what is no UTF-8 becomes U+FFFD. Sequences that colour a text or move the
// cursor go as a whole. Of any other escape sequence the characters that can be
// seen stay, for such a sequence may be as long as its author likes: no text
// can make koda's words beside it disappear.
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

// unsafe reports a character that Clean looks at; U+FFFD may stand for bytes
// that are no UTF-8.
func unsafe(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
		return true
	}
	// Line and paragraph separators, directions of old, annotations.
	return r == '\u2028' || r == '\u2029' || r >= '\u206a' && r <= '\u206f' || r >= '\ufff9' && r <= '\ufffb'
}

// EscapeJSON escapes in a text of JSON what Clean leaves out, so that the text
// means the same and is safe to print.
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
