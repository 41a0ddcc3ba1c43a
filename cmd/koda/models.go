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

	saysPrice bool // it says what each answer cost
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
		open: chat(openai.OpenRouter), saysPrice: true,
	},
	{name: "ollama", address: "http://localhost:11434/v1", open: chat(openai.Ollama)},
	{name: "lmstudio", address: "http://localhost:1234/v1", open: chat(openai.LMStudio)},
	{name: "llamacpp", address: "http://localhost:8080/v1", open: chat(openai.Plain)},
}

// recording is no service: its models are directories of recorded answers.
var recording = provider{name: "replay", address: "http://localhost"}

// reach is how a provider's model is reached; base, if it is set, is its address.
func (p provider) reach(cfg config.Config, model, base string) llmservice.Config {
	c := llmservice.Config{
		Name: p.name, Address: p.address, Model: model, KeyFrom: p.keyFrom, Silence: cfg.Periods().Model,
		Listed: true, SaysPrice: p.saysPrice,
	}
	if p.key != nil {
		c.Key, c.NeedsKey = p.key(cfg), true
	}
	if base != "" && p.open != nil {
		c.Address, c.NeedsKey, c.Listed = base, false, false
	}
	return c
}

// meant reads the name of a model: a provider, and its model if there is one. An address
// alone means a server that speaks as OpenAI does. USAGE: no such provider.
func meant(written, base string) (p provider, model string, err error) {
	name, model, _ := strings.Cut(written, "/")
	if name == "" && base != "" {
		name = "openai"
	}
	var names []string
	for _, p := range append(providers[:len(providers):len(providers)], recording) {
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
	return p, "", &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("there is no provider %q of the model %q", name, written), Hint: hint}
}

// fullName is the name of a model with that of its provider, and the default model of a
// provider that is named alone. "" stays "". USAGE: there is no such provider, or it has
// no default.
func fullName(written, base string) (string, error) {
	p, model, err := meant(written, base)
	if err != nil || p.name == "" {
		return "", err
	}
	if model == "" && base == "" {
		model = p.model
	}
	if model == "" {
		return "", &koda.Error{Code: koda.CodeUsage, Op: "no model of " + p.name + " is chosen", Hint: "give --model " + p.name + "/NAME; `koda models` lists them"}
	}
	return p.name + "/" + model, nil
}

// modelsSet are the models that the settings name.
func modelsSet(cfg config.Config) (m koda.Models, err error) {
	m.BaseURL = cfg.BaseURL
	if m.Model, err = fullName(cfg.Model, cfg.BaseURL); err == nil {
		m.Planner, err = fullName(cfg.PlannerModel, "")
	}
	return m, err
}

// modelsNamed are the models that the command line names.
func modelsNamed() (m koda.Models, err error) {
	m.BaseURL = given["base-url"]
	if given["model"] != "" {
		if m.Model, err = fullName(given["model"], m.BaseURL); err != nil {
			return m, err
		}
	}
	m.Planner, err = fullName(given["planner-model"], "")
	return m, err
}

// chooseModels are the models of a new project: those of the settings, or else the default
// model of the first provider whose key is there; keyFrom is then the variable of the key.
func chooseModels() (m koda.Models, keyFrom string, err error) {
	cfg, err := load()
	if err != nil {
		return m, "", err
	}
	if m, err = modelsSet(cfg); err != nil || m.Model != "" {
		return m, "", err
	}
	for _, p := range providers {
		if p.key != nil && p.key(cfg).Set() && p.model != "" {
			m.Model = p.name + "/" + p.model
			return m, p.keyFrom, nil
		}
	}
	return m, "", nil
}

var errNoModel = &koda.Error{Code: koda.CodeUsage, Op: "no model is chosen", Hint: "give --model PROVIDER/NAME, or set KODA_MODEL; `koda models` lists them"}

// openModel opens the model of the settings, or else the default model of the first service
// whose key is there.
func openModel() (llm.Model, string, error) {
	cfg, err := load()
	if err != nil {
		return nil, "", err
	}
	m, _, err := chooseModels()
	if err != nil {
		return nil, "", err
	}
	if m.Model == "" {
		return nil, "", errNoModel
	}
	opened, err := lateModel{models: m}.open(cfg)
	return opened, m.Model, err
}

// lateModel is a model of a project, opened when an author first asks. So a command that
// asks no model needs none.
type lateModel struct {
	models   koda.Models
	planning bool
}

func openLate(m koda.Models, planning bool) llm.Model {
	return lateModel{m, planning && m.Planner != ""}
}

// planner reports whether the model is another one than that which builds.
func (l lateModel) planner() bool {
	return l.planning && l.models.Planner != "" && l.models.Planner != l.models.Model
}

// find finds the model, and how it is reached. If the project names none, as one that came
// from elsewhere, it is that of the settings.
func (l lateModel) find(cfg config.Config) (p provider, c llmservice.Config, err error) {
	m := l.models
	if m.Model == "" {
		if m, err = modelsSet(cfg); err != nil {
			return p, c, err
		}
	}
	written, base := m.Model, m.BaseURL
	if l.planning {
		of, _, _ := strings.Cut(m.Model, "/")
		written = cmp.Or(m.Planner, m.Model)
		if is, _, _ := strings.Cut(written, "/"); is != of {
			base = ""
		}
	}
	p, model, err := meant(written, base)
	if err == nil && p.name == "" {
		err = errNoModel
		if was := l.models.Elsewhere; was != "" {
			err = &koda.Error{Code: koda.CodeUsage, Op: errNoModel.Op, Hint: "give --model " + was + ", as where the project came from, or another; `koda models` lists them"}
		}
	}
	if err != nil {
		return p, c, err
	}
	c = p.reach(cfg, model, base)
	if r := cfg.Price(); r != nil && !l.planner() {
		c.Rate = &llm.Price{Input: r[0], Output: r[1], CacheRead: r[2], CacheWrite: r[3]}
	}
	return p, c, nil
}

// open opens the model.
func (l lateModel) open(cfg config.Config) (llm.Model, error) {
	p, c, err := l.find(cfg)
	if err != nil {
		return nil, err
	}
	var opened llm.Model
	if p.name == recording.name {
		opened, err = replay.Open(c.Model)
	} else {
		opened = inForm(p, p.open(c), c)
	}
	if err == nil && cfg.Record != "" {
		opened, err = replay.Record(cfg.Record, opened)
	}
	return opened, err
}

// opened are the models that this process opened.
var opened sync.Map // from lateModel to func() (llm.Model, error)

// Answer implements llm.Model. If no model is chosen, the error is one that the next
// command can mend: INVALID_INPUT.
func (l lateModel) Answer(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	once, _ := opened.LoadOrStore(l, sync.OnceValues(func() (llm.Model, error) {
		cfg, err := load()
		if err != nil {
			return nil, err
		}
		if _, err := l.budget(cfg); err != nil {
			return nil, err
		}
		return l.open(cfg)
	}))
	m, err := once.(func() (llm.Model, error))()
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
	chosen, model, err := meant(cfg.Model, cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	all := make([]cli.ModelService, len(providers))
	var asked sync.WaitGroup
	for i, p := range providers {
		is := p.name == chosen.name
		base := ""
		if is {
			base = cfg.BaseURL
		}
		c := p.reach(cfg, "", base)
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
