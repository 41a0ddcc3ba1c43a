package proc

import "syscall"

// setDeathSignal asks the kernel to kill the child when koda dies.
func setDeathSignal(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
