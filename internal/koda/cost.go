package koda

import "fmt"

// Cost is what was paid: for a turn, or for a version since the version before was
// made. A recipe, a person's own hand and a model on this machine cost nothing.
type Cost struct {
	USD          float64 `json:"usd"`                    // of the answers with a known price
	Unpriced     int64   `json:"unpriced,omitempty"`     // answers whose price nobody knows
	InputTokens  int64   `json:"inputTokens,omitempty"`  // with those from a cache
	CachedTokens int64   `json:"cachedTokens,omitempty"` // of those read, from a cache
	OutputTokens int64   `json:"outputTokens,omitempty"`
}

// Plus adds costs up.
func (c Cost) Plus(d Cost) Cost {
	return Cost{
		USD: c.USD + d.USD, Unpriced: c.Unpriced + d.Unpriced, InputTokens: c.InputTokens + d.InputTokens,
		CachedTokens: c.CachedTokens + d.CachedTokens, OutputTokens: c.OutputTokens + d.OutputTokens,
	}
}

// Price is the money for people: "$1.20", "free", "price unknown".
func (c Cost) Price() string {
	switch {
	case c.Unpriced > 0 && c.USD == 0:
		return "price unknown"
	case c.Unpriced > 0:
		return fmt.Sprintf("%s and %d answers of unknown price", Dollars(c.USD), c.Unpriced)
	case c.USD == 0:
		return "free"
	}
	return Dollars(c.USD)
}

// Tokens are the tokens for people: "12.3k tokens in (9.1k cached), 800 out".
func (c Cost) Tokens() string {
	cached := ""
	if c.CachedTokens > 0 {
		cached = " (" + thousands(c.CachedTokens) + " cached)"
	}
	return fmt.Sprintf("%s tokens in%s, %s out", thousands(c.InputTokens), cached, thousands(c.OutputTokens))
}

// String is all of it for people.
func (c Cost) String() string {
	if c.InputTokens+c.OutputTokens == 0 {
		return c.Price()
	}
	return c.Price() + ", " + c.Tokens()
}

// Dollars is an amount of money for people. Less than a cent is told more exactly.
func Dollars(usd float64) string {
	if usd > 0 && usd < 0.01 {
		return fmt.Sprintf("$%.4f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

func thousands(n int64) string {
	if n < 10_000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%.1fk", float64(n)/1000)
}

// Bill is what the answers of one model cost.
type Bill struct {
	Model   string `json:"model"`
	Answers int    `json:"answers"`
	Cost
}
