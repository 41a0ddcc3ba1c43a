package service

import (
	_ "embed" // the table of prices
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/llm"
)

//go:embed prices.json
var pricesJSON []byte

// Prices is the table of what models cost that services name no price for. Whoever changes
// a row reads the sources and changes the date.
type Prices struct {
	Date    string                `json:"date"`
	Sources []string              `json:"sources"`
	Unit    string                `json:"unit"`
	Models  map[string][4]float64 `json:"models"`
	Long    []struct {
		Models string  `json:"models"` // the beginning of their names
		Over   int64   `json:"over"`
		Input  float64 `json:"input"`
		Output float64 `json:"output"`
	} `json:"long"`
}

// Table is the table of prices.
var Table = sync.OnceValue(func() (t Prices) {
	if err := json.Unmarshal(pricesJSON, &t); err != nil {
		panic(err)
	}
	return t
})

// dated is the end of a name that only says from which day a model is.
var dated = regexp.MustCompile(`-(\d{8}|\d{4}-\d\d-\d\d|latest)$`)

// Price is what a model costs; nil if nobody knows. A server on this machine costs nothing.
func (c Config) Price(model string) *llm.Price {
	if u, err := url.Parse(c.Address); c.Rate == nil && err == nil && here(u) {
		return &llm.Price{}
	}
	if c.Rate != nil || !c.Listed {
		return c.Rate
	}
	t, name := Table(), dated.ReplaceAllString(model, "")
	row, ok := t.Models[name]
	if !ok {
		return nil
	}
	p := &llm.Price{Input: row[0], Output: row[1], CacheRead: row[2], CacheWrite: row[3]}
	for _, l := range t.Long {
		if strings.HasPrefix(name, l.Models) {
			p.Over, p.LongInput, p.LongOutput = l.Over, l.Input, l.Output
		}
	}
	return p
}

// priced is the usage of a try with its price. What the service itself says stands. An
// answer without a price, or without a usage, counts as one.
func (c Config) priced(u llm.Usage, model string, answered bool) llm.Usage {
	used := u.Input+u.CacheRead+u.CacheWrite+u.Output > 0
	if u.USD > 0 || c.SaysPrice && used || !used && !answered {
		return u
	}
	p := c.Price(model)
	if p == nil {
		p = c.Price(c.Model)
	}
	switch {
	case p == nil, !used && *p != llm.Price{}:
		u.Unpriced = 1
	default:
		u.USD = p.Of(u)
	}
	return u
}
