package guest

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Protocol is the version of what is said here. Koda and a guest of different versions
// do not understand each other.
const Protocol = 2

// Greeting is the first answer of a guest.
type Greeting struct {
	Protocol int    `json:"protocol"`
	ID       string `json:"id"`     // of the sandbox
	Digest   string `json:"digest"` // SHA-256 of the guest's program in hex
}

// Files are the files of a guest. Unlisted is that of [sandbox.Bulk].
type Files interface {
	sandbox.Files
	Unlisted(ctx context.Context) ([]string, error)
}

// Ports is what a guest needs to do its work.
type Ports struct {
	Files
	sandbox.Commands
	sandbox.Shells
	sandbox.Dialer
	sandbox.Listener
}

// Studio is what a guest needs to draw.
type Studio struct {
	Drawer
	Dir string // directory for files of jobs, which nobody else uses
}

// digest is a file with the SHA-256 of its bytes in hex; "" if the file is larger than a
// file of a project can be.
type digest struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
	Sum  string `json:"sum"`
}

// order is a command to run.
type order struct {
	Line       string        `json:"line"`
	Dir        string        `json:"dir,omitempty"`
	Env        []string      `json:"env,omitempty"`
	Background bool          `json:"background,omitempty"`
	Timeout    time.Duration `json:"timeout,omitempty"`
	Stdout     bool          `json:"stdout,omitempty"` // send it as it comes
	Stderr     bool          `json:"stderr,omitempty"`
	Stdin      bool          `json:"stdin,omitempty"` // it follows in frames of input; an empty one is its end
}

// outcome is how a command went. Output is bytes: it need not be UTF-8.
type outcome struct {
	Stdout   []byte   `json:"stdout,omitempty"`
	Stderr   []byte   `json:"stderr,omitempty"`
	ExitCode int      `json:"exitCode"`
	PID      int      `json:"pid,omitempty"`
	Failure  *failure `json:"failure,omitempty"`
}

// listed is a [sandbox.Background] on its way.
type listed struct {
	sandbox.Background
	Output []byte `json:"output,omitempty"` // hides the text, which JSON would change
}

// failure is an error on its way. Hints stay where they are made: only koda advises the
// person.
type failure struct {
	Code koda.Code `json:"code"`
	Op   string    `json:"op"`

	// Of a drawing only:
	Details string `json:"details,omitempty"`
	Lasting bool   `json:"lasting,omitempty"`
	Way     string `json:"way,omitempty"` // name of one of ways
}

// most is how many bytes of an error's text are sent and taken.
const most = 2000

// clip makes one line of bounded length of a text.
func clip(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s[:min(len(s), most)], ""))
}

func failureOf(err error) *failure {
	if err == nil {
		return nil
	}
	return &failure{Code: koda.CodeOf(err), Op: clip(err.Error())}
}

// told are the codes that a guest may say.
var told = []koda.Code{
	koda.CodeInvalidPath, koda.CodeWriteFailed, koda.CodeFileNotFound, koda.CodeReadFailed, koda.CodeDiskFull, koda.CodeCommandBlocked,
	koda.CodeTimeout, koda.CodeExecutionFailed, koda.CodeServerFailed, koda.CodeNotFound, koda.CodeMissingTool, koda.CodeSandboxNotFound,
	koda.CodeOutOfMemory,
}

var hints = map[koda.Code]string{
	koda.CodeTimeout:     "give it more time, or run it in the background",
	koda.CodeReadFailed:  "delete the files that the animation does not need",
	koda.CodeDiskFull:    "delete files of the sandbox that the animation does not need",
	koda.CodeOutOfMemory: "have it use less at once",
	koda.CodeMissingTool: "take an image for sandboxes that has it",
}

// err is the failure as an error of koda; nil for no failure.
func (f *failure) err() error {
	if f == nil {
		return nil
	}
	code := f.Code
	if !slices.Contains(told, code) {
		code = koda.CodeProviderError
	}
	return &koda.Error{Code: code, Op: clip(f.Op), Hint: hints[code]}
}

// Kinds of frames. A frame is its kind, the length of its data as four bytes, big end
// first, and its data.
const (
	frameOutput = 'o'
	frameError  = 'e'
	frameDone   = 'd' // an outcome
	frameInput  = 'i'
	frameSize   = 's' // a sandbox.Size
	frameCaller = 'c' // the number of a connection that waits
)

// maxFrame bounds the data of a frame, in bytes. An outcome is the largest: two outputs
// in base64.
const (
	maxFrame = 1 << 20
	chunk    = 64 << 10
)

// frames writes frames, from several goroutines.
type frames struct {
	mu sync.Mutex
	w  io.Writer
}

func (f *frames) send(kind byte, data []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(data))), data...)
	_, err := f.w.Write(b)
	return err
}

func (f *frames) sendJSON(kind byte, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode a frame: %w", err)
	}
	return f.send(kind, data)
}

// as returns a writer whose bytes become frames of a kind.
func (f *frames) as(kind byte) io.Writer { return framed{f, kind} }

type framed struct {
	f    *frames
	kind byte
}

func (w framed) Write(b []byte) (int, error) {
	for part := range slices.Chunk(b, chunk) {
		if err := w.f.send(w.kind, part); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

var errFrame = errors.New("a frame is too large")

// readFrame reads one frame. At the end of the stream the error is io.EOF.
func readFrame(r io.Reader) (kind byte, data []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > maxFrame {
		return 0, nil, errFrame
	}
	data = make([]byte, n)
	if _, err := io.ReadFull(r, data); err != nil {
		return 0, nil, fmt.Errorf("read a frame: %w", io.ErrUnexpectedEOF)
	}
	return head[0], data, nil
}

// protocols is HTTP/2 without TLS, and nothing else.
func protocols() *http.Protocols {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	return p
}

// How long an end hears nothing before it pings the other end. Koda pings soon, as a person
// waits for it. A guest keeps what it does for a koda that is stopped for a moment.
const (
	kodaQuiet  = 5 * time.Second
	guestQuiet = 15 * time.Second
)

// tuning is for streams within one machine: long frames, and pings that notice a dead
// end. A stream that nobody reads holds up neither its connection nor, for long, the
// memory of the other end.
func tuning(quiet time.Duration) *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxConcurrentStreams:          1000,
		MaxReadFrameSize:              256 << 10,
		MaxReceiveBufferPerConnection: 4<<20 - 1,
		MaxReceiveBufferPerStream:     1 << 20,
		SendPingTimeout:               quiet,
		PingTimeout:                   15 * time.Second,
	}
}
