package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// version is that of the protocol.
const version = 1

// maxLine is the longest line in bytes: a message of [koda.MaxMessage], however
// its characters are written in JSON.
const maxLine = 8 * koda.MaxMessage

// The operations of a request.
const (
	opSay    = "say"
	opCancel = "cancel"
	opFollow = "follow"
	opNow    = "now"
)

type request struct {
	V    int    `json:"v"`
	Op   string `json:"op"`
	Text string `json:"text,omitempty"`
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
	V     int          `json:"v"`
	Type  string       `json:"type"`
	Heard *koda.Heard  `json:"heard,omitempty"`
	Error *refusal     `json:"error,omitempty"`
	Now   string       `json:"now,omitempty"`
	Seq   int64        `json:"seq,omitempty"`
	Event *passingLine `json:"event,omitempty"`
}

// refusal is an error as it is sent.
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

// passingLine is a passing event as it is sent.
type passingLine struct {
	Schema  int             `json:"schema"`
	Type    koda.EventType  `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// passingOf is the line of a passing event.
func passingOf(ev koda.Event) (*passingLine, error) {
	payload, err := json.Marshal(ev.Payload)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", ev.Type, err)
	}
	return &passingLine{Schema: ev.Schema, Type: ev.Type, Payload: payload}, nil
}

// event gives the event the payload it was sent with; that of a type this koda
// does not know stays JSON.
func (p passingLine) event() (koda.Event, error) {
	ev := koda.Event{Schema: p.Schema, Type: p.Type}
	var err error
	switch p.Type {
	case koda.EventThinking:
		ev.Payload, err = decode[koda.Thinking](p.Payload)
	case koda.EventText:
		ev.Payload, err = decode[koda.TextDelta](p.Payload)
	case koda.EventWarning:
		ev.Payload, err = decode[koda.Warned](p.Payload)
	case koda.EventRenderProgress:
		var r koda.Progress
		r, err = decode[koda.Progress](p.Payload)
		r.Remaining = time.Duration(r.ETAMS) * time.Millisecond
		ev.Payload = r
	default:
		ev.Payload = p.Payload
	}
	return ev, err
}

func decode[T any](data json.RawMessage) (v T, err error) {
	if err := json.Unmarshal(data, &v); err != nil {
		return v, fmt.Errorf("decode %T: %w", v, err)
	}
	return v, nil
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
	buf []byte // read and not yet given
}

// next decodes the next line into v. io.EOF is the end, also in the middle of a
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
