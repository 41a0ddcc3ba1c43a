package openai

import (
	"context"
	"errors"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

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
		return m.try(ctx, params, answer{show: show, model: m.cfg.Model, turn: len(req.Messages)})
	})
}

// try asks once.
func (m *Model) try(ctx context.Context, params sdk.ChatCompletionNewParams, a answer) (llm.Response, error) {
	var resp *http.Response
	stream := m.chat.NewStreaming(ctx, params, option.WithResponseInto(&resp))
	defer func() { _ = stream.Close() }() //nolint:errcheck // what came is judged below
	for stream.Next() {
		if err := a.take(stream.Current()); err != nil {
			return a.spent(), err
		}
	}
	if err := stream.Err(); err != nil && a.reason == "" {
		return a.spent(), failure(err)
	}
	if a.reason == "" && resp != nil && strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		return a.spent(), &service.Failure{Status: http.StatusNotAcceptable, Message: "it answers in one piece, and koda needs a stream"}
	}
	if a.reason == "" {
		return a.spent(), service.Ended(nil)
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
