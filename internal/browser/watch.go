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
	// shift is after how many glances it is looked at whether a browser works,
	// and shifts how many of them without any work are enough.
	shift  = 15
	shifts = 3
	// idle is the most of a shift that a browser asks of the CPU that does
	// nothing; one at work asks for all of it.
	idle = shift * glance / 50
)

// errHung is the cause of a call that was given up because the browser does
// nothing that could end it.
var errHung = errors.New("the browser does nothing")

// call is one that waits for the browser.
type call struct{ giveUp context.CancelCauseFunc }

// watch looks after a browser as long as it lives.
//
// It is ended when its processes hold more memory than o.Memory. The limit is for
// all of them together: what a page fills may be its scripts', its documents',
// pictures in another process, or buffers that belong to none, and no limit of
// the system or of Chromium bounds all of these.
//
// A call is given up when all of them want no CPU for a while. However slow or
// busy a machine is, a browser at work wants some. Only a graphics device may
// work in its place.
func (p *process) watch(life context.Context, o *Options) {
	ticks := time.NewTicker(glance)
	defer ticks.Stop()
	var pids []int
	var v vigil
	for n := 0; ; n++ {
		select {
		case <-life.Done():
			return
		case <-ticks.C:
		}
		if o.Memory > 0 && (n < census || n%census == 0) {
			pids = proc.Members(p.child.PID())
		}
		if held, ok := proc.Memory(pids); ok && held > o.Memory {
			p.spent.Store(o.Memory)
			p.child.Kill()
			return
		}
		if n%shift == 0 && !(o.Page.WebGL && o.Info.GL == glGPU) {
			v.look(p)
		}
	}
}

// vigil counts the shifts in which a browser that is waited for did not work.
type vigil struct {
	waits  *call
	wanted time.Duration
	idle   int
}

func (v *vigil) look(p *process) {
	waits := p.waits.Load()
	if waits == nil || waits != v.waits {
		*v = vigil{waits: waits, wanted: -1}
		return
	}
	wanted, ok := proc.Demand(p.child.PID())
	if ok && v.wanted >= 0 && wanted-v.wanted < idle {
		v.idle++
	} else {
		v.idle = 0
	}
	if v.wanted = wanted; v.idle == shifts {
		waits.giveUp(errHung)
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
