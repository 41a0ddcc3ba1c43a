package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

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
	resp.Body = struct {
		io.Reader
		io.Closer
	}{body, resp.Body}
	stream := ssestream.NewStream[sdk.ChatCompletionChunk](ssestream.NewDecoder(resp), nil)
	for stream.Next() {
		if err := a.take(stream.Current()); err != nil {
			return a.spent(), err
		}
	}
	if err := stream.Err(); err != nil && a.reason == "" {
		return a.spent(), failure(err)
	}
	switch {
	case a.reason != "":
		return a.response()
	case len(first) > 0 && !strings.Contains("deir:", first): // data, event, id, retry, comment
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
	var choices []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &said); err != nil {
		return a.spent(), service.Ended(err)
	}
	if wrong := said["error"]; len(wrong) > 0 && string(wrong) != "null" {
		return a.spent(), service.Said(http.StatusOK, raw)
	}
	if err := json.Unmarshal(said["choices"], &choices); err != nil || len(choices) == 0 || choices[0]["message"] == nil {
		return a.spent(), errNoCompletion
	}
	for _, c := range choices {
		c["delta"] = c["message"]
	}
	var chunk sdk.ChatCompletionChunk
	said["choices"], err = json.Marshal(choices)
	if err == nil {
		raw, err = json.Marshal(said)
	}
	if err = errors.Join(err, json.Unmarshal(raw, &chunk)); err != nil {
		return a.spent(), service.Ended(err)
	}
	if err := a.take(chunk); err != nil {
		return a.spent(), err
	}
	return a.response()
}

// failure turns an error event in a stream into a failure of the service.
func failure(err error) error {
	var mid *ssestream.StreamError
	if errors.As(err, &mid) {
		return service.Said(http.StatusOK, mid.Event.Data)
	}
	return err
}
