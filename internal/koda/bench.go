package koda

// Bench says where the time of a render goes on a machine. Each stage is measured
// by itself, in one browser.
type Bench struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	FPS    FPS    `json:"fps"`
	Frames int    `json:"frames"` // measured frames, from the first
	Method string `json:"method"`
	GL     string `json:"gl"`
	// Stages are in the order of a render.
	Stages []BenchStage `json:"stages"`
	// Render is a whole render of these frames; its stages overlap.
	Render BenchStage `json:"render"`
	// Limits are what the machine could do if it had nothing else to do.
	Limits []BenchLimit `json:"limits"`
}

// BenchStage is the time one stage took. PerFrame is 0 for a stage that happens
// once.
type BenchStage struct {
	Name     string  `json:"name"`
	MS       float64 `json:"ms"`
	PerFrame float64 `json:"msPerFrame,omitempty"`
}

// BenchLimit is a rate in frames a second.
type BenchLimit struct {
	Name string  `json:"name"`
	Rate float64 `json:"fps"`
}
