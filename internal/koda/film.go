package koda

// Film is a video or a sound that a page plays, as its file says it is.
type Film struct {
	Width    int       `json:"width"`    // of its pictures as they are shown, in pixels; 0: it has none
	Height   int       `json:"height"`   // likewise
	Duration float64   `json:"duration"` // seconds
	Times    []float64 `json:"times"`    // when each picture is first shown, in seconds, rising
	// Slack is how much later than meant a time may be, as files count in
	// steps: a picture is shown from its time less Slack.
	Slack float64 `json:"slack"`
	Alpha bool    `json:"alpha"` // something may shine through its pictures
	Sound bool    `json:"sound"`
}
