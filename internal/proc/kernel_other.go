//go:build !linux

package proc

import (
	"os"
	"syscall"
)

// setDeathSignal does nothing here: only the end of its pipes ends the child.
func setDeathSignal(*syscall.SysProcAttr) {}

// stayLow does nothing here: programs that give themselves a higher priority have it.
func stayLow() bool { return false }

// widen does nothing here: a pipe grows by itself, or not at all.
func widen(*os.File) {}
