package render

import (
	"context"

	"github.com/koda-video/koda/internal/koda"
)

// Drawer draws, wherever it is: on this machine, in a guest, on a farm. Its jobs
// and answers are values, so that it can be asked over a wire; no frame is among
// them. Paths are those of this machine. When a method returns, what it started
// has ended. Its methods are called from several goroutines. Package drawtest
// holds drawers to this.
type Drawer interface {
	// Facts says what a video is drawn with: all that is in a byte of it, but the
	// page and what the job says. MISSING_TOOL when it cannot be drawn or written.
	Facts(ctx context.Context, job koda.FactsJob) (koda.Facts, error)
	// Inspect looks at a page: its frame keys, and what shines through its frames.
	Inspect(ctx context.Context, job koda.InspectJob) (koda.Inspected, error)
	// Draw makes the file of a segment, and tries again what another attempt may
	// not fail at. Equal jobs give equal bytes. Report is called from one
	// goroutine, and not after Draw returned.
	Draw(ctx context.Context, job koda.SegmentJob, report func(koda.SegmentProgress)) (koda.Drawn, error)
	// Finish makes something of finished segments: the joined video, its sound,
	// stills, a comparison.
	Finish(ctx context.Context, job koda.FinishJob) (koda.Finished, error)
	// Look makes pictures of frames, or measures what drawing costs.
	Look(ctx context.Context, job koda.LookJob) (koda.Looked, error)
}
