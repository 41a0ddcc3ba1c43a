package docker

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// mostQuiet is how long the engine may say nothing while it builds or pulls an image: a
// large package takes minutes on a slow line, and nothing is said meanwhile.
const mostQuiet = 10 * time.Minute

// quietAsks is how often an engine that says nothing is asked, in that time, whether it
// still answers at all.
const quietAsks = 10

// watched is ctx for work that the engine tells of. It ends, with the cause, when the engine
// has said nothing for too long, or does not even answer a question meanwhile. Heard notes
// that the engine said something. The caller calls done.
func (e *Engine) watched(ctx context.Context) (watched context.Context, heard, done func()) {
	quiet := cmp.Or(e.cfg.Quiet, mostQuiet)
	watched, end := context.WithCancelCause(ctx)
	said := make(chan struct{}, 1)
	go func() {
		timer := time.NewTimer(quiet / quietAsks)
		defer timer.Stop()
		for asked := 0; ; timer.Reset(quiet / quietAsks) {
			select {
			case <-watched.Done():
				return
			case <-said:
				asked = 0
				continue
			case <-timer.C:
			}
			if asked++; asked == quietAsks {
				end(providerError(fmt.Sprintf("nothing was heard of it for %v", quiet), nil,
					"see whether this machine reaches Debian's and npm's packages; a command of sandbox-setup that works for long has to print something"))
				return
			}
			limited, cancel := context.WithTimeout(watched, min(answerTime, quiet))
			_, err := e.api.Ping(limited)
			cancel()
			if err != nil {
				end(engineError("ask the engine whether it still works", err))
				return
			}
		}
	}()
	heard = func() {
		select {
		case said <- struct{}{}:
		default: // it is noted already
		}
	}
	return watched, heard, func() { end(nil) }
}
