package proc

import (
	"os"
	"syscall"
)

// setDeathSignal asks the kernel to kill the child when koda dies.
func setDeathSignal(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

const (
	setPipeSize = 1031 // F_SETPIPE_SZ of fcntl(2)
	// pipeSize is the largest pipe that an ordinary user may have, unless somebody
	// changed the system's limit.
	pipeSize = 1 << 20
)

// widen lets a pipe hold more than the 64 kB it has at first. A picture of 8 MB then
// needs eight switches between two processes and not a hundred. If the system refuses,
// the pipe works as it is.
func widen(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { //nolint:errcheck // see above
			_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, pipeSize)
		})
	}
}
