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

// Frame is one captured frame.
type Frame struct {
	// PNG is the picture, nil when the viewport asks for raw pixels. It is
	// shared with later frames that look the same: do not write to it.
	PNG []byte
	// Pixels are the raw pixels, as koda.CaptureInfo.Raw describes them. They
	// too are shared, and stay as they are until the fifth picture after them
	// is captured.
	Pixels []byte
	// Damaged is false when nothing changed since the frame captured before,
	// whose bytes these then are.
	Damaged bool
}

// Bytes is the picture in whichever form it has.
func (f Frame) Bytes() []byte {
	if f.Pixels != nil {
		return f.Pixels
	}
	return f.PNG
}

// Find returns the absolute path of the browser's real binary: path when it is
// not empty, else the first browser found on the host. MISSING_TOOL when there
// is none.
func Find(ctx context.Context, host sandbox.Host, path string) (string, error) {
	return find(ctx, host, path)
}

// Wanted is what a person says of the browser to draw with.
type Wanted struct {
	// Path is its binary; "" looks for one.
	Path string
	// Sandbox is "on", "off" or "auto", which "" is too: see the package.
	Sandbox string
}

// Probe finds out how frames are captured with a browser, and whether its own
// sandbox holds: it really captures a frame of a page and of a WebGL canvas each way
// it considers, and looks at the pixels. GL of the answer may be "none". It
// takes a second or two; CachedProbe remembers the answer. MISSING_TOOL where a
// sandbox is wanted that this machine lets no browser make.
func Probe(ctx context.Context, host sandbox.Host, want Wanted) (koda.CaptureInfo, error) {
	return probe(ctx, host, want)
}

// CachedProbe is Probe with its answer kept in dir, an existing directory of
// this machine, for as long as the binary, the GL drivers and what confines koda
// stay the same.
func CachedProbe(ctx context.Context, host sandbox.Host, want Wanted, dir string) (koda.CaptureInfo, error) {
	return cachedProbe(ctx, host, want, dir)
}

// Reprobe is CachedProbe whose answer is found out anew: what a system allows
// may change while koda knows nothing of it.
func Reprobe(ctx context.Context, host sandbox.Host, want Wanted, dir string) (koda.CaptureInfo, error) {
	return reprobe(ctx, host, want, dir)
}

// Open starts a browser, loads the page and waits until it is ready. The
// caller must Close the tab. PAGE_FAILED says what the page did wrong.
func Open(ctx context.Context, opts Options) (*Tab, error) { return open(ctx, opts) }

// Capture shows frame n, at n/FPS seconds, and returns its picture. The bytes
// of a frame depend on the frames captured before it in this tab, so equal
// bytes need equal sequences from a fresh Open. A page that plays is first brought
// forward to the frame; its time does not go back.
func (t *Tab) Capture(ctx context.Context, frame int) (Frame, error) { return t.capture(ctx, frame) }

// Pass shows frame n as Capture does, and draws none of it: the page, which depends
// on what it showed before, is brought forward. A page that plays is passed through
// what lies between two frames by itself.
func (t *Tab) Pass(ctx context.Context, frame int) error { return t.pass(ctx, frame) }

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

// Confirm is to be called after the last Capture: where pictures are read out of
// the browser's memory it draws once more and compares what it reads with a
// screenshot of the same drawing, so that a bitmap the browser moved meanwhile
// cannot go unnoticed. CAPTURE_FAILED, with koda.ErrRawWrong, says that the
// pictures of this tab are not to be used; the page can be drawn without
// Viewport.Raw. Open and Capture fail in the same way where the pixels cannot be
// found, and with koda.ErrRawRefused where the system forbids to read them.
func (t *Tab) Confirm(ctx context.Context) error { return t.confirm(ctx) }

// Mishaps lists what the page did so far that cannot be meant: what it threw and
// did not catch, what it asked for in vain, which koda refuses where it is on the
// network, what no video can show as a browser does, and an element its code was
// to fill and left empty.
func (t *Tab) Mishaps() []koda.Mishap {
	return slices.Concat(t.diary.mishaps(), t.pace.mishaps(), t.emptyRoot())
}

// Close ends the browser, waits until its processes are gone and removes its
// files. Closing twice is not an error.
func (t *Tab) Close() error { return t.close() }
