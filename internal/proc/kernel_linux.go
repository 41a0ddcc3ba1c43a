package proc

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// setDeathSignal asks the kernel to kill the child when koda dies.
func setDeathSignal(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// stayLow keeps children of this thread from raising their priority, and reports whether it
// changed the thread. Only root needs that: Chromium gives most of its threads the usual
// priority again, or a higher one, where the system allows it.
func stayLow() bool {
	return unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_SYS_NICE, 0, 0, 0) == nil
}

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
