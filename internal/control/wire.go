package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/koda-video/koda/internal/koda"
)

// version is the version of the protocol.
const version = 1

// maxLine is the longest line in bytes. A message of [koda.MaxMessage] fits,
// however JSON writes its characters.
const maxLine = 8 * koda.MaxMessage

// The operations of a request.
const (
	opSay    = "say"
	opCancel = "cancel"
	opFollow = "follow"
	opNow    = "now"
	opEdited = "edited"
)

type request struct {
	V    int    `json:"v"`
	Op   string `json:"op"`
	Text string `json:"text,omitempty"`
	// Paths of the files that a person changed in the sandbox.
	Paths []string `json:"paths,omitempty"`
	// Glimpses: who follows also wants glimpses of the frames that are drawn.
	Glimpses bool `json:"glimpses,omitempty"`
}

// The types of a reply.
const (
	replyOK    = "ok"
	replyError = "error"
	replySeq   = "seq"
	replyEvent = "event"
	replyEnd   = "end"
)

type reply struct {
	V     int         `json:"v"`
	Type  string      `json:"type"`
	Heard *koda.Heard `json:"heard,omitempty"`
	Error *refusal    `json:"error,omitempty"`
	Now   string      `json:"now,omitempty"`
	Seq   int64       `json:"seq,omitempty"`
	Event *koda.Event `json:"event,omitempty"` // a passing event
}

// refusal is the form in which an error is sent.
type refusal struct {
	Code    koda.Code `json:"code"`
	Message string    `json:"message"`
	Hint    string    `json:"hint,omitempty"`
}

func (r *refusal) err() error {
	return &koda.Error{Code: r.Code, Op: r.Message, Hint: r.Hint}
}

func refused(err error) reply {
	return reply{Type: replyError, Error: &refusal{Code: koda.CodeOf(err), Message: err.Error(), Hint: koda.HintOf(err)}}
}

// writeLine sends one object as one line.
func writeLine(w io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode line: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

var errLongLine = errors.New("the line is too long")

// lines reads lines of at most maxLine bytes.
type lines struct {
	r   io.Reader
	buf []byte // read and not yet returned
}

// next decodes the next line into v. io.EOF is the end, even in the middle of a
// line.
func (l *lines) next(v any) error {
	chunk := make([]byte, 4096)
	for {
		if i := bytes.IndexByte(l.buf, '\n'); i >= 0 {
			line := l.buf[:i]
			l.buf = l.buf[i+1:]
			if err := json.Unmarshal(line, v); err != nil {
				return fmt.Errorf("decode line: %w", err)
			}
			return nil
		}
		if len(l.buf) > maxLine {
			return errLongLine
		}
		n, err := l.r.Read(chunk)
		l.buf = append(l.buf, chunk[:n]...)
		if err != nil && bytes.IndexByte(l.buf, '\n') < 0 {
			return err
		}
	}
}
