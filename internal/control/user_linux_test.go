package control_test

import (
	"runtime"
	"syscall"
)

// nobody is the id of a user that owns no files.
const nobody = 65534

// asNobody calls f as another user, in a thread of its own that ends with f.
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
