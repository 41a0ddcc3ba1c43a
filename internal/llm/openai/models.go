package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/llm"
)

// listed is what servers say of a model beyond its id. Each says another part of it.
type listed struct {
	ContextLength int64 `json:"context_length"` // OpenRouter
	MaxModelLen   int64 `json:"max_model_len"`  // vLLM
	Meta          struct {
		Context int64 `json:"n_ctx"` // llama.cpp: what it runs with, not what the model was trained for
	} `json:"meta"`
	Architecture struct {
		Input []string `json:"input_modalities"` // OpenRouter, llama.cpp
	} `json:"architecture"`
	Parameters []string `json:"supported_parameters"` // OpenRouter
	Top        struct {
		Output int64 `json:"max_completion_tokens"`
	} `json:"top_provider"`
	Expires string `json:"expiration_date"`
}

// Models implements llm.Catalogue.
func (m *Model) Models(ctx context.Context) ([]llm.Info, error) {
	all := []llm.Info{}
	err := m.cfg.Do(ctx, func() error {
		pager := m.models.ListAutoPaging(ctx)
		for pager.Next() {
			model := pager.Current()
			info := llm.Info{ID: model.ID}
			if !model.ShutdownDate.IsZero() {
				info.Ends = model.ShutdownDate.Format("2006-01-02")
			}
			var more listed
			if json.Unmarshal([]byte(model.RawJSON()), &more) == nil {
				more.add(&info)
			}
			all = append(all, info)
		}
		if err := pager.Err(); err != nil {
			return err
		}
		switch m.kind {
		case OpenRouter: // its list is open to all: only this says whether the key is right
			return m.get(ctx, http.MethodGet, strings.TrimSuffix(m.cfg.Address, "/")+"/key", nil, &struct{}{})
		case LMStudio:
			m.askLMStudio(ctx, all)
		case Ollama:
			m.askOllama(ctx, all)
		case Plain, OpenAI:
		}
		return nil
	})
	return all, err
}

func (l listed) add(info *llm.Info) {
	info.Context = max(l.ContextLength, l.MaxModelLen, l.Meta.Context)
	info.Output, info.Pictures, info.Tools = l.Top.Output, known(l.Architecture.Input, "image"), known(l.Parameters, "tools")
	info.Parallel = known(l.Parameters, "parallel_tool_calls")
	if info.Ends == "" {
		info.Ends = l.Expires
	}
}

// known says whether a list has a word; nil if there is no list.
func known(words []string, word string) *bool {
	if words == nil {
		return nil
	}
	has := slices.Contains(words, word)
	return &has
}

// root is the address of a server without the part that is OpenAI's.
func (m *Model) root() string {
	return strings.TrimSuffix(strings.TrimSuffix(m.cfg.Address, "/"), "/v1")
}

// askLMStudio adds what LM Studio says in a list of its own. A server that has no such
// list says less.
func (m *Model) askLMStudio(ctx context.Context, all []llm.Info) {
	var list struct {
		Data []struct {
			ID      string   `json:"id"`
			Type    string   `json:"type"` // llm, vlm, embeddings
			Can     []string `json:"capabilities"`
			Context int64    `json:"max_context_length"`
			Loaded  int64    `json:"loaded_context_length"`
		} `json:"data"`
	}
	if m.get(ctx, http.MethodGet, m.root()+"/api/v0/models", nil, &list) != nil {
		return
	}
	for _, d := range list.Data {
		k := slices.IndexFunc(all, func(i llm.Info) bool { return i.ID == d.ID })
		if k < 0 {
			continue
		}
		sees := d.Type == "vlm"
		all[k].Pictures, all[k].Tools, all[k].Context = &sees, known(d.Can, "tool_use"), d.Context
		if d.Loaded > 0 {
			all[k].Context = d.Loaded
		}
	}
}

// mostShown is how many models Ollama is asked about, one by one.
const mostShown = 50

// askOllama adds what Ollama says of each model. Its context is left out: Ollama runs
// models with less than they could take, and does not say with how much.
func (m *Model) askOllama(ctx context.Context, all []llm.Info) {
	for i := range all[:min(len(all), mostShown)] {
		var shown struct {
			Can []string `json:"capabilities"`
		}
		if m.get(ctx, http.MethodPost, m.root()+"/api/show", map[string]string{"model": all[i].ID}, &shown) == nil {
			all[i].Pictures, all[i].Tools = known(shown.Can, "vision"), known(shown.Can, "tools")
		}
	}
}

// get asks the server something that the SDK does not know.
func (m *Model) get(ctx context.Context, method, url string, body, answer any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode a request: %w", err)
	}
	if body == nil {
		sent = nil
	}
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(sent))
	if err != nil {
		return fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if m.cfg.Key.Set() {
		req.Header.Set("Authorization", "Bearer "+m.cfg.Key.Reveal())
	}
	resp, err := m.client.Do(req)
	if err != nil {
		return err
	}
	const most = 16 << 20
	data, err := io.ReadAll(io.LimitReader(resp.Body, most))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("read the response: %w", err)
	}
	return json.Unmarshal(data, answer)
}
