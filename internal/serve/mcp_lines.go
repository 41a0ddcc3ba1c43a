package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// leaveWithin is how long calls are still answered of an agent that says no more.
const leaveWithin = 2 * time.Second

// lines is what an agent says, message by message. A line that is no message of the protocol
// would end the whole conversation in the library, so lines answers such a line with an error
// and goes on. At the end it calls left, and waits a while until all is answered: the library
// drops what is not, and calls that work would hold the server until their work is done.
type lines struct {
	io.Closer
	in      *bufio.Reader
	answers *answers
	left    func()
	rest    []byte // of a message that is being read
}

func newLines(in io.ReadCloser, out *answers, left func()) *lines {
	return &lines{Closer: in, in: bufio.NewReaderSize(in, 64<<10), answers: out, left: left}
}

// Read implements io.Reader.
func (l *lines) Read(b []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.next()
		if len(bytes.TrimSpace(line)) > 0 || errors.Is(err, errLong) {
			wrong, answerable := check(line, err)
			if answerable {
				l.answers.expect()
			}
			if wrong != nil {
				_, _ = l.answers.Write(append(wrong, '\n')) //nolint:errcheck // the agent has left
			} else {
				l.rest = append(bytes.TrimSpace(line), '\n')
			}
		}
		if err != nil && !errors.Is(err, errLong) && len(l.rest) == 0 {
			l.left()
			l.answers.settle(leaveWithin)
			return 0, err //nolint:wrapcheck // io.EOF stays what it is
		}
	}
	n := copy(b, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// errLong is of a line that is longer than a message may be.
var errLong = fmt.Errorf("a message is longer than %d MB", mcp.DefaultMaxLineLength>>20)

// next reads a line; of one that is too long nothing is kept.
func (l *lines) next() (line []byte, err error) {
	for long := false; ; {
		some, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(some) >= mcp.DefaultMaxLineLength; long {
			line = nil
		} else {
			line = append(line, some...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && err == nil:
			return nil, errLong
		default:
			return line, err //nolint:wrapcheck // io.EOF stays what it is
		}
	}
}

// check returns the answer to a line that is no message of the protocol, and nil for a message.
// It reports whether the line is answered, which notifications are not.
func check(line []byte, long error) (wrong []byte, answerable bool) {
	m, err := jsonrpc.DecodeMessage(line)
	id := json.RawMessage("null")
	refuse := func(code int64, why string) ([]byte, bool) {
		answer, err := json.Marshal(struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Error   jsonrpc.Error   `json:"error"`
		}{"2.0", id, jsonrpc.Error{Code: code, Message: why}})
		return answer, err == nil // texts and an id that was JSON always become JSON
	}
	switch {
	case errors.Is(long, errLong):
		return refuse(jsonrpc.CodeInvalidRequest, long.Error())
	case !json.Valid(line):
		return refuse(jsonrpc.CodeParseError, "this line is no JSON: send each message as one line")
	case bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")):
		return refuse(jsonrpc.CodeInvalidRequest, "batches are not read: send each message as a line of its own")
	case err != nil:
		var asked struct {
			ID json.RawMessage `json:"id"`
		}
		if json.Unmarshal(line, &asked) == nil && len(asked.ID) > 0 && asked.ID[0] != '{' && asked.ID[0] != '[' {
			id = asked.ID
		}
		return refuse(jsonrpc.CodeInvalidRequest, `this is no message of JSON-RPC 2.0: send an object with "jsonrpc": "2.0", an id that is a number or a text, and a method`)
	}
	r, ok := m.(*jsonrpc.Request)
	return nil, ok && r.ID.IsValid()
}

// answers is where answers go: of the library, and of lines. Each comes in one call. It counts
// those that are still to come.
type answers struct {
	io.WriteCloser
	mu   sync.Mutex
	open int
	came chan struct{} // one of them came
}

func newAnswers(out io.WriteCloser) *answers {
	return &answers{WriteCloser: out, came: make(chan struct{}, 1)}
}

// expect notes that one more answer is to come.
func (a *answers) expect() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open++
}

// Write implements io.Writer.
func (a *answers) Write(b []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n, err := a.WriteCloser.Write(b)
	if m, wrong := jsonrpc.DecodeMessage(b); wrong != nil {
		a.open-- // the answer of lines to a message whose id is not known
	} else if _, ok := m.(*jsonrpc.Response); ok {
		a.open--
	}
	select {
	case a.came <- struct{}{}:
	default:
	}
	return n, err //nolint:wrapcheck // as it is
}

// settle waits until all answers came, at most so long.
func (a *answers) settle(most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for {
		a.mu.Lock()
		open := a.open
		a.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-a.came:
		case <-timer.C:
			return
		}
	}
}
