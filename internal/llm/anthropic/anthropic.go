package anthropic

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/service"
)

// Address is where Anthropic's own API begins.
const Address = "https://api.anthropic.com"

// Default is the model for those who name none: the SDK's middle one.
const Default = string(sdk.ModelClaudeSonnet5_5)

// unknownOutput is the limit of an answer if the service does not say what the model's is.
const unknownOutput = 16_000

// Model is a model behind the Messages API. It implements llm.Model and llm.Catalogue.
type Model struct {
	cfg      service.Config
	messages sdk.MessageService
	models   sdk.ModelService

	mu    sync.Mutex
	known *sdk.ModelInfo // what the service says of cfg.Model
}

// New makes a model; it asks nothing yet.
func New(cfg service.Config) *Model {
	opts := []option.RequestOption{
		// The SDK adds v1 itself.
		option.WithBaseURL(strings.TrimSuffix(strings.TrimSuffix(cfg.Address, "/"), "/v1")),
		option.WithHTTPClient(cfg.Client()), option.WithMaxRetries(0), option.WithoutOpenTelemetry(),
	}
	if cfg.Key.Set() {
		opts = append(opts, option.WithAPIKey(cfg.Key.Reveal()))
	}
	return &Model{cfg: cfg, messages: sdk.NewMessageService(opts...), models: sdk.NewModelService(opts...)}
}

// Answer implements llm.Model.
func (m *Model) Answer(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	return m.cfg.Answer(ctx, show, func(show func(koda.TextDelta)) (llm.Response, error) {
		params, err := m.params(req, m.info(ctx))
		if err != nil {
			return llm.Response{}, err
		}
		return m.try(ctx, params, show)
	})
}

// info is what the service says of the model; nil if it says nothing. A wrong key or a
// dead network shows again in the request that follows.
func (m *Model) info(ctx context.Context) *sdk.ModelInfo {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		got, err := m.models.Get(ctx, m.cfg.Model, sdk.ModelGetParams{})
		var said *service.Failure
		if errors.As(err, &said) && said.Status == http.StatusNotFound {
			got, err = &sdk.ModelInfo{}, nil // it has no such list; an unknown model shows in the answer
		}
		if err == nil {
			m.known = got
		}
	}
	return m.known
}

// try asks once.
func (m *Model) try(ctx context.Context, params sdk.MessageNewParams, show func(koda.TextDelta)) (llm.Response, error) {
	stream := m.messages.NewStreaming(ctx, params)
	defer func() { _ = stream.Close() }() //nolint:errcheck // what came is judged below
	a := answer{show: show, inputs: map[int64]*strings.Builder{}}
	for !a.stopped && stream.Next() {
		if err := a.take(stream.Current()); err != nil {
			return a.spent(), service.Ended(err)
		}
	}
	if err := stream.Err(); err != nil && !a.stopped {
		return a.spent(), failure(err)
	}
	if !a.stopped || a.msg.StopReason == "" {
		return a.spent(), service.Ended(nil)
	}
	return a.response()
}

// failure turns an error event in a stream into a failure of the service.
func failure(err error) error {
	var mid *sdk.Error
	if errors.As(err, &mid) {
		return service.Said(http.StatusOK, []byte(mid.RawJSON()))
	}
	return err
}

// Models implements llm.Catalogue.
func (m *Model) Models(ctx context.Context) ([]llm.Info, error) {
	var all []llm.Info
	err := m.cfg.Do(ctx, func() error {
		pager := m.models.ListAutoPaging(ctx, sdk.ModelListParams{Limit: sdk.Int(100)})
		for pager.Next() {
			all = append(all, infoOf(pager.Current()))
		}
		return pager.Err()
	})
	return all, err
}

func infoOf(m sdk.ModelInfo) llm.Info {
	info := llm.Info{ID: m.ID, Context: m.MaxInputTokens, Output: m.MaxTokens}
	if can := true; m.JSON.Capabilities.Valid() { // Anthropic's own, which all use tools, and several at once
		info.Pictures, info.Tools, info.Parallel = &m.Capabilities.ImageInput.Supported, &can, &can
	}
	if !m.RetiresAt.IsZero() {
		info.Ends = m.RetiresAt.Format("2006-01-02")
	}
	return info
}
