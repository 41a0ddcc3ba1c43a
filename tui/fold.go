package tui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// A pasted text from these sizes on is shown as a summary.
const (
	foldLines   = 13
	foldLetters = 2001
)

// folded is a pasted text that a line shows as a summary, such as "[41 lines pasted]". The summary is
// one piece: one backspace removes it, and no key leaves a part of it.
type folded struct{ summary, text string }

// paste inserts a pasted text, a long one as a summary. Text stands for all of it.
func (l line) paste(k tea.KeyMsg) line {
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(k.Runes))
	lines, letters := strings.Count(strings.TrimRight(text, "\n"), "\n")+1, utf8.RuneCountInString(text)
	summary := fmt.Sprintf("[%d lines pasted]", lines)
	switch {
	case lines < foldLines && letters < foldLetters:
		l.area, _ = l.area.Update(k)
		return l.shown()
	case lines < foldLines:
		summary = fmt.Sprintf("[%d letters pasted]", letters)
	}
	for n := 2; strings.Contains(l.area.Value(), summary); n++ {
		summary = fmt.Sprintf("[%d lines pasted, %d]", lines, n)
	}
	l.folds = append(l.folds[:len(l.folds):len(l.folds)], folded{summary, text})
	l.area.InsertString(summary)
	return l.shown()
}

// unfolded is a text with what its summaries stand for.
func (l line) unfolded(text string) string {
	for _, f := range l.folds {
		text = strings.ReplaceAll(text, f.summary, f.text)
	}
	return text
}

// erases is how often a key is pressed: a backspace behind a summary removes all of it.
func (l line) erases(k tea.KeyMsg) int {
	for _, f := range l.folds {
		if k.Type == tea.KeyBackspace && strings.HasSuffix(l.before(), f.summary) {
			return utf8.RuneCountInString(f.summary)
		}
	}
	return 1
}

// splits reports whether a part of a summary was changed since the line had a text.
func (l line) splits(was string) bool {
	is, from, end := l.area.Value(), 0, 0 // what is the same at the start, and at the end
	for from < min(len(was), len(is)) && was[from] == is[from] {
		from++
	}
	for end < min(len(was), len(is))-from && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	return slices.ContainsFunc(l.folds, func(f folded) bool {
		at := strings.Index(was, f.summary)
		return at >= 0 && !strings.Contains(is, f.summary) && (from > at || len(was)-end < at+len(f.summary))
	})
}
