package prompt

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Recent is how many messages an author gets in full.
const Recent = 10

// How many characters an author gets of an older message. The person's messages may
// hold a wish that still counts, so they get more room.
const (
	shortWish   = 400
	shortAnswer = 160
	shortName   = 60
)

// Conversation is the talk so far as an author gets it, oldest first: the last ten
// messages in full, and also the person's last message in full if it is older. A
// message of the system stands before them. It holds the older messages in short (every
// message of the person, and the last answer to each) and the summary of the given
// files. The descriptions of the files come from the summaries in the messages.
//
// Without messages and files it is empty. Messages stay in the order given,
// whatever their times.
func Conversation(messages []koda.Message, files []FileNote) []koda.Message {
	return conversation(messages, files, Recent)
}

// Shorter is Conversation with the person's last message alone in full, for a model that
// can be told no more.
func Shorter(messages []koda.Message, files []FileNote) []koda.Message {
	return conversation(messages, files, 0)
}

func conversation(messages []koda.Message, files []FileNote, full int) []koda.Message {
	older, recent := split(messages, full)
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

// split parts the messages told in short from the messages told in full.
func split(messages []koda.Message, full int) (older, recent []koda.Message) {
	start := max(0, len(messages)-full)
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

// inShort has one line for each message of the person or of koda, and one line for
// the last of several answers in a row.
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

// Short shortens a person's message to one line that recalls it.
func Short(text string) string { return shorten(text, shortName) }

// shorten squeezes text into one line of at most limit characters.
func shorten(text string, limit int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) <= limit {
		return string(r)
	}
	return string(r[:limit-1]) + "…"
}

// describe gives each file its latest description in the conversation. If the files
// are not known, it returns the files of the older messages' summaries: the recent
// messages are told in full.
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

// summaries merges the summaries in messages: each file once, in the order of first
// mention, with its last description.
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
