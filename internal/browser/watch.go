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
	// glance is the time between two looks at the memory of a browser. In this time a
	// page that fills memory as fast as it can gets some hundred megabytes further.
	glance = 200 * time.Millisecond
	// census is the number of glances between two lists of the browser's processes. A
	// list needs a look at all processes of the machine, and a browser that starts makes
	// new processes all the time.
	census = 10
	// shift is the number of glances between two looks at whether a browser works. After
	// shifts looks without any work the browser has hung.
	shift  = 15
	shifts = 3
	// idle is the most CPU time that a browser without work asks for during a shift. A
	// browser at work asks for the whole shift.
	idle = shift * glance / 50
)

// errHung is the cause of a call that was given up because the browser does no work that
// could end the call.
var errHung = errors.New("the browser does nothing")

// call is a call that waits for the browser.
type call struct{ giveUp context.CancelCauseFunc }

// watch looks after a browser as long as the browser lives.
//
// If the browser's processes hold more memory than o.Memory, watch ends the browser. The
// limit is for all processes together: a page may fill the memory of its scripts, of its
// documents, of pictures in another process, or of buffers that belong to no process. No
// limit of the system or of Chromium bounds all of these.
//
// If no process wants the CPU for a while, watch gives up the call. A browser at work
// wants some CPU, however slow or busy the machine is. Only a graphics device may work
// instead of the CPU.
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

// vigil counts the shifts in which a browser did no work while a call waited for it.
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

// overdrawn says that the browser was ended because of the memory it held; otherwise nil.
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
