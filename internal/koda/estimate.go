package koda

// Estimate is what making a video is expected to cost, before anything is made.
type Estimate struct {
	// Model is nil if no model is asked: a recipe costs nothing.
	Model  *ModelEstimate `json:"model,omitempty"`
	Render RenderEstimate `json:"render"`
}

// ModelEstimate is what a model is expected to cost: if all goes well, and if much has to
// be mended.
type ModelEstimate struct {
	Name    string `json:"name"`
	Answers [2]int `json:"answers"`
	Low     Cost   `json:"low"`
	High    Cost   `json:"high"`
	// Limit is the dollars at which koda stops, 0 if there is no limit, and Prices the day of the
	// table of prices; "" if the price is not from there.
	Limit  float64 `json:"limit,omitempty"`
	Prices string  `json:"prices,omitempty"`
}

// RenderEstimate is how long this machine is expected to draw: a page as light as the
// starter's, and a page four times as heavy.
type RenderEstimate struct {
	Width   int        `json:"width"` // of the final video, in pixels
	Height  int        `json:"height"`
	FPS     FPS        `json:"fps"`
	Seconds float64    `json:"seconds"` // of video
	Frames  int        `json:"frames"`
	Preview [2]float64 `json:"previewSeconds"` // to draw it
	Final   [2]float64 `json:"finalSeconds"`   // likewise, all final videos together
	Probe   float64    `json:"probeMsPerFrame"`
}
