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

// Started is when the process with that id was started, in a form that is only
// good for comparing: a later process of the same id has another. It is "" for
// one that does not live, and on systems that do not tell.
func Started(pid int) string {
	if fields := stat(strconv.Itoa(pid)); len(fields) >= 20 {
		return fields[19]
	}
	return ""
}

// CPUTime is the CPU time a process group and the children its processes waited
// for have taken so far, in the kernel's clock ticks; false where the system
// does not tell.
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

// Members lists the processes of a group; none where the system does not tell.
func Members(group int) []int { return slices.Collect(maps.Keys(members(group, statGroup))) }

// Columns of stat, counted from the state of the process.
const (
	statGroup   = 2
	statSession = 3
)

// members is what stat says of each process of a group, or of a session.
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

// Memory is how many bytes processes hold, in memory or swapped out: each what
// is its own, and once what they share, as much as the one has that shares the
// most. It is less than the truth rather than more. False where the system does
// not tell, and of processes that are gone.
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

// Demand is how much CPU time a process group has taken or waited for so far, on
// a machine however busy; false where the system does not tell. It only falls
// when one of its threads ends.
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

// stat is what /proc/PID/stat says after the name of the process, which is in
// parentheses and may hold anything; nil when there is none.
func stat(pid string) []string {
	data, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return nil
	}
	return strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
}

// Lives reports whether the process that had that id and was started at
// started lives. Where either is not known the id alone decides: a process is
// taken for living rather than for dead.
func Lives(pid int, started string) bool {
	if !Alive(pid) {
		return false
	}
	now := Started(pid)
	return started == "" || now == "" || now == started
}

// Given lists this user's other processes that were given one of these
// arguments. Where the system does not tell, it lists none.
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

// Own reports whether a file, or a process by its directory below /proc, is
// this user's.
func Own(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// End kills a process that is not a child of this one. One that is gone is no
// error.
func End(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && Alive(pid) {
		return os.NewSyscallError("kill", err)
	}
	return nil
}
