package koda

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// FPS is an exact frame rate, e.g. 60/1 or 30000/1001 frames per second. In
// JSON it is a number when whole, else the string "30000/1001". Package
// timeline parses what people write and does the arithmetic.
type FPS struct {
	Num, Den int
}

// String gives "60" or "30000/1001".
func (f FPS) String() string {
	if f.Den == 1 || f.Den == 0 {
		return fmt.Sprint(f.Num)
	}
	return fmt.Sprintf("%d/%d", f.Num, f.Den)
}

// IsZero reports whether there is no rate.
func (f FPS) IsZero() bool { return f.Num == 0 }

// MarshalJSON implements json.Marshaler.
func (f FPS) MarshalJSON() ([]byte, error) {
	if f.Den <= 1 {
		return fmt.Appendf(nil, "%d", f.Num), nil
	}
	return fmt.Appendf(nil, "%q", f.String()), nil
}

// UnmarshalJSON accepts 60, 29.97, 23.976 and "30000/1001", and 0 for no rate.
func (f *FPS) UnmarshalJSON(b []byte) error {
	s := string(b)
	if s == "0" {
		*f = FPS{}
		return nil
	}
	if strings.HasPrefix(s, `"`) {
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
	}
	r, err := ParseFPS(s)
	if err != nil {
		return err
	}
	*f = r
	return nil
}

// Picture is one picture of a page, or of several of its frames.
type Picture struct {
	PNG []byte
	// Warnings are sentences about what the page did that cannot be intended.
	Warnings []string
}

// RenderKind says what a render is for.
type RenderKind string

// A preview may drop quality and say so; a final never does.
const (
	RenderPreview RenderKind = "preview"
	RenderFinal   RenderKind = "final"
)

// The words of RenderSpec.Encoder beside HardwareEncoders: libx264, and the first
// encoder of a graphics device that answers.
const (
	EncoderX264 = "x264"
	EncoderAuto = "auto"
)

// HardwareEncoders are the encoders of graphics devices that a spec may ask for, in
// the order that "auto" tries them: where two encoders answer, the first is the
// device's own.
func HardwareEncoders() []string { return []string{"nvenc", "videotoolbox", "qsv", "amf", "vaapi"} }

// RenderSpec is a video to be made. It is complete: nothing that changes a byte of
// the result is decided later.
type RenderSpec struct {
	ID      string     `json:"id"` // of the render, unique
	Kind    RenderKind `json:"kind"`
	Preset  string     `json:"preset,omitempty"`
	Version int        `json:"version,omitempty"` // 0: a directory that is no project
	// Width and Height are the pixels of the output. PageWidth and PageHeight are
	// the CSS pixels of the page's viewport. Both have the same shape.
	Width         int             `json:"width"`
	Height        int             `json:"height"`
	PageWidth     int             `json:"pageWidth"`
	PageHeight    int             `json:"pageHeight"`
	FPS           FPS             `json:"fps"`
	First         int             `json:"first,omitempty"`     // the frame of the animation with which the video begins
	Frames        int             `json:"frames"`              // of the video
	Duration      float64         `json:"duration"`            // seconds of the whole animation, as planned
	Cuts          []float64       `json:"cuts,omitempty"`      // seconds of the animation at which scenes start, rising; none is 0
	Format        string          `json:"format"`              // "mp4", "webm", "mov", "gif", "apng" or "png"
	CRF           int             `json:"crf"`                 // for the formats that have it: mp4, webm
	EncoderPreset string          `json:"encoderPreset"`       // how hard the encoder tries; for the same formats
	Encoder       string          `json:"encoder,omitempty"`   // for mp4: EncoderX264 or "", EncoderAuto, or one of HardwareEncoders
	Output        string          `json:"output"`              // absolute path of the video; for "png" of a directory
	Thumbnail     string          `json:"thumbnail,omitempty"` // absolute path of the midpoint still; empty: no still
	Strip         string          `json:"strip,omitempty"`     // absolute path of the strip of an mp4, see package strip; empty: no strip
	NoClobber     bool            `json:"noClobber,omitempty"`
	NoCache       bool            `json:"noCache,omitempty"`
	Explain       bool            `json:"explain,omitempty"` // fill RenderResult.Ranges
	Workers       int             `json:"workers,omitempty"` // 0: chosen for the machine
	LimitMS       int64           `json:"limitMs,omitempty"` // how long the render may take; 0: the renderer's own limit, below 0: no limit
	Props         json.RawMessage `json:"props,omitempty"`   // window.__kodaProps
	Audio         Audio           `json:"audio,omitzero"`
	Note          string          `json:"note,omitempty"`     // what was chosen otherwise than the person asked, for people
	Glimpses      bool            `json:"glimpses,omitempty"` // somebody may look on: report glimpses
}

// Audio is the sound a video is to have. The zero value is what most people want: a
// final carries the first file of public/audio among the files it draws, a preview
// is silent.
type Audio struct {
	Path   string `json:"path,omitempty"`   // absolute path of a file to use instead
	SHA256 string `json:"sha256,omitempty"` // of that file, hex
	Loop   bool   `json:"loop,omitempty"`   // repeat it to the length of the video
	Off    bool   `json:"off,omitempty"`    // no sound at all
}

// Sound is the sound a video was given. It was cut, followed by silence, or
// repeated, to the length of the video, and brought to -14 LUFS by one gain.
type Sound struct {
	Path   string `json:"path"`   // absolute, or below the version's files: "public/audio/song.mp3"
	SHA256 string `json:"sha256"` // of that file
	Loop   bool   `json:"loop,omitempty"`
	// LUFS is how loud the sound was; absent for silence, which gets no gain.
	LUFS *float64 `json:"lufs,omitempty"`
	Gain float64  `json:"gain"` // dB
	// Reused: the track was made by an earlier render.
	Reused bool `json:"reused,omitempty"`
}

// RenderResult is a finished video, whole on disk.
type RenderResult struct {
	Video     string        `json:"video"` // absolute path; a directory of pictures for "png"
	Thumbnail string        `json:"thumbnail,omitempty"`
	Strip     string        `json:"strip,omitempty"` // empty also if the strip could not be made; then Warnings say why
	Format    string        `json:"format,omitempty"`
	Width     int           `json:"width"`
	Height    int           `json:"height"`
	FPS       FPS           `json:"fps"`
	Frames    int           `json:"frames"`
	Duration  float64       `json:"duration"` // seconds: frames / fps
	Size      int64         `json:"size"`     // bytes
	SHA256    string        `json:"sha256"`   // for "png" of the pictures one after the other
	Captured  int           `json:"captured"` // frames drawn by this call
	Reused    int           `json:"reused"`   // frames taken from finished segments
	Elapsed   time.Duration `json:"-"`
	ElapsedMS int64         `json:"renderTimeMs"`
	Encoder   string        `json:"encoder,omitempty"` // for mp4: "x264" or one of HardwareEncoders
	Method    string        `json:"method"`            // capture method, e.g. "beginframe"
	GL        string        `json:"gl"`                // "none", "llvmpipe", "swiftshader", "gpu"
	Sound     *Sound        `json:"sound,omitempty"`   // nil: the video is silent
	Note      string        `json:"note,omitempty"`    // what was reduced, for a preview; else what was chosen
	// Retries are sentences about browsers and ffmpegs that failed and were
	// replaced.
	Retries []string `json:"retries,omitempty"`
	// Warnings are sentences about what the page did that cannot be intended while
	// it was drawn: what it threw, and what it asked for in vain. They also say
	// what was drawn in a slower way than usual.
	Warnings []string `json:"warnings,omitempty"`
	// Ranges say why frames were drawn or reused, if the spec asks for Explain.
	Ranges []Range `json:"ranges,omitempty"`
}

// VideoComparison is a video to be made of two renders with the same rate. The two
// renders do not say where their videos go.
type VideoComparison struct {
	From, To RenderSpec
	// Difference shows how far apart colours are, black where they are equal,
	// instead of both videos beside each other.
	Difference bool
	Labels     [2]string // what the two are called: "v2", "v3"
	Output     string    // absolute path of the .mp4
	NoClobber  bool
}

// Stage is the part of a render that is going on.
type Stage string

// The stages of a render. "uploading" is publishing: the video is put in place on
// this disk.
const (
	StageCapturing Stage = "capturing"
	StageEncoding  Stage = "encoding"
	StageUploading Stage = "uploading"
)

// Progress is a passing report of a render. Remaining is 0 while it is unknown.
type Progress struct {
	Kind      RenderKind    `json:"kind"`
	Stage     Stage         `json:"stage"`
	Frame     int           `json:"frame"` // frames finished
	Frames    int           `json:"frames"`
	Percent   float64       `json:"percent"`
	Rate      float64       `json:"fps"` // frames finished a second
	Remaining time.Duration `json:"-"`
	ETAMS     int64         `json:"etaMs,omitempty"`
	// Passed counts the frames that pages were brought forward through so far
	// without drawing, and ToPass counts all such frames; pages that play need
	// them.
	Passed int `json:"passed,omitempty"`
	ToPass int `json:"toPass,omitempty"`
	// Workers are the segments being drawn, in their order. Capture is how frames are
	// taken from browsers, and Encoder what encodes them.
	Workers []Worker `json:"workers,omitempty"`
	Capture string   `json:"capture,omitempty"`
	Encoder string   `json:"encoder,omitempty"`
	// Glimpse is a frame just drawn, if the spec asks for glimpses; nil in most reports.
	Glimpse *Glimpse `json:"-"`
}

// Worker is a browser with its encoder, at work on a segment.
type Worker struct {
	First int `json:"first"` // frames of the animation
	Last  int `json:"last"`
	SegmentProgress
}

// Glimpse is a small picture of a frame that was just drawn, to look at while a render
// runs.
type Glimpse struct {
	Frame int     `json:"frame"` // of the animation, from 0
	Time  float64 `json:"time"`  // of the frame, in seconds of the animation
	JPEG  []byte  `json:"jpeg"`  // at most GlimpseSide pixels wide and high
}

// GlimpseSide is the longer side of a glimpse, in pixels.
const GlimpseSide = 160

// UnmarshalJSON takes Remaining from ETAMS.
func (p *Progress) UnmarshalJSON(data []byte) error {
	type plain Progress
	err := json.Unmarshal(data, (*plain)(p))
	p.Remaining = time.Duration(p.ETAMS) * time.Millisecond
	return err
}
