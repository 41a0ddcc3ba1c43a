package control_test

import (
	"runtime"
	"syscall"
)

// nobody is the number of a user that owns nothing.
const nobody = 65534

// asNobody calls f as another user: in a thread of its own, which ends with it.
func asNobody(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, nobody); errno != 0 {
			done <- errno
			return
		}
		done <- f()
	}()
	return <-done
}
