package hostos

import (
	"fmt"
	"io"
	"sync"

	"github.com/koda-video/koda/internal/sandbox"
)

// clipped keeps sandbox.MaxOutput bytes of a stream: its beginning and its end, or
// only its end. Several goroutines may write to it.
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
	grown := len(c.last) + len(b)
	c.last = keepEnd(c.last, b, most)
	c.dropped += int64(grown - len(c.last))
	return n, nil
}

// keepEnd appends b to kept and returns the last bytes, at most `most` of them, in
// the memory of kept.
func keepEnd(kept, b []byte, most int) []byte {
	kept = append(kept, b...)
	if over := len(kept) - most; over > 0 {
		kept = append(kept[:0], kept[over:]...)
	}
	return kept
}

// String returns the bytes that are kept.
func (c *clipped) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dropped > 0 && !c.tail {
		return fmt.Sprintf("%s\n… %d bytes are left out here …\n%s", c.head, c.dropped, c.last)
	}
	return string(c.head) + string(c.last)
}

// and writes to w as well, which may be nil. Errors of w are ignored.
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
	_, _ = b.w.Write(p) //nolint:errcheck // a slow or broken watcher must not hold up the command
	return b.kept.Write(p)
}
