//go:build !linux

package proc

import "syscall"

// setDeathSignal does nothing here: only the end of its pipes ends the child.
func setDeathSignal(*syscall.SysProcAttr) {}
