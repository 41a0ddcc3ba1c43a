package koda

// Film is a video or a sound that a page plays, as described by its file.
type Film struct {
	Width    int       `json:"width"`    // of its pictures as they are shown, in pixels; 0: there are no pictures
	Height   int       `json:"height"`   // likewise
	Duration float64   `json:"duration"` // seconds
	Times    []float64 `json:"times"`    // when each picture is first shown, in seconds, rising
	// Slack is how much later than intended a time may be, as files count time in
	// steps: a picture is shown from its time minus Slack.
	Slack float64 `json:"slack"`
	Alpha bool    `json:"alpha"` // its pictures may have transparent parts
	Sound bool    `json:"sound"`
}
