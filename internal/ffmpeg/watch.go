package ffmpeg

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
)

// A driver, a network disk or a broken build can leave ffmpeg asleep for ever. When
// koda waits for an ffmpeg that takes no CPU time, koda kills it: however slow a
// machine is, a program at work takes some. Linux tells the CPU time of a program;
// where a system does not, nothing is killed.
const (
	patience = time.Minute // how long a child may do nothing
	glances  = 12          // at a child in that time
)

// errAsleep is the reason to kill an ffmpeg that does nothing.
var errAsleep = errors.New("ffmpeg did nothing for a minute")

// watch looks after a child.
type watch struct {
	waiting atomic.Bool  // koda waits for the child
	taken   atomic.Int64 // pictures it took
	killed  atomic.Bool
	done    chan struct{}
}

// watched begins to look after a child; stop ends it.
func (t *Tool) watched(child sandbox.Process, waiting bool) *watch {
	w := &watch{done: make(chan struct{})}
	w.waiting.Store(waiting)
	go func() {
		ticks := time.NewTicker(t.patience / glances)
		defer ticks.Stop()
		var v vigil
		for {
			select {
			case <-w.done:
				return
			case <-ticks.C:
			}
			if cpu, ok := proc.CPUTime(child.PID()); ok && v.asleep(w.waiting.Load(), w.taken.Load(), cpu) {
				w.killed.Store(true)
				child.Kill()
				return
			}
		}
	}()
	return w
}

func (w *watch) stop() { close(w.done) }

// cause is why the child ended: err, unless koda killed the child here.
func (w *watch) cause(err error) error {
	if w.killed.Load() {
		return errAsleep
	}
	return err
}

// vigil counts the glances at a child that showed no sign of life.
type vigil struct {
	taken, cpu int64
	idle       int
}

// asleep takes a glance at the child, and reports whether there were enough glances
// without a sign of life.
func (v *vigil) asleep(waiting bool, taken, cpu int64) bool {
	if !waiting || taken != v.taken || cpu != v.cpu {
		*v = vigil{taken: taken, cpu: cpu}
		return false
	}
	v.idle++
	return v.idle >= glances
}
