package replay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// entry is a line of the file.
type entry struct {
	Digest   string        `json:"digest"` // of the request
	Response *llm.Response `json:"response"`
	Error    *failure      `json:"error,omitempty"`
}

// failure is an error of a model, whole.
type failure struct {
	Code    koda.Code `json:"code"`
	Message string    `json:"message"`
	Hint    string    `json:"hint,omitempty"`
	Lasting bool      `json:"lasting,omitempty"`
}

// Model answers from a file first. It implements llm.Model.
type Model struct {
	path  string
	model llm.Model

	mu     sync.Mutex
	text   []byte             // of the file
	stored map[string][]entry // that were not given yet, by digest
}

// Open reads the file, if there is one. Model is asked for what the file does not have;
// nil asks nobody.
func Open(path string, model llm.Model) (*Model, error) {
	m := &Model{path: path, model: model, stored: map[string][]entry{}}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read recorded answers: %w", err)
	}
	m.text = text
	dec := json.NewDecoder(bytes.NewReader(text))
	for n := 1; dec.More(); n++ {
		var e entry
		if err := dec.Decode(&e); err != nil || e.Response == nil {
			return nil, &koda.Error{
				Code: koda.CodeUsage, Op: fmt.Sprintf("read answer %d of %s", n, path), Err: err, Hint: "KODA_RECORD names a file that koda wrote, or none yet",
			}
		}
		m.stored[e.Digest] = append(m.stored[e.Digest], e)
	}
	return m, nil
}

// Answer implements llm.Model. An answer from the file passes nothing.
func (m *Model) Answer(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	raw, err := json.Marshal(req)
	if err != nil {
		return llm.Response{}, &koda.Error{Code: koda.CodeInvalidInput, Op: "encode the request to the model", Err: err}
	}
	sum := sha256.Sum256(raw)
	e := entry{Digest: hex.EncodeToString(sum[:])}
	if got, ok := m.next(e.Digest); ok {
		if got.Error != nil {
			return *got.Response, &koda.Error{Code: got.Error.Code, Op: got.Error.Message, Hint: got.Error.Hint, Lasting: got.Error.Lasting}
		}
		return *got.Response, nil
	}
	if m.model == nil {
		return llm.Response{}, &koda.Error{Code: koda.CodeNotFound, Op: "the request is not in " + m.path, Hint: "choose a model, which is then asked"}
	}
	resp, failed := m.model.Answer(ctx, req, show)
	e.Response = &resp
	switch code := koda.CodeOf(failed); code {
	case koda.CodeInterrupted, koda.CodeTimeout:
		return resp, failed
	case "":
	default:
		e.Error = &failure{code, failed.Error(), koda.HintOf(failed), koda.Lasting(failed)}
	}
	if err := m.add(e); err != nil {
		return llm.Response{Usage: resp.Usage}, err
	}
	return resp, failed
}

// next takes the next stored answer to a request.
func (m *Model) next(digest string) (entry, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	left := m.stored[digest]
	if len(left) == 0 {
		return entry{}, false
	}
	m.stored[digest] = left[1:]
	return left[0], true
}

func (m *Model) add(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode an answer: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	text := append(append(m.text[:len(m.text):len(m.text)], line...), '\n')
	if err := atomicfile.Write(m.path, text, 0o600); err != nil {
		return &koda.Error{Code: koda.CodeWriteFailed, Op: "record an answer", Err: err, Hint: "KODA_RECORD names a file that can be written"}
	}
	m.text = text
	return nil
}
