package prompt

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// The tags around a summary of files, as models write and read them.
const (
	filesOpen  = "<files_summary>"
	filesClose = "</files_summary>"
)

// FileNote says what a file of the project is for.
type FileNote = koda.FileNote

// FormatFiles writes a summary of files: one line for each file between tags,
// without a newline at the end.
//
//	<files_summary>
//	- src/App.tsx: the scenes in order
//	- "src/a: b.ts": the ball
//	</files_summary>
//
// Names and descriptions that would break a line or the tags are quoted as Go
// strings, with "<" escaped. Without notes the summary is "".
func FormatFiles(notes []FileNote) string {
	if len(notes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(filesOpen + "\n")
	for _, n := range notes {
		path := n.Path
		if path == "" || !plain(path) || strings.Contains(path, ": ") || strings.HasSuffix(path, ":") {
			path = quote(path)
		}
		b.WriteString("- " + path + ":")
		switch {
		case n.Description == "":
		case plain(n.Description):
			b.WriteString(" " + n.Description)
		default:
			b.WriteString(" " + quote(n.Description))
		}
		b.WriteByte('\n')
	}
	b.WriteString(filesClose)
	return b.String()
}

// plain reports whether s can stand in a line without quotes.
func plain(s string) bool {
	return utf8.ValidString(s) && s == strings.TrimSpace(s) && !strings.HasPrefix(s, `"`) &&
		!strings.ContainsFunc(s, func(r rune) bool { return r == '<' || !unicode.IsPrint(r) })
}

func quote(s string) string { return strings.ReplaceAll(strconv.Quote(s), "<", `\x3c`) }

// CutFiles cuts the summary of files off the end of a message. A text that does not
// end in a whole summary is returned unchanged, with false.
func CutFiles(text string) (rest string, notes []FileNote, found bool) {
	body, ok := strings.CutSuffix(strings.TrimRightFunc(text, unicode.IsSpace), filesClose)
	at := strings.LastIndex(body, filesOpen)
	if !ok || at < 0 {
		return text, nil, false
	}
	for line := range strings.Lines(body[at+len(filesOpen):]) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		note, ok := parseNote(line)
		if !ok {
			return text, nil, false
		}
		notes = append(notes, note)
	}
	return strings.TrimSuffix(body[:at], "\n"), notes, true
}

// parseNote reads a line of a summary. A model may leave out the description
// together with the colon.
func parseNote(line string) (n FileNote, ok bool) {
	line, ok = strings.CutPrefix(line, "- ")
	if !ok {
		return n, false
	}
	if quoted, err := strconv.QuotedPrefix(line); err == nil && line[0] == '"' {
		if n.Path, err = strconv.Unquote(quoted); err != nil {
			return n, false
		}
		line = line[len(quoted):]
		if line != "" {
			line, ok = strings.CutPrefix(line, ":")
		}
	} else {
		n.Path, line, _ = strings.Cut(line, ": ")
		n.Path = strings.TrimSuffix(n.Path, ":")
	}
	n.Description = strings.TrimSpace(line)
	if text, err := strconv.Unquote(n.Description); err == nil && strings.HasPrefix(n.Description, `"`) {
		n.Description = text
	}
	return n, ok
}
