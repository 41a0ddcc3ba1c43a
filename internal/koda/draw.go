package koda

import "errors"

// The jobs of a drawer, and their results. All are values that JSON can carry, so
// that a drawer may be on another machine. A page travels as a value, too, not as a
// file system: it has all its files in memory, and a digest by which a far drawer
// knows the pages it already has. Paths are paths of the machine the job comes
// from; whoever carries a job further carries the files.

// Errors of a drawer after which the job can be done in another way. For raw pixels
// there are also ErrRawWrong and ErrRawRefused.
var (
	// ErrUnfilled: the job is for a page that fills every frame, and the page
	// itself says that it does not fill a frame.
	ErrUnfilled = errors.New("the page does not fill a frame by its own word")
	// ErrFacts: the machine differs by now from the facts of the job. The drawn
	// frames must not be used.
	ErrFacts = errors.New("the machine changed while the video was drawn")
)

// FactsJob asks a drawer what it draws a video with.
type FactsJob struct {
	Spec RenderSpec `json:"spec"`
	View Viewport   `json:"view"` // Raw and Transparent are not decided yet
	// Anew: earlier findings about the browser do not count.
	Anew bool `json:"anew,omitempty"`
}

// Facts are what a drawer draws with.
type Facts struct {
	Capture  CaptureInfo `json:"capture"`
	FFmpeg   string      `json:"ffmpeg"`  // digest of everything in its build that can change a byte
	Encoder  Encoder     `json:"encoder"` // encoder of a graphics device, if the spec asks for one and it answers
	Fonts    string      `json:"fonts"`   // digest, or OwnFonts
	Capacity Capacity    `json:"capacity"`
}

// OwnFonts are the Fonts of facts for a page that no font of the machine is drawn in.
const OwnFonts = "own"

// For is what a page is drawn with: less than the facts, if the page brings all its
// fonts.
func (f Facts) For(p Page) Facts {
	if p.OwnFonts {
		f.Fonts = OwnFonts
	}
	return f
}

// Encoder is an encoder of a graphics device; the zero value is no encoder.
type Encoder struct {
	Name   string `json:"name,omitempty"`   // of HardwareEncoders
	Device string `json:"device,omitempty"` // digest of its output for a test picture
	Note   string `json:"note,omitempty"`   // what became of the wish for the encoder, for people
}

// Capacity is what a drawer may use of its machine.
type Capacity struct {
	CPUs   float64 `json:"cpus"`   // the quota, or the CPUs it may run on
	Memory int64   `json:"memory"` // bytes that workers can have without swapping; 0: unknown
	// The bytes a worker needs for the video in question, and how many more for a
	// page with WebGL, and for reading raw pixels.
	Worker int64 `json:"worker"`
	WebGL  int64 `json:"webgl"`
	Raw    int64 `json:"raw"`
}

// Workers is how many segments may be drawn at once. It is one for each whole CPU:
// a browser keeps 1.3 CPUs busy and its encoder half a CPU, and a second browser
// fills the gaps of the first; a part of a CPU only makes two browsers wait for
// each other. If so many would not fit into memory, fewer are drawn at once, but
// always one.
func (c Capacity) Workers(webGL, raw bool) int {
	n := max(1, int(c.CPUs))
	if c.Memory == 0 {
		return n
	}
	each := max(1, c.Worker)
	if webGL {
		each += c.WebGL
	}
	if raw {
		each += c.Raw
	}
	return max(1, min(n, int(c.Memory/each)))
}

// InspectJob looks at a page without making anything of it.
type InspectJob struct {
	Page  Page     `json:"page"`
	View  Viewport `json:"view"`
	Facts Facts    `json:"facts"`
	// Keys are the spans whose frame keys are asked for.
	Keys []Span `json:"keys,omitempty"`
	// Shines are the frames to check for transparent parts. For the check the page
	// is drawn small and with alpha, whatever View says.
	Shines Span `json:"shines,omitzero"`
}

// Inspected is what was seen of a page.
type Inspected struct {
	Keys   []string `json:"keys,omitempty"` // for each span, as in Drawn.Keys
	Shines bool     `json:"shines"`         // at least one frame has transparent parts
}

// SegmentJob is a segment to draw.
type SegmentJob struct {
	Page  Page       `json:"page"`
	Spec  RenderSpec `json:"spec"`
	View  Viewport   `json:"view"`
	Facts Facts      `json:"facts"` // the segment is drawn with these facts, or not at all
	Span  Span       `json:"span"`
	// Forward: the page is brought to the segment through all frames before it.
	Forward bool `json:"forward,omitempty"`
	// Filled: the page must say of each frame that it fills the frame; see
	// ErrUnfilled.
	Filled bool   `json:"filled,omitempty"`
	Tries  int    `json:"tries"`  // how many browsers may fail for the segment
	Beside int    `json:"beside"` // how many segments are drawn at the same time, this one included
	Output string `json:"output"` // path of the file
}

// SegmentProgress says how far a segment is. When the segment is begun anew, the
// numbers go back to 0.
type SegmentProgress struct {
	Passed  int      `json:"passed,omitempty"` // frames the page was brought forward through
	Drawn   int      `json:"drawn"`
	Doing   Doing    `json:"doing,omitempty"`
	Try     int      `json:"try,omitempty"` // which browser it is, from 1
	Glimpse *Glimpse `json:"glimpse,omitempty"`
}

// Doing is what a worker does.
type Doing string

// What a worker does, in order.
const (
	DoingStart   Doing = "starting" // the browser starts and loads the page
	DoingForward Doing = "forward"  // the page is brought to the first frame of the segment
	DoingDraw    Doing = "drawing"
	DoingEncode  Doing = "encoding" // all frames are drawn, and the encoder writes the last of them
)

// Drawn is a segment whose file is whole.
type Drawn struct {
	Aside
	// Keys is a digest of the key of the page's first picture and of the keys of
	// all frames; "" when a page does not name all keys.
	Keys string `json:"keys,omitempty"`
	// Retries are sentences about browsers and encoders that failed on the way.
	Retries []string `json:"retries,omitempty"`
}

// Aside is kept beside the file of a segment, for every video that uses the
// segment.
type Aside struct {
	Edge    *Edge    `json:"edge,omitempty"`    // nil for a page with frame keys
	Flat    string   `json:"flat,omitempty"`    // the one colour of all frames, "" when they have more colours
	Mishaps []Mishap `json:"mishaps,omitempty"` // of the page
}

// Edge is what a segment shows at its ends, as the mean colours of squares of
// pixels, row by row.
type Edge struct {
	First []byte `json:"first"` // its first frame
	Past  []byte `json:"past"`  // the frame after its last; nil at the end of the animation
	// Moves names what moves in the page by itself; "" when nothing is seen to
	// move.
	Moves string `json:"moves,omitempty"`
}

// FinishJob makes videos, tracks and pictures of what was drawn. The parts that are
// set are made, in their order.
type FinishJob struct {
	Track   *TrackJob   `json:"track,omitempty"`
	Join    *JoinJob    `json:"join,omitempty"`
	Stills  []StillJob  `json:"stills,omitempty"`
	Strip   *StripJob   `json:"strip,omitempty"`
	Compare *CompareJob `json:"compare,omitempty"`
}

// TrackJob is the sound of a video: a file cut or repeated to its length.
type TrackJob struct {
	Input  string     `json:"input"` // path of an audio file
	Loop   bool       `json:"loop,omitempty"`
	Spec   RenderSpec `json:"spec"`
	Facts  Facts      `json:"facts"` // the track is made with these facts, or not at all
	Output string     `json:"output"`
}

// JoinJob makes one video of segments.
type JoinJob struct {
	Segments []SegmentFile `json:"segments"`
	Spec     RenderSpec    `json:"spec"`
	Alpha    bool          `json:"alpha,omitempty"` // the segments have alpha
	Track    string        `json:"track,omitempty"` // path of a finished track to put under the video
	Output   string        `json:"output"`          // path of the file, in a directory of its own; for "png" path of an existing directory
}

// SegmentFile is a finished segment.
type SegmentFile struct {
	Path   string `json:"path"`
	Frames int    `json:"frames"`
}

// StillJob makes a picture of a frame of a video: a PNG if Output is named so,
// else a JPEG.
type StillJob struct {
	Video string `json:"video"`
	Frame int    `json:"frame"` // from 0
	// Alpha: the video has alpha. A PNG keeps the alpha; a JPEG has white behind
	// the picture, as a browser has behind a page.
	Alpha  bool   `json:"alpha,omitempty"`
	Output string `json:"output"`
}

// StripJob makes small JPEG pictures of frames of a video without alpha, one directly
// after the other in one file: of frame 0, of frame Every, of frame 2 × Every, …
type StripJob struct {
	Segments []SegmentFile `json:"segments"`
	FPS      FPS           `json:"fps"`
	Every    int           `json:"every"`
	Width    int           `json:"width"` // pixels of a picture
	Height   int           `json:"height"`
	Output   string        `json:"output"`
}

// CompareJob makes one video of two videos with the same rate.
type CompareJob struct {
	Videos [2]string `json:"videos"`
	Frames [2]int    `json:"frames"` // frames of each video; the shorter video stands still at its end
	// Labels are words in the upper left corner: one for each side, or one for the
	// difference. They consist of digits, "v", "-" and spaces.
	Labels []string `json:"labels"`
	// Difference shows how far apart every colour of every pixel is, black where
	// the colours are equal, instead of both videos beside each other.
	Difference bool `json:"difference,omitempty"`
	// Sizes of the two videos as they are shown, in even pixels. The heights are
	// equal; for a difference the widths are equal, too.
	Widths  [2]int `json:"widths"`
	Height  int    `json:"height"`
	FPS     FPS    `json:"fps"`
	CRF     int    `json:"crf"`
	Preset  string `json:"preset"`
	Margins int    `json:"margins"` // pixels around labels
	Output  string `json:"output"`  // path of the .mp4
}

// Width is the width of the video, in pixels.
func (c CompareJob) Width() int {
	if c.Difference {
		return c.Widths[1]
	}
	return c.Widths[0] + c.Widths[1]
}

// Finished is what is known about the results of a FinishJob.
type Finished struct {
	Level Level `json:"level"` // of the sound of Track
}

// Level is how loud a sound is. If nothing can be measured, because the sound is
// silent or shorter than 0.4 s, Silent is set and the numbers are 0.
type Level struct {
	LUFS   float64 // integrated, by EBU R 128
	Peak   float64 // largest sample, 1 is full scale
	Silent bool
}

// LookJob looks at frames of a page. It makes a picture of one frame, or a sheet of
// several frames, for Exam with what is seen on them, or, for Bench, it measures the
// time the frames take.
type LookJob struct {
	Page   Page     `json:"page"`
	View   Viewport `json:"view"`
	Frames []int    `json:"frames"` // rising
	// Width and Height are the pixels of each picture.
	Width  int `json:"width"`
	Height int `json:"height"`
	// Columns of a sheet; 0: a picture of the one frame.
	Columns int `json:"columns,omitempty"`
	// Exam: the frames are looked at, too, and their sheet is a JPEG. Total is how many
	// frames the animation has.
	Exam  bool `json:"exam,omitempty"`
	Total int  `json:"total,omitempty"`
	// Bench measures the stages of drawing a video, and makes no picture.
	Bench *BenchJob `json:"bench,omitempty"`
}

// BenchJob is a video whose first frames are measured.
type BenchJob struct {
	Spec   RenderSpec `json:"spec"`
	Facts  Facts      `json:"facts"`
	Track  string     `json:"track,omitempty"` // path of a finished track, to measure the time to put it under a video
	Output string     `json:"output"`          // path of an mp4 of the frames, in a directory of its own
}

// Looked is the result of a LookJob.
type Looked struct {
	PNG     []byte   `json:"png,omitempty"`     // of an exam: a JPEG
	Mishaps []Mishap `json:"mishaps,omitempty"` // of the page
	// Of an exam.
	Sights   []Sight   `json:"sights,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	Bench    Bench     `json:"bench,omitzero"` // stages and limits of the measurement
}
