package config

import (
	"bytes"
	"fmt"
	"strings"
)

// assignment is one KEY=VALUE of a .env file. If the value cannot be read, problem says
// why.
type assignment struct {
	key, value string
	line       int // from 1
	problem    string
}

// parseDotenv reads the lines of a .env file:
//
//	# a comment
//	KEY=plain value     # a comment after a space
//	export KEY='kept $as it is'
//	KEY="with \n \r \t \" \\ \$, over
//	several lines"
//
// Nothing is expanded. Lines that are not assignments are left out, because the file may
// belong to other programs too. If a key is set twice, the later value counts; the caller
// takes the last assignment.
func parseDotenv(data []byte) []assignment {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	rest := strings.ReplaceAll(string(data), "\r\n", "\n")
	var found []assignment
	for number := 1; rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		key, raw, ok := splitAssignment(line)
		if !ok {
			rest, number = after, number+1
			continue
		}
		a := assignment{key: key, line: number}
		if raw == "" || raw[0] != '"' && raw[0] != '\'' {
			a.value = plain(raw)
			found, rest, number = append(found, a), after, number+1
			continue
		}
		// A quoted value may go on over the next lines. If its quote never ends, only
		// this line is lost.
		text := raw
		if after != "" {
			text += "\n" + after
		}
		value, used, err := quoted(text)
		if err != nil {
			a.problem = err.Error()
			found, rest, number = append(found, a), after, number+1
			continue
		}
		a.value = value
		number += strings.Count(text[:used], "\n") + 1
		_, rest, _ = strings.Cut(text[used:], "\n")
		found = append(found, a)
	}
	return found
}

// splitAssignment finds KEY= at the start of a line; raw is what follows, with
// leading blanks removed.
func splitAssignment(line string) (key, raw string, ok bool) {
	line = strings.TrimLeft(line, " \t")
	if after, found := strings.CutPrefix(line, "export"); found && strings.TrimLeft(after, " \t") != after {
		line = strings.TrimLeft(after, " \t")
	}
	key, raw, ok = strings.Cut(line, "=")
	key = strings.TrimRight(key, " \t")
	if !ok || !isName(key) {
		return "", "", false
	}
	return key, strings.TrimLeft(raw, " \t"), true
}

func isName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// plain is an unquoted value: up to a # that follows a blank, trimmed.
func plain(raw string) string {
	for i := range len(raw) {
		if raw[i] == '#' && (i == 0 || raw[i-1] == ' ' || raw[i-1] == '\t') {
			raw = raw[:i]
			break
		}
	}
	return strings.TrimRight(raw, " \t\r")
}

// quoted reads a value that starts with a quote and returns how many bytes it
// took, quotes included.
func quoted(text string) (value string, used int, err error) {
	quote := text[0]
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote:
			return b.String(), i + 1, nil
		case c == '\\' && quote == '"' && i+1 < len(text):
			i++
			switch text[i] {
			case 'n':
				b.WriteByte('\n')
			case 'r':
				b.WriteByte('\r')
			case 't':
				b.WriteByte('\t')
			case '"', '\\', '$':
				b.WriteByte(text[i])
			default:
				b.WriteByte('\\')
				b.WriteByte(text[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, fmt.Errorf("the quote %c is never closed", quote)
}
