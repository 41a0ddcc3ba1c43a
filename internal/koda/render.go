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

// IsZero reports whether no rate was said.
func (f FPS) IsZero() bool { return f.Num == 0 }

// MarshalJSON implements json.Marshaler.
func (f FPS) MarshalJSON() ([]byte, error) {
	if f.Den <= 1 {
		return fmt.Appendf(nil, "%d", f.Num), nil
	}
	return fmt.Appendf(nil, "%q", f.String()), nil
}

// UnmarshalJSON accepts 60, 29.97, 23.976 and "30000/1001", and 0 for a rate
// that was not said.
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
	// Warnings are sentences on what the page did that cannot be meant.
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

// HardwareEncoders are the encoders of graphics devices that can be asked for, in
// the order "auto" tries them: where two answer, the first is the device's own.
func HardwareEncoders() []string { return []string{"nvenc", "videotoolbox", "qsv", "amf", "vaapi"} }

// RenderSpec is a video to be made. It is complete: nothing that changes a byte
// of the result is decided later.
type RenderSpec struct {
	ID      string     `json:"id"` // of the render, unique
	Kind    RenderKind `json:"kind"`
	Preset  string     `json:"preset,omitempty"`
	Version int        `json:"version,omitempty"` // 0: a directory that is no project
	// Width and Height are the pixels of the output; PageWidth and PageHeight
	// the CSS pixels of the page's viewport. They have the same shape.
	Width         int             `json:"width"`
	Height        int             `json:"height"`
	PageWidth     int             `json:"pageWidth"`
	PageHeight    int             `json:"pageHeight"`
	FPS           FPS             `json:"fps"`
	First         int             `json:"first,omitempty"`     // the animation's frame the video begins with
	Frames        int             `json:"frames"`              // of the video
	Duration      float64         `json:"duration"`            // seconds of the whole animation, as planned
	Cuts          []float64       `json:"cuts,omitempty"`      // seconds of it at which scenes start, rising; none is 0
	Format        string          `json:"format"`              // "mp4", "webm", "mov", "gif", "apng" or "png"
	CRF           int             `json:"crf"`                 // of the formats that have one: mp4, webm
	EncoderPreset string          `json:"encoderPreset"`       // how hard the encoder tries; of the same formats
	Encoder       string          `json:"encoder,omitempty"`   // of mp4: EncoderX264 or "", EncoderAuto, or one of HardwareEncoders
	Output        string          `json:"output"`              // absolute path of the video; of a directory for "png"
	Thumbnail     string          `json:"thumbnail,omitempty"` // absolute path of the midpoint still; empty: none
	NoClobber     bool            `json:"noClobber,omitempty"`
	NoCache       bool            `json:"noCache,omitempty"`
	Explain       bool            `json:"explain,omitempty"` // fill RenderResult.Ranges
	Workers       int             `json:"workers,omitempty"` // 0: chosen for the machine
	LimitMS       int64           `json:"limitMs,omitempty"` // how long it may take; 0: the renderer's own limit, below 0 none
	Props         json.RawMessage `json:"props,omitempty"`   // window.__kodaProps
	Audio         Audio           `json:"audio,omitzero"`
	Note          string          `json:"note,omitempty"` // what was chosen otherwise than asked, for people
}

// Audio is what sound a video is to have. The zero value is what most want: a
// final carries the first file of public/audio of the files it draws, a preview
// none.
type Audio struct {
	Path   string `json:"path,omitempty"`   // absolute path of a file to use instead
	SHA256 string `json:"sha256,omitempty"` // of that file, hex
	Loop   bool   `json:"loop,omitempty"`   // repeat it to the length of the video
	Off    bool   `json:"off,omitempty"`    // no sound at all
}

// Sound is the sound a video was given: cut, or followed by silence, or
// repeated, to the length of the video, and brought to -14 LUFS by one gain.
type Sound struct {
	Path   string `json:"path"`   // absolute, or below the version's files: "public/audio/song.mp3"
	SHA256 string `json:"sha256"` // of that file
	Loop   bool   `json:"loop,omitempty"`
	// LUFS is how loud it was; absent for silence, which gets no gain.
	LUFS *float64 `json:"lufs,omitempty"`
	Gain float64  `json:"gain"` // dB
	// Reused: the track was made by an earlier render.
	Reused bool `json:"reused,omitempty"`
}

// RenderResult is a video that was made and is whole on disk.
type RenderResult struct {
	Video     string        `json:"video"` // absolute path; a directory of pictures for "png"
	Thumbnail string        `json:"thumbnail,omitempty"`
	Format    string        `json:"format,omitempty"`
	Width     int           `json:"width"`
	Height    int           `json:"height"`
	FPS       FPS           `json:"fps"`
	Frames    int           `json:"frames"`
	Duration  float64       `json:"duration"` // seconds: frames / fps
	Size      int64         `json:"size"`     // bytes
	SHA256    string        `json:"sha256"`   // of the pictures one after the other for "png"
	Captured  int           `json:"captured"` // frames drawn by this call
	Reused    int           `json:"reused"`   // frames taken from finished segments
	Elapsed   time.Duration `json:"-"`
	ElapsedMS int64         `json:"renderTimeMs"`
	Encoder   string        `json:"encoder,omitempty"` // of mp4: "x264" or one of HardwareEncoders
	Method    string        `json:"method"`            // capture method, e.g. "beginframe"
	GL        string        `json:"gl"`                // "none", "llvmpipe", "swiftshader", "gpu"
	Sound     *Sound        `json:"sound,omitempty"`   // nil: the video is silent
	Note      string        `json:"note,omitempty"`    // what was reduced, for a preview; what was chosen
	// Retries are sentences about browsers and ffmpegs that failed and were
	// replaced.
	Retries []string `json:"retries,omitempty"`
	// Warnings are sentences about what the page did that cannot be meant, while
	// it was drawn: what it threw, and what it asked for in vain. They also say
	// what was drawn in a slower way than usual.
	Warnings []string `json:"warnings,omitempty"`
	// Ranges say why frames were drawn or reused, when the spec asked for it.
	Ranges []Range `json:"ranges,omitempty"`
}

// VideoComparison is a video to be made of two renders, which have the same
// rate. Where the two are to go is not said by them.
type VideoComparison struct {
	From, To RenderSpec
	// Difference shows how far colours are apart, black where they are equal,
	// instead of both videos beside each other.
	Difference bool
	Labels     [2]string // what the two are called: "v2", "v3"
	Output     string    // absolute path of the .mp4
	NoClobber  bool
}

// Stage is the part of a render that is going on.
type Stage string

// The stages of a render. "uploading" is publishing: into place on this disk.
const (
	StageCapturing Stage = "capturing"
	StageEncoding  Stage = "encoding"
	StageUploading Stage = "uploading"
)

// Progress is a passing report of a render. Remaining is 0 while unknown.
type Progress struct {
	Kind      RenderKind    `json:"kind"`
	Stage     Stage         `json:"stage"`
	Frame     int           `json:"frame"` // frames finished
	Frames    int           `json:"frames"`
	Percent   float64       `json:"percent"`
	Rate      float64       `json:"fps"` // frames finished a second
	Remaining time.Duration `json:"-"`
	ETAMS     int64         `json:"etaMs,omitempty"`
	// Passed counts the frames that pages were brought forward through so far,
	// undrawn, and ToPass those there are; a page that plays needs it.
	Passed int `json:"passed,omitempty"`
	ToPass int `json:"toPass,omitempty"`
}

// UnmarshalJSON knows Remaining from ETAMS.
func (p *Progress) UnmarshalJSON(data []byte) error {
	type plain Progress
	err := json.Unmarshal(data, (*plain)(p))
	p.Remaining = time.Duration(p.ETAMS) * time.Millisecond
	return err
}
