package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/service"
)

// mostWhole bounds an answer in one piece, in bytes.
const mostWhole = 64 << 20

// read reads a response, and closes its body. What it begins with says whether the answer
// is streamed: servers that do not stream take no notice of what was asked for.
func (a *answer) read(resp *http.Response) (llm.Response, error) {
	body := bufio.NewReader(resp.Body)
	defer func() { _ = resp.Body.Close() }() //nolint:errcheck // what came is judged
	for {
		b, err := body.Peek(1)
		if err != nil || !bytes.ContainsAny(b, " \t\r\n") {
			break
		}
		_, _ = body.Discard(1) //nolint:errcheck // it is there
	}
	b, _ := body.Peek(1) //nolint:errcheck // shows again below
	first := string(b)
	if first == "{" {
		return a.readWhole(body)
	}
	return a.readStream(body, first)
}

// readStream reads an answer that is streamed. First is what it begins with.
func (a *answer) readStream(body io.Reader, first string) (llm.Response, error) {
	events := newLines(body)
	for events.next() && string(events.data) != done {
		whole := a.reason != ""
		if err := a.event(events.kind, events.data); err != nil && !whole {
			return a.spent(), err
		}
	}
	if err := events.scan.Err(); err != nil && a.reason == "" {
		return a.spent(), err
	}
	switch {
	case a.reason != "":
		return a.response()
	case len(first) > 0 && !strings.Contains("{deir:\ufeff", first): // data, event, id, retry, comment
		return a.spent(), errNoCompletion
	}
	return a.spent(), service.Ended(nil)
}

// errNoCompletion is the failure of a response that no chat completion is in. Nothing is gained by
// asking again.
var errNoCompletion = &service.Failure{Status: http.StatusNotAcceptable, Message: "what it says is no chat completion"}

// readWhole reads an answer in one piece: a chunk whose delta is called message. It is
// whole even if it does not say why it stopped.
func (a *answer) readWhole(body io.Reader) (llm.Response, error) {
	raw, err := io.ReadAll(io.LimitReader(body, mostWhole))
	if err != nil {
		return a.spent(), err
	}
	var said map[string]json.RawMessage
	var chunk sdk.ChatCompletionChunk
	if err := json.Unmarshal(raw, &said); err != nil {
		return a.readStream(bytes.NewReader(raw), "{") // objects line by line, or one that was cut
	}
	if wrong := said["error"]; len(wrong) > 0 && string(wrong) != "null" {
		return a.spent(), service.Said(http.StatusOK, raw)
	}
	if err := json.Unmarshal(raw, &chunk); err != nil || len(chunk.Choices) == 0 || chunk.Choices[0].JSON.ExtraFields["message"].Raw() == "" {
		return a.spent(), errNoCompletion
	}
	if err := a.take(chunk); err != nil {
		return a.spent(), err
	}
	return a.response()
}

// event takes an event of a stream: a chunk, or an error of the service.
func (a *answer) event(kind string, data []byte) error {
	var said struct {
		Error json.RawMessage `json:"error"`
	}
	var chunk sdk.ChatCompletionChunk
	if err := json.Unmarshal(data, &said); kind == "error" || err == nil && len(said.Error) > 0 && string(said.Error) != "null" {
		return service.Said(http.StatusOK, data)
	}
	if err := json.Unmarshal(data, &chunk); err != nil {
		return service.Ended(err)
	}
	return a.take(chunk)
}
