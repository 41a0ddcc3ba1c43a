package render

import (
	"context"
	"io/fs"
	"time"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
)

// Tab is a page in a browser of its own. One goroutine uses it.
type Tab interface {
	// Capture draws a frame and returns it as PNG. Frames are asked for in
	// rising order.
	Capture(ctx context.Context, frame int) ([]byte, error)
	// FrameKey is the page's own name for everything the frame is drawn from;
	// false when the page offers none.
	FrameKey(ctx context.Context, frame int) (string, bool, error)
	// Close ends the browser and returns when it is gone.
	Close() error
}

// Config is what a Renderer is made of. All fields are needed unless said
// otherwise.
type Config struct {
	// Build makes the page of a version and reads its koda.json.
	Build func(ctx context.Context, files fs.FS) (koda.Page, koda.Manifest, error)
	// Probe says how frames are captured here.
	Probe func(ctx context.Context) (koda.CaptureInfo, error)
	// Open starts a browser and loads the page.
	Open   func(ctx context.Context, page koda.Page, view koda.Viewport) (Tab, error)
	FFmpeg *ffmpeg.Tool
	// Fonts is a digest of the fonts the browser sees.
	Fonts func(ctx context.Context) (string, error)
	// CacheDir keeps finished segments; it is made when missing.
	CacheDir string
	Now      func() time.Time
}

// Renderer implements the engine's Renderer. It may be used from several
// goroutines; renders of the same thing then share segments.
type Renderer struct {
	cfg Config
}

// New makes a Renderer. Nothing is started or written yet.
func New(cfg Config) *Renderer { return &Renderer{cfg: cfg} }
