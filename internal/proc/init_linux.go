package proc

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Init runs a child as the init of a container does, and returns the child's exit status
// when the child has ended: 128 + n after signal n. Meanwhile this process takes in every
// descendant whose parent ends, and reaps it. A child that was stopped goes on. It passes on the signals by which programs
// are ended. When end is closed, the child gets SIGTERM, and SIGKILL after grace. Before
// Init returns, it kills what is left of the descendants.
//
// Extra are descriptors 3, 4, … of the child, beside this process's own standard streams.
// Nothing else in this process may start or await children. Pipe, Stdin and Stderr of
// spec mean nothing here.
func Init(spec Spec, extra []*os.File, end <-chan struct{}, grace time.Duration) (status int, err error) {
	runtime.LockOSThread() // the kernel sends the death signal when the starting thread ends
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, os.NewSyscallError("prctl", err)
	}
	died := make(chan os.Signal, 1)
	signal.Notify(died, syscall.SIGCHLD)
	defer signal.Stop(died)
	told := make(chan os.Signal, 8)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(told)

	files := []uintptr{0, 1, 2}
	for _, f := range extra {
		files = append(files, f.Fd())
	}
	attr := &syscall.ProcAttr{Dir: spec.Dir, Env: spec.Env, Files: files, Sys: &syscall.SysProcAttr{Setpgid: true}}
	setDeathSignal(attr.Sys)
	pid, err := syscall.ForkExec(spec.Path, append([]string{spec.Path}, spec.Args...), attr)
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", spec.Path, err)
	}
	defer killChildren()
	var late <-chan time.Time
	tell := func(sig syscall.Signal) {
		_ = syscall.Kill(pid, sig) //nolint:errcheck // the child is not reaped yet, so it is there
	}
	for {
		select {
		case sig := <-told:
			if sig, ok := sig.(syscall.Signal); ok {
				tell(sig)
			}
		case <-end:
			tell(syscall.SIGTERM)
			end, late = nil, time.After(grace)
		case <-late:
			tell(syscall.SIGKILL)
		case <-died:
			if status, ended := reap(pid); ended {
				return status, nil
			}
		}
	}
}

// reap reaps all children that have ended, and says whether the child of that id is one
// of them.
func reap(child int) (status int, ended bool) {
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, syscall.WNOHANG|syscall.WUNTRACED, nil)
		switch {
		case err == syscall.EINTR: //nolint:errorlint // a bare number
		case pid <= 0:
			return status, ended
		case ws.Stopped():
			if pid == child { // another process did that
				_ = syscall.Kill(pid, syscall.SIGCONT) //nolint:errcheck // it is not reaped yet, so it is there
			}
		case pid == child && ws.Signaled():
			status, ended = 128+int(ws.Signal()), true
		case pid == child:
			status, ended = ws.ExitStatus(), true
		}
	}
}

// killChildren kills the children of this process until none is left: the children of a
// killed child come to this process.
func killChildren() {
	for {
		for pid := range members(os.Getpid(), statParent) {
			_ = syscall.Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may just have ended
		}
		if _, err := syscall.Wait4(-1, nil, 0, nil); err == syscall.ECHILD { //nolint:errorlint // a bare number
			return
		}
	}
}
