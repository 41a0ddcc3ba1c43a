package render

import (
	"io/fs"

	"github.com/koda-video/koda/internal/koda"
)

// SegmentSize is segmentSize, for tests.
var SegmentSize = segmentSize

// OOMKills is oomKills, for tests.
var OOMKills = oomKills

// DefaultWorkers is how many workers this machine gets for a spec.
func DefaultWorkers(spec koda.RenderSpec) int {
	return machine().workers(spec, koda.Viewport{Width: spec.PageWidth, Height: spec.PageHeight, Scale: 1}, false)
}

// Workers is how many workers a machine described by /proc and /sys/fs/cgroup
// below root gets.
func Workers(root fs.FS, allowed int, spec koda.RenderSpec, webGL bool) int {
	view := koda.Viewport{Width: spec.PageWidth, Height: spec.PageHeight, Scale: 1}
	return capacityOf(root, allowed).workers(spec, view, webGL)
}
