package draw

import (
	"io/fs"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// GLThreads, OOMKills and Label are glThreads, oomKills and label, for tests.
var (
	GLThreads = glThreads
	OOMKills  = oomKills
	Label     = label
)

// DefaultWorkers is how many workers this machine gets for a spec.
func DefaultWorkers(spec koda.RenderSpec) int {
	return machine().of(spec, full(spec)).Workers(false, false)
}

// Workers is how many workers a machine described by /proc and /sys/fs/cgroup
// below root gets.
func Workers(root fs.FS, allowed int, spec koda.RenderSpec, webGL, raw bool) int {
	return capacityOf(root, allowed).of(spec, full(spec)).Workers(webGL, raw)
}

func full(spec koda.RenderSpec) koda.Viewport {
	return koda.Viewport{Width: spec.PageWidth, Height: spec.PageHeight, Scale: 1}
}

// BrowserMemoryOf is the memory that a browser may use on such a machine.
func BrowserMemoryOf(root fs.FS, allowed int) int64 { return capacityOf(root, allowed).browserMemory() }

// NewGlimpser is what makes the glimpses of a segment.
func NewGlimpser(now func() time.Time, width int) func(picture []byte, frame int, fps koda.FPS) *koda.Glimpse {
	return (&glimpser{now: now, width: width}).of
}
