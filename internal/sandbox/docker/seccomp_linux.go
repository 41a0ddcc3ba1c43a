package docker

import (
	"encoding/json"

	"github.com/moby/profiles/seccomp"
	"github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

// syscalls is the seccomp profile of koda's containers as an engine takes it: Docker's
// default profile, and what an ordinary user without capabilities needs beyond it to draw.
// Engines differ in their default profiles: Docker 20.10 forbids process_vm_readv.
//
//   - process_vm_readv reads the frames in the memory of the browser. The kernel lets a
//     process read only processes of its own user that it could trace.
//   - clone and unshare, with namespaces of users, processes and networks, make Chromium's
//     own sandbox. Namespaces of mounts, hosts and messages stay forbidden: Chromium needs
//     none, and through mounts in a namespace the kernel was attacked most.
//   - chroot, which only root of such a namespace may call, takes the files away from
//     Chromium's processes.
//
// clone3 stays "not implemented", as by default: a filter cannot see its flags, and glibc
// falls back to clone.
func syscalls() (string, error) {
	profile := seccomp.DefaultProfile()
	allow := func(comment string, args []specs.LinuxSeccompArg, names ...string) {
		profile.Syscalls = append(profile.Syscalls, &seccomp.Syscall{
			LinuxSyscall: specs.LinuxSyscall{Names: names, Action: specs.ActAllow, Args: args}, Comment: comment,
		})
	}
	allow("fast capture", nil, "process_vm_readv")
	allow("Chromium's sandbox", nil, "chroot")
	allow("Chromium's sandbox", []specs.LinuxSeccompArg{{
		Index: 0, Op: specs.OpMaskedEqual, ValueTwo: 0,
		Value: unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC,
	}}, "clone", "unshare")
	data, err := json.Marshal(profile)
	return string(data), err
}
