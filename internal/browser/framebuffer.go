package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"syscall"
	"time"

	"github.com/chromedp/cdproto/headlessexperimental"

	"github.com/koda-video/koda/internal/koda"
)

// ringSize is how many pictures a tab keeps memory for; see Capture.
const ringSize = 6

// framebuffer is the place in the memory of the graphics process where the compositor of
// a tab's browser draws, together with koda's own memory for copies of the pictures.
//
// A software compositor draws into one bitmap, which lives as long as the window keeps
// its size. A screenshot copies this bitmap four times through fresh memory, which the
// kernel clears first, and then compresses it: five times the work of drawing a frame.
// Reading the bitmap in place takes one copy. The browser is koda's own child, so the
// kernel allows the reading, unless an administrator forbids all tracing.
//
// No interface tells where the bitmap lies. Koda fills the blank tab with two colours in
// turn and finds the bitmap by these colours. The first picture of each page is compared
// with a screenshot of the same drawing, and Confirm does the same at the end. The two
// are equal to the last bit, because each frame is composited whole (see control).
// Otherwise the bitmap would keep pixels of earlier frames where nothing changed, but a
// screenshot shows the tiles as they are now.
type framebuffer struct {
	pid           int
	width, height int
	pieces        []uintptr // where the pixels lie: one address, or one for each row

	ring    [ringSize][]byte
	next    int    // index in ring that is written next
	current []byte // the picture in the bitmap; nil before the first read
	frame   int    // the frame that was drawn last
}

// bitmap is the place of a picture in memory: the address of its first row, and the
// distance from row to row. At scales other than 1 the window is larger than its page,
// and so are the rows.
type bitmap struct{ address, stride uintptr }

func (b bitmap) pieces(width, height int) []uintptr {
	if b.stride == uintptr(4*width) {
		return []uintptr{b.address}
	}
	rows := make([]uintptr, height)
	for y := range rows {
		rows[y] = b.address + uintptr(y)*b.stride
	}
	return rows
}

// marks are the colours by which the bitmap is found. Each of their bytes differs between
// the two colours, and from the bytes of fresh memory.
var marks = [2]color.RGBA{{R: 0x5b, G: 0x91, B: 0x2e, A: 0xff}, {R: 0xc3, G: 0x17, B: 0xa9, A: 0xff}}

// findFramebuffer looks for the bitmap of a tab that shows a blank page.
func (t *Tab) findFramebuffer(ctx context.Context) (*framebuffer, error) {
	v := t.opts.Viewport
	f := &framebuffer{width: int(math.Round(float64(v.Width) * v.Scale)), height: int(math.Round(float64(v.Height) * v.Scale))}
	if f.pid = graphicsProcess(t.proc.child.PID()); f.pid == 0 {
		return nil, fmt.Errorf("%w: its graphics process is not to be seen", koda.ErrRawWrong)
	}
	var found []bitmap
	wait := time.Millisecond
	// A compositor that is still starting draws nothing at first.
	for tries := 0; len(found) == 0 && tries < 12; tries++ {
		if err := t.fill(ctx, marks[0]); err != nil {
			return nil, err
		}
		var err error
		if found, err = findBitmaps(f.pid, f.row(marks[0]), f.height); err != nil {
			return nil, err
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
		wait = min(2*wait, 50*time.Millisecond)
	}
	if err := t.fill(ctx, marks[1]); err != nil {
		return nil, err
	}
	var lasting [][]uintptr
	for _, b := range found {
		f.pieces = b.pieces(f.width, f.height)
		pixels, err := f.read()
		row := f.row(marks[1])
		for bytes.HasPrefix(pixels, row) {
			pixels = pixels[len(row):]
		}
		if err == nil && len(pixels) == 0 {
			lasting = append(lasting, f.pieces)
		}
	}
	if len(lasting) != 1 {
		return nil, fmt.Errorf("%w: %d places look like its picture", koda.ErrRawWrong, len(lasting))
	}
	f.pieces, f.current = lasting[0], nil
	return f, nil
}

// fill draws the blank page in one colour.
func (t *Tab) fill(ctx context.Context, c color.RGBA) error {
	_, err := t.evaluate(ctx, fmt.Sprintf("document.documentElement.style.background='rgb(%d,%d,%d)';''", c.R, c.G, c.B))
	for range 2 {
		if err != nil {
			return err
		}
		t.ticks = max(t.ticks, ticksAtLoad) + tickStep
		_, err = t.beginFrame(ctx, headlessexperimental.BeginFrameParams{FrameTimeTicks: t.ticks, Interval: t.interval()})
	}
	return err
}

func (f *framebuffer) size() int { return 4 * f.width * f.height }

// row is a row of pixels of one colour.
func (f *framebuffer) row(c color.RGBA) []byte {
	return bytes.Repeat([]byte{c.B, c.G, c.R, c.A}, f.width)
}

// read copies the picture into the next memory of the ring.
func (f *framebuffer) read() ([]byte, error) {
	if f.ring[f.next] == nil {
		f.ring[f.next] = make([]byte, f.size())
	}
	f.current = nil
	if err := readMemory(f.pid, f.ring[f.next], f.pieces); err != nil {
		return nil, err
	}
	f.current = f.ring[f.next]
	return f.current, nil
}

// keep protects the picture that was read last for the next ringSize-1 pictures. If this
// picture replaces the picture kept before, the memory of the replaced picture is used
// next.
func (f *framebuffer) keep(instead bool) {
	if instead {
		last := (f.next + ringSize - 1) % ringSize
		f.ring[last], f.ring[f.next] = f.ring[f.next], f.ring[last]
		return
	}
	f.next = (f.next + 1) % ringSize
}

// verify compares pixels with a screenshot of the same drawing.
func (f *framebuffer) verify(pixels, shot []byte) error {
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return fmt.Errorf("read picture: %w", err)
	}
	if size := picture.Bounds().Size(); size != image.Pt(f.width, f.height) {
		return fmt.Errorf("%w: it has %d×%d pixels, not %d×%d", koda.ErrRawWrong, size.X, size.Y, f.width, f.height)
	}
	if !samePixels(picture, pixels) {
		return koda.ErrRawWrong
	}
	return nil
}

// samePixels reports whether a picture of the browser, decoded by package png, has these
// pixels.
func samePixels(picture image.Image, pixels []byte) bool {
	var shot []byte
	switch p := picture.(type) {
	case *image.RGBA:
		shot = p.Pix
	case *image.NRGBA:
		shot = p.Pix
	}
	if len(shot) != len(pixels) {
		return false
	}
	for i := 0; i < len(pixels); i += 4 {
		if pixels[i] != shot[i+2] || pixels[i+1] != shot[i+1] || pixels[i+2] != shot[i] {
			return false
		}
	}
	return true
}

// readout draws a frame and reads its pixels.
func (t *Tab) readout(ctx context.Context, frame int) ([]byte, error) {
	f := t.buffer
	f.frame = frame
	res, err := t.drawAt(ctx, frame, nil)
	if err != nil {
		return nil, err
	}
	if !res.HasDamage && f.current != nil {
		return f.current, nil
	}
	pixels, err := f.read()
	return pixels, t.unread(err)
}

// checked draws what the page shows at the time of a frame, reads the pixels and compares
// them with a screenshot of the same drawing.
func (t *Tab) checked(ctx context.Context, frame int) ([]byte, error) {
	shot, err := t.picture(ctx, frame)
	if err != nil {
		return nil, err
	}
	pixels, err := t.buffer.read()
	if err == nil {
		err = t.buffer.verify(pixels, shot)
	}
	return pixels, t.unread(err)
}

// unread says why pixels could not be read or must not be used.
func (t *Tab) unread(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, syscall.ESRCH) {
		return t.proc.graphicsLost("its picture is gone")
	}
	e := &koda.Error{
		Code: koda.CodeCaptureFailed, Op: "read the browser's frame buffer", Err: err,
		Hint: "koda doctor says how frames are captured here",
	}
	switch {
	case refused(err):
		e.Err = fmt.Errorf("%w: %w", koda.ErrRawRefused, err)
	case errors.Is(err, syscall.EFAULT): // the bitmap moved
		e.Err = fmt.Errorf("%w: %w", koda.ErrRawWrong, err)
	}
	return e
}

// refused reports whether the system forbids reading memory at all.
func refused(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOSYS)
}

// Confirm makes sure, after the last Capture, that the raw pixels of this tab were
// right: the browser may have moved its bitmap unnoticed. Confirm draws the last frame
// once more and compares the pixels it reads with a screenshot of the same drawing. The
// error CAPTURE_FAILED with koda.ErrRawWrong says that the pictures of this tab must not
// be used; the page can be drawn without Viewport.Raw. Open and Capture fail in the same
// way when they cannot find the pixels, and with koda.ErrRawRefused when the system
// forbids koda to read them. Without raw pixels Confirm does nothing.
func (t *Tab) Confirm(ctx context.Context) error {
	if t.buffer == nil || t.buffer.current == nil {
		return nil
	}
	_, err := t.checked(ctx, t.buffer.frame)
	return err
}
