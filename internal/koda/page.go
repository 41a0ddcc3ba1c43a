package koda

import (
	"encoding/json"
	"errors"
	"math"
)

// Page is a version's animation ready to be opened: every byte the browser may
// ask for. There is no server behind it; what is not in it is refused.
type Page struct {
	// Files maps URL paths ("/index.html", "/app.js", "/images/logo.png") to
	// content. "/index.html" is the entry.
	Files map[string]PageFile
	// Digest is the hex SHA-256 over all paths and contents: equal digests
	// draw equal pictures.
	Digest string
	// Code is such a digest that leaves out the content of files imported with
	// ?keyed, of which a page promises that its pictures depend on them through
	// their frame keys alone. Frames with equal keys of pages with equal Code
	// are equal pictures. "" when the page has no such file.
	Code string
	// WebGL reports whether the code can draw with WebGL, so that pages that
	// cannot are given the cheaper software compositor.
	WebGL bool
}

// PageFile is one file of a Page.
type PageFile struct {
	Type string // media type, e.g. "text/javascript"
	Body []byte
}

// Viewport is how a page is laid out and sampled.
type Viewport struct {
	Width  int // CSS pixels
	Height int
	// Scale is device pixels per CSS pixel, from 0.5 up; a frame captured is
	// Width×Scale by Height×Scale pixels.
	Scale float64
	FPS   FPS             // frame n is shown at n/FPS seconds
	Props json.RawMessage // window.__kodaProps; nil: an empty object
	// Raw asks for frames as raw pixels instead of PNG; see CaptureInfo.Raw.
	Raw bool
	// Transparent keeps alpha where the page has no background, which is white
	// otherwise. Raw pixels have no alpha.
	Transparent bool
	// GLThreads is how many threads may draw WebGL where no GPU does; 0: one for
	// each CPU of the machine. It changes no pixel.
	GLThreads int
}

// CaptureInfo says how frames are captured on this machine, and why so.
type CaptureInfo struct {
	Browser string `json:"browser"` // absolute path of the binary
	Build   string `json:"build"`   // e.g. "HeadlessChrome/156.0.8078.73"
	Method  string `json:"method"`  // "framebuffer", "beginframe" or "screenshot"
	GL      string `json:"gl"`      // for pages with WebGL: "gpu", "llvmpipe", "swiftshader", or "none" where it does not work
	Why     string `json:"why"`     // one sentence
	// Sandbox says whether Chromium's own sandbox stands between a page and this
	// machine: "on", or "off", which SandboxWhy explains and SandboxFix mends. It
	// is in no byte.
	Sandbox    string `json:"sandbox"`
	SandboxWhy string `json:"sandboxWhy,omitempty"`
	SandboxFix string `json:"sandboxFix,omitempty"`
}

// MethodFramebuffer is the capture method that reads pixels out of the
// browser's memory; it gives PNG as well, by MethodBeginFrame.
const (
	MethodFramebuffer = "framebuffer"
	MethodBeginFrame  = "beginframe" // koda says when a frame is drawn, and takes a screenshot
)

// Why raw pixels cannot be had though CaptureInfo says so. The same frames can
// be had as PNG, and show the same.
var (
	// ErrRawWrong: those of this page are not what the browser draws.
	ErrRawWrong = errors.New("the pixels read from the browser's memory are not those of a screenshot")
	// ErrRawRefused: the system no longer allows it, for any page.
	ErrRawRefused = errors.New("this system does not let koda read the browser's memory")
)

// Raw reports whether frames of a page can be had as raw pixels: rows of
// Width×Scale pixels from the top, each of the bytes blue, green, red and one
// that means nothing. It depends on what is asked for and on the method only.
// A GPU that draws the page keeps its pixels to itself, and a window shows no
// more pixels than its page has CSS pixels.
func (c CaptureInfo) Raw(p Page, v Viewport) bool {
	whole := func(length int) bool {
		n := float64(length) * v.Scale
		return n == math.Trunc(n)
	}
	return c.Method == MethodFramebuffer && v.Scale <= 1 && !(p.WebGL && c.GL == "gpu") && whole(v.Width) && whole(v.Height)
}
