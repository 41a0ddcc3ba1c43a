package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/anthropic"
	"github.com/koda-video/koda/internal/llm/openai"
	"github.com/koda-video/koda/internal/llm/replay"
	llmservice "github.com/koda-video/koda/internal/llm/service"
)

// service is what an adapter offers.
type service interface {
	llm.Model
	llm.Catalogue
}

// provider is a service of models that koda knows by name.
type provider struct {
	name    string
	address string
	keyFrom string // the variable of its key; "": it takes none
	key     func(config.Config) config.Secret
	model   string // the one that is asked if a person names none
	open    func(llmservice.Config) service
}

func chat(kind openai.Kind) func(llmservice.Config) service {
	return func(c llmservice.Config) service { return openai.New(kind, c) }
}

// providers are in the order in which people see them. Those without a key are servers on
// this machine, or where base-url says.
var providers = []provider{
	{
		name: "anthropic", address: anthropic.Address, model: anthropic.Default,
		keyFrom: "ANTHROPIC_API_KEY", key: func(c config.Config) config.Secret { return c.AnthropicAPIKey },
		open: func(c llmservice.Config) service { return anthropic.New(c) },
	},
	{
		name: "openai", address: openai.Address, model: openai.Default,
		keyFrom: "OPENAI_API_KEY", key: func(c config.Config) config.Secret { return c.OpenAIAPIKey },
		open: chat(openai.OpenAI),
	},
	{
		name: "openrouter", address: "https://openrouter.ai/api/v1",
		keyFrom: "OPENROUTER_API_KEY", key: func(c config.Config) config.Secret { return c.OpenRouterAPIKey },
		open: chat(openai.OpenRouter),
	},
	{name: "ollama", address: "http://localhost:11434/v1", open: chat(openai.Ollama)},
	{name: "lmstudio", address: "http://localhost:1234/v1", open: chat(openai.LMStudio)},
	{name: "llamacpp", address: "http://localhost:8080/v1", open: chat(openai.Plain)},
}

// reach is how a provider's model is reached. The setting base-url is for the provider
// that is meant.
func (p provider) reach(cfg config.Config, model string, meant bool) llmservice.Config {
	c := llmservice.Config{Name: p.name, Address: p.address, Model: model, KeyFrom: p.keyFrom, Silence: cfg.Periods().Model}
	if p.key != nil {
		c.Key, c.NeedsKey = p.key(cfg), true
	}
	if meant && cfg.BaseURL != "" {
		c.Address, c.NeedsKey = cfg.BaseURL, false
	}
	return c
}

// meant reads the setting model: a provider, and the name of its model if there is one.
// An address alone means a server that speaks as OpenAI does. USAGE: no such provider.
func meant(cfg config.Config) (p provider, model string, err error) {
	name, model, _ := strings.Cut(cfg.Model, "/")
	if name == "" && cfg.BaseURL != "" {
		name = "openai"
	}
	var names []string
	for _, p := range providers {
		if p.name == name {
			return p, model, nil
		}
		names = append(names, p.name)
	}
	if name == "" {
		return p, "", nil
	}
	hint := "write it as PROVIDER/NAME; providers are " + strings.Join(names, ", ")
	if near := koda.Nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return p, "", &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("there is no provider %q of the model %q", name, cfg.Model), Hint: hint}
}

// openModel opens the model of the settings.
func openModel() (llm.Model, string, error) {
	cfg, err := load()
	if err != nil {
		return nil, "", err
	}
	p, model, err := meant(cfg)
	if err != nil {
		return nil, "", err
	}
	if p.name == "" {
		return nil, "", &koda.Error{Code: koda.CodeUsage, Op: "no model is chosen", Hint: "give --model PROVIDER/NAME, or set KODA_MODEL; `koda models` lists them"}
	}
	if model == "" && cfg.BaseURL == "" {
		model = p.model
	}
	if model == "" {
		return nil, "", &koda.Error{Code: koda.CodeUsage, Op: "no model of " + p.name + " is chosen", Hint: "give --model " + p.name + "/NAME; `koda models` lists them"}
	}
	name, m := p.name+"/"+model, inForm(p, p.open(p.reach(cfg, model, true)), model, cfg)
	if cfg.Record == "" {
		return m, name, nil
	}
	m, err = replay.Open(cfg.Record, m)
	return m, name, err
}

// lateModel is the model of the settings, opened when an author first asks. So a command
// that asks no model needs none.
type lateModel struct{}

var chosenModel = sync.OnceValues(func() (llm.Model, error) {
	m, _, err := openModel()
	return m, err
})

// Answer implements llm.Model. If no model is chosen, the error is one that the next
// command can mend: INVALID_INPUT.
func (lateModel) Answer(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	m, err := chosenModel()
	if koda.CodeOf(err) == koda.CodeUsage {
		err = &koda.Error{Code: koda.CodeInvalidInput, Err: err, Hint: koda.HintOf(err)}
	}
	if err != nil {
		return llm.Response{}, err
	}
	return m.Answer(ctx, req, show)
}

// listTime is how long a service may take for a list of its models, and nearTime how long
// one on this machine that nobody chose may: anything may be at its port.
const (
	listTime = 15 * time.Second
	nearTime = 3 * time.Second
)

// listModels asks all services at once: those with a key, the one that is meant, and
// those that may run on this machine, which are left out if nothing answers there.
func listModels(ctx context.Context) ([]cli.ModelService, error) {
	cfg, err := load()
	if err != nil {
		return nil, err
	}
	chosen, model, err := meant(cfg)
	if err != nil {
		return nil, err
	}
	all := make([]cli.ModelService, len(providers))
	var asked sync.WaitGroup
	for i, p := range providers {
		is := p.name == chosen.name
		c := p.reach(cfg, "", is)
		all[i] = cli.ModelService{Provider: p.name, Address: c.Address, Default: p.model, Chosen: is}
		if is {
			all[i].Default = cmp.Or(model, p.model)
		}
		limit := listTime
		if p.key == nil && !is {
			limit = nearTime
		}
		asked.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			all[i].Models, all[i].Err = p.open(c).Models(ctx)
		})
	}
	asked.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var out []cli.ModelService
	for i, s := range all {
		if providers[i].key != nil || s.Err == nil || s.Chosen {
			out = append(out, s)
		}
	}
	return out, nil
}
