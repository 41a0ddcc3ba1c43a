package browser

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Options says what to open and how.
type Options struct {
	Host     sandbox.Host
	Info     koda.CaptureInfo // from Probe
	Page     koda.Page
	Viewport koda.Viewport
	// Transparent keeps the alpha channel where the page has no background.
	Transparent bool
	// ExtraArgs are further browser flags, for tests and people's machines.
	ExtraArgs []string
	// Log, if it is set, receives each line that the page writes to its console, and each
	// request that koda refused, line by line. Log must not block: the browser's replies
	// wait for it.
	Log func(line string)
	// Film decodes a video or sound file of the page. Without Film, the page can play no
	// media. The context lasts as long as the tab, and the tab closes the film.
	Film func(ctx context.Context, file []byte) (Film, error)
	// Memory is the most bytes that all processes of the browser may hold together; 0
	// means no bound. A browser that holds more is ended, and calls fail with
	// OUT_OF_MEMORY. Only Linux tells how much memory processes hold.
	Memory int64

	// The bounds. 0 means the default.
	ReadyTimeout  time.Duration // from navigation to __exportReady; 15 s
	SettleTimeout time.Duration // for the promise of a seek; 5 s
	FrameTimeout  time.Duration // for one whole frame; 60 s
}

// Wanted is what a person says about the browser to draw with.
type Wanted struct {
	// Path is the browser's binary. If Path is empty, koda looks for a browser.
	Path string
	// Sandbox is "on", "off" or "auto"; "" means "auto". The package comment explains
	// them.
	Sandbox string
}

// Moves names for people what moves in the page by itself, such as "GSAP, timers". If
// nothing moves, the name is "".
func (t *Tab) Moves(ctx context.Context) (string, error) {
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	return t.evaluate(bound, "__koda.player.moves()")
}

// FrameKey asks the page for its name of all that frame n is drawn from. If the page
// offers no key, the answer is false.
func (t *Tab) FrameKey(ctx context.Context, frame int) (string, bool, error) {
	return t.key(ctx, "__koda.key("+strconv.FormatFloat(t.seconds(frame), 'g', -1, 64)+")", fmt.Sprintf("ask for the key of frame %d", frame))
}

// FirstKey asks the page for its name of all that the picture before the first Capture is
// drawn from. If the page offers no keys, the answer is false. If the page offers keys
// but no first key, the answer is the key of frame 0.
func (t *Tab) FirstKey(ctx context.Context) (string, bool, error) {
	return t.key(ctx, "__koda.firstKey()", "ask for the key of what it shows first")
}

// Mishaps lists what the page did so far that its author cannot have meant: exceptions
// that nobody caught, requests for files that do not exist or lie on the network, things
// that a video cannot show as a browser does, and an element that the page's code left
// empty.
func (t *Tab) Mishaps() []koda.Mishap {
	return slices.Concat(t.diary.mishaps(), t.pace.mishaps(), t.emptyRoot())
}

// Logged lists what the page logged as errors so far. Unlike mishaps, these may mean
// nothing.
func (t *Tab) Logged() []koda.Mishap {
	t.diary.mu.Lock()
	defer t.diary.mu.Unlock()
	return t.diary.errors.told()
}
