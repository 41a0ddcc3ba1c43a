package koda

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
)

// Page is a version's animation ready to be opened: every byte the browser may ask
// for. There is no server behind the page; a request for anything else is refused.
type Page struct {
	// Files maps URL paths ("/index.html", "/app.js", "/images/logo.png") to
	// content. "/index.html" is the entry.
	Files map[string]PageFile
	// Digest is the hex SHA-256 over all paths and contents, and over Plays: equal
	// digests draw equal pictures.
	Digest string
	// Code is a digest like Digest that leaves out the content of files imported
	// with ?keyed. The page promises that its pictures depend on these files only
	// through their frame keys. Frames with equal keys of pages with equal Code are
	// equal pictures. Code is "" when the page has no such file.
	Code string
	// WebGL reports whether the code can draw with WebGL. Other pages get the
	// cheaper software compositor.
	WebGL bool
	// Plays says that the page plays by itself: time runs from 0 on, frame by
	// frame, and window.__exportSeekTo is not called. A page plays when koda.json
	// says so by "play", or when no file of the page names __exportSeekTo. Both
	// digests cover Plays.
	Plays bool
	// Signals reports whether a file of the page names __exportReady. A page that
	// plays and does not signal is ready once its document is complete and nothing
	// is missing or in flight.
	Signals bool
	// OwnFonts says that the page brings the fonts of all its texts, and koda wrote all
	// of its code: no font of the machine is in its pictures.
	OwnFonts bool
	// Maps are source maps of bundles, by path. They say only where code comes from, and
	// are in no digest.
	Maps map[string][]byte `json:",omitempty"`
	// Left are paths of files that are in the directory and not in the page, and
	// the reason, in a few words.
	Left map[string]string
	// Warnings are sentences about the page that a person should read.
	Warnings []string
}

// moduleMark begins the line before each module of a bundle, and names its file.
var moduleMark = regexp.MustCompile(`^// (?:project:)?([^\s:]+\.\w+)$`)

// Origin is the file that a line of a bundle comes from, and the text of the line.
// Lines count from 0. File is "" when the file at that path is not a bundle.
func (p Page) Origin(path string, line int) (file, code string) {
	if !strings.HasPrefix(path, BundlePath+"/") {
		return "", ""
	}
	lines := strings.SplitN(string(p.Files[path].Body), "\n", line+2)
	if line < 0 || line >= len(lines) {
		return "", ""
	}
	for i := line; i >= 0; i-- {
		if mark := moduleMark.FindStringSubmatch(lines[i]); mark != nil {
			return mark[1], strings.TrimSpace(lines[line])
		}
	}
	return "", ""
}

// BundlePath is the directory, in a page, of files that koda made from other files.
const BundlePath = "/_koda"

// PageFile is one file of a Page.
type PageFile struct {
	Type string // media type, e.g. "text/javascript"
	Body []byte
}

// Mishap is something a page did that cannot be intended, though its frames could
// be captured: a sentence, and how often it happened.
type Mishap struct {
	What  string `json:"what"`
	Times int    `json:"times"`
}

// String is the sentence.
func (m Mishap) String() string {
	if m.Times > 1 {
		return fmt.Sprintf("%s (%d times)", m.What, m.Times)
	}
	return m.What
}

// Viewport is how a page is laid out and sampled.
type Viewport struct {
	Width  int // CSS pixels
	Height int
	// Scale is device pixels per CSS pixel, at least MinScale; a captured frame has
	// Width×Scale by Height×Scale pixels.
	Scale float64
	FPS   FPS             // frame n is shown at n/FPS seconds
	Props json.RawMessage `json:",omitempty"` // window.__kodaProps; nil: an empty object
	// Raw asks for frames as raw pixels instead of PNG; see CaptureInfo.Raw.
	Raw bool
	// Transparent keeps alpha where the page has no background; otherwise white
	// lies there. Raw pixels have no alpha.
	Transparent bool
	// GLThreads is how many threads may draw WebGL where no GPU does; 0: one for
	// each CPU of the machine. The number changes no pixel.
	GLThreads int
	// Rounds is how often animation frame callbacks run at the time of a frame, for
	// pages whose callbacks ask for further callbacks. With 0 they run until the
	// picture is steady; that is found out for each frame. With 1 or more, for
	// frames captured in a row, they run so often; the result is checked at times,
	// and a *RoundsError says that more rounds are needed.
	Rounds int
}

// Pixels is the size of a captured frame before the browser rounds it.
func (v Viewport) Pixels() (width, height float64) {
	return float64(v.Width) * v.Scale, float64(v.Height) * v.Scale
}

// RoundsNever are the Rounds of a page that draws something else in each round:
// each frame gets one round, and nothing is checked.
const RoundsNever = -1

// RoundsError ends a capture: frames captured before it had fewer rounds of
// animation frame callbacks than they need. The next capture is to begin with
// Rounds rounds.
type RoundsError struct{ Rounds int }

// Error implements error.
func (e *RoundsError) Error() string {
	if e.Rounds == RoundsNever {
		return "the page draws something else in each round of animation frame callbacks"
	}
	return fmt.Sprintf("the page needs %d rounds of animation frame callbacks for a frame", e.Rounds)
}

// CaptureInfo says how frames are captured on this machine, and why.
type CaptureInfo struct {
	Browser string `json:"browser"` // absolute path of the binary
	Build   string `json:"build"`   // e.g. "HeadlessChrome/156.0.8078.73"
	Method  string `json:"method"`  // "framebuffer", "beginframe" or "screenshot"
	GL      string `json:"gl"`      // for pages with WebGL: "gpu", "llvmpipe", "swiftshader", or "none" where it does not work
	Why     string `json:"why"`     // one sentence
	// Sandbox says whether Chromium's own sandbox stands between a page and this
	// machine: "on" or "off". If it is off, SandboxWhy explains why and SandboxFix
	// says how to turn it on. The sandbox changes no byte of a video.
	Sandbox    string `json:"sandbox"`
	SandboxWhy string `json:"sandboxWhy,omitempty"`
	SandboxFix string `json:"sandboxFix,omitempty"`
}

// MethodFramebuffer is the capture method that reads pixels out of the browser's
// memory; it takes PNGs by MethodBeginFrame.
const (
	MethodFramebuffer = "framebuffer"
	MethodBeginFrame  = "beginframe" // koda says when a frame is drawn, and takes a screenshot of it
)

// Errors that raw pixels cannot be had although CaptureInfo says so. PNGs of the
// same frames can be had, and show the same picture.
var (
	// ErrRawWrong: the raw pixels of this page are not what the browser draws.
	ErrRawWrong = errors.New("the pixels read from the browser's memory are not those of a screenshot")
	// ErrRawRefused: the system no longer allows koda to read them, for any page.
	ErrRawRefused = errors.New("this system does not let koda read the browser's memory")
)

// Raw reports whether frames of a page can be had as raw pixels: rows of
// Width×Scale pixels from the top, each of four bytes, blue, green, red and a byte
// without meaning. The answer depends only on what is asked for and on the method.
// A GPU that draws the page keeps its pixels to itself, and a window shows no more
// pixels than its page has CSS pixels.
func (c CaptureInfo) Raw(p Page, v Viewport) bool {
	whole := func(length int) bool {
		n := float64(length) * v.Scale
		return n == math.Trunc(n)
	}
	return c.Method == MethodFramebuffer && v.Scale <= 1 && !(p.WebGL && c.GL == "gpu") && whole(v.Width) && whole(v.Height)
}
