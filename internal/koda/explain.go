package koda

// Range is a run of frames of a video that were drawn, or taken from finished
// segments, for one reason.
type Range struct {
	First  int        `json:"first"` // frame
	Last   int        `json:"last"`  // frame, inclusive
	Reused bool       `json:"reused"`
	Reason DrawReason `json:"reason"`
	Why    string     `json:"why"` // a sentence for people, lower case, no full stop
}

// DrawReason is why frames were drawn or reused.
type DrawReason string

// The reasons. ReusedKeys and DrawnKeys are one word; Reused tells them apart.
const (
	ReusedSame DrawReason = "same"
	ReusedKeys DrawReason = "frame-keys"

	DrawnFirst      DrawReason = "first"
	DrawnNoCache    DrawReason = "no-cache"
	DrawnKoda       DrawReason = "koda"
	DrawnSize       DrawReason = "size"
	DrawnRate       DrawReason = "frame-rate"
	DrawnParameters DrawReason = "parameters"
	DrawnEncoding   DrawReason = "encoding"
	DrawnBrowser    DrawReason = "browser"
	DrawnMethod     DrawReason = "method"
	DrawnFFmpeg     DrawReason = "ffmpeg"
	DrawnFonts      DrawReason = "fonts"
	DrawnCuts       DrawReason = "cuts"
	DrawnGone       DrawReason = "gone"
	DrawnPage       DrawReason = "page"
	DrawnCode       DrawReason = "code"
	DrawnKeys       DrawReason = "frame-keys"
)
