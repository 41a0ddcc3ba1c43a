package koda

import "errors"

// The jobs of a drawer, and what comes of them. All are values that JSON can
// carry, so that a drawer may be on another machine. A page travels as a value
// too, and not as a file system: it has all its files in memory, and a digest by
// which a far drawer knows the pages it has been sent. Paths are those of the
// machine the job comes from; who carries a job further carries the files.

// Why a drawer ends a job that can be done in another way. The pixels of a page
// are ErrRawWrong and ErrRawRefused.
var (
	// ErrUnfilled: the job is for a page that fills every frame, and by its own
	// word the page does not fill one.
	ErrUnfilled = errors.New("the page does not fill a frame by its own word")
	// ErrFacts: the machine is no longer what the facts of the job say. What was
	// drawn is not to be used.
	ErrFacts = errors.New("the machine changed while the video was drawn")
)

// FactsJob asks a drawer what it draws a video with.
type FactsJob struct {
	Spec RenderSpec `json:"spec"`
	View Viewport   `json:"view"` // Raw and Transparent are not decided yet
	// Anew: what was found out before about the browser does not count.
	Anew bool `json:"anew,omitempty"`
}

// Facts are what a drawer draws with.
type Facts struct {
	Capture  CaptureInfo `json:"capture"`
	FFmpeg   string      `json:"ffmpeg"`  // digest of all of its build that can change a byte
	Encoder  Encoder     `json:"encoder"` // of a graphics device, if it was asked for and answers
	Fonts    string      `json:"fonts"`   // digest
	Capacity Capacity    `json:"capacity"`
}

// Encoder is an encoder of a graphics device; the zero value is none.
type Encoder struct {
	Name   string `json:"name,omitempty"`   // of HardwareEncoders
	Device string `json:"device,omitempty"` // digest of what it makes of a test picture
	Note   string `json:"note,omitempty"`   // what became of the wish for it, for people
}

// Capacity is what a drawer may use of its machine.
type Capacity struct {
	CPUs   float64 `json:"cpus"`   // the quota, or the CPUs it may run on
	Memory int64   `json:"memory"` // bytes that workers can have without swapping; 0: unknown
	// What a worker needs for the video that was asked about, in bytes; and how
	// much more for a page with WebGL, and where pixels are read.
	Worker int64 `json:"worker"`
	WebGL  int64 `json:"webgl"`
	Raw    int64 `json:"raw"`
}

// Workers is how many segments may be drawn at once: one for each whole CPU, as
// a browser keeps 1.3 busy and its encoder half of one, and a second browser
// fills the gaps of the first; a part of a CPU only makes two wait for each
// other. Fewer where they would not fit into memory, but one always tries.
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
	// Shines are the frames that are looked at for something shining through; the
	// page is drawn for it, small and with alpha, whatever View says.
	Shines Span `json:"shines,omitzero"`
}

// Inspected is what was seen of a page.
type Inspected struct {
	Keys   []string `json:"keys,omitempty"` // of each span, as Drawn.Keys
	Shines bool     `json:"shines"`         // through one frame at least
}

// SegmentJob is a segment to draw.
type SegmentJob struct {
	Page  Page       `json:"page"`
	Spec  RenderSpec `json:"spec"`
	View  Viewport   `json:"view"`
	Facts Facts      `json:"facts"` // those the segment is drawn with, or not at all
	Span  Span       `json:"span"`
	// Forward: the page is brought to the segment through all frames before it.
	Forward bool `json:"forward,omitempty"`
	// Filled: the page is to say of each frame that it fills it; see ErrUnfilled.
	Filled bool   `json:"filled,omitempty"`
	Tries  int    `json:"tries"`  // how many browsers the segment may cost
	Beside int    `json:"beside"` // how many segments are drawn at the same time, this one included
	Output string `json:"output"` // path of the file
}

// SegmentProgress says how far a segment is. It goes back to nothing when the
// segment is begun anew.
type SegmentProgress struct {
	Passed int `json:"passed,omitempty"` // frames the page was brought forward through
	Drawn  int `json:"drawn"`
}

// Drawn is a segment whose file is whole.
type Drawn struct {
	Aside
	// Keys is a digest of the key of what the page shows first and of the keys of
	// all frames; "" for a page that does not name them all.
	Keys string `json:"keys,omitempty"`
	// Retries are sentences about browsers and encoders that failed on the way.
	Retries []string `json:"retries,omitempty"`
}

// Aside is what is kept beside the file of a segment, for every video that has it.
type Aside struct {
	Edge    *Edge    `json:"edge,omitempty"`    // nil for a page with frame keys
	Flat    string   `json:"flat,omitempty"`    // the one colour of all frames, "" where there are more
	Mishaps []Mishap `json:"mishaps,omitempty"` // of the page
}

// Edge is what a segment shows at its ends, as the mean colours of squares of
// pixels, row by row.
type Edge struct {
	First []byte `json:"first"` // its first frame
	Past  []byte `json:"past"`  // the frame after its last; nil at the end of the animation
	// Moves names what moves in the page by itself; "" when nothing is seen to.
	Moves string `json:"moves,omitempty"`
}

// FinishJob makes something of what was drawn. Those of its parts that are there
// are made, in their order.
type FinishJob struct {
	Track   *TrackJob   `json:"track,omitempty"`
	Join    *JoinJob    `json:"join,omitempty"`
	Stills  []StillJob  `json:"stills,omitempty"`
	Compare *CompareJob `json:"compare,omitempty"`
}

// TrackJob is the sound of a video: a file cut or repeated to its length.
type TrackJob struct {
	Input  string     `json:"input"` // path of an audio file
	Loop   bool       `json:"loop,omitempty"`
	Spec   RenderSpec `json:"spec"`
	Facts  Facts      `json:"facts"` // those the track is made with, or not at all
	Output string     `json:"output"`
}

// JoinJob makes one video of segments.
type JoinJob struct {
	Segments []SegmentFile `json:"segments"`
	Spec     RenderSpec    `json:"spec"`
	Alpha    bool          `json:"alpha,omitempty"` // the segments carry it
	Track    string        `json:"track,omitempty"` // path of a finished track to put under the video
	Output   string        `json:"output"`          // path of the file, in a directory of its own; for "png" of a directory that is there
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
	// Alpha: the video carries it. So does a PNG; behind a JPEG, which cannot,
	// lies white, as behind the page in a browser.
	Alpha  bool   `json:"alpha,omitempty"`
	Output string `json:"output"`
}

// CompareJob makes one video of two that have the same rate.
type CompareJob struct {
	Videos [2]string `json:"videos"`
	Frames [2]int    `json:"frames"` // of each; the shorter one stands still at its end
	// Labels are words in the upper left corner: of each side, or one for the
	// difference. They are made of digits, "v", "-" and spaces.
	Labels []string `json:"labels"`
	// Difference shows how far every colour of every pixel is apart, black
	// where they are equal, instead of both beside each other.
	Difference bool `json:"difference,omitempty"`
	// Sizes of the two as they are shown, in even pixels: of the same height, or
	// for a difference equal.
	Widths  [2]int `json:"widths"`
	Height  int    `json:"height"`
	FPS     FPS    `json:"fps"`
	CRF     int    `json:"crf"`
	Preset  string `json:"preset"`
	Margins int    `json:"margins"` // pixels around labels
	Output  string `json:"output"`  // path of the .mp4
}

// Width is that of the video, in pixels.
func (c CompareJob) Width() int {
	if c.Difference {
		return c.Widths[1]
	}
	return c.Widths[0] + c.Widths[1]
}

// Finished is what is known of what was made.
type Finished struct {
	Level Level `json:"level"` // of the sound of Track
}

// Level is how loud a sound is. Silent is one of which nothing can be measured:
// silence, or less than 0.4 s; the numbers are then 0.
type Level struct {
	LUFS   float64 // integrated, by EBU R 128
	Peak   float64 // largest sample, 1 is full scale
	Silent bool
}

// LookJob looks at frames of a page: at one, at several on one sheet, or, for
// Bench, at the time they take.
type LookJob struct {
	Page   Page     `json:"page"`
	View   Viewport `json:"view"`
	Frames []int    `json:"frames"` // rising
	// Width and Height are the pixels of each picture.
	Width  int `json:"width"`
	Height int `json:"height"`
	// Columns of a sheet; 0: a picture of the one frame.
	Columns int `json:"columns,omitempty"`
	// Bench measures the stages of drawing a video, and makes no picture.
	Bench *BenchJob `json:"bench,omitempty"`
}

// BenchJob is a video whose first frames are measured.
type BenchJob struct {
	Spec   RenderSpec `json:"spec"`
	Facts  Facts      `json:"facts"`
	Track  string     `json:"track,omitempty"` // path of a finished track, to measure what putting it under a video takes
	Output string     `json:"output"`          // path of an mp4 of the frames, in a directory of its own
}

// Looked is what was seen.
type Looked struct {
	PNG     []byte   `json:"png,omitempty"`
	Mishaps []Mishap `json:"mishaps,omitempty"` // of the page
	Bench   Bench    `json:"bench,omitzero"`    // its stages and limits
}
