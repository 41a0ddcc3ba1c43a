package docker

import (
	"encoding/json"
	"slices"

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
//     own sandbox. Namespaces of mounts, hosts, messages and times stay forbidden: Chromium needs
//     none, and through mounts in a namespace the kernel was attacked most.
//   - socket makes the kinds of sockets that programs of a sandbox without network use, and
//     no other: root of a namespace of networks, which anybody is in a namespace of users,
//     could load filters into the kernel through the others. Programs of 32 bits do not run:
//     their socketcall hides the kind of a socket from a filter.
//   - chroot, which only root of such a namespace may call, takes the files away from
//     Chromium's processes.
//
// clone3 stays "not implemented", as by default: a filter cannot see its flags, and glibc
// falls back to clone.
func syscalls() (string, error) {
	profile := seccomp.DefaultProfile()
	for i := range profile.ArchMap {
		profile.ArchMap[i].SubArches = nil
	}
	profile.Syscalls = slices.DeleteFunc(profile.Syscalls, func(s *seccomp.Syscall) bool { return slices.Equal(s.Names, []string{"socket"}) })
	allow := func(comment string, args []specs.LinuxSeccompArg, names ...string) {
		profile.Syscalls = append(profile.Syscalls, &seccomp.Syscall{
			LinuxSyscall: specs.LinuxSyscall{Names: names, Action: specs.ActAllow, Args: args}, Comment: comment,
		})
	}
	kind := func(index uint, value uint64) specs.LinuxSeccompArg {
		return specs.LinuxSeccompArg{Index: index, Value: value, Op: specs.OpEqualTo}
	}
	for _, family := range []uint64{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6} {
		allow("sockets of programs", []specs.LinuxSeccompArg{kind(0, family)}, "socket")
	}
	allow("the addresses of this machine", []specs.LinuxSeccompArg{kind(0, unix.AF_NETLINK), kind(2, unix.NETLINK_ROUTE)}, "socket")
	allow("fast capture", nil, "process_vm_readv")
	allow("Chromium's sandbox", nil, "chroot")
	allow("Chromium's sandbox", []specs.LinuxSeccompArg{{
		Index: 0, Op: specs.OpMaskedEqual, ValueTwo: 0,
		Value: unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWTIME,
	}}, "clone", "unshare")
	data, err := json.Marshal(profile)
	return string(data), err
}
