package main

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// unreadable runs a program that cannot read the memory of other processes, and
// neither can its children. Some kernels and containers forbid it like this.
func unreadable() {
	fmt.Fprintln(os.Stderr, "unreadable:", unreadableThen(os.Args[1:]))
	os.Exit(127)
}

// unreadableThen returns only if the program cannot be started.
func unreadableThen(args []string) error {
	program, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the filter applies to this thread and the program it becomes
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: unix.SYS_PROCESS_VM_READV},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(syscall.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	p := &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	err = unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, reflect.ValueOf(p).Pointer(), 0, 0)
	runtime.KeepAlive(p)
	if err != nil {
		return err
	}
	return syscall.Exec(program, args, os.Environ())
}
