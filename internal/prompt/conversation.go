package prompt

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Recent is how many messages an author is told in full.
const Recent = 10

// The longest a message of before is told, in characters. What the person said
// may hold a wish that still counts, so it gets more room.
const (
	shortWish   = 400
	shortAnswer = 160
	shortName   = 60
)

// Conversation is what an author is told of the talk so far, oldest first: the
// last ten messages as they were said, and the person's last word if it is
// older than that. One message of the system stands before them, with the rest
// in short (all the person said, and the last of what was answered to it) and
// the summary of the project's files: those given, described by what messages
// say of them in their summaries.
//
// Without messages and files it is empty. Messages are told in the order given,
// whatever their times.
func Conversation(messages []koda.Message, files []FileNote) []koda.Message {
	older, recent := split(messages)
	var parts []string
	if len(older) > 0 {
		parts = append(parts, fmt.Sprintf("Earlier in this conversation, in short (%d messages):\n%s", len(older), inShort(older)))
	}
	if notes := describe(files, messages, older); len(notes) > 0 {
		parts = append(parts, "The files of the project:\n"+FormatFiles(notes))
	}
	if len(parts) == 0 {
		return recent
	}
	at := time.Time{}
	if len(recent) > 0 {
		at = recent[0].Timestamp
	}
	before := koda.Message{ID: "before", Role: koda.RoleSystem, Content: strings.Join(parts, "\n\n"), Timestamp: at}
	return append([]koda.Message{before}, recent...)
}

// split says what is told in short and what in full.
func split(messages []koda.Message) (older, recent []koda.Message) {
	start := max(0, len(messages)-Recent)
	older, recent = slices.Clone(messages[:start]), slices.Clone(messages[start:])
	users := func(m koda.Message) bool { return m.Role == koda.RoleUser }
	if slices.ContainsFunc(recent, users) {
		return older, recent
	}
	for i := len(older) - 1; i >= 0; i-- {
		if users(older[i]) {
			return slices.Delete(slices.Clone(older), i, i+1), slices.Insert(recent, 0, older[i])
		}
	}
	return older, recent
}

// inShort is a line for all that the person or koda said, and one for the last
// of several answers in a row.
func inShort(messages []koda.Message) string {
	var lines []string
	for i, m := range messages {
		limit := shortWish
		if m.Role == koda.RoleAssistant {
			if i+1 < len(messages) && messages[i+1].Role == koda.RoleAssistant {
				continue
			}
			limit = shortAnswer
		}
		text, _, _ := CutFiles(m.Content)
		lines = append(lines, fmt.Sprintf("- %s: %s", m.Role, shorten(text, limit)))
	}
	return strings.Join(lines, "\n")
}

// Short is a person's word as a line that names it.
func Short(text string) string { return shorten(text, shortName) }

// shorten squeezes text into one line of at most limit characters.
func shorten(text string, limit int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) <= limit {
		return string(r)
	}
	return string(r[:limit-1]) + "…"
}

// describe gives files the words the conversation has for them, the latest
// ones. When it is not known which files there are, they are those the older
// messages tell of: the recent ones speak for themselves.
func describe(files []FileNote, messages, older []koda.Message) []FileNote {
	if len(files) == 0 {
		notes, _ := summaries(older)
		return notes
	}
	_, words := summaries(messages)
	notes := slices.Clone(files)
	for i, n := range notes {
		said := words[n.Path]
		switch {
		case said != "" && n.Description != "":
			notes[i].Description = said + " (" + n.Description + ")"
		case said != "":
			notes[i].Description = said
		}
	}
	return notes
}

// summaries merges what messages say of files: each once, in the order they
// are met first, in the last words for it.
func summaries(messages []koda.Message) (notes []FileNote, words map[string]string) {
	words = map[string]string{}
	var paths []string
	for _, m := range messages {
		_, said, _ := CutFiles(m.Content)
		for _, n := range said {
			if _, known := words[n.Path]; !known {
				paths = append(paths, n.Path)
			}
			words[n.Path] = n.Description
		}
	}
	for _, p := range paths {
		notes = append(notes, FileNote{Path: p, Description: words[p]})
	}
	return notes, words
}
