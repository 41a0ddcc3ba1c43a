package docker_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
)

// attack is something that code in a sandbox tries. Line is a shell command in which
// $ATTACK is the program of testdata/attack, $ATTACK32 the same program for 32 bits,
// $SECRET the path of a file of this machine, $PORT a port of this machine and $OTHER the
// sandbox's neighbour.
type attack struct {
	name, line string
	// stopped is a pattern that the whole output of the attack matches where the walls
	// stand. Through is what the output matches in a container without walls: this shows
	// that the attack is one. "" where that would harm this machine, or where that
	// container has the same wall.
	stopped, through string
}

const (
	refused   = `operation not permitted`
	noCall    = `function not implemented|operation not permitted`
	noPrivate = `permission denied`
	readOnly  = `Read-only file system`
	nothing   = `(?s).*No such file or directory`
)

func attacks() []attack {
	all := []attack{
		// Files of this machine.
		{"a file of this machine", `cat "$SECRET"`, nothing, ""},
		{"a file of this machine by init's root", `cat /proc/1/root"$SECRET"`, nothing + `|.*Permission denied`, ""},
		{"a file of this machine by the own root", `cat /proc/self/root/../../"$SECRET"`, nothing, ""},
		{"a file of this machine by an inherited descriptor", `ls -l /proc/self/fd | grep -v pipe: | grep -c -- '-> /[^d]'`, `1`, ""}, // ls's own /proc/N/fd
		{"a file of this machine by the directory of the engine", `ls /proc/self/cwd/../../../../../var/lib/docker`, nothing, ""},
		{"the socket of the engine", `ls /var/run/docker.sock /run/docker.sock /run/podman/podman.sock 2>&1 | grep -vc 'No such file'`, `0`, ""},
		{"the kernel's memory", `head -c 1 /proc/kcore 2>/dev/null | wc -c`, `0`, ""},
		{"the kernel's symbols", `grep -vc '^0000000000000000' /proc/kallsyms`, `0`, `[1-9].*`},
		{"the kernel's log", `head -c 1 /dev/kmsg /proc/kmsg`, `(?s).*(No such|cannot open).*`, ""},
		{"the timers of other processes", `cat /proc/timer_list | wc -c`, `0`, `[1-9].*`},
		{"the keys of this machine", `cat /proc/keys | wc -c`, `0`, ""},
		{"the firmware of this machine", `ls /sys/firmware | wc -l`, `0`, ""},
		{"devices of this machine", `find /dev -type b -o -type c | grep -vE '^/dev/(null|zero|full|random|urandom|tty|pts/(ptmx|[0-9]+)|console)$'`, ``, ""},
		{"files with more rights", `p=$(find / -xdev -perm /6000 -type f -name su 2>/dev/null); su -c id root </dev/null`, `(?s).*(Authentication failure|System error|must be run from a terminal|cannot set groups).*`, `uid=0.*`},

		// Settings of this machine's kernel.
		{"where core dumps go", `echo '|/tmp/x' >/proc/sys/kernel/core_pattern`, `(?s).*` + readOnly, ""},
		{"a helper of the kernel", `echo /tmp/x >/sys/kernel/uevent_helper`, `(?i).*(read-only|permission denied|no such).*`, ""},
		{"the magic key", `echo h >/proc/sysrq-trigger`, `(?i).*(read-only|permission denied|no such).*`, ""},
		{"the own group of resources", `echo 1 | tee /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/pids/cgroup.procs /sys/fs/cgroup/memory/release_agent`, `(?si)(.*(read-only|permission denied|no such).*\n?)+`, ""},
		{"the memory limit", `echo -1 | tee /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes`, `(?si)(.*(read-only|permission denied|no such).*\n?)+`, ""},
		{"programs of the image", `for f in /koda-guest /bin/sh /etc/passwd /usr/new; do echo x >>$f; done 2>&1 | grep -vcE 'Read-only|Permission denied|Text file busy'`, `0`, ""},

		// Other processes.
		{"processes of this machine", `ls -d /proc/[0-9]* | wc -l | awk '{print $1 < 20 ? "few" : "many"}'`, `few`, ""},
		{"the environment of koda", `tr '\0' '\n' </proc/1/environ | grep -c SECRET`, `(?s)0.*Permission denied`, ""},
		{"init's memory", `$ATTACK read-memory 1`, noPrivate + `|` + refused, `through.*`},
		{"init's memory by a file", `head -c 1 /proc/1/mem`, `.*Permission denied`, ""},
		{"init's memory, written", `$ATTACK write-memory 1`, noPrivate + `|` + refused, `through.*`},
		{"the guest's memory", `$ATTACK read-memory $PPID`, noPrivate + `|` + refused, ""},
		{"the guest's memory by a file", `head -c 1 /proc/$PPID/mem`, `.*Permission denied`, ""},
		{"init, traced", `$ATTACK trace 1`, refused, `through.*`},
		{"the guest, traced", `$ATTACK trace $PPID`, refused, ""},
		{"the guest's descriptors", `ls /proc/$PPID/fd /proc/1/fd 2>&1 | grep -vc 'Permission denied'`, `[0-2]`, ""},
		{"init's log", `head -c 100 /dev/zero >/proc/1/fd/1`, `.*Permission denied`, ""},
		{"a descriptor of init", `$ATTACK take-fd 1`, refused, `through.*`},
		{"the guest's program", `cat /proc/1/exe | wc -c`, `(?s).*Permission denied.*`, ""},

		// The network.
		{"interfaces", `ls /sys/class/net`, `lo`, `(?s).*eth0.*`},
		{"the gateway", `$ATTACK dial tcp 172.17.0.1:$PORT`, `.*unreachable`, `through.*`},
		{"this machine's loopback", `$ATTACK dial tcp 127.0.0.1:$PORT`, `.*connection refused`, ""},
		{"this machine's loopback, version 6", `$ATTACK dial tcp [::1]:$PORT`, `.*(connection refused|cannot assign.*|unreachable)`, ""},
		{"the address of metadata", `$ATTACK dial tcp 169.254.169.254:80`, `.*unreachable`, ""},
		{"the internet", `$ATTACK dial tcp 1.1.1.1:53`, `.*unreachable`, ""},
		{"datagrams", `$ATTACK dial udp 1.1.1.1:53`, `.*unreachable`, ""},
		{"names", `$ATTACK resolve example.com`, `.*(unreachable|refused|no such host|server misbehaving|failure).*`, ""},
		{"an abstract socket of this machine", `$ATTACK dial unix @koda-walls-$PORT`, `.*connection refused`, ""},
		{"another sandbox", `ls /proc/*/root"$HOME"/project/ 2>/dev/null | grep -c neighbour`, `0`, ""},
	}
	// System calls: what an open door answers. Those with invalid arguments harm nothing.
	calls := map[string]string{
		"mount-tmpfs": "", "mount-proc": "", "mount-bind": "", "mount-over": "", "remount": "", "unmask": "", "pivot": `invalid argument|device or resource busy`,
		"fsopen": `through.*`, "open-tree": `through.*`, "move-mount": `bad file descriptor|no such file.*`, "mount-attr": `.*`, "chroot": "", "mknod-memory": "", "mknod-disk": "",
		"handle": `.*(through|stale|invalid|value too large).*`, "chown-root": "", "setns net": "", "setns mnt": "", "unshare-mount": `through.*|invalid argument`, "unshare-cgroup": `through.*|invalid argument`, "unshare-ipc": `through.*|invalid argument`, "unshare-uts": `through.*|invalid argument`,
		"unshare-time": `through.*|invalid argument`, "clone3": `invalid argument`,
		"module": "", "module-fd": "", "unmodule": "", "kexec": "", "reboot": `invalid argument`, "clock": "invalid argument", "adjust": `invalid argument`,
		"bpf": `invalid argument|argument list too long`, "perf": `.*`, "io-uring": `invalid argument`, "userfault": `invalid argument`, "key-add": `bad address|invalid argument`, "key-request": `bad address|invalid argument`, "keyctl": `.*`,
		"swap": `no such file or directory`, "account": "", "quota": `.*`, "kernel-log": `through.*`, "name": `through.*`, "realtime": "", "nice": `through.*`, "unkillable": "",
		"root": `through.*`, "group": `through.*`, "groups": `through.*`, "capset": `through.*`, "compare": `through.*`, "core-dump": `through.*`, "limit": "",
		"packet": `through.*`, "raw": `through.*`, "vsock": `through.*|address family not supported.*`, "crypto": `through.*|address family not supported.*`,
		"netfilter": `through.*|protocol not supported`, "xfrm": `through.*|protocol not supported`, "audit": `through.*|protocol not supported`, "generic": `through.*`,
		"tipc": `through.*|address family not supported.*`, "smc": `through.*|address family not supported.*`, "xdp": `through.*|address family not supported.*`, "key": `through.*|address family not supported.*`, "can": `through.*|address family not supported.*`,
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		all = append(all, attack{name, "$ATTACK " + name, `(?s).*(` + noCall + `|permission denied).*`, calls[name]})
	}
	// The same as root of a namespace, who has all rights in it.
	for _, name := range strings.Fields(`mount-tmpfs mount-proc mount-bind mount-over remount unmask pivot fsopen open-tree move-mount mount-attr mknod-memory mknod-disk handle
		setns:mnt unshare-mount unshare-cgroup unshare-ipc unshare-uts unshare-time module kexec reboot bpf perf io-uring key-add keyctl name realtime unkillable
		packet vsock crypto netfilter xfrm generic tipc smc xdp key`) {
		name = strings.ReplaceAll(name, ":", " ")
		all = append(all, attack{"as root of a namespace: " + name, "$ATTACK user " + name, `(?s).*(` + noCall + `|permission denied|invalid argument).*`, ""})
	}
	return append(all,
		attack{"as root of a namespace: out of a chroot", "$ATTACK user chroot-dots", `only the container's root`, ""},
		attack{"with calls of 32 bits: vsock", "$ATTACK32 vsock; echo $?", `(?s).*(159|[Ee]xec format error).*`, ""},
		attack{"with calls of 32 bits: netfilter", "$ATTACK32 user netfilter; echo $?", `(?s).*(159|[Ee]xec format error).*`, ""},
		attack{"with calls of 32 bits: mount", "$ATTACK32 mount-tmpfs; echo $?", `(?s).*(159|[Ee]xec format error).*`, ""},
	)
}

// attackers builds the program that attacks, for 64 and 32 bits.
func attackers(t *testing.T) map[string][]byte {
	t.Helper()
	programs := map[string][]byte{}
	for name, env := range map[string][]string{"attack": nil, "attack32": {"GOARCH=386"}} {
		path := filepath.Join(t.TempDir(), name)
		build := exec.CommandContext(t.Context(), "go", "build", "-o", path, "./testdata/attack")
		build.Env = append(os.Environ(), append(env, "GOOS=linux", "CGO_ENABLED=0")...)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build: %v\n%s", err, out)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		programs[name] = data
	}
	return programs
}

// arm brings the programs that attack into a sandbox.
func arm(t *testing.T, sb sandbox.Sandbox, programs map[string][]byte) {
	t.Helper()
	if err := sandbox.Put(t.Context(), sb, programs); err != nil {
		t.Fatal(err)
	}
	res, err := sb.Run(t.Context(), sandbox.Command{Line: "mv attack attack32 /tmp && chmod +x /tmp/attack*"})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("%+v, %v", res, err)
	}
}

// host is what the attacks look for on this machine.
func host(t *testing.T) (vars string) {
	t.Helper()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("the secret of this machine"), 0o600); err != nil {
		t.Fatal(err)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	abstract, err := lc.Listen(t.Context(), "unix", fmt.Sprintf("@koda-walls-%d", port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = l.Close()
		_ = abstract.Close()
	})
	return fmt.Sprintf("SECRET=%q PORT=%d; ", secret, port)
}

// Code in a sandbox tries to get out. Each attack is stopped, and in a container without
// walls it goes through.
func TestDockerEscapes(t *testing.T) {
	vars, programs := host(t), attackers(t)
	p := docker.New(config(t))
	neighbour := create(t, p)
	if err := neighbour.WriteFile(t.Context(), "neighbour.txt", nil); err != nil {
		t.Fatal(err)
	}
	sb := create(t, p)
	arm(t, sb, programs)
	open := openDoors(t, vars, programs)
	var tried, stopped, proven atomic.Int32
	for i, a := range attacks() {
		t.Run(a.name, func(t *testing.T) {
			tried.Add(1)
			res, err := sb.Run(t.Context(), sandbox.Command{Line: vars + "ATTACK=/tmp/attack ATTACK32=/tmp/attack32; " + a.line})
			says := strings.TrimSpace(res.Stdout + res.Stderr)
			if err != nil || !matches(a.stopped, says) || strings.Contains(says, "secret of this") {
				t.Errorf("it says %q, %v, want %q", says, err, a.stopped)
				return
			}
			stopped.Add(1)
			if a.through == "" {
				return
			}
			if !matches(a.through, open[i]) {
				t.Errorf("without walls it says %q, want %q", open[i], a.through)
			}
			proven.Add(1)
		})
	}
	t.Logf("escapes tried: %d, stopped: %d; without walls %d of them are seen to go through", tried.Load(), stopped.Load(), proven.Load())
}

func matches(pattern, s string) bool {
	return regexp.MustCompile(`^(?:` + pattern + `)$`).MatchString(s)
}

// openDoors runs the attacks that harm nothing in a container without walls, by root, and
// returns what each says.
func openDoors(t *testing.T, vars string, programs map[string][]byte) map[int]string {
	t.Helper()
	// Rights that each engine can give, also an engine that is in a container itself.
	open := []string{"run", "--rm", "-i", "--user", "0", "--security-opt", "seccomp=unconfined", "--security-opt", "systempaths=unconfined"}
	for _, right := range strings.Fields("SYS_ADMIN SYS_PTRACE SYS_MODULE SYS_TIME SYS_NICE NET_ADMIN SYSLOG SYS_BOOT SYS_RAWIO DAC_READ_SEARCH") {
		open = append(open, "--cap-add", right)
	}
	var script strings.Builder
	script.WriteString("cat >/tmp/attack; chmod +x /tmp/attack; ATTACK=/tmp/attack\n" + vars + "\n")
	for i, a := range attacks() {
		if a.through != "" {
			fmt.Fprintf(&script, "echo; echo =%d=; { %s; } 2>&1 </dev/null\n", i, a.line)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "docker", append(slices.Clone(open), needs.Docker(t), "/bin/bash", "-c", script.String())...)
	run.Stdin = bytes.NewReader(programs["attack"])
	out, err := run.CombinedOutput()
	says := map[int]string{}
	for _, part := range strings.Split(string(out), "\n=")[1:] {
		var i int
		n, text, _ := strings.Cut(part, "=\n")
		if _, err := fmt.Sscan(n, &i); err != nil {
			t.Fatalf("%v in %q", err, part)
		}
		says[i] = strings.TrimSpace(text)
	}
	if len(says) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	return says
}
