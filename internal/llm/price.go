package llm

// Price is what the answers of a model cost, in US dollars for a million tokens. The zero
// value is free.
type Price struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
	// Over is the number of tokens read from which on an answer costs more: LongInput times
	// as much for what is read, and LongOutput times as much for what is written. 0: none.
	Over       int64   `json:"over,omitempty"`
	LongInput  float64 `json:"longInput,omitempty"`
	LongOutput float64 `json:"longOutput,omitempty"`
}

// Of is what the usage of one answer costs, in dollars.
func (p Price) Of(u Usage) float64 {
	read := float64(u.Input)*p.Input + float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite
	written := float64(u.Output) * p.Output
	if p.Over > 0 && u.Input+u.CacheRead+u.CacheWrite > p.Over {
		read, written = read*p.LongInput, written*p.LongOutput
	}
	return (read + written) / 1e6
}
