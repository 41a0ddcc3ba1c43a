package koda

import "fmt"

// Look is what frames of a page look like: to eyes, and in words.
type Look struct {
	Sheet    []byte    `json:"sheet"` // the frames on one JPEG picture, from left to right and from top to bottom
	Sights   []Sight   `json:"sights"`
	Findings []Finding `json:"findings,omitempty"`
}

// Sight is a frame in words.
type Sight struct {
	Seconds float64    `json:"seconds"`
	Scene   string     `json:"scene,omitempty"`
	Texts   []SeenText `json:"texts,omitempty"`
	More    int        `json:"more,omitempty"`    // texts that are not told
	Colours []string   `json:"colours"`           // means of nine parts, row by row
	Changed float64    `json:"changed,omitempty"` // the share of pixels that differ from the sight before
}

// SeenText is a line of text, with its place in percent of the frame.
type SeenText struct {
	Text   string `json:"text"`
	Left   int    `json:"left"`
	Right  int    `json:"right"`
	Top    int    `json:"top"`
	Bottom int    `json:"bottom"`
}

// Finding is something that seems wrong with a frame.
type Finding struct {
	Seconds float64     `json:"seconds"`
	Kind    FindingKind `json:"kind"`
	About   string      `json:"about"`
	// Serious: nobody can have meant it.
	Serious bool `json:"serious,omitempty"`
}

// String is a line for people.
func (f Finding) String() string { return fmt.Sprintf("%.2f s: %s: %s", f.Seconds, f.Kind, f.About) }

// FindingKind is what seems wrong.
type FindingKind string

// What may be wrong with a frame.
const (
	FindingOutside  FindingKind = "outside the safe area"
	FindingCut      FindingKind = "cut off"
	FindingSmall    FindingKind = "too small"
	FindingOverlap  FindingKind = "overlap"
	FindingContrast FindingKind = "contrast"
	FindingEmpty    FindingKind = "empty stage" // nothing but the backdrop of koda's own stage
	FindingBlank    FindingKind = "blank"
	FindingStill    FindingKind = "still"
	FindingLeap     FindingKind = "leap"
	FindingFlashing FindingKind = "flashing"
	FindingDiffers  FindingKind = "differs when drawn twice"
	FindingMishap   FindingKind = "mishap"  // what the page threw or lacks
	FindingLogged   FindingKind = "console" // what the page logged as an error
)
