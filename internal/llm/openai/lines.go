package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// lines reads the events of a stream as servers write them: with any line ends, with or
// without an empty line after an event, with empty data to keep the line open, and with
// objects that stand alone on their lines. The SDK's own decoder knows only the standard, and
// takes an error that is null for one.
type lines struct {
	scan *bufio.Scanner
	kind string // of the event that was read
	data []byte // likewise
}

func newLines(body io.Reader) *lines {
	l := &lines{scan: bufio.NewScanner(body)}
	l.scan.Buffer(nil, mostWhole)
	l.scan.Split(anyLine)
	return l
}

// anyLine cuts at a line feed, a carriage return, or both.
func anyLine(data []byte, atEnd bool) (advance int, line []byte, err error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0 && atEnd && len(data) > 0:
		return len(data), data, nil
	case i < 0 || data[i] == '\r' && i+1 == len(data) && !atEnd:
		return 0, nil, nil
	case data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n':
		return i + 2, data[:i], nil
	}
	return i + 1, data[:i], nil
}

// next reads an event. What is not whole when the stream ends is no event.
func (l *lines) next() bool {
	l.kind, l.data = "", nil
	for l.scan.Scan() {
		line := bytes.TrimPrefix(l.scan.Bytes(), []byte("\ufeff"))
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		if bytes.HasPrefix(line, []byte("{")) {
			name, value = []byte("data"), line
		}
		switch {
		case len(line) == 0 && len(l.data) > 0:
			return true
		case string(name) == "event":
			l.kind = string(value)
		case string(name) == "data" && len(l.data) > 0: // one event on several lines
			l.data = append(append(l.data, '\n'), value...)
		case string(name) == "data" && len(value) > 0:
			l.data = bytes.Clone(value)
			if value[0] == '{' && json.Valid(value) || string(value) == done {
				return true
			}
		}
	}
	return false
}

// done is the data of the last event.
const done = "[DONE]"
