package browser

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
)

const (
	// glance is how often it is looked at how much memory a browser holds. A
	// page that fills memory as fast as it can gets some hundred megabytes
	// further in this time.
	glance = 200 * time.Millisecond
	// census is after how many glances the browser's processes are listed anew,
	// which takes a look at all of the machine's; a browser that starts makes
	// new ones all the time.
	census = 10
)

// watch ends the browser when its processes hold more memory than that. The
// limit is for all of them together: what a page fills may be its scripts', its
// documents', pictures in another process, or buffers that belong to none, and
// no limit of the system or of Chromium bounds all of these.
func (p *process) watch(life context.Context, most int64) {
	if most <= 0 {
		return
	}
	ticks := time.NewTicker(glance)
	defer ticks.Stop()
	var pids []int
	for n := 0; ; n++ {
		select {
		case <-life.Done():
			return
		case <-ticks.C:
		}
		if n < census || n%census == 0 {
			pids = proc.Members(p.child.PID())
		}
		if held, ok := proc.Memory(pids); ok && held > most {
			p.spent.Store(most)
			p.child.Kill()
			return
		}
	}
}

// overdrawn says that the browser was ended for the memory it held; nil when it
// was not.
func (p *process) overdrawn() error {
	most := p.spent.Load()
	if most == 0 {
		return nil
	}
	return &koda.Error{
		Code: koda.CodeOutOfMemory, Op: fmt.Sprintf("the page took more than the %.2g GB of memory a browser may", float64(most)/1e9),
		Err: errors.New("its browser was ended"), Lasting: true,
		Hint: fmt.Sprintf("make the page hold on to less, or allow it more: koda config set browser-memory %.0fGB", math.Ceil(float64(most)/5e8)),
	}
}
