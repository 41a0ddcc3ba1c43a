package hostos

import (
	"fmt"
	"io"
	"sync"

	"github.com/koda-video/koda/internal/sandbox"
)

// clipped keeps sandbox.MaxOutput bytes of a stream: its beginning and its end, or
// only its end. Several goroutines may write it.
type clipped struct {
	tail bool

	mu         sync.Mutex
	head, last []byte
	dropped    int64
}

// Write implements io.Writer.
func (c *clipped) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, most := len(b), sandbox.MaxOutput
	if !c.tail {
		most /= 2
		fits := min(most-len(c.head), len(b))
		c.head = append(c.head, b[:fits]...)
		b = b[fits:]
	}
	c.last = append(c.last, b...)
	if over := len(c.last) - most; over > 0 {
		c.dropped += int64(over)
		c.last = append(c.last[:0], c.last[over:]...)
	}
	return n, nil
}

// String is what is kept.
func (c *clipped) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dropped > 0 && !c.tail {
		return fmt.Sprintf("%s\n… %d bytes are left out here …\n%s", c.head, c.dropped, c.last)
	}
	return string(c.head) + string(c.last)
}

// and writes to w as well, which may be nil. What w fails to take is passed over.
func (c *clipped) and(w io.Writer) io.Writer {
	if w == nil {
		return c
	}
	return both{c, w}
}

type both struct {
	kept *clipped
	w    io.Writer
}

func (b both) Write(p []byte) (int, error) {
	_, _ = b.w.Write(p) //nolint:errcheck // who watches does not hold the command up
	return b.kept.Write(p)
}
