package openai

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/service"
)

// Kind is a server whose ways differ from those of the others.
type Kind string

// The kinds.
const (
	Plain      Kind = ""           // nothing is known of it
	OpenAI     Kind = "openai"     // limits answers by max_completion_tokens
	OpenRouter Kind = "openrouter" // says what an answer costs
	Ollama     Kind = "ollama"     // says elsewhere what a model can do
	LMStudio   Kind = "lmstudio"   // likewise
)

// Address is where OpenAI's own API begins, and Default its model for those who name none.
const (
	Address = "https://api.openai.com/v1"
	Default = string(sdk.ChatModelGPT6Astra)
)

// Model is a model behind chat completions. It implements llm.Model and llm.Catalogue.
type Model struct {
	cfg    service.Config
	kind   Kind
	chat   sdk.ChatCompletionService
	models sdk.ModelService
	client *http.Client
	way    atomic.Int32 // the way of asking that the server takes
}

// New makes a model; it asks nothing yet.
func New(kind Kind, cfg service.Config) *Model {
	client := cfg.Client()
	opts := []option.RequestOption{option.WithBaseURL(cfg.Address), option.WithHTTPClient(client), option.WithMaxRetries(0)}
	if cfg.Key.Set() {
		opts = append(opts, option.WithAPIKey(cfg.Key.Reveal()))
	}
	return &Model{cfg: cfg, kind: kind, chat: sdk.NewChatCompletionService(opts...), models: sdk.NewModelService(opts...), client: client}
}

// Answer implements llm.Model.
func (m *Model) Answer(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	params, err := m.params(req)
	if err != nil {
		return llm.Response{}, err
	}
	return m.cfg.Answer(ctx, show, func(show func(koda.TextDelta)) (llm.Response, error) {
		return m.try(ctx, params, answer{show: show, model: m.cfg.Model, turn: len(req.Messages), tools: req.Tools})
	})
}

// try asks once, and once more for each way of asking that the server refuses.
func (m *Model) try(ctx context.Context, params sdk.ChatCompletionNewParams, a answer) (llm.Response, error) {
	for way := m.way.Load(); ; {
		resp, err := m.ask(ctx, params, way) //nolint:bodyclose // read closes it
		if err == nil {
			m.way.Store(way)
			return a.read(resp)
		}
		next := refused(err, way)
		if next == way {
			return llm.Response{}, err
		}
		way = next
	}
}

// The ways of asking. A server that does not know one refuses it, and is asked by the next.
const (
	counted  int32 = iota // for a stream, and for its usage at the end
	streamed              // for a stream
	atOnce                // for the whole answer in one piece
)

// ask sends a request. The caller closes the body of the response.
func (m *Model) ask(ctx context.Context, params sdk.ChatCompletionNewParams, way int32) (*http.Response, error) {
	if way != counted {
		params.StreamOptions = sdk.ChatCompletionStreamOptionsParam{}
	}
	var resp *http.Response
	opts := []option.RequestOption{option.WithResponseBodyInto(&resp)}
	if way != atOnce {
		opts = append(opts, option.WithJSONSet("stream", true))
	}
	_, err := m.chat.New(ctx, params, opts...)
	return resp, err
}

// refused is the way after the one that a server refused by an error; the same way if that
// is not what it refuses.
func refused(err error, way int32) int32 {
	var f *service.Failure
	if !errors.As(err, &f) || f.Status < 400 || f.Status >= 500 && f.Status != http.StatusNotImplemented {
		return way
	}
	switch said := strings.ToLower(f.Message); {
	case way == counted && (strings.Contains(said, "stream_options") || strings.Contains(said, "include_usage")):
		return streamed
	case strings.Contains(said, "stream"):
		return atOnce
	}
	return way
}
