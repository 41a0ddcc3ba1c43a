package theme

import (
	"crypto/rand"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// key marks koda's own control sequences for [Writer]. It is drawn when the process
// starts and never leaves the process, so no text from outside can contain it.
var key = newKey()

func newKey() string {
	var b [16]byte
	rand.Read(b[:]) //nolint:errcheck // it never fails: it ends the program
	return new(big.Int).SetBytes(b[:]).String()
}

// mark is how all sealed sequences start.
var mark = "\x1b[" + key + ";"

// seal marks a control sequence as koda's own. The mark has the form of a control
// sequence, so that the columns of a text are counted as if the sequence stood there.
func seal(parameters, final string) string { return mark + parameters + final }

// sealAll seals the sequences that lipgloss composed around a clean text.
func sealAll(text string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, "\x1b[")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		n := strings.IndexFunc(after, func(r rune) bool { return (r < '0' || r > '9') && r != ';' })
		if n < 0 || after[n] != 'm' { // another sequence
			b.WriteString("\x1b[")
			text = after
			continue
		}
		b.WriteString(seal(after[:n], "m"))
		text = after[n+1:]
	}
}

// ClearLine is a sequence that, written to a [Writer], empties the cursor's line and
// moves the cursor to its start.
func ClearLine() string { return seal("2", "K") }

// LineStart is a sequence that, written to a [Writer], moves the cursor to the start of its line.
func LineStart() string { return seal("1", "G") }

// Indexed returns a text in a colour of the terminal's palette, to be written to a
// [Writer]. It is for texts whose colour is a number that the terminal reads.
func Indexed(color uint8, text string) string {
	return seal("38;5;"+strconv.Itoa(int(color)), "m") + Clean(text) + seal("39", "m")
}

// Seal returns the sequences of a picture, to be written to a [Writer]: they reach the
// terminal byte for byte, and count no columns. The form is checked, see [pictures];
// anything else becomes "". The content is not: only the package that composes the
// sequences may call Seal, and only with what it composed.
//
// The bytes travel as the parameters of one control sequence, so whatever cuts or wraps
// a text takes all of them or none.
func Seal(sequences string) string {
	if !pictures(sequences) {
		return ""
	}
	return seal(digits(sequences), "z")
}

// Clipboard is a sequence that, written to a [Writer], asks the terminal to put a text on
// the person's clipboard. Behind tmux it is sent twice: to tmux, and through it.
func Clipboard(text string, tmux bool) string {
	final := "c"
	if tmux {
		final = "t"
	}
	return seal(digits(text), final)
}

// digits are bytes as parameters of a control sequence.
func digits(text string) string {
	b := make([]byte, 0, 2*len(text))
	for i := range len(text) {
		b = append(b, '0'+text[i]>>4, '0'+text[i]&15)
	}
	return string(b)
}

// undigits undoes digits.
func undigits(digits string) (text string, ok bool) {
	if len(digits)%2 != 0 {
		return "", false
	}
	b := make([]byte, len(digits)/2)
	for i := range b {
		b[i] = (digits[2*i]-'0')<<4 | (digits[2*i+1] - '0')
	}
	return string(b), true
}

// sealed finds the first whole mark in a text: where it starts and ends, and the bytes
// that it stands for. Start is -1 if there is none.
func sealed(text string) (start, end int, bytes string) {
	for from := 0; ; {
		at := strings.Index(text[from:], mark)
		if at < 0 {
			return -1, -1, ""
		}
		start = from + at
		from = start + len(mark)
		n := strings.IndexFunc(text[from:], func(r rune) bool { return r < '0' || r > '?' })
		if n < 0 {
			return -1, -1, ""
		}
		end = from + n + 1
		if bytes, ok := opened(text[from:end-1], text[end-1]); ok {
			return start, end, bytes
		}
	}
}

// opened is what a mark with these parameters stands for.
func opened(parameters string, final byte) (bytes string, ok bool) {
	switch {
	case final == 'z':
		return openPictures(parameters)
	case final == 'c', final == 't':
		text, ok := undigits(parameters)
		sequence := ansi.SetSystemClipboard(text)
		if final == 't' {
			sequence += ansi.TmuxPassthrough(sequence)
		}
		return sequence, ok
	case strings.ContainsAny(parameters, ":<=>?"):
		return "", false
	case final == 'm', final == 'G':
		return "\x1b[" + parameters + string(final), true
	case final == 'K', final == 'A':
		return "\r\x1b[" + parameters + string(final), true
	}
	return "", false
}

// openPictures undoes Seal. It checks the form again: should anything ever cut a mark,
// what follows it gains nothing but pictures.
func openPictures(digits string) (sequences string, ok bool) {
	sequences, ok = undigits(digits)
	return sequences, ok && pictures(sequences)
}

// pictures reports whether a text is one or more whole sequences that terminals draw
// pictures from, and nothing else:
//
//	ESC _ G … ESC \                kitty
//	ESC ] 1337 ; File = … BEL      iTerm2
//	ESC P 0 ; 1 q … ESC \          sixel
//	ESC P tmux ; … ESC \           one of these, for the terminal around tmux
//
// Their contents are printable ASCII.
func pictures(text string) bool {
	if text == "" {
		return false
	}
	for text != "" {
		rest, ok := cutPassthrough(text)
		if !ok {
			rest, ok = cutPicture(text)
		}
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

// sixel finds the start of a picture in sixels.
var sixel = regexp.MustCompile(`^\x1bP[0-9;]*q`)

// cutPicture cuts the sequence of a picture off the start of a text.
func cutPicture(text string) (rest string, ok bool) {
	end := "\x1b\\"
	if rest, ok = strings.CutPrefix(text, "\x1b]1337;File="); ok {
		end = "\a"
	} else if rest, ok = strings.CutPrefix(text, "\x1b_G"); !ok {
		start := sixel.FindString(text)
		if start == "" {
			return "", false
		}
		rest = text[len(start):]
	}
	n := strings.IndexFunc(rest, func(r rune) bool { return r < ' ' || r > '~' })
	if n < 0 {
		return "", false
	}
	return strings.CutPrefix(rest[n:], end)
}

// cutPassthrough cuts a picture that is wrapped for tmux off the start of a text: in it
// each escape character stands twice.
func cutPassthrough(text string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, "\x1bPtmux;")
	if !ok {
		return "", false
	}
	var inner strings.Builder
	for {
		at := strings.IndexByte(rest, '\x1b')
		if at < 0 || at+1 == len(rest) {
			return "", false
		}
		inner.WriteString(rest[:at])
		next := rest[at+1]
		rest = rest[at+2:]
		switch next {
		case '\x1b':
			inner.WriteByte('\x1b')
		case '\\':
			left, ok := cutPicture(inner.String())
			return rest, ok && left == ""
		default:
			return "", false
		}
	}
}
