package tui

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// mention is the path that the words before the cursor begin to name: what follows an @, up
// to a blank or, after @", up to the quotation mark.
func (l line) mention() (typed string, ok bool) {
	after, ok := l.afterAt()
	return strings.TrimPrefix(after, `"`), ok
}

// before is what stands before the cursor, on its line.
func (l line) before() string {
	info := l.area.LineInfo()
	rows := strings.Split(l.area.Value(), "\n")
	row := []rune(rows[min(l.area.Line(), len(rows)-1)])
	return string(row[:min(info.StartColumn+info.ColumnOffset, len(row))])
}

func (l line) afterAt() (string, bool) {
	row := []rune(l.before())
	for at := len(row) - 1; at >= 0; at-- {
		if row[at] != '@' || at > 0 && !unicode.IsSpace(row[at-1]) {
			continue
		}
		after := string(row[at+1:])
		if rest, quoted := strings.CutPrefix(after, `"`); quoted {
			return after, !strings.Contains(rest, `"`)
		}
		return after, !strings.ContainsFunc(after, unicode.IsSpace)
	}
	return "", false
}

// named puts a path in place of the one that the words before the cursor begin to name. A
// path with blanks gets quotation marks. After a directory the path goes on.
func (l line) named(it item) line {
	after, _ := l.afterAt()
	for range []rune(after) {
		l = l.key(tea.KeyMsg{Type: tea.KeyBackspace})
	}
	text, end := it.value, " "
	if strings.ContainsFunc(text, unicode.IsSpace) {
		text, end = `"`+text, `" `
	}
	if !it.open {
		text += end
	}
	l.area.InsertString(text)
	return l
}
