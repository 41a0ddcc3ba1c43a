//go:build !linux

package proc

import (
	"os"
	"syscall"
)

// setDeathSignal does nothing here: only the end of its pipes ends the child.
func setDeathSignal(*syscall.SysProcAttr) {}

// widen does nothing here: a pipe grows by itself, or not at all.
func widen(*os.File) {}
