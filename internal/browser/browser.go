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
	// Log, when set, receives each line the page writes to its console, and
	// what it was refused, one line at a time. It must not block: the browser's
	// replies wait for it.
	Log func(line string)
	// Film decodes a video or sound file of the page. Nil: none can be played.
	// The context lasts as long as the tab, which closes it.
	Film func(ctx context.Context, file []byte) (Film, error)
	// Memory is the most bytes the processes of the browser may hold, all of
	// them together; 0: no bound. One that holds more is ended, and calls fail
	// with OUT_OF_MEMORY. Only where the system tells, which Linux does.
	Memory int64

	// The bounds. 0 means the default.
	ReadyTimeout  time.Duration // from navigation to __exportReady; 15 s
	SettleTimeout time.Duration // for the promise of a seek; 5 s
	FrameTimeout  time.Duration // for one whole frame; 60 s
}

// Wanted is what a person says of the browser to draw with.
type Wanted struct {
	// Path is its binary; "" looks for one.
	Path string
	// Sandbox is "on", "off" or "auto", which "" is too: see the package.
	Sandbox string
}

// Moves names what moves in the page by itself, for people, such as "GSAP, timers";
// "" when nothing is seen to.
func (t *Tab) Moves(ctx context.Context) (string, error) {
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	return t.evaluate(bound, "__koda.player.moves()")
}

// FrameKey asks the page what frame n is drawn from; false when it offers no
// key.
func (t *Tab) FrameKey(ctx context.Context, frame int) (string, bool, error) {
	return t.key(ctx, "__koda.key("+strconv.FormatFloat(t.seconds(frame), 'g', -1, 64)+")", fmt.Sprintf("ask for the key of frame %d", frame))
}

// FirstKey asks the page what that is drawn from which it shows before the first
// Capture; false when it offers no key. It is the key of frame 0 where the page
// says nothing else.
func (t *Tab) FirstKey(ctx context.Context) (string, bool, error) {
	return t.key(ctx, "__koda.firstKey()", "ask for the key of what it shows first")
}

// Mishaps lists what the page did so far that cannot be meant: what it threw and
// did not catch, what it asked for in vain, which koda refuses where it is on the
// network, what no video can show as a browser does, and an element its code was
// to fill and left empty.
func (t *Tab) Mishaps() []koda.Mishap {
	return slices.Concat(t.diary.mishaps(), t.pace.mishaps(), t.emptyRoot())
}
