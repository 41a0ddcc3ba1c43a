// Command attack tries to get out of a container by system calls that a shell cannot make.
//
//	attack NAME [ARG...]
//	attack user NAME [ARG...]   the same as root of new namespaces of users, processes and networks
//
// It prints "through: NAME" if the attack went through, else the error.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func main() {
	name, args := os.Args[1], os.Args[2:]
	if name == "user" {
		user(args)
		return
	}
	runtime.LockOSThread()
	err := attacks[name](append(args, "", ""))
	if err == nil {
		fmt.Println("through:", name)
		return
	}
	fmt.Println(err)
}

// user runs an attack as root of a new namespace of users.
func user(args []string) {
	exe, err := os.Executable()
	if err != nil {
		fmt.Println(err)
		return
	}
	cmd := exec.Command(exe, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{Size: 1, HostID: os.Getuid()}},
		GidMappings: []syscall.SysProcIDMap{{Size: 1, HostID: os.Getgid()}},
	}
	if err := cmd.Run(); err != nil {
		fmt.Println("no namespace:", err)
	}
}

// call makes a bare system call.
func call(nr uintptr, args ...uintptr) func([]string) error {
	args = append(args, 0, 0, 0, 0, 0, 0)
	return func([]string) error {
		_, _, e := unix.RawSyscall6(nr, args[0], args[1], args[2], args[3], args[4], args[5])
		if e != 0 {
			return e
		}
		return nil
	}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

// socket opens a socket: family, type, protocol.
func socket(family, kind, protocol int) func([]string) error {
	return func([]string) error {
		fd, err := unix.Socket(family, kind, protocol)
		if err == nil {
			_ = unix.Close(fd)
		}
		return err
	}
}

func unshare(flags int) func([]string) error {
	return func([]string) error { return unix.Unshare(flags) }
}

func at(path string) *byte {
	b, err := unix.BytePtrFromString(path)
	if err != nil {
		panic(err)
	}
	kept = append(kept, b)
	return b
}

var (
	kept    []*byte       // the collector does not see the addresses above
	bad     = ^uintptr(0) // no descriptor
	invalid = unix.Timespec{Nsec: 2e9}
	none    [64]byte
)

var attacks = map[string]func([]string) error{
	// Files and mounts.
	"mount-tmpfs": func([]string) error { return unix.Mount("tmpfs", "/tmp", "tmpfs", 0, "") },
	"mount-proc":  func([]string) error { return unix.Mount("proc", "/tmp", "proc", 0, "") },
	"mount-bind":  func([]string) error { return unix.Mount("/", "/tmp", "", unix.MS_BIND|unix.MS_REC, "") },
	"mount-over":  func([]string) error { return unix.Mount("overlay", "/tmp", "overlay", 0, "lowerdir=/etc:/usr") },
	"remount":     func([]string) error { return unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND, "") },
	"unmask":      func([]string) error { return unix.Unmount("/proc/kcore", unix.MNT_DETACH) },
	"pivot":       func([]string) error { return unix.PivotRoot("/tmp", "/tmp") },
	"fsopen": func([]string) error {
		_, err := unix.Fsopen("tmpfs", 0)
		return err
	},
	"open-tree": func([]string) error {
		_, err := unix.OpenTree(unix.AT_FDCWD, "/", unix.OPEN_TREE_CLONE)
		return err
	},
	"move-mount":   func([]string) error { return unix.MoveMount(-1, "", -1, "/tmp", 0) },
	"mount-attr":   call(unix.SYS_MOUNT_SETATTR, bad, uintptr(unsafe.Pointer(at("/"))), 0, uintptr(unsafe.Pointer(&none)), 32),
	"chroot":       func([]string) error { return unix.Chroot("/tmp") },
	"chroot-dots":  dots,
	"mknod-memory": func([]string) error { return unix.Mknod("/tmp/mem", unix.S_IFCHR|0o666, int(unix.Mkdev(1, 1))) },
	"mknod-disk":   func([]string) error { return unix.Mknod("/tmp/disk", unix.S_IFBLK|0o666, int(unix.Mkdev(254, 0))) },
	"handle":       handle,
	"chown-root":   func([]string) error { return os.Chown("/tmp/attack", 0, 0) },
	"setns": func(a []string) error {
		f, err := os.Open("/proc/1/ns/" + a[0])
		if err != nil {
			return errors.Unwrap(err)
		}
		return unix.Setns(int(f.Fd()), 0)
	},
	"unshare-mount":  unshare(unix.CLONE_NEWUSER | unix.CLONE_NEWNS),
	"unshare-cgroup": unshare(unix.CLONE_NEWUSER | unix.CLONE_NEWCGROUP),
	"unshare-ipc":    unshare(unix.CLONE_NEWUSER | unix.CLONE_NEWIPC),
	"unshare-uts":    unshare(unix.CLONE_NEWUSER | unix.CLONE_NEWUTS),
	"unshare-time":   unshare(unix.CLONE_NEWUSER | unix.CLONE_NEWTIME),
	"clone3":         call(unix.SYS_CLONE3, 0, 0),

	// The kernel. Arguments are invalid, so that an open door harms nothing.
	"module":    call(unix.SYS_INIT_MODULE, uintptr(unsafe.Pointer(&none)), 0, uintptr(unsafe.Pointer(&none))),
	"module-fd": call(unix.SYS_FINIT_MODULE, bad, uintptr(unsafe.Pointer(&none)), 0),
	"unmodule":  call(unix.SYS_DELETE_MODULE, uintptr(unsafe.Pointer(at("no_such_module"))), 0),
	"kexec":     call(unix.SYS_KEXEC_LOAD, 0, 17, 0, 1<<3),
	"reboot":    call(unix.SYS_REBOOT, 0, 0, 0),
	"clock":     func([]string) error { return unix.ClockSettime(unix.CLOCK_REALTIME, &invalid) },
	"adjust": func([]string) error {
		_, err := unix.ClockAdjtime(unix.CLOCK_REALTIME, &unix.Timex{Modes: unix.ADJ_TICK, Tick: 1})
		return err
	},
	"bpf":         call(unix.SYS_BPF, 99, uintptr(unsafe.Pointer(&none)), 8),
	"perf":        call(unix.SYS_PERF_EVENT_OPEN, uintptr(unsafe.Pointer(&none)), 0, bad, bad, 0),
	"io-uring":    call(unix.SYS_IO_URING_SETUP, 0, uintptr(unsafe.Pointer(&none))),
	"userfault":   call(unix.SYS_USERFAULTFD, 99),
	"key-add":     call(unix.SYS_ADD_KEY, 0, 0, 0, 0, 0),
	"key-request": call(unix.SYS_REQUEST_KEY, 0, 0, 0, 0),
	"keyctl":      call(unix.SYS_KEYCTL, unix.KEYCTL_GET_KEYRING_ID, ^uintptr(2), 0),
	"swap":        call(unix.SYS_SWAPON, uintptr(unsafe.Pointer(at("/no-such-file"))), 0),
	"account":     call(unix.SYS_ACCT, uintptr(unsafe.Pointer(at("/no-such-file")))),
	"quota":       call(unix.SYS_QUOTACTL, bad, 0, 0, 0),
	"kernel-log":  call(unix.SYS_SYSLOG, 10, 0, 0),
	"pages-move":  call(unix.SYS_MOVE_PAGES, 1, 0, 0, 0, 0, 0),
	"name":        func([]string) error { return unix.Sethostname([]byte("attack")) },
	"realtime": func([]string) error {
		return unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: 1, Priority: 50}, 0)
	},
	"nice":       func([]string) error { return unix.Setpriority(unix.PRIO_PROCESS, 0, -20) },
	"unkillable": func([]string) error { return os.WriteFile("/proc/self/oom_score_adj", []byte("-1000"), 0) },
	"limit": func([]string) error {
		return unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20})
	},
	"core-dump": func([]string) error {
		return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20})
	},

	// Rights.
	"root":   func([]string) error { return unix.Setresuid(0, 0, 0) },
	"group":  func([]string) error { return unix.Setresgid(0, 0, 0) },
	"groups": func([]string) error { return unix.Setgroups([]int{0}) },
	"privs":  func([]string) error { return unix.Prctl(unix.PR_CAPBSET_READ, 99, 0, 0, 0) },
	"capset": func([]string) error {
		h := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		d := [2]unix.CapUserData{{Effective: 1 << 21, Permitted: 1 << 21}}
		return unix.Capset(&h, &d[0])
	},

	// Other processes.
	"trace": func(a []string) error {
		pid := number(a[0])
		if err := unix.PtraceAttach(pid); err != nil {
			return err
		}
		if _, err := unix.Wait4(pid, nil, 0, nil); err != nil { // else it would stay stopped
			return err
		}
		return unix.PtraceDetach(pid)
	},
	"read-memory": func(a []string) error { return memory(number(a[0]), unix.SYS_PROCESS_VM_READV) },
	// What drawing needs: a child's memory, and namespaces.
	"read-child": func([]string) error {
		child := exec.Command("/bin/sleep", "60")
		if err := child.Start(); err != nil {
			return err
		}
		defer child.Process.Kill()
		return memory(child.Process.Pid, unix.SYS_PROCESS_VM_READV)
	},
	"nothing":      func([]string) error { return nil },
	"write-memory": func(a []string) error { return memory(number(a[0]), unix.SYS_PROCESS_VM_WRITEV) },
	"take-fd": func(a []string) error {
		fd, err := unix.PidfdOpen(number(a[0]), 0)
		if err != nil {
			return err
		}
		_, err = unix.PidfdGetfd(fd, 1, 0)
		return err
	},
	"compare": call(unix.SYS_KCMP, 1, 1, 0, 0, 0),

	// The network.
	"packet":    socket(unix.AF_PACKET, unix.SOCK_RAW, 0),
	"raw":       socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP),
	"vsock":     socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0),
	"crypto":    socket(unix.AF_ALG, unix.SOCK_SEQPACKET, 0),
	"netfilter": socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_NETFILTER),
	"xfrm":      socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_XFRM),
	"audit":     socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT),
	"generic":   socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_GENERIC),
	"tipc":      socket(unix.AF_TIPC, unix.SOCK_SEQPACKET, 0),
	"smc":       socket(unix.AF_SMC, unix.SOCK_STREAM, 0),
	"xdp":       socket(unix.AF_XDP, unix.SOCK_RAW, 0),
	"key":       socket(unix.AF_KEY, unix.SOCK_RAW, 2),
	"can":       socket(unix.AF_CAN, unix.SOCK_RAW, 1),
	"route":     socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE), // allowed: programs ask for addresses
	"dial": func(a []string) error {
		conn, err := net.DialTimeout(a[0], a[1], 3*time.Second)
		if err == nil && a[0] == "udp" {
			if _, err = conn.Write([]byte("x")); err == nil {
				_ = conn.SetReadDeadline(time.Now().Add(3 * time.Second))
				_, err = conn.Read(make([]byte, 1))
			}
		}
		return err
	},
	"resolve": func(a []string) error {
		_, err := net.LookupHost(a[0])
		return err
	},

	// Exhaustion: each goes on until it is stopped.
	"eat-memory": func([]string) error {
		for {
			b := make([]byte, 16<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			held = append(held, b)
		}
	},
	"eat-files": func([]string) error {
		for {
			if _, err := unix.Open("/dev/null", unix.O_RDONLY, 0); err != nil {
				return err
			}
		}
	},
	"eat-inodes": func(a []string) error {
		for i := 0; ; i++ {
			f, err := os.Create(filepath.Join(a[0], strconv.Itoa(i)))
			if err != nil {
				return err
			}
			_ = f.Close()
		}
	},
	"eat-threads": func([]string) error {
		for range 1 << 16 {
			r, w, err := os.Pipe()
			if err != nil {
				return err
			}
			held = append(held, w)
			cmd := exec.Command("/bin/sleep", "600")
			cmd.Stdin = r
			if err := cmd.Start(); err != nil {
				return err
			}
			_ = r.Close()
		}
		return nil
	},
	// A file without a name, written until the disk is full.
	"eat-disk-unseen": func(a []string) error {
		f, err := os.Create(filepath.Join(a[0], "unseen"))
		if err == nil {
			err = os.Remove(f.Name())
		}
		if err == nil {
			_, err = io.Copy(f, endless{})
		}
		return err
	},
	// Directories too deep for a path, with a file at the end.
	"eat-disk-deep": func(a []string) error {
		if err := os.Chdir(a[0]); err != nil {
			return err
		}
		name := strings.Repeat("d", 200)
		for range 30 {
			if err := os.Mkdir(name, 0o700); err != nil {
				return err
			}
			if err := os.Chdir(name); err != nil {
				return err
			}
		}
		f, err := os.Create("deep")
		if err == nil {
			_, err = io.Copy(f, endless{})
		}
		return err
	},
	// The guest's socket: asks for a longer life, for ever.
	"touch": func([]string) error {
		p := new(http.Protocols)
		p.SetUnencryptedHTTP2(true)
		c := http.Client{Transport: &http.Transport{Protocols: p, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", guestSocket)
		}}}
		for {
			resp, err := c.Post("http://guest/touch", "", nil)
			if err != nil {
				return err
			}
			_ = resp.Body.Close()
			time.Sleep(100 * time.Millisecond)
		}
	},
	// Another guest in place of the guest.
	"impostor": func([]string) error {
		if err := os.Remove(guestSocket); err != nil {
			return err
		}
		l, err := net.Listen("unix", guestSocket)
		if err != nil {
			return err
		}
		fmt.Println("listens")
		for {
			c, err := l.Accept()
			if err != nil {
				return err
			}
			go func() { _, _ = io.Copy(c, endless{}) }()
		}
	},
	// Processes that hold on to life.
	"outlive": func(a []string) error {
		cmd := exec.Command("/bin/sh", "-c", "trap '' TERM INT HUP; while :; do sleep 1; done", a[0])
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			return err
		}
		return cmd.Process.Release()
	},
}

const guestSocket = "/run/koda/guest.sock"

var held []any

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// dots is the old way out of a chroot, as root of a namespace.
func dots([]string) error {
	if err := os.MkdirAll("/tmp/jail", 0o700); err != nil {
		return err
	}
	if err := unix.Chroot("/tmp/jail"); err != nil {
		return err
	}
	for range 64 {
		if err := unix.Chdir(".."); err != nil {
			return err
		}
	}
	if err := unix.Chroot("."); err != nil {
		return err
	}
	// The root of the container is reached again, and nothing above it.
	if _, err := os.Stat("/koda-guest"); err == nil {
		return errors.New("only the container's root")
	}
	return nil
}

// handle opens a file of another mount by its inode, as "shocker" did.
func handle([]string) error {
	dir, err := unix.Open("/", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	h := unix.NewFileHandle(1, []byte{2, 0, 0, 0, 0, 0, 0, 0})
	_, err = unix.OpenByHandleAt(dir, h, unix.O_RDONLY)
	return err
}

// memory reads or writes the memory of a process.
func memory(pid int, nr uintptr) error {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return errors.Unwrap(err)
	}
	for line := range strings.Lines(string(maps)) {
		fields := strings.Fields(line)
		if !strings.HasPrefix(fields[1], "rw") {
			continue
		}
		start, _, _ := strings.Cut(fields[0], "-")
		addr, err := strconv.ParseUint(start, 16, 64)
		if err != nil {
			return err
		}
		var b [8]byte
		local := unix.Iovec{Base: &b[0], Len: 8}
		remote := unix.RemoteIovec{Base: uintptr(addr), Len: 8}
		n, _, e := unix.Syscall6(nr, uintptr(pid), uintptr(unsafe.Pointer(&local)), 1, uintptr(unsafe.Pointer(&remote)), 1, 0)
		if e != 0 {
			return e
		}
		if n != 8 {
			return fmt.Errorf("%d bytes", n)
		}
		return nil
	}
	return errors.New("no memory")
}
