package render

import (
	"context"

	"github.com/koda-video/koda/internal/koda"
)

// Drawer draws, wherever it is: on this machine, in a guest, on a farm. Its jobs
// and answers are values, so that it can be asked over a wire; they hold no frames.
// Paths are paths of this machine. When a method returns, everything it started has
// ended. Its methods are called from several goroutines. Package drawtest tests
// this contract.
type Drawer interface {
	// Facts says what a video is drawn with: everything its bytes depend on, except
	// the page and the job. MISSING_TOOL: the video cannot be drawn or written.
	Facts(ctx context.Context, job koda.FactsJob) (koda.Facts, error)
	// Inspect looks at a page: its frame keys, and the transparent parts of its
	// frames.
	Inspect(ctx context.Context, job koda.InspectJob) (koda.Inspected, error)
	// Draw makes the file of a segment. If another attempt may succeed, Draw tries
	// again. Equal jobs give equal bytes. Report is called from one goroutine, and
	// not after Draw returned.
	Draw(ctx context.Context, job koda.SegmentJob, report func(koda.SegmentProgress)) (koda.Drawn, error)
	// Finish makes the joined video, its sound, stills or a comparison from
	// finished segments.
	Finish(ctx context.Context, job koda.FinishJob) (koda.Finished, error)
	// Look makes pictures of frames, or measures what drawing costs.
	Look(ctx context.Context, job koda.LookJob) (koda.Looked, error)
}
