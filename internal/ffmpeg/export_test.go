package ffmpeg

import "time"

// SetPatience sets how long an ffmpeg may do nothing.
func (t *Tool) SetPatience(d time.Duration) { t.patience = d }

// Glances is how often koda looks at the ffmpeg in that time.
const Glances = glances

// Vigil counts the glances at a child.
type Vigil = vigil

// Asleep takes one glance and reports whether the child is asleep.
func (v *vigil) Asleep(waiting bool, taken, cpu int64) bool { return v.asleep(waiting, taken, cpu) }

// Lend writes to a child's input without copying.
var Lend = lend
