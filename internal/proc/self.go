package proc

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Started is when the process with that id was started. The text is only good for
// comparing: a later process with the same id has another text. If the process does not
// live, or the system does not tell, the text is "".
func Started(pid int) string {
	if fields := stat(strconv.Itoa(pid)); len(fields) >= 20 {
		return fields[19]
	}
	return ""
}

// CPUTime is the CPU time, in the kernel's clock ticks, that a process group has taken so
// far, with the children its processes waited for. If the system does not tell, ok is
// false.
func CPUTime(group int) (ticks int64, ok bool) {
	for _, fields := range members(group, statGroup) {
		if len(fields) < 15 {
			continue
		}
		ok = true
		for _, field := range fields[11:15] {
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				return 0, false
			}
			ticks += n
		}
	}
	return ticks, ok
}

// Members lists the processes of a group. If the system does not tell, the list is empty.
func Members(group int) []int { return slices.Collect(maps.Keys(members(group, statGroup))) }

// Columns of stat, counted from the state of the process.
const (
	statParent  = 1
	statGroup   = 2
	statSession = 3
)

// members is what stat says about each process of a group, or of a session.
func members(leader, column int) map[int][]string {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	found := map[int][]string{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid < 1 {
			continue
		}
		if fields := stat(e.Name()); len(fields) > column && fields[column] == strconv.Itoa(leader) {
			found[pid] = fields
		}
	}
	return found
}

// KillBelow kills all descendants of a process but one of them, spared, whose own
// descendants it kills, too.
func KillBelow(top, spared int) {
	for range 10 { // new ones may come meanwhile
		killed := false
		for _, pid := range below(top) {
			if pid != spared {
				killed = syscall.Kill(pid, syscall.SIGKILL) == nil || killed
			}
		}
		if !killed {
			return
		}
	}
}

// below are the living descendants of a process.
func below(top int) (all []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	children := map[string][]string{}
	for _, e := range entries {
		if fields := stat(e.Name()); len(fields) > statParent && fields[0] != "Z" {
			children[fields[statParent]] = append(children[fields[statParent]], e.Name())
		}
	}
	for next := children[strconv.Itoa(top)]; len(next) > 0; next = next[1:] {
		next = append(next, children[next[0]]...)
		if pid, err := strconv.Atoi(next[0]); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// Memory is the number of bytes that processes hold, in memory or swapped out: what each
// process alone holds, and what they share, counted once by the process that shares the
// most. It is rather too low than too high. If the system does not tell, or the processes
// are gone, ok is false.
func Memory(pids []int) (held int64, ok bool) {
	var shared int64
	for _, pid := range pids {
		status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(status)) {
			name, value, _ := strings.Cut(line, ":")
			kib, unit, _ := strings.Cut(strings.TrimSpace(value), " ")
			n, err := strconv.ParseInt(kib, 10, 64)
			if err != nil || unit != "kB" {
				continue
			}
			switch name {
			case "RssAnon", "VmSwap":
				held, ok = held+n<<10, true
			case "RssShmem":
				shared = max(shared, n<<10)
			}
		}
	}
	return held + shared, ok
}

// Demand is the CPU time that a process group has taken or waited for so far, so it does
// not depend on how busy the machine is. It falls only when a thread of the group ends.
// If the system does not tell, ok is false.
func Demand(group int) (total time.Duration, ok bool) {
	for pid := range members(group, statGroup) {
		tasks, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/schedstat")
		if err != nil {
			continue
		}
		for _, task := range tasks {
			line, err := os.ReadFile(task)
			if err != nil {
				continue // it ended
			}
			var ran, waited int64
			if _, err := fmt.Sscan(string(line), &ran, &waited); err == nil {
				total, ok = total+time.Duration(ran+waited), true
			}
		}
	}
	return total, ok
}

// stat is what /proc/PID/stat says after the name of the process, which is in parentheses
// and may hold anything; nil if there is no such process.
func stat(pid string) []string {
	data, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return nil
	}
	return strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
}

// Lives reports whether the process lives that had this id and was started at started. If
// either start is unknown, the id alone decides, and a process rather counts as living
// than as dead.
func Lives(pid int, started string) bool {
	if !Alive(pid) {
		return false
	}
	now := Started(pid)
	return started == "" || now == "" || now == started
}

// Given lists this user's other processes that got one of these arguments. If the system
// does not tell, the list is empty.
func Given(arguments []string) []int {
	if len(arguments) == 0 {
		return nil
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		info, err := e.Info()
		if err != nil || !Own(info) {
			continue
		}
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err != nil {
			continue
		}
		args := strings.Split(string(line), "\x00")
		if slices.ContainsFunc(arguments, func(a string) bool { return slices.Contains(args, a) }) {
			found = append(found, pid)
		}
	}
	return found
}

// Own reports whether a file belongs to this user; the directory of a process below /proc
// stands for the process.
func Own(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// End kills a process that is not a child of this process. A process that is gone is not
// an error.
func End(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && Alive(pid) {
		return os.NewSyscallError("kill", err)
	}
	return nil
}

// Self starts this program with one argument, by which it knows what to do. It speaks
// over descriptors 3 and 4.
func Self(arg string) Spec {
	path := "/proc/self/exe" // exists even if the file was replaced
	if _, err := os.Readlink(path); err != nil {
		path, _ = os.Executable() //nolint:errcheck // without a path, nothing is started
	}
	return Spec{Path: path, Args: []string{arg}, Env: Environ(), Pipe: true}
}

// Environ is the environment of this process without the keys of model services, for
// programs that read what others wrote.
func Environ() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasSuffix(strings.ToUpper(name), "_API_KEY")
	})
}
